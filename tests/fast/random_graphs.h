// Small graphs with seeded random shapes and contents, to hold the fast executor against the reference.
#pragma once

#include <cstdint>

#include "npubin/graph.h"
#include "npubin/session.h"

namespace npubin::test {

// Random graphs of each kind that a test tries.
inline constexpr int kRounds = 80;

// A linear congruential generator: the same numbers on every machine.
class Random {
 public:
  explicit Random(std::uint32_t seed) : state_(seed * 2654435761u + 1u) {}
  std::uint32_t next() {
    state_ = state_ * 1664525u + 1013904223u;
    return state_ >> 8;
  }
  std::int64_t between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(next() % static_cast<std::uint32_t>(high - low + 1));
  }
  float real() { return static_cast<float>(next()) / 8388608.0f - 1.0f; }
  bool coin() { return (next() & 64u) != 0; }

 private:
  std::uint32_t state_;
};

// A scale and a zero point for codes (int16 has none); none for other types.
Quantization random_quantization(Random& random, DType type);

class GraphBuilder {
 public:
  explicit GraphBuilder(graph::Rules rules, std::uint32_t seed) : random(seed), rules_(rules) {}

  graph::ValueId input(DType type, Shape shape, Quantization quantization = {});
  graph::ValueId constant(DType type, Shape shape, Quantization quantization = {});
  graph::ValueId constant(Tensor tensor);
  graph::ValueId node(graph::Op op, graph::Attributes attributes, std::vector<graph::ValueId> inputs,
                      DType type, Shape shape, Quantization quantization = {});
  void output(graph::ValueId id);
  Shape shape(graph::ValueId id) const { return graph.value(id).shape; }

  graph::Graph graph;
  Random random;

 private:
  graph::Rules rules_;
};

Tensor random_tensor(Random& random, DType type, const Shape& shape);

struct Comparison {
  double worst = 0;     // largest difference of stored values
  double largest = 0;   // largest magnitude of the reference
  std::string error;    // of either executor
  std::string kernels;  // of the fast plan
};
// Runs both executors on the same random inputs, twice in one fast context; `threads` of the fast one.
Comparison compare_modes(const GraphBuilder& builder, int threads = 1);

}  // namespace npubin::test
