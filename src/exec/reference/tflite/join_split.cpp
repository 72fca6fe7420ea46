// CONCATENATION, SPLIT, SPLIT_V, PACK, UNPACK. tflite spec 6.
#include <cstring>

#include "exec/reference/tflite/kernels.h"

namespace npubin::exec::tflite {
namespace {

// Elements before the axis: a tensor is that many blocks, to each of which every part contributes a run of
// bytes.
std::size_t blocks_before(const Shape& shape, std::size_t axis) {
  std::size_t out = 1;
  for (std::size_t d = 0; d < axis; ++d) out *= static_cast<std::size_t>(shape[d]);
  return out;
}

// Bytes of `part` in every one of `outer` blocks.
std::size_t run_of(const Tensor& part, std::size_t outer) {
  return outer == 0 ? 0 : part.byte_size() / outer;
}

void join(const KernelCall& call, std::size_t outer) {
  std::byte* to = call.output().mutable_data();
  for (std::size_t o = 0; o < outer; ++o)
    for (const Tensor* part : call.inputs) {
      const std::size_t bytes = run_of(*part, outer);
      if (bytes == 0) continue;
      std::memcpy(to, part->data() + o * bytes, bytes);
      to += bytes;
    }
}

void split(const KernelCall& call, const Tensor& whole, std::size_t outer) {
  const std::byte* from = whole.data();
  for (std::size_t o = 0; o < outer; ++o)
    for (Tensor* part : call.outputs) {
      const std::size_t bytes = run_of(*part, outer);
      if (bytes == 0) continue;
      std::memcpy(part->mutable_data() + o * bytes, from, bytes);
      from += bytes;
    }
}

}  // namespace

Result<void> run_concat(const KernelCall& call) {
  const auto axis = static_cast<std::size_t>(call.node.attr<graph::ConcatAttributes>().axis);
  join(call, blocks_before(call.output().shape(), axis));
  return {};
}

Result<void> run_split(const KernelCall& call) {
  const bool even = call.inputs.size() == 2 && call.node.source_type != "SPLIT_V";
  const Tensor& whole = call.input(even ? 1 : 0);
  const auto axis = static_cast<std::size_t>(call.node.attr<graph::SplitAttributes>().axis);
  split(call, whole, blocks_before(whole.shape(), axis));
  return {};
}

Result<void> run_stack(const KernelCall& call) {
  const auto axis = static_cast<std::size_t>(call.node.attr<graph::StackAttributes>().axis);
  join(call, blocks_before(call.output().shape(), axis));
  return {};
}

Result<void> run_unstack(const KernelCall& call) {
  const auto axis = static_cast<std::size_t>(call.node.attr<graph::StackAttributes>().axis);
  split(call, call.input(0), blocks_before(call.input(0).shape(), axis));
  return {};
}

}  // namespace npubin::exec::tflite
