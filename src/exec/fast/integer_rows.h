// Rows of an image of 8-bit codes as the integer kernels read them: unsigned, with the padding in place.
#pragma once

#include <cstdint>
#include <vector>

#include "exec/fast/integer_kernels.h"
#include "exec/fast/sizes.h"
#include "npubin/graph.h"

namespace npubin::exec::fast {

// Channels last; kernel sizes in taps.
struct IntegerWindow {
  std::size_t in_h = 1, in_w = 1, channels = 1, out_h = 1, out_w = 1;
  std::size_t kernel_y = 1, kernel_x = 1;
  graph::ConvAttributes a;

  std::size_t taps() const { return kernel_y * kernel_x; }
  // One pixel in, one pixel out, in the same order.
  bool pointwise() const {
    return taps() == 1 && a.stride_y == 1 && a.stride_x == 1 && a.padding.top == 0 && a.padding.left == 0 &&
           in_h == out_h && in_w == out_w;
  }
};

IntegerWindow window_of(const Shape& in, const Shape& out, std::int64_t kernel_y, std::int64_t kernel_x,
                        const graph::ConvAttributes& attributes);

// How the rows lie. Where `sorted`, the pixels of a row stand by x modulo the stride, so that the pixels that
// a tap meets on its way along the row are neighbours.
class RowLayout {
 public:
  RowLayout(const IntegerWindow& window, bool sorted, std::int8_t zero_point);

  // Of one thread's ring of rows.
  std::size_t ring_bytes() const { return span_ * row_bytes_ + whole_lines(span_ * sizeof(std::size_t)); }
  // Where tap kx of output pixel 0 lies in a row.
  std::size_t tap_offset(std::size_t kx) const;
  // From one output pixel's taps to the next one's.
  std::size_t pixel_step() const { return sorted_ ? channels_ : stride_ * channels_; }

 private:
  friend class RowRing;
  void fill(const IntegerKernels& kernels, const std::int8_t* from, std::uint8_t* to) const;
  std::uint8_t* pixel(std::uint8_t* row, std::size_t p) const;

  std::size_t channels_, in_h_, in_w_, left_, stride_, dilation_, pixels_;
  std::size_t phase_bytes_, row_bytes_, span_;
  bool sorted_;
  std::vector<std::uint8_t> padding_;  // a row outside the image
};

// The rows that one thread has at hand; neighbouring output rows share most of them.
class RowRing {
 public:
  // `memory`: ring_bytes() of the layout, aligned to 64.
  RowRing(const RowLayout& layout, const IntegerKernels& kernels, const std::int8_t* image,
          std::byte* memory);
  // Row y of the image; at or beyond in_h (where numbers below 0 wrap to): padding. Valid until a row that is
  // `span` away is asked for.
  const std::uint8_t* row(std::size_t y);

 private:
  const RowLayout& layout_;
  const IntegerKernels& kernels_;
  const std::int8_t* image_;
  std::size_t* held_;  // by slot: which row
  std::uint8_t* rows_;
};

}  // namespace npubin::exec::fast
