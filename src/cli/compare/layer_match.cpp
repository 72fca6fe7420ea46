#include "cli/compare/layer_match.h"

#include <algorithm>
#include <map>
#include <string>
#include <unordered_map>

namespace npubin::cli {
namespace {

using namespace graph;

// A step of a model: what was computed and, unless it is inside a fused operator, the value that holds it.
struct Step {
  std::string kind, moved;  // what made it; what it is the moved result of (empty: nothing)
  Shape shape;
  ValueId value = kNoValue;
  std::string name;
};

std::string kind_of(Op op, const Attributes& attributes) {
  std::string kind(to_string(op));
  if (const auto* a = std::get_if<ActivationAttributes>(&attributes))
    kind += std::string(to_string(a->function));
  if (const auto* a = std::get_if<PoolAttributes>(&attributes))
    kind += std::to_string(static_cast<int>(a->algorithm));
  if (const auto* a = std::get_if<ReduceAttributes>(&attributes))
    kind += std::to_string(static_cast<int>(a->operation));
  return kind;
}

Activation fused_in(const Attributes& attributes) {
  return std::visit(
      [](const auto& a) {
        if constexpr (requires { a.activation; })
          return a.activation.function;
        else
          return Activation::None;
      },
      attributes);
}

// Steps that only change how elements lie or are stored.
bool moves(Op op) {
  return op == Op::Reshape || op == Op::Transpose || op == Op::Quantize || op == Op::Dequantize;
}

std::vector<Step> steps_of(const Graph& graph) {
  std::vector<Step> out;
  std::unordered_map<ValueId, std::string> made;  // the kind that computed a value
  for (const graph::Node& node : graph.nodes) {
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
      const ValueId id = node.outputs[i];
      if (id == kNoValue) continue;
      const Value& value = graph.value(id);
      Step step{kind_of(node.op, node.attributes),
                {},
                value.shape,
                id,
                value.name.empty() ? node.name : value.name};
      if (moves(node.op) && !node.inputs.empty() && node.inputs[0] != kNoValue) {
        const auto source = made.find(node.inputs[0]);
        if (source != made.end()) step.moved = source->second;
      }
      if (const Activation function = fused_in(node.attributes); function != Activation::None) {
        Step before = step;
        before.value = kNoValue;
        before.name.clear();
        out.push_back(std::move(before));
        step.kind = std::string(to_string(Op::Activation)) + std::string(to_string(function));
      }
      made[id] = step.moved.empty() ? step.kind : step.moved;
      out.push_back(std::move(step));
    }
  }
  return out;
}

bool alike(const Step& a, const Step& b) {
  if (a.shape != b.shape) return false;
  return a.kind == b.kind || (!a.moved.empty() && a.moved == b.kind) ||
         (!b.moved.empty() && b.moved == a.kind) || (!a.moved.empty() && a.moved == b.moved);
}

// The longest common sequence between two stretches of unmatched steps.
class Sequence {
 public:
  Sequence(const std::vector<const Step*>& a, const std::vector<const Step*>& b) : a_(a), b_(b) {}

  void match(std::vector<LayerMatch>& out) {
    // Beyond this a table of all pairs costs more than it tells: the stretch stays unmatched.
    constexpr std::size_t kMostPairs = std::size_t{1} << 26;
    if (a_.empty() || b_.empty() || a_.size() > kMostPairs / b_.size()) return;
    const std::size_t width = b_.size() + 1;
    std::vector<std::uint32_t> best((a_.size() + 1) * width, 0);
    for (std::size_t i = a_.size(); i-- > 0;)
      for (std::size_t j = b_.size(); j-- > 0;)
        best[i * width + j] = std::max({best[(i + 1) * width + j], best[i * width + j + 1],
                                        alike(*a_[i], *b_[j]) ? best[(i + 1) * width + j + 1] + 1 : 0});
    for (std::size_t i = 0, j = 0; i < a_.size() && j < b_.size();) {
      if (alike(*a_[i], *b_[j]) && best[i * width + j] == best[(i + 1) * width + j + 1] + 1) {
        if (b_[j]->value != kNoValue) out.push_back({a_[i]->value, b_[j]->value, false});
        ++i;
        ++j;
      } else if (best[(i + 1) * width + j] >= best[i * width + j + 1]) {
        ++i;
      } else {
        ++j;
      }
    }
  }

 private:
  const std::vector<const Step*>& a_;
  const std::vector<const Step*>& b_;
};

// Pairs of the same name and shape: the position in `a` for each position in `b`; -1: none.
std::vector<std::ptrdiff_t> same_names(const std::vector<Step>& a, const std::vector<Step>& b) {
  std::map<std::pair<std::string, Shape>, std::size_t> known;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a[i].value != kNoValue && !a[i].name.empty()) known.emplace(std::make_pair(a[i].name, a[i].shape), i);
  std::vector<std::ptrdiff_t> out(b.size(), -1);
  for (std::size_t j = 0; j < b.size(); ++j) {
    if (b[j].value == kNoValue) continue;
    const auto found = known.find({b[j].name, b[j].shape});
    if (found == known.end()) continue;
    out[j] = static_cast<std::ptrdiff_t>(found->second);
    known.erase(found);
  }
  return out;
}

}  // namespace

std::vector<LayerMatch> match_layers(const Graph& first, const Graph& second) {
  const std::vector<Step> a = steps_of(first), b = steps_of(second);
  const std::vector<std::ptrdiff_t> named = same_names(a, b);
  std::vector<bool> taken(a.size(), false);
  for (std::ptrdiff_t i : named)
    if (i >= 0) taken[static_cast<std::size_t>(i)] = true;
  std::vector<LayerMatch> out;
  std::vector<const Step*> left, right;
  std::size_t from = 0;  // of `a`: what lies before has been matched
  const auto stretch = [&](std::size_t to) {
    for (; from < to; ++from)
      if (!taken[from]) left.push_back(&a[from]);
    Sequence(left, right).match(out);
    left.clear();
    right.clear();
  };
  // Between two layers whose names agree lies what the models call differently.
  for (std::size_t j = 0; j < b.size(); ++j) {
    if (named[j] < 0) {
      right.push_back(&b[j]);
      continue;
    }
    const auto i = static_cast<std::size_t>(named[j]);
    if (i >= from) {
      stretch(i);
      from = i + 1;
    }
    out.push_back({a[i].value, b[j].value, true});
  }
  stretch(a.size());
  std::unordered_map<ValueId, std::size_t> place;
  for (std::size_t j = 0; j < b.size(); ++j)
    if (b[j].value != kNoValue) place.emplace(b[j].value, j);
  std::sort(out.begin(), out.end(),
            [&](const LayerMatch& x, const LayerMatch& y) { return place[x.second] < place[y.second]; });
  return out;
}

}  // namespace npubin::cli
