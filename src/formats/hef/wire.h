// The wire format of protobuf, read in place: no message is copied, nothing throws, nothing recurses.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/hef/schema.h"
#include "npubin/bytes.h"

namespace npubin::hef {

// protobuf refuses more nested messages than this; so does HailoRT, through it.
constexpr int kMaxDepth = 100;

enum class WireFault : std::uint8_t {
  None,
  TruncatedVarint,
  OverlongVarint,
  FieldNumberZero,
  WireTypeUnknown,
  LengthPastEnd,
  StrayEndGroup,
  OpenGroup,
};
std::string_view to_string(WireFault fault);

// One field as it stands in the file.
struct WireField {
  std::uint32_t number = 0;
  std::uint8_t wire_type = 0;      // 0 varint, 1 fixed64, 2 length-delimited, 3 group, 5 fixed32
  std::uint64_t bits = 0;          // value of a varint or a fixed number
  ByteSpan payload;                // content of a length-delimited field or group
  std::uint64_t tag_offset = 0;    // file offset of the tag
  std::uint64_t value_offset = 0;  // file offset of the value, behind a length
  std::uint64_t end_offset = 0;    // file offset behind the field
};

// Walks the fields of one message. After next() gave false, fault() says whether the end was clean.
class WireCursor {
 public:
  // `base` is the file offset of data[0].
  WireCursor(ByteSpan data, std::uint64_t base) : data_(data), base_(base) {}
  bool next(WireField& field);
  WireFault fault() const { return fault_; }
  std::uint64_t fault_offset() const { return base_ + fault_position_; }

 private:
  bool varint(std::uint64_t& value);
  bool fail(WireFault fault, std::size_t position);
  bool skip_group(std::uint32_t number, std::size_t& content_end);
  bool value(WireField& field);

  ByteSpan data_;
  std::uint64_t base_ = 0;
  std::size_t position_ = 0;
  std::size_t fault_position_ = 0;
  WireFault fault_ = WireFault::None;
};

// A message in place: its schema and its bytes. Absent messages are empty and read as defaults. Fields are
// asked for by the names of schema/hef.proto; where a single field occurs more than once the last one counts.
class Message {
 public:
  Message() = default;
  Message(const MessageSchema* schema, ByteSpan data, std::uint64_t offset, bool present = true)
      : schema_(schema), data_(data), offset_(offset), present_(present) {}

  const MessageSchema* schema() const { return schema_; }
  ByteSpan data() const { return data_; }
  std::uint64_t offset() const { return offset_; }  // file offset of the content
  bool present() const { return present_; }
  WireCursor cursor() const { return {data_, offset_}; }

  // The last occurrence of a field in its right wire type.
  std::optional<WireField> find(std::string_view name) const;
  bool has(std::string_view name) const { return find(name).has_value(); }
  std::uint64_t u64(std::string_view name) const;
  std::uint32_t u32(std::string_view name) const { return static_cast<std::uint32_t>(u64(name)); }
  std::int32_t i32(std::string_view name) const { return static_cast<std::int32_t>(u64(name)); }
  bool flag(std::string_view name) const { return u64(name) != 0; }
  float f32(std::string_view name) const;
  double f64(std::string_view name) const;
  std::string_view text(std::string_view name) const;
  ByteSpan bytes(std::string_view name) const;
  Message message(std::string_view name) const;
  // Repeated fields, in file order.
  std::vector<Message> messages(std::string_view name) const;
  std::vector<std::string_view> texts(std::string_view name) const;
  std::vector<std::uint64_t> integers(std::string_view name) const;
  std::vector<double> numbers(std::string_view name) const;  // float and double fields
  // Which member of a oneof is set: the last one that occurs; nullptr: none.
  const FieldSchema* which(std::string_view oneof) const;
  // File offset of a field's tag; the message's own where the field is absent.
  std::uint64_t offset_of(std::string_view name) const;
  // The field's content as a message, by its schema.
  static Message of(const FieldSchema& field, const WireField& wire) {
    return {field.message, wire.payload, wire.value_offset};
  }

 private:
  const MessageSchema* schema_ = nullptr;
  ByteSpan data_;
  std::uint64_t offset_ = 0;
  bool present_ = false;
};

// What a full walk over the document found.
struct WireReport {
  struct Fault {
    WireFault kind = WireFault::None;
    std::uint64_t offset = 0;
    std::string path;
  };
  struct Oddity {
    std::uint64_t offset = 0;
    std::string path;  // of the message
    std::uint32_t number = 0;
    std::uint8_t wire_type = 0;
    std::string field;  // name of a known field that has the wrong wire type, or occurs twice; else empty
  };
  std::optional<Fault> fault;      // the document cannot be parsed from here on
  std::optional<Fault> too_deep;   // kMaxDepth is passed here
  std::optional<Fault> not_utf8;   // the first string that is no UTF-8
  std::vector<Oddity> unknown;     // fields that the schema does not know; at most kMaxListed
  std::vector<Oddity> wrong_type;  // known fields in a foreign wire type: unknown to protobuf as well
  std::vector<Oddity> doubled;     // single messages that occur more than once
  std::uint64_t unknown_count = 0;
  std::uint64_t fields = 0;
  int depth = 0;
  static constexpr std::size_t kMaxListed = 32;

  bool parses() const { return !fault && !too_deep && !not_utf8; }
};
WireReport walk(const Message& document);

// "network_groups[0].ops[1].nms_op" for the message in which file offset `offset` lies, as deep as the schema
// knows; empty for the document itself.
std::string path_at(const Message& document, std::uint64_t offset);

bool is_utf8(ByteSpan text);

// visit(message, schema, field) for every known field of a document, at any depth, that holds a message, a
// string or bytes.
template <class Visit>
void for_each_nested(const Message& document, Visit visit) {
  std::vector<Message> todo{document};
  while (!todo.empty()) {
    const Message message = todo.back();
    todo.pop_back();
    WireField wire;
    for (WireCursor cursor = message.cursor(); cursor.next(wire);) {
      const FieldSchema* schema = message.schema()->by_number(wire.number);
      if (schema == nullptr || wire.wire_type != 2) continue;
      if (schema->type == FieldType::Message) todo.push_back(Message::of(*schema, wire));
      visit(message, *schema, wire);
    }
  }
}

}  // namespace npubin::hef
