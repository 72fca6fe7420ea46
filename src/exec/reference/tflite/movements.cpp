// RESHAPE, SQUEEZE, EXPAND_DIMS, TRANSPOSE, SLICE, STRIDED_SLICE, TILE, SPACE_TO_DEPTH, DEPTH_TO_SPACE,
// SPACE_TO_BATCH_ND, BATCH_TO_SPACE_ND: copies by strides. tflite spec 6.
#include <array>
#include <cstring>

#include "exec/reference/tflite/kernels.h"
#include "exec/reference/tflite/strided_copy.h"
#include "graph/tflite/rules.h"

namespace npubin::exec::tflite {
namespace {

using Lengths = std::span<const std::int64_t>;

void copy(const KernelCall& call, Lengths loop, std::int64_t from_offset, Lengths from_strides,
          std::int64_t to_offset, Lengths to_strides) {
  const Tensor& in = call.input(0);
  strided_copy(loop, in.data(), from_offset, from_strides, call.output().mutable_data(), to_offset,
               to_strides, size_of(in.type()));
}

}  // namespace

Result<void> run_reshape(const KernelCall& call) {
  const Tensor& in = call.input(0);
  if (in.byte_size() > 0) std::memcpy(call.output().mutable_data(), in.data(), in.byte_size());
  return {};
}

Result<void> run_transpose(const KernelCall& call) {
  const auto& permutation = call.node.attr<graph::TransposeAttributes>().permutation;
  const WorkShape strides = dense_strides(call.input(0).shape());
  WorkShape permuted;
  for (std::int32_t d : permutation) permuted.push_back(strides[static_cast<std::size_t>(d)]);
  const Shape& out = call.output().shape();
  copy(call, out, 0, permuted, 0, dense_strides(out));
  return {};
}

Result<void> run_slice(const KernelCall& call) {
  const auto& begin = call.node.attr<graph::SliceAttributes>().begin;
  const WorkShape strides = dense_strides(call.input(0).shape());
  std::int64_t offset = 0;
  for (std::size_t d = 0; d < begin.size(); ++d) offset += begin[d] * strides[d];
  const Shape& out = call.output().shape();
  copy(call, out, offset, strides, 0, dense_strides(out));
  return {};
}

Result<void> run_strided_slice(const KernelCall& call) {
  const auto& a = call.node.attr<graph::StridedSliceAttributes>();
  const Shape& in = call.input(0).shape();
  WorkShape strides = dense_strides(in), loop;
  std::int64_t offset = 0;
  for (std::size_t d = 0; d < in.size(); ++d) {
    const graph::StridedRange range = graph::strided_range(a, d, in[d]);
    offset += range.begin * strides[d];
    strides[d] *= range.stride;
    loop.push_back(range.count);
  }
  copy(call, loop, offset, strides, 0, dense_strides(loop));
  return {};
}

Result<void> run_tile(const KernelCall& call) {
  const Shape &in = call.input(0).shape(), &multiples = call.node.attr<graph::TileAttributes>().multiples;
  const WorkShape strides = dense_strides(in), out_strides = dense_strides(call.output().shape());
  // Dimension d of the output is (multiple, input) as two loops; the outer one stands still in the input.
  WorkShape loop, from, to;
  for (std::size_t d = 0; d < in.size(); ++d) {
    loop.insert(loop.end(), {multiples[d], in[d]});
    from.insert(from.end(), {0, strides[d]});
    to.insert(to.end(), {out_strides[d] * in[d], out_strides[d]});
  }
  copy(call, loop, 0, from, 0, to);
  return {};
}

// Channel (by block + bx) depth + c of the deep picture is pixel (y block + by, x block + bx) of the wide
// one.
Result<void> run_space_depth(const KernelCall& call) {
  const std::int64_t block = call.node.attr<graph::SpaceDepthAttributes>().block;
  const bool to_depth = call.node.op == graph::Op::SpaceToDepth;
  const Shape& deep = to_depth ? call.output().shape() : call.input(0).shape();
  const Shape& wide = to_depth ? call.input(0).shape() : call.output().shape();
  const WorkShape d = dense_strides(deep), w = dense_strides(wide);
  const std::int64_t channels = wide[3];
  const std::array<std::int64_t, 6> loop{deep[0], deep[1], deep[2], block, block, channels};
  const std::array<std::int64_t, 6> in_deep{d[0], d[1], d[2], block * channels, channels, 1};
  const std::array<std::int64_t, 6> in_wide{w[0], w[1] * block, w[2] * block, w[1], w[2], 1};
  copy(call, loop, 0, to_depth ? in_wide : in_deep, 0, to_depth ? in_deep : in_wide);
  return {};
}

// Batch (by block_x + bx) n + b of the folded tensor is pixel (y block_y + by - top, ...) of the open one.
Result<void> run_space_batch(const KernelCall& call) {
  const auto& a = call.node.attr<graph::SpaceBatchAttributes>();
  const bool to_batch = call.node.op == graph::Op::SpaceToBatchNd;
  const Tensor &folded = to_batch ? call.output() : call.input(0),
               &open = to_batch ? call.input(0) : call.output();
  const bool plane = a.block.size() == 2;
  const std::int64_t block_y = a.block[0], block_x = plane ? a.block[1] : 1;
  const std::int64_t top = a.pads[0].first, left = plane ? a.pads[1].first : 0;
  const Shape &f = folded.shape(), &o = open.shape();
  const std::int64_t rows = f[1], columns = plane ? f[2] : 1, open_rows = o[1],
                     open_columns = plane ? o[2] : 1;
  std::int64_t inner = 1;
  for (std::size_t d = plane ? 3 : 2; d < f.size(); ++d) inner *= f[d];
  const std::size_t bytes = static_cast<std::size_t>(inner) * size_of(folded.type());
  for (std::int64_t n = 0; n < f[0]; ++n) {
    const std::int64_t batch = n % o[0], by = n / o[0] / block_x, bx = n / o[0] % block_x;
    for (std::int64_t y = 0; y < rows; ++y)
      for (std::int64_t x = 0; x < columns; ++x) {
        const std::int64_t oy = y * block_y + by - top, ox = x * block_x + bx - left;
        // Padding is code 0, whatever the zero point: the output is zeroed already.
        if (oy < 0 || oy >= open_rows || ox < 0 || ox >= open_columns) continue;
        const auto folded_at = static_cast<std::size_t>((n * rows + y) * columns + x) * bytes;
        const auto open_at = static_cast<std::size_t>((batch * open_rows + oy) * open_columns + ox) * bytes;
        if (bytes == 0) continue;
        if (to_batch)
          std::memcpy(call.output().mutable_data() + folded_at, open.data() + open_at, bytes);
        else
          std::memcpy(call.output().mutable_data() + open_at, folded.data() + folded_at, bytes);
      }
  }
  return {};
}

}  // namespace npubin::exec::tflite
