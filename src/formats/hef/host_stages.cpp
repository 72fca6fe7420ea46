#include "formats/hef/host_stages.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace npubin::hef {

using vision::FrameOrder;

std::optional<FrameOrder> frame_order(Order order) {
  switch (order) {
    case Order::Nhwc:
      return FrameOrder::Nhwc;
    case Order::Nhcw:
      return FrameOrder::Nhcw;
    case Order::Nc:
      return FrameOrder::Nc;
    case Order::Fcr:
      return FrameOrder::Fcr;
    case Order::F8cr:
      return FrameOrder::F8cr;
    case Order::Nhw:
      return FrameOrder::Nhw;
    case Order::BayerRgb:
      return FrameOrder::Bayer;
    case Order::Bayer12Bit:
      return FrameOrder::Bayer12;
    case Order::Rgb888:
      return FrameOrder::Rgb888;
    case Order::Rgb4:
      return FrameOrder::Rgb4;
    case Order::Nchw:
      return FrameOrder::Nchw;
    case Order::Yuy2:
      return FrameOrder::Yuy2;
    case Order::Nv12:
      return FrameOrder::Nv12;
    case Order::Nv21:
      return FrameOrder::Nv21;
    case Order::I420:
      return FrameOrder::I420;
    case Order::Yyuv:
      return FrameOrder::Yyuv;
    case Order::Yyvu:
      return FrameOrder::Yyvu;
    case Order::Yyyyuv:
      return FrameOrder::Yyyyuv;
    default:
      return std::nullopt;
  }
}

vision::FrameShape frame_shape(const Shape3& shape) {
  return {shape.height, shape.width, shape.features};
}

Result<vision::Layout> layout_of(Order order, const Shape3& shape, std::string_view what) {
  const auto known = frame_order(order);
  if (!known) return refused(fmt::format("{} has the order {}, which is no frame", what, to_string(order)));
  return vision::Layout{*known, frame_shape(shape)};
}

Result<std::size_t> element_bytes_of(const Stream& stream) {
  const std::size_t bytes = bytes_of(stream.type);
  if (bytes != 1 && bytes != 2)
    return malformed(
        {}, fmt::format("stream {} has elements of {} bytes; 1 or 2 are possible", stream.name, bytes));
  return bytes;
}

Result<std::vector<std::byte>> make_buffer(const HostContext& context, std::uint64_t bytes,
                                           std::string_view what) {
  if (bytes > context.options.max_buffer_bytes)
    return refused(fmt::format("{} needs a buffer of {} bytes; at most {} are taken", what, bytes,
                               context.options.max_buffer_bytes));
  return std::vector<std::byte>(static_cast<std::size_t>(bytes));
}

namespace {

Result<void> check_numbers(const Stream& stream, float scale, float zero_point) {
  if (std::isfinite(scale) && scale > 0 && std::isfinite(zero_point)) return {};
  return malformed({}, fmt::format("stream {} is quantised with scale {} and zero point {}", stream.name,
                                   scale, zero_point));
}

}  // namespace

bool has_feature_quantization(const Stream& stream) {
  const auto differs = [](const std::vector<float>& values) {
    return std::adjacent_find(values.begin(), values.end(), std::not_equal_to<>()) != values.end();
  };
  return stream.quant.per_feature && (differs(stream.quant.scales) || differs(stream.quant.zps));
}

Result<vision::HostQuantization> scalar_quantization(const Stream& stream) {
  const QuantInfo& quant = stream.quant;
  if (has_feature_quantization(stream))
    return refused(
        fmt::format("stream {} is quantised per feature; its operator needs one scale", stream.name),
        "HailoRT has no usable scale there either (OUTPUT_SCALE_PER_FEATURE)");
  vision::HostQuantization out{quant.zp, quant.scale, quant.limvals_min, quant.limvals_max};
  if (quant.per_feature && !quant.scales.empty() && !quant.zps.empty()) {
    out.scale = quant.scales.front();
    out.zero_point = quant.zps.front();
  }
  NPUBIN_CHECK(check_numbers(stream, out.scale, out.zero_point));
  return out;
}

