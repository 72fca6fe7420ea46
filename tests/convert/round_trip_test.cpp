// There and back: .tflite to .armnn to .tflite, and .armnn to .tflite to .armnn. Every step is proved by
// running, and what is refused is exactly what docs/convert.md lists.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "convert/converted.h"

namespace npubin::test {
namespace {

// TensorFlow Lite cases without a form in Arm NN 20.08, by the word that the refusal gives as reason.
const std::map<std::string, std::string> kNotInArmnn{
    {"batch_matmul_f32_rank5", "more than two dimensions"},
    {"cast_booli32_v", "no layer"},
    {"cast_f32i16_v", "no layer"},
    {"cast_f32i8_v", "no layer"},
    {"cast_i32f32_v", "no layer"},
    {"cast_i32i16_v", "no layer"},
    {"cast_i32u32_v", "no layer"},
    {"cast_i8i32_v", "no layer"},
    {"concatenation_i32_ax3", "int32"},
    {"less_i64_same", "int64"},
    {"log_f32_v", "no layer"},
    {"maximum_i64_same", "int64"},
    {"minimum_i64_same", "int64"},
    {"pad_i32_v", "int32"},
    {"padv2_i32_v", "int32"},
    {"quantize_i16i32_large1", "to int32"},
    {"quantize_i16i32_v", "to int32"},
    {"quantize_i32i16_v", "from int32"},
    {"quantize_i8i32_large2", "to int32"},
    {"quantize_i8i32_v", "to int32"},
    {"select_v2_f32_same", "no layer"},
    {"select_v2_f32_scalar_cond", "no layer"},
    {"select_v2_i16_same", "no layer"},
    {"select_v2_i8_same", "no layer"},
    {"softmax_i8i16_long_out16", "zero point -32768"},
    {"softmax_i8i16_v_out16", "zero point -32768"},
    {"split_v_i32_uneven", "int32"},
    {"strided_slice_i32_shrink_neg", "scalar"},
    {"svdf_f32_nobias", "no layer"},
    {"svdf_f32_v", "no layer"},
    {"svdf_i8_fdiv0", "no layer"},
    {"svdf_i8_rank1_state16", "no layer"},
    {"svdf_i8_state16", "no layer"},
    {"tflite_detection_postprocess_f32_fast", "DetectionPostProcess"},
    {"tflite_detection_postprocess_f32_regular", "DetectionPostProcess"},
    {"tflite_detection_postprocess_f32_regular_few", "DetectionPostProcess"},
    {"tile_i32_v", "int32"},
    {"unpack_i32_ax1", "int32"},
};

// Arm NN layers without a form in TensorFlow Lite: pools without a window, in which Arm NN finds nothing.
const std::map<std::string, std::string> kNotInTflite{
    {"Pooling2d_f32_12_Average_floor_excl_NHWC_global", "without a window"},
    {"Pooling2d_qu8_03_Max_floor_excl_NCHW_global", "without a window"},
};

// Run, but not compared: TensorFlow Lite lets NaN through RELU6, which Arm NN clamps, and compares int32
// exactly, which Arm NN does as float32.
const std::set<std::string> kOtherwiseDefined{"Activation_f32_10_BoundedReLuNaN", "Maximum_f32_01",
                                              "Minimum_f32_01", "Equal_s32_01_big", "Greater_s32_01_big"};

struct Tally {
  std::size_t there = 0, back = 0, refused = 0;
  double worst_steps = 0, worst_float = 0;  // in codes; relative to the range
};

// Outputs of a step against those before it. Arm NN and TensorFlow Lite round codes differently: `steps` of
// them.
void compare(const std::vector<Tensor>& before, const std::vector<Tensor>& after, double steps,
             double of_range, const char* what, Tally& tally) {
  ASSERT_EQ(before.size(), after.size());
  for (std::size_t i = 0; i < before.size(); ++i) {
    const Apart found = apart(before[i], after[i]);
    const bool half = before[i].type() == DType::F16 || after[i].type() == DType::F16;
    const double range = std::max(found.range, 1.0);
    if (found.step > 0) {
      EXPECT_LE(found.largest, (steps + 0.01) * found.step) << what << ", output " << i;
      tally.worst_steps = std::max(tally.worst_steps, found.largest / found.step);
    } else {
      EXPECT_LE(found.largest, (half ? 4e-3 : of_range) * range) << what << ", output " << i;
      if (!half) tally.worst_float = std::max(tally.worst_float, found.largest / range);
    }
  }
}

// Refusals are by name and for the reason that is listed, and nothing else is refused.
bool refused_as_listed(const Result<convert::Converted>& result,
                       const std::map<std::string, std::string>& listed, const std::string& name) {
  const auto expected = listed.find(name);
  if (result) {
    EXPECT_TRUE(expected == listed.end()) << "converts, but is listed as refused";
    return false;
  }
  EXPECT_EQ(result.error().kind, ErrorKind::Refused) << to_string(result.error());
  if (expected == listed.end())
    ADD_FAILURE() << "refused: " << to_string(result.error());
  else
    EXPECT_NE(to_string(result.error()).find(expected->second), std::string::npos)
        << to_string(result.error());
  return true;
}

// A layer's own rounding; two where an activation or an expansion is a layer by itself. The reference's
// 16-bit softmax looks its exponentials up and errs by some 1e-4 of its range, which Arm NN's does not.
double steps_of(const nlohmann::json& description) {
  const std::string op = description.value("op", "");
  return op == "SOFTMAX" && description.value("dtype", "") == "i16" ? 16 : 2;
}

TEST(RoundTrip, EveryTfliteCaseToArmnnAndBack) {
  Tally tally;
  for (const fs::path& folder : case_folders(best_data("tflite/cases"))) {
    const std::string name = folder.filename().string();
    SCOPED_TRACE(name);
    const nlohmann::json description = read_json(folder / "case.json");
    auto source = open_artifact((folder / "model.tflite").string());
    ASSERT_TRUE(source) << to_string(source.error());
    auto there = converted(**source, ".armnn");
    if (refused_as_listed(there, kNotInArmnn, name)) {
      ++tally.refused;
      continue;
    }
    if (!there) continue;
    const double steps = steps_of(description);
    const auto inputs = case_tensors(folder, description["inputs"], "in");
    const auto expected = case_tensors(folder, description["outputs"], "out");
    auto armnn = reread(*there, ".armnn");
    ASSERT_TRUE(armnn) << to_string(armnn.error());
    auto middle = run(**armnn, inputs);
    ASSERT_TRUE(middle) << to_string(middle.error());
    compare(expected, *middle, steps, 1e-5, "to .armnn", tally);
    ++tally.there;

    auto back = converted(**armnn, ".tflite");
    ASSERT_TRUE(back) << "not back: " << to_string(back.error());
    auto tflite = reread(*back, ".tflite");
    ASSERT_TRUE(tflite) << to_string(tflite.error());
    auto last = run(**tflite, inputs);
    ASSERT_TRUE(last) << to_string(last.error());
    compare(*middle, *last, steps, 1e-5, "back to .tflite", tally);
    ++tally.back;
  }
  std::printf(
      "[   DATA   ] .tflite: %zu to .armnn, %zu back, %zu refused; at most %.2f steps, %.2g of the range\n",
      tally.there, tally.back, tally.refused, tally.worst_steps, tally.worst_float);
  EXPECT_EQ(tally.refused, kNotInArmnn.size());
}

TEST(RoundTrip, EveryArmnnLayerToTfliteAndBack) {
  Tally tally;
  for (const fs::path& folder : case_folders(best_data("armnn/layers"))) {
    const std::string name = folder.filename().string();
    SCOPED_TRACE(name);
    const nlohmann::json description = read_json(folder / "case.json");
    auto source = open_artifact((folder / "model.armnn").string());
    ASSERT_TRUE(source) << to_string(source.error());
    auto there = converted(**source, ".tflite");
    if (refused_as_listed(there, kNotInTflite, name)) {
      ++tally.refused;
      continue;
    }
    if (!there) continue;
    const auto inputs = case_tensors(folder, description["inputs"], "in");
    auto expected = run(**source, inputs);
    ASSERT_TRUE(expected) << to_string(expected.error());
    auto tflite = reread(*there, ".tflite");
    ASSERT_TRUE(tflite) << to_string(tflite.error());
    auto middle = run(**tflite, inputs);
    ASSERT_TRUE(middle) << to_string(middle.error());
    if (kOtherwiseDefined.count(name) == 0) compare(*expected, *middle, 2, 1e-5, "to .tflite", tally);
    ++tally.there;

    auto back = converted(**tflite, ".armnn");
    ASSERT_TRUE(back) << "not back: " << to_string(back.error());
    auto armnn = reread(*back, ".armnn");
    ASSERT_TRUE(armnn) << to_string(armnn.error());
    auto last = run(**armnn, inputs);
    ASSERT_TRUE(last) << to_string(last.error());
    if (kOtherwiseDefined.count(name) == 0) compare(*middle, *last, 2, 1e-5, "back to .armnn", tally);
    ++tally.back;
  }
  std::printf(
      "[   DATA   ] .armnn: %zu to .tflite, %zu back, %zu refused; at most %.2f steps, %.2g of the range\n",
      tally.there, tally.back, tally.refused, tally.worst_steps, tally.worst_float);
  EXPECT_EQ(tally.refused, kNotInTflite.size());
}

}  // namespace
}  // namespace npubin::test
