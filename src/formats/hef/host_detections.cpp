// Outputs of detections: operators on the host, NMS on the chip with or without one behind it, segmentation.
#include <algorithm>

#include <fmt/format.h>

#include "formats/hef/host_stages.h"
#include "vision/instance_masks.h"
#include "vision/yolov5.h"

namespace npubin::hef {
namespace {

HostDetection to_host(const vision::Detection& d) {
  return {d.class_id, d.score, d.y_min, d.x_min, d.y_max, d.x_max, 0, 0, {}};
}

// What every output of detections has: candidates, the chosen buffer, the list.
class DetectionsOutput : public HostOutput {
 public:
  ByteSpan values() const override { return buffer_.bytes(); }
  std::span<const HostDetection> detections() const override { return list_; }
  Result<std::size_t> frame_length(std::size_t i, ByteSpan data) const override {
    const std::uint64_t bytes = streams_[i].frame_bytes;
    if (data.size() < bytes)
      return malformed(
          Location::at(data.size()),
          fmt::format("a frame of {} has {} bytes; {} are left", streams_[i].name, bytes, data.size()),
          "give whole frames, one after another");
    return static_cast<std::size_t>(bytes);
  }

 protected:
  Result<void> prepare_result(const HostContext& context, const VStream& vstream, std::uint64_t capacity,
                              std::uint32_t classes, std::uint32_t max_per_class);
  void finish(bool suppress);

  vision::DetectionFrame frame_;
  vision::SuppressionConfig suppression_;
  bool by_score_ = false, like_hailort_ = false;
  std::uint64_t max_total_ = 0;
  Tensor buffer_;
  std::vector<HostDetection> list_;
};

Result<void> DetectionsOutput::prepare_result(const HostContext& context, const VStream& vstream,
                                              std::uint64_t capacity, std::uint32_t classes,
                                              std::uint32_t max_per_class) {
  const HostOptions& options = context.options;
  name_ = vstream.name;
  kind_ = HostOutputKind::Detections;
  classes_ = classes;
  like_hailort_ = options.like_hailort;
  by_score_ = options.nms_buffer == NmsBuffer::ByScore;
  if (options.nms_buffer == NmsBuffer::ByteMask)
    return refused(fmt::format("output {} has no masks, so no buffer with byte masks", vstream.name));
  max_total_ = options.max_proposals_total.value_or(
      std::min<std::uint64_t>(std::uint64_t{max_per_class} * classes, 0xFFFF));
  if (max_total_ > 0xFFFF)
    return usage_error(fmt::format("{} detections do not fit the counter of 16 bits", max_total_));
  suppression_.max_per_class = max_per_class;
  std::uint64_t bytes = 0;
  if (by_score_) {
    // HailoRT limits only the total here.
    suppression_.max_per_class = static_cast<std::uint32_t>(max_total_ + 1);
    bytes = 2 + vision::kScoreRecordBytes * (max_total_ + (like_hailort_ ? 1 : 0));
    type_ = DType::U8;
  } else {
    const auto floats = vision::by_class_floats(classes, max_per_class);
    if (!floats) return refused(fmt::format("output {} needs an impossibly large buffer", vstream.name));
    bytes = *floats * sizeof(float);
  }
  if (bytes > options.max_buffer_bytes)
    return refused(fmt::format("output {} needs a buffer of {} bytes; at most {} are taken", vstream.name,
                               bytes, options.max_buffer_bytes));
  shape_ = {static_cast<std::int64_t>(bytes / size_of(type_))};
  buffer_ = Tensor(type_, shape_);
  NPUBIN_CHECK(frame_.prepare(capacity));
  list_.reserve(static_cast<std::size_t>(capacity));
  return {};
}

void DetectionsOutput::finish(bool suppress) {
  if (suppress)
    frame_.suppress(suppression_);
  else
    frame_.keep_all(suppression_.max_per_class);
  list_.clear();
  if (!by_score_) {
    vision::write_by_class(frame_.by_class(), classes_, buffer_.as_mutable<float>());
    for (const vision::Detection& d : frame_.by_class()) list_.push_back(to_host(d));
    return;
  }
  const auto sorted = frame_.by_score();
  const std::size_t count =
      vision::write_by_score(sorted, static_cast<std::size_t>(max_total_), like_hailort_,
                             {buffer_.mutable_data(), buffer_.byte_size()});
  for (const vision::Detection& d : sorted.first(count)) list_.push_back(to_host(d));
}

// YOLOv5, YOLOv8, YOLOX, SSD.
class OperatorOutput final : public DetectionsOutput {
 public:
  Result<void> prepare(const HostContext& context, const VStream& vstream) {
    const Op& op = context.group.ops[*vstream.op];
    NPUBIN_TRY(WiredOperator wired, wire_operator(context, op));
    op_ = std::move(wired.op);
    NPUBIN_TRY(sources_, LeafSources::prepare(context, wired.leaves));
    streams_ = sources_.streams();
    image_height_ = static_cast<std::uint32_t>(op.image_height);
    image_width_ = static_cast<std::uint32_t>(op.image_width);
    const vision::OperatorConfig config = operator_config(context, op);
    suppression_.iou_threshold = config.iou_threshold;
    return prepare_result(context, vstream, op_->capacity(), config.reported_classes(), config.max_per_class);
  }
  Result<void> run(std::span<const ByteSpan> frames) override {
    NPUBIN_CHECK(sources_.load(frames));
    frame_.clear();
    op_->decode(sources_.frames(), frame_);
    finish(true);
    return {};
  }

