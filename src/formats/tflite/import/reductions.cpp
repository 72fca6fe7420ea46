// Attributes of reductions, arg and resizing operators. tflite spec 6.
#include <fmt/format.h>

#include "formats/tflite/import/operator_import.h"

namespace npubin::tflite {

using namespace graph;

bool import_reduce(const OperatorImport& op) {
  ReduceAttributes out;
  switch (op.op().code->builtin) {
    case 40:
      out.operation = ReduceOperation::Mean;
      break;
    case 74:
      out.operation = ReduceOperation::Sum;
      break;
    case 81:
      out.operation = ReduceOperation::Prod;
      break;
    case 82:
      out.operation = ReduceOperation::Max;
      break;
    default:
      out.operation = ReduceOperation::Min;
      break;
  }
  out.keep_dims = op.option("keep_dims") != 0;
  const auto axes = op.constant_integers(1, "axes");
  if (!axes) return false;
  for (std::int64_t axis : *axes) {
    int normal = 0;
    if (!op.normalize_axis(axis, op.input(0)->shape.size(), normal)) return false;
    out.axes.push_back(normal);
  }
  // An empty list reduces nothing in TensorFlow Lite, and everything in Arm NN.
  if (out.axes.empty() && !op.input(0)->shape.empty()) return op.unsupported("an empty list of axes");
  op.node().attributes = std::move(out);
  return true;
}

bool import_arg_min_max(const OperatorImport& op) {
  ArgMinMaxAttributes out;
  out.maximum = op.op().code->builtin == 56;
  const auto axis = op.constant_integer(1, "axis");
  if (!axis || !op.normalize_axis(*axis, op.input(0)->shape.size(), out.axis)) return false;
  op.node().attributes = out;
  return true;
}

bool import_resize(const OperatorImport& op) {
  ResizeAttributes out;
  out.method = op.op().code->builtin == 23 ? ResizeMethod::Bilinear : ResizeMethod::NearestNeighbor;
  out.align_corners = op.option("align_corners") != 0;
  out.half_pixel_centers = op.option("half_pixel_centers") != 0;
  const auto size = op.constant_integers(1, "size");
  if (!size) return false;
  constexpr std::int64_t kLargest = 1 << 20;
  if (size->size() != 2 || (*size)[0] < 1 || (*size)[1] < 1 || (*size)[0] > kLargest || (*size)[1] > kLargest)
    return op.error("TFL-0204", fmt::format("its size is {}", to_string(*size)),
                    "height and width must be 1 or more");
  out.height = static_cast<std::uint32_t>((*size)[0]);
  out.width = static_cast<std::uint32_t>((*size)[1]);
  op.node().attributes = out;
  return true;
}

}  // namespace npubin::tflite
