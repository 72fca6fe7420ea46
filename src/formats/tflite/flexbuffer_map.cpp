#include "formats/tflite/flexbuffer_map.h"

#include <cmath>
#include <cstring>

#include <fmt/format.h>

namespace npubin::tflite {
namespace {

// FlexBuffers' type numbers, upper six bits of a packed type; the lower two are log2 of the width.
enum FlexType : std::uint8_t {
  kInt = 1,
  kUint = 2,
  kFloat = 3,
  kString = 5,
  kIndirectInt = 6,
  kIndirectUint = 7,
  kIndirectFloat = 8,
  kMap = 9,
  kBool = 26
};

class Reader {
 public:
  Reader(ByteSpan bytes, std::uint64_t offset) : bytes_(bytes), offset_(offset) {}

  Result<std::vector<FlexBufferMap::Entry>> root();

 private:
  Unexpected broken(std::uint64_t at, std::string message) const {
    return malformed(Location::at(offset_ + at, "custom_options"), std::move(message),
                     "the options of the custom operator are damaged", "TFL-0210");
  }
  Result<std::uint64_t> unsigned_at(std::uint64_t at, unsigned width) const {
    if (at > bytes_.size() || bytes_.size() - at < width)
      return broken(at, fmt::format("{} bytes are needed and the options end before", width));
    std::uint64_t out = 0;
    std::memcpy(&out, bytes_.data() + at, width);
    return out;
  }
  // A reference counts backwards from where it stands.
  Result<std::uint64_t> follow(std::uint64_t at, unsigned width) const {
    NPUBIN_TRY(const std::uint64_t back, unsigned_at(at, width));
    if (back == 0 || back > at)
      return broken(at, fmt::format("a reference leads {} bytes before position {}", back, at));
    return at - back;
  }
  Result<std::string_view> key_at(std::uint64_t at) const {
    const auto* begin = reinterpret_cast<const char*>(bytes_.data()) + at;
    const void* end = std::memchr(begin, 0, bytes_.size() - at);
    if (end == nullptr) return broken(at, "a key has no end");
    return std::string_view(begin, static_cast<std::size_t>(static_cast<const char*>(end) - begin));
  }
  Result<FlexBufferMap::Entry> value(std::uint64_t at, unsigned parent_width, std::uint8_t packed) const;
  Result<void> number(std::uint64_t at, unsigned width, std::uint8_t type, FlexBufferMap::Entry& out) const;

