#include "convert/tflite/to_nhwc.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <unordered_map>

#include "convert/armnn/rewrite.h"
#include "graph/views.h"

namespace npubin::convert {
namespace {

using namespace graph;

using Permutation = std::vector<std::int32_t>;
const Permutation kToNhwc{0, 2, 3, 1}, kToNchw{0, 3, 1, 2};

// The layout field of whichever attributes have one; nullptr for others.
DataLayout* layout_of(Attributes& attributes) {
  return std::visit(
      [](auto& a) -> DataLayout* {
        if constexpr (requires { a.layout; })
          return &a.layout;
        else
          return nullptr;
      },
      attributes);
}

// Arm NN computes within channels in NCHW, whatever the layout says (armnn spec 3, Normalization).
bool within_channels(const graph::Node& node) {
  return node.op == Op::LocalResponseNormalization && !node.attr<LocalResponseAttributes>().across_channels;
}

bool is_nchw(const graph::Node& node) {
  Attributes copy = node.attributes;
  const DataLayout* layout = layout_of(copy);
  // Arm NN's StridedSlice ignores its layout.
  return within_channels(node) ||
         (layout != nullptr && *layout == DataLayout::Nchw && node.op != Op::StridedSlice);
}

Shape permuted(const Shape& shape, const Permutation& p) {
  Shape out;
  for (std::int32_t d : p) out.push_back(shape[static_cast<std::size_t>(d)]);
  return out;
}

Permutation inverse(const Permutation& p) {
  Permutation out(p.size());
  for (std::size_t i = 0; i < p.size(); ++i)
    out[static_cast<std::size_t>(p[i])] = static_cast<std::int32_t>(i);
  return out;
}

// [O,I,H,W] to [O,H,W,I]; scales per output channel stay in dimension 0.
Tensor to_ohwi(const Tensor& from) {
  const std::int64_t o = from.dim(0), i = from.dim(1), area = from.dim(2) * from.dim(3);
  Tensor out(from.type(), {o, from.dim(2), from.dim(3), i}, from.quantization());
  const std::size_t size = size_of(from.type());
  std::size_t to = 0;
  for (std::int64_t a = 0; a < o; ++a)
    for (std::int64_t p = 0; p < area; ++p)
      for (std::int64_t c = 0; c < i; ++c, ++to)
        std::memcpy(out.mutable_data() + to * size,
                    from.data() + static_cast<std::size_t>((a * i + c) * area + p) * size, size);
  return out;
}

class Transposer {
 public:
  explicit Transposer(const Graph& graph) : source_(graph), out_(graph) {}

  Graph run() {
    for (const graph::Node& node : source_.nodes) {
      current_ = &node;
      out_.begin(node);
      if (is_nchw(node) && window(node)) continue;
      if (node.op == Op::Transpose && transpose(node)) continue;
      if (follows(node)) continue;
      if (node.op == Op::Concat && concat(node)) continue;
      for (ValueId id : node.inputs) materialise(id);
      out_.keep(node);
    }
    for (const Port& port : source_.outputs) materialise(port.value);
    return out_.take();
  }

 private:
  // A value that so far exists only as the transposition of another.
  struct View {
    ValueId from = kNoValue;
    Permutation permutation;  // of the value from `from`
    graph::Node node;         // that would have given it
  };

  void materialise(ValueId id) {
    const auto found = views_.find(id);
    if (found == views_.end()) return;
    const View view = std::move(found->second);
    views_.erase(found);
    out_.begin(view.node);
    out_.add(Op::Transpose, TransposeAttributes{view.permutation}, {view.from}, {id});
    out_.begin(*current_);
  }

  void see(ValueId id, ValueId from, Permutation permutation, const graph::Node& node) {
    views_[id] = View{from, std::move(permutation), node};
  }

  // The value in the layout `wanted` of its dimensions: what a transposition by `wanted` gives.
  ValueId in_layout(ValueId id, const Permutation& wanted) {
    const auto found = views_.find(id);
    if (found != views_.end() && found->second.permutation == inverse(wanted)) return found->second.from;
    materialise(id);
    const auto key = std::make_pair(id, wanted);
    for (const auto& [known, value] : turned_)
      if (known == key) return value;
    const ValueId to = out_.temporary(id, permuted(out_.value(id).shape, wanted));
    out_.add(Op::Transpose, TransposeAttributes{wanted}, {id}, {to});
    turned_.emplace_back(key, to);
    return to;
  }