 private:
  std::unique_ptr<vision::DetectionOperator> op_;
  LeafSources sources_;
};

// NMS on the chip: as it is, fused again where the compiler split it, or with suppression behind it (IOU).
class ChipOutput final : public DetectionsOutput {
 public:
  Result<void> prepare(const HostContext& context, const VStream& vstream) {
    const Op* op = vstream.op ? &context.group.ops[*vstream.op] : nullptr;
    suppress_ = op != nullptr;
    if (vstream.streams.empty()) return malformed({}, fmt::format("output {} has no streams", vstream.name));
    std::uint64_t capacity = 0, chip_maximum = 0;
    for (const std::string& name : vstream.streams) {
      NPUBIN_TRY(const Stream* leaf, leaf_named(context, name));
      const Stream* carrier = carrier_of(context.group, leaf->name);
      if (carrier == nullptr || carrier->is_mux)
        return refused(fmt::format("stream {} of on-chip NMS is multiplexed", leaf->name));
      NPUBIN_TRY(auto reader, chip_nms(context, *leaf));
      capacity += reader.capacity();
      chip_maximum = std::max<std::uint64_t>(
          chip_maximum, std::uint64_t{reader.config().max_per_class} * reader.config().chunks);
      readers_.push_back(reader);
      streams_.push_back({leaf->name, 0});
    }
    std::uint32_t classes = readers_.front().config().classes;
    if (op == nullptr && vstream.nms && readers_.size() > 1) classes = vstream.nms->classes;
    // Class i of the fused layer is class i / n of stream i % n (hef spec 4b).
    for (std::size_t i = 0; i < readers_.size(); ++i)
      if ((std::uint64_t{readers_[i].config().classes} - 1) * readers_.size() + i >= classes)
        return malformed(
            {}, fmt::format("output {} has {} classes; its streams have more", vstream.name, classes));
    std::uint32_t maximum = vstream.nms ? vstream.nms->max_bboxes_per_class : 0;
    if (op == nullptr) maximum = static_cast<std::uint32_t>(std::max<std::uint64_t>(maximum, chip_maximum));
    if (op != nullptr) {
      const vision::OperatorConfig config = operator_config(context, *op);
      maximum = config.max_per_class;
      suppression_.iou_threshold = config.iou_threshold;
      if (config.classes != classes)
        return malformed(
            {}, fmt::format("operator {} has {} classes, its stream {}", op->name, config.classes, classes));
    } else if (context.options.score_threshold || context.options.iou_threshold ||
               context.options.max_proposals_per_class) {
      return refused(
          fmt::format("output {} is suppressed on the chip; its thresholds are in the config words",
                      vstream.name),
          "only post-processing on the host takes other thresholds");
    }
    return prepare_result(context, vstream, capacity, classes, maximum);
  }
  Result<std::size_t> frame_length(std::size_t i, ByteSpan data) const override {
    return readers_[i].frame_length(data);
  }
  Result<void> run(std::span<const ByteSpan> frames) override {
    if (frames.size() != readers_.size())
      return usage_error(fmt::format("{} streams are needed, {} given", readers_.size(), frames.size()));
    frame_.clear();
    for (std::size_t i = 0; i < frames.size(); ++i)
      NPUBIN_CHECK(readers_[i].read(frames[i], frame_, static_cast<std::uint32_t>(readers_.size()),
                                    static_cast<std::uint32_t>(i)));
    finish(suppress_);
    return {};
  }

 private:
  bool suppress_ = false;
  std::vector<vision::ChipNms> readers_;
};

// YOLOv5-seg: detections by descending score, each with its mask, in the buffer ByteMask.
class SegmentationOutput final : public DetectionsOutput {
 public:
  Result<void> prepare(const HostContext& context, const VStream& vstream);
  Result<void> run(std::span<const ByteSpan> frames) override;
  bool truncated() const override { return truncated_; }

