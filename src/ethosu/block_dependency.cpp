#include "ethosu/block_dependency.h"

#include <algorithm>
#include <optional>

#include "ethosu/extent.h"

namespace npubin::ethosu {
namespace {

std::uint64_t blocks(std::uint32_t extent, std::uint32_t block) {
  return (std::uint64_t{extent} + block - 1) / block;
}

// The output block with the given number, counted from the start or (from_end) from the last one.
std::optional<Box> output_block(const Operation& op, std::uint64_t number, bool from_end) {
  const std::uint64_t nz = blocks(op.ofm.depth, op.block_depth), nx = blocks(op.ofm.width, op.block_width),
                      ny = blocks(op.ofm.height, op.block_height);
  const std::uint64_t total = nz * nx * ny;
  if (number >= total) return std::nullopt;
  const std::uint64_t index = from_end ? total - 1 - number : number;
  const auto z = static_cast<std::uint32_t>(index % nz) * op.block_depth;
  const auto x = static_cast<std::uint32_t>(index / nz % nx) * op.block_width;
  const auto y = static_cast<std::uint32_t>(index / (nz * nx)) * op.block_height;
  return Box{y, std::min(y + op.block_height, op.ofm.height), x, std::min(x + op.block_width, op.ofm.width),
             z, std::min(z + op.block_depth, op.ofm.depth)};
}

// Convolutions and REDUCE_SUM read the input in slices of its depth; others the channels they write.
bool reads_all_depth(const Operation& op) {
  return op.kind == OperationKind::Conv ||
         (op.kind == OperationKind::Pool && op.pooling == PoolingMode::ReduceSum);
}

// A job takes a slice of the input's depth: 32 bytes in depth-first order, a micro-block of 8 channels in
// part-kernel order. (All BLOCKDEPs of the vendor's compiler are safe by this.)
std::uint32_t input_block_depth(const Operation& op) {
  if (!reads_all_depth(op)) return op.block_depth;
  return op.kernel.part_kernel_first ? 8u : std::max(8u, 256u / op.ifm.element_bits);
}

struct Range {
  std::uint32_t from, to;
};

Range input_range(std::uint32_t out_from, std::uint32_t out_to, std::uint32_t stride, std::uint32_t pad,
                  std::uint32_t kernel_m1, Upscale upscale) {
  std::int64_t from = std::int64_t{out_from} * stride - pad;
  std::int64_t to = (std::int64_t{out_to} - 1) * stride - pad + kernel_m1 + 1;
  if (upscale != Upscale::None) {
    from = from / 2;
    to = (to + 1) / 2;
  }
  return {static_cast<std::uint32_t>(std::max<std::int64_t>(from, 0)),
          static_cast<std::uint32_t>(std::max<std::int64_t>(to, 0))};
}

// What the job with the given number reads of the IFM.
std::optional<Box> input_of_job(const Operation& op, std::uint64_t job) {
  const std::uint32_t depth = input_block_depth(op);
  const std::uint64_t slices = reads_all_depth(op) ? blocks(op.ifm.depth, depth) : 1;
  const auto out = output_block(op, job / slices, false);
  if (!out) return std::nullopt;
  if (op.kind == OperationKind::Elementwise) return *out;
  const Kernel& k = op.kernel;
  const Range y = input_range(out->y0, out->y1, k.stride_y, k.pad_top, k.height_m1, op.upscale);
  const Range x = input_range(out->x0, out->x1, k.stride_x, k.pad_left, k.width_m1, op.upscale);
  const auto slice = static_cast<std::uint32_t>(job % slices);
  const std::uint32_t c0 = reads_all_depth(op) ? slice * depth : out->c0;
  return Box{y.from, y.to, x.from, x.to, c0, reads_all_depth(op) ? c0 + depth : out->c1};
}

bool overlap(const MapExtents& a, const MapExtents& b) {
  for (std::size_t i = 0; i < a.count; ++i)
    for (std::size_t j = 0; j < b.count; ++j)
      if (a.tiles[i].overlaps(b.tiles[j])) return true;
  return false;
}

bool is_tiled(const FeatureMap& map) {
  return map.width > map.width0 || map.height > map.height0;
}

bool same_layout(const FeatureMap& a, const FeatureMap& b) {
  return a.region == b.region && a.layout == b.layout && a.element_bits == b.element_bits &&
         a.stride_y == b.stride_y && a.stride_c == b.stride_c &&
         (a.layout == Layout::Nhcwb16 || a.stride_x == b.stride_x) && a.stride_y > 0;
}

struct Shift {
  std::int64_t y, x, c;
};

// Where the origin of `inner` lies in the coordinates of `outer`; nothing where it is no element of it.
std::optional<Shift> shift(const FeatureMap& inner, const FeatureMap& outer) {
  const auto bytes = static_cast<std::int64_t>(outer.element_bytes());
  std::int64_t rest = static_cast<std::int64_t>(inner.base[0]) - static_cast<std::int64_t>(outer.base[0]);
  std::int64_t y = rest / outer.stride_y;
  if (rest % outer.stride_y < 0) --y;
  rest -= y * outer.stride_y;
  if (outer.layout == Layout::Nhcwb16) {
    const std::int64_t brick = outer.stride_c > 0 ? rest / outer.stride_c : 0;
    rest -= brick * outer.stride_c;
    if (rest % (16 * bytes) != 0) return std::nullopt;
    return Shift{y, rest / (16 * bytes), brick * 16};
  }
  if (outer.stride_x <= 0) return std::nullopt;
  return Shift{y, rest / outer.stride_x, rest % outer.stride_x / bytes};
}

bool cross(std::int64_t a0, std::int64_t a1, std::int64_t b0, std::int64_t b1) {
  return a0 < b1 && b0 < a1;
}

// Whether a box of one map and a box of another share a byte. Maps of one layout are compared element by
// element; others by the extents of the boxes, which may find too much.
bool share(const FeatureMap& map, const Box& box, const FeatureMap& written, const Box& block) {
  if (!overlap(extents(map, box), extents(written, block))) return false;
  if (is_tiled(map) || is_tiled(written) || !same_layout(map, written)) return true;
  const auto by = shift(map, written);
  if (!by) return true;
  return cross(box.y0 + by->y, std::min(box.y1, map.height) + by->y, block.y0, block.y1) &&
         cross(box.x0 + by->x, std::min(box.x1, map.width) + by->x, block.x0, block.x1) &&
         cross(box.c0 + by->c, std::min(box.c1, map.depth) + by->c, block.c0, block.c1);
}

bool reads_output(const Operation& previous, const Operation& op, const FeatureMap& map, std::uint64_t job,
                  std::uint64_t block) {
  auto in = input_of_job(op, job);
  const auto out = output_block(previous, block, true);
  if (!in || !out) return false;
  if (&map == &op.ifm2) {
    if (op.broadcast_h) in->y0 = 0, in->y1 = 1;
    if (op.broadcast_w) in->x0 = 0, in->x1 = 1;
    if (op.broadcast_c) in->c0 = 0, in->c1 = 1;
  }
  return share(map, *in, previous.ofm, *out);
}

}  // namespace

std::uint32_t safe_block_dependency(const Operation& previous, const Operation& op) {
  std::uint32_t safe = kMaxBlockDependency;
  for (const FeatureMap* map : {&op.ifm, &op.ifm2}) {
    if (map == &op.ifm2 && !op.has_ifm2) continue;
    if (!overlap(extents(*map), extents(previous.ofm))) continue;
    for (std::uint32_t job = 0; job < kMaxBlockDependency; ++job)
      for (std::uint32_t block = 0; job + block < safe; ++block)
        if (reads_output(previous, op, *map, job, block)) safe = job + block;
  }
  return safe;
}

}  // namespace npubin::ethosu
