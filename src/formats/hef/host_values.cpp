// Outputs without detections: reorder, transpose, de-quantise, softmax; argmax; boxes without suppression.
#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "formats/hef/host_stages.h"
#include "vision/logits.h"
#include "vision/yolov5.h"
#include "vision/yolov8.h"

namespace npubin::hef {
namespace {

using vision::FrameOrder;

// The shape of one frame as a user has it: a vector, a picture without features, or a picture with them.
Shape user_shape(FrameOrder order, const Shape3& shape) {
  switch (order) {
    case FrameOrder::Nc:
      return {shape.features};
    case FrameOrder::Nhw:
    case FrameOrder::Bayer:
    case FrameOrder::Bayer12:
      return {shape.height, shape.width};
    default:
      return {shape.height, shape.width, shape.features};
  }
}

Result<Tensor> make_tensor(const HostContext& context, DType type, Shape shape, std::string_view what) {
  auto out = Tensor::allocate(type, std::move(shape), {}, context.options.max_buffer_bytes);
  if (!out) return refused(fmt::format("{}: {}", what, out.error().message));
  return out;
}

class FixedFrames : public HostOutput {
 public:
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
  Result<void> prepare_sources(const HostContext& context, const std::vector<const Stream*>& leaves) {
    NPUBIN_TRY(sources_, LeafSources::prepare(context, leaves));
    streams_ = sources_.streams();
    return {};
  }
  LeafSources sources_;
};

class ValuesOutput final : public FixedFrames {
 public:
  Result<void> prepare(const HostContext& context, const VStream& vstream);
  Result<void> run(std::span<const ByteSpan> frames) override;
  ByteSpan values() const override { return values_.bytes(); }
  ByteSpan raw() const override { return keep_raw_ ? ByteSpan(codes_) : ByteSpan(); }
  DType raw_type() const override { return element_bytes_ == 1 ? DType::U8 : DType::U16; }

 private:
  void dequantize_codes();

