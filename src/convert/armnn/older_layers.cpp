#include "convert/armnn/older_layers.h"

#include <fmt/format.h>

#include "convert/armnn/expansions.h"

namespace npubin::convert {
namespace {

using namespace graph;
using armnn::Age;

struct OlderRow {
  Op op;
  Age first;  // the layer exists from here on (armnn spec 2)
  Rewrite expand;
  bool (*needed)(const graph::Node& node);  // whether this node uses what came then; nullptr: all do
};

bool newer_activation(const graph::Node& node) {
  const Activation function = node.attr<ActivationAttributes>().function;
  return function == Activation::HardSwish || function == Activation::Elu;
}
bool dilated(const graph::Node& node) {
  const auto& a = node.attr<ConvAttributes>();
  return a.dilation_y != 1 || a.dilation_x != 1;
}
bool padded_with_a_value(const graph::Node& node) {
  return node.attr<PadAttributes>().value != 0;
}
// Before 19.08 it was fixed.
bool own_epsilon(const graph::Node& node) {
  return node.attr<NormalizationAttributes>().epsilon != 1e-12f;
}

constexpr OlderRow kOlderLayers[] = {
    {Op::Conv2d, Age::V1905, expand_dilation, dilated},
    {Op::DepthwiseConv2d, Age::V1905, expand_dilation, dilated},
    {Op::Split, Age::V1905, expand_split, nullptr},
    {Op::Quantize, Age::V1905, expand_requantization, nullptr},
    {Op::Prelu, Age::V1908, expand_prelu, nullptr},
    {Op::Pad, Age::V1908, expand_pad, padded_with_a_value},
    {Op::L2Normalization, Age::V1908, expand_l2_normalization, own_epsilon},
    {Op::Stack, Age::V1908, expand_stack, nullptr},
    {Op::SpaceToDepth, Age::V1908, expand_space_to_depth, nullptr},
    {Op::DepthToSpace, Age::V1911, expand_depth_to_space, nullptr},
    {Op::Slice, Age::V1911, expand_slice, nullptr},
    {Op::InstanceNormalization, Age::V1911, expand_instance_normalization, nullptr},
    {Op::Abs, Age::V1911, expand_unary, nullptr},
    {Op::NotEqual, Age::V1911, expand_comparison, nullptr},
    {Op::GreaterEqual, Age::V1911, expand_comparison, nullptr},
    {Op::Less, Age::V1911, expand_comparison, nullptr},
    {Op::LessEqual, Age::V1911, expand_comparison, nullptr},
    {Op::Sqrt, Age::V2002, expand_unary, nullptr},
    {Op::Exp, Age::V2002, expand_unary, nullptr},
    {Op::Neg, Age::V2002, expand_unary, nullptr},
    {Op::Activation, Age::V2005, expand_activation, newer_activation},
};

const OlderRow* row_of(const graph::Node& node) {
  for (const OlderRow& row : kOlderLayers)
    if (row.op == node.op) return &row;
  return nullptr;
}

class Older {
 public:
  Older(const Graph& graph, Age age, bool approximate)
      : source_(graph), out_(graph), age_(age), approximate_(approximate) {}

  Result<OlderLayers> run() {
    for (const graph::Node& node : source_.nodes) {
      out_.begin(node);
      const std::string why = express(node);
      if (!why.empty())
        reasons_ += fmt::format("{}{} '{}': {}", reasons_.empty() ? "" : "; ",
                                node.source_type.empty() ? graph::to_string(node.op) : node.source_type,
                                node.name, why);
    }
    if (!reasons_.empty())
      return refused(fmt::format("the schema of {} cannot express: {}", armnn::to_string(age_), reasons_),
                     hint_);
    result_.graph = out_.take();
    NPUBIN_CHECK(graph::verify(result_.graph));
    return std::move(result_);
  }

 private:
  std::string express(const graph::Node& node) {
    const OlderRow* row = row_of(node);
    if (node.op == Op::Resize) return resize(node);
    if (row == nullptr || age_ >= row->first || (row->needed != nullptr && !row->needed(node))) {
      out_.keep(node);
      return {};
    }
    result_.changed = true;
    return row->expand(out_, node);
  }

  // Resize came in 19.08, its flags in 20.08; before, ResizeBilinear.
  std::string resize(const graph::Node& node) {
    ResizeAttributes a = node.attr<ResizeAttributes>();
    const bool flagged = (a.align_corners || a.half_pixel_centers) && age_ < Age::V2008;
    const bool nearest = a.method == ResizeMethod::NearestNeighbor;
    if (!flagged && !(nearest && age_ < Age::V1908)) {
      out_.keep(node);
      return {};
    }
    result_.changed = true;
    if (nearest) return expand_nearest_resize(out_, node, Rules::ArmNn);
    const std::string what = a.half_pixel_centers ? "half-pixel centres" : "aligned corners";
    if (!approximate_) {
      hint_ = "--allow-difference writes the plain resize instead, and says how far it is off";
      return fmt::format("{} came with 20.08", what);
    }
    result_.approximations.push_back(
        fmt::format("layer '{}' ({}): without {}, which the schema of {} does not have", node.name,
                    node.source_type, what, armnn::to_string(age_)));
    a.align_corners = a.half_pixel_centers = false;
    out_.add(Op::Resize, a, {node.inputs[0]}, node.outputs);
    return {};
  }

  const Graph& source_;
  ArmnnRewrite out_;
  Age age_;
  bool approximate_;
  OlderLayers result_;
  std::string reasons_, hint_;
};

}  // namespace

Result<OlderLayers> express_in_age(const Graph& graph, Age age, bool approximate) {
  return Older(graph, age, approximate).run();
}

}  // namespace npubin::convert
