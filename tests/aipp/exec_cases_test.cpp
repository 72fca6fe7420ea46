// Every execution case, through both paths: the scalar reference and the vectorised rows.
#include <sha256.h>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "formats/aipp/artifact.h"
#include "formats/aipp/settings.h"
#include "npubin/aipp.h"
#include "support/data.h"

namespace npubin::aipp {
namespace {

using nlohmann::json;

// The formula of a recipe (README of the cases).
std::vector<std::byte> picture_by_recipe(const json& recipe) {
  const auto count = recipe.at("bytes").get<std::uint32_t>();
  const auto seed = recipe.at("seed").get<std::uint32_t>();
  std::vector<std::byte> out(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    std::uint32_t x = i * 2654435761u + seed * 0x9E3779B9u;
    x ^= x >> 15;
    x *= 0x2C1B3C6Du;
    x ^= x >> 12;
    out[i] = static_cast<std::byte>(x & 255u);
  }
  return out;
}

std::string sha256_of(ByteSpan data) {
  char hex[SHA256_DIGEST_STRING_LENGTH];
  SHA256Data(reinterpret_cast<const std::uint8_t*>(data.data()), data.size(), hex);
  return hex;
}

Bytes picture_of(const test::fs::path& folder, const json& input) {
  const json& image = input.at("image");
  if (image.is_string()) return test::read_bytes(folder / image.get<std::string>());
  Bytes out = Bytes::own(picture_by_recipe(image));
  EXPECT_EQ(sha256_of(out.span()), image.at("sha256").get<std::string>()) << "the recipe's picture";
  return out;
}

OutputOptions output_options(const json& options, bool vector) {
  OutputOptions out;
  out.layout = parse_layout(options.at("layout").get<std::string>()).value();
  const std::string type = options.at("dtype");
  out.type = type == "uint8"     ? DType::U8
             : type == "float32" ? DType::F32
             : type == "int8"    ? DType::I8
                                 : DType::F16;
  out.csc_rounding = options.at("csc_rounding") == "nearest" ? CscRounding::Nearest : CscRounding::Floor;
  out.precision = options.at("precision") == "fp32" ? Precision::Single : Precision::Half;
  out.vector = vector;
  out.threads = vector ? 2 : 1;
  return out;
}

NetworkInput network_of(const json& input) {
  const json& n = input.at("network");
  return {n.at("n"), n.at("c"), n.at("h"), n.at("w")};
}

struct Case {
  test::fs::path folder;
  json expected;
  Config config;
};

Result<Tensor> run_input(const Case& c, const json& input, bool vector) {
  const Block& block = c.config.blocks.at(input.at("op").get<std::size_t>());
  std::vector<Settings> settings{settings_of_block(block)};
  const Bytes picture = picture_of(c.folder, input);
  const NetworkInput network = network_of(input);
  if (block.is_dynamic()) {
    NPUBIN_TRY(
        const ParameterBlock parameters,
        read_parameters(test::read_bytes(c.folder / c.expected.at("params").get<std::string>()).span()));
    if (static_cast<double>(picture.size()) > block.number(FieldId::max_src_image_size))
      return usage_error("the pictures are larger than max_src_image_size");
    settings.clear();
    for (std::size_t i = 0; i < parameters.items.size(); ++i) settings.push_back(settings_of(parameters, i));
  }
  return run_batch(settings, network, output_options(c.expected.at("options"), vector), picture.span());
}

bool same(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

void expect_equal(const Tensor& got, const Tensor& wanted, const json& exact) {
  ASSERT_EQ(got.shape(), wanted.shape());
  ASSERT_EQ(got.type(), wanted.type());
  const double atol = exact.is_boolean() ? 0 : exact.at("atol").get<double>();
  std::int64_t wrong = 0;
  for (std::int64_t i = 0; i < got.count(); ++i)
    if (!same(got.real(i), wanted.real(i)) && !(std::abs(got.real(i) - wanted.real(i)) <= atol) &&
        wrong++ == 0)
      ADD_FAILURE() << "element " << i << ": " << got.real(i) << " instead of " << wanted.real(i);
  EXPECT_EQ(wrong, 0) << "of " << got.count() << " elements";
}

void expect_result(const Case& c, const json& input, const Tensor& got) {
  const json& expected = input.at("expected");
  if (expected.is_string()) {
    expect_equal(got, test::read_tensor(c.folder / expected.get<std::string>()), c.expected.at("exact"));
    return;
  }
  EXPECT_EQ(got.shape(), expected.at("shape").get<Shape>());
  EXPECT_EQ(sha256_of(got.bytes()), expected.at("sha256").get<std::string>());
  for (const json& probe : expected.at("probes"))
    EXPECT_EQ(got.real(probe.at(0).get<std::int64_t>()), probe.at(1).get<double>())
        << "element " << probe.at(0);
}

class ExecCase : public testing::TestWithParam<test::fs::path> {};

TEST_P(ExecCase, ComputesTheSameBytes) {
  Case c{GetParam(), test::read_json(GetParam() / "case.json"), {}};
  Parsed parsed = parse_text(test::read_bytes(GetParam() / "aipp.cfg").text());
  ASSERT_FALSE(parsed.fault.has_value()) << parsed.fault->message;
  c.config = std::move(parsed.config);
  for (bool vector : {false, true})
    for (const json& input : c.expected.at("inputs")) {
      const auto got = run_input(c, input, vector);
      if (c.expected.contains("refused")) {
        EXPECT_FALSE(got.has_value()) << c.expected.at("refused");
        continue;
      }
      ASSERT_TRUE(got.has_value()) << to_string(got.error());
      expect_result(c, input, *got);
    }
}

std::string name_of(const testing::TestParamInfo<test::fs::path>& info) {
  std::string name = info.param.filename().string();
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(Exec, ExecCase, testing::ValuesIn(test::case_folders(test::best_data("aipp/exec"))),
                         name_of);

}  // namespace
}  // namespace npubin::aipp
