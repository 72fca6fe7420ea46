#include "render/json.h"

#include <cmath>
#include <cstdlib>
#include <iterator>

#include <fmt/format.h>

namespace npubin::render {
namespace {

// JSON has no infinities; the shortest digits that give the float back are kept by way of their double.
Json number(float value) {
  if (!std::isfinite(value)) return fmt::format("{}", value);
  return std::strtod(fmt::format("{}", value).c_str(), nullptr);
}
Json number(double value) {
  if (!std::isfinite(value)) return fmt::format("{}", value);
  return value;
}

struct DatumToJson {
  Json operator()(std::nullptr_t) const { return nullptr; }
  Json operator()(float v) const { return number(v); }
  Json operator()(double v) const { return number(v); }
  Json operator()(const Datum::Array& items) const {
    Json out = Json::array();
    for (const Datum& item : items) out.push_back(to_json(item));
    return out;
  }
  Json operator()(const Datum::Object& members) const {
    Json out = Json::object();
    for (const auto& [key, value] : members) out[key] = to_json(value);
    return out;
  }
  template <class T>
  Json operator()(const T& v) const {
    return v;
  }
};

Json table_to_json(const Table& table) {
  Json rows = Json::array();
  for (const auto& row : table.rows) {
    Json object = Json::object();
    for (std::size_t i = 0; i < table.columns.size() && i < row.size(); ++i)
      object[table.columns[i]] = to_json(row[i]);
    rows.push_back(std::move(object));
  }
  return rows;
}

Json location_to_json(const Location& at) {
  Json where = Json::object();
  if (at.offset) where["offset"] = *at.offset;
  if (at.line) where["line"] = *at.line;
  if (at.column) where["column"] = *at.column;
  if (!at.path.empty()) where["path"] = at.path;
  if (at.word_offset) where["word_offset"] = *at.word_offset;
  return where;
}

std::string_view name_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::Usage:
      return "usage";
    case ErrorKind::Io:
      return "io";
    case ErrorKind::Unrecognised:
      return "unrecognised";
    case ErrorKind::Malformed:
      return "malformed";
    case ErrorKind::Refused:
      return "refused";
  }
  return "unknown";
}

}  // namespace

Json to_json(const Datum& datum) {
  return std::visit(DatumToJson{}, datum.storage());
}

Json to_json(const Node& node) {
  if (node.list) {
    Json items = Json::array();
    for (const Node& child : node.children)
      if (child.detail != Detail::TextOnly) items.push_back(to_json(child));
    return items;
  }
  Json out = Json::object();
  for (const Field& field : node.fields)
    if (field.detail != Detail::TextOnly) out[field.key] = to_json(field.value);
  for (const Table& table : node.tables)
    if (table.detail != Detail::TextOnly) out[table.key] = table_to_json(table);
  for (const Node& child : node.children)
    if (child.detail != Detail::TextOnly) out[child.key] = to_json(child);
  if (!node.lines.empty()) out["lines"] = node.lines;
  return out;
}

Json to_json(const Diagnostic& d) {
  Json out = Json::object();
  out["severity"] = to_string(d.severity);
  if (!d.code.empty()) out["code"] = d.code;
  out["message"] = d.message;
  if (!d.hint.empty()) out["hint"] = d.hint;
  if (!d.field.empty()) out["field"] = d.field;
  if (!d.where.empty()) out["where"] = location_to_json(d.where);
  if (d.stage != Stage::None) out["stage"] = to_string(d.stage);
  if (!d.vendor.name.empty() || !d.vendor.code.empty())
    out["vendor"] = Json{{"name", d.vendor.name}, {"code", d.vendor.code}};
  return out;
}

Json to_json(const Error& error) {
  Json out{{"kind", name_of(error.kind)}, {"message", error.message}};
  if (!error.hint.empty()) out["hint"] = error.hint;
  if (!error.code.empty()) out["code"] = error.code;
  if (!error.file.empty()) out["file"] = error.file;
  if (!error.where.empty()) out["where"] = location_to_json(error.where);
  out["exit_code"] = exit_code(error);
  return out;
}

std::string dump(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string dump(const Json& head, const ByteMap& map) {
  const auto quoted = [](const std::string& text) {
    return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
  };
  std::string out = dump(head);
  out.resize(out.size() - (head.empty() ? 2 : 3));  // the brace that closes the head
  out += head.empty() ? "\n  \"spans\": [" : ",\n  \"spans\": [";
  const char* separator = "\n";
  for (const MapSpan& span : map.spans()) {
    fmt::format_to(std::back_inserter(out),
                   "{}    {{\n      \"offset\": {},\n      \"size\": {},\n      \"name\": {}", separator,
                   span.offset, span.size, quoted(span.name));
    if (!span.note.empty()) out += ",\n      \"note\": " + quoted(span.note);
    if (span.unexplained) out += ",\n      \"unexplained\": true";
    out += "\n    }";
    separator = ",\n";
  }
  out += map.spans().empty() ? "]\n}\n" : "\n  ]\n}\n";
  return out;
}

}  // namespace npubin::render
