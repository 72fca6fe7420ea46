// The binary form: a serialized InsertNewOps. Offline models carry it; ATC itself reads text.
#include <limits>

#include <fmt/format.h>

#include "formats/aipp/message.h"

namespace npubin::aipp {
namespace {

// The values of a block cost some kilobytes each in memory; two bytes of file must not buy one.
constexpr std::size_t kMostBlocks = 4096;
constexpr std::size_t kLargestBinary = std::size_t{4} << 20;

Result<std::uint64_t> varint(ByteReader& reader) {
  std::uint64_t value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    NPUBIN_TRY(const std::uint8_t byte, reader.u8("varint"));
    value |= std::uint64_t{byte & 0x7Fu} << shift;
    if ((byte & 0x80u) == 0) return value;
  }
  return malformed(Location::at(reader.offset()), "a varint is longer than ten bytes", {}, "AIP-0110");
}

enum Wire : std::uint32_t { kVarint = 0, kLength = 2, kFixed32 = 5 };

bool wire_fits(const FieldInfo& field, std::uint32_t wire) {
  if (field.kind == FieldKind::String) return wire == kLength;
  const std::uint32_t plain = field.kind == FieldKind::Float ? kFixed32 : kVarint;
  return wire == plain || (field.repeated && wire == kLength);
}

Result<void> skip_value(ByteReader& reader, std::uint32_t wire) {
  if (wire == kFixed32) return reader.skip(4, "float");
  NPUBIN_TRY(const std::uint64_t value, varint(reader));
  return wire == kLength ? reader.skip(value, "value") : Result<void>{};
}

Result<void> walk_block(ByteReader reader) {
  while (!reader.at_end()) {
    const std::uint64_t at = reader.offset();
    NPUBIN_TRY(const std::uint64_t tag, varint(reader));
    const FieldInfo* field = tag >> 3 <= 1000 ? find_field(static_cast<std::uint32_t>(tag >> 3)) : nullptr;
    if (field == nullptr || !wire_fits(*field, static_cast<std::uint32_t>(tag & 7)))
      return malformed(Location::at(at), fmt::format("field {} is not in the schema of aipp_op", tag >> 3),
                       "is this a serialized InsertNewOps?", "AIP-0110");
    NPUBIN_CHECK(skip_value(reader, static_cast<std::uint32_t>(tag & 7)));
  }
  return {};
}

Result<void> walk_shape(ByteReader reader) {
  while (!reader.at_end()) {
    const std::uint64_t at = reader.offset();
    NPUBIN_TRY(const std::uint64_t tag, varint(reader));
    const std::uint64_t number = tag >> 3;
    const auto wire = static_cast<std::uint32_t>(tag & 7);
    const bool known = ((number == 1 || number == 2) && wire == kVarint) ||
                       (number == 11 && (wire == kVarint || wire == kLength));
    if (!known)
      return malformed(Location::at(at),
                       fmt::format("field {} is not in the schema of multi_shape_op", number),
                       "is this a serialized InsertNewOps?", "AIP-0110");
    NPUBIN_CHECK(skip_value(reader, wire));
  }
  return {};
}

Result<void> walk(ByteSpan data) {
  ByteReader reader(data);
  std::size_t blocks = 0;
  while (!reader.at_end()) {
    const std::uint64_t at = reader.offset();
    NPUBIN_TRY(const std::uint64_t tag, varint(reader));
    if (tag != 0x0A && tag != 0x12)
      return malformed(Location::at(at), fmt::format("tag 0x{:x} is neither aipp_op nor multi_shape_op", tag),
                       "is this a serialized InsertNewOps?", "AIP-0110");
    NPUBIN_TRY(const std::uint64_t size, varint(reader));
    const std::uint64_t begin = reader.offset();
    NPUBIN_TRY(const ByteSpan body, reader.take(size, tag == 0x0A ? "aipp_op" : "multi_shape_op"));
    if (++blocks > kMostBlocks)
      return malformed(Location::at(at), fmt::format("more than {} blocks", kMostBlocks), {}, "AIP-0110");
    NPUBIN_CHECK(tag == 0x0A ? walk_block(ByteReader(body, begin)) : walk_shape(ByteReader(body, begin)));
  }
  return {};
}

}  // namespace

bool looks_binary(ByteSpan data) {
  return !data.empty() && data.size() <= kLargestBinary && walk(data).has_value();
}

Result<Config> parse_binary(ByteSpan data) {
  if (data.size() > kLargestBinary)
    return malformed(Location::at(kLargestBinary), "a serialized config of more than 4 MiB", {}, "AIP-0110");
  NPUBIN_CHECK(walk(data));
  domi::InsertNewOps message;
  if (!message.ParsePartialFromArray(data.data(), static_cast<int>(data.size())))
    return malformed(Location::at(0), "protobuf cannot read the message (a string that is not UTF-8?)", {},
                     "AIP-0110");
  Config out = config_of(message);
  out.binary = true;
  return out;
}

Result<std::vector<std::byte>> to_binary(const Config& config) {
  const domi::InsertNewOps message = message_of(config);
  std::vector<std::byte> out(message.ByteSizeLong());
  if (!message.SerializePartialToArray(out.data(), static_cast<int>(out.size())))
    return malformed({}, "the config cannot be serialized", {}, "AIP-0110");
  return out;
}

}  // namespace npubin::aipp
