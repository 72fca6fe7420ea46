// From the order in which the host has a frame to the order in which the device has it, and back.
#pragma once

#include <cstddef>
#include <cstdint>

#include "npubin/result.h"
#include "vision/device_layout.h"

namespace npubin::vision {

// One side of a reorder.
struct Layout {
  FrameOrder order = FrameOrder::Nhwc;
  FrameShape shape;

  bool operator==(const Layout&) const = default;
};

// Everything a kernel needs; all sizes have been checked.
struct ReorderPlan {
  Layout source, target;
  std::size_t element_bytes = 1;
  std::size_t source_bytes = 0;  // read by run()
  std::size_t target_bytes = 0;  // written by run(): on the device rounded up to eight, padding zero
};

// Prepared once, run per frame without allocating. The rules are those of hef spec 4b.
class Reorder {
 public:
  // Writes all of the device frame; padding is zero. `element_bytes` is 1 or 2. Error: Refused for a pair of
  // orders that HailoRT does not know either, Malformed for shapes that do not fit each other.
  static Result<Reorder> to_device(const Layout& host, const Layout& device, std::size_t element_bytes);
  // Ignores what lies in the padding of the device frame.
  static Result<Reorder> to_host(const Layout& device, const Layout& host, std::size_t element_bytes);

  const ReorderPlan& plan() const { return plan_; }
  // Precondition: plan().source_bytes and target_bytes are there, aligned to the element.
  void run(const std::byte* source, std::byte* target) const { kernel_(plan_, source, target); }

  using Kernel = void (*)(const ReorderPlan&, const std::byte*, std::byte*);

 private:
  Reorder(ReorderPlan plan, Kernel kernel) : plan_(plan), kernel_(kernel) {}

  ReorderPlan plan_;
  Kernel kernel_;
};

// Exchanges height and width of cells of `cell_bytes` bytes: target[x][y] = source[y][x].
void transpose_cells(const std::byte* source, std::byte* target, std::size_t height, std::size_t width,
                     std::size_t cell_bytes);

}  // namespace npubin::vision
