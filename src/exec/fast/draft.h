// A graph on its way to a fast plan: nodes with what has been fused into them.
#pragma once

#include <optional>
#include <vector>

#include "exec/kernel.h"
#include "npubin/graph.h"

namespace npubin::exec::fast {

// Done to a node's result before it is stored, in order.
struct PostOperation {
  graph::ActivationAttributes activation;   // where `addend` is kNoValue
  graph::ValueId addend = graph::kNoValue;  // a tensor of the result's shape that is added
};

class PlanCache;

struct DraftNode {
  graph::Node node;
  const KernelRow* reference = nullptr;
  std::vector<PostOperation> post;
  std::vector<std::string> absorbed;  // what was fused in, for the plan's listing
  // What codes are cut to beyond what their type holds: an activation that was fused in. Of integer layers
  // (integer_layer.h) and decoded pairs (pair_kernels.h) only.
  std::optional<std::pair<std::int32_t, std::int32_t>> code_range = std::nullopt;
  // The float32 kernel must give the reference's numbers to the bit: its order of additions, its quotients,
  // its functions. A convolution sums over channels and for each of them over the taps, or the other way
  // round.
  bool in_order = false, pixels_first = false;
};

struct Draft {
  graph::Graph graph;  // `nodes` is empty: they live in `nodes` below
  std::vector<DraftNode> nodes;
  int threads = 1;             // that steps may share their work over
  PlanCache* cache = nullptr;  // where prepared parts are kept; may be absent

  const graph::Value& value(graph::ValueId id) const { return graph.value(id); }
  bool is_constant(graph::ValueId id) const { return graph.value(id).constant.has_value(); }
};

// Takes the nodes out of the graph. `kernels` as admit() gave them.
Draft make_draft(graph::Graph graph, const std::vector<const KernelRow*>& kernels);

// Rewrites that keep what every rule computes (fold_constants, drop_unused), or keep it for float32 up to the
// order of additions (fuse). Each may be left out.
Result<void> fold_constants(Draft& draft);
void drop_unused(Draft& draft);
// Padding in front of a convolution becomes the convolution's own where it holds the number 0.
void fold_pads(Draft& draft);
// Activations, biases, batch normalisations and residual additions move into the convolution or product
// before them.
void fuse(Draft& draft);
// An activation of codes that only cuts them moves into the integer layer before it, for either rules.
void fuse_code_ranges(Draft& draft);

}  // namespace npubin::exec::fast
