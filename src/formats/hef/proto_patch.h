// Changing single fields of a document without re-serialising the rest: everything that is not asked for
// keeps its bytes, unknown fields included; only enclosing lengths are computed anew.
#pragma once

#include <string_view>
#include <vector>

#include "formats/hef/wire.h"

namespace npubin::hef {

class ProtoPatch {
 public:
  explicit ProtoPatch(const Message& document) : document_(document) {}

  // Sets a single number of a message that is present; a field that is absent is appended.
  void set_number(const Message& message, std::string_view field, double value);
  void set_text(const WireField& field, std::string_view value);
  // Replaces the content of a length-delimited field.
  void set_bytes(const WireField& field, ByteSpan value);
  void remove(const WireField& field);
  bool empty() const { return splices_.empty(); }
  // The document's bytes with all changes.
  std::vector<std::byte> apply();

 private:
  struct Splice {
    std::uint64_t at = 0;  // file offset of the tag; for an insertion, of the message's content
    bool insertion = false;
    std::vector<std::byte> bytes;
  };
  void emit(const Message& message, std::vector<std::byte>& out) const;
  const Splice* splice_of(std::uint64_t at, bool insertion) const;
  bool touched(std::uint64_t begin, std::uint64_t end) const;

  Message document_;
  std::vector<Splice> splices_;  // by place, once apply() has begun
};

// The pieces of the wire format, for writers.
void put_varint(std::vector<std::byte>& out, std::uint64_t value);
void put_tag(std::vector<std::byte>& out, std::uint32_t number, std::uint8_t wire_type);
void put_delimited(std::vector<std::byte>& out, std::uint32_t number, ByteSpan content);

}  // namespace npubin::hef