  std::size_t element_bytes_ = 1;
  bool keep_raw_ = false, like_hailort_ = false;
  bool cast_only_ = false;  // NHW is never de-quantised (hef spec 4a)
  bool softmax_ = false;
  bool direct_ = false;  // NHCW to NHWC reals in one pass
  bool transposed_ = false;
  std::size_t features_ = 0;
  vision::NhcwToReal nhcw_;
  std::optional<vision::Reorder> reorder_;
  std::optional<vision::HostQuantization> scalar_;  // absent: per feature
  vision::FeatureQuantization per_feature_;
  std::vector<std::byte> unturned_;  // before the transposition
  std::vector<std::byte> codes_;
  Tensor values_;
};

Result<void> ValuesOutput::prepare(const HostContext& context, const VStream& vstream) {
  name_ = vstream.name;
  keep_raw_ = context.options.keep_raw;
  like_hailort_ = context.options.like_hailort;
  const Op* op = vstream.op ? &context.group.ops[*vstream.op] : nullptr;
  softmax_ = op != nullptr && op->type == OpType::Softmax;
  if (vstream.streams.size() != 1 || !vstream.shape)
    return malformed({}, fmt::format("output {} is not made from one stream", vstream.name));
  NPUBIN_TRY(const Stream* leaf, leaf_named(context, vstream.streams.front()));
  NPUBIN_TRY(element_bytes_, element_bytes_of(*leaf));
  NPUBIN_CHECK(prepare_sources(context, {leaf}));
  const Shape3 shape = leaf->shape;
  NPUBIN_TRY(vision::Layout host, layout_of(vstream.order, shape, vstream.name));
  NPUBIN_TRY(vision::Layout device, layout_of(leaf->order, leaf->hw_shape, leaf->name));
  if (softmax_ && host.order != FrameOrder::Nhwc && host.order != FrameOrder::Nc)
    return refused(fmt::format("softmax over {} frames", to_string(host.order)), "NHWC and NC are possible");
  features_ = shape.features;
  shape_ = user_shape(host.order, shape);
  transposed_ = leaf->transposed;
  if (transposed_) {
    if (!vision::can_transpose(host.order))
      return refused(
          fmt::format("stream {} is transposed; frames of {} cannot be", leaf->name, to_string(host.order)));
    host.shape = vision::transposed(host.shape);
  }
  NPUBIN_TRY(reorder_, vision::Reorder::to_host(device, host, element_bytes_));
  cast_only_ = host.order == FrameOrder::Nhw;
  NPUBIN_TRY(per_feature_, feature_quantization(*leaf));
  if (!has_feature_quantization(*leaf)) {
    NPUBIN_TRY(scalar_, scalar_quantization(*leaf));
  }
  const std::size_t bytes = reorder_->plan().target_bytes;
  direct_ = device.order == FrameOrder::Nhcw && host.order == FrameOrder::Nhwc && !transposed_;
  if (direct_) {
    constexpr std::size_t kCaches = std::size_t{8} << 20;
    nhcw_ = {host.shape.height,  host.shape.width,      host.shape.features,
             device.shape.width, device.shape.features, bytes / element_bytes_ * sizeof(float) > kCaches};
  }
  if (!direct_ || keep_raw_) {
    NPUBIN_TRY(codes_, make_buffer(context, bytes, vstream.name));
  }
  if (transposed_) {
    NPUBIN_TRY(unturned_, make_buffer(context, bytes, vstream.name));
  }
  NPUBIN_TRY(values_, make_tensor(context, DType::F32, shape_, vstream.name));
  return {};
}

void ValuesOutput::dequantize_codes() {
  const std::size_t count = codes_.size() / element_bytes_;
  float* to = values_.as_mutable<float>().data();
  const auto convert = [&](auto codes) {
    if (cast_only_)
      vision::dequantize(codes, to, vision::HostQuantization{});
    else if (scalar_)
      vision::dequantize(codes, to, *scalar_);
    else
      vision::dequantize_features(codes, to, per_feature_, 1);
  };
  if (element_bytes_ == 1)
    convert(std::span(reinterpret_cast<const std::uint8_t*>(codes_.data()), count));
  else
    convert(std::span(reinterpret_cast<const std::uint16_t*>(codes_.data()), count));
}

Result<void> ValuesOutput::run(std::span<const ByteSpan> frames) {
  NPUBIN_CHECK(sources_.load(frames));
  const std::byte* frame = sources_.frame(0);
  if (!codes_.empty()) {
    reorder_->run(frame, transposed_ ? unturned_.data() : codes_.data());
    if (transposed_) {
      const vision::FrameShape& s = reorder_->plan().target.shape;
      vision::transpose_cells(unturned_.data(), codes_.data(), s.height, s.width,
                              s.features * element_bytes_);
    }
  }
  float* to = values_.as_mutable<float>().data();
  if (!direct_)
    dequantize_codes();
  else if (element_bytes_ == 1)
    vision::nhcw_to_real(nhcw_, reinterpret_cast<const std::uint8_t*>(frame), to, per_feature_);
  else
    vision::nhcw_to_real(nhcw_, reinterpret_cast<const std::uint16_t*>(frame), to, per_feature_);
  if (softmax_) vision::softmax(values_.as_mutable<float>(), features_, like_hailort_);
  return {};
}

class ArgmaxOutput final : public FixedFrames {
 public:
  Result<void> prepare(const HostContext& context, const VStream& vstream);
  Result<void> run(std::span<const ByteSpan> frames) override;
  ByteSpan values() const override { return values_.bytes(); }

