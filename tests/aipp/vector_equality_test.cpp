// The vectorised rows give the same bits as the scalar reference, on random pictures and settings, with the
// widest instruction set of this machine and with narrower ones.
#include <cstring>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <hwy/targets.h>

#include "npubin/aipp.h"
#include "npubin/half.h"

namespace npubin::aipp {
namespace {

using Random = std::mt19937;

int between(Random& random, int low, int high) {
  return std::uniform_int_distribution<int>(low, high)(random);
}
bool coin(Random& random) {
  return between(random, 0, 1) == 1;
}

struct Draw {
  Settings settings;
  NetworkInput network;
  OutputOptions output;
  std::string text;
};

constexpr InputFormat kFormats[] = {InputFormat::Yuv420Sp, InputFormat::Rgb888,  InputFormat::Xrgb8888,
                                    InputFormat::Argb8888, InputFormat::Ayuv444, InputFormat::Yuyv,
                                    InputFormat::Yuv422Sp, InputFormat::Yuv400};

Draw draw(Random& random) {
  Draw d;
  Settings& s = d.settings;
  s.format = kFormats[between(random, 0, 7)];
  const FormatFacts& facts = *find_format(s.format);
  s.src_w = 2 * between(random, 1, 90);
  s.src_h = 2 * between(random, 1, 6);
  s.swap_rb_uv = coin(random);
  s.swap_ax = coin(random);
  s.crop = coin(random);
  if (s.crop) {
    s.crop_w = 2 * between(random, 1, s.src_w / 2);
    s.crop_h = 2 * between(random, 1, s.src_h / 2);
    s.crop_x = 2 * between(random, 0, (s.src_w - s.crop_w) / 2);
    s.crop_y = 2 * between(random, 0, (s.src_h - s.crop_h) / 2);
  }
  s.csc = facts.family != PixelFamily::Grey && coin(random);
  const int reach = coin(random) ? 600 : 32767;
  for (auto& cell : s.matrix) cell = between(random, -reach, reach);
  for (auto& bias : s.input_bias) bias = between(random, 0, 255);
  for (auto& bias : s.output_bias) bias = between(random, 0, 255);
  for (std::size_t c = 0; c < 4; ++c) {
    s.mean[c] = coin(random)                 ? between(random, 0, 255)
                : between(random, 0, 9) == 0 ? between(random, -70000, 70000)
                                             : 0;
    s.min[c] = coin(random) ? static_cast<float>(between(random, 0, 2550000)) / 10000 : 0;
    const int kind = between(random, 0, 3);
    s.var_reci[c] = kind == 0 ? 1.0f : kind == 1 ? 1 / 58.395f : kind == 2 ? -3.5f : 65504.0f * 1e-6f;
    if (between(random, 0, 20) == 0) s.var_reci[c] = 65504;
    if (between(random, 0, 20) == 0) s.var_reci[c] = 1e-7f;
  }
  s.padding = coin(random);
  if (s.padding) {
    s.pad_left = between(random, 0, 5);
    s.pad_right = between(random, 0, 5);
    s.pad_top = between(random, 0, 3);
    s.pad_bottom = between(random, 0, 3);
    s.padding_value = static_cast<float>(between(random, -300, 300)) / 7;
  }
  d.network = {1, facts.may_keep_fourth && coin(random) ? 4 : facts.channels, 0, 0};
  d.output.layout = static_cast<Layout>(between(random, 0, 3));
  d.output.type =
      std::array{DType::F16, DType::F32, DType::U8}[static_cast<std::size_t>(between(random, 0, 2))];
  d.output.csc_rounding = coin(random) ? CscRounding::Floor : CscRounding::Nearest;
  d.output.precision = coin(random) ? Precision::Half : Precision::Single;
  d.output.threads = between(random, 1, 3);
  d.text =
      fmt::format("{} {}x{} swap {} ax {} crop {} {}x{}+{}+{} csc {} c {} layout {} type {} half steps {}",
                  facts.name, s.src_w, s.src_h, s.swap_rb_uv, s.swap_ax, s.crop, s.crop_w, s.crop_h, s.crop_x,
                  s.crop_y, s.csc, d.network.c, to_string(d.output.layout), to_string(d.output.type),
                  d.output.precision == Precision::Half);
  return d;
}

std::vector<std::byte> random_picture(Random& random, std::uint64_t size) {
  std::vector<std::byte> out(size);
  for (std::byte& b : out) b = static_cast<std::byte>(random() & 255u);
  return out;
}

std::vector<std::byte> result_of(const Draw& d, ByteSpan picture, bool vector) {
  OutputOptions output = d.output;
  output.vector = vector;
  auto pre = Preprocessor::compile(d.settings, d.network, output);
  if (!pre) {
    ADD_FAILURE() << to_string(pre.error());
    return {};
  }
  std::vector<std::byte> out(pre->output_bytes(), std::byte{0xAA});
  EXPECT_TRUE(pre->run(picture, out).has_value());
  return out;
}

// NaN equals NaN, whatever its payload.
bool same(const std::vector<std::byte>& a, const std::vector<std::byte>& b, DType type) {
  if (a.size() != b.size()) return false;
  if (a == b) return true;
  const std::size_t size = size_of(type);
  for (std::size_t i = 0; i < a.size(); i += size) {
    if (std::memcmp(a.data() + i, b.data() + i, size) == 0) continue;
    const auto value = [&](const std::vector<std::byte>& v) {
      return type == DType::F16 ? half_to_float(load<std::uint16_t>(v.data() + i))
                                : load<float>(v.data() + i);
    };
    if (type == DType::U8 || value(a) == value(a) || value(b) == value(b)) return false;
  }
  return true;
}

void expect_equal_draws(unsigned seed, int count) {
  Random random(seed);
  for (int i = 0; i < count; ++i) {
    const Draw d = draw(random);
    const auto picture =
        random_picture(random, *image_bytes(d.settings.format, d.settings.src_w, d.settings.src_h));
    ASSERT_TRUE(same(result_of(d, picture, false), result_of(d, picture, true), d.output.type))
        << "draw " << i << ": " << d.text;
  }
}

TEST(AippVector, EqualsTheReferenceOnThisMachine) {
  expect_equal_draws(1, 1500);
}

// One target at a time, down to the baseline.
TEST(AippVector, EqualsTheReferenceWithLimitedInstructionSets) {
  const auto targets = static_cast<std::uint64_t>(hwy::SupportedTargets());
  for (std::uint64_t bit = 1; bit != 0; bit <<= 1) {
    if ((targets & bit) == 0) continue;
    hwy::SetSupportedTargetsForTest(static_cast<decltype(hwy::SupportedTargets())>(bit));
    expect_equal_draws(static_cast<unsigned>(bit % 1000) + 2, 300);
  }
  hwy::SetSupportedTargetsForTest(0);
}

// Large enough for the writes past the caches, and for every alignment of the rows.
TEST(AippVector, EqualsTheReferenceWhenStreaming) {
  Random random(5);
  for (const int width : {1280, 1282, 1296}) {
    Draw d;
    d.settings.format = InputFormat::Yuv420Sp;
    d.settings.src_w = width;
    d.settings.src_h = 720;
    d.settings.csc = true;
    d.settings.matrix = {298, 0, 409, 298, -100, -208, 298, 516, 0};
    d.settings.input_bias = {16, 128, 128};
    d.settings.min = {123.675f, 116.28f, 103.53f, 0};
    d.settings.var_reci = {0.0171f, 0.0175f, 0.0174f, 1};
    d.network = {1, 3, 0, 0};
    for (DType type : {DType::F16, DType::F32}) {
      d.output.type = type;
      d.output.threads = 2;
      const auto picture = random_picture(random, *image_bytes(d.settings.format, width, 720));
      EXPECT_TRUE(same(result_of(d, picture, false), result_of(d, picture, true), type)) << width;
    }
  }
}

// The two paths of the normalisation's table over every pixel value and legal mean.
TEST(AippVector, EveryMeanAndPixelInHalf) {
  std::vector<std::byte> pixels(256);
  for (std::size_t i = 0; i < 256; ++i) pixels[i] = static_cast<std::byte>(i);
  for (int mean = 0; mean < 256; ++mean) {
    Draw d;
    d.settings.format = InputFormat::Yuv400;
    d.settings.src_w = 256;
    d.settings.src_h = 1;
    d.settings.mean[0] = mean;
    d.settings.min[0] = static_cast<float>(mean) * 0.37f;
    d.settings.var_reci[0] = 0.00392157f * static_cast<float>(mean + 1);
    d.network = {1, 1, 0, 0};
    EXPECT_EQ(result_of(d, pixels, false), result_of(d, pixels, true)) << mean;
  }
}

}  // namespace
}  // namespace npubin::aipp
