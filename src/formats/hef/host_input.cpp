// Host to device: quantise, transpose, reorder, pad (hef spec 4a, 4b).
#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "formats/hef/host_stages.h"

namespace npubin::hef {
namespace {

// The way of one device stream: a part of the host's frame (all of it, but for planes).
struct Lane {
  std::size_t first = 0;  // byte in the frame of codes
  bool transposed = false;
  vision::FrameShape host_shape;  // before the transposition
  std::optional<vision::Reorder> reorder;
  std::vector<std::byte> turned;  // the part after the transposition
  std::vector<std::byte> device;

  void run(const std::byte* codes, std::size_t element_bytes) {
    const std::byte* from = codes + first;
    if (transposed) {
      vision::transpose_cells(from, turned.data(), host_shape.height, host_shape.width,
                              host_shape.features * element_bytes);
      from = turned.data();
    }
    reorder->run(from, device.data());
  }
};

class Input final : public HostInput {
 public:
  Result<void> prepare(const HostContext& context, const VStream& vstream);
  Result<void> run(std::span<const float> frame) override;
  Result<void> run_codes(ByteSpan frame, DType type) override;
  ByteSpan device_frame(std::size_t i) const override { return lanes_[i].device; }

 private:
  Result<void> add_lane(const HostContext& context, const Stream& stream, Order host_order,
                        const Shape3& shape);
  void run_lanes() {
    for (Lane& lane : lanes_) lane.run(codes_.data(), element_bytes_);
  }

  std::size_t element_bytes_ = 1;
  vision::HostQuantization scale_;
  vision::Overflow overflow_ = vision::Overflow::Saturate;
  std::vector<std::byte> codes_;  // the host's frame, quantised
  std::vector<Lane> lanes_;
  std::size_t planned_ = 0;  // bytes of the host's frame that lanes take
};

Result<void> Input::add_lane(const HostContext& context, const Stream& stream, Order host_order,
                             const Shape3& shape) {
  NPUBIN_TRY(vision::Layout host, layout_of(host_order, shape, stream.name));
  NPUBIN_TRY(vision::Layout device, layout_of(stream.order, stream.hw_shape, stream.name));
  Lane lane;
  lane.first = planned_;
  lane.host_shape = host.shape;
  lane.transposed = stream.transposed;
  if (stream.transposed) {
    if (!vision::can_transpose(host.order))
      return refused(
          fmt::format("stream {} is transposed; frames of {} cannot be", stream.name, to_string(host.order)));
    host.shape = vision::transposed(host.shape);
  }
  NPUBIN_TRY(auto reorder, vision::Reorder::to_device(host, device, element_bytes_));
  lane.reorder = reorder;
  planned_ += reorder.plan().source_bytes;
  if (lane.transposed) {
    NPUBIN_TRY(lane.turned, make_buffer(context, reorder.plan().source_bytes, stream.name));
  }
  NPUBIN_TRY(lane.device, make_buffer(context, reorder.plan().target_bytes, stream.name));
  streams_.push_back({stream.name, reorder.plan().target_bytes});
  lanes_.push_back(std::move(lane));
  return {};
}

Result<void> Input::prepare(const HostContext& context, const VStream& vstream) {
  name_ = vstream.name;
  order_ = to_string(vstream.order);
  if (!vstream.shape || vstream.streams.empty())
    return malformed({}, fmt::format("input {} has no frames", vstream.name));
  const Shape3& shape = *vstream.shape;
  for (const std::string& stream_name : vstream.streams) {
    NPUBIN_TRY(const Stream* stream, leaf_named(context, stream_name));
    if (stream->is_mux) return refused(fmt::format("input {} is multiplexed", stream->name));
    NPUBIN_TRY(std::size_t bytes, element_bytes_of(*stream));
    if (lanes_.empty()) {
      element_bytes_ = bytes;
      // HailoRT does not let features of an input differ (hef spec 3).
      NPUBIN_TRY(scale_, scalar_quantization(*stream));
    } else if (bytes != element_bytes_) {
      return malformed({}, fmt::format("the planes of {} differ in their element type", vstream.name));
    }
    const bool plane = !vstream.planes.empty();
    NPUBIN_CHECK(
        add_lane(context, *stream, plane ? Order::Nhwc : vstream.order, plane ? stream->shape : shape));
  }
  elements_ = planned_ / element_bytes_;
  native_type_ = element_bytes_ == 1 ? DType::U8 : DType::U16;
  shape_ = {shape.height, shape.width, shape.features};
  quantization_ = Quantization::per_tensor(
      scale_.scale, static_cast<std::int64_t>(std::clamp(scale_.zero_point, -1e9f, 1e9f)));
  overflow_ = context.options.like_hailort ? vision::Overflow::Wrap : vision::Overflow::Saturate;
  NPUBIN_TRY(codes_, make_buffer(context, planned_, vstream.name));
  return {};
}

Result<void> Input::run(std::span<const float> frame) {
  if (frame.size() != elements_)
    return usage_error(fmt::format("a frame of {} has {} values, not {}", name_, elements_, frame.size()));
  if (element_bytes_ == 1)
    vision::quantize(frame, reinterpret_cast<std::uint8_t*>(codes_.data()), scale_, overflow_);
  else
    vision::quantize(frame, reinterpret_cast<std::uint16_t*>(codes_.data()), scale_, overflow_);
  run_lanes();
  return {};
}

Result<void> Input::run_codes(ByteSpan frame, DType type) {
  if (type != DType::U8 && type != DType::U16)
    return usage_error(fmt::format("{} takes f32, or codes as u8 or u16, not {}", name_, to_string(type)));
  if (size_of(type) > element_bytes_)
    return usage_error(fmt::format("{} is u8 on the device; u16 codes are not narrowed", name_),
                       "give u8 codes, or real numbers as f32");
  if (frame.size() != elements_ * size_of(type))
    return usage_error(
        fmt::format("a frame of {} has {} bytes, not {}", name_, elements_ * size_of(type), frame.size()));
  if (size_of(type) == element_bytes_) {
    std::memcpy(codes_.data(), frame.data(), frame.size());
  } else {
    auto* wide = reinterpret_cast<std::uint16_t*>(codes_.data());
    for (std::size_t i = 0; i < elements_; ++i) wide[i] = static_cast<std::uint16_t>(frame[i]);
  }
  run_lanes();
  return {};
}

}  // namespace

Result<std::unique_ptr<HostInput>> prepare_host_input(const HostContext& context, const VStream& vstream) {
  auto input = std::make_unique<Input>();
  NPUBIN_CHECK(input->prepare(context, vstream));
  return input;
}

}  // namespace npubin::hef
