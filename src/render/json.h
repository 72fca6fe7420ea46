// Description trees, findings, errors and byte maps as JSON.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "npubin/byte_map.h"
#include "npubin/describe.h"
#include "npubin/diagnostics.h"

namespace npubin::render {

using Json = nlohmann::ordered_json;

Json to_json(const Datum& datum);
Json to_json(const Node& node);
Json to_json(const Diagnostic& diagnostic);
// {head..., "spans": [{"offset", "size", "name", "note", "unexplained"}]} as dump() would write it. Written
// span by span: a map has tens of thousands of them, and as a tree they cost ten times their text.
std::string dump(const Json& head, const ByteMap& map);
// {"kind": "usage|io|unrecognised|malformed|refused", "message", "hint", "code", "file", "where"}, empty
// members left out.
Json to_json(const Error& error);

// Two blanks per level, a final newline; bytes that are not UTF-8 are replaced, never an exception.
std::string dump(const Json& json);

}  // namespace npubin::render
