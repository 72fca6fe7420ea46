#include <gtest/gtest.h>

#include "host_cases.h"

namespace npubin::hef {

std::vector<std::string> host_case_names() {
  std::vector<std::string> out;
  for (const auto& folder : test::case_folders(test::best_data("hef/cases"))) {
    const std::string name = folder.filename().string();
    if (name.substr(0, 4) == "bad_" || !test::fs::exists(folder / "expect.json")) continue;
    if (test::read_json(folder / "expect.json").contains("io")) out.push_back(name);
  }
  return out;
}

HostCase open_host_case(const std::string& name) {
  HostCase out;
  out.folder = test::best_data("hef/cases") / name;
  out.io = test::read_json(out.folder / "expect.json")["io"];
  auto artifact = open_artifact((out.folder / "model.hef").string());
  EXPECT_TRUE(artifact.has_value()) << (artifact ? "" : to_string(artifact.error()));
  if (artifact) out.artifact = std::move(*artifact);
  return out;
}

StreamFrames stream_files(const HostCase& host_case, const std::vector<DeviceStream>& streams, bool counted) {
  StreamFrames out;
  for (const DeviceStream& stream : streams)
    for (const auto& entry : host_case.io["device_outputs"]) {
      if (entry["stream"] != stream.name) continue;
      const bool form = counted && entry.contains("counted_file");
      out.files.push_back(test::read_bytes(host_case.file(entry[form ? "counted_file" : "file"])));
      out.frames = entry["frames"].get<std::size_t>();
    }
  EXPECT_EQ(out.files.size(), streams.size()) << "the case lacks a stream";
  return out;
}

}  // namespace npubin::hef
