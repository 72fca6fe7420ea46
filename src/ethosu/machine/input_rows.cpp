#include "ethosu/machine/input_rows.h"

#include <algorithm>
#include <type_traits>

namespace npubin::ethosu {
namespace {

// Kernels load whole vectors; what they load beyond a row is multiplied by zero weights.
constexpr std::size_t kSlack = 64;

std::int64_t logical_extent(std::uint32_t out, std::uint32_t stride, std::uint32_t kernel_m1,
                            std::uint32_t pads) {
  return (std::int64_t{out} - 1) * stride + kernel_m1 + 1 - std::int64_t{pads};
}

template <class T>
void read(const MapReader& ifm, std::uint32_t y, std::uint32_t count, std::size_t stride, T* out) {
  if constexpr (std::is_same_v<T, std::uint8_t>)
    ifm.read_row_biased(y, 0, count, stride, out);
  else
    ifm.read_row(y, 0, count, stride, out);
}

}  // namespace

InputExtent input_extent(const Operation& operation) {
  const Kernel& kernel = operation.kernel;
  return {logical_extent(operation.ofm.height, kernel.stride_y, kernel.height_m1,
                         kernel.pad_top + kernel.pad_bottom),
          logical_extent(operation.ofm.width, kernel.stride_x, kernel.width_m1,
                         kernel.pad_left + kernel.pad_right)};
}

std::int64_t padded_width(const Operation& operation) {
  return (std::int64_t{operation.ofm.width} - 1) * operation.kernel.stride_x +
         std::int64_t{operation.kernel.width - 1} * operation.kernel.dilation_x + 1;
}

template <class T>
InputRows<T>::InputRows(const MapReader& ifm, const Operation& operation, T padding)
    : ifm_(ifm),
      operation_(operation),
      extent_(input_extent(operation)),
      width_(padded_width(operation)),
      channels_(ifm.map().depth),
      row_size_(static_cast<std::size_t>(width_) * channels_),
      padding_(padding) {
  // As many slots as the kernel reaches over, or as the image has lines.
  const std::size_t reach = std::size_t{operation.kernel.height - 1} * operation.kernel.dilation_y + 1;
  const std::size_t slots =
      std::min(reach, static_cast<std::size_t>(std::max<std::int64_t>(extent_.height, 1)));
  storage_.resize(slots * row_size_ + kSlack, padding_);
  held_.assign(slots, INT64_MIN);
}

template <class T>
std::int64_t InputRows<T>::line(std::uint32_t oy, std::uint32_t ky) const {
  return std::int64_t{oy} * operation_.kernel.stride_y + std::int64_t{ky} * operation_.kernel.dilation_y -
         operation_.kernel.pad_top;
}

template <class T>
bool InputRows<T>::inside(std::uint32_t oy, std::uint32_t ky) const {
  const std::int64_t at = line(oy, ky);
  return at >= 0 && at < extent_.height;
}

template <class T>
const T* InputRows<T>::row(std::uint32_t oy, std::uint32_t ky) {
  const std::int64_t at = line(oy, ky);
  const bool gap = operation_.upscale == Upscale::Zeros && (at & 1) != 0;
  if (!inside(oy, ky) || gap) {
    if (blank_.empty()) blank_.assign(row_size_ + kSlack, padding_);
    return blank_.data();
  }
  const auto slot = static_cast<std::size_t>(at) % held_.size();
  T* out = storage_.data() + slot * row_size_;
  if (held_[slot] != at) {
    fill(at, out);
    held_[slot] = at;
  }
  return out;
}

template <class T>
void InputRows<T>::fill(std::int64_t line, T* out) {
  const auto y = static_cast<std::uint32_t>(operation_.upscale == Upscale::None ? line : line >> 1);
  // Columns between the paddings that the kernel reaches; a stride may leave some at the right.
  const std::int64_t left = operation_.kernel.pad_left;
  const std::int64_t begin = std::min(left, width_);
  const std::int64_t count = std::min(extent_.width, width_ - begin);
  std::fill(out, out + begin * static_cast<std::int64_t>(channels_), padding_);
  if (count <= 0) {
    std::fill(out, out + row_size_, padding_);
    return;
  }
  T* middle = out + static_cast<std::size_t>(begin) * channels_;
  if (operation_.upscale == Upscale::None) {
    read(ifm_, y, static_cast<std::uint32_t>(count), channels_, middle);
  } else {
    const auto half = static_cast<std::uint32_t>((count + 1) / 2);
    narrow_.resize(half * channels_);
    read(ifm_, y, half, channels_, narrow_.data());
    for (std::int64_t x = 0; x < count; ++x) {
      T* to = middle + static_cast<std::size_t>(x) * channels_;
      if (operation_.upscale == Upscale::Zeros && (x & 1) != 0)
        std::fill(to, to + channels_, padding_);
      else
        std::copy_n(narrow_.data() + static_cast<std::size_t>(x / 2) * channels_, channels_, to);
    }
  }
  std::fill(middle + static_cast<std::size_t>(count) * channels_, out + row_size_, padding_);
}

template class InputRows<std::uint8_t>;
template class InputRows<std::int16_t>;
template class InputRows<std::int32_t>;

}  // namespace npubin::ethosu
