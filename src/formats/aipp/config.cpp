#include "formats/aipp/config.h"

#include <cmath>

#include <fmt/format.h>

namespace npubin::aipp {
namespace {

std::string spelt(const FieldInfo& field, double value) {
  switch (field.kind) {
    case FieldKind::Bool:
      return value != 0 ? "true" : "false";
    case FieldKind::Mode:
      return value == 1 ? "static" : value == 2 ? "dynamic" : fmt::format("{}", static_cast<int>(value));
    case FieldKind::Format:
      if (const FormatFacts* facts = find_format(static_cast<InputFormat>(static_cast<int>(value))))
        return std::string(facts->name);
      return value == 0 ? "UNDEFINED" : fmt::format("{}", static_cast<int>(value));
    case FieldKind::Float:
      if (std::isnan(value)) return "nan";
      if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
      return fmt::format("{}", static_cast<float>(value));
    default:
      return fmt::format("{}", static_cast<std::int64_t>(value));
  }
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      out += fmt::format("\\{}", c);
    else if (byte < 0x20 || byte >= 0x7F)
      out += fmt::format("\\{:03o}", byte);
    else
      out += c;
  }
  return out + "\"";
}

}  // namespace

Location location_of(const Occurrence& occurrence) {
  Location out;
  if (occurrence.line == 0) return out;
  out.offset = occurrence.offset;
  out.line = occurrence.line;
  out.column = occurrence.column;
  return out;
}

Location Block::location(FieldId id) const {
  const FieldValues& values = of(id);
  return location_of(values.where.empty() ? where : values.where.back());
}

std::string to_text(const Config& config) {
  std::string out;
  for (const Block& block : config.blocks) {
    out += "aipp_op {\n";
    for (const FieldInfo& field : fields()) {
      const FieldValues& values = block.of(field.id);
      if (field.kind == FieldKind::String && (!values.text.empty() || !values.where.empty()))
        out += fmt::format("  {}: {}\n", field.name, quoted(values.text));
      for (double value : values.numbers) out += fmt::format("  {}: {}\n", field.name, spelt(field, value));
    }
    out += "}\n";
  }
  for (const MultiShape& shape : config.shapes) {
    out += fmt::format("multi_shape_op {{\n  mode: {}\n  related_input_rank: {}\n", shape.mode, shape.rank);
    for (std::uint32_t batch : shape.batch_list) out += fmt::format("  batch_list: {}\n", batch);
    out += "}\n";
  }
  return out;
}

}  // namespace npubin::aipp
