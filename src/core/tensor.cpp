#include "npubin/tensor.h"

#include <array>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "npubin/half.h"

namespace npubin {
namespace {

struct TypeRow {
  std::string_view numpy;
  std::size_t size;
};

// Indexed by DType.
constexpr std::array<TypeRow, 12> kTypes{{{"float32", 4},
                                          {"float16", 2},
                                          {"bfloat16", 2},
                                          {"float64", 8},
                                          {"uint8", 1},
                                          {"int8", 1},
                                          {"uint16", 2},
                                          {"int16", 2},
                                          {"uint32", 4},
                                          {"int32", 4},
                                          {"int64", 8},
                                          {"bool", 1}}};

const TypeRow& row(DType type) {
  return kTypes[static_cast<std::size_t>(type)];
}

constexpr std::size_t kAlignment = 64;

std::shared_ptr<void> aligned_zeros(std::size_t size) {
  const std::size_t rounded = (std::max<std::size_t>(size, 1) + kAlignment - 1) / kAlignment * kAlignment;
  void* memory = std::aligned_alloc(kAlignment, rounded);
  if (memory == nullptr) throw std::bad_alloc();
  std::memset(memory, 0, rounded);
  return {memory, [](void* p) { std::free(p); }};
}

}  // namespace

std::string_view to_string(DType type) {
  return row(type).numpy;
}
std::string_view numpy_name(DType type) {
  return row(type).numpy;
}
std::size_t size_of(DType type) {
  return row(type).size;
}
bool is_float(DType type) {
  return type == DType::F32 || type == DType::F16 || type == DType::BF16 || type == DType::F64;
}

std::string to_string(const Shape& shape) {
  return fmt::format("[{}]", fmt::join(shape, ","));
}

Result<std::int64_t> element_count(const Shape& shape) {
  std::int64_t count = 1;
  for (std::int64_t d : shape) {
    if (d < 0) return malformed({}, fmt::format("shape {} has a negative dimension", to_string(shape)));
    auto product = checked_mul(count, d);
    if (!product || *product > (std::int64_t{1} << 62))
      return malformed({}, fmt::format("shape {} has more elements than 2^62", to_string(shape)));
    count = *product;
  }
  return count;
}

std::int64_t count_of(const Shape& shape) {
  std::int64_t count = 1;
  for (std::int64_t d : shape) count *= d;
  return count;
}

Tensor::Tensor(DType type, Shape shape, Quantization quantization)
    : type_(type),
      shape_(std::move(shape)),
      count_(count_of(shape_)),
      quantization_(std::move(quantization)) {
  storage_ = aligned_zeros(byte_size());
  data_ = static_cast<std::byte*>(storage_.get());
}

Result<Tensor> Tensor::allocate(DType type, Shape shape, Quantization quantization,
                                std::uint64_t limit_bytes) {
  NPUBIN_TRY(auto count, element_count(shape));
  if (static_cast<std::uint64_t>(count) > limit_bytes / size_of(type))
    return malformed({}, fmt::format("a tensor {} of {} is larger than the limit of {} bytes",
                                     to_string(shape), to_string(type), limit_bytes));
  return Tensor(type, std::move(shape), std::move(quantization));
}

Result<Tensor> Tensor::view(DType type, Shape shape, Bytes data, Quantization quantization) {
  NPUBIN_TRY(auto count, element_count(shape));
  if (static_cast<std::uint64_t>(count) != data.size() / size_of(type) || data.size() % size_of(type) != 0)
    return malformed({}, fmt::format("a tensor {} of {} does not fit its {} bytes of data", to_string(shape),
                                     to_string(type), data.size()));
  Tensor out;
  out.type_ = type;
  out.shape_ = std::move(shape);
  out.count_ = count;
  out.quantization_ = std::move(quantization);
  if (reinterpret_cast<std::uintptr_t>(data.data()) % size_of(type) != 0 || data.size() == 0) {
    out.storage_ = aligned_zeros(data.size());
    if (data.size() != 0) std::memcpy(out.storage_.get(), data.data(), data.size());
    out.data_ = static_cast<std::byte*>(out.storage_.get());
    return out;
  }
  auto keep = std::make_shared<Bytes>(std::move(data));
  out.data_ = const_cast<std::byte*>(keep->data());
  out.storage_ = std::move(keep);
  return out;
}

Tensor Tensor::clone() const {
  if (empty()) return *this;
  Tensor out(type_, shape_, quantization_);
  std::memcpy(out.data_, data_, byte_size());
  return out;
}

Tensor Tensor::reshaped(Shape shape) const {
  Tensor out = *this;
  out.shape_ = std::move(shape);
  return out;
}

namespace {

template <class T>
double element(const std::byte* data, std::int64_t i) {
  return static_cast<double>(load<T>(data + static_cast<std::size_t>(i) * sizeof(T)));
}

double stored_number(DType type, const std::byte* data, std::int64_t i) {
  switch (type) {
    case DType::F32:
      return element<float>(data, i);
    case DType::F16:
      return half_to_float(load<std::uint16_t>(data + i * 2));
    case DType::BF16:
      return bfloat16_to_float(load<std::uint16_t>(data + i * 2));
    case DType::F64:
      return element<double>(data, i);
    case DType::U8:
    case DType::Bool:
      return element<std::uint8_t>(data, i);
    case DType::I8:
      return element<std::int8_t>(data, i);
    case DType::U16:
      return element<std::uint16_t>(data, i);
    case DType::I16:
      return element<std::int16_t>(data, i);
    case DType::U32:
      return element<std::uint32_t>(data, i);
    case DType::I32:
      return element<std::int32_t>(data, i);
    case DType::I64:
      return element<std::int64_t>(data, i);
  }
  return 0;
}

}  // namespace

double Tensor::real(std::int64_t i) const {
  const double stored = stored_number(type_, data_, i);
  if (!quantization_.present() || is_float(type_)) return stored;
  std::size_t channel = 0;
  if (quantization_.per_axis()) {
    std::int64_t inner = 1;
    for (std::size_t d = static_cast<std::size_t>(quantization_.axis) + 1; d < shape_.size(); ++d)
      inner *= shape_[d];
    channel = static_cast<std::size_t>(i / inner % shape_[static_cast<std::size_t>(quantization_.axis)]);
  }
  return (stored - static_cast<double>(quantization_.zero_point(channel))) * quantization_.scale(channel);
}

}  // namespace npubin
