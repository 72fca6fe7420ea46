// TFLite_Detection_PostProcess: its options are a FlexBuffer. tflite spec 6.
#include <cmath>

#include <fmt/format.h>

#include "formats/tflite/flexbuffer_map.h"
#include "formats/tflite/import/operator_import.h"

namespace npubin::tflite {
namespace {

using namespace graph;

class Options {
 public:
  Options(const OperatorImport& op, const FlexBufferMap& map) : op_(op), map_(map) {}

  bool integer(std::string_view key, std::int64_t low, std::int64_t high, std::int32_t& out,
               bool required = true) {
    const auto value = map_.integer(key);
    if (!value && !required) return true;
    if (!value) return op_.error("TFL-0204", fmt::format("its options lack {}", key));
    if (*value < low || *value > high)
      return op_.error("TFL-0204", fmt::format("{} is {}, outside {} to {}", key, *value, low, high));
    out = static_cast<std::int32_t>(*value);
    return true;
  }
  bool real(std::string_view key, float& out) {
    const auto value = map_.real(key);
    if (!value || !std::isfinite(*value))
      return op_.error("TFL-0204", fmt::format("its options lack a number {}", key));
    out = static_cast<float>(*value);
    return true;
  }

 private:
  const OperatorImport& op_;
  const FlexBufferMap& map_;
};

}  // namespace

bool import_detection(const OperatorImport& op) {
  if (op.input_count() != 3 || op.output_count() != 4)
    return op.error("TFL-0201", fmt::format("{} operands and {} outputs; it takes 3 and gives 4",
                                            op.input_count(), op.output_count()));
  auto map = FlexBufferMap::read(op.op().custom_options, op.op().custom_options_offset);
  if (!map)
    return op.error("TFL-0210", fmt::format("at {:#x}: {}", *map.error().where.offset, map.error().message),
                    map.error().hint);
  constexpr std::int64_t kLargest = 1 << 20;
  Options options(op, *map);
  DetectionAttributes out;
  if (!options.integer("max_detections", 1, kLargest, out.max_detections) ||
      !options.integer("max_classes_per_detection", 1, kLargest, out.max_classes_per_detection) ||
      !options.integer("detections_per_class", 1, kLargest, out.detections_per_class, false) ||
      !options.integer("num_classes", 1, kLargest, out.num_classes) ||
      !options.real("nms_score_threshold", out.score_threshold) ||
      !options.real("nms_iou_threshold", out.iou_threshold) || !options.real("y_scale", out.scale_y) ||
      !options.real("x_scale", out.scale_x) || !options.real("h_scale", out.scale_h) ||
      !options.real("w_scale", out.scale_w))
    return false;
  out.regular_nms = map->integer("use_regular_nms").value_or(0) != 0;
  if (!out.regular_nms && out.max_classes_per_detection > 1)
    return op.unsupported("fast suppression with several classes per detection");
  op.node().attributes = out;
  return true;
}

}  // namespace npubin::tflite
