// Where the pixels of a convolution's window lie.
#pragma once

#include <cstdint>
#include <cstring>

#include "npubin/graph.h"

namespace npubin::exec::fast {

// Channels last; kernel sizes in taps.
struct IntegerWindow {
  std::size_t in_h = 1, in_w = 1, channels = 1, out_h = 1, out_w = 1;
  std::size_t kernel_y = 1, kernel_x = 1;
  graph::ConvAttributes a;

  std::size_t taps() const { return kernel_y * kernel_x; }

  // Pointers to the window's pixels of output pixel (y, x), row by row; `padding` where a tap is outside.
  void point(const std::int8_t* in, std::size_t y, std::size_t x, const std::int8_t* padding,
             const std::int8_t** rows) const {
    for (std::size_t ky = 0; ky < kernel_y; ++ky) {
      // Below 0 these wrap to far beyond the image.
      const std::size_t iy = y * a.stride_y + ky * a.dilation_y - a.padding.top;
      const std::int8_t* row = iy < in_h ? in + iy * in_w * channels : padding;
      for (std::size_t kx = 0; kx < kernel_x; ++kx) {
        const std::size_t ix = x * a.stride_x + kx * a.dilation_x - a.padding.left;
        *rows++ = iy < in_h && ix < in_w ? row + ix * channels : padding;
      }
    }
  }

  // The same for `count` output pixels of row y from column x on. Neighbours whose windows lie inside the
  // image differ by a constant step.
  void point_run(const std::int8_t* in, std::size_t y, std::size_t x, std::size_t count,
                 const std::int8_t* padding, const std::int8_t** rows) const {
    const std::size_t top = y * a.stride_y - a.padding.top;  // wraps below 0
    const bool rows_inside = top < in_h && top + (kernel_y - 1) * a.dilation_y < in_h;
    const std::size_t step = a.stride_x * channels, n = taps();
    bool previous_inside = false;
    for (std::size_t i = 0; i < count; ++i, rows += n) {
      const std::size_t left = (x + i) * a.stride_x - a.padding.left;
      const bool inside = rows_inside && left < in_w && left + (kernel_x - 1) * a.dilation_x < in_w;
      if (inside && previous_inside) {
        for (std::size_t t = 0; t < n; ++t) rows[t] = (rows - n)[t] + step;
      } else {
        point(in, y, x + i, padding, rows);
      }
      previous_inside = inside;
    }
  }

  // The window of one output pixel as one row of bytes, taps in order.
  void gather(const std::int8_t* in, std::size_t y, std::size_t x, std::int8_t padding,
              std::int8_t* to) const {
    for (std::size_t ky = 0; ky < kernel_y; ++ky) {
      const std::size_t iy = y * a.stride_y + ky * a.dilation_y - a.padding.top;
      const std::size_t left = x * a.stride_x - a.padding.left;
      if (iy < in_h && a.dilation_x == 1 && left < in_w && left + kernel_x <= in_w) {
        std::memcpy(to, in + (iy * in_w + left) * channels, kernel_x * channels);
        to += kernel_x * channels;
        continue;
      }
      for (std::size_t kx = 0; kx < kernel_x; ++kx, to += channels) {
        const std::size_t ix = left + kx * a.dilation_x;
        if (iy < in_h && ix < in_w) {
          std::memcpy(to, in + (iy * in_w + ix) * channels, channels);
        } else {
          std::memset(to, padding, channels);
        }
      }
    }
  }
};

}  // namespace npubin::exec::fast
