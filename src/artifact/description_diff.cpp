#include "artifact/description_diff.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <map>
#include <optional>

#include <fmt/format.h>

namespace npubin {
namespace {

// A node as a value, the way its JSON rendering has it.
Datum value_of(const Node& node) {
  if (node.list) {
    Datum items{Datum::Array{}};
    for (const Node& child : node.children)
      if (child.detail != Detail::TextOnly) items.push(value_of(child));
    return items;
  }
  Datum out{Datum::Object{}};
  for (const Field& field : node.fields)
    if (field.detail != Detail::TextOnly) out.set(field.key, field.value);
  for (const Table& table : node.tables) {
    if (table.detail == Detail::TextOnly) continue;
    Datum rows{Datum::Array{}};
    for (const auto& row : table.rows) {
      Datum object{Datum::Object{}};
      for (std::size_t i = 0; i < row.size() && i < table.columns.size(); ++i)
        object.set(table.columns[i], row[i]);
      rows.push(std::move(object));
    }
    out.set(table.key, std::move(rows));
  }
  for (const Node& child : node.children)
    if (child.detail != Detail::TextOnly) out.set(child.key, value_of(child));
  if (!node.lines.empty()) out.set("lines", Datum::array_of(node.lines));
  return out;
}

// Rows of counts are called by what they count.
const std::string* name_of(const Datum& item) {
  const Datum* name = item.find("name");
  if (name == nullptr && item.find("count") != nullptr) name = item.find("type");
  return name != nullptr ? std::get_if<std::string>(&name->storage()) : nullptr;
}

// Every item has a name of its own.
bool named(const Datum::Array& items) {
  std::vector<std::string> names;
  for (const Datum& item : items) {
    const std::string* name = name_of(item);
    if (name == nullptr) return false;
    names.push_back(*name);
  }
  std::sort(names.begin(), names.end());
  return std::adjacent_find(names.begin(), names.end()) == names.end();
}

// The text without its "at 0x1f4".
std::string placeless(std::string text) {
  constexpr std::string_view kPlace = " at 0x";
  for (std::size_t at = text.find(kPlace); at != std::string::npos; at = text.find(kPlace, at)) {
    std::size_t end = at + kPlace.size();
    while (end < text.size() && std::isxdigit(static_cast<unsigned char>(text[end])) != 0) ++end;
    text.erase(at, end - at);
  }
  return text;
}

// Integers of either sign's type by their value.
std::optional<std::int64_t> integer_of(const Datum& datum) {
  if (const auto* value = std::get_if<std::int64_t>(&datum.storage())) return *value;
  const auto* value = std::get_if<std::uint64_t>(&datum.storage());
  if (value == nullptr || *value > std::uint64_t{INT64_MAX}) return std::nullopt;
  return static_cast<std::int64_t>(*value);
}

bool same_scalar(const Datum& a, const Datum& b, Places places) {
  if (const auto left = integer_of(a), right = integer_of(b); left && right) return *left == *right;
  if (places == Places::Ignore) {
    const auto* left = std::get_if<std::string>(&a.storage());
    const auto* right = std::get_if<std::string>(&b.storage());
    if (left != nullptr && right != nullptr) return placeless(*left) == placeless(*right);
  }
  // Two NaNs are no difference.
  const auto not_a_number = [](const Datum& d) {
    const auto* wide = std::get_if<double>(&d.storage());
    const auto* narrow = std::get_if<float>(&d.storage());
    return (wide != nullptr && *wide != *wide) || (narrow != nullptr && *narrow != *narrow);
  };
  if (not_a_number(a) && not_a_number(b)) return true;
  return std::visit(
      [&](const auto& left) {
        using T = std::decay_t<decltype(left)>;
        if constexpr (std::is_same_v<T, Datum::Array> || std::is_same_v<T, Datum::Object>) {
          return false;
        } else {
          const T* right = std::get_if<T>(&b.storage());
          return right != nullptr && left == *right;
        }
      },
      a.storage());
}

class Comparison {
 public:
  Comparison(const std::vector<std::string>& ignore, Places places) : ignore_(ignore), places_(places) {}

  void compare(const Datum& a, const Datum& b, const std::string& path, const std::string& plain) {
    if (std::find(ignore_.begin(), ignore_.end(), plain) != ignore_.end()) return;
    if (a.object() != nullptr && b.object() != nullptr) {
      objects(a, b, path, plain);
    } else if (a.array() != nullptr && b.array() != nullptr) {
      arrays(*a.array(), *b.array(), path, plain);
    } else if (!same_scalar(a, b, places_)) {
      out.push_back({path, a, b, false, false});
    }
  }

  std::vector<DescriptionDifference> out;

 private:
  static std::string member(const std::string& path, const std::string& key) {
    return path.empty() ? key : path + "." + key;
  }

  void one_sided(const Datum& value, const std::string& path, const std::string& plain, bool left) {
    if (std::find(ignore_.begin(), ignore_.end(), plain) != ignore_.end()) return;
    if (left)
      out.push_back({path, value, Datum(), true, false});
    else
      out.push_back({path, Datum(), value, false, true});
  }

  void objects(const Datum& a, const Datum& b, const std::string& path, const std::string& plain) {
    for (const auto& [key, value] : *a.object()) {
      const Datum* other = b.find(key);
      if (other != nullptr)
        compare(value, *other, member(path, key), member(plain, key));
      else
        one_sided(value, member(path, key), member(plain, key), true);
    }
    for (const auto& [key, value] : *b.object())
      if (a.find(key) == nullptr) one_sided(value, member(path, key), member(plain, key), false);
  }

  void arrays(const Datum::Array& a, const Datum::Array& b, const std::string& path,
              const std::string& plain) {
    if (!a.empty() && !b.empty() && named(a) && named(b)) return named_arrays(a, b, path, plain);
    const std::size_t common = std::min(a.size(), b.size());
    for (std::size_t i = 0; i < common; ++i) compare(a[i], b[i], fmt::format("{}[{}]", path, i), plain);
    for (std::size_t i = common; i < a.size(); ++i)
      one_sided(a[i], fmt::format("{}[{}]", path, i), plain, true);
    for (std::size_t i = common; i < b.size(); ++i)
      one_sided(b[i], fmt::format("{}[{}]", path, i), plain, false);
  }

  void named_arrays(const Datum::Array& a, const Datum::Array& b, const std::string& path,
                    const std::string& plain) {
    std::map<std::string, const Datum*> others;
    for (const Datum& item : b) others.emplace(*name_of(item), &item);
    for (const Datum& item : a) {
      const auto found = others.find(*name_of(item));
      const std::string at = fmt::format("{}[{}]", path, *name_of(item));
      if (found == others.end()) {
        one_sided(item, at, plain, true);
        continue;
      }
      compare(item, *found->second, at, plain);
      others.erase(found);
    }
    for (const Datum& item : b)
      if (others.contains(*name_of(item)))
        one_sided(item, fmt::format("{}[{}]", path, *name_of(item)), plain, false);
  }

  const std::vector<std::string>& ignore_;
  Places places_;
};

}  // namespace

std::vector<DescriptionDifference> diff_descriptions(const Node& left, const Node& right,
                                                     const std::vector<std::string>& ignore, Places places) {
  Comparison comparison(ignore, places);
  comparison.compare(value_of(left), value_of(right), "", "");
  return std::move(comparison.out);
}

}  // namespace npubin