 private:
  std::optional<vision::Argmax> argmax_;
  std::vector<std::uint32_t> indices_;
  Tensor values_;
};

Result<void> ArgmaxOutput::prepare(const HostContext& context, const VStream& vstream) {
  name_ = vstream.name;
  kind_ = HostOutputKind::Indices;
  const Op& op = context.group.ops[*vstream.op];
  if (op.input_streams.size() != 1)
    return malformed({}, fmt::format("argmax {} has {} inputs", op.name, op.input_streams.size()));
  NPUBIN_TRY(const Stream* leaf, leaf_named(context, op.input_streams.front()));
  if (leaf->transposed)
    return refused(fmt::format("argmax {} over the transposed stream {}", op.name, leaf->name));
  NPUBIN_TRY(std::size_t bytes, element_bytes_of(*leaf));
  NPUBIN_CHECK(prepare_sources(context, {leaf}));
  NPUBIN_TRY(vision::Layout device, layout_of(leaf->order, leaf->hw_shape, leaf->name));
  NPUBIN_TRY(argmax_,
             vision::Argmax::prepare(device, frame_shape(leaf->shape), bytes, context.options.like_hailort));
  const bool vector = device.order == FrameOrder::Nc;
  shape_ = vector ? Shape{1} : Shape{leaf->shape.height, leaf->shape.width};
  type_ = op.output_type == ElementType::U16   ? DType::U16
          : op.output_type == ElementType::F32 ? DType::F32
                                               : DType::U8;
  // An index above 255 does not fit the byte that the file asks for; HailoRT cuts it.
  if (type_ == DType::U8 && leaf->shape.features > 256 && !context.options.like_hailort) type_ = DType::U16;
  NPUBIN_TRY(values_, make_tensor(context, type_, shape_, vstream.name));
  if (argmax_->pixels() * sizeof(std::uint32_t) > context.options.max_buffer_bytes)
    return refused(fmt::format("output {} has {} pixels", vstream.name, argmax_->pixels()));
  indices_.resize(argmax_->pixels());
  return {};
}

Result<void> ArgmaxOutput::run(std::span<const ByteSpan> frames) {
  NPUBIN_CHECK(sources_.load(frames));
  argmax_->run(sources_.frame(0), indices_);
  const auto put = [&]<class T>(std::span<T> to) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = static_cast<T>(indices_[i]);
  };
  if (type_ == DType::U8) put(values_.as_mutable<std::uint8_t>());
  if (type_ == DType::U16) put(values_.as_mutable<std::uint16_t>());
  if (type_ == DType::F32) put(values_.as_mutable<float>());
  return {};
}

// Boxes of every anchor or cell, decoded but neither tested nor suppressed (bbox_decoding_only).
class BoxesOutput final : public FixedFrames {
 public:
  Result<void> prepare(const HostContext& context, const VStream& vstream);
  Result<void> run(std::span<const ByteSpan> frames) override;
  ByteSpan values() const override { return values_.bytes(); }

 private:
  std::optional<vision::YoloV5> v5_;
  std::optional<vision::YoloV8> v8_;
  Tensor values_;
};

Result<void> BoxesOutput::prepare(const HostContext& context, const VStream& vstream) {
  name_ = vstream.name;
  const Op& op = context.group.ops[*vstream.op];
  vision::OperatorConfig config = operator_config(context, op);
  config.background_removal = false;
  std::uint64_t proposals = 0;
  if (op.type == OpType::YoloV5) {
    NPUBIN_TRY(YoloV5Wiring wiring, wire_yolov5(context, op));
    NPUBIN_TRY(v5_, vision::YoloV5::prepare(std::move(wiring.layers), config, false, 0));
    NPUBIN_CHECK(prepare_sources(context, wiring.leaves));
    proposals = v5_->proposals();
  } else if (op.type == OpType::YoloV8) {
    NPUBIN_TRY(YoloV8Wiring wiring, wire_yolov8(context, op));
    NPUBIN_TRY(v8_, vision::YoloV8::prepare(std::move(wiring.layers), config));
    NPUBIN_CHECK(prepare_sources(context, wiring.leaves));
    proposals = v8_->proposals();
  } else {
    return refused(fmt::format("{} without suppression (bbox_decoding_only)", to_string(op.type)),
                   "YOLOV5 and YOLOV8 are possible; HailoRT refuses the others as well");
  }
  image_height_ = static_cast<std::uint32_t>(op.image_height);
  image_width_ = static_cast<std::uint32_t>(op.image_width);
  const std::int64_t columns = std::int64_t{v5_ ? 5 : 4} + op.classes;
  shape_ = {1, static_cast<std::int64_t>(proposals), columns};
  NPUBIN_TRY(values_, make_tensor(context, DType::F32, shape_, vstream.name));
  return {};
}

Result<void> BoxesOutput::run(std::span<const ByteSpan> frames) {
  NPUBIN_CHECK(sources_.load(frames));
  if (v5_)
    v5_->decode_boxes(sources_.frames(), values_.as_mutable<float>());
  else
    v8_->decode_boxes(sources_.frames(), values_.as_mutable<float>());
  return {};
}

}  // namespace

Result<std::unique_ptr<HostOutput>> prepare_values_output(const HostContext& context,
                                                          const VStream& vstream) {
  return prepared<ValuesOutput>(context, vstream);
}
Result<std::unique_ptr<HostOutput>> prepare_argmax_output(const HostContext& context,
                                                          const VStream& vstream) {
  return prepared<ArgmaxOutput>(context, vstream);
}
Result<std::unique_ptr<HostOutput>> prepare_boxes_output(const HostContext& context, const VStream& vstream) {
  return prepared<BoxesOutput>(context, vstream);
}

}  // namespace npubin::hef
