// What a node under TensorFlow Lite's rules must satisfy: types, shapes and quantisation that fit each other
// and the attributes. The importer reports breaches; the executor relies on there being none.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "npubin/graph.h"

namespace npubin::graph {

struct RuleBreach {
  enum class Kind : std::uint8_t {
    None,
    Odd,          // computed all the same
    Fault,        // the node contradicts itself
    Unsupported,  // well-formed, but there is no kernel for it
  };
  Kind kind = Kind::None;
  std::string_view code;  // "TFL-0206"; for Odd and Fault
  std::string text;       // what is wrong, with the numbers
  std::string hint;

  explicit operator bool() const { return kind != Kind::None; }
};

// The worst breach of one node. Precondition: ids in range, node.rules is Tflite, the attribute variant is
// that of the operator, and required operands are present.
RuleBreach tflite_breach(const Graph& graph, const Node& node);

// The elements that a strided slice takes along one axis. `inside` is false where a shrunk axis has no such
// index.
struct StridedRange {
  std::int64_t begin = 0, count = 0, stride = 1;
  bool inside = true;
};
StridedRange strided_range(const StridedSliceAttributes& attributes, std::size_t axis, std::int64_t length);

}  // namespace npubin::graph
