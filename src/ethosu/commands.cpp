#include "ethosu/commands.h"

#include <array>

namespace npubin::ethosu {
namespace {

constexpr std::size_t kCodeSpace = 0x800;

// Position in the table + 1 by code; 0: no command.
std::array<std::uint8_t, kCodeSpace> index_by_code() {
  std::array<std::uint8_t, kCodeSpace> out{};
  std::uint8_t position = 0;
  for (const CommandKind& kind : command_kinds()) out[static_cast<std::size_t>(kind.code)] = ++position;
  return out;
}

}  // namespace

std::string_view FieldEnum::spelling(std::uint32_t value) const {
  for (const FieldValue& known : values)
    if (known.value == value) return known.name;
  return {};
}

bool CommandKind::extends_payload() const {
  return two_words() && !fields.empty() && fields[0].name == "addr" && fields[0].high == 31;
}

const CommandKind* find_command(Code code) {
  static const std::array<std::uint8_t, kCodeSpace> kIndex = index_by_code();
  const auto at = static_cast<std::size_t>(code);
  if (at >= kCodeSpace || kIndex[at] == 0) return nullptr;
  return &command_kinds()[kIndex[at] - 1u];
}

const CommandKind* find_command(std::string_view name) {
  for (const CommandKind& kind : command_kinds())
    if (kind.name == name) return &kind;
  return nullptr;
}

Command decode_command(std::span<const std::uint32_t> words, std::size_t at) {
  Command out;
  out.word = at;
  out.word0 = words[at];
  const std::uint32_t encoding = (out.word0 >> 14) & 3u;
  if (encoding > 1 || (out.word0 & 0x3C00u) != 0) return out;
  out.kind = find_command(out.code());
  if (encoding == 0) return out;
  if (at + 1 >= words.size()) {
    out.truncated = true;
    return out;
  }
  out.words = 2;
  out.word1 = words[at + 1];
  return out;
}

}  // namespace npubin::ethosu
