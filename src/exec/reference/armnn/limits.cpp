#include "exec/reference/armnn/limits.h"

#include <fmt/format.h>

#include "exec/reference/armnn/numeric.h"

namespace npubin::exec::armnn {

bool Limits::require(bool fact, std::string otherwise) {
  if (!fact && why_.empty()) why_ = std::move(otherwise);
  return fact;
}

bool Limits::operands(std::size_t least, std::size_t most, std::size_t outputs) {
  bool present = node_.inputs.size() >= least && node_.inputs.size() <= most;
  for (std::size_t i = 0; present && i < least; ++i) present = has(i);
  if (!require(present,
               fmt::format("it has {} operands, {} are needed", node_.inputs.size(),
                           least == most ? fmt::format("{}", least) : fmt::format("{} to {}", least, most))))
    return false;
  return any_operands(outputs, outputs);
}

bool Limits::any_operands(std::size_t outputs_least, std::size_t outputs_most) {
  bool present = node_.outputs.size() >= outputs_least && node_.outputs.size() <= outputs_most;
  for (graph::ValueId id : node_.outputs) present = present && id != graph::kNoValue;
  if (!require(present, fmt::format("it has {} outputs", node_.outputs.size()))) return false;
  for (std::size_t i = 0; i < node_.outputs.size(); ++i)
    if (!require(!out(i).quantization.per_axis(), "its output has a scale per channel")) return false;
  for (std::size_t i = 0; i < node_.inputs.size(); ++i)
    if (has(i) && !element_count(in(i).shape)) return require(false, "an operand's shape is too large");
  for (std::size_t i = 0; i < node_.outputs.size(); ++i)
    if (!element_count(out(i).shape)) return require(false, "an output's shape is too large");
  return true;
}

bool Limits::numeric() {
  for (std::size_t i = 0; i < node_.inputs.size(); ++i) {
    if (!has(i)) continue;
    if (!require(is_numeric(in(i).type),
                 fmt::format("operand {} is {}, which the reference does not compute with here", i,
                             to_string(in(i).type))) ||
        !scales_fit(i))
      return false;
  }
  for (std::size_t i = 0; i < node_.outputs.size(); ++i)
    if (!require(is_numeric(out(i).type),
                 fmt::format("output {} is {}, which the reference does not compute here", i,
                             to_string(out(i).type))))
      return false;
  return true;
}

bool Limits::one_type() {
  for (std::size_t i = 0; i < node_.inputs.size(); ++i)
    if (has(i) &&
        !require(in(i).type == out().type, fmt::format("operand {} is {}, the output {}", i,
                                                       to_string(in(i).type), to_string(out().type))))
      return false;
  return true;
}

bool Limits::type_of_input(std::size_t i, DType type) {
  return require(in(i).type == type,
                 fmt::format("operand {} is {}, {} is needed", i, to_string(in(i).type), to_string(type)));
}

bool Limits::rank_of_input(std::size_t i, std::size_t least, std::size_t most) {
  const std::size_t rank = in(i).shape.size();
  return require(
      rank >= least && rank <= most,
      fmt::format("operand {} has shape {}; rank {} is needed", i, npubin::to_string(in(i).shape),
                  least == most ? fmt::format("{}", least) : fmt::format("{} to {}", least, most)));
}

bool Limits::output_shape(const Shape& expected, std::size_t i) {
  return require(out(i).shape == expected,
                 fmt::format("output {} is stored as {}, computed {}", i, npubin::to_string(out(i).shape),
                             npubin::to_string(expected)));
}

bool Limits::same_count() {
  return require(count_of(in(0).shape) == count_of(out().shape),
                 fmt::format("{} elements become {}", count_of(in(0).shape), count_of(out().shape)));
}

bool Limits::scales_fit(std::size_t input) {
  const Quantization& q = in(input).quantization;
  if (!q.per_axis()) return true;
  const Shape& shape = in(input).shape;
  const bool inside = q.axis >= 0 && static_cast<std::size_t>(q.axis) < shape.size();
  if (!require(inside,
               fmt::format("operand {} is quantised along dimension {}, which it has not", input, q.axis)))
    return false;
  return scales_by_channel(input, shape[static_cast<std::size_t>(q.axis)]);
}

bool Limits::scales_by_channel(std::size_t input, std::int64_t channels) {
  const Quantization& q = in(input).quantization;
  if (!q.per_axis()) return true;
  const auto wanted = static_cast<std::size_t>(channels);
  const bool zero_points = q.zero_points.size() <= 1 || q.zero_points.size() == wanted;
  return require(q.scales.size() == wanted && zero_points,
                 fmt::format("operand {} has {} scales for {} channels", input, q.scales.size(), channels));
}

}  // namespace npubin::exec::armnn
