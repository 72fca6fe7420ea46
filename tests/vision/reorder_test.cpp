#include "vision/reorder.h"

#include <cstring>
#include <random>

#include <gtest/gtest.h>

namespace npubin::vision {
namespace {

struct Pair {
  FrameOrder host, device, back;  // back: the host order that to_host() can give
  FrameShape shape, padded;
};

std::vector<std::byte> random_bytes(std::size_t size, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::byte> out(size);
  for (std::byte& b : out) b = static_cast<std::byte>(1 + random() % 255);
  return out;
}

using enum FrameOrder;

TEST(Reorder, ToTheDeviceAndBackIsTheSameFrame) {
  const Pair pairs[] = {
      {Nhwc, Nhwc, Nhwc, {5, 9, 3}, {5, 16, 3}},   {Nhwc, Nhcw, Nhwc, {4, 7, 6}, {4, 8, 6}},
      {Nhcw, Nhcw, Nhcw, {3, 5, 4}, {3, 8, 4}},    {Nc, Nc, Nc, {1, 1, 13}, {1, 1, 16}},
      {Fcr, Fcr, Fcr, {3, 4, 5}, {3, 6, 8}},       {Nhwc, Fcr, Nhwc, {3, 4, 5}, {3, 4, 8}},
      {F8cr, F8cr, F8cr, {3, 4, 11}, {3, 6, 16}},  {Nhwc, F8cr, Nhwc, {2, 5, 8}, {2, 5, 8}},
      {Bayer, Bayer, Bayer, {4, 5, 1}, {4, 8, 1}}, {Nhw, Nhw, Nhw, {4, 5, 1}, {4, 8, 1}},
      {Nchw, Nhcw, Nchw, {3, 8, 4}, {3, 16, 4}},   {Nhwc, Nhcw, Nhwc, {40, 70, 33}, {40, 72, 40}},
  };
  for (const Pair& pair : pairs)
    for (std::size_t bytes : {1, 2}) {
      SCOPED_TRACE(std::string(to_string(pair.host)) + " as " + std::string(to_string(pair.device)) + ", " +
                   std::to_string(bytes) + " bytes");
      auto there = Reorder::to_device({pair.host, pair.shape}, {pair.device, pair.padded}, bytes);
      auto back = Reorder::to_host({pair.device, pair.padded}, {pair.back, pair.shape}, bytes);
      ASSERT_TRUE(there.has_value()) << npubin::to_string(there.error());
      ASSERT_TRUE(back.has_value()) << npubin::to_string(back.error());
      const auto host = random_bytes(there->plan().source_bytes, 1);
      std::vector<std::byte> device(there->plan().target_bytes, std::byte{0xEE}), again(host.size());
      EXPECT_EQ(device.size() % 8, 0u);
      there->run(host.data(), device.data());
      back->run(device.data(), again.data());
      EXPECT_EQ(again, host);
      // No byte of the frame is zero, so the zeros are the padding.
      std::size_t zeros = 0;
      for (std::byte b : device) zeros += b == std::byte{0};
      EXPECT_EQ(zeros, device.size() - host.size());
    }
}

TEST(Reorder, Rgb888IsReversedWithAZeroByte) {
  auto reorder = Reorder::to_device({Nhwc, {1, 2, 3}}, {Rgb888, {1, 2, 4}}, 1);
  ASSERT_TRUE(reorder.has_value());
  const std::uint8_t host[] = {1, 2, 3, 4, 5, 6}, want[] = {3, 2, 1, 0, 6, 5, 4, 0};
  std::uint8_t device[8];
  reorder->run(reinterpret_cast<const std::byte*>(host), reinterpret_cast<std::byte*>(device));
  EXPECT_EQ(std::memcmp(device, want, 8), 0);
}

TEST(Reorder, Rgb4RowsAreAlignedToFour) {
  const std::uint8_t host[] = {1, 2, 3, 99, 4, 5, 6, 99};  // two rows of one pixel
  auto nhwc = Reorder::to_device({Rgb4, {2, 1, 3}}, {Nhwc, {2, 2, 3}}, 1);
  auto nhcw = Reorder::to_device({Rgb4, {2, 1, 3}}, {Nhcw, {2, 2, 3}}, 1);
  ASSERT_TRUE(nhwc && nhcw);
  std::uint8_t device[16];
  const std::uint8_t want_nhwc[16] = {1, 2, 3, 0, 0, 0, 4, 5, 6},
                     want_nhcw[16] = {1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6};
  nhwc->run(reinterpret_cast<const std::byte*>(host), reinterpret_cast<std::byte*>(device));
  EXPECT_EQ(std::memcmp(device, want_nhwc, 16), 0);
  nhcw->run(reinterpret_cast<const std::byte*>(host), reinterpret_cast<std::byte*>(device));
  EXPECT_EQ(std::memcmp(device, want_nhcw, 16), 0);
}

TEST(Reorder, SemiPlanarRowsInterleave) {
  // Two rows of luma and one of chroma, two columns, padded to four.
  auto reorder = Reorder::to_device({Nv12, {1, 2, 3}}, {Yyuv, {1, 4, 3}}, 1);
  ASSERT_TRUE(reorder.has_value());
  const std::uint8_t host[] = {1, 2, 3, 4, 5, 6};
  const std::uint8_t want[16] = {1, 2, 0, 0, 3, 4, 0, 0, 5, 6};
  std::uint8_t device[16];
  reorder->run(reinterpret_cast<const std::byte*>(host), reinterpret_cast<std::byte*>(device));
  EXPECT_EQ(std::memcmp(device, want, 16), 0);
}

TEST(Reorder, RefusesWhatDoesNotFit) {
  EXPECT_EQ(Reorder::to_device({Nhwc, {4, 4, 3}}, {Nc, {1, 1, 48}}, 1).error().kind, ErrorKind::Refused);
  EXPECT_EQ(Reorder::to_host({Rgb888, {4, 4, 4}}, {Nhwc, {4, 4, 3}}, 1).error().kind, ErrorKind::Refused);
  EXPECT_EQ(Reorder::to_device({Nhwc, {4, 4, 3}}, {Nhwc, {4, 4, 3}}, 4).error().kind, ErrorKind::Refused);
  // The device frame must hold the host's.
  EXPECT_EQ(Reorder::to_device({Nhwc, {4, 9, 3}}, {Nhwc, {4, 8, 3}}, 1).error().kind, ErrorKind::Malformed);
  EXPECT_EQ(Reorder::to_device({Nhwc, {0, 9, 3}}, {Nhwc, {4, 9, 3}}, 1).error().kind, ErrorKind::Malformed);
  EXPECT_EQ(Reorder::to_device({F8cr, {4, 4, 9}}, {F8cr, {4, 4, 12}}, 1).error().kind, ErrorKind::Malformed);
  EXPECT_EQ(Reorder::to_device({Nv12, {4, 5, 3}}, {Yyuv, {4, 8, 3}}, 1).error().kind, ErrorKind::Malformed);
  EXPECT_EQ(Reorder::to_device({Yuy2, {1, 3, 2}}, {Yuy2, {1, 3, 2}}, 1).error().kind, ErrorKind::Malformed);
  // 2^32-1 on each side overflows; nothing is allocated for it.
  const FrameShape huge{0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF};
  EXPECT_EQ(Reorder::to_device({Nhwc, huge}, {Nhwc, huge}, 1).error().kind, ErrorKind::Malformed);
}

TEST(Reorder, TransposeExchangesCells) {
  const std::uint16_t from[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};  // 2 x 3 cells of two
  const std::uint16_t want[] = {1, 2, 7, 8, 3, 4, 9, 10, 5, 6, 11, 12};
  std::uint16_t to[12];
  transpose_cells(reinterpret_cast<const std::byte*>(from), reinterpret_cast<std::byte*>(to), 2, 3, 4);
  EXPECT_EQ(std::memcmp(to, want, sizeof(to)), 0);
}

}  // namespace
}  // namespace npubin::vision
