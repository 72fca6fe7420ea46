// Two graphs that should compute the same, held against each other value by value.
#include <algorithm>

#include <fmt/format.h>

#include "formats/armnn/age_conversion.h"

namespace npubin::armnn {
namespace {

using namespace npubin::graph;

class Comparison {
 public:
  Comparison(const Graph& a, const Graph& b) : a_(a), b_(b), partner_(a.values.size(), kNoValue) {}

  std::string run() {
    if (a_.inputs.size() != b_.inputs.size() || a_.outputs.size() != b_.outputs.size() ||
        a_.nodes.size() != b_.nodes.size())
      return "the number of inputs, outputs or layers";
    for (std::size_t i = 0; i < a_.inputs.size(); ++i)
      if (std::string found = ports(a_.inputs[i], b_.inputs[i], true); !found.empty()) return found;
    for (std::size_t i = 0; i < a_.nodes.size(); ++i)
      if (std::string found = nodes(a_.nodes[i], b_.nodes[i]); !found.empty()) return found;
    for (std::size_t i = 0; i < a_.outputs.size(); ++i)
      if (std::string found = ports(a_.outputs[i], b_.outputs[i], false); !found.empty()) return found;
    return {};
  }

 private:
  std::string ports(const Port& a, const Port& b, bool fed) {
    if (a.name != b.name || a.id != b.id) return fmt::format("port '{}'", a.name);
    if (fed && a.value != kNoValue) partner_[static_cast<std::size_t>(a.value)] = b.value;
    return operands(a.value, b.value, false) ? std::string() : fmt::format("port '{}'", a.name);
  }

  std::string nodes(const graph::Node& a, const graph::Node& b) {
    const std::string name = fmt::format("layer '{}' ({})", a.name, a.source_type);
    if (a.op != b.op || a.attributes.index() != b.attributes.index() || a.inputs.size() != b.inputs.size() ||
        a.outputs.size() != b.outputs.size())
      return name;
    const bool depthwise = a.op == Op::DepthwiseConv2d && a.attr<ConvAttributes>().depthwise_weights !=
                                                              b.attr<ConvAttributes>().depthwise_weights;
    for (std::size_t i = 0; i < a.inputs.size(); ++i)
      if (!operands(a.inputs[i], b.inputs[i], depthwise && i == 1))
        return fmt::format("{}, operand {}", name, i);
    for (std::size_t i = 0; i < a.outputs.size(); ++i) {
      if ((a.outputs[i] == kNoValue) != (b.outputs[i] == kNoValue))
        return fmt::format("{}, result {}", name, i);
      if (a.outputs[i] == kNoValue) continue;
      partner_[static_cast<std::size_t>(a.outputs[i])] = b.outputs[i];
      if (!alike(a_.value(a.outputs[i]), b_.value(b.outputs[i])))
        return fmt::format("{}, result {}", name, i);
    }
    return {};
  }

  static bool alike(const Value& a, const Value& b) {
    return a.type == b.type && a.shape == b.shape && same_meaning(a.quantization, b.quantization);
  }

  // One zero point may stand for all channels.
  static bool same_meaning(const Quantization& a, const Quantization& b) {
    if (a.scales != b.scales || (a.per_axis() && a.axis != b.axis)) return false;
    for (std::size_t i = 0; i < a.scales.size(); ++i)
      if (a.zero_point(i) != b.zero_point(i)) return false;
    return true;
  }

  bool operands(ValueId a, ValueId b, bool reordered) const {
    if (a == kNoValue || b == kNoValue) return a == b;
    const Value &x = a_.value(a), &y = b_.value(b);
    if (x.constant.has_value() != y.constant.has_value()) return false;
    if (reordered) return count_of(x.shape) == count_of(y.shape) && x.type == y.type;
    if (!alike(x, y)) return false;
    if (!x.constant) return partner_[static_cast<std::size_t>(a)] == b;
    const ByteSpan left = x.constant->bytes(), right = y.constant->bytes();
    return std::equal(left.begin(), left.end(), right.begin(), right.end());
  }

  const Graph& a_;
  const Graph& b_;
  std::vector<ValueId> partner_;  // value of `a` -> value of `b`
};

}  // namespace

std::string graph_difference(const Graph& a, const Graph& b) {
  return Comparison(a, b).run();
}

}  // namespace npubin::armnn
