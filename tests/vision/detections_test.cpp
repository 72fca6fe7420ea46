#include "vision/detections.h"

#include <cstring>

#include <gtest/gtest.h>

#include "npubin/bytes.h"
#include "vision/chip_nms.h"
#include "vision/demux.h"
#include "vision/instance_masks.h"
#include "vision/logits.h"

namespace npubin::vision {
namespace {

Detection box(float x_min, float x_max, float score, std::uint32_t id = 0) {
  return {0.0f, x_min, 1.0f, x_max, score, id, 0};
}

DetectionFrame frame_of(std::initializer_list<Detection> boxes) {
  DetectionFrame out;
  EXPECT_TRUE(out.prepare(boxes.size()).has_value());
  for (const Detection& d : boxes) out.add(d);
  return out;
}

TEST(Suppression, ARemovedBoxRemovesNothing) {
  // b overlaps a and c; a and c do not overlap. b falls to a, so c stays.
  auto frame = frame_of({box(0.0f, 1.0f, 0.9f), box(0.4f, 1.4f, 0.8f), box(0.9f, 1.9f, 0.7f)});
  frame.suppress({0.3f, 10});
  ASSERT_EQ(frame.by_class().size(), 2u);
  EXPECT_EQ(frame.by_class()[1].score, 0.7f);
}

TEST(Suppression, ClassesAreApartAndTheMaximumKeepsTheStrongest) {
  auto frame = frame_of(
      {box(0, 1, 0.5f, 1), box(0, 1, 0.6f, 0), box(3, 4, 0.4f, 1), box(5, 6, 0.7f, 1), box(7, 8, 0)});
  frame.suppress({0.5f, 2});
  ASSERT_EQ(frame.by_class().size(), 3u);  // the box of score 0 counts as removed
  EXPECT_EQ(frame.by_class()[0].class_id, 0u);
  EXPECT_EQ(frame.by_class()[1].score, 0.7f);
  EXPECT_EQ(frame.by_class()[2].score, 0.5f);
  const auto sorted = frame.by_score();
  EXPECT_EQ(sorted[0].score, 0.7f);
  EXPECT_EQ(sorted[1].score, 0.6f);
}

TEST(Suppression, OverlapEqualToTheThresholdIsRemoved) {
  EXPECT_EQ(intersection_over_union(box(0, 1, 1), box(0, 0.5f, 1)), 0.5f);
  EXPECT_EQ(intersection_over_union(box(0, 1, 1), box(1, 2, 1)), 0.0f);
  auto frame = frame_of({box(0, 1, 0.9f), box(0, 0.5f, 0.8f)});
  frame.suppress({0.5f, 10});
  EXPECT_EQ(frame.by_class().size(), 1u);
}

TEST(Buffers, ByClass) {
  const Detection boxes[] = {box(0.25f, 0.5f, 0.9f, 1), box(0.5f, 0.75f, 0.8f, 1)};
  std::vector<float> out(static_cast<std::size_t>(*by_class_floats(3, 2)), 7.0f);
  ASSERT_EQ(out.size(), 33u);
  write_by_class(boxes, 3, out);
  const std::vector<float> head(out.begin(), out.begin() + 13);
  EXPECT_EQ(head, (std::vector<float>{0, 2, 0, 0.25f, 1, 0.5f, 0.9f, 0, 0.5f, 1, 0.75f, 0.8f, 0}));
  for (std::size_t i = 13; i < out.size(); ++i) EXPECT_EQ(out[i], 0.0f);
  EXPECT_FALSE(by_class_floats(65535, 0xFFFFFFFF).has_value());
}

TEST(Buffers, ByScoreWithAndWithoutTheExtraRecord) {
  const Detection boxes[] = {box(0, 1, 0.9f, 3), box(0, 1, 0.8f, 2), box(0, 1, 0.7f, 1)};
  std::vector<std::byte> out(2 + 22 * 3, std::byte{0xFF});
  EXPECT_EQ(write_by_score(boxes, 2, false, out), 2u);
  EXPECT_EQ(load<std::uint16_t>(out.data()), 2);
  EXPECT_EQ(load<float>(out.data() + 2 + 22 + 16), 0.8f);
  EXPECT_EQ(load<std::uint16_t>(out.data() + 2 + 22 + 20), 2);
  EXPECT_EQ(out[2 + 44], std::byte{0});
  EXPECT_EQ(write_by_score(boxes, 2, true, out), 3u);  // hef spec 5b
}

TEST(Buffers, ByteMaskStopsWhenItIsFull) {
  std::vector<std::byte> out(2 + 2 * 46 + 10);
  ByteMaskWriter writer(out);
  auto first = writer.add(box(0, 1, 0.9f, 5), 6);
  ASSERT_TRUE(first.ok);
  ASSERT_EQ(first.mask.size(), 6u);
  EXPECT_EQ(load<std::uint64_t>(out.data() + 2 + 38), 48u);  // offset of the mask
  EXPECT_EQ(load<std::uint64_t>(out.data() + 2 + 22), 6u);
  // Strictly more room than needed is asked for.
  EXPECT_FALSE(writer.add(box(0, 1, 0.8f), 4).ok);
  EXPECT_TRUE(writer.add(box(0, 1, 0.8f), 3).ok);
  EXPECT_FALSE(writer.add(box(0, 1, 0.7f), std::uint64_t{1} << 63).ok);
  EXPECT_EQ(load<std::uint16_t>(out.data()), 2);
}

std::vector<std::byte> words(std::initializer_list<std::uint64_t> values) {
  std::vector<std::byte> out(values.size() * 8);
  std::size_t at = 0;
  for (std::uint64_t value : values) store(out.data() + 8 * at++, value);
  return out;
}
constexpr std::uint64_t kEnd = ~std::uint64_t{0}, kImageEnd = kEnd - 1, kPad = kEnd - 2;
// score 4, y_min 3, x_min 2, y_max 1, x_max 5
constexpr std::uint64_t kBox =
    std::uint64_t{4} << 48 | std::uint64_t{3} << 36 | std::uint64_t{2} << 24 | 1u << 12 | 5;

ChipNms reader(ChipBurst burst, std::uint32_t classes, std::uint32_t burst_size, std::uint32_t chunks = 1) {
  auto out = ChipNms::prepare({classes, 2, chunks, burst_size, burst, {0, 0.5f, 0, 0}, false});
  EXPECT_TRUE(out.has_value());
  return *out;
}

TEST(ChipNms, BoxBits) {
  const auto data = words({kBox, kEnd});
  DetectionFrame frame;
  ASSERT_TRUE(frame.prepare(4).has_value());
  auto length = reader(ChipBurst::H8Bbox, 1, 1).read(data, frame);
  ASSERT_TRUE(length.has_value()) << to_string(length.error());
  EXPECT_EQ(*length, 16u);
  frame.keep_all(9);
  ASSERT_EQ(frame.by_class().size(), 1u);
  const Detection& d = frame.by_class()[0];
  EXPECT_EQ(d.score, 2.0f);
  EXPECT_EQ(d.y_min, 1.5f);
  EXPECT_EQ(d.x_min, 1.0f);
  EXPECT_EQ(d.y_max, 0.5f);
  EXPECT_EQ(d.x_max, 2.5f);
}

TEST(ChipNms, FramesEndWhereTheirBurstsEnd) {
  DetectionFrame frame;
  ASSERT_TRUE(frame.prepare(64).has_value());
  const auto length = [&](const ChipNms& chip, const std::vector<std::byte>& data) {
    frame.clear();
    auto out = chip.read(data, frame);
    return out ? static_cast<long>(*out / 8) : -1L;
  };
  EXPECT_EQ(length(reader(ChipBurst::H8PerClass, 2, 3), words({kBox, kEnd, kEnd, kEnd, kEnd, kEnd, kBox})),
            6);
  EXPECT_EQ(length(reader(ChipBurst::H15PerClass, 1, 4), words({kBox, kEnd, kImageEnd, kPad, kBox})), 4);
  EXPECT_EQ(length(reader(ChipBurst::H15PerFrame, 2, 4), words({kEnd, kBox, kEnd, kImageEnd, kBox})), 4);
  EXPECT_EQ(length(reader(ChipBurst::H15Bbox, 2, 1), words({kEnd, kEnd, kImageEnd, kBox})), 3);
  // A frame that ends early, without its marks, or with too many boxes.
  EXPECT_EQ(length(reader(ChipBurst::H8PerClass, 2, 3), words({kBox, kEnd, kEnd, kEnd})), -1);
  EXPECT_EQ(length(reader(ChipBurst::H15Bbox, 1, 1), words({kEnd, kBox})), -1);
  EXPECT_EQ(length(reader(ChipBurst::H8Bbox, 1, 1), words({kPad, kEnd})), -1);
  EXPECT_EQ(length(reader(ChipBurst::H8Bbox, 1, 1), words({kBox, kBox, kBox, kEnd})), -1);
  EXPECT_EQ(length(reader(ChipBurst::H8Bbox, 1, 1), {}), -1);
}

TEST(Demux, TakesRowsInTurnAndRefusesWhatDoesNotAddUp) {
  // Twice: one row of a (2 bytes), two rows of b (1 byte each).
  const MuxNode a{{2, 2, 1}, 0, {}, {}}, b{{4, 1, 1}, 0, {}, {}};
  MuxNode root{{2, 4, 1}, 2, {1, 2}, {a, b}};
  auto demux = Demux::prepare(root, 1);
  ASSERT_TRUE(demux.has_value()) << to_string(demux.error());
  const std::uint8_t source[] = {1, 2, 11, 12, 3, 4, 13, 14};
  std::uint8_t first[4], second[4];
  std::byte* targets[] = {reinterpret_cast<std::byte*>(first), reinterpret_cast<std::byte*>(second)};
  demux->run(reinterpret_cast<const std::byte*>(source), targets);
  EXPECT_EQ(std::memcmp(first, "\1\2\3\4", 4), 0);
  EXPECT_EQ(std::memcmp(second, "\13\14\15\16", 4), 0);
  root.height_ratios = {1};
  EXPECT_FALSE(Demux::prepare(root, 1).has_value());
  root.height_ratios = {1, 1};  // b gets two of its four rows
  EXPECT_FALSE(Demux::prepare(root, 1).has_value());
  root.height_ratios = {0, 0};
  root.rows_gcd = 0xFFFFFFFF;  // costs nothing
  EXPECT_FALSE(Demux::prepare(root, 1).has_value());
}

TEST(Logits, SoftmaxOfLargeValues) {
  std::vector<float> values{100, 100, -50, 0};
  softmax(values, 2, false);
  EXPECT_FLOAT_EQ(values[0], 0.5f);
  EXPECT_NEAR(values[3], 1.0f, 1e-6);
  std::vector<float> overflowing{100, 100};
  softmax(overflowing, 2, true);
  EXPECT_FALSE(overflowing[0] == 0.5f);
}

TEST(Logits, ArgmaxOverF8crWithAndWithoutTheDefect) {
  std::vector<std::uint8_t> frame(8, 1);
  frame[5] = 9;
  frame[6] = 9;
  std::uint32_t index = 77;
  const Layout device{FrameOrder::F8cr, {1, 1, 8}};
  auto right = Argmax::prepare(device, {1, 1, 8}, 1, false),
       hailort = Argmax::prepare(device, {1, 1, 8}, 1, true);
  ASSERT_TRUE(right && hailort);
  right->run(reinterpret_cast<const std::byte*>(frame.data()), std::span(&index, 1));
  EXPECT_EQ(index, 5u);  // the lowest of equals
  hailort->run(reinterpret_cast<const std::byte*>(frame.data()), std::span(&index, 1));
  EXPECT_EQ(index, 0u);  // hef spec 5b: 8 channels give 0
}

TEST(Masks, ResamplingKeepsConstantsAndClampsEdges) {
  TriangleResampling up;
  up.prepare(4, 16);
  for (std::size_t i = 0; i < 16; ++i) {
    float sum = 0;
    for (const auto& tap : up.taps(i)) {
      sum += tap.weight;
      EXPECT_LT(tap.source, 4u);
    }
    EXPECT_NEAR(sum, 1.0f, 1e-6);
  }
  EXPECT_EQ(up.taps(0).size(), 1u);  // left of the first source pixel's centre
  TriangleResampling down;
  down.prepare(16, 4);
  EXPECT_GT(down.taps(1).size(), 4u);
}

}  // namespace
}  // namespace npubin::vision
