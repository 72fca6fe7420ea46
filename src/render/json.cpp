#include "render/json.h"

#include <cmath>
#include <cstdlib>

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
  if (!d.where.empty()) {
    Json where = Json::object();
    if (d.where.offset) where["offset"] = *d.where.offset;
    if (d.where.line) where["line"] = *d.where.line;
    if (d.where.column) where["column"] = *d.where.column;
    if (!d.where.path.empty()) where["path"] = d.where.path;
    if (d.where.word_offset) where["word_offset"] = *d.where.word_offset;
    out["where"] = std::move(where);
  }
  if (d.stage != Stage::None) out["stage"] = to_string(d.stage);
  if (!d.vendor.name.empty() || !d.vendor.code.empty())
    out["vendor"] = Json{{"name", d.vendor.name}, {"code", d.vendor.code}};
  return out;
}

Json to_json(const ByteMap& map) {
  Json spans = Json::array();
  for (const MapSpan& span : map.spans()) {
    Json entry{{"offset", span.offset}, {"size", span.size}, {"name", span.name}};
    if (!span.note.empty()) entry["note"] = span.note;
    if (span.unexplained) entry["unexplained"] = true;
    spans.push_back(std::move(entry));
  }
  return spans;
}

std::string dump(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace npubin::render
