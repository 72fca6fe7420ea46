#include "formats/armnn/descriptors.h"

#include <fmt/format.h>

namespace npubin::armnn {
namespace {

using namespace npubin::graph;

std::int64_t layout_of(DataLayout layout) {
  return layout == DataLayout::Nchw ? 1 : 0;
}
std::int64_t number(std::uint32_t value) {
  return value;
}

void set_padding(Record& d, const Padding& padding) {
  d.set("padLeft", number(padding.left));
  d.set("padRight", number(padding.right));
  d.set("padTop", number(padding.top));
  d.set("padBottom", number(padding.bottom));
}

bool has_bias(const graph::Node& node) {
  return node.inputs.size() > 2 && node.inputs[2] != kNoValue;
}

void convolution(const graph::Node& node, Record& d, bool dilated) {
  const auto& a = node.attr<ConvAttributes>();
  set_padding(d, a.padding);
  d.set("strideX", number(a.stride_x));
  d.set("strideY", number(a.stride_y));
  if (dilated) {
    d.set("dilationX", number(a.dilation_x));
    d.set("dilationY", number(a.dilation_y));
  }
  d.set("biasEnabled", std::int64_t{has_bias(node)});
  d.set("dataLayout", layout_of(a.layout));
}

void pooling(const graph::Node& node, Record& d) {
  const auto& a = node.attr<PoolAttributes>();
  d.set("poolType", static_cast<std::int64_t>(a.algorithm));
  set_padding(d, a.padding);
  d.set("poolWidth", number(a.size_x));
  d.set("poolHeight", number(a.size_y));
  d.set("strideX", number(a.stride_x));
  d.set("strideY", number(a.stride_y));
  d.set("outputShapeRounding", std::int64_t{a.ceiling});
  d.set("paddingMethod", std::int64_t{a.padding_counts ? 0 : 1});
  d.set("dataLayout", layout_of(a.layout));
}

void origins(Record& d, const std::vector<std::vector<std::uint32_t>>& views, std::int64_t axis) {
  d.set("concatAxis", axis);
  d.set("numViews", static_cast<std::int64_t>(views.size()));
  d.set("numDimensions", static_cast<std::int64_t>(views.empty() ? 0 : views[0].size()));
  std::vector<Record> list;
  for (const auto& view : views) {
    list.emplace_back(TableId::UintVector);
    list.back().set_u32s("data", view);
  }
  d.set("viewOrigins", std::move(list));
}

void splitter(const Graph& graph, const graph::Node& node, Record& d) {
  const auto& a = node.attr<SplitAttributes>();
  origins(d.add_child("origins", TableId::OriginsDescriptor), a.view_origins, a.axis);
  std::vector<Record> sizes;
  for (ValueId id : node.outputs) {
    const Shape& shape = graph.value(id).shape;
    sizes.emplace_back(TableId::UintVector);
    sizes.back().set_u32s("data", std::vector<std::uint32_t>(shape.begin(), shape.end()));
  }
  d.set("viewSizes", std::move(sizes));
}

std::vector<std::uint32_t> flat(const std::vector<std::pair<std::uint32_t, std::uint32_t>>& pairs) {
  std::vector<std::uint32_t> out;
  for (const auto& [before, after] : pairs) {
    out.push_back(before);
    out.push_back(after);
  }
  return out;
}

void strided_slice(const graph::Node& node, Record& d) {
  const auto& a = node.attr<StridedSliceAttributes>();
  d.set_i32s("begin", a.begin);
  d.set_i32s("end", a.end);
  d.set_i32s("stride", a.stride);
  d.set("beginMask", number(a.begin_mask));
  d.set("endMask", number(a.end_mask));
  d.set("shrinkAxisMask", number(a.shrink_axis_mask));
  d.set("ellipsisMask", number(a.ellipsis_mask));
  d.set("newAxisMask", number(a.new_axis_mask));
  d.set("dataLayout", layout_of(a.layout));
}

void space_batch(const graph::Node& node, Record& d, std::string_view pads) {
  const auto& a = node.attr<SpaceBatchAttributes>();
  d.set_u32s("blockShape", a.block);
  d.set_u32s(pads, flat(a.pads));
  d.set("dataLayout", layout_of(a.layout));
}

Result<void> axes(const Graph& graph, const graph::Node& node, Record& d) {
  const auto& a = node.attr<ReduceAttributes>();
  const auto rank = static_cast<std::int32_t>(graph.value(node.inputs[0]).shape.size());
  std::vector<std::uint32_t> out;
  for (std::int32_t axis : a.axes) out.push_back(static_cast<std::uint32_t>(axis < 0 ? axis + rank : axis));
  d.set_u32s("axis", out);
  d.set("keepDims", std::int64_t{a.keep_dims});
  return {};
}

void normalization(const graph::Node& node, Record& d) {
  const auto& a = node.attr<LocalResponseAttributes>();
  d.set("normChannelType", std::int64_t{a.across_channels ? 0 : 1});
  d.set("normMethodType", std::int64_t{a.local_contrast});
  d.set("normSize", number(a.norm_size));
  d.set("alpha", a.alpha);
  d.set("beta", a.beta);
  d.set("k", a.k);
  d.set("dataLayout", layout_of(a.layout));
}

struct PlainRow {
  Op op;
  LayerType type;
  std::int64_t operation;  // of the descriptor; -1: no descriptor
};
constexpr PlainRow kPlain[] = {
    {Op::Add, LayerType::Addition, -1},
    {Op::Sub, LayerType::Subtraction, -1},
    {Op::Mul, LayerType::Multiplication, -1},
    {Op::Div, LayerType::Division, -1},
    {Op::Minimum, LayerType::Minimum, -1},
    {Op::Maximum, LayerType::Maximum, -1},
    {Op::Floor, LayerType::Floor, -1},
    {Op::Prelu, LayerType::Prelu, -1},
    {Op::Quantize, LayerType::Quantize, -1},
    {Op::Dequantize, LayerType::Dequantize, -1},
    {Op::Rank, LayerType::Rank, -1},
    {Op::Cast, LayerType::Cast, -1},
    {Op::Equal, LayerType::Comparison, 0},
    {Op::Greater, LayerType::Comparison, 1},
    {Op::GreaterEqual, LayerType::Comparison, 2},
    {Op::Less, LayerType::Comparison, 3},
    {Op::LessEqual, LayerType::Comparison, 4},
    {Op::NotEqual, LayerType::Comparison, 5},
    // Arm NN 20.08 cannot read ElementwiseUnary back (armnn spec 5, D10); these two have older layers.
    {Op::Abs, LayerType::Abs, -1},
    {Op::Rsqrt, LayerType::Rsqrt, -1},
    {Op::Sqrt, LayerType::ElementwiseUnary, 2},
    {Op::Exp, LayerType::ElementwiseUnary, 3},
    {Op::Neg, LayerType::ElementwiseUnary, 4},
    {Op::LogicalNot, LayerType::ElementwiseUnary, 5},
    {Op::LogicalAnd, LayerType::LogicalBinary, 0},
    {Op::LogicalOr, LayerType::LogicalBinary, 1},
};

struct Row {
  Op op;
  LayerType type;
};
constexpr Row kRows[] = {
    {Op::Conv2d, LayerType::Convolution2d},
    {Op::DepthwiseConv2d, LayerType::DepthwiseConvolution2d},
    {Op::TransposeConv2d, LayerType::TransposeConvolution2d},
    {Op::FullyConnected, LayerType::FullyConnected},
    {Op::Pool2d, LayerType::Pooling2d},
    {Op::LocalResponseNormalization, LayerType::Normalization},
    {Op::L2Normalization, LayerType::L2Normalization},
    {Op::BatchNormalization, LayerType::BatchNormalization},
    {Op::InstanceNormalization, LayerType::InstanceNormalization},
    {Op::Activation, LayerType::Activation},
    {Op::Softmax, LayerType::Softmax},
    {Op::LogSoftmax, LayerType::LogSoftmax},
    {Op::ArgMinMax, LayerType::ArgMinMax},
    {Op::Fill, LayerType::Fill},
    {Op::Reshape, LayerType::Reshape},
    {Op::Transpose, LayerType::Transpose},
    {Op::Concat, LayerType::Concat},
    {Op::Split, LayerType::Splitter},
    {Op::Slice, LayerType::Slice},
    {Op::StridedSlice, LayerType::StridedSlice},
    {Op::Pad, LayerType::Pad},
    {Op::Gather, LayerType::Gather},
    {Op::Stack, LayerType::Stack},
    {Op::Resize, LayerType::Resize},
    {Op::SpaceToBatchNd, LayerType::SpaceToBatchNd},
    {Op::BatchToSpaceNd, LayerType::BatchToSpaceNd},
    {Op::SpaceToDepth, LayerType::SpaceToDepth},
    {Op::DepthToSpace, LayerType::DepthToSpace},
};

// The descriptors that take more than a line or two are functions above.
Result<void> fill_descriptor(const Graph& graph, const graph::Node& node, LayerType type, Record& d) {
  switch (type) {
    case LayerType::Convolution2d:
    case LayerType::DepthwiseConvolution2d:
      convolution(node, d, true);
      break;
    case LayerType::TransposeConvolution2d:
      convolution(node, d, false);
      break;
    case LayerType::FullyConnected:
      d.set("biasEnabled", std::int64_t{has_bias(node)});
      d.set("transposeWeightsMatrix", std::int64_t{node.attr<FullyConnectedAttributes>().weights_transposed});
      break;
    case LayerType::Pooling2d:
      pooling(node, d);
      break;
    case LayerType::Normalization:
      normalization(node, d);
      break;
    case LayerType::L2Normalization:
    case LayerType::BatchNormalization:
    case LayerType::InstanceNormalization: {
      const auto& a = node.attr<NormalizationAttributes>();
      d.set("eps", a.epsilon);
      d.set("dataLayout", layout_of(a.layout));
      if (type != LayerType::InstanceNormalization) break;
      d.set("gamma", a.gamma);
      d.set("beta", a.beta);
      break;
    }
    case LayerType::Activation: {
      const auto& a = node.attr<ActivationAttributes>();
      // Activation follows ActivationFunction, one further for None.
      if (a.function == Activation::None) return refused("an activation without a function");
      d.set("activationFunction", static_cast<std::int64_t>(a.function) - 1);
      d.set("a", a.a);
      d.set("b", a.b);
      break;
    }
    case LayerType::Softmax:
    case LayerType::LogSoftmax: {
      const auto& a = node.attr<SoftmaxAttributes>();
      const auto last = static_cast<int>(graph.value(node.inputs[0]).shape.size()) - 1;
      d.set("beta", a.beta);
      d.set("axis", std::int64_t{a.axis == last ? -1 : a.axis});
      break;
    }
    case LayerType::ArgMinMax:
      d.set("argMinMaxFunction", std::int64_t{node.attr<ArgMinMaxAttributes>().maximum});
      d.set("axis", std::int64_t{node.attr<ArgMinMaxAttributes>().axis});
      break;
    case LayerType::Fill:
      d.set("value", node.attr<FillAttributes>().value);
      break;
    case LayerType::Mean:
      return axes(graph, node, d);
    case LayerType::Reduce:
      d.set("reduceOperation",
            std::int64_t{node.attr<ReduceAttributes>().operation == ReduceOperation::Sum   ? 0
                         : node.attr<ReduceAttributes>().operation == ReduceOperation::Max ? 1
                         : node.attr<ReduceAttributes>().operation == ReduceOperation::Min ? 3
                                                                                           : 4});
      return axes(graph, node, d);
    case LayerType::Reshape: {
      const Shape& shape = node.attr<ReshapeAttributes>().shape;
      d.set_u32s("targetShape", std::vector<std::uint32_t>(shape.begin(), shape.end()));
      break;
    }
    case LayerType::Transpose: {
      const auto& permutation = node.attr<TransposeAttributes>().permutation;
      d.set_u32s("dimMappings", std::vector<std::uint32_t>(permutation.begin(), permutation.end()));
      break;
    }
    case LayerType::Concat:
      origins(d, node.attr<ConcatAttributes>().view_origins, node.attr<ConcatAttributes>().axis);
      break;
    case LayerType::Splitter:
      splitter(graph, node, d);
      break;
    case LayerType::Slice: {
      const auto& a = node.attr<SliceAttributes>();
      d.set_u32s("begin", std::vector<std::uint32_t>(a.begin.begin(), a.begin.end()));
      d.set_u32s("size", std::vector<std::uint32_t>(a.size.begin(), a.size.end()));
      break;
    }
    case LayerType::StridedSlice:
      strided_slice(node, d);
      break;
    case LayerType::Pad:
      d.set_u32s("padList", flat(node.attr<PadAttributes>().pads));
      d.set("padValue", node.attr<PadAttributes>().value);
      d.set("paddingMode", static_cast<std::int64_t>(node.attr<PadAttributes>().mode));
      break;
    case LayerType::Gather:
      if (node.attr<GatherAttributes>().batch_dims != 0) return refused("Gather with batch dimensions");
      d.set("axis", std::int64_t{node.attr<GatherAttributes>().axis});
      break;
    case LayerType::Stack: {
      const Shape& shape = graph.value(node.inputs[0]).shape;
      d.set("axis", std::int64_t{node.attr<StackAttributes>().axis});
      d.set("numInputs", static_cast<std::int64_t>(node.inputs.size()));
      d.set_u32s("inputShape", std::vector<std::uint32_t>(shape.begin(), shape.end()));
      break;
    }
    case LayerType::Resize: {
      const auto& a = node.attr<ResizeAttributes>();
      d.set("targetHeight", number(a.height));
      d.set("targetWidth", number(a.width));
      d.set("method", std::int64_t{a.method == ResizeMethod::Bilinear});
      d.set("dataLayout", layout_of(a.layout));
      d.set("alignCorners", std::int64_t{a.align_corners});
      d.set("halfPixelCenters", std::int64_t{a.half_pixel_centers});
      break;
    }
    case LayerType::SpaceToBatchNd:
      space_batch(node, d, "padList");
      break;
    case LayerType::BatchToSpaceNd:
      space_batch(node, d, "crops");
      break;
    case LayerType::SpaceToDepth:
    case LayerType::DepthToSpace:
      d.set("blockSize", number(node.attr<SpaceDepthAttributes>().block));
      d.set("dataLayout", layout_of(node.attr<SpaceDepthAttributes>().layout));
      break;
    default:
      return refused(fmt::format("a descriptor of {}", layer_kind(type).name));
  }
  return {};
}

// A fused activation is a layer of its own in Arm NN; whoever converts from another format has split it off.
bool fuses(const graph::Node& node) {
  return std::visit(
      [](const auto& a) {
        if constexpr (requires { a.activation.function; })
          return a.activation.function != Activation::None;
        else
          return false;
      },
      node.attributes);
}

}  // namespace

Result<LayerType> describe_node(const Graph& graph, const graph::Node& node, Record& layer) {
  if (fuses(node)) return refused(fmt::format("{} with a fused activation", to_string(node.op)));
  for (const PlainRow& row : kPlain) {
    if (row.op != node.op) continue;
    layer.become(layer_kind(row.type).table);
    if (row.operation >= 0) {
      const Slot* descriptor = slot_named(layer.id(), "descriptor", kNewestAge);
      layer.add_child("descriptor", descriptor->target).set("operation", row.operation);
    }
    return row.type;
  }
  std::optional<LayerType> type;
  for (const Row& row : kRows)
    if (row.op == node.op) type = row.type;
  if (node.op == Op::Reduce)
    type = node.attr<ReduceAttributes>().operation == ReduceOperation::Mean ? LayerType::Mean
                                                                            : LayerType::Reduce;
  if (!type) return refused(fmt::format("{} ({})", to_string(node.op), node.source_type));
  layer.become(layer_kind(*type).table);
  const Slot* descriptor = slot_named(layer.id(), "descriptor", kNewestAge);
  NPUBIN_CHECK(fill_descriptor(graph, node, *type, layer.add_child("descriptor", descriptor->target)));
  return *type;
}

std::vector<std::string_view> members_of(LayerType type) {
  switch (type) {
    case LayerType::Convolution2d:
    case LayerType::DepthwiseConvolution2d:
    case LayerType::TransposeConvolution2d:
    case LayerType::FullyConnected:
      return {"weights", "biases"};
    case LayerType::BatchNormalization:
      return {"mean", "variance", "beta", "gamma"};
    default:
      return {};
  }
}

}  // namespace npubin::armnn
