// A conformance case (data/hef/README.md) opened for its host side.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "npubin/hef_host.h"
#include "support/data.h"

namespace npubin::hef {

struct HostCase {
  test::fs::path folder;
  nlohmann::json io;  // expect.json "io"
  std::unique_ptr<Artifact> artifact;

  std::string kind() const { return folder.filename().string(); }
  test::fs::path file(const nlohmann::json& name) const { return folder / name.get<std::string>(); }
};

// All cases with host data, of the full collection where it is present.
std::vector<std::string> host_case_names();
// Fails the test and leaves `artifact` empty where the file cannot be opened.
HostCase open_host_case(const std::string& name);

// The frames of an output's streams as the case has them; `counted`: from the files in HailoRT's raw form.
struct StreamFrames {
  std::vector<Bytes> files;
  std::size_t frames = 0;
};
StreamFrames stream_files(const HostCase& host_case, const std::vector<DeviceStream>& streams, bool counted);

// Runs all frames; `each(frame)` follows every run. Fails the test on an error.
template <class Each>
void run_frames(HostOutput& output, const StreamFrames& data, const Each& each) {
  std::vector<std::size_t> at(data.files.size(), 0);
  std::vector<ByteSpan> frames(data.files.size());
  for (std::size_t frame = 0; frame < data.frames; ++frame) {
    for (std::size_t i = 0; i < frames.size(); ++i) {
      const ByteSpan rest = data.files[i].span().subspan(at[i]);
      auto length = output.frame_length(i, rest);
      ASSERT_TRUE(length.has_value()) << to_string(length.error());
      frames[i] = rest.first(*length);
      at[i] += *length;
    }
    auto done = output.run(frames);
    ASSERT_TRUE(done.has_value()) << to_string(done.error());
    each(frame);
  }
  for (std::size_t i = 0; i < frames.size(); ++i) EXPECT_EQ(at[i], data.files[i].size()) << "bytes are left";
}

}  // namespace npubin::hef
