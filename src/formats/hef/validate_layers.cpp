// One info or mux layer: name, shape, limits, quantisation, on-chip detections (hef spec 3).
#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "formats/hef/findings.h"

namespace npubin::hef {
namespace {

constexpr std::size_t kMaxStreamName = 127;

void check_name(Findings& f, const Message& layer) {
  const std::string_view name = layer.text("name");
  if (name.empty())
    f.error("HEF-0522", layer, "name", "a stream has no name", status::kInvalidHef,
            "HailoRT asks for streams by name");
  if (name.size() > kMaxStreamName)
    f.error("HEF-0504", layer, "name",
            fmt::format("a stream's name has {} bytes; {} are allowed", name.size(), kMaxStreamName),
            status::kInvalidHef);
  if (name.find('\0') != std::string_view::npos)
    f.warn("HEF-0523", layer, "name", "a stream's name holds a NUL byte: HailoRT cuts it there");
}

void check_limits(Findings& f, const Message& base) {
  constexpr std::pair<const char*, std::uint64_t> kLimits[] = {{"sys_index", 255},
                                                               {"engine_id", 255},
                                                               {"core_bytes_per_buffer", 65535},
                                                               {"core_buffers_per_frame", 65535}};
  for (const auto& [field, limit] : kLimits)
    if (base.u64(field) > limit)
      f.error("HEF-0517", base, field,
              fmt::format("{} is {}; at most {} fits", field, base.u64(field), limit), status::kInvalidHef);
  if (device_order(base.u32("format")) == Order::Unknown)
    f.error("HEF-0601", base, "format",
            fmt::format("format {} is no order that HailoRT knows", base.u32("format")), status::kInvalidHef);
  if (base.u32("data_bytes") != 1 && base.u32("data_bytes") != 2)
    f.error("HEF-0602", base, "data_bytes",
            fmt::format("data_bytes is {}; 1 and 2 exist", base.u32("data_bytes")), status::kInvalidHef);
  if (base.flag("host_argmax"))
    f.error("HEF-0603", base, "host_argmax",
            "the layer asks for the old argmax on the host, which current releases do not have",
            status::kHefNotSupported, "compile the model again");
  if (base.messages("buffer_indices").size() != 1)
    f.error("HEF-0604", base, "buffer_indices",
            fmt::format("{} buffer indices; exactly one is allowed", base.messages("buffer_indices").size()),
            status::kInvalidHef, "HailoRT checks it by assertion only and crashes");
}

void check_shape(Findings& f, const Message& base) {
  constexpr const char* kPairs[][2] = {
      {"height", "padded_height"}, {"width", "padded_width"}, {"features", "padded_features"}};
  std::optional<std::uint64_t> product = std::max<std::uint64_t>(1, base.u32("data_bytes"));
  for (const auto& [plain, padded] : kPairs) {
    const std::uint64_t size = base.u32(plain), with_padding = base.u32(padded);
    if (size == 0) f.error("HEF-0605", base, plain, fmt::format("{} is 0", plain), status::kInvalidHef);
    if (with_padding < size)
      f.error("HEF-0606", base, padded,
              fmt::format("{} {} is below {} {}", padded, with_padding, plain, size), status::kInvalidHef);
    if (product) product = checked_mul(*product, std::max(size, with_padding));
  }
  if (!product || *product > 0xFFFFFFFFu)
    f.error("HEF-0607", base, "padded_height",
            fmt::format(
                "a frame of {} x {} x {} elements passes 2^32 bytes; HailoRT computes in 32 bits and wraps",
                base.u32("padded_height"), base.u32("padded_width"), base.u32("padded_features")),
            status::kInvalidHef);
}

void check_scale(Findings& f, const Message& numeric, std::string_view field, double zp, double scale) {
  if (!std::isfinite(scale) || !std::isfinite(zp))
    f.error("HEF-0611", numeric, field,
            fmt::format("quantisation of scale {} and zero point {} is not finite", scale, zp), status::kNone,
            "HailoRT opens the file; results are meaningless");
  else if (scale == 0)
    f.error("HEF-0612", numeric, field, "the quantisation scale is 0: quantising divides by it",
            status::kNone, "HailoRT opens the file; results are meaningless");
}

void check_quantization(Findings& f, const Message& layer, Direction direction, const Message& base,
                        bool boundary) {
  if (!boundary) return;
  const Message numeric = layer.message("numeric_info");
  check_scale(f, numeric, "qp_scale", double{numeric.f32("qp_zp")}, double{numeric.f32("qp_scale")});
  const auto zps = numeric.numbers("qp_zps"), scales = numeric.numbers("qp_scales");
  if (!f.model().has_extension(kExtScalePerFeature)) return;
  if (direction == Direction::HostToDevice) {
    auto differs = [](const std::vector<double>& values) {
      return std::adjacent_find(values.begin(), values.end(), std::not_equal_to<>()) != values.end();
    };
    if (differs(zps) || differs(scales))
      f.error("HEF-0613", numeric, "qp_scales",
              "an input has different quantisation per feature; HailoRT allows that for outputs only",
              status::kInvalidHef);
    return;
  }
  const bool nms = device_order(base.u32("format")) == Order::NmsOnChip;
  const std::size_t features = nms ? 2 : base.u32("features");
  for (const auto& [field, values] : {std::pair{"qp_zps", &zps}, std::pair{"qp_scales", &scales}})
    if (!values->empty() && values->size() != features)
      f.error("HEF-0614", numeric, field,
              fmt::format("{} has {} values for {} {}", field, values->size(), features,
                          nms ? "quantisations of detections" : "features"),
              status::kInvalidHef);
  for (double scale : scales) check_scale(f, numeric, "qp_scales", 0, scale);
}

void check_burst(Findings& f, const Message& nms) {
  const std::uint64_t type = nms.u32("burst_type"), burst = nms.u32("burst_size"), box = nms.u64("bbox_size");
  const auto bytes = checked_mul(burst, box);
  if (!bytes || *bytes > 65536)
    f.error("HEF-0622", nms, "burst_size",
            fmt::format("a burst of {} boxes of {} bytes passes 65536 bytes", burst, box),
            status::kInvalidHef);
  if (!f.model().has_extension(kExtNmsBurst)) {
    if (type != 0)
      f.error("HEF-0623", nms, "burst_type",
              fmt::format("burst type {} without extension 19 (NMS_OUTPUT_BURST)", type),
              status::kInvalidHef);
    return;
  }
  const ChipFamily family = f.model().family();
  const bool fits = type == 0 || family == ChipFamily::Unknown ||
                    (family == ChipFamily::Hailo8 ? type == 1 : type == 2 || type == 3);
  if (!fits)
    f.error("HEF-0624", nms, "burst_type",
            fmt::format("burst type {} does not belong to the {} family", type,
                        family == ChipFamily::Hailo8 ? "Hailo-8" : "Hailo-15"),
            status::kInvalidHef);
  if (type == 3)
    f.info("HEF-0625", nms, "burst_type", "bursts per frame: HailoRT reckons with a transfer size of 0 there",
           "compilers do not emit this; expect HailoRT to refuse it when the network is configured");
}

void check_nms(Findings& f, const Message& nms) {
  const std::uint64_t classes = nms.u64("number_of_classes"), boxes = nms.u64("max_output_size");
  if (classes == 0)
    f.error("HEF-0620", nms, "number_of_classes", "detections on the chip with 0 classes", status::kNone,
            "HailoRT opens the file");
  const auto total = checked_mul(classes, std::max<std::uint64_t>(1, boxes));
  if (classes > 0xFFFF || boxes > 0xFFFFFFFFu || !total || *total > 0xFFFFFFFu)
    f.error("HEF-0621", nms, "number_of_classes",
            fmt::format(
                "{} classes of {} boxes are more than a frame can hold; HailoRT cuts the numbers to 32 bits",
                classes, boxes),
            status::kInvalidHef);
  const std::uint64_t index = nms.message("defuse_info").u64("class_group_index");
  if (index >= 9)
    f.error("HEF-0626", nms.message("defuse_info"), "class_group_index",
            fmt::format("class_group_index {}; below 9 is allowed", index), status::kInvalidHef);
  check_burst(f, nms);
}

}  // namespace

void check_layer(Findings& f, const Message& layer, Direction direction, bool boundary) {
  check_name(f, layer);
  const Message base = layer.message("edge_layer_base");
  check_limits(f, base);
  if (device_order(base.u32("format")) == Order::NmsOnChip)
    check_nms(f, base.message("additional_info").message("nms_info"));
  else
    check_shape(f, base);
  if (layer.schema() != nullptr && layer.schema()->by_name("numeric_info") != nullptr)
    check_quantization(f, layer, direction, base, boundary);
}

}  // namespace npubin::hef
