// Frames in files: host frames to the device's, and the device's to the host's.
#pragma once

#include <string>
#include <vector>

#include "cli/run/backend.h"
#include "npubin/hef_host.h"
#include "render/json.h"

namespace npubin::cli {

// Something that was computed: an entry of inputs.json or outputs.json, and a line for people.
struct HostReport {
  render::Json entry;
  std::string line;
};

// Runs every frame of `files` through the inputs they name (one file without a name goes to the only input).
// With a folder, writes in<k>.bin per device stream, numbered on from `reports`.
Result<void> run_host_inputs(const hef::HostPipeline& pipeline, const std::vector<std::string>& files,
                             const std::string& dir, std::vector<HostReport>& reports);
// The picture, stretched to the only input, in place of a file.
Result<void> run_host_picture(const hef::HostPipeline& pipeline, const std::string& image,
                              const std::string& dir, std::vector<HostReport>& reports);

struct HostOutputFiles {
  std::vector<std::string> streams;  // NAME=FILE of raw device frames
  std::string dir;                   // empty: nothing is written
  std::string image, draw;           // the first frame's detections over a picture
  std::vector<std::string> labels;   // names of the classes; may be empty
};
// Runs every output all of whose streams are given; writes out<k>.npy, out<k>.raw.npy, out<k>.nms.json.
// Usage: a stream that no output has, or some but not all streams of an output.
Result<void> run_host_outputs(const hef::HostPipeline& pipeline, const HostOutputFiles& files,
                              std::vector<HostReport>& reports);

}  // namespace npubin::cli