Result<vision::FeatureQuantization> feature_quantization(const Stream& stream) {
  const std::size_t features = stream.shape.features;
  vision::FeatureQuantization out;
  if (has_feature_quantization(stream)) {
    out = {stream.quant.zps, stream.quant.scales};
    if (out.zero_points.size() != features || out.scales.size() != features)
      return malformed({}, fmt::format("stream {} has {} features, {} scales and {} zero points", stream.name,
                                       features, out.scales.size(), out.zero_points.size()));
    for (std::size_t i = 0; i < features; ++i)
      NPUBIN_CHECK(check_numbers(stream, out.scales[i], out.zero_points[i]));
    return out;
  }
  NPUBIN_TRY(auto scalar, scalar_quantization(stream));
  out.zero_points.assign(features, scalar.zero_point);
  out.scales.assign(features, scalar.scale);
  return out;
}

Result<vision::FeatureMap> feature_map(const Stream& leaf) {
  if (leaf.order != Order::Nhcw)
    return refused(
        fmt::format("stream {} is {}; operators on the host read NHCW", leaf.name, to_string(leaf.order)),
        "HailoRT refuses it as well (HAILO_INVALID_ARGUMENT)");
  if (leaf.transposed)
    return refused(fmt::format("stream {} is transposed; operators on the host do not read that", leaf.name));
  NPUBIN_TRY(std::size_t bytes, element_bytes_of(leaf));
  NPUBIN_TRY(auto quantization, scalar_quantization(leaf));
  vision::FeatureMap out;
  out.height = leaf.shape.height;
  out.width = leaf.shape.width;
  out.features = leaf.shape.features;
  out.padded_width = leaf.hw_shape.width;
  out.padded_features = leaf.hw_shape.features;
  out.wide = bytes == 2;
  out.quantization = quantization;
  if (leaf.hw_shape.height < leaf.shape.height)
    return malformed({}, fmt::format("stream {} has {} rows, {} on the device", leaf.name, leaf.shape.height,
                                     leaf.hw_shape.height));
  return out;
}

Result<vision::ChipNms> chip_nms(const HostContext& context, const Stream& leaf) {
  if (!leaf.nms) return malformed({}, fmt::format("stream {} is no stream of on-chip NMS", leaf.name));
  const NmsInfo& nms = *leaf.nms;
  if (nms.bbox_size != 8)
    return refused(fmt::format("stream {} has boxes of {} bytes; 8 are known", leaf.name, nms.bbox_size));
  vision::ChipNmsConfig config;
  config.classes = nms.classes;
  config.max_per_class = nms.max_bboxes_per_class;
  config.chunks = nms.chunks_per_frame;
  config.burst_size = std::max<std::uint32_t>(nms.burst_size, 1);
  switch (nms.burst_type) {
    case BurstType::H8Bbox:
      config.burst = vision::ChipBurst::H8Bbox;
      break;
    case BurstType::H15Bbox:
      config.burst = vision::ChipBurst::H15Bbox;
      break;
    case BurstType::H8PerClass:
      config.burst = vision::ChipBurst::H8PerClass;
      break;
    case BurstType::H15PerClass:
      config.burst = vision::ChipBurst::H15PerClass;
      break;
    case BurstType::H15PerFrame:
      config.burst = vision::ChipBurst::H15PerFrame;
      break;
    default:
      return refused(fmt::format("stream {} has an unknown kind of bursts", leaf.name));
  }
  // Coordinates and score share the stream's scalar (hef spec 4b).
  config.quantization = {leaf.quant.zp, leaf.quant.scale, leaf.quant.limvals_min, leaf.quant.limvals_max};
  config.counted = context.options.counted_nms;
  return vision::ChipNms::prepare(config);
}

Result<const Stream*> leaf_named(const HostContext& context, std::string_view name) {
  const Stream* leaf = name.empty() ? nullptr : find_leaf(context.group, name);
  if (leaf == nullptr)
    return malformed({},
                     name.empty() ? std::string("a pad of the operator is not connected to any stream")
                                  : fmt::format("stream {} does not exist", name),
                     "npubin check names the pad");
  return leaf;
}

}  // namespace npubin::hef
