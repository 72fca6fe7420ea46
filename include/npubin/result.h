// Result<T>: a value, or an Error that says what, where, why and what to do about it.
//
// Nothing in the library throws, aborts or prints for bad input; it returns one of these. The NPUBIN_TRY
// macros hand an error on to the caller.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include <tl/expected.hpp>

#include "npubin/export.h"

namespace npubin {

// Where in a file something stands. Any subset of the members may be set.
struct Location {
  std::optional<std::uint64_t> offset;       // bytes from the start of the file
  std::optional<std::uint32_t> line;         // 1-based, text formats
  std::optional<std::uint32_t> column;       // 1-based, text formats
  std::string path;                          // path inside the document, e.g. "layers[3].descriptor.strideX"
  std::optional<std::uint64_t> word_offset;  // u32 words from the start of a command stream

  bool empty() const { return !offset && !line && !column && path.empty() && !word_offset; }

  static Location at(std::uint64_t offset_bytes, std::string document_path = {}) {
    Location where;
    where.offset = offset_bytes;
    where.path = std::move(document_path);
    return where;
  }
  static Location at_path(std::string document_path) {
    Location where;
    where.path = std::move(document_path);
    return where;
  }
};

// The kind decides the exit code of the command line.
enum class ErrorKind : std::uint8_t {
  Usage,         // exit 2: wrong options, or inputs that do not fit the model
  Io,            // exit 3: the file cannot be opened, read or written
  Unrecognised,  // exit 3: no format claims the file
  Malformed,     // exit 3: the file breaks the rules of its format
  Refused,       // exit 3: well-formed, but asks for what npubin does not do; the message names it
};

struct Error {
  ErrorKind kind = ErrorKind::Malformed;
  std::string code;  // stable diagnostic code such as "HEF-0103"; may be empty
  std::string file;  // filled in by whoever knows the file's name
  Location where;
  std::string message;  // what is wrong: a sentence without a full stop
  std::string hint;     // what to do about it; may be empty

  Error&& in_file(std::string name) && {
    if (file.empty()) file = std::move(name);
    return std::move(*this);
  }
};

// One line: `model.hef: at 0x2c (header.crc): message; hint [HEF-0103]`.
NPUBIN_API std::string to_string(const Error& error);
// The location alone, as it stands in to_string(); empty for an empty location.
NPUBIN_API std::string to_string(const Location& where);
// Exit code of the command line for an error: 2 for Usage, 3 for everything else.
NPUBIN_API int exit_code(const Error& error);

template <class T>
using Result = tl::expected<T, Error>;

using Unexpected = tl::unexpected<Error>;

inline Unexpected fail(Error error) {
  return Unexpected(std::move(error));
}
inline Unexpected malformed(Location where, std::string message, std::string hint = {},
                            std::string code = {}) {
  return Unexpected(Error{
      ErrorKind::Malformed, std::move(code), {}, std::move(where), std::move(message), std::move(hint)});
}
inline Unexpected refused(std::string message, std::string hint = {}, Location where = {},
                          std::string code = {}) {
  return Unexpected(
      Error{ErrorKind::Refused, std::move(code), {}, std::move(where), std::move(message), std::move(hint)});
}
inline Unexpected usage_error(std::string message, std::string hint = {}) {
  return Unexpected(Error{ErrorKind::Usage, {}, {}, {}, std::move(message), std::move(hint)});
}
inline Unexpected io_error(std::string file, std::string message, std::string hint = {}) {
  return Unexpected(Error{ErrorKind::Io, {}, std::move(file), {}, std::move(message), std::move(hint)});
}

}  // namespace npubin

#define NPUBIN_CONCAT_INNER(a, b) a##b
#define NPUBIN_CONCAT(a, b) NPUBIN_CONCAT_INNER(a, b)
// NPUBIN_TRY(auto size, reader.u32()); declares `size`, or returns the error to the caller.
#define NPUBIN_TRY(declaration, expression) \
  NPUBIN_TRY_INNER(NPUBIN_CONCAT(npubin_result_, __LINE__), declaration, expression)
#define NPUBIN_TRY_INNER(result, declaration, expression)              \
  auto result = (expression);                                          \
  if (!result) return ::npubin::Unexpected(std::move(result).error()); \
  declaration = *std::move(result)
// NPUBIN_CHECK(write_file(...)); for a Result<void> (or a value that is not needed).
#define NPUBIN_CHECK(expression)                                     \
  do {                                                               \
    if (auto npubin_result = (expression); !npubin_result)           \
      return ::npubin::Unexpected(std::move(npubin_result).error()); \
  } while (false)
