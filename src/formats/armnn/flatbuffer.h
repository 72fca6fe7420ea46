// Raw, bounds-checked access to a FlatBuffer: tables through their vtables, strings, vectors.
//
// Nothing is trusted: every position is checked against the file before it is used. What cannot be followed
// is an error with its file offset.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "npubin/bytes.h"
#include "npubin/result.h"

namespace npubin::armnn {

// A table whose vtable has been checked. Slots beyond the vtable are absent.
struct FlatTable {
  std::uint32_t position = 0;  // file offset of the table
  std::uint32_t vtable = 0;    // file offset of its vtable
  std::uint16_t vtable_size = 0;
  std::uint16_t size = 0;  // of the table's inline part

  unsigned slot_count() const { return (vtable_size - 4u) / 2u; }
};

// A vector whose extent has been checked.
struct FlatVector {
  std::uint32_t position = 0;  // file offset of its length word
  std::uint32_t count = 0;
  std::uint32_t data() const { return position + 4; }
};

class FlatBuffer {
 public:
  FlatBuffer() = default;
  explicit FlatBuffer(ByteSpan data) : data_(data) {}

  std::uint64_t size() const { return data_.size(); }
  ByteSpan bytes() const { return data_; }
  ByteSpan bytes(std::uint32_t position, std::uint64_t count) const {
    return data_.subspan(position, static_cast<std::size_t>(count));
  }

  // The table that the first word points to.
  Result<FlatTable> root() const;
  // Checks position, vtable and extent of a table.
  Result<FlatTable> table(std::uint64_t position) const;
  // Offset of a slot's bytes from the start of the table; 0 where the slot is absent.
  std::uint16_t entry(const FlatTable& table, unsigned slot) const;
  // File offset of a slot's inline bytes. Error: they leave the table or are not aligned to `align`.
  // Empty: absent.
  Result<std::optional<std::uint32_t>> field(const FlatTable& table, unsigned slot, std::size_t bytes,
                                             std::size_t align) const;
  // Where an offset slot points to. Error: outside of the file, or not aligned to four bytes.
  Result<std::optional<std::uint32_t>> target(const FlatTable& table, unsigned slot) const;
  Result<std::uint32_t> follow(std::uint64_t at) const;
  // Checks length and extent. The data must be aligned to the element's size (8-byte elements: to 4, as
  // builders of all ages agree on no more).
  Result<FlatVector> vector(std::uint64_t position, std::size_t element_size) const;
  // Checks length, extent and the closing zero byte.
  Result<std::string_view> string(std::uint64_t position) const;

  // A scalar of a checked table. `fallback` where the slot is absent or does not fit.
  template <class T>
  T scalar(const FlatTable& table, unsigned slot, T fallback) const {
    const std::uint16_t offset = entry(table, slot);
    if (offset == 0 || offset + sizeof(T) > table.size) return fallback;
    return load<T>(data_.data() + table.position + offset);
  }
  // Precondition: position + sizeof(T) <= size().
  template <class T>
  T at(std::uint64_t position) const {
    return load<T>(data_.data() + position);
  }

 private:
  ByteSpan data_;
};

}  // namespace npubin::armnn
