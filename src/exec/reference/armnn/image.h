// Four-dimensional tensors by name of dimension, in either data layout.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "npubin/graph.h"

namespace npubin::exec::armnn {

struct Image {
  std::size_t n = 0, c = 0, h = 0, w = 0;
  bool nhwc = true;

  // Precondition: rank 4.
  static Image of(std::span<const std::int64_t> shape, graph::DataLayout layout) {
    const auto d = [&](std::size_t i) { return static_cast<std::size_t>(shape[i]); };
    return layout == graph::DataLayout::Nhwc ? Image{d(0), d(3), d(1), d(2), true}
                                             : Image{d(0), d(1), d(2), d(3), false};
  }
  std::size_t index(std::size_t batch, std::size_t channel, std::size_t y, std::size_t x) const {
    return nhwc ? ((batch * h + y) * w + x) * c + channel : ((batch * c + channel) * h + y) * w + x;
  }
  std::size_t channel_step() const { return nhwc ? 1 : h * w; }
  std::size_t count() const { return n * c * h * w; }
  Shape shape() const {
    const auto s = [](std::size_t v) { return static_cast<std::int64_t>(v); };
    return nhwc ? Shape{s(n), s(h), s(w), s(c)} : Shape{s(n), s(c), s(h), s(w)};
  }
};

}  // namespace npubin::exec::armnn
