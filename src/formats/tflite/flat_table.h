// Views of a FlatBuffer's tables and vectors. The verifier has walked the file before one of these is made;
// the accessors check bounds all the same, and give the default where something does not fit.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "formats/tflite/schema.h"
#include "npubin/bytes.h"

namespace npubin::tflite {

// A vector of numbers inside the file: little endian, possibly unaligned.
template <class T>
class Numbers {
 public:
  Numbers() = default;
  Numbers(ByteSpan bytes, std::uint64_t file_offset) : bytes_(bytes), offset_(file_offset), present_(true) {}

  std::size_t size() const { return bytes_.size() / sizeof(T); }
  bool empty() const { return size() == 0; }
  bool present() const { return present_; }  // false: the field is absent, which an empty vector is not
  T operator[](std::size_t i) const { return load<T>(bytes_.data() + i * sizeof(T)); }  // i < size()
  ByteSpan bytes() const { return bytes_; }
  std::uint64_t offset() const { return offset_; }  // of the first element in the file
  template <class To = T>
  std::vector<To> to_vector() const {
    std::vector<To> out(size());
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<To>((*this)[i]);
    return out;
  }

 private:
  ByteSpan bytes_;
  std::uint64_t offset_ = 0;
  bool present_ = false;
};

class FlatTable {
 public:
  FlatTable() = default;
  // `file` is the whole FlatBuffer, `position` that of the table in it.
  FlatTable(ByteSpan file, std::uint64_t position, const schema::TableSchema* table_schema)
      : file_(file), position_(position), schema_(table_schema) {}

  explicit operator bool() const { return schema_ != nullptr; }
  std::uint64_t offset() const { return position_; }
  const schema::TableSchema* table_schema() const { return schema_; }
  std::string_view name() const { return schema_ != nullptr ? schema_->name : std::string_view(); }

  // Whether the file stores the field at all. Unknown names are absent.
  bool has(std::string_view field) const;
  // Offset of the field's inline bytes in the file, 0 where absent.
  std::uint64_t field_offset(std::string_view field) const;
  // A scalar (integers, booleans, enumerations, union tags), or its default.
  std::int64_t integer(std::string_view field) const;
  std::uint64_t unsigned_integer(std::string_view field) const;
  float real(std::string_view field) const;
  std::string_view text(std::string_view field) const;
  // Empty where absent. Precondition: sizeof(T) is the size of the vector's elements.
  template <class T>
  Numbers<T> numbers(std::string_view field) const {
    std::uint64_t at = 0;
    ByteSpan bytes;
    if (!vector_bytes(field, sizeof(T), bytes, at)) return {};
    return Numbers<T>(bytes, at);
  }
  // A table behind an offset; false where absent.
  FlatTable table(std::string_view field) const;
  // The table that a union holds, by the name of its value field; false for NONE and unknown tags.
  FlatTable union_value(std::string_view field) const;
  std::size_t table_count(std::string_view field) const;
  FlatTable table_at(std::string_view field, std::size_t i) const;

 private:
  std::uint64_t inline_offset(const schema::FieldSchema& field) const;
  bool vector_bytes(std::string_view field, std::size_t element, ByteSpan& out, std::uint64_t& at) const;
  std::uint64_t target(std::uint64_t at) const;

  ByteSpan file_;
  std::uint64_t position_ = 0;
  const schema::TableSchema* schema_ = nullptr;
};

}  // namespace npubin::tflite
