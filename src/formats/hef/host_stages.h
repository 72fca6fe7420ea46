// Parts of the host pipeline: how the model's streams become layouts, feature maps and sources of frames.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "formats/hef/model.h"
#include "npubin/hef_host.h"
#include "npubin/result.h"
#include "vision/chip_nms.h"
#include "vision/demux.h"
#include "vision/detection_operator.h"
#include "vision/reorder.h"

namespace npubin::hef {

// What every preparation knows.
struct HostContext {
  const NetworkGroup& group;
  const HostOptions& options;
};

// Nothing for orders of detections and unknown ones.
std::optional<vision::FrameOrder> frame_order(Order order);
vision::FrameShape frame_shape(const Shape3& shape);
// Error: Refused for an order that is no layout of frames.
Result<vision::Layout> layout_of(Order order, const Shape3& shape, std::string_view what);
Result<std::size_t> element_bytes_of(const Stream& stream);
// A buffer of zeros. Error: Refused above HostOptions::max_buffer_bytes.
Result<std::vector<std::byte>> make_buffer(const HostContext& context, std::uint64_t bytes,
                                           std::string_view what);

// One scale and zero point for the whole stream. Error: Malformed for unusable numbers, Refused where
// features differ and an operator needs a single one.
Result<vision::HostQuantization> scalar_quantization(const Stream& stream);
// One per feature. Error: Malformed for unusable numbers or another count.
Result<vision::FeatureQuantization> feature_quantization(const Stream& stream);
bool has_feature_quantization(const Stream& stream);

// An output leaf as an operator reads it. Error: Refused for other orders than NHCW and for transposed ones.
Result<vision::FeatureMap> feature_map(const Stream& leaf);
Result<vision::ChipNms> chip_nms(const HostContext& context, const Stream& leaf);

// Finds the leaf. Error: Malformed, naming it.
Result<const Stream*> leaf_named(const HostContext& context, std::string_view name);

// The device streams behind a list of leaves, and each leaf's frame out of them.
class LeafSources {
 public:
  // Error: Malformed for a leaf that does not exist or a multiplexer that does not add up.
  static Result<LeafSources> prepare(const HostContext& context, const std::vector<const Stream*>& leaves);

  const std::vector<DeviceStream>& streams() const { return streams_; }
  // Checks the sizes and takes multiplexed streams apart. Error: Usage.
  Result<void> load(std::span<const ByteSpan> frames);
  // The frame of leaves[i], valid until the next load.
  const std::byte* frame(std::size_t leaf) const { return frames_[leaf]; }
  std::span<const std::byte* const> frames() const { return frames_; }
  // The device stream (index into streams()) that is leaves[i] itself.
  std::size_t stream_of(std::size_t leaf) const { return leaf_stream_[leaf]; }

 private:
  // A multiplexed stream; targets that no leaf asked for are null.
  struct Mux {
    std::size_t stream = 0;
    vision::Demux demux;
    std::vector<std::vector<std::byte>> buffers;
    std::vector<std::byte*> targets;
  };

  std::vector<DeviceStream> streams_;
  std::vector<Mux> muxes_;
  std::vector<std::size_t> leaf_stream_;
  std::vector<bool> direct_;  // the leaf is the stream
  std::vector<const std::byte*> frames_;
};

// The stream whose frames carry the leaf: itself, or the multiplexer around it.
const Stream* carrier_of(const NetworkGroup& group, std::string_view leaf);

Result<std::unique_ptr<HostInput>> prepare_host_input(const HostContext& context, const VStream& vstream);
Result<std::unique_ptr<HostOutput>> prepare_values_output(const HostContext& context, const VStream& vstream);
Result<std::unique_ptr<HostOutput>> prepare_argmax_output(const HostContext& context, const VStream& vstream);
Result<std::unique_ptr<HostOutput>> prepare_boxes_output(const HostContext& context, const VStream& vstream);
Result<std::unique_ptr<HostOutput>> prepare_detections_output(const HostContext& context,
                                                              const VStream& vstream);

// The operator's settings with the run-time ones of HostOptions in their place.
vision::OperatorConfig operator_config(const HostContext& context, const Op& op);
// Layers in HailoRT's order of evaluation, and the leaves in the order of the operator's maps.
struct YoloV5Wiring {
  std::vector<vision::YoloV5Layer> layers;
  std::vector<const Stream*> leaves;
};
struct YoloV8Wiring {
  std::vector<vision::YoloV8Layer> layers;
  std::vector<const Stream*> leaves;
};
Result<YoloV5Wiring> wire_yolov5(const HostContext& context, const Op& op);
Result<YoloV8Wiring> wire_yolov8(const HostContext& context, const Op& op);
struct WiredOperator {
  std::unique_ptr<vision::DetectionOperator> op;
  std::vector<const Stream*> leaves;
};
// YOLOv5, YOLOv8, YOLOX, SSD.
Result<WiredOperator> wire_operator(const HostContext& context, const Op& op);

// A stage of type T that is ready to run.
template <class T>
Result<std::unique_ptr<HostOutput>> prepared(const HostContext& context, const VStream& vstream) {
  auto output = std::make_unique<T>();
  NPUBIN_CHECK(output->prepare(context, vstream));
  return output;
}

}  // namespace npubin::hef
