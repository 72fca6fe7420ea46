#include "ethosu/machine/results.h"

#include <algorithm>

#include "ethosu/machine/feature_map.h"
#include "npubin/bytes.h"

namespace npubin::ethosu {
namespace {

DType type_of(const FeatureMap& map) {
  if (map.element_bits == 8) return map.is_signed ? DType::I8 : DType::U8;
  if (map.element_bits == 16) return map.is_signed ? DType::I16 : DType::U16;
  return map.is_signed ? DType::I32 : DType::U32;
}

}  // namespace

Result<Tensor> read_feature_map(const FeatureMap& map, const Memory& memory) {
  FeatureMap plain = map;
  plain.zero_point = 0;
  NPUBIN_TRY(const MapReader reader, MapReader::create(plain, memory, "OFM"));
  NPUBIN_TRY(Tensor tensor,
             Tensor::allocate(type_of(map), {map.height, map.width, map.depth},
                              Quantization::per_tensor(1.0f, map.zero_point), std::uint64_t{1} << 30));
  std::vector<std::int64_t> row(std::size_t{map.width} * map.depth);
  std::byte* to = tensor.mutable_data();
  const std::size_t bytes = map.element_bytes();
  for (std::uint32_t y = 0; y < map.height; ++y) {
    reader.read_row(y, 0, map.width, map.depth, row.data());
    for (const std::int64_t value : row) {
      std::byte raw[8];
      store(raw, value);
      std::copy_n(raw, bytes, to);
      to += bytes;
    }
  }
  return tensor;
}

Result<ElementStatistics> ofm_statistics(const Operation& operation, const Memory& memory) {
  FeatureMap plain = operation.ofm;
  plain.zero_point = 0;
  NPUBIN_TRY(const MapReader reader, MapReader::create(plain, memory, "OFM"));
  const bool clamped = plain.element_bits < 32;
  ElementStatistics out;
  out.minimum = INT64_MAX;
  out.maximum = INT64_MIN;
  std::vector<std::int64_t> row(std::size_t{plain.width} * plain.depth);
  for (std::uint32_t y = 0; y < plain.height; ++y) {
    reader.read_row(y, 0, plain.width, plain.depth, row.data());
    for (const std::int64_t value : row) {
      out.minimum = std::min(out.minimum, value);
      out.maximum = std::max(out.maximum, value);
      out.zeros += value == operation.ofm.zero_point ? 1 : 0;
      out.saturated +=
          clamped && (value <= operation.activation.min || value >= operation.activation.max) ? 1 : 0;
    }
    out.elements += row.size();
  }
  return out;
}

}  // namespace npubin::ethosu
