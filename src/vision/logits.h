// Softmax and argmax over the features of each pixel (hef spec 4c).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "npubin/result.h"
#include "vision/reorder.h"

namespace npubin::vision {

// In place, over rows of `features` values. The largest value is subtracted first, which HailoRT leaves out:
// the same within rounding, and without its overflow above 88; `like_hailort` leaves it out too.
void softmax(std::span<float> values, std::size_t features, bool like_hailort);

// The index of each pixel's largest code; the lowest where several are equal.
class Argmax {
 public:
  // `device`: NHCW, NHWC, F8CR or NC. `features`: how many of the device's features count. Error: Refused for
  // another order, Malformed for an empty frame or more than 65536 features.
  static Result<Argmax> prepare(const Layout& device, const FrameShape& shape, std::size_t element_bytes,
                                bool like_hailort);

  std::size_t pixels() const { return std::size_t{shape_.height} * shape_.width; }
  // Precondition: `frame` is a device frame of that layout, `out` has pixels() elements.
  void run(const std::byte* frame, std::span<std::uint32_t> out) const;

 private:
  template <class T>
  void run_as(const std::byte* frame, std::span<std::uint32_t> out) const;
  // Where feature f of pixel (y, x) lies.
  std::size_t index(std::size_t y, std::size_t x, std::size_t f) const;

  Layout device_;
  FrameShape shape_;
  std::size_t element_bytes_ = 1;
  std::size_t scanned_ = 0;  // features
};

}  // namespace npubin::vision
