// The root map of a FlexBuffer: how custom operators store their options. tflite spec 1.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "npubin/bytes.h"
#include "npubin/result.h"

namespace npubin::tflite {

// Scalars of a map by name; nested vectors and maps are kept as Other.
class FlexBufferMap {
 public:
  struct Entry {
    std::string_view key;
    enum class Kind : std::uint8_t { Integer, Real, Boolean, Text, Other } kind = Kind::Other;
    std::int64_t integer = 0;
    double real = 0;
    std::string_view text;
  };

  // `offset` is that of the first byte in the file, for errors. Error: Malformed (TFL-0210).
  static Result<FlexBufferMap> read(ByteSpan bytes, std::uint64_t offset);

  const std::vector<Entry>& entries() const { return entries_; }
  // Numbers of any kind, converted; empty where the key is absent or holds no number.
  std::optional<std::int64_t> integer(std::string_view key) const;
  std::optional<double> real(std::string_view key) const;

 private:
  const Entry* find(std::string_view key) const;
  std::vector<Entry> entries_;
};

}  // namespace npubin::tflite
