#include "formats/npub/stand_in.h"

#include <fmt/format.h>

namespace npubin::npub {

std::optional<StandIn> recognise_stand_in(std::span<const std::uint32_t> words) {
  constexpr std::uint32_t kCopy = 0x5E550001, kAdd = 0x5E550002;
  if (words.size() != 5 || (words[0] != kCopy && words[0] != kAdd)) return std::nullopt;
  return StandIn{words[0] == kCopy ? StandIn::Kind::Copy : StandIn::Kind::AddConstant, words[1], words[2],
                 words[3], words[4]};
}

std::string to_string(const StandIn& s) {
  std::string out =
      fmt::format("copy {} bytes from region {} to region {}", s.count, s.source, s.destination);
  if (s.kind == StandIn::Kind::AddConstant)
    out += fmt::format(", adding {} to each byte", s.constant & 0xFFu);
  return out;
}

}  // namespace npubin::npub
