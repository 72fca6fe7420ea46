// Taking a multiplexed device stream apart (hef spec 4b, "Mux").
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "npubin/result.h"
#include "vision/device_layout.h"

namespace npubin::vision {

// A node of the tree: a multiplexer with its predecessors, or a leaf with its own device frame.
struct MuxNode {
  FrameShape device_shape;  // padded
  std::uint32_t rows_gcd = 0;
  std::vector<std::uint32_t> height_ratios;  // one per predecessor
  std::vector<MuxNode> predecessors;         // empty: a leaf

  bool leaf() const { return predecessors.empty(); }
};

class Demux {
 public:
  // Lists the copies once. Error (Malformed): a ratio or gcd missing, rows that do not add up, a leaf that
  // gets fewer rows than it has; Refused above kMaxDepth levels or kMaxCopies runs.
  static constexpr std::size_t kMaxDepth = 32;
  static constexpr std::size_t kMaxCopies = std::size_t{1} << 22;
  static Result<Demux> prepare(const MuxNode& root, std::size_t element_bytes);

  std::size_t source_bytes() const { return source_bytes_; }
  std::size_t leaves() const { return leaf_bytes_.size(); }  // depth first
  std::size_t leaf_bytes(std::size_t leaf) const { return leaf_bytes_[leaf]; }
  // Precondition: `source` has source_bytes(), targets[i] leaf_bytes(i) or is null: not wanted.
  void run(const std::byte* source, std::span<std::byte* const> targets) const;

 private:
  struct Copy {
    std::uint32_t leaf = 0;
    std::size_t from = 0, to = 0, bytes = 0;
  };
  struct Walk;

  std::size_t source_bytes_ = 0;
  std::vector<std::size_t> leaf_bytes_;
  std::vector<Copy> copies_;
};

}  // namespace npubin::vision
