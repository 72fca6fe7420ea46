#include "ethosu/machine/filters.h"

#include <algorithm>

#include "ethosu/machine/products.h"
#include "ethosu/weight_stream.h"

namespace npubin::ethosu {

Result<Filters> Filters::load(const Step& step) {
  const Operation& operation = step.operation;
  NPUBIN_TRY(const ByteSpan stream, step.memory.read(operation.weights.region, operation.weights.address,
                                                     operation.weights.length, "the weight stream"));
  const WeightGeometry geometry = weight_geometry(operation, step.accelerator);
  NPUBIN_TRY(DecodedWeights decoded, decode_weights(stream, geometry, operation.weights.address));
  Filters out;
  out.weights = std::move(decoded.values);
  out.outputs = geometry.ofm_depth;
  out.taps = std::size_t{geometry.kernel_height} * geometry.kernel_width;
  out.inputs = geometry.ifm_depth;
  out.lowest = decoded.statistics.minimum;
  out.highest = decoded.statistics.maximum;
  NPUBIN_TRY(out.scales, ChannelScales::read(operation, step.memory));
  out.weight_sum.reserve(out.outputs);
  for (std::size_t o = 0; o < out.outputs; ++o) {
    std::int64_t sum = 0;
    std::uint64_t magnitude = 0;
    const std::int16_t* filter = out.filter(o);
    for (std::size_t k = 0; k < out.filter_size(); ++k) {
      sum += filter[k];
      magnitude += static_cast<std::uint64_t>(filter[k] < 0 ? -filter[k] : filter[k]);
    }
    out.weight_sum.push_back(sum);
    out.largest_magnitude = std::max(out.largest_magnitude, magnitude);
  }
  return out;
}

std::int64_t largest_input(const FeatureMap& ifm) {
  const std::int64_t codes = std::int64_t{1} << ifm.element_bits;
  const std::int64_t low = ifm.is_signed ? -codes / 2 : 0, high = low + codes - 1;
  return std::max(ifm.zero_point - low, high - ifm.zero_point);
}

Summation choose_summation(const Step& step, const Filters& filters) {
  const std::int64_t input = largest_input(step.operation.ifm);
  // Beyond 16 bits after the zero point, or a bound that leaves 64 bits: nothing a compiler makes.
  if (step.reference || input > 32768 ||
      (step.operation.ifm.element_bits == 16 && step.operation.ifm.zero_point != 0))
    return Summation::Reference;
  const bool fits = filters.largest_magnitude * static_cast<std::uint64_t>(input) <= INT32_MAX;
  if (step.operation.kind == OperationKind::Depthwise) return fits ? Summation::Int16 : Summation::Reference;
  // Biased codes: the zero point must be one, and sums of products with codes up to 255 must fit.
  const FeatureMap& ifm = step.operation.ifm;
  const std::int32_t zero = ifm.zero_point + (ifm.is_signed ? 128 : 0);
  if (ifm.element_bits == 8 && zero >= 0 && zero <= 255 && filters.largest_magnitude * 255 <= INT32_MAX &&
      filters.lowest >= -128 && filters.highest <= 127 && products::has_int8())
    return Summation::Int8;
  return fits ? Summation::Int16 : Summation::Int16Parts;
}

namespace {

// [block of 16][k / group][16][group]
template <class T>
std::vector<T> pack(const Filters& filters, std::size_t group) {
  const std::size_t size = filters.filter_size(), groups = (size + group - 1) / group;
  const std::size_t blocks = (filters.outputs + products::kOutputs - 1) / products::kOutputs;
  std::vector<T> out(blocks * groups * products::kOutputs * group);
  for (std::size_t o = 0; o < filters.outputs; ++o) {
    const std::int16_t* filter = filters.filter(o);
    T* to = out.data() + o / products::kOutputs * groups * products::kOutputs * group +
            o % products::kOutputs * group;
    for (std::size_t k = 0; k < size; ++k)
      to[k / group * products::kOutputs * group + k % group] = static_cast<T>(filter[k]);
  }
  return out;
}

}  // namespace

std::vector<std::int8_t> pack_int8(const Filters& filters) {
  return pack<std::int8_t>(filters, 4);
}

std::vector<std::int16_t> pack_int16(const Filters& filters) {
  return pack<std::int16_t>(filters, 2);
}

std::vector<std::int16_t> pack_depthwise(const Filters& filters) {
  const std::size_t padded =
      (filters.outputs + products::kOutputs - 1) / products::kOutputs * products::kOutputs;
  std::vector<std::int16_t> out(filters.taps * padded * 2);
  for (std::size_t c = 0; c < filters.outputs; ++c)
    for (std::size_t t = 0; t < filters.taps; ++t) out[(t * padded + c) * 2] = filters.filter(c)[t];
  return out;
}

}  // namespace npubin::ethosu
