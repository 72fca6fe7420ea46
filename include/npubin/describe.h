// The description tree: what there is to say about a file, once, for every rendering.
//
// A Node becomes a titled, indented block of text, a JSON object and an HTML section. Formats build trees;
// they never print.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "npubin/export.h"

namespace npubin {

// A JSON-like value. `float` is kept apart from `double` so that it prints with the digits of a float.
class NPUBIN_API Datum {
 public:
  using Array = std::vector<Datum>;
  using Object = std::vector<std::pair<std::string, Datum>>;  // keeps the order of insertion
  using Storage = std::variant<std::nullptr_t, bool, std::int64_t, std::uint64_t, float, double, std::string,
                               Array, Object>;

  Datum() : storage_(nullptr) {}
  Datum(std::nullptr_t) : storage_(nullptr) {}
  Datum(bool v) : storage_(v) {}
  Datum(int v) : storage_(std::int64_t{v}) {}
  Datum(long v) : storage_(std::int64_t{v}) {}
  Datum(long long v) : storage_(std::int64_t{v}) {}
  Datum(unsigned v) : storage_(std::uint64_t{v}) {}
  Datum(unsigned long v) : storage_(std::uint64_t{v}) {}
  Datum(unsigned long long v) : storage_(std::uint64_t{v}) {}
  Datum(float v) : storage_(v) {}
  Datum(double v) : storage_(v) {}
  Datum(const char* v) : storage_(std::string(v)) {}
  Datum(std::string_view v) : storage_(std::string(v)) {}
  Datum(std::string v) : storage_(std::move(v)) {}
  Datum(Array v) : storage_(std::move(v)) {}
  Datum(Object v) : storage_(std::move(v)) {}
  template <class T>
  static Datum array_of(const std::vector<T>& items) {
    Array out;
    out.reserve(items.size());
    for (const T& item : items) out.emplace_back(item);
    return Datum(std::move(out));
  }

  const Storage& storage() const { return storage_; }
  bool is_null() const { return std::holds_alternative<std::nullptr_t>(storage_); }
  const Object* object() const { return std::get_if<Object>(&storage_); }
  const Array* array() const { return std::get_if<Array>(&storage_); }
  // Appends to an object; a null datum becomes an object first. Precondition: null or object.
  Datum& set(std::string key, Datum value);
  // Appends to an array; a null datum becomes an array first. Precondition: null or array.
  Datum& push(Datum value);
  const Datum* find(std::string_view key) const;

 private:
  Storage storage_;
};

// From which -v on a part is shown as text. JSON carries everything.
enum class Detail : std::uint8_t { Normal, Verbose, VeryVerbose, JsonOnly, TextOnly };

struct Field {
  std::string key;  // snake_case: the JSON key, and with blanks for underscores the text label
  Datum value;
  std::string text;  // what the text rendering shows; derived from `value` and `unit` when empty
  std::string unit;  // "bytes", "cycles", "ms", ...
  Detail detail = Detail::Normal;
};

struct Table {
  std::string key;
  std::string title;                     // heading in text; the key when empty
  std::vector<std::string> columns;      // snake_case, as Field::key
  std::vector<std::vector<Datum>> rows;  // each as long as columns
  Detail detail = Detail::Normal;
};

// One titled block. In JSON a node is an object under its parent's key; a node with `list` set is an array of
// its children. Fields, tables and children are shown in that order.
struct NPUBIN_API Node {
  std::string key;
  std::string title;
  std::vector<Field> fields;
  std::vector<Table> tables;
  std::vector<Node> children;
  std::vector<std::string> lines;  // preformatted text (a listing); a JSON array of strings under "lines"
  bool list = false;
  Detail detail = Detail::Normal;

  Node() = default;
  explicit Node(std::string node_key, std::string node_title = {})
      : key(std::move(node_key)), title(std::move(node_title)) {}

  Field& field(std::string field_key, Datum value, std::string unit = {}, Detail level = Detail::Normal);
  // A field whose text is given apart from its value.
  Field& field_text(std::string field_key, Datum value, std::string text, Detail level = Detail::Normal);
  Node& child(std::string node_key, std::string node_title = {}, Detail level = Detail::Normal);
  Table& table(std::string table_key, std::vector<std::string> columns, Detail level = Detail::Normal);
};

}  // namespace npubin
