#include "npubin/result.h"

#include <fmt/format.h>

namespace npubin {

std::string to_string(const Location& where) {
  std::string out;
  if (where.line) {
    out = fmt::format("line {}", *where.line);
    if (where.column) out += fmt::format(", column {}", *where.column);
  } else if (where.offset) {
    out = fmt::format("at 0x{:x}", *where.offset);
  }
  if (where.word_offset) out += fmt::format("{}word {}", out.empty() ? "at " : ", ", *where.word_offset);
  if (!where.path.empty()) out += out.empty() ? where.path : fmt::format(" ({})", where.path);
  return out;
}

std::string to_string(const Error& error) {
  std::string out;
  if (!error.file.empty()) out = error.file + ": ";
  if (std::string where = to_string(error.where); !where.empty()) out += where + ": ";
  out += error.message;
  if (!error.hint.empty()) out += "; " + error.hint;
  if (!error.code.empty()) out += fmt::format(" [{}]", error.code);
  return out;
}

int exit_code(const Error& error) {
  return error.kind == ErrorKind::Usage ? 2 : 3;
}

}  // namespace npubin