  ByteSpan bytes_;
  std::uint64_t offset_;
};

std::int64_t sign_extended(std::uint64_t value, unsigned width) {
  const unsigned unused = 64 - 8 * width;
  return static_cast<std::int64_t>(value << unused) >> unused;
}

Result<void> Reader::number(std::uint64_t at, unsigned width, std::uint8_t type,
                            FlexBufferMap::Entry& out) const {
  using Kind = FlexBufferMap::Entry::Kind;
  NPUBIN_TRY(const std::uint64_t raw, unsigned_at(at, width));
  if (type == kFloat || type == kIndirectFloat) {
    if (width < 4) return broken(at, fmt::format("a float of {} bytes", width));
    out.kind = Kind::Real;
    out.real = width == 4 ? load<float>(&raw) : load<double>(&raw);
    return {};
  }
  out.kind = type == kBool ? Kind::Boolean : Kind::Integer;
  const bool is_signed = type == kInt || type == kIndirectInt;
  out.integer = is_signed ? sign_extended(raw, width) : static_cast<std::int64_t>(raw);
  return {};
}

Result<FlexBufferMap::Entry> Reader::value(std::uint64_t at, unsigned parent_width,
                                           std::uint8_t packed) const {
  FlexBufferMap::Entry out;
  const std::uint8_t type = packed >> 2;
  const unsigned width = 1u << (packed & 3);
  if (type == kInt || type == kUint || type == kFloat || type == kBool) {
    NPUBIN_CHECK(number(at, parent_width, type, out));
  } else if (type == kIndirectInt || type == kIndirectUint || type == kIndirectFloat) {
    NPUBIN_TRY(const std::uint64_t target, follow(at, parent_width));
    NPUBIN_CHECK(number(target, width, type, out));
  } else if (type == kString) {
    NPUBIN_TRY(const std::uint64_t target, follow(at, parent_width));
    if (target < width) return broken(at, "a string begins before the options");
    NPUBIN_TRY(const std::uint64_t length, unsigned_at(target - width, width));
    if (length > bytes_.size() - target) return broken(target, fmt::format("a string of {} bytes", length));
    out.kind = FlexBufferMap::Entry::Kind::Text;
    out.text = {reinterpret_cast<const char*>(bytes_.data()) + target, length};
  }
  return out;
}

// The last byte is the width of the root, the one before its packed type; a map is a vector of values with,
// just before its length, a reference to the vector of keys and that one's width, and packed types behind it.
Result<std::vector<FlexBufferMap::Entry>> Reader::root() {
  if (bytes_.size() < 3) return broken(0, fmt::format("the options have {} bytes", bytes_.size()));
  const auto width = std::to_integer<unsigned>(bytes_[bytes_.size() - 1]);
  const auto packed = std::to_integer<std::uint8_t>(bytes_[bytes_.size() - 2]);
  if (width != 1 && width != 2 && width != 4 && width != 8)
    return broken(bytes_.size() - 1, fmt::format("the root's width is {}", width));
  if (packed >> 2 != kMap) return broken(bytes_.size() - 2, "the root is no map");
  if (bytes_.size() < 2 + width) return broken(0, "the options are shorter than their root");
  NPUBIN_TRY(const std::uint64_t map, follow(bytes_.size() - 2 - width, width));
  const unsigned item = 1u << (packed & 3);
  if (map < 3 * std::uint64_t{item}) return broken(map, "the map begins before the options");
  NPUBIN_TRY(const std::uint64_t count, unsigned_at(map - item, item));
  NPUBIN_TRY(const std::uint64_t key_width, unsigned_at(map - 2 * item, item));
  NPUBIN_TRY(const std::uint64_t keys, follow(map - 3 * item, item));
  if (key_width != 1 && key_width != 2 && key_width != 4 && key_width != 8)
    return broken(map, fmt::format("keys of width {}", key_width));
  if (count > bytes_.size() / (item + 1)) return broken(map, fmt::format("the map claims {} entries", count));
  std::vector<FlexBufferMap::Entry> out;
  for (std::uint64_t i = 0; i < count; ++i) {
    NPUBIN_TRY(const std::uint64_t key, follow(keys + i * key_width, static_cast<unsigned>(key_width)));
    NPUBIN_TRY(const std::string_view name, key_at(key));
    NPUBIN_TRY(const std::uint64_t type, unsigned_at(map + count * item + i, 1));
    NPUBIN_TRY(FlexBufferMap::Entry entry, value(map + i * item, item, static_cast<std::uint8_t>(type)));
    entry.key = name;
    out.push_back(entry);
  }
  return out;
}

}  // namespace

Result<FlexBufferMap> FlexBufferMap::read(ByteSpan bytes, std::uint64_t offset) {
  FlexBufferMap out;
  NPUBIN_TRY(out.entries_, Reader(bytes, offset).root());
  return out;
}

const FlexBufferMap::Entry* FlexBufferMap::find(std::string_view key) const {
  for (const Entry& entry : entries_)
    if (entry.key == key) return &entry;
  return nullptr;
}

std::optional<double> FlexBufferMap::real(std::string_view key) const {
  const Entry* entry = find(key);
  if (entry == nullptr || entry->kind == Entry::Kind::Text || entry->kind == Entry::Kind::Other)
    return std::nullopt;
  return entry->kind == Entry::Kind::Real ? entry->real : static_cast<double>(entry->integer);
}

std::optional<std::int64_t> FlexBufferMap::integer(std::string_view key) const {
  const auto number = real(key);
  if (!number || !std::isfinite(*number) || std::fabs(*number) > 9e15) return std::nullopt;
  return static_cast<std::int64_t>(*number);
}

}  // namespace npubin::tflite
