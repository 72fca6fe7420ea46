// A config written from training terms: `npubin aipp new`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "npubin/aipp.h"

namespace npubin::aipp {

struct TrainingPipeline {
  std::string input = "rgb";          // nv12, nv21, rgb, bgr, xrgb, rgbx, xbgr, bgrx, yuyv, grey
  std::int32_t src_w = 0, src_h = 0;  // pixels the camera delivers
  std::int32_t net_w = 0, net_h = 0;  // pixels the network takes
  bool crop_center = false;
  std::optional<std::array<std::int32_t, 4>> crop;  // x, y, w, h
  std::string order = "rgb";                        // of the network's channels: rgb, bgr, grey
  std::string standard;                             // for YUV inputs
  std::vector<double> mean,
      std;                   // in the order of the network's channels, of pixels scaled to 0..1; empty: none
  double padding_value = 0;  // in the network's units
};

struct WrittenConfig {
  std::string text;      // commented
  NetworkInput network;  // what it was written for
};
// Error (Usage): names what does not fit, in the terms of the options.
Result<WrittenConfig> write_config(const TrainingPipeline& pipeline);

}  // namespace npubin::aipp
