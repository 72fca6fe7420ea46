// Streams written bit by bit from ethos-u55 spec 5, and what they decode to.
#include <gtest/gtest.h>

#include "ethosu/weights/codec.h"
#include "ethosu/weights/order.h"

namespace npubin::ethosu {
namespace {

class BitWriter {
 public:
  BitWriter& put(std::uint32_t value, unsigned count) {
    for (unsigned i = 0; i < count; ++i) {
      if (used_ % 8 == 0) bytes_.push_back(std::byte{0});
      if ((value >> i & 1) != 0) bytes_.back() |= std::byte{1} << (used_ % 8);
      ++used_;
    }
    return *this;
  }
  // ZDIV, length, WDIV, WTRUNC, NEWPAL
  BitWriter& head(unsigned zdiv, std::uint32_t length, unsigned wdiv, bool truncated, bool palette) {
    return put(zdiv, 3).put(length - 1, 15).put(wdiv, 3).put(truncated ? 1 : 0, 1).put(palette ? 1 : 0, 1);
  }
  // DIROFS, PALSIZE as stored, PALBITS
  BitWriter& palette(unsigned direct_offset, unsigned stored_size, unsigned bits) {
    return put(direct_offset, 5).put(stored_size, 5).put(bits - 2, 3);
  }
  std::vector<std::byte> end() {
    put(7, 3);
    return bytes_;
  }
  const std::vector<std::byte>& bytes() const { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
  std::size_t used_ = 0;
};

using Values = std::vector<std::int16_t>;

TEST(WeightDecoder, UncompressedWithoutPalette) {
  BitWriter stream;
  stream.head(6, 3, 7, false, true).palette(0, 0, 4);
  // Codes: bit 0 is the sign. Nothing comes before the first chunk's indices, which the second chunk brings.
  stream.put(6, 4).put(7, 4).put(0, 4);
  const auto bytes = stream.end();
  const auto weights = decode_raw_weights(bytes, 3);
  ASSERT_TRUE(weights) << to_string(weights.error());
  EXPECT_EQ(weights->values, (Values{3, -3, 0}));
  EXPECT_EQ(weights->bytes_consumed, bytes.size());
  EXPECT_EQ(weights->statistics.slices, 1u);
  EXPECT_EQ(weights->statistics.uncompressed_slices, 1u);
  EXPECT_EQ(weights->statistics.zeros, 1u);
  EXPECT_EQ(weights->statistics.minimum, -3);
  EXPECT_EQ(weights->statistics.maximum, 3);
}

TEST(WeightDecoder, PaletteIndicesAndDirectCodes) {
  BitWriter stream;
  // Two palette entries, direct codes from 4 on: index 2 means code 4, weight 2.
  stream.head(6, 4, 1, false, true).palette(4, 1, 3).put(5, 3).put(0, 3);
  // Quotients 0, 0, 1, 1 (index = quotient * 2 + remainder): codes 0 0 1 1 at the first four positions.
  stream.put(0b1100, 12).put(0b00, 2);
  // The chunk that flushes them: all begun, so no unary part; remainders 0, 1, 0, 1.
  stream.put(0, 1).put(1, 1).put(0, 1).put(1, 1);
  const auto weights = decode_raw_weights(stream.end(), 4);
  ASSERT_TRUE(weights) << to_string(weights.error());
  EXPECT_EQ(weights->values, (Values{-2, 0, 2, -2}));
}

TEST(WeightDecoder, ZeroRunsStandBeforeTheFirstAndAfterEveryWeight) {
  BitWriter stream;
  stream.head(0, 2, 7, false, true).palette(0, 0, 2);
  // Chunk 1: run quotients 2, 1, 2 (each ended by a clear bit), then clear bits; indices follow in chunk 2.
  stream.put(0b0110'1011, 12);
  stream.put(2, 2).put(3, 2);
  const auto weights = decode_raw_weights(stream.end(), 7);
  ASSERT_TRUE(weights) << to_string(weights.error());
  EXPECT_EQ(weights->values, (Values{0, 0, 1, 0, -1, 0, 0})) << "runs 2, 1 and 2";
}

TEST(WeightDecoder, QuotientsCarryIntoTheNextChunk) {
  BitWriter stream;
  stream.head(6, 1, 0, false, true).palette(0, 0, 9);
  // Twelve codes of 2 make 24 and go on; the next chunk adds 1 and ends: quotient 25.
  stream.put(0xFFF, 12).put(0xFFF, 12);
  stream.put(0b1, 12).put(0b0, 1);
  const auto weights = decode_raw_weights(stream.end(), 1);
  ASSERT_TRUE(weights) << to_string(weights.error());
  EXPECT_EQ(weights->values, (Values{-12}));
}

TEST(WeightDecoder, SeveralStreamsAndPadding) {
  BitWriter first;
  first.head(6, 1, 7, false, true).palette(0, 0, 2).put(2, 2);
  auto bytes = first.end();
  const auto once = bytes;
  bytes.insert(bytes.end(), once.begin(), once.end());
  const std::size_t meant = bytes.size();
  bytes.resize(32, std::byte{0xFF});
  const auto weights = decode_raw_weights(bytes, 2);
  ASSERT_TRUE(weights) << to_string(weights.error());
  EXPECT_EQ(weights->values, (Values{1, 1}));
  EXPECT_EQ(weights->bytes_consumed, meant);
  EXPECT_EQ(weights->statistics.sub_streams, 2u);
}

TEST(WeightDecoder, FaultsNameTheirPlace) {
  BitWriter good;
  good.head(6, 3, 7, false, true).palette(0, 0, 4).put(6, 4).put(7, 4).put(0, 4);
  const auto cut = good.bytes();
  const auto bytes = good.end();
  EXPECT_EQ(decode_raw_weights(ByteSpan(cut).first(4), 3).error().code, "ETU-4001");
  EXPECT_EQ(decode_raw_weights(bytes, 2).error().code, "ETU-4002");
  const auto few = decode_raw_weights(bytes, 4, 1000);
  EXPECT_EQ(few.error().code, "ETU-4003");
  EXPECT_EQ(few.error().where.offset, 1000 + bytes.size());
  BitWriter no_palette;
  no_palette.head(6, 1, 7, false, false).put(0, 4);
  EXPECT_EQ(decode_raw_weights(no_palette.end(), 1).error().code, "ETU-4004");
  EXPECT_EQ(decode_raw_weights({}, 1).error().code, "ETU-4003");
}

TEST(WeightDecoder, AnEnormousTensorCostsNothing) {
  WeightGeometry geometry;
  geometry.ofm_depth = 65536;
  geometry.ifm_depth = 65536;
  geometry.kernel_height = 64;
  const std::vector<std::byte> bytes(16, std::byte{0});
  EXPECT_FALSE(decode_weights(bytes, geometry));
  geometry.kernel_height = 65536;
  EXPECT_EQ(decode_weights(bytes, geometry).error().code, "ETU-4005");
}

// The walk has as many positions as stream_elements() says, and visits every weight once.
TEST(WeightOrder, VisitsEveryWeightOnce) {
  for (const bool part_kernel : {false, true})
    for (const bool depthwise : {false, true})
      for (const std::uint32_t bits : {8u, 16u})
        for (const auto accelerator : {Accelerator::U55_32, Accelerator::U55_256}) {
          WeightGeometry geometry{.ofm_depth = 21,
                                  .ifm_depth = depthwise ? 1u : 34u,
                                  .kernel_height = 9,
                                  .kernel_width = 5,
                                  .dilation_y = 2,
                                  .dilation_x = 1,
                                  .depthwise = depthwise,
                                  .part_kernel = part_kernel,
                                  .ofm_block_depth = 16,
                                  .ifm_bits = bits,
                                  .accelerator = accelerator};
          Values numbered(*kernel_elements(geometry));
          for (std::size_t i = 0; i < numbered.size(); ++i) numbered[i] = static_cast<std::int16_t>(i + 1);
          const auto stream = to_stream_order(numbered, geometry);
          ASSERT_TRUE(stream);
          EXPECT_EQ(stream->size(), *stream_elements(geometry));
          std::vector<int> seen(numbered.size() + 1);
          for (const std::int16_t value : *stream) ++seen[static_cast<std::size_t>(value)];
          for (std::size_t i = 1; i < seen.size(); ++i) ASSERT_EQ(seen[i], 1) << "weight " << i;
          std::uint64_t steps = 0;
          walk_weights(geometry, [&](const WeightStep&) { ++steps; });
          EXPECT_EQ(steps * output_micro_block(accelerator) * (depthwise ? 1 : kInputMicroBlock),
                    stream->size());
        }
}

}  // namespace
}  // namespace npubin::ethosu
