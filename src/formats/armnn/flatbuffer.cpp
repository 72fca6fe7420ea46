#include "formats/armnn/flatbuffer.h"

#include <fmt/format.h>

namespace npubin::armnn {
namespace {

constexpr const char* kDamaged = "ARM-0101";

Unexpected broken(std::uint64_t at, std::string message) {
  return malformed(Location::at(at), std::move(message), "the file is damaged or cut short", kDamaged);
}

}  // namespace

Result<FlatTable> FlatBuffer::root() const {
  if (size() < 8) return broken(0, fmt::format("{} bytes are too few for a FlatBuffer", size()));
  if (size() > 0x7FFFFFFFu)
    return refused(fmt::format("{} bytes: a FlatBuffer ends before 2 GiB", size()), {}, {}, kDamaged);
  return table(at<std::uint32_t>(0));
}

Result<FlatTable> FlatBuffer::table(std::uint64_t position) const {
  if (position < 4 || position % 4 != 0 || position + 4 > size())
    return broken(position,
                  fmt::format("no table can stand at 0x{:x}: {} of {} bytes", position,
                              position % 4 != 0 ? "not aligned, in a file" : "outside of the file", size()));
  const auto backwards = at<std::int32_t>(position);
  const std::int64_t vtable = static_cast<std::int64_t>(position) - backwards;
  if (vtable < 4 || vtable % 2 != 0 || vtable + 4 > static_cast<std::int64_t>(size()))
    return broken(position, fmt::format("the table's vtable would stand at {}, outside of the file's {} "
                                        "bytes or at an odd place",
                                        vtable, size()));
  const auto at_vtable = static_cast<std::uint32_t>(vtable);
  FlatTable out{static_cast<std::uint32_t>(position), at_vtable, at<std::uint16_t>(at_vtable),
                at<std::uint16_t>(at_vtable + 2)};
  if (out.vtable_size < 4 || out.vtable_size % 2 != 0 || at_vtable + out.vtable_size > size())
    return broken(at_vtable, fmt::format("a vtable of {} bytes is impossible here", out.vtable_size));
  if (out.size < 4 || position + out.size > size())
    return broken(at_vtable + 2, fmt::format("a table of {} bytes at 0x{:x} leaves the file's {} bytes",
                                             out.size, position, size()));
  return out;
}

std::uint16_t FlatBuffer::entry(const FlatTable& table, unsigned slot) const {
  return slot < table.slot_count() ? at<std::uint16_t>(table.vtable + 4 + 2 * slot) : std::uint16_t{0};
}

Result<std::optional<std::uint32_t>> FlatBuffer::field(const FlatTable& table, unsigned slot,
                                                       std::size_t bytes, std::size_t align) const {
  const std::uint16_t offset = entry(table, slot);
  if (offset == 0) return std::optional<std::uint32_t>();
  if (offset < 4 || offset + bytes > table.size)
    return broken(table.vtable + 4 + 2 * slot,
                  fmt::format("slot {} lies at {} of a table of {} bytes at 0x{:x}", slot, offset, table.size,
                              table.position));
  if ((table.position + offset) % align != 0)
    return broken(table.vtable + 4 + 2 * slot, fmt::format("slot {} at 0x{:x} is not aligned to its {} bytes",
                                                           slot, table.position + offset, align));
  return std::optional<std::uint32_t>(table.position + offset);
}

Result<std::uint32_t> FlatBuffer::follow(std::uint64_t from) const {
  const auto distance = at<std::uint32_t>(from);
  const std::uint64_t to = from + distance;
  if (distance == 0 || to % 4 != 0 || to + 4 > size())
    return broken(from, fmt::format("the offset here leads to 0x{:x}, which is {}", to,
                                    distance == 0 ? "itself"
                                    : to % 4 != 0 ? "not aligned"
                                                  : "outside of the file"));
  return static_cast<std::uint32_t>(to);
}

Result<std::optional<std::uint32_t>> FlatBuffer::target(const FlatTable& table, unsigned slot) const {
  NPUBIN_TRY(auto at_field, field(table, slot, 4, 4));
  if (!at_field) return std::optional<std::uint32_t>();
  NPUBIN_TRY(auto to, follow(*at_field));
  return std::optional<std::uint32_t>(to);
}

Result<FlatVector> FlatBuffer::vector(std::uint64_t position, std::size_t element_size) const {
  const auto count = at<std::uint32_t>(position);
  const std::uint64_t bytes = std::uint64_t{count} * element_size;
  if (bytes > size() - position - 4)
    return broken(position,
                  fmt::format("a vector declares {} elements of {} bytes; the file has {} bytes left", count,
                              element_size, size() - position - 4));
  return FlatVector{static_cast<std::uint32_t>(position), count};
}

Result<std::string_view> FlatBuffer::string(std::uint64_t position) const {
  NPUBIN_TRY(const FlatVector text, vector(position, 1));
  if (text.data() + std::uint64_t{text.count} >= size() || data_[text.data() + text.count] != std::byte{0})
    return broken(position, fmt::format("a string of {} bytes does not end in a zero byte", text.count));
  return std::string_view(reinterpret_cast<const char*>(data_.data()) + text.data(), text.count);
}

}  // namespace npubin::armnn
