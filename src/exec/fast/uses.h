// Who reads a value.
#pragma once

#include <vector>

#include "exec/fast/draft.h"

namespace npubin::exec::fast {

class Uses {
 public:
  explicit Uses(const Draft& draft) : counts_(draft.graph.values.size(), 0), reader_(counts_.size(), 0) {
    for (std::size_t i = 0; i < draft.nodes.size(); ++i) {
      for (graph::ValueId id : draft.nodes[i].node.inputs) note(id, i);
      for (const PostOperation& post : draft.nodes[i].post) note(post.addend, i);
    }
    // Leaving the graph is a use that no node can take over.
    for (const graph::Port& port : draft.graph.outputs) counts_[index(port.value)] += 2;
  }
  // Exactly one node reads it, once.
  bool single(graph::ValueId id) const { return counts_[index(id)] == 1; }
  bool any(graph::ValueId id) const { return counts_[index(id)] != 0; }
  std::size_t reader(graph::ValueId id) const { return reader_[index(id)]; }

 private:
  static std::size_t index(graph::ValueId id) { return static_cast<std::size_t>(id); }
  void note(graph::ValueId id, std::size_t node) {
    if (id == graph::kNoValue) return;
    ++counts_[index(id)];
    reader_[index(id)] = node;
  }
  std::vector<int> counts_;
  std::vector<std::size_t> reader_;
};

}  // namespace npubin::exec::fast
