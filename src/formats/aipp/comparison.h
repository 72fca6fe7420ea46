// A config held against the training pipeline, on a picture: `npubin aipp compare`.
#pragma once

#include <string>
#include <vector>

#include "formats/aipp/config.h"
#include "npubin/picture.h"
#include "vision/aipp/csc_standards.h"

namespace npubin::aipp {

struct TrainingTarget {
  std::vector<double> mean,
      std;  // in the order of the network's channels; one value serves all; empty: 0 and 1/255
  std::string order = "rgb";            // rgb, bgr or grey
  const CscStandard* camera = nullptr;  // how the picture becomes YUV; nullptr: as the config's matrix says
};

struct ChannelDifference {
  double largest = 0, mean = 0;                // in the network's units
  double largest_levels = 0, mean_levels = 0;  // the same in pixel levels of 0 to 255
};

struct Comparison {
  std::vector<ChannelDifference> channels;
  double mean_levels = 0;    // over all channels
  bool alike = false;        // at most kAlikeLevels, or kUnexplainedLevels without a cause
  std::string likely_cause;  // empty where alike, or where no single change explains it
  std::string fed_as;        // what the picture was converted to
};
// The integer colour conversion accounts for about one level; chroma that pixels share for some more where a
// picture is full of fine coloured detail, and then no single change makes it smaller.
inline constexpr double kAlikeLevels = 2;
inline constexpr double kUnexplainedLevels = 6;

// Compares over the picture's inner part; padding is left out. The picture is scaled to the block's source
// size first. Errors: as Preprocessor::compile(); Refused for RAW and feature maps.
Result<Comparison> compare_with_training(const Block& block, const NetworkInput& network,
                                         const Picture& picture, const TrainingTarget& target);

}  // namespace npubin::aipp
