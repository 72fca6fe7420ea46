// The byte map: a name for every byte of a HEF.
#include <algorithm>
#include <bit>
#include <cstdio>
#include <utility>

#include <fmt/format.h>

#include "formats/hef/config_words.h"
#include "formats/hef/document.h"

namespace npubin::hef {
namespace {

// Spans that are named one by one; a larger document is named by its messages only.
constexpr std::size_t kMaxSpans = 200000;
constexpr std::size_t kMaxNamedDepth = 40;

struct Level {
  const MessageSchema* schema;
  WireCursor cursor;
  std::string path;
  std::vector<std::size_t> counts;  // per field of the schema
};

Level level_of(const Message& message, std::string path) {
  const std::size_t fields = message.schema() != nullptr ? message.schema()->fields.size() : 0;
  return {message.schema(), message.cursor(), std::move(path), std::vector<std::size_t>(fields)};
}

std::string note_of(const FieldSchema* schema, const WireField& wire) {
  if (schema == nullptr) return fmt::format("wire type {}", wire.wire_type);
  if (schema->type == FieldType::Enum)
    return std::string(schema->enumeration->name_of(static_cast<std::int64_t>(wire.bits)));
  if (schema->type == FieldType::String && wire.payload.size() <= 64)
    return std::string(reinterpret_cast<const char*>(wire.payload.data()), wire.payload.size());
  if (schema->type == FieldType::Float && wire.wire_type == 5)
    return fmt::format("{}", std::bit_cast<float>(static_cast<std::uint32_t>(wire.bits)));
  if (schema->type == FieldType::Double && wire.wire_type == 1)
    return fmt::format("{}", std::bit_cast<double>(wire.bits));
  if (schema->type == FieldType::Float || schema->type == FieldType::Double || wire.wire_type == 2) return {};
  return fmt::format("{}", wire.bits);
}

// Down to single fields, except inside programs, where one action is one span.
void map_document(const Message& document, ByteMap& map) {
  std::vector<Level> stack{level_of(document, "")};
  while (!stack.empty()) {
    Level& level = stack.back();
    WireField wire;
    if (map.spans().size() > kMaxSpans || !level.cursor.next(wire)) {
      stack.pop_back();
      continue;
    }
    const FieldSchema* schema = level.schema->by_number(wire.number);
    std::string name = level.path + (level.path.empty() ? "" : ".");
    if (schema == nullptr) {
      map.add(wire.tag_offset, wire.end_offset - wire.tag_offset,
              fmt::format("{}field_{}", name, wire.number),
              "unknown to the schema, " + note_of(nullptr, wire));
      continue;
    }
    name += schema->name;
    const auto at = static_cast<std::size_t>(schema - level.schema->fields.data());
    if (schema->repeated) name += fmt::format("[{}]", level.counts[at]++);
    map.add(wire.tag_offset, wire.end_offset - wire.tag_offset, name, note_of(schema, wire));
    const bool inside =
        schema->type == FieldType::Message && wire.wire_type == 2 && schema->name != "actions";
    // Paths grow with the depth: what lies deeper than any real document stays one span.
    if (inside && stack.size() <= kMaxNamedDepth)
      stack.push_back(level_of(Message::of(*schema, wire), std::move(name)));
  }
}

void map_config(const HefArtifact& artifact, ByteMap& map) {
  const Container& c = artifact.container();
  if (c.header.version == 0 || c.ccws.size == 0) return;
  map.add(c.ccws.offset, c.ccws.size, "config_words",
          fmt::format("{} actions write them", artifact.model().ccws.write_actions));
  const std::vector<ConfigWrite> writes = config_writes(artifact);
  for (std::size_t i = 0; i < writes.size() && i < kMaxSpans; ++i)
    if (c.zero_point + writes[i].offset < c.ccws.end())
      map.add(c.zero_point + writes[i].offset,
              std::min(writes[i].size, c.ccws.end() - c.zero_point - writes[i].offset),
              fmt::format("config_words[{}]", i), writes[i].where);
  for (const Section& gap : config_coverage(artifact, writes).gaps)
    if (c.zero_point + gap.offset < c.ccws.end())
      map.add(c.zero_point + gap.offset, std::min(gap.size, c.ccws.end() - c.zero_point - gap.offset),
              "config_words.gap", "no action writes these");
}

void map_tail(const HefArtifact& artifact, ByteMap& map) {
  const Container& c = artifact.container();
  if (c.additional.size > 0)
    map.add(c.additional.offset, c.additional.size, "additional_info", "behind the config words");
  for (const ExternalResource& resource : artifact.model().external_resources)
    if (resource.size > 0 && resource_bytes(artifact, resource))
      map.add(c.zero_point + resource.offset, resource.size,
              fmt::format("external_resources.{}", resource.name),
              resource.xxhash != 0 ? "xxh3 " + hex64(resource.xxhash) : std::string("no hash"));
  if (c.expected_size && *c.expected_size < c.file_size)
    map.add(*c.expected_size, c.file_size - *c.expected_size, "trailing_bytes",
            "behind the end that the header states");
}

}  // namespace

Result<ByteMap> HefArtifact::map() const {
  ByteMap map;
  const Container& c = container_;
  if (c.header_complete) {
    map.add(0, c.header_size, "header", fmt::format("version {}", c.header.version));
    for (const HeaderField& field : header_fields(c.header.version))
      map.add(field.offset, field.size, fmt::format("header.{}", field.name));
    if (c.proto.size > 0) map.add(c.proto.offset, c.proto.size, "protobuf", "ProtoHEFHef");
    if (readable()) map_document(document_, map);
    if (c.padding.size > 0) map.add(c.padding.offset, c.padding.size, "padding", "up to the zero point");
    map_config(*this, map);
    map_tail(*this, map);
  }
  // Of a header that is cut off, or of an unknown version, only the common part can be named.
  if (!c.header_complete && c.file_size > 0)
    map.add(0, c.header_size != 0 || c.file_size < kCommonHeaderBytes ? c.file_size : kCommonHeaderBytes,
            "header",
            c.header_size != 0 || c.file_size < kCommonHeaderBytes ? "cut off" : "of an unknown version");
  map.finish(bytes_.size());
  return map;
}

// The document's fields and the words that each action writes. The header says nothing that is not said
// elsewhere, or in the description.
Result<std::vector<ContentPart>> HefArtifact::contents() const {
  NPUBIN_TRY(std::vector<ContentPart> parts, Artifact::contents());
  std::erase_if(parts, [](const ContentPart& part) { return part.name.starts_with("header"); });
  const std::vector<ConfigWrite> writes =
      container_.header.version == 0 ? std::vector<ConfigWrite>() : config_writes(*this);
  for (ContentPart& part : parts) {
    part.constant = part.name.starts_with("config_words") || part.name.starts_with("external_resources.");
    std::size_t index = 0;
    if (std::sscanf(part.name.c_str(), "config_words[%zu]", &index) == 1 && index < writes.size())
      part.name += fmt::format(" ({})", writes[index].where);
  }
  // What a map of so many spans does not name one by one is compared as a whole.
  if (parts.size() >= kMaxSpans)
    for (const auto& [section, name] :
         {std::pair(container_.proto, "protobuf"), std::pair(container_.ccws, "config_words")})
      if (section.size > 0 && section.end() <= bytes_.size())
        parts.push_back(
            {name, section.offset, bytes_.slice(section.offset, section.size), std::nullopt, true});
  return parts;
}

}  // namespace npubin::hef
