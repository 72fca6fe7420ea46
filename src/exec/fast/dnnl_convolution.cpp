// Float32 convolutions and fully connected layers through oneDNN: weights prepacked once, bias, activations
// and residual additions in the same pass.
#include <algorithm>
#include <span>

#include "exec/fast/dnnl_step.h"
#include "exec/fast/plan_cache.h"

namespace npubin::exec::fast {
namespace {

using dnnl::memory;
using graph::ConvAttributes;
using graph::DataLayout;
using graph::DepthwiseWeights;
using graph::Op;
using Dims = memory::dims;
using Tag = memory::format_tag;

bool is_f32(const Draft& draft, graph::ValueId id) {
  return id == graph::kNoValue || draft.value(id).type == DType::F32;
}

bool all_f32(const Draft& draft, const graph::Node& node) {
  for (graph::ValueId id : node.inputs)
    if (!is_f32(draft, id)) return false;
  return is_f32(draft, node.outputs[0]);
}

bool constant_operands(const Draft& draft, const graph::Node& node) {
  for (std::size_t k = 1; k < node.inputs.size(); ++k)
    if (node.inputs[k] != graph::kNoValue && !draft.is_constant(node.inputs[k])) return false;
  return true;
}

bool has_bias(const graph::Node& node) {
  return node.inputs.size() > 2 && node.inputs[2] != graph::kNoValue;
}

// The tensor's dimensions in oneDNN's order, N C H W.
Dims image_dims(const Shape& shape, DataLayout layout) {
  if (layout == DataLayout::Nchw) return {shape[0], shape[1], shape[2], shape[3]};
  return {shape[0], shape[3], shape[1], shape[2]};
}

struct WeightLayout {
  Dims dims;
  Tag stored;
};

WeightLayout weight_layout(const graph::Node& node, const Shape& w, std::int64_t input_channels) {
  const auto& a = node.attr<ConvAttributes>();
  if (node.op == Op::Conv2d) {
    if (a.layout == DataLayout::Nchw) return {{w[0], w[1], w[2], w[3]}, Tag::oihw};
    const std::int64_t groups = w[3] == 0 ? 1 : input_channels / w[3];
    if (groups > 1) return {{groups, w[0] / groups, w[3], w[1], w[2]}, Tag::gohwi};
    return {{w[0], w[3], w[1], w[2]}, Tag::ohwi};
  }
  // Depthwise: groups of one input channel; o counts the multiplier.
  if (a.depthwise_weights == DepthwiseWeights::Mihw)
    return {{w[1], w[0], 1, w[2], w[3]}, Tag::any};  // stored m g h w: strides are given below
  return {{input_channels, w[3] / input_channels, 1, w[1], w[2]}, Tag::any};
}

memory::desc stored_weights(const graph::Node& node, const Shape& w, const WeightLayout& layout) {
  const auto f32 = memory::data_type::f32;
  if (layout.stored != Tag::any) return {layout.dims, f32, layout.stored};
  const Dims& d = layout.dims;
  if (node.attr<ConvAttributes>().depthwise_weights == DepthwiseWeights::Mihw)
    return {d, f32, Dims{w[2] * w[3], w[1] * w[2] * w[3], 1, w[3], 1}};
  return {d, f32, Dims{d[1], 1, 1, w[2] * w[3], w[3]}};
}

struct Described {
  dnnl::convolution_forward::primitive_desc primitive;
  memory::desc source, destination;
};

Described describe(const Draft& draft, const DraftNode& node, const Dims& weight_dims, bool with_post) {
  const auto& a = node.node.attr<ConvAttributes>();
  const Tag tag = a.layout == DataLayout::Nhwc ? Tag::nhwc : Tag::nchw;
  const auto f32 = memory::data_type::f32;
  const memory::desc source(image_dims(draft.value(node.node.inputs[0]).shape, a.layout), f32, tag);
  const memory::desc destination(image_dims(draft.value(node.node.outputs[0]).shape, a.layout), f32, tag);
  const memory::desc weights(weight_dims, f32, Tag::any);
  const Dims strides{a.stride_y, a.stride_x}, dilates{a.dilation_y - 1, a.dilation_x - 1};
  const Dims before{a.padding.top, a.padding.left}, after{a.padding.bottom, a.padding.right};
  dnnl::primitive_attr attributes;
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  if (with_post) {
    const auto post = post_operations(node, destination);
    if (!post) throw dnnl::error(dnnl_unimplemented, "post-operation");
    attributes.set_post_ops(*post);
  }
  const auto kind = dnnl::prop_kind::forward_inference;
  const auto algorithm = dnnl::algorithm::convolution_direct;
  const auto desc = has_bias(node.node)
                        ? dnnl::convolution_forward::desc(kind, algorithm, source, weights,
                                                          memory::desc({destination.dims()[1]}, f32, Tag::x),
                                                          destination, strides, dilates, before, after)
                        : dnnl::convolution_forward::desc(kind, algorithm, source, weights, destination,
                                                          strides, dilates, before, after);
  return {dnnl::convolution_forward::primitive_desc(desc, attributes, cpu_engine()), source, destination};
}

// oneDNN 2.6's convolution by matrix product adds whole tensors wrongly (tests/fast): there, and where a
// post-operation is not the library's, they come in a pass of their own.
std::pair<Described, bool> describe_best(const Draft& draft, const DraftNode& node, const Dims& weight_dims) {
  const bool adds = std::any_of(node.post.begin(), node.post.end(),
                                [](const PostOperation& post) { return post.addend != graph::kNoValue; });
  try {
    Described together = describe(draft, node, weight_dims, true);
    const std::string implementation = together.primitive.impl_info_str();
    if (!adds || implementation.find("gemm:") == std::string::npos) return {std::move(together), false};
  } catch (const dnnl::error&) {
  }
  return {describe(draft, node, weight_dims, false), true};
}

// Weights in the primitive's layout, from the plan cache where they are there.
memory prepared_weights(const Draft& draft, const graph::Node& node, const memory::desc& stored,
                        const memory::desc& wanted) {
  const void* weights = draft.value(node.inputs[1]).constant->data();
  if (draft.cache == nullptr) return prepacked(weights, stored, wanted);
  const auto form = std::as_bytes(std::span(&wanted.data, 1));
  const std::uint64_t part = part_name("weights", node.outputs[0], form);
  if (const auto kept = draft.cache->find(part, wanted.get_size()))
    return {wanted, cpu_engine(), const_cast<std::byte*>(kept->data())};
  memory made = prepacked(weights, stored, wanted);
  draft.cache->keep(part, {static_cast<const std::byte*>(made.get_data_handle()), wanted.get_size()});
  return made;
}

std::optional<memory> bias_of(const Draft& draft, const graph::Node& node) {
  if (!has_bias(node)) return std::nullopt;
  const Tensor& bias = *draft.value(node.inputs[2]).constant;
  const memory::desc desc({bias.count()}, memory::data_type::f32, Tag::x);
  return prepacked(bias.data(), desc, desc);
}

std::unique_ptr<Step> convolution(const Draft& draft, const DraftNode& node) {
  const auto& a = node.node.attr<ConvAttributes>();
  const Tensor& weights = *draft.value(node.node.inputs[1]).constant;
  const std::int64_t channels = draft.value(node.node.inputs[0]).shape[a.layout == DataLayout::Nhwc ? 3 : 1];
  const WeightLayout layout = weight_layout(node.node, weights.shape(), channels);
  const auto [described, post_apart] = describe_best(draft, node, layout.dims);
  const auto& desc = described.primitive;
  DnnlStep::Constants constants{
      prepared_weights(draft, node.node, stored_weights(node.node, weights.shape(), layout),
                       desc.weights_desc()),
      bias_of(draft, node.node)};
  return std::make_unique<DnnlStep>(node, dnnl::convolution_forward(desc), std::move(constants),
                                    described.source, described.destination, desc.scratchpad_desc(),
                                    std::string("oneDNN ") + desc.impl_info_str(), post_apart);
}

std::unique_ptr<Step> product(const Draft& draft, const DraftNode& node) {
  const auto& a = node.node.attr<graph::FullyConnectedAttributes>();
  const auto f32 = memory::data_type::f32;
  const Tensor& weights = *draft.value(node.node.inputs[1]).constant;
  const std::int64_t outputs = weights.dim(a.weights_transposed ? 0 : 1);
  const std::int64_t depth = weights.dim(a.weights_transposed ? 1 : 0);
  const std::int64_t rows = outputs == 0 ? 0 : count_of(draft.value(node.node.outputs[0]).shape) / outputs;
  const memory::desc source({rows, depth}, f32, Tag::nc), destination({rows, outputs}, f32, Tag::nc);
  const memory::desc any({outputs, depth}, f32, Tag::any);
  const memory::desc stored({outputs, depth}, f32, a.weights_transposed ? Tag::oi : Tag::io);
  dnnl::primitive_attr attributes;
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  const auto post = post_operations(node, destination);
  if (!post) return nullptr;
  attributes.set_post_ops(*post);
  const auto kind = dnnl::prop_kind::forward_inference;
  const auto desc = has_bias(node.node)
                        ? dnnl::inner_product_forward::desc(kind, source, any,
                                                            memory::desc({outputs}, f32, Tag::x), destination)
                        : dnnl::inner_product_forward::desc(kind, source, any, destination);
  const dnnl::inner_product_forward::primitive_desc primitive(desc, attributes, cpu_engine());
  DnnlStep::Constants constants{prepared_weights(draft, node.node, stored, primitive.weights_desc()),
                                bias_of(draft, node.node)};
  return std::make_unique<DnnlStep>(node, dnnl::inner_product_forward(primitive), std::move(constants),
                                    source, destination, primitive.scratchpad_desc(),
                                    std::string("oneDNN ") + primitive.impl_info_str());
}

}  // namespace

std::unique_ptr<Step> make_dnnl_convolution(const Draft& draft, const DraftNode& node) {
  if ((node.node.op != Op::Conv2d && node.node.op != Op::DepthwiseConv2d) || !all_f32(draft, node.node) ||
      !constant_operands(draft, node.node))
    return nullptr;
  try {
    return convolution(draft, node);
  } catch (const dnnl::error&) {
    return nullptr;  // the library has no such convolution
  }
}

std::unique_ptr<Step> make_dnnl_product(const Draft& draft, const DraftNode& node) {
  if (node.node.op != Op::FullyConnected || !all_f32(draft, node.node) ||
      !constant_operands(draft, node.node))
    return nullptr;
  try {
    return product(draft, node);
  } catch (const dnnl::error&) {
    return nullptr;
  }
}

}  // namespace npubin::exec::fast
