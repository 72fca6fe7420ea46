// One step of a fast plan: a kernel with everything it needs prepared, and what it needs of each context.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "exec/fast/draft.h"
#include "npubin/result.h"

namespace npubin::exec::fast {

// What a step sees of a running context. Pointers are valid for this run only.
struct Frame {
  std::byte* const* data;        // by ValueId: where the value lies now
  const Tensor* const* tensors;  // by ValueId: the same memory as tensors, for reference kernels
  Tensor* mutable_tensors;       // by ValueId
  std::byte* scratch;            // as large as the largest scratch_bytes() of the plan, 64-byte aligned
  Workspace* workspace;          // for reference kernels
  void* state;                   // what new_state() gave for this context

  template <class T>
  const T* in(graph::ValueId id) const {
    return reinterpret_cast<const T*>(data[static_cast<std::size_t>(id)]);
  }
  template <class T>
  T* out(graph::ValueId id) const {
    return reinterpret_cast<T*>(data[static_cast<std::size_t>(id)]);
  }
};

class Step {
 public:
  virtual ~Step() = default;
  // Which implementation it is: "oneDNN brgconv:avx512_core", "own pool", "reference".
  virtual std::string kernel() const = 0;
  virtual std::size_t scratch_bytes() const { return 0; }
  // Per-context objects, made when a context is made; may be empty.
  virtual std::shared_ptr<void> new_state() const { return nullptr; }
  virtual Result<void> run(const Frame& frame) const = 0;
  // May the output lie where operand i lies? (The step reads every element before it writes over it.)
  virtual bool in_place(std::size_t) const { return false; }
};

// Tries one kind of kernel; nullptr where it does not apply. `draft` outlives the step.
using StepMaker = std::unique_ptr<Step> (*)(const Draft& draft, const DraftNode& node);

std::unique_ptr<Step> make_ordered_convolution(const Draft& draft, const DraftNode& node);
std::unique_ptr<Step> make_dnnl_convolution(const Draft& draft, const DraftNode& node);
std::unique_ptr<Step> make_dnnl_product(const Draft& draft, const DraftNode& node);
std::unique_ptr<Step> make_integer_depthwise(const Draft& draft, const DraftNode& node);
std::unique_ptr<Step> make_uint8_layer(const Draft& draft, const DraftNode& node);
std::unique_ptr<Step> make_integer_product(const Draft& draft, const DraftNode& node);
std::unique_ptr<Step> make_integer_add(const Draft& draft, const DraftNode& node);
std::unique_ptr<Step> make_multiplied_depthwise(const Draft& draft, const DraftNode& node);
std::unique_ptr<Step> make_grouped_convolution(const Draft& draft, const DraftNode& node);
std::unique_ptr<Step> make_integer_wide(const Draft& draft, const DraftNode& node);
std::unique_ptr<Step> make_dnnl_batch_product(const Draft& draft, const DraftNode& node);
std::unique_ptr<Step> make_integer_batch_product(const Draft& draft, const DraftNode& node);
std::unique_ptr<Step> make_transposed_convolution(const Draft& draft, const DraftNode& node);
std::unique_ptr<Step> make_code_softmax(const Draft& draft, const DraftNode& node);
std::unique_ptr<Step> make_code_mean(const Draft& draft, const DraftNode& node);
std::unique_ptr<Step> make_encoding(const Draft& draft, const DraftNode& node);
std::unique_ptr<Step> make_table(const Draft& draft, const DraftNode& node);
std::unique_ptr<Step> make_integer_pool(const Draft& draft, const DraftNode& node);
std::unique_ptr<Step> make_pool(const Draft& draft, const DraftNode& node);
std::unique_ptr<Step> make_elementwise(const Draft& draft, const DraftNode& node);
std::unique_ptr<Step> make_code_map(const Draft& draft, const DraftNode& node);
std::unique_ptr<Step> make_pair(const Draft& draft, const DraftNode& node);
std::unique_ptr<Step> make_softmax(const Draft& draft, const DraftNode& node);
std::unique_ptr<Step> make_movement(const Draft& draft, const DraftNode& node);
std::unique_ptr<Step> make_recorded_movement(const Draft& draft, const DraftNode& node);
std::unique_ptr<Step> make_decoded(const Draft& draft, const DraftNode& node);
std::unique_ptr<Step> make_resize(const Draft& draft, const DraftNode& node);
std::unique_ptr<Step> make_mean(const Draft& draft, const DraftNode& node);
std::unique_ptr<Step> make_reduction(const Draft& draft, const DraftNode& node);
std::unique_ptr<Step> make_normalization(const Draft& draft, const DraftNode& node);
std::unique_ptr<Step> make_arg(const Draft& draft, const DraftNode& node);
std::unique_ptr<Step> make_svdf(const Draft& draft, const DraftNode& node);
// Always applies: the reference kernel, then the post-operations.
std::unique_ptr<Step> make_reference_step(const Draft& draft, const DraftNode& node);

}  // namespace npubin::exec::fast
