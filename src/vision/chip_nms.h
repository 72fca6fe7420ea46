// NMS that ran on the chip: streams of 64-bit boxes, delimiters and padding (hef spec 4b).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "npubin/bytes.h"
#include "npubin/result.h"
#include "vision/detections.h"
#include "vision/host_quantization.h"

namespace npubin::vision {

enum class ChipBurst : std::uint8_t {
  H8Bbox,       // a delimiter after each class
  H15Bbox,      // and an image delimiter after the last
  H8PerClass,   // a class's boxes and delimiter fill whole bursts; padding looks like delimiters
  H15PerClass,  // boxes, delimiter, image delimiter and padding fill whole bursts
  H15PerFrame,  // a delimiter after each class, an image delimiter after the last, padding to a whole burst
};

struct ChipNmsConfig {
  std::uint32_t classes = 0;
  std::uint32_t max_per_class = 0;  // of one chunk
  std::uint32_t chunks = 1;         // the frame comes in this many parts, each with all classes
  std::uint32_t burst_size = 1;     // 64-bit words
  ChipBurst burst = ChipBurst::H8Bbox;
  HostQuantization quantization;  // of coordinates and scores alike
  bool counted = false;  // the form of HailoRT's raw buffer: per chunk and class u16 count, then boxes
};

class ChipNms {
 public:
  // Error (Malformed): no classes, more boxes than kMaxCandidates, a burst of nothing.
  static Result<ChipNms> prepare(const ChipNmsConfig& config);

  const ChipNmsConfig& config() const { return config_; }
  std::uint64_t capacity() const {
    return std::uint64_t{config_.classes} * config_.chunks * config_.max_per_class;
  }
  // Reads one frame from the start of `data` and gives its length in bytes; frames of most modes vary. Boxes
  // of class c get the id c * id_step + id_first (1 and 0 unless the layer was defused). Chunks of a class
  // follow each other. Error (Malformed, with the offset in `data`): the data ends within the frame, a class
  // exceeds its maximum, a delimiter is missing.
  Result<std::size_t> read(ByteSpan data, DetectionFrame& out, std::uint32_t id_step = 1,
                           std::uint32_t id_first = 0) const;

  // The length alone. Errors as read().
  Result<std::size_t> frame_length(ByteSpan data) const;

 private:
  Result<std::size_t> read_counted(ByteSpan data, DetectionFrame* out, std::uint32_t id_step,
                                   std::uint32_t id_first) const;
  Result<std::size_t> read_words(ByteSpan data, DetectionFrame* out, std::uint32_t id_step,
                                 std::uint32_t id_first) const;
  Detection detection(std::uint64_t word) const;

  ChipNmsConfig config_;
};

}  // namespace npubin::vision
