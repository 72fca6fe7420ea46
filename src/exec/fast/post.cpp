#include "exec/fast/post.h"

#include "exec/fast/kernels_f32.h"

namespace npubin::exec::fast {

void apply_post_operations(const DraftNode& node, const Frame& frame, std::size_t count) {
  if (node.post.empty()) return;
  float* out = frame.out<float>(node.node.outputs[0]);
  for (const PostOperation& post : node.post) {
    if (post.addend != graph::kNoValue) {
      add(out, frame.in<float>(post.addend), out, count);
    } else {
      activate(post.activation, out, out, count);
    }
  }
}

}  // namespace npubin::exec::fast
