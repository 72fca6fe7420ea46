#include "formats/tflite/describe_parts.h"

#include <algorithm>

#include <fmt/format.h>

#include "formats/tflite/schema.h"

namespace npubin::tflite {
namespace {

using schema::FieldSchema;
using schema::Kind;

constexpr std::size_t kLongestList = 8;

template <class T>
std::string list_text(const Numbers<T>& values) {
  std::string out = "[";
  for (std::size_t i = 0; i < std::min(values.size(), kLongestList); ++i)
    out += fmt::format("{}{}", i == 0 ? "" : " ", values[i]);
  return out + (values.size() > kLongestList ? " ...]" : "]");
}

std::string vector_text(const FlatTable& table, const FieldSchema& field) {
  switch (schema::element_size(field.kind)) {
    case 1:
      return fmt::format("{} bytes", table.numbers<std::uint8_t>(field.name).size());
    case 4:
      return field.kind == Kind::F32 ? list_text(table.numbers<float>(field.name))
                                     : list_text(table.numbers<std::int32_t>(field.name));
    case 8:
      return list_text(table.numbers<std::int64_t>(field.name));
    default:
      return "...";
  }
}

std::string field_text(const FlatTable& table, const FieldSchema& field) {
  if (field.vector) return vector_text(table, field);
  if (field.kind == Kind::F32) return fmt::format("{}", table.real(field.name));
  if (field.kind == Kind::String) return std::string(table.text(field.name));
  const std::int64_t value = table.integer(field.name);
  if (field.kind == Kind::Bool) return value != 0 ? "true" : "false";
  if (field.ref < 0) return fmt::format("{}", value);
  const std::string_view entry =
      schema::name_in(schema::enumerations()[static_cast<std::size_t>(field.ref)], value);
  return entry.empty() ? fmt::format("{}", value) : std::string(entry);
}

std::uint64_t activation_bytes(const TfliteDocument& document, const TensorView& tensor) {
  if (!tensor.dtype || (tensor.buffer != 0 && !document.constant_bytes(tensor).empty())) return 0;
  const auto count = element_count(shape_of(tensor));
  return count
             ? std::min(stored_size(tensor.type, static_cast<std::uint64_t>(*count)), std::uint64_t{1} << 48)
             : 0;
}

}  // namespace

std::string type_name(const TensorView& tensor) {
  const std::string_view name = schema::name_in("TensorType", tensor.type);
  return name.empty() ? fmt::format("type {}", tensor.type) : std::string(name);
}

Datum scale_datum(const TensorView& tensor) {
  const Numbers<float>& scale = tensor.quantization.scale;
  if (scale.empty()) return nullptr;
  if (scale.size() == 1) return scale[0];
  const std::vector<float> all = scale.to_vector();
  const auto [low, high] = std::minmax_element(all.begin(), all.end());
  return fmt::format("{} to {} ({} channels of dimension {})", *low, *high, all.size(),
                     tensor.quantization.quantized_dimension);
}

Datum zero_point_datum(const TensorView& tensor) {
  if (tensor.quantization.scale.empty()) return nullptr;
  const Numbers<std::int64_t>& zero = tensor.quantization.zero_point;
  return zero.empty() ? Datum(0) : Datum(zero[0]);
}

std::string operator_name(const OperatorView& op) {
  if (op.code == nullptr) return fmt::format("operator code {}", op.code_index);
  if (op.code->builtin == kCustom) return fmt::format("{} (custom)", op.code->custom_code);
  return op.code->name.empty() ? fmt::format("builtin {}", op.code->builtin) : std::string(op.code->name);
}

std::string options_text(const OperatorView& op) {
  std::string out;
  for (const FlatTable* table : {&op.options, &op.options_2}) {
    if (!*table) continue;
    for (const FieldSchema& field : table->table_schema()->fields) {
      if (field.deprecated || (field.vector && !table->has(field.name))) continue;
      out += fmt::format("{}{}={}", out.empty() ? "" : " ", field.name, field_text(*table, field));
    }
  }
  if (!op.custom_options.empty())
    out += fmt::format("{}{} bytes of custom options", out.empty() ? "" : " ", op.custom_options.size());
  return out;
}

std::string printable(ByteSpan data) {
  while (!data.empty() && data.back() == std::byte{0}) data = data.first(data.size() - 1);
  constexpr std::size_t kLongestText = 200;
  if (data.empty() || data.size() > kLongestText) return {};
  std::string out;
  for (std::byte b : data) {
    const auto c = static_cast<unsigned char>(b);
    if (c < 0x20 || c > 0x7e) return {};
    out += static_cast<char>(c);
  }
  return out;
}

std::uint64_t activation_peak(const TfliteDocument& document, const SubgraphView& graph) {
  const std::size_t steps = graph.operators.size();
  struct Life {
    std::size_t first = SIZE_MAX, last = 0;
  };
  std::vector<Life> lives(graph.tensors.size());
  auto touch = [&](const Numbers<std::int32_t>& tensors, std::size_t step) {
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      if (tensors[i] < 0 || static_cast<std::size_t>(tensors[i]) >= lives.size()) continue;
      Life& life = lives[static_cast<std::size_t>(tensors[i])];
      life.first = std::min(life.first, step);
      life.last = std::max(life.last, step);
    }
  };
  touch(graph.inputs, 0);
  for (std::size_t i = 0; i < steps; ++i) {
    touch(graph.operators[i].inputs, i);
    touch(graph.operators[i].outputs, i);
  }
  if (steps > 0) touch(graph.outputs, steps - 1);
  std::vector<std::uint64_t> begins(steps + 1, 0), ends(steps + 1, 0);
  for (std::size_t t = 0; t < lives.size(); ++t) {
    if (lives[t].first == SIZE_MAX) continue;
    const std::uint64_t bytes = activation_bytes(document, graph.tensors[t]);
    begins[lives[t].first] += bytes;
    ends[lives[t].last] += bytes;
  }
  std::uint64_t alive = 0, peak = 0;
  for (std::size_t i = 0; i < steps; ++i) {
    alive += begins[i];
    peak = std::max(peak, alive);
    alive -= ends[i];
  }
  return peak;
}

}  // namespace npubin::tflite
