// The commands of an Ethos-U55 stream: the table they are described by, and the decoder from words to
// commands.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "ethosu/command_codes.h"

namespace npubin::ethosu {

struct FieldValue {
  std::string_view name;
  std::uint32_t value = 0;
};

struct FieldEnum {
  std::string_view name;
  std::span<const FieldValue> values;

  // The spelling of a value; empty where the enumeration has no such value.
  std::string_view spelling(std::uint32_t value) const;
};

// Bits [high:low] of word 0 or word 1 of a command.
struct CommandField {
  std::uint8_t word = 0, high = 0, low = 0;
  std::string_view name;
  const FieldEnum* values = nullptr;  // nullptr: a number

  std::uint32_t mask() const { return (high - low == 31 ? ~0u : (1u << (high - low + 1)) - 1u) << low; }
  std::uint32_t get(std::uint32_t from) const { return (from & mask()) >> low; }
};

struct CommandKind {
  Code code;
  std::string_view name;  // "NPU_SET_IFM_PAD_TOP"
  std::span<const CommandField> fields;

  bool two_words() const { return (static_cast<unsigned>(code) & 0x400u) != 0; }
  std::uint32_t opcode() const { return static_cast<unsigned>(code) & 0x3FFu; }
  // Operations start something; all other commands write a register.
  bool is_operation() const { return static_cast<unsigned>(code) < 0x100u; }
  // The payload is an address or a stride: the parameter of word 0 extends it to 40 bits (ethos-u55 spec 2).
  bool extends_payload() const;
};

// All commands, one-word ones first, ascending by opcode.
std::span<const CommandKind> command_kinds();
// nullptr: no such command.
const CommandKind* find_command(Code code);
const CommandKind* find_command(std::string_view name);

// One command of a stream. `kind` is nullptr where the words are of no known command.
struct Command {
  std::size_t word = 0;  // index of word 0 in the stream
  std::uint32_t word0 = 0, word1 = 0;
  std::uint8_t words = 1;  // 1 or 2; 1 where the stream ends before the second word
  const CommandKind* kind = nullptr;
  bool truncated = false;  // word 0 announces a second word that the stream does not have

  std::uint32_t param() const { return word0 >> 16; }
  Code code() const {
    return static_cast<Code>((word0 & 0x3FFu) | ((word0 & 0xC000u) == 0x4000u ? 0x400u : 0u));
  }
  bool is(Code what) const { return kind != nullptr && kind->code == what; }
  // Payload extended by the parameter: 40 bits, unsigned and sign-extended.
  std::uint64_t address() const { return (static_cast<std::uint64_t>(param() & 0xFFu) << 32) | word1; }
  std::int64_t signed_address() const { return static_cast<std::int64_t>(address() << 24) >> 24; }
};

// Decodes the command at words[at]. Precondition: at < words.size(). Bits [13:10] of word 0 and encodings 2
// and 3 of bits [15:14] belong to no command: such a word is an unknown one-word command.
Command decode_command(std::span<const std::uint32_t> words, std::size_t at);

}  // namespace npubin::ethosu