 private:
  std::optional<vision::YoloV5> op_;
  std::optional<vision::MaskMaker> masks_;
  LeafSources sources_;
  bool truncated_ = false;
  std::vector<float> coefficients_ = std::vector<float>(vision::kMaskCoefficients);
};

Result<void> SegmentationOutput::prepare(const HostContext& context, const VStream& vstream) {
  const HostOptions& options = context.options;
  const Op& op = context.group.ops[*vstream.op];
  if (op.bbox_decoding_only)
    return refused("YOLOV5SEG without suppression (bbox_decoding_only)", "HailoRT refuses it as well");
  if (options.nms_buffer != NmsBuffer::Default && options.nms_buffer != NmsBuffer::ByteMask)
    return refused(fmt::format("output {} has masks, which only the byte mask buffer holds", vstream.name));
  NPUBIN_TRY(YoloV5Wiring wiring, wire_yolov5(context, op));
  const vision::OperatorConfig config = operator_config(context, op);
  NPUBIN_TRY(op_, vision::YoloV5::prepare(std::move(wiring.layers), config, true, vision::kMaskCoefficients));
  std::string proto = op.proto_layer;
  NPUBIN_TRY(const Stream* leaf, leaf_named(context, proto));
  NPUBIN_TRY(auto prototypes, feature_map(*leaf));
  NPUBIN_TRY(masks_,
             vision::MaskMaker::prepare(prototypes, op.image_height, op.image_width, op.mask_threshold));
  wiring.leaves.push_back(leaf);
  NPUBIN_TRY(sources_, LeafSources::prepare(context, wiring.leaves));
  streams_ = sources_.streams();
  name_ = vstream.name;
  kind_ = HostOutputKind::Detections;
  type_ = DType::U8;
  classes_ = config.reported_classes();
  image_height_ = static_cast<std::uint32_t>(op.image_height);
  image_width_ = static_cast<std::uint32_t>(op.image_width);
  suppression_ = {config.iou_threshold, config.max_per_class};
  max_total_ = options.max_proposals_total.value_or(
      std::min<std::uint64_t>(std::uint64_t{config.max_per_class} * classes_, 0xFFFF));
  const std::uint64_t mask_bytes =
      options.max_accumulated_mask.value_or(std::uint64_t{4} * image_height_ * image_width_);
  if (mask_bytes > options.max_buffer_bytes || max_total_ > 0xFFFF ||
      2 + vision::kMaskRecordBytes * max_total_ + mask_bytes > options.max_buffer_bytes)
    return refused(fmt::format("output {} needs a buffer of more than {} bytes", vstream.name,
                               options.max_buffer_bytes));
  shape_ = {static_cast<std::int64_t>(2 + vision::kMaskRecordBytes * max_total_ + mask_bytes)};
  buffer_ = Tensor(type_, shape_);
  NPUBIN_CHECK(frame_.prepare(op_->capacity()));
  list_.reserve(static_cast<std::size_t>(max_total_));
  return {};
}

Result<void> SegmentationOutput::run(std::span<const ByteSpan> frames) {
  NPUBIN_CHECK(sources_.load(frames));
  frame_.clear();
  op_->decode(sources_.frames(), frame_);
  frame_.suppress(suppression_);
  list_.clear();
  truncated_ = false;
  vision::ByteMaskWriter writer({buffer_.mutable_data(), buffer_.byte_size()});
  const auto detections = frame_.by_score();
  if (!detections.empty()) masks_->load(sources_.frames().back());
  for (const vision::Detection& detection : detections) {
    if (list_.size() == max_total_) break;
    const vision::MaskSize size = masks_->size(detection);
    const auto place = writer.add(detection, size.bytes());
    truncated_ = !place.ok;
    if (truncated_) break;
    op_->coefficients(sources_.frames(), detection.source, coefficients_);
    masks_->draw(detection, coefficients_, place.mask);
    HostDetection out = to_host(detection);
    out.mask_height = size.height;
    out.mask_width = size.width;
    out.mask = place.mask;
    list_.push_back(out);
  }
  return {};
}

}  // namespace

Result<std::unique_ptr<HostOutput>> prepare_detections_output(const HostContext& context,
                                                              const VStream& vstream) {
  if (!vstream.op || context.group.ops[*vstream.op].type == OpType::Iou)
    return prepared<ChipOutput>(context, vstream);
  if (context.group.ops[*vstream.op].type == OpType::YoloV5Seg)
    return prepared<SegmentationOutput>(context, vstream);
  return prepared<OperatorOutput>(context, vstream);
}

}  // namespace npubin::hef
