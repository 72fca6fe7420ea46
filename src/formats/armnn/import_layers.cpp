// The table of importers by layer type, and what they share.
#include <cmath>

#include <fmt/format.h>

#include "formats/armnn/layer_import.h"
#include "formats/armnn/tensors.h"

namespace npubin::armnn {
namespace {

using graph::Op;

template <Op op>
void plain(LayerImport& at) {
  at.node.op = op;
}
template <Op op>
void binary(LayerImport& at) {
  at.node.op = op;
  at.node.attributes = graph::BinaryAttributes{};
}

struct ImportRow {
  LayerType type;
  ImportLayer import;
};

// Types that are not here are read, checked and listed; in the graph they are Op::Unsupported.
constexpr ImportRow kImports[] = {
    {LayerType::Addition, binary<Op::Add>},
    {LayerType::Multiplication, binary<Op::Mul>},
    {LayerType::Subtraction, binary<Op::Sub>},
    {LayerType::Division, binary<Op::Div>},
    {LayerType::Minimum, binary<Op::Minimum>},
    {LayerType::Maximum, binary<Op::Maximum>},
    {LayerType::Equal, binary<Op::Equal>},
    {LayerType::Greater, binary<Op::Greater>},
    {LayerType::Comparison, importers::comparison},
    {LayerType::LogicalBinary, importers::logical_binary},
    {LayerType::ElementwiseBinary, importers::elementwise_binary},
    {LayerType::ElementwiseUnary, importers::elementwise_unary},
    {LayerType::Rsqrt, plain<Op::Rsqrt>},
    {LayerType::Abs, plain<Op::Abs>},
    {LayerType::Floor, plain<Op::Floor>},
    {LayerType::Prelu, plain<Op::Prelu>},
    {LayerType::Quantize, plain<Op::Quantize>},
    {LayerType::Dequantize, plain<Op::Dequantize>},
    {LayerType::Cast, plain<Op::Cast>},
    {LayerType::Rank, plain<Op::Rank>},
    {LayerType::Shape, plain<Op::Shape>},
    {LayerType::GatherNd, plain<Op::GatherNd>},
    {LayerType::Activation, importers::activation},
    {LayerType::Softmax, importers::softmax},
    {LayerType::LogSoftmax, importers::log_softmax},
    {LayerType::Mean, importers::mean},
    {LayerType::Reduce, importers::reduce},
    {LayerType::ArgMinMax, importers::arg_min_max},
    {LayerType::Fill, importers::fill},
    {LayerType::Convolution2d, importers::convolution},
    {LayerType::DepthwiseConvolution2d, importers::depthwise_convolution},
    {LayerType::TransposeConvolution2d, importers::transpose_convolution},
    {LayerType::FullyConnected, importers::fully_connected},
    {LayerType::BatchMatMul, importers::batch_mat_mul},
    {LayerType::Pooling2d, importers::pooling},
    {LayerType::Normalization, importers::normalization},
    {LayerType::L2Normalization, importers::l2_normalization},
    {LayerType::BatchNormalization, importers::batch_normalization},
    {LayerType::InstanceNormalization, importers::instance_normalization},
    {LayerType::DetectionPostProcess, importers::detection_post_process},
    {LayerType::Reshape, importers::reshape},
    {LayerType::Permute, importers::permute},
    {LayerType::Transpose, importers::transpose},
    {LayerType::Merger, importers::concat},
    {LayerType::Concat, importers::concat},
    {LayerType::Splitter, importers::splitter},
    {LayerType::Slice, importers::slice},
    {LayerType::StridedSlice, importers::strided_slice},
    {LayerType::Pad, importers::pad},
    {LayerType::Gather, importers::gather},
    {LayerType::Stack, importers::stack},
    {LayerType::Resize, importers::resize},
    {LayerType::ResizeBilinear, importers::resize_bilinear},
    {LayerType::SpaceToBatchNd, importers::space_to_batch},
    {LayerType::BatchToSpaceNd, importers::batch_to_space},
    {LayerType::SpaceToDepth, importers::space_to_depth},
    {LayerType::DepthToSpace, importers::depth_to_space},
    {LayerType::Tile, importers::tile},
};

}  // namespace

ImportLayer importer_of(LayerType type) {
  for (const ImportRow& row : kImports)
    if (row.type == type) return row.import;
  return nullptr;
}

void LayerImport::error(std::string_view code, std::string_view field, std::string message,
                        std::string hint) {
  failed_ = true;
  const std::uint32_t offset =
      descriptor.id() != TableId::None ? descriptor.offset_of(field) : layer.table.offset();
  findings.error(std::string(code),
                 Location::at(offset, fmt::format("layers[{}].descriptor.{}", layer.position, field)),
                 fmt::format("{}: {}", label(layer), message), std::move(hint));
}
void LayerImport::warn(std::string_view code, std::string_view field, std::string message, std::string hint) {
  const std::uint32_t offset =
      descriptor.id() != TableId::None ? descriptor.offset_of(field) : layer.table.offset();
  findings.warn(std::string(code),
                Location::at(offset, fmt::format("layers[{}].descriptor.{}", layer.position, field)),
                fmt::format("{}: {}", label(layer), message), std::move(hint));
}

graph::ValueId LayerImport::constant(std::string_view member, bool required) {
  const auto found = layer.constant(member);
  if (!found) {
    if (required)
      findings.error("ARM-0320", where(layer, member), fmt::format("{} has no {}", label(layer), member));
    return graph::kNoValue;
  }
  auto value = constant_of(bytes_, file_, *found, fmt::format("{}: {}", label(layer), member),
                           fmt::format("layers[{}].{}", layer.position, member), findings);
  if (!value) return graph::kNoValue;
  value->name = fmt::format("{}.{}", layer.name.empty() ? label(layer) : std::string(layer.name), member);
  return graph.add_value(*std::move(value));
}

void LayerImport::add_weights_and_bias(bool bias_enabled) {
  if (node.inputs.size() > 1) {
    // Since 21.08 weights and bias come from other layers; Arm NN itself goes by the number of slots.
    if (bias_enabled && node.inputs.size() < 3)
      error("ARM-0320", "biasEnabled", "biasEnabled is set, but there is no input slot 2 for the bias");
    if (!bias_enabled && node.inputs.size() > 2) node.inputs.resize(2);
  } else {
    node.inputs.push_back(constant("weights", true));
    if (bias_enabled) node.inputs.push_back(constant("biases", true));
  }
  node.inputs.resize(3, graph::kNoValue);
}

graph::DataLayout LayerImport::data_layout(std::string_view field) {
  const std::int32_t layout = descriptor.enumeration(field);
  if (layout > 1)
    error("ARM-0403", field,
          fmt::format("{} does not fit a two-dimensional layer", enum_name(EnumId::DataLayout, layout)));
  return layout == 1 ? graph::DataLayout::Nchw : graph::DataLayout::Nhwc;
}

graph::Padding LayerImport::padding() const {
  return {descriptor.u32("padTop"), descriptor.u32("padLeft"), descriptor.u32("padBottom"),
          descriptor.u32("padRight")};
}

}  // namespace npubin::armnn
