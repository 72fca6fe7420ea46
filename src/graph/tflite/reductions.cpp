// Reductions, arg, resizing and conversions of types. tflite spec 3 and 6.
#include "graph/tflite/node_view.h"

namespace npubin::graph {

RuleBreach check_reduce(const NodeView& node) {
  const Value &in = node.in(0), &out = node.out();
  const auto& a = node.node().attr<ReduceAttributes>();
  const bool sums = a.operation == ReduceOperation::Mean || a.operation == ReduceOperation::Sum;
  if (sums)
    NPUBIN_RULE(type_among(in, {DType::F32, DType::I8, DType::I16, DType::U8}));
  else if (a.operation == ReduceOperation::Prod)
    NPUBIN_RULE(type_among(in, {DType::F32, DType::I32}));
  else
    NPUBIN_RULE(type_among(in, {DType::F32, DType::I8, DType::I16, DType::U8, DType::I32, DType::I64}));
  NPUBIN_RULE(same_type(in, out));
  NPUBIN_RULE(quantized(in, false));
  NPUBIN_RULE(quantized(out, false));
  if (!sums) NPUBIN_RULE(same_quantization(in, out));
  std::vector<bool> gone(in.shape.size(), a.axes.empty());
  for (std::int32_t axis : a.axes) {
    const std::int64_t d = axis < 0 ? axis + static_cast<std::int64_t>(in.shape.size()) : axis;
    if (d < 0 || d >= static_cast<std::int64_t>(in.shape.size()))
      return fault("TFL-0204", fmt::format("axis {} of {} dimensions", axis, in.shape.size()));
    gone[static_cast<std::size_t>(d)] = true;
  }
  Shape expected;
  for (std::size_t i = 0; i < in.shape.size(); ++i) {
    if (!gone[i]) expected.push_back(in.shape[i]);
    if (gone[i] && a.keep_dims) expected.push_back(1);
    if (gone[i] && in.shape[i] == 0 && !sums)
      return fault("TFL-0206", "a dimension of 0 has no largest or smallest element");
  }
  return shape_is(out, expected);
}

RuleBreach check_arg(const NodeView& node) {
  const Value &in = node.in(0), &out = node.out();
  const int axis = node.node().attr<ArgMinMaxAttributes>().axis;
  NPUBIN_RULE(type_among(in, {DType::F32, DType::I8, DType::U8, DType::I16, DType::I32}));
  NPUBIN_RULE(type_among(out, {DType::I32, DType::I64}));
  const std::int64_t d = axis < 0 ? axis + static_cast<std::int64_t>(in.shape.size()) : axis;
  if (d < 0 || d >= static_cast<std::int64_t>(in.shape.size()))
    return fault("TFL-0204", fmt::format("axis {} of {} dimensions", axis, in.shape.size()));
  if (in.shape[static_cast<std::size_t>(d)] == 0)
    return fault("TFL-0206", "a dimension of 0 has no largest element");
  Shape expected = in.shape;
  expected.erase(expected.begin() + d);
  return shape_is(out, expected);
}

RuleBreach check_resize(const NodeView& node) {
  const Value &in = node.in(0), &out = node.out();
  const auto& a = node.node().attr<ResizeAttributes>();
  NPUBIN_RULE(rank_is(in, 4));
  if (a.method == ResizeMethod::Bilinear) NPUBIN_RULE(type_among(in, {DType::F32, DType::I8}));
  NPUBIN_RULE(same_type(in, out));
  if (a.align_corners && a.half_pixel_centers)
    return fault("TFL-0204", "align_corners and half_pixel_centers exclude each other");
  if (in.shape[1] < 1 || in.shape[2] < 1)
    return fault("TFL-0206", fmt::format("its input is {}", to_string(in.shape)));
  if (in.shape[1] > 1 << 20 || in.shape[2] > 1 << 20)
    return not_computed("pictures of more than 2^20 rows or columns");
  if (in.quantization.present() && !same_codes(in.quantization, out.quantization))
    NPUBIN_RULE(same_quantization(in, out));
  return shape_is(out, {in.shape[0], a.height, a.width, in.shape[3]});
}

RuleBreach check_conversion(const NodeView& node) {
  const Value &in = node.in(0), &out = node.out();
  NPUBIN_RULE(shape_is(out, in.shape));
  if (node.node().op == Op::Cast) {
    for (const Value* value : {&in, &out})
      NPUBIN_RULE(type_among(*value, {DType::F32, DType::F64, DType::I8, DType::U8, DType::I16, DType::U16,
                                      DType::I32, DType::U32, DType::I64, DType::Bool}));
    return {};
  }
  if (node.node().op == Op::Dequantize) {
    NPUBIN_RULE(type_among(in, {DType::F16, DType::I8, DType::U8, DType::I16, DType::I32}));
    NPUBIN_RULE(type_among(out, {DType::F32}));
    if (in.type == DType::I32 && !in.quantization.present())
      return fault("TFL-0207", fmt::format("'{}' has no quantisation", in.name));
    return quantized(in, false);
  }
  NPUBIN_RULE(type_among(in, {DType::F32, DType::I8, DType::U8, DType::I16, DType::I32}));
  NPUBIN_RULE(type_among(out, {DType::I8, DType::U8, DType::I16, DType::I32}));
  for (const Value* value : {&in, &out}) {
    if (value->type == DType::F32) continue;
    if (!value->quantization.present())
      return fault("TFL-0207", fmt::format("'{}' has no quantisation", value->name));
    if (value->quantization.per_axis())
      return not_computed(fmt::format("'{}' has scales per channel", value->name));
  }
  return {};
}

}  // namespace npubin::graph
