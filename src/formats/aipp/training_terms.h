// A config's normalisation as people write it in training code.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "npubin/aipp.h"

namespace npubin::aipp {

// (x / 255 - mean) / std, channel by channel in the network's order.
struct TrainingTerms {
  std::vector<double> mean, std;
  bool none = false;     // pixels reach the network as 0 to 255
  std::string known_as;  // "ImageNet (torchvision)", ...; may be empty
};
// Of the first `channels` channels. A var_reci of 0 gives an infinite std.
TrainingTerms training_terms(const Settings& settings, int channels);
// "(x/255 - [0.485, 0.456, 0.406]) / [0.229, 0.224, 0.225]", or "none".
std::string to_string(const TrainingTerms& terms);

// --mean and --std as people give them: one value, or one per channel, of pixels scaled to 0..1. Error:
// Usage.
Result<void> check_training_values(const std::vector<double>& mean, const std::vector<double>& std,
                                   std::size_t channels);

// The order in which colours reach the network: "RGB", "BGR", "YUV", "YVU", "grey", "RAW", "unknown".
std::string channel_order(const Settings& settings);
// "JPEG/BT.601 full to RGB", "default: BT.601 narrow to BGR", "grey", "not a known standard"; empty with csc
// off. `set_cells`: how many of the nine matrix cells the config spells out.
std::string csc_title(const Settings& settings, int set_cells);
// What happens to a picture, step by step, with the numbers.
std::vector<std::string> step_list(const Settings& settings, int set_cells);
int channels_of(const Settings& settings);

}  // namespace npubin::aipp
