// Description trees, findings and byte maps as JSON.
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
Json to_json(const ByteMap& map);

// Two blanks per level, a final newline; bytes that are not UTF-8 are replaced, never an exception.
std::string dump(const Json& json);

}  // namespace npubin::render
