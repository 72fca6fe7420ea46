// Description trees, findings and byte maps as text for a terminal.
#pragma once

#include <string>

#include "npubin/byte_map.h"
#include "npubin/describe.h"
#include "npubin/diagnostics.h"

namespace npubin::render {

struct TextOptions {
  int verbosity = 0;    // Detail::Verbose parts from 1, Detail::VeryVerbose from 2
  bool colour = false;  // ANSI colours
};

std::string to_text(const Node& node, const TextOptions& options);
// A value as text: numbers in decimal, lists in brackets, strings as they are with control characters
// escaped.
std::string to_text(const Datum& datum);
// `error: at 0x2c: message` with hint and code on the same line.
std::string to_text(const Diagnostic& diagnostic, const TextOptions& options);
std::string to_text(const ByteMap& map, const TextOptions& options);
// Control characters and escape sequences of a hostile file must not reach the terminal.
std::string printable(std::string_view text);

}  // namespace npubin::render
