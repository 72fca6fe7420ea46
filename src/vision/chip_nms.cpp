#include "vision/chip_nms.h"

#include <cmath>
#include <optional>

#include <fmt/format.h>

namespace npubin::vision {
namespace {

constexpr std::uint64_t kDelimiter = 0xFFFFFFFFFFFFFFFF;  // also the padding of H8
constexpr std::uint64_t kImageDelimiter = 0xFFFFFFFFFFFFFFFE;
constexpr std::uint64_t kPadding = 0xFFFFFFFFFFFFFFFD;

// Words of the stream, counted from its start.
class Words {
 public:
  explicit Words(ByteSpan data) : data_(data) {}
  std::size_t position() const { return at_; }
  std::optional<std::uint64_t> next() {
    if (data_.size() / 8 <= at_) return std::nullopt;
    return load<std::uint64_t>(data_.data() + 8 * at_++);
  }
  // Moves to the next multiple of `burst` words after `start`.
  void finish_burst(std::size_t start, std::size_t burst) {
    at_ = start + (at_ - start + burst - 1) / burst * burst;
  }
  bool overrun() const { return at_ > data_.size() / 8; }

 private:
  ByteSpan data_;
  std::size_t at_ = 0;
};

Unexpected short_frame(std::size_t size, std::uint32_t chunk, std::uint32_t id) {
  return malformed(Location::at(size),
                   fmt::format("the stream ends within a frame, at chunk {} class {}", chunk, id),
                   "give whole frames as the device sent them; --counted reads HailoRT's raw buffers");
}

}  // namespace

Result<ChipNms> ChipNms::prepare(const ChipNmsConfig& config) {
  if (config.classes == 0 || config.classes > 0xFFFF || config.chunks == 0 || config.burst_size == 0)
    return malformed({}, fmt::format("on-chip NMS of {} classes in {} chunks with bursts of {}",
                                     config.classes, config.chunks, config.burst_size));
  const auto lists = std::uint64_t{config.classes} * config.chunks;
  const auto capacity = checked_mul<std::uint64_t>(lists, config.max_per_class);
  if (!capacity || *capacity > DetectionFrame::kMaxCandidates)
    return refused(fmt::format("on-chip NMS could give more than {} boxes", DetectionFrame::kMaxCandidates));
  if (lists > DetectionFrame::kMaxCandidates)
    return refused(fmt::format("on-chip NMS has {} lists of boxes", lists));
  if (!std::isfinite(config.quantization.scale) || !std::isfinite(config.quantization.zero_point))
    return malformed({}, "on-chip NMS is quantised with numbers that are none");
  ChipNms out;
  out.config_ = config;
  return out;
}

Detection ChipNms::detection(std::uint64_t word) const {
  const auto real = [&](unsigned shift, std::uint64_t mask) {
    return dequantize(static_cast<std::uint32_t>(word >> shift & mask), config_.quantization);
  };
  Detection out;
  out.x_max = real(0, 0xFFF);
  out.y_max = real(12, 0xFFF);
  out.x_min = real(24, 0xFFF);
  out.y_min = real(36, 0xFFF);
  out.score = real(48, 0xFFFF);
  return out;
}

Result<std::size_t> ChipNms::read(ByteSpan data, DetectionFrame& out, std::uint32_t id_step,
                                  std::uint32_t id_first) const {
  return config_.counted ? read_counted(data, &out, id_step, id_first)
                         : read_words(data, &out, id_step, id_first);
}

Result<std::size_t> ChipNms::frame_length(ByteSpan data) const {
  return config_.counted ? read_counted(data, nullptr, 1, 0) : read_words(data, nullptr, 1, 0);
}

Result<std::size_t> ChipNms::read_counted(ByteSpan data, DetectionFrame* out, std::uint32_t id_step,
                                          std::uint32_t id_first) const {
  std::size_t at = 0;
  for (std::uint32_t chunk = 0; chunk < config_.chunks; ++chunk)
    for (std::uint32_t id = 0; id < config_.classes; ++id) {
      if (data.size() - at < 2) return short_frame(data.size(), chunk, id);
      const std::size_t count = load<std::uint16_t>(data.data() + at);
      if (count > config_.max_per_class)
        return malformed(Location::at(at), fmt::format("class {} counts {} boxes; at most {} are possible",
                                                       id, count, config_.max_per_class));
      at += 2;
      if ((data.size() - at) / 8 < count) return short_frame(data.size(), chunk, id);
      for (std::size_t i = 0; i < count; ++i, at += 8) {
        Detection box = detection(load<std::uint64_t>(data.data() + at));
        box.class_id = id * id_step + id_first;
        if (out != nullptr) out->add(box);
      }
    }
  return at;
}

Result<std::size_t> ChipNms::read_words(ByteSpan data, DetectionFrame* out, std::uint32_t id_step,
                                        std::uint32_t id_first) const {
  const bool bursts = config_.burst == ChipBurst::H8PerClass || config_.burst == ChipBurst::H15PerClass;
  Words words(data);
  for (std::uint32_t chunk = 0; chunk < config_.chunks; ++chunk)
    for (std::uint32_t id = 0; id < config_.classes; ++id) {
      const std::size_t start = words.position();
      for (std::size_t count = 0;; ++count) {
        const auto word = words.next();
        if (!word) return short_frame(data.size(), chunk, id);
        if (*word == kDelimiter) break;
        const Location where = Location::at(8 * (words.position() - 1));
        if (*word == kImageDelimiter || *word == kPadding)
          return malformed(where, fmt::format("class {} of chunk {} ends without a delimiter", id, chunk));
        if (count == config_.max_per_class)
          return malformed(where, fmt::format("class {} of chunk {} has more than {} boxes", id, chunk,
                                              config_.max_per_class));
        Detection box = detection(*word);
        box.class_id = id * id_step + id_first;
        if (out != nullptr) out->add(box);
      }
      if (config_.burst == ChipBurst::H15PerClass && words.next() != kImageDelimiter)
        return malformed(Location::at(8 * words.position()),
                         fmt::format("class {} of chunk {} has no image delimiter", id, chunk));
      if (bursts) words.finish_burst(start, config_.burst_size);
    }
  const bool image_delimiter = config_.burst == ChipBurst::H15Bbox || config_.burst == ChipBurst::H15PerFrame;
  if (image_delimiter && words.next() != kImageDelimiter)
    return malformed(Location::at(8 * words.position()),
                     "the frame has no image delimiter after its classes");
  if (config_.burst == ChipBurst::H15PerFrame) words.finish_burst(0, config_.burst_size);
  if (words.overrun()) return short_frame(data.size(), config_.chunks - 1, config_.classes - 1);
  return 8 * words.position();
}

}  // namespace npubin::vision
