// The stand-in that the format's own generator writes instead of a command stream: five words that say "copy"
// or "add a constant" (npub spec 2). It is no Ethos-U code.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace npubin::npub {

struct StandIn {
  enum class Kind : std::uint8_t { Copy = 1, AddConstant = 2 };
  Kind kind = Kind::Copy;
  std::uint32_t source = 0, destination = 0;  // regions
  std::uint32_t count = 0;                    // bytes
  std::uint32_t constant = 0;                 // added modulo 256; not used by a copy
};

// Nothing where the words are no stand-in.
std::optional<StandIn> recognise_stand_in(std::span<const std::uint32_t> words);
// "copy 64 bytes from region 1 to region 2"
std::string to_string(const StandIn& stand_in);

}  // namespace npubin::npub
