// One row at a time through the first-level cache: read, convert, normalise, write.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "vision/aipp/plan.h"

namespace npubin::aipp {

// Buffers of one thread.
class RowScratch {
 public:
  explicit RowScratch(const Plan& plan);
  std::uint8_t* plane(int i) { return bytes_.data() + static_cast<std::size_t>(i) * stride_; }
  std::byte* elements(int i) { return elements_.data() + static_cast<std::size_t>(i) * element_stride_; }

 private:
  std::size_t stride_;
  std::size_t element_stride_;
  std::vector<std::uint8_t> bytes_;
  std::vector<std::byte> elements_;
};

// Rows [first, last) of the output. For 8-bit formats without resize.
void run_rows(const Plan& plan, RowScratch& scratch, const std::uint8_t* image, std::byte* out,
              std::int32_t first, std::int32_t last);

}  // namespace npubin::aipp