  // A layer of layout NCHW, computed in NHWC.
  bool window(const graph::Node& node) {
    const Shape in = out_.value(node.inputs[0]).shape, to = out_.value(node.outputs[0]).shape;
    if (in.size() != 4 || to.size() != 4 || node.outputs.size() != 1) return false;
    std::vector<ValueId> operands = node.inputs;
    if (node.op == Op::Conv2d || node.op == Op::TransposeConv2d) {
      const Value weights = out_.value(node.inputs[1]);
      if (!weights.constant || weights.shape.size() != 4) return false;
      Tensor stored = *weights.constant;
      stored.set_quantization(weights.quantization);
      operands[1] = out_.constant(weights.name, to_ohwi(stored));
    }
    Attributes attributes = node.attributes;
    *layout_of(attributes) = DataLayout::Nhwc;
    operands[0] = in_layout(node.inputs[0], kToNhwc);
    const ValueId result = out_.temporary(node.outputs[0], permuted(to, kToNhwc));
    out_.add(node.op, std::move(attributes), std::move(operands), {result});
    see(node.outputs[0], result, kToNchw, node);
    return true;
  }

  bool transpose(const graph::Node& node) {
    const auto found = views_.find(node.inputs[0]);
    if (found == views_.end()) return false;
    const Permutation& first = found->second.permutation;
    const Permutation& second = node.attr<TransposeAttributes>().permutation;
    if (first.size() != second.size()) return false;
    Permutation both;
    for (std::int32_t d : second) both.push_back(first[static_cast<std::size_t>(d)]);
    see(node.outputs[0], found->second.from, std::move(both), node);
    return true;
  }

  // Element-wise layers take their operands as they lie: the transposition moves behind them.
  bool follows(const graph::Node& node) {
    const bool unary = (node.op == Op::Activation || node.op == Op::Quantize || node.op == Op::Dequantize ||
                        node.op == Op::Abs || node.op == Op::Sqrt || node.op == Op::Rsqrt ||
                        node.op == Op::Exp || node.op == Op::Neg || node.op == Op::Floor) &&
                       node.inputs.size() == 1;
    const bool binary = std::holds_alternative<BinaryAttributes>(node.attributes) && node.inputs.size() == 2;
    if (!unary && !binary) return false;
    const auto first = views_.find(node.inputs[0]);
    if (first == views_.end()) return false;
    const Permutation p = first->second.permutation;
    std::vector<ValueId> operands{first->second.from};
    if (binary) {
      const auto second = views_.find(node.inputs[1]);
      const Value& other = out_.value(node.inputs[1]);
      if (second != views_.end() && second->second.permutation == p)
        operands.push_back(second->second.from);
      else if (other.constant && count_of(other.shape) == 1 && other.shape.size() == p.size())
        operands.push_back(node.inputs[1]);
      else
        return false;
    }
    const Permutation back = inverse(p);
    const ValueId to = out_.temporary(node.outputs[0], permuted(out_.value(node.outputs[0]).shape, back));
    out_.add(node.op, node.attributes, std::move(operands), {to});
    see(node.outputs[0], to, p, node);
    return true;
  }

  bool concat(const graph::Node& node) {
    const auto first = views_.find(node.inputs[0]);
    if (first == views_.end()) return false;
    const Permutation p = first->second.permutation;
    for (ValueId id : node.inputs) {
      const auto found = views_.find(id);
      if (found == views_.end() || found->second.permutation != p) return false;
    }
    ConcatAttributes a = node.attr<ConcatAttributes>();
    auto axis = concat_axis(source_, node);
    if (!axis) return false;
    const Permutation back = inverse(p);
    a.axis = static_cast<int>(std::find(back.begin(), back.end(), *axis) - back.begin());
    for (auto& origin : a.view_origins) {
      if (origin.size() != p.size()) return false;
      std::vector<std::uint32_t> moved;
      for (std::int32_t d : back) moved.push_back(origin[static_cast<std::size_t>(d)]);
      origin = std::move(moved);
    }
    std::vector<ValueId> operands;
    for (ValueId id : node.inputs) operands.push_back(views_.at(id).from);
    const ValueId to = out_.temporary(node.outputs[0], permuted(out_.value(node.outputs[0]).shape, back));
    out_.add(Op::Concat, std::move(a), std::move(operands), {to});
    see(node.outputs[0], to, p, node);
    return true;
  }

  const Graph& source_;
  ArmnnRewrite out_;
  const graph::Node* current_ = nullptr;
  std::unordered_map<ValueId, View> views_;
  std::vector<std::pair<std::pair<ValueId, Permutation>, ValueId>> turned_;
};

}  // namespace

Graph to_nhwc(const Graph& graph) {
  if (std::none_of(graph.nodes.begin(), graph.nodes.end(), is_nchw)) return graph;
  return Transposer(graph).run();
}

}  // namespace npubin::convert
