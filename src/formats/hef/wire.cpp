#include "formats/hef/wire.h"

#include <bit>

namespace npubin::hef {

std::string_view to_string(WireFault fault) {
  switch (fault) {
    case WireFault::None:
      return "no fault";
    case WireFault::TruncatedVarint:
      return "the message ends inside a varint";
    case WireFault::OverlongVarint:
      return "a varint is longer than ten bytes";
    case WireFault::FieldNumberZero:
      return "a field has the number 0 or one above 2^29-1";
    case WireFault::WireTypeUnknown:
      return "a field has wire type 6 or 7, which do not exist";
    case WireFault::LengthPastEnd:
      return "a field is longer than what encloses it";
    case WireFault::StrayEndGroup:
      return "an end-group tag stands where no group was opened";
    case WireFault::OpenGroup:
      return "a group is opened and never closed";
  }
  return "unknown fault";
}

bool WireCursor::fail(WireFault fault, std::size_t position) {
  fault_ = fault;
  fault_position_ = position;
  position_ = data_.size();
  return false;
}

bool WireCursor::varint(std::uint64_t& value) {
  value = 0;
  const std::size_t start = position_;
  for (unsigned shift = 0; shift < 70; shift += 7) {
    if (position_ >= data_.size()) return fail(WireFault::TruncatedVarint, start);
    const auto byte = std::to_integer<std::uint64_t>(data_[position_++]);
    if (shift < 64) value |= (byte & 0x7F) << shift;
    if ((byte & 0x80) == 0) return true;
  }
  return fail(WireFault::OverlongVarint, start);
}

bool WireCursor::next(WireField& field) {
  if (position_ >= data_.size()) return false;
  const std::size_t start = position_;
  std::uint64_t tag = 0;
  if (!varint(tag)) return false;
  field = {};
  field.wire_type = static_cast<std::uint8_t>(tag & 7);
  field.tag_offset = base_ + start;
  if (tag >> 3 == 0 || tag > 0xFFFFFFFFu) return fail(WireFault::FieldNumberZero, start);
  field.number = static_cast<std::uint32_t>(tag >> 3);
  if (field.wire_type == 4) return fail(WireFault::StrayEndGroup, start);
  field.value_offset = base_ + position_;
  if (!value(field)) return false;
  field.end_offset = base_ + position_;
  return true;
}

bool WireCursor::value(WireField& field) {
  switch (field.wire_type) {
    case 0:
      return varint(field.bits);
    case 1:
    case 5: {
      const std::size_t size = field.wire_type == 1 ? 8 : 4;
      if (data_.size() - position_ < size) return fail(WireFault::LengthPastEnd, position_);
      field.bits =
          size == 8 ? load<std::uint64_t>(&data_[position_]) : load<std::uint32_t>(&data_[position_]);
      position_ += size;
      return true;
    }
    case 2: {
      const std::size_t start = position_;
      std::uint64_t size = 0;
      if (!varint(size)) return false;
      if (size > data_.size() - position_) return fail(WireFault::LengthPastEnd, start);
      field.value_offset = base_ + position_;
      field.payload = data_.subspan(position_, static_cast<std::size_t>(size));
      position_ += static_cast<std::size_t>(size);
      return true;
    }
    case 3: {
      const std::size_t start = position_;
      std::size_t content_end = start;
      if (!skip_group(field.number, content_end)) return false;
      field.payload = data_.subspan(start, content_end - start);
      return true;
    }
    default:
      return fail(WireFault::WireTypeUnknown, static_cast<std::size_t>(field.tag_offset - base_));
  }
}

// Old-style groups are unknown to the schema; they are skipped with everything inside, without recursion.
bool WireCursor::skip_group(std::uint32_t number, std::size_t& content_end) {
  const std::size_t opened = position_;
  std::vector<std::uint32_t> open{number};
  while (position_ < data_.size()) {
    const std::size_t start = position_;
    std::uint64_t tag = 0;
    if (!varint(tag)) return false;
    if (tag >> 3 == 0 || tag > 0xFFFFFFFFu) return fail(WireFault::FieldNumberZero, start);
    WireField inner;
    inner.number = static_cast<std::uint32_t>(tag >> 3);
    inner.wire_type = static_cast<std::uint8_t>(tag & 7);
    inner.tag_offset = base_ + start;
    if (inner.wire_type == 4) {
      if (open.back() != inner.number) return fail(WireFault::StrayEndGroup, start);
      open.pop_back();
      content_end = start;
      if (open.empty()) return true;
    } else if (inner.wire_type == 3) {
      if (open.size() >= static_cast<std::size_t>(kMaxDepth)) return fail(WireFault::OpenGroup, start);
      open.push_back(inner.number);
    } else if (!value(inner)) {
      return false;
    }
  }
  return fail(WireFault::OpenGroup, opened);
}

namespace {

bool fits(const FieldSchema& schema, const WireField& wire) {
  return wire.wire_type == schema.wire_type() || (schema.packable() && wire.wire_type == 2);
}

// Calls `use(bits)` for every element of a repeated number, packed or not.
template <class Use>
void each_number(const Message& message, std::string_view name, Use use) {
  const FieldSchema* schema = message.schema() != nullptr ? message.schema()->by_name(name) : nullptr;
  if (schema == nullptr) return;
  WireField wire;
  for (WireCursor cursor = message.cursor(); cursor.next(wire);) {
    if (wire.number != schema->number || !fits(*schema, wire)) continue;
    if (wire.wire_type != 2) {
      use(wire.bits);
      continue;
    }
    const ByteSpan packed = wire.payload;
    for (std::size_t at = 0; at < packed.size();) {
      std::uint64_t bits = 0;
      if (schema->wire_type() == 0) {
        unsigned shift = 0;
        bool more = true;
        for (; more && at < packed.size(); shift += 7) {
          const auto byte = std::to_integer<std::uint64_t>(packed[at++]);
          if (shift < 64) bits |= (byte & 0x7F) << shift;
          more = (byte & 0x80) != 0;
        }
        if (more) return;
      } else {
        const std::size_t size = schema->wire_type() == 1 ? 8 : 4;
        if (packed.size() - at < size) return;
        bits = size == 8 ? load<std::uint64_t>(&packed[at]) : load<std::uint32_t>(&packed[at]);
        at += size;
      }
      use(bits);
    }
  }
}

}  // namespace

std::optional<WireField> Message::find(std::string_view name) const {
  const FieldSchema* schema = schema_ != nullptr ? schema_->by_name(name) : nullptr;
  if (schema == nullptr || data_.empty()) return std::nullopt;
  std::optional<WireField> found;
  WireField wire;
  for (WireCursor it = cursor(); it.next(wire);) {
    if (wire.number == schema->number) {
      if (wire.wire_type == schema->wire_type()) found = wire;
    } else if (!schema->oneof.empty() && found) {
      // A later member of the same oneof clears this one.
      const FieldSchema* other = schema_->by_number(wire.number);
      if (other != nullptr && other->oneof == schema->oneof && fits(*other, wire)) found.reset();
    }
  }
  return found;
}

std::uint64_t Message::u64(std::string_view name) const {
  const auto wire = find(name);
  return wire ? wire->bits : 0;
}

float Message::f32(std::string_view name) const {
  return std::bit_cast<float>(static_cast<std::uint32_t>(u64(name)));
}

double Message::f64(std::string_view name) const {
  return std::bit_cast<double>(u64(name));
}

ByteSpan Message::bytes(std::string_view name) const {
  const auto wire = find(name);
  return wire ? wire->payload : ByteSpan{};
}

std::string_view Message::text(std::string_view name) const {
  const ByteSpan content = bytes(name);
  return {reinterpret_cast<const char*>(content.data()), content.size()};
}

Message Message::message(std::string_view name) const {
  const FieldSchema* schema = schema_ != nullptr ? schema_->by_name(name) : nullptr;
  if (schema == nullptr) return {};
  const auto wire = find(name);
  if (!wire) return {schema->message, {}, offset_, false};
  return of(*schema, *wire);
}

std::vector<Message> Message::messages(std::string_view name) const {
  std::vector<Message> out;
  const FieldSchema* schema = schema_ != nullptr ? schema_->by_name(name) : nullptr;
  if (schema == nullptr) return out;
  WireField wire;
  for (WireCursor it = cursor(); it.next(wire);)
    if (wire.number == schema->number && wire.wire_type == 2) out.push_back(of(*schema, wire));
  return out;
}

std::vector<std::string_view> Message::texts(std::string_view name) const {
  std::vector<std::string_view> out;
  const FieldSchema* schema = schema_ != nullptr ? schema_->by_name(name) : nullptr;
  if (schema == nullptr) return out;
  WireField wire;
  for (WireCursor it = cursor(); it.next(wire);)
    if (wire.number == schema->number && wire.wire_type == 2)
      out.emplace_back(reinterpret_cast<const char*>(wire.payload.data()), wire.payload.size());
  return out;
}

std::vector<std::uint64_t> Message::integers(std::string_view name) const {
  std::vector<std::uint64_t> out;
  each_number(*this, name, [&](std::uint64_t bits) { out.push_back(bits); });
  return out;
}

std::vector<double> Message::numbers(std::string_view name) const {
  std::vector<double> out;
  const FieldSchema* schema = schema_ != nullptr ? schema_->by_name(name) : nullptr;
  const bool is_double = schema != nullptr && schema->type == FieldType::Double;
  each_number(*this, name, [&](std::uint64_t bits) {
    out.push_back(is_double ? std::bit_cast<double>(bits)
                            : double{std::bit_cast<float>(static_cast<std::uint32_t>(bits))});
  });
  return out;
}

const FieldSchema* Message::which(std::string_view oneof) const {
  const FieldSchema* found = nullptr;
  if (schema_ == nullptr) return nullptr;
  WireField wire;
  for (WireCursor it = cursor(); it.next(wire);) {
    const FieldSchema* schema = schema_->by_number(wire.number);
    if (schema != nullptr && schema->oneof == oneof && fits(*schema, wire)) found = schema;
  }
  return found;
}

std::uint64_t Message::offset_of(std::string_view name) const {
  const auto wire = find(name);
  if (wire) return wire->tag_offset;
  if (const FieldSchema* schema = schema_ != nullptr ? schema_->by_name(name) : nullptr) {
    WireField repeated;
    for (WireCursor it = cursor(); it.next(repeated);)
      if (repeated.number == schema->number) return repeated.tag_offset;
  }
  return offset_;
}

}  // namespace npubin::hef
