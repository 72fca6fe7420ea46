// Element-wise operators with two or three operands that repeat in any way.
#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include "exec/fast/broadcast_runs.h"
#include "exec/fast/pair_kernels.h"
#include "exec/fast/parallel.h"
#include "exec/fast/periods.h"
#include "exec/fast/sizes.h"
#include "exec/fast/step.h"

namespace npubin::exec::fast {
namespace {

// Operands that repeat as a whole after a few elements: laid out anew until they make longer runs.
struct Tiling {
  std::size_t period = 0, block = 0;  // elements; a block is several periods
  std::array<bool, 3> tiled{}, stays{};
};

// nullopt where there is none, or where runs are long enough.
std::optional<Tiling> tiling_of(const Shape& out, const std::vector<const Shape*>& operands,
                                const BroadcastRuns& runs) {
  constexpr std::size_t kLongEnough = 64, kBlock = 1024;
  if (runs.count() == 1 || runs.length() >= kLongEnough) return std::nullopt;
  Tiling tiling;
  const std::size_t count = to_size(count_of(out));
  for (std::size_t k = 0; k < operands.size(); ++k) {
    const auto period = period_over(*operands[k], out);
    if (!period) return std::nullopt;
    tiling.stays[k] = *period == 1;
    tiling.tiled[k] = *period != 1 && *period != count;
    if (!tiling.tiled[k]) continue;
    if (tiling.period != 0 && tiling.period != *period) return std::nullopt;
    tiling.period = *period;
  }
  if (tiling.period == 0 || tiling.period > kBlock) return std::nullopt;
  tiling.block = kBlock / tiling.period * tiling.period;
  return tiling;
}

class PairStep : public Step {
 public:
  PairStep(const Draft& draft, const graph::Node& node, const BroadcastRuns& runs, PairKernel kernel)
      : node_(node), runs_(runs), kernel_(std::move(kernel)) {
    const auto size = [&](graph::ValueId id) { return size_of(draft.value(id).type); };
    std::vector<const Shape*> shapes;
    for (std::size_t k = 0; k < node.inputs.size(); ++k) {
      sizes_[k] = size(node.inputs[k]);
      shapes.push_back(&draft.value(node.inputs[k]).shape);
    }
    out_size_ = size(node.outputs[0]);
    count_ = runs.count() * runs.length();
    // Sums of codes take several times as long as what only waits for memory.
    const std::size_t worth_threads = kernel_.overwrites ? std::size_t{1} << 15 : std::size_t{1} << 18;
    threads_ = count_ < worth_threads ? 1 : draft.threads;
    tiling_ = tiling_of(draft.value(node.outputs[0]).shape, shapes, runs);
  }
  std::string kernel() const override { return kernel_.name; }
  // Elements are read before what lies in their place is written, if they are as wide and none is read again.
  bool in_place(std::size_t k) const override {
    return kernel_.overwrites && runs_.count() == 1 && !runs_.stays(k) && sizes_[k] == out_size_;
  }
  std::size_t scratch_bytes() const override { return tiling_ ? node_.inputs.size() * tile_bytes() : 0; }

  Result<void> run(const Frame& frame) const override {
    std::array<const std::byte*, 3> operands{};
    for (std::size_t k = 0; k < node_.inputs.size(); ++k) operands[k] = frame.in<std::byte>(node_.inputs[k]);
    std::byte* const out = frame.out<std::byte>(node_.outputs[0]);
    if (tiling_)
      run_tiled(operands, frame.scratch, out);
    else if (runs_.count() == 1)
      run_whole(operands, out);
    else
      run_pieces(operands, out);
    return {};
  }

 private:
  static constexpr std::size_t kChunk = 8192;  // elements

  std::size_t tile_bytes() const { return whole_lines(tiling_->block * 8); }

  void run_pieces(const std::array<const std::byte*, 3>& operands, std::byte* out) const {
    parallel_ranges(threads_, runs_.count(), [&](std::size_t first, std::size_t last, std::size_t) {
      runs_.for_each(first, last, [&](std::size_t place, const BroadcastRuns::Places& places) {
        const auto at = [&](std::size_t k) { return operands[k] + places[k] * sizes_[k]; };
        kernel_.run({at(0), at(1), at(2), runs_.stays(0), runs_.stays(1), runs_.stays(2),
                     out + place * out_size_, runs_.length()});
      });
    });
  }

  void run_whole(const std::array<const std::byte*, 3>& operands, std::byte* out) const {
    parallel_ranges(threads_, (count_ + kChunk - 1) / kChunk,
                    [&](std::size_t first, std::size_t last, std::size_t) {
                      const std::size_t from = first * kChunk, to = std::min(last * kChunk, count_);
                      const auto at = [&](std::size_t k) {
                        return operands[k] + (runs_.stays(k) ? 0 : from * sizes_[k]);
                      };
                      kernel_.run({at(0), at(1), at(2), runs_.stays(0), runs_.stays(1), runs_.stays(2),
                                   out + from * out_size_, to - from});
                    });
  }

  void run_tiled(std::array<const std::byte*, 3> operands, std::byte* scratch, std::byte* out) const {
    const Tiling& t = *tiling_;
    for (std::size_t k = 0; k < node_.inputs.size(); ++k) {
      if (!t.tiled[k]) continue;
      std::byte* const tile = scratch + k * tile_bytes();
      const std::size_t bytes = t.period * sizes_[k];
      for (std::size_t at = 0; at < t.block * sizes_[k]; at += bytes)
        std::memcpy(tile + at, operands[k], bytes);
      operands[k] = tile;
    }
    parallel_ranges(
        threads_, (count_ + t.block - 1) / t.block, [&](std::size_t first, std::size_t last, std::size_t) {
          for (std::size_t from = first * t.block; from < std::min(last * t.block, count_); from += t.block) {
            const auto at = [&](std::size_t k) {
              return operands[k] + (t.tiled[k] || t.stays[k] ? 0 : from * sizes_[k]);
            };
            kernel_.run({at(0), at(1), at(2), t.stays[0], t.stays[1], t.stays[2], out + from * out_size_,
                         std::min(t.block, count_ - from)});
          }
        });
  }

  const graph::Node& node_;
  BroadcastRuns runs_;
  PairKernel kernel_;
  std::optional<Tiling> tiling_;
  std::array<std::size_t, 3> sizes_{};
  std::size_t out_size_ = 1, count_ = 0;
  int threads_ = 1;
};

}  // namespace

std::unique_ptr<Step> make_pair(const Draft& draft, const DraftNode& entry) {
  const graph::Node& node = entry.node;
  const bool choice = node.op == graph::Op::Select;
  if (!entry.post.empty() || node.outputs.size() != 1 || node.inputs.size() != (choice ? 3 : 2) ||
      std::find(node.inputs.begin(), node.inputs.end(), graph::kNoValue) != node.inputs.end())
    return nullptr;
  const Shape& out = draft.value(node.outputs[0]).shape;
  const auto shape = [&](std::size_t k) { return &draft.value(node.inputs[k]).shape; };
  const auto runs = choice ? BroadcastRuns::of(out, {shape(0), shape(1), shape(2)})
                           : BroadcastRuns::of(out, {shape(0), shape(1)});
  if (!runs || count_of(out) == 0) return nullptr;
  PairKernel kernel = pair_kernel(draft, entry);
  if (!kernel.run) return nullptr;
  return std::make_unique<PairStep>(draft, node, *runs, std::move(kernel));
}

}  // namespace npubin::exec::fast
