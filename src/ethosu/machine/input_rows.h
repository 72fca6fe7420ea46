// Rows of an IFM as the kernel sees them: upscaled, padded, converted, and kept while they are needed.
#pragma once

#include <cstdint>
#include <vector>

#include "ethosu/machine/feature_map.h"

namespace npubin::ethosu {

// The extent of the input after upscaling, before padding (ethos-u55 spec 3). May be zero or negative where
// the padding swallows everything; such operations are refused.
struct InputExtent {
  std::int64_t height = 0, width = 0;
};
InputExtent input_extent(const Operation& operation);

// Columns that one output row reaches, padding included.
std::int64_t padded_width(const Operation& operation);

// T: int16_t or int32_t (elements without zero point; padding is 0) or uint8_t (biased codes; padding is the
// biased zero point).
template <class T>
class InputRows {
 public:
  InputRows(const MapReader& ifm, const Operation& operation, T padding);

  // Row `ky` of the kernel for output row `oy`: [padded_width][channels], column 0 being the leftmost
  // padding. Valid until as many further rows as the kernel reaches over have been asked for.
  const T* row(std::uint32_t oy, std::uint32_t ky);
  // Whether that row is inside the image.
  bool inside(std::uint32_t oy, std::uint32_t ky) const;
  std::size_t channels() const { return channels_; }

 private:
  std::int64_t line(std::uint32_t oy, std::uint32_t ky) const;
  void fill(std::int64_t line, T* out);

  const MapReader& ifm_;
  const Operation& operation_;
  InputExtent extent_;
  std::int64_t width_;
  std::size_t channels_, row_size_;
  T padding_;
  std::vector<T> storage_, blank_, narrow_;
  std::vector<std::int64_t> held_;  // which line each slot holds
};

}  // namespace npubin::ethosu
