#include "formats/hef/proto_patch.h"

#include <algorithm>
#include <bit>

namespace npubin::hef {
namespace {

void put_little(std::vector<std::byte>& out, std::uint64_t bits, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) out.push_back(static_cast<std::byte>(bits >> (8 * i)));
}

std::vector<std::byte> encoded(const FieldSchema& schema, double value) {
  std::vector<std::byte> out;
  put_tag(out, schema.number, schema.wire_type());
  switch (schema.wire_type()) {
    case 1:
      put_little(out, std::bit_cast<std::uint64_t>(value), 8);
      break;
    case 5:
      put_little(out, std::bit_cast<std::uint32_t>(static_cast<float>(value)), 4);
      break;
    default:
      put_varint(out, static_cast<std::uint64_t>(value));
  }
  return out;
}

}  // namespace

void put_varint(std::vector<std::byte>& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) out.push_back(static_cast<std::byte>(value | 0x80));
  out.push_back(static_cast<std::byte>(value));
}

void put_tag(std::vector<std::byte>& out, std::uint32_t number, std::uint8_t wire_type) {
  put_varint(out, std::uint64_t{number} << 3 | wire_type);
}

void put_delimited(std::vector<std::byte>& out, std::uint32_t number, ByteSpan content) {
  put_tag(out, number, 2);
  put_varint(out, content.size());
  out.insert(out.end(), content.begin(), content.end());
}

void ProtoPatch::set_number(const Message& message, std::string_view field, double value) {
  const FieldSchema* schema = message.schema()->by_name(field);
  if (schema == nullptr || !message.present()) return;
  const auto present = message.find(field);
  splices_.push_back({present ? present->tag_offset : message.offset(), !present, encoded(*schema, value)});
}

void ProtoPatch::set_text(const WireField& field, std::string_view value) {
  set_bytes(field, {reinterpret_cast<const std::byte*>(value.data()), value.size()});
}

void ProtoPatch::set_bytes(const WireField& field, ByteSpan value) {
  Splice splice{field.tag_offset, false, {}};
  put_delimited(splice.bytes, field.number, value);
  splices_.push_back(std::move(splice));
}

void ProtoPatch::remove(const WireField& field) {
  splices_.push_back({field.tag_offset, false, {}});
}

std::vector<std::byte> ProtoPatch::apply() {
  std::stable_sort(splices_.begin(), splices_.end(),
                   [](const Splice& a, const Splice& b) { return a.at < b.at; });
  std::vector<std::byte> out;
  out.reserve(document_.data().size() + 64);
  emit(document_, out);
  return out;
}

const ProtoPatch::Splice* ProtoPatch::splice_of(std::uint64_t at, bool insertion) const {
  auto it = std::lower_bound(splices_.begin(), splices_.end(), at,
                             [](const Splice& splice, std::uint64_t place) { return splice.at < place; });
  for (; it != splices_.end() && it->at == at; ++it)
    if (it->insertion == insertion) return &*it;
  return nullptr;
}

// Whether a change lies inside a field: behind its tag, up to and including its end (an insertion into an
// empty message is at its end).
bool ProtoPatch::touched(std::uint64_t begin, std::uint64_t end) const {
  auto it = std::upper_bound(splices_.begin(), splices_.end(), begin,
                             [](std::uint64_t place, const Splice& splice) { return place < splice.at; });
  for (; it != splices_.end() && it->at <= end; ++it)
    if (it->at < end || it->insertion) return true;
  return false;
}

// Recurses along the paths to the changes only; the walk has bounded their depth.
void ProtoPatch::emit(const Message& message, std::vector<std::byte>& out) const {
  WireField wire;
  for (WireCursor cursor = message.cursor(); cursor.next(wire);) {
    if (const Splice* splice = splice_of(wire.tag_offset, false)) {
      out.insert(out.end(), splice->bytes.begin(), splice->bytes.end());
      continue;
    }
    const FieldSchema* schema = message.schema()->by_number(wire.number);
    const bool inside = schema != nullptr && schema->type == FieldType::Message && wire.wire_type == 2;
    if (inside && touched(wire.tag_offset, wire.end_offset)) {
      std::vector<std::byte> content;
      emit(Message::of(*schema, wire), content);
      put_delimited(out, wire.number, content);
      continue;
    }
    const ByteSpan data = message.data();
    const ByteSpan verbatim =
        data.subspan(wire.tag_offset - message.offset(), wire.end_offset - wire.tag_offset);
    out.insert(out.end(), verbatim.begin(), verbatim.end());
  }
  // Several fields may be appended to one message.
  auto it = std::lower_bound(splices_.begin(), splices_.end(), message.offset(),
                             [](const Splice& splice, std::uint64_t place) { return splice.at < place; });
  for (; it != splices_.end() && it->at == message.offset(); ++it)
    if (it->insertion) out.insert(out.end(), it->bytes.begin(), it->bytes.end());
}

}  // namespace npubin::hef
