#include "cli/run/ethosu_regions.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "cli/run/backend.h"
#include "npubin/bytes.h"

namespace npubin::cli {
namespace {

std::optional<std::uint64_t> number(std::string_view text) {
  int base = 10;
  if (text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
    base = 16;
    text.remove_prefix(2);
  }
  std::uint64_t value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (failure != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

struct Split {
  std::string place, file;
};
std::optional<Split> split_file(const std::string& argument) {
  const std::size_t equals = argument.find('=');
  if (equals == std::string::npos || equals + 1 == argument.size()) return std::nullopt;
  return Split{argument.substr(0, equals), argument.substr(equals + 1)};
}

// "N", "N@A", "N@A:B"
struct Numbers {
  std::uint64_t region = 0;
  std::optional<std::uint64_t> first, second;
};
std::optional<Numbers> parse_numbers(const std::string& text) {
  Numbers out;
  const std::size_t at = text.find('@');
  const auto region = number(std::string_view(text).substr(0, at));
  if (!region || *region >= ethosu::kRegionCount) return std::nullopt;
  out.region = *region;
  if (at == std::string::npos) return out;
  const std::string_view rest = std::string_view(text).substr(at + 1);
  const std::size_t colon = rest.find(':');
  out.first = number(rest.substr(0, colon));
  if (!out.first) return std::nullopt;
  if (colon == std::string_view::npos) return out;
  out.second = number(rest.substr(colon + 1));
  if (!out.second) return std::nullopt;
  return out;
}

Unexpected misspelt(const std::string& option, const std::string& argument, const std::string& form) {
  return usage_error(fmt::format("{} {}: expected {}", option, argument, form),
                     "regions are 0 to 7; numbers are decimal or hexadecimal with 0x");
}

}  // namespace

Result<RegionPlace> parse_region_input(const std::string& argument) {
  const auto split = split_file(argument);
  const auto numbers = split ? parse_numbers(split->place) : std::nullopt;
  if (!numbers || numbers->second) return misspelt("--region", argument, "N@OFFSET=FILE");
  return RegionPlace{
      static_cast<std::uint32_t>(numbers->region), numbers->first.value_or(0), {}, split->file};
}

Result<RegionPlace> parse_region_dump(const std::string& argument) {
  const auto split = split_file(argument);
  const auto numbers = split ? parse_numbers(split->place) : std::nullopt;
  if (!numbers) return misspelt("--dump-region", argument, "N[@OFFSET:BYTES]=FILE");
  return RegionPlace{static_cast<std::uint32_t>(numbers->region), numbers->first.value_or(0), numbers->second,
                     split->file};
}

Result<RegionPlace> parse_watch(const std::string& argument) {
  const auto numbers = parse_numbers(argument);
  if (!numbers || !numbers->first || !numbers->second || *numbers->second <= *numbers->first)
    return misspelt("--watch", argument, "REGION@BEGIN:END");
  return RegionPlace{
      static_cast<std::uint32_t>(numbers->region), *numbers->first, *numbers->second - *numbers->first, {}};
}

Result<void> fill_region(ethosu::Memory& memory, const RegionPlace& place) {
  NPUBIN_TRY(const InputFile file, load_input_file(place.file));
  const ByteSpan bytes = file.contents();
  auto to = memory.write(place.region, place.offset, bytes.size(), place.file);
  if (!to)
    return usage_error(fmt::format("--region {}@{}: {}", place.region, place.offset, to.error().message),
                       "constants of the file cannot be replaced");
  std::copy_n(bytes.data(), bytes.size(), to->data());
  return {};
}

Result<void> dump_region(const ethosu::Memory& memory, const RegionPlace& place) {
  const std::uint64_t all = memory.size(place.region);
  const std::uint64_t size = place.size.value_or(all - std::min(place.offset, all));
  const auto bytes = memory.read(place.region, place.offset, size, place.file);
  if (!bytes) return usage_error(fmt::format("--dump-region {}: {}", place.region, bytes.error().message));
  return write_file(place.file, *bytes);
}

}  // namespace npubin::cli
