#include "npubin/describe.h"

namespace npubin {

Datum& Datum::set(std::string key, Datum value) {
  if (is_null()) storage_ = Object{};
  std::get<Object>(storage_).emplace_back(std::move(key), std::move(value));
  return *this;
}

Datum& Datum::push(Datum value) {
  if (is_null()) storage_ = Array{};
  std::get<Array>(storage_).push_back(std::move(value));
  return *this;
}

const Datum* Datum::find(std::string_view key) const {
  if (const Object* members = object())
    for (const auto& [name, value] : *members)
      if (name == key) return &value;
  return nullptr;
}

Field& Node::field(std::string field_key, Datum value, std::string unit, Detail level) {
  return fields.emplace_back(Field{std::move(field_key), std::move(value), {}, std::move(unit), level});
}

Field& Node::field_text(std::string field_key, Datum value, std::string text, Detail level) {
  return fields.emplace_back(Field{std::move(field_key), std::move(value), std::move(text), {}, level});
}

Node& Node::child(std::string node_key, std::string node_title, Detail level) {
  Node& added = children.emplace_back(std::move(node_key), std::move(node_title));
  added.detail = level;
  return added;
}

Table& Node::table(std::string table_key, std::vector<std::string> columns, Detail level) {
  return tables.emplace_back(Table{std::move(table_key), {}, std::move(columns), {}, level});
}

}  // namespace npubin
