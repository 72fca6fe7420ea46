// Bytes of a file, mapped or owned, and the checked reader that all formats read them through.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "npubin/export.h"
#include "npubin/result.h"

namespace npubin {

using ByteSpan = std::span<const std::byte>;

// An immutable run of bytes that keeps its storage alive: a mapped file, or a vector. Cheap to copy.
class NPUBIN_API Bytes {
 public:
  Bytes() = default;
  // Maps the file read-only. `-` reads all of standard input. Error: Io.
  static Result<Bytes> open(const std::string& path);
  static Bytes own(std::vector<std::byte> data);
  static Bytes own(std::string_view data);
  // Does not take ownership: the caller keeps the storage alive.
  static Bytes borrow(ByteSpan data);

  ByteSpan span() const { return span_; }
  const std::byte* data() const { return span_.data(); }
  std::size_t size() const { return span_.size(); }
  std::string_view text() const { return {reinterpret_cast<const char*>(span_.data()), span_.size()}; }
  // A part that shares the storage. Precondition: offset + size <= this->size().
  Bytes slice(std::size_t offset, std::size_t size) const;

 private:
  std::shared_ptr<const void> keep_;
  ByteSpan span_;
};

// Writes to a temporary file beside `path`, then renames it over `path`; on failure nothing is left behind
// and an existing file is untouched. Error: Io.
NPUBIN_API Result<void> write_file(const std::string& path, ByteSpan data);
NPUBIN_API Result<void> write_file(const std::string& path, std::string_view text);

// Files that belong together: all are written beside their places before the first is moved there, so that a
// full disk or a folder that cannot be written leaves those that exist as they are. Error: Io.
struct FileToWrite {
  std::string path, contents;
};
NPUBIN_API Result<void> write_files(const std::vector<FileToWrite>& files);

template <class T>
std::optional<T> checked_add(T a, T b) {
  static_assert(std::is_integral_v<T>);
  T out;
  if (__builtin_add_overflow(a, b, &out)) return std::nullopt;
  return out;
}
template <class T>
std::optional<T> checked_mul(T a, T b) {
  static_assert(std::is_integral_v<T>);
  T out;
  if (__builtin_mul_overflow(a, b, &out)) return std::nullopt;
  return out;
}

// Loads an integer or float from bytes that are known to be there, in the given byte order, unaligned.
template <class T, std::endian Order = std::endian::little>
T load(const void* from) {
  static_assert(std::is_arithmetic_v<T>);
  unsigned char raw[sizeof(T)];
  std::memcpy(raw, from, sizeof(T));
  if constexpr (Order != std::endian::native)
    for (std::size_t i = 0; i < sizeof(T) / 2; ++i) std::swap(raw[i], raw[sizeof(T) - 1 - i]);
  T value;
  std::memcpy(&value, raw, sizeof(T));
  return value;
}
template <class T, std::endian Order = std::endian::little>
void store(void* to, T value) {
  static_assert(std::is_arithmetic_v<T>);
  unsigned char raw[sizeof(T)];
  std::memcpy(raw, &value, sizeof(T));
  if constexpr (Order != std::endian::native)
    for (std::size_t i = 0; i < sizeof(T) / 2; ++i) std::swap(raw[i], raw[sizeof(T) - 1 - i]);
  std::memcpy(to, raw, sizeof(T));
}

// A cursor over bytes in which every read is checked; errors carry the absolute file offset.
class NPUBIN_API ByteReader {
 public:
  // `base` is the file offset of data[0], used in errors only.
  explicit ByteReader(ByteSpan data, std::uint64_t base = 0) : data_(data), base_(base) {}

  std::size_t position() const { return position_; }
  std::uint64_t offset() const { return base_ + position_; }
  std::size_t remaining() const { return data_.size() - position_; }
  bool at_end() const { return remaining() == 0; }
  ByteSpan data() const { return data_; }

  template <class T, std::endian Order = std::endian::little>
  Result<T> read(std::string_view what = "value") {
    if (remaining() < sizeof(T)) return truncated(what, sizeof(T));
    T value = load<T, Order>(data_.data() + position_);
    position_ += sizeof(T);
    return value;
  }
  template <class T, std::endian Order = std::endian::little>
  Result<T> peek_at(std::size_t position, std::string_view what = "value") const {
    if (position > data_.size() || data_.size() - position < sizeof(T))
      return truncated_at(position, what, sizeof(T));
    return load<T, Order>(data_.data() + position);
  }
  Result<std::uint8_t> u8(std::string_view what = "byte") { return read<std::uint8_t>(what); }
  Result<std::uint16_t> u16(std::string_view what = "u16") { return read<std::uint16_t>(what); }
  Result<std::uint32_t> u32(std::string_view what = "u32") { return read<std::uint32_t>(what); }
  Result<std::uint64_t> u64(std::string_view what = "u64") { return read<std::uint64_t>(what); }
  Result<std::uint32_t> u32be(std::string_view what = "u32") {
    return read<std::uint32_t, std::endian::big>(what);
  }
  Result<std::uint64_t> u64be(std::string_view what = "u64") {
    return read<std::uint64_t, std::endian::big>(what);
  }
  Result<ByteSpan> take(std::uint64_t size, std::string_view what = "bytes");
  Result<void> skip(std::uint64_t size, std::string_view what = "bytes");
  Result<void> seek(std::uint64_t position, std::string_view what = "offset");
  // A part of the data by absolute position inside it, without moving the cursor.
  Result<ByteSpan> span_at(std::uint64_t position, std::uint64_t size, std::string_view what = "bytes") const;

 private:
  Unexpected truncated(std::string_view what, std::uint64_t need) const;
  Unexpected truncated_at(std::uint64_t position, std::string_view what, std::uint64_t need) const;

  ByteSpan data_;
  std::uint64_t base_ = 0;
  std::size_t position_ = 0;
};

}  // namespace npubin
