#include "exec/fast/integer_rows.h"

#include <algorithm>
#include <cstring>

namespace npubin::exec::fast {
namespace {

constexpr std::size_t kNoRow = SIZE_MAX;

}  // namespace

IntegerWindow window_of(const Shape& in, const Shape& out, std::int64_t kernel_y, std::int64_t kernel_x,
                        const graph::ConvAttributes& attributes) {
  return {to_size(in[1]),  to_size(in[2]),    to_size(in[3]),    to_size(out[1]),
          to_size(out[2]), to_size(kernel_y), to_size(kernel_x), attributes};
}

RowLayout::RowLayout(const IntegerWindow& window, bool sorted, std::int8_t zero_point)
    : channels_(window.channels),
      in_h_(window.in_h),
      in_w_(window.in_w),
      left_(window.a.padding.left),
      stride_(window.a.stride_x),
      dilation_(window.a.dilation_x),
      pixels_((std::max<std::size_t>(window.out_w, 1) - 1) * stride_ + (window.kernel_x - 1) * dilation_ + 1),
      sorted_(sorted && window.a.stride_x > 1) {
  const std::size_t phases = sorted_ ? stride_ : 1;
  phase_bytes_ = whole_lines((pixels_ + phases - 1) / phases * channels_ + kSlack);
  row_bytes_ = phases * phase_bytes_;
  span_ = std::min((window.kernel_y - 1) * window.a.dilation_y + 1, std::max<std::size_t>(in_h_, 1));
  padding_.assign(row_bytes_, static_cast<std::uint8_t>(zero_point + 128));
}

std::uint8_t* RowLayout::pixel(std::uint8_t* row, std::size_t p) const {
  return sorted_ ? row + p % stride_ * phase_bytes_ + p / stride_ * channels_ : row + p * channels_;
}

std::size_t RowLayout::tap_offset(std::size_t kx) const {
  const std::size_t p = kx * dilation_;
  return sorted_ ? p % stride_ * phase_bytes_ + p / stride_ * channels_ : p * channels_;
}

void RowLayout::fill(const IntegerKernels& kernels, const std::int8_t* from, std::uint8_t* to) const {
  const std::size_t first = std::min(left_, pixels_), last = std::min(left_ + in_w_, pixels_);
  if (!sorted_) {
    if (first < last) kernels.flip(from, 0, pixel(to, first), 0, (last - first) * channels_, 1);
  } else {
    for (std::size_t phase = 0; phase < stride_; ++phase) {
      const std::size_t begin = first + (phase + stride_ - first % stride_) % stride_;
      if (begin < last)
        kernels.flip(from + (begin - first) * channels_, stride_ * channels_, pixel(to, begin), channels_,
                     channels_, (last - begin + stride_ - 1) / stride_);
    }
  }
  for (std::size_t p = 0; p < first; ++p) std::memset(pixel(to, p), padding_[0], channels_);
  for (std::size_t p = last; p < pixels_; ++p) std::memset(pixel(to, p), padding_[0], channels_);
}

RowRing::RowRing(const RowLayout& layout, const IntegerKernels& kernels, const std::int8_t* image,
                 std::byte* memory)
    : layout_(layout),
      kernels_(kernels),
      image_(image),
      held_(reinterpret_cast<std::size_t*>(memory + layout.span_ * layout.row_bytes_)),
      rows_(reinterpret_cast<std::uint8_t*>(memory)) {
  std::fill_n(held_, layout.span_, kNoRow);
}

const std::uint8_t* RowRing::row(std::size_t y) {
  if (y >= layout_.in_h_) return layout_.padding_.data();
  const std::size_t slot = y % layout_.span_;
  std::uint8_t* row = rows_ + slot * layout_.row_bytes_;
  if (held_[slot] != y) {
    layout_.fill(kernels_, image_ + y * layout_.in_w_ * layout_.channels_, row);
    held_[slot] = y;
  }
  return row;
}

}  // namespace npubin::exec::fast
