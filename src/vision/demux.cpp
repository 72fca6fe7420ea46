#include "vision/demux.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

namespace npubin::vision {

// The device sends rows_gcd times: for each predecessor, height_ratio of its rows; a predecessor that is a
// multiplexer itself sends its share in the same way.
struct Demux::Walk {
  Demux& out;
  std::size_t element_bytes;
  std::vector<std::size_t> filled;  // bytes, per leaf
  std::size_t steps = 0;

  Result<void> visit(const MuxNode& node, std::size_t offset, std::uint64_t rounds, std::size_t depth,
                     std::size_t first_leaf) {
    if (depth > kMaxDepth) return refused(fmt::format("multiplexers nested over {} deep", kMaxDepth));
    if (node.rows_gcd == 0 || node.height_ratios.size() < node.predecessors.size())
      return malformed({}, fmt::format("a multiplexer of {} streams has {} height ratios and a row gcd of {}",
                                       node.predecessors.size(), node.height_ratios.size(), node.rows_gcd));
    for (std::uint64_t round = 0; round < rounds; ++round) {
      std::size_t leaf = first_leaf;
      for (std::size_t i = 0; i < node.predecessors.size(); ++i) {
        const MuxNode& from = node.predecessors[i];
        if (++steps > kMaxCopies)
          return refused(fmt::format("a multiplexed frame falls into more than {} pieces", kMaxCopies));
        const std::uint64_t bytes = std::uint64_t{node.height_ratios[i]} * from.device_shape.width *
                                    from.device_shape.features * element_bytes;
        if (bytes > out.source_bytes_ || offset > out.source_bytes_ - bytes)
          return malformed({}, fmt::format("the multiplexed streams need more than the {} bytes of a frame",
                                           out.source_bytes_));
        if (from.leaf()) {
          NPUBIN_CHECK(add(leaf, offset, static_cast<std::size_t>(bytes)));
        } else if (round < from.rows_gcd) {
          NPUBIN_CHECK(visit(from, offset, from.device_shape.height / node.rows_gcd, depth + 1, leaf));
        }
        leaf += count_leaves(from);
        offset += static_cast<std::size_t>(bytes);
      }
    }
    return {};
  }

  Result<void> add(std::size_t leaf, std::size_t from, std::size_t bytes) {
    // Rows beyond the leaf's frame are padding of the multiplexer.
    bytes = std::min(bytes, out.leaf_bytes_[leaf] - filled[leaf]);
    if (bytes == 0) return {};
    out.copies_.push_back({static_cast<std::uint32_t>(leaf), from, filled[leaf], bytes});
    filled[leaf] += bytes;
    return {};
  }

  static std::size_t count_leaves(const MuxNode& node) {
    if (node.leaf()) return 1;
    std::size_t count = 0;
    for (const MuxNode& from : node.predecessors) count += count_leaves(from);
    return count;
  }
};

namespace {

Result<void> list_leaves(const MuxNode& node, std::size_t element_bytes, std::size_t depth,
                         std::vector<std::size_t>& out) {
  if (depth > Demux::kMaxDepth)
    return refused(fmt::format("multiplexers nested over {} deep", Demux::kMaxDepth));
  const auto count = element_count(node.device_shape);
  if (!count || *count == 0)
    return malformed({}, fmt::format("a multiplexed stream of {}x{}x{}", node.device_shape.height,
                                     node.device_shape.width, node.device_shape.features));
  if (node.leaf()) {
    out.push_back(static_cast<std::size_t>(*count) * element_bytes);
    return {};
  }
  for (const MuxNode& from : node.predecessors)
    NPUBIN_CHECK(list_leaves(from, element_bytes, depth + 1, out));
  return {};
}

}  // namespace

Result<Demux> Demux::prepare(const MuxNode& root, std::size_t element_bytes) {
  Demux out;
  NPUBIN_CHECK(list_leaves(root, element_bytes, 0, out.leaf_bytes_));
  const auto source = device_frame_bytes(root.device_shape, static_cast<std::uint32_t>(element_bytes));
  if (!source || root.leaf()) return malformed({}, "a multiplexer has no predecessors");
  out.source_bytes_ = static_cast<std::size_t>(*source);
  Walk walk{out, element_bytes, std::vector<std::size_t>(out.leaf_bytes_.size(), 0), 0};
  NPUBIN_CHECK(walk.visit(root, 0, root.rows_gcd, 0, 0));
  for (std::size_t leaf = 0; leaf < out.leaf_bytes_.size(); ++leaf)
    if (walk.filled[leaf] < out.leaf_bytes_[leaf])
      return malformed({}, fmt::format("multiplexed stream {} gets {} of its {} bytes", leaf,
                                       walk.filled[leaf], out.leaf_bytes_[leaf]));
  return out;
}

void Demux::run(const std::byte* source, std::span<std::byte* const> targets) const {
  for (const Copy& copy : copies_)
    if (targets[copy.leaf] != nullptr)
      std::memcpy(targets[copy.leaf] + copy.to, source + copy.from, copy.bytes);
}

}  // namespace npubin::vision
