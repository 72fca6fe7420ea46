// What fuzz/convert.cpp found, kept: every file in fuzz/seeds/convert goes through every conversion; refusals
// are fine.
#include <gtest/gtest.h>

#include <algorithm>

#include "convert/converted.h"

namespace npubin::test {
namespace {

TEST(ConvertFuzz, FoundFilesAreRefusedOrConverted) {
  std::size_t seen = 0;
  for (const auto& entry : fs::directory_iterator(own_data("../../fuzz/seeds/convert"))) {
    SCOPED_TRACE(entry.path().string());
    const Bytes bytes = read_bytes(entry.path());
    for (const char* format : {"armnn", "tflite"}) {
      auto artifact = find_format(format)->read(bytes, {});
      if (!artifact) continue;
      Diagnostics findings;
      (*artifact)->validate({}, findings);
      for (const char* extension : {".armnn", ".tflite", ".onnx"}) {
        convert::ConvertOptions options;
        options.dequantize = format == std::string("tflite") && extension == std::string(".tflite");
        (void)converted(**artifact, extension, options);
      }
    }
    ++seen;
  }
  EXPECT_GT(seen, 0u);
}

// The twin of an operator whose data is not its first operand.
TEST(ConvertFuzz, FloatTwinsTakeTheOperandsInTensorFlowLitesOrder) {
  for (const char* name :
       {"transpose_conv_i8_same", "transpose_conv_f32_same", "split_i8_ax3", "split_v_i8_uneven"}) {
    SCOPED_TRACE(name);
    const fs::path folder = best_data("tflite/cases") / name;
    const nlohmann::json description = read_json(folder / "case.json");
    auto source = open_artifact((folder / "model.tflite").string());
    ASSERT_TRUE(source) << to_string(source.error());
    convert::ConvertOptions options;
    options.dequantize = true;
    auto twin = converted(**source, ".tflite", options);
    if (!twin) {
      EXPECT_EQ(twin.error().kind, ErrorKind::Refused) << to_string(twin.error());
      continue;
    }
    auto outputs = run(**reread(*twin, ".tflite"), case_tensors(folder, description["inputs"], "in"));
    ASSERT_TRUE(outputs) << to_string(outputs.error());
    const auto expected = case_tensors(folder, description["outputs"], "out");
    ASSERT_EQ(outputs->size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const Apart found = apart(expected[i], (*outputs)[i]);
      EXPECT_LE(found.largest, std::max(2 * found.step, 1e-5 * found.range)) << "output " << i;
    }
  }
}

}  // namespace
}  // namespace npubin::test
