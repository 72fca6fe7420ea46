// Tensors: element type, shape, quantisation and data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "npubin/bytes.h"
#include "npubin/export.h"
#include "npubin/result.h"

namespace npubin {

enum class DType : std::uint8_t { F32, F16, BF16, F64, U8, I8, U16, I16, U32, I32, I64, Bool };

// "f32", "u8", ...: the short names of reports.
NPUBIN_API std::string_view to_string(DType type);
// "float32", "uint8", ...: NumPy's names ("bfloat16" has none there and is kept as such).
NPUBIN_API std::string_view numpy_name(DType type);
// Bytes of one element: 1, 2, 4 or 8. Bool takes one byte.
NPUBIN_API std::size_t size_of(DType type);
NPUBIN_API bool is_float(DType type);

// Dimensions, outermost first, row-major. A scalar has rank 0 and one element.
using Shape = std::vector<std::int64_t>;

// "[1,224,224,3]"
NPUBIN_API std::string to_string(const Shape& shape);
// Number of elements. Error (Malformed): a negative dimension, or a product above 2^62.
NPUBIN_API Result<std::int64_t> element_count(const Shape& shape);
// Number of elements of a shape already known to be sane.
NPUBIN_API std::int64_t count_of(const Shape& shape);

// real = scale * (q - zero_point). Empty scales: not quantised. One scale: per tensor. Several: per index of
// dimension `axis`.
struct Quantization {
  std::vector<float> scales;
  std::vector<std::int64_t> zero_points;  // as many as scales, or one for all
  int axis = 0;

  bool present() const { return !scales.empty(); }
  bool per_axis() const { return scales.size() > 1; }
  float scale(std::size_t i = 0) const { return scales.empty() ? 1.0f : scales[scales.size() == 1 ? 0 : i]; }
  std::int64_t zero_point(std::size_t i = 0) const {
    return zero_points.empty() ? 0 : zero_points[zero_points.size() == 1 ? 0 : i];
  }
  static Quantization per_tensor(float scale, std::int64_t zero_point) { return {{scale}, {zero_point}, 0}; }
  bool operator==(const Quantization&) const = default;
};

// Row-major elements with shared storage: copying a Tensor shares its data, clone() copies it. Owned storage
// is 64-byte aligned and zero-initialised. A tensor over borrowed bytes (a weight inside a mapped file) keeps
// the file alive and must not be written to.
class NPUBIN_API Tensor {
 public:
  Tensor() = default;
  // Precondition: element_count(shape) is sane and the caller has bounded it.
  Tensor(DType type, Shape shape, Quantization quantization = {});
  // Checks the shape and refuses more than `limit_bytes` (default 8 GiB). Error: Malformed.
  static Result<Tensor> allocate(DType type, Shape shape, Quantization quantization = {},
                                 std::uint64_t limit_bytes = std::uint64_t{8} << 30);
  // A read-only tensor over bytes of a file. Error (Malformed): the sizes do not agree. Unaligned data is
  // copied.
  static Result<Tensor> view(DType type, Shape shape, Bytes data, Quantization quantization = {});

  DType type() const { return type_; }
  const Shape& shape() const { return shape_; }
  std::size_t rank() const { return shape_.size(); }
  std::int64_t dim(std::size_t i) const { return shape_[i]; }
  std::int64_t count() const { return count_; }
  std::size_t byte_size() const { return static_cast<std::size_t>(count_) * size_of(type_); }
  const Quantization& quantization() const { return quantization_; }
  void set_quantization(Quantization q) { quantization_ = std::move(q); }
  bool empty() const { return data_ == nullptr; }

  const std::byte* data() const { return data_; }
  std::byte* mutable_data() { return data_; }
  ByteSpan bytes() const { return {data_, byte_size()}; }

  // Typed views. Precondition: sizeof(T) == size_of(type()).
  template <class T>
  std::span<const T> as() const {
    return {reinterpret_cast<const T*>(data_), static_cast<std::size_t>(count_)};
  }
  template <class T>
  std::span<T> as_mutable() {
    return {reinterpret_cast<T*>(data_), static_cast<std::size_t>(count_)};
  }

  Tensor clone() const;
  // The same data under another shape of the same count. Precondition: counts agree.
  Tensor reshaped(Shape shape) const;

  // Element i as a real number: floats as they are, quantised codes decoded, other integers as numbers.
  double real(std::int64_t i) const;

 private:
  DType type_ = DType::F32;
  Shape shape_;
  std::int64_t count_ = 0;
  Quantization quantization_;
  std::shared_ptr<void> storage_;
  std::byte* data_ = nullptr;
};

}  // namespace npubin
