// One dominant class: the compiled softmax reaches 2^31 in its last product, where TensorFlow Lite's
// saturates.
#include <gtest/gtest.h>

#include "compiled_file.h"

namespace npubin::test {
namespace {

TEST(MachineSoftmax, OneDominantClassTakesAllAsInTheUncompiledModel) {
  const fs::path folder = best_data("ethos/op_softmax8");
  const CompiledFile plain(folder / "model.tflite");
  ASSERT_TRUE(plain.good());
  const graph::Value& in = plain.graph().value(plain.graph().inputs[0].value);
  std::size_t seen = 0;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (entry.path().extension() != ".tflite" || name.find("u55") == std::string::npos) continue;
    SCOPED_TRACE(name);
    const CompiledFile compiled(entry.path());
    ASSERT_TRUE(compiled.good());
    for (int other = -128; other < 127; other += 15) {
      Tensor tensor(DType::I8, in.shape, in.quantization);
      for (std::int8_t& code : tensor.as_mutable<std::int8_t>()) code = static_cast<std::int8_t>(other);
      tensor.as_mutable<std::int8_t>()[3] = 127;
      const auto expected = plain.run(std::vector<Tensor>{tensor});
      const auto found = compiled.run(std::vector<Tensor>{tensor});
      ASSERT_EQ(expected.size(), 1u);
      ASSERT_EQ(found.size(), 1u);
      ASSERT_EQ(found[0].byte_size(), expected[0].byte_size());
      EXPECT_EQ(std::memcmp(found[0].data(), expected[0].data(), found[0].byte_size()), 0)
          << "others " << other;
    }
    ++seen;
  }
  EXPECT_GT(seen, 0u);
}

}  // namespace
}  // namespace npubin::test
