// Every valid case's inputs: the device's bytes, exactly.
#include <algorithm>

#include <gtest/gtest.h>

#include "host_cases.h"

namespace npubin::hef {
namespace {

std::size_t device_file(const HostCase& host_case, const std::string& stream, Bytes& out) {
  for (const auto& entry : host_case.io["device_inputs"])
    if (entry["stream"] == stream) {
      out = test::read_bytes(host_case.file(entry["file"]));
      return entry["frames"].get<std::size_t>();
    }
  return 0;
}

void check_input(const HostCase& host_case, const HostPipeline& pipeline, const nlohmann::json& entry) {
  SCOPED_TRACE(entry["vstream"].get<std::string>());
  auto input = pipeline.prepare_input(entry["vstream"].get<std::string>());
  ASSERT_TRUE(input.has_value()) << to_string(input.error());
  const Tensor host = test::read_tensor(host_case.file(entry["file"]));
  const std::size_t frames = entry["frames"].get<std::size_t>(), elements = (*input)->elements();
  ASSERT_EQ(static_cast<std::size_t>(host.count()), frames * elements);
  std::vector<Bytes> files((*input)->streams().size());
  for (std::size_t i = 0; i < files.size(); ++i)
    ASSERT_EQ(device_file(host_case, (*input)->streams()[i].name, files[i]), frames);
  for (std::size_t frame = 0; frame < frames; ++frame) {
    const auto done = host.type() == DType::F32
                          ? (*input)->run(host.as<float>().subspan(frame * elements, elements))
                          : (*input)->run_codes(host.bytes().subspan(frame * elements * size_of(host.type()),
                                                                     elements * size_of(host.type())),
                                                host.type());
    ASSERT_TRUE(done.has_value()) << to_string(done.error());
    for (std::size_t i = 0; i < files.size(); ++i) {
      const ByteSpan got = (*input)->device_frame(i);
      ASSERT_EQ(got.size(), (*input)->streams()[i].frame_bytes);
      ASSERT_EQ(files[i].size(), frames * got.size()) << (*input)->streams()[i].name;
      const ByteSpan want = files[i].span().subspan(frame * got.size(), got.size());
      const auto at = std::mismatch(got.begin(), got.end(), want.begin()).first - got.begin();
      ASSERT_EQ(static_cast<std::size_t>(at), got.size()) << "frame " << frame << ": first differing byte";
    }
  }
}

class HostInputs : public testing::TestWithParam<std::string> {};

TEST_P(HostInputs, GiveTheDeviceItsBytes) {
  const HostCase host_case = open_host_case(GetParam());
  ASSERT_NE(host_case.artifact, nullptr);
  auto pipeline = HostPipeline::open(*host_case.artifact);
  ASSERT_TRUE(pipeline.has_value()) << to_string(pipeline.error());
  ASSERT_FALSE(host_case.io["host_inputs"].empty());
  for (const auto& entry : host_case.io["host_inputs"]) check_input(host_case, *pipeline, entry);
}

INSTANTIATE_TEST_SUITE_P(Cases, HostInputs, testing::ValuesIn(host_case_names()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace npubin::hef
