// The host's share of running a Hailo HEF: what HailoRT does before a frame goes to the chip and after it
// came back. A pipeline is made from an opened file; its inputs and outputs are prepared once and then run
// per frame without allocating.
//
//   auto artifact = npubin::open_artifact("model.hef");
//   auto pipeline = npubin::hef::HostPipeline::open(**artifact);
//   auto output = pipeline->prepare_output(pipeline->output_names()[0]);
//   for each frame: (*output)->run(frames of its streams); use (*output)->detections();
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "npubin/artifact.h"
#include "npubin/bytes.h"
#include "npubin/export.h"
#include "npubin/result.h"
#include "npubin/tensor.h"

namespace npubin::hef {

// The buffer in which HailoRT hands out detections.
enum class NmsBuffer : std::uint8_t {
  Default,   // ByteMask for segmentation, ByClass otherwise
  ByClass,   // per class: float32 count, then count x {y_min, x_min, y_max, x_max, score} float32
  ByScore,   // u16 count, then records of 22 bytes: the five float32 and a u16 class
  ByteMask,  // u16 count, then records of 46 bytes, each followed by its mask
};

struct HostOptions {
  std::string network_group;  // empty: all of the file; names of streams begin with their group's
  // Reproduces HailoRT's defects instead of giving the right result (docs/hef-host.md lists them).
  bool like_hailort = false;
  // Instead of the values in the file. They have no effect on NMS that runs on the chip.
  std::optional<float> score_threshold;
  std::optional<float> iou_threshold;
  std::optional<std::uint32_t> max_proposals_per_class;
  std::optional<std::uint32_t> max_proposals_total;   // ByScore, ByteMask; default: per class x classes
  std::optional<std::uint64_t> max_accumulated_mask;  // ByteMask, bytes; default: 4 x picture height x width
  NmsBuffer nms_buffer = NmsBuffer::Default;
  bool counted_nms = false;  // on-chip NMS streams in the form of HailoRT's raw buffers, not of the device
  bool keep_raw = false;     // plain outputs: keep the values before de-quantisation, for raw()
  std::uint64_t max_buffer_bytes = std::uint64_t{1} << 30;  // larger frames are refused
};

// A device stream of an input or output.
struct DeviceStream {
  std::string name;
  std::uint64_t frame_bytes = 0;  // 0: frames vary in length (on-chip NMS)
};

// From the host's frame to the device's bytes.
class NPUBIN_API HostInput {
 public:
  virtual ~HostInput() = default;
  const std::string& name() const { return name_; }
  const std::string& order() const { return order_; }  // the host's: "NHWC", "NV12", ...
  const Shape& shape() const { return shape_; }        // of one frame: height, width, features
  std::size_t elements() const { return elements_; }   // of one frame
  DType native_type() const { return native_type_; }   // U8 or U16
  const Quantization& quantization() const { return quantization_; }
  const std::vector<DeviceStream>& streams() const { return streams_; }

  // Quantises a frame of reals and lays it out for the device. Error (Usage): not elements() values.
  virtual Result<void> run(std::span<const float> frame) = 0;
  // The same for a frame of codes: u8 or u16 (little endian); u8 is widened for a 16-bit device. Error
  // (Usage): another size, or u16 for an 8-bit device.
  virtual Result<void> run_codes(ByteSpan frame, DType type) = 0;
  // What run() made for streams()[i], padding included; valid until the next run.
  virtual ByteSpan device_frame(std::size_t i) const = 0;

 protected:
  std::string name_, order_;
  Shape shape_;
  std::size_t elements_ = 0;
  DType native_type_ = DType::U8;
  Quantization quantization_;
  std::vector<DeviceStream> streams_;
};

// Coordinates are fractions of the network's picture, not clipped to it.
struct HostDetection {
  std::uint32_t class_id = 0;
  float score = 0;
  float y_min = 0, x_min = 0, y_max = 0, x_max = 0;
  // Segmentation: one byte per pixel of the box in the network's picture, row-major, 1 inside the instance.
  std::uint32_t mask_height = 0, mask_width = 0;
  std::span<const std::uint8_t> mask;
};

enum class HostOutputKind : std::uint8_t {
  Values,      // de-quantised values, softmax, decoded boxes without suppression
  Indices,     // argmax
  Detections,  // NMS on host or chip
};

// From the device's bytes to the host's result.
class NPUBIN_API HostOutput {
 public:
  virtual ~HostOutput() = default;
  const std::string& name() const { return name_; }
  HostOutputKind kind() const { return kind_; }
  const Shape& shape() const { return shape_; }  // of values(), one frame
  // Of values(): F32; U8 or U16 for indices; U8 for the buffers ByScore and ByteMask.
  DType type() const { return type_; }
  const std::vector<DeviceStream>& streams() const { return streams_; }
  // Classes that can be reported, the background left out; 0 where that has no meaning.
  std::uint32_t classes() const { return classes_; }
  // The network's picture, pixels; 0 where the file does not say.
  std::uint32_t image_height() const { return image_height_; }
  std::uint32_t image_width() const { return image_width_; }

  // The length of the frame at the start of `data`, which came from streams()[i]. Error (Malformed): no whole
  // frame is there.
  virtual Result<std::size_t> frame_length(std::size_t i, ByteSpan data) const = 0;
  // One frame of each stream, in the order of streams(), aligned to two bytes. Error: Usage for wrong sizes,
  // Malformed for a broken stream of boxes.
  virtual Result<void> run(std::span<const ByteSpan> frames) = 0;

  // The results of the last run, valid until the next.
  virtual ByteSpan values() const = 0;  // HailoRT's buffer for detections
  // Plain outputs with HostOptions::keep_raw: the codes in the host's order, of raw_type(); else empty.
  virtual ByteSpan raw() const { return {}; }
  virtual DType raw_type() const { return DType::U8; }
  virtual std::span<const HostDetection> detections() const { return {}; }
  // The buffer ByteMask was full before all detections were in it (HailoRT's HAILO_INSUFFICIENT_BUFFER).
  virtual bool truncated() const { return false; }

 protected:
  std::string name_;
  HostOutputKind kind_ = HostOutputKind::Values;
  Shape shape_;
  DType type_ = DType::F32;
  std::vector<DeviceStream> streams_;
  std::uint32_t classes_ = 0;
  std::uint32_t image_height_ = 0, image_width_ = 0;
};

class NPUBIN_API HostPipeline {
 public:
  // The artifact must be a HEF and outlive the pipeline. Error: Usage for another format or an unknown
  // network group; Malformed for a file that cannot be read.
  static Result<HostPipeline> open(const Artifact& artifact, HostOptions options = {});
  ~HostPipeline();
  HostPipeline(HostPipeline&&) noexcept;
  HostPipeline& operator=(HostPipeline&&) noexcept;

  // Virtual streams, in HailoRT's order.
  const std::vector<std::string>& input_names() const;
  const std::vector<std::string>& output_names() const;
  // The device streams that an output is made from, without preparing it.
  Result<std::vector<DeviceStream>> streams_of_output(std::string_view name) const;

  // Error: Usage for an unknown name, Malformed for a file at odds with itself, Refused by name for what is
  // not done.
  Result<std::unique_ptr<HostInput>> prepare_input(std::string_view name) const;
  Result<std::unique_ptr<HostOutput>> prepare_output(std::string_view name) const;

 private:
  struct State;
  explicit HostPipeline(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace npubin::hef
