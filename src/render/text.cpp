#include "render/text.h"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>

namespace npubin::render {
namespace {

bool shown(Detail detail, int verbosity) {
  switch (detail) {
    case Detail::Normal:
    case Detail::TextOnly:
      return true;
    case Detail::Verbose:
      return verbosity >= 1;
    case Detail::VeryVerbose:
      return verbosity >= 2;
    case Detail::JsonOnly:
      return false;
  }
  return false;
}

bool hides_nothing(std::string_view text) {
  return std::none_of(text.begin(), text.end(),
                      [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
}

std::string label(std::string key) {
  std::replace(key.begin(), key.end(), '_', ' ');
  return key;
}

// Columns on a terminal: UTF-8 continuation bytes take none.
std::size_t display_width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0u) != 0x80u; }));
}

std::string padded(const std::string& text, std::size_t width, bool right) {
  const std::size_t used = display_width(text);
  const std::string fill(width > used ? width - used : 0, ' ');
  return right ? fill + text : text + fill;
}

struct DatumToText {
  std::string operator()(std::nullptr_t) const { return "-"; }
  std::string operator()(bool v) const { return v ? "yes" : "no"; }
  std::string operator()(const std::string& v) const { return printable(v); }
  std::string operator()(const Datum::Array& items) const {
    std::string out = "[";
    for (const Datum& item : items) out += (out.size() > 1 ? ", " : "") + to_text(item);
    return out + "]";
  }
  std::string operator()(const Datum::Object& members) const {
    std::string out = "{";
    for (const auto& [key, value] : members)
      out += fmt::format("{}{}: {}", out.size() > 1 ? ", " : "", key, to_text(value));
    return out + "}";
  }
  // Computed figures: six digits are enough to read; JSON has them all. A float keeps its shortest exact
  // form.
  std::string operator()(double v) const { return fmt::format("{:.6g}", v); }
  template <class T>
  std::string operator()(const T& v) const {
    return fmt::format("{}", v);
  }
};

bool is_number(const Datum& datum) {
  return datum.storage().index() >= 2 && datum.storage().index() <= 5;
}

std::string bold(const std::string& text, const TextOptions& options) {
  return options.colour ? "\033[1m" + text + "\033[0m" : text;
}

void append_fields(std::string& out, const Node& node, const TextOptions& options,
                   const std::string& indent) {
  std::size_t width = 0;
  for (const Field& field : node.fields)
    if (shown(field.detail, options.verbosity)) width = std::max(width, display_width(label(field.key)));
  for (const Field& field : node.fields) {
    if (!shown(field.detail, options.verbosity)) continue;
    std::string text = field.text.empty() ? to_text(field.value) : printable(field.text);
    if (field.text.empty() && !field.unit.empty()) text += " " + field.unit;
    out += fmt::format("{}{}  {}\n", indent, padded(label(field.key), width, false), text);
  }
}

void append_table(std::string& out, const Table& table, const TextOptions& options,
                  const std::string& indent) {
  if (table.rows.empty()) return;
  const std::size_t columns = table.columns.size();
  std::vector<std::vector<std::string>> cells;
  std::vector<std::size_t> widths(columns);
  std::vector<bool> right(columns, true);
  for (std::size_t c = 0; c < columns; ++c) widths[c] = display_width(label(table.columns[c]));
  for (const auto& row : table.rows) {
    auto& line = cells.emplace_back(columns);
    for (std::size_t c = 0; c < columns && c < row.size(); ++c) {
      line[c] = to_text(row[c]);
      widths[c] = std::max(widths[c], display_width(line[c]));
      if (!is_number(row[c]) && !row[c].is_null()) right[c] = false;
    }
  }
  auto append_line = [&](const std::vector<std::string>& line, bool heading) {
    std::string text;
    for (std::size_t c = 0; c < columns; ++c)
      text += (c == 0 ? "" : "  ") + padded(line[c], widths[c], right[c]);
    text.erase(text.find_last_not_of(' ') + 1);
    out += indent + (heading ? bold(text, options) : text) + "\n";
  };
  const std::string title = table.title.empty() ? label(table.key) : table.title;
  out += fmt::format("{}{}\n", indent, bold(title, options));
  std::vector<std::string> headings;
  for (const std::string& column : table.columns) headings.push_back(label(column));
  append_line(headings, false);
  for (const auto& line : cells) append_line(line, false);
}

void append_node(std::string& out, const Node& node, const TextOptions& options, int depth) {
  const std::string indent(static_cast<std::size_t>(depth) * 2, ' ');
  int inner = depth;
  if (!node.title.empty()) {
    out += indent + bold(printable(node.title), options) + "\n";
    ++inner;
  }
  const std::string inner_indent(static_cast<std::size_t>(inner) * 2, ' ');
  append_fields(out, node, options, inner_indent);
  for (const Table& table : node.tables)
    if (shown(table.detail, options.verbosity)) append_table(out, table, options, inner_indent);
  for (const std::string& line : node.lines) {
    out += inner_indent;
    out += hides_nothing(line) ? line : printable(line);
    out += '\n';
  }
  for (const Node& child : node.children)
    if (shown(child.detail, options.verbosity)) append_node(out, child, options, inner);
}

}  // namespace

std::string printable(std::string_view text) {
  if (hides_nothing(text)) return std::string(text);
  std::string out;
  out.reserve(text.size());
  for (char c : text) {
    const auto u = static_cast<unsigned char>(c);
    if (u < 0x20 || u == 0x7F)
      out += fmt::format("\\x{:02x}", u);
    else
      out += c;
  }
  return out;
}

std::string to_text(const Datum& datum) {
  return std::visit(DatumToText{}, datum.storage());
}

std::string to_text(const Node& node, const TextOptions& options) {
  std::string out;
  append_node(out, node, options, 0);
  return out;
}

std::string to_text(const Diagnostic& d, const TextOptions& options) {
  constexpr const char* kColours[] = {"\033[36m", "\033[33m", "\033[31m"};
  std::string severity(to_string(d.severity));
  if (options.colour) severity = kColours[static_cast<int>(d.severity)] + severity + "\033[0m";
  std::string out = severity + ": ";
  if (std::string where = to_string(d.where); !where.empty()) out += where + ": ";
  out += d.message;
  if (!d.hint.empty()) out += "; " + d.hint;
  if (!d.vendor.name.empty() || !d.vendor.code.empty())
    out += d.vendor.code.empty()   ? fmt::format(" <{}>", d.vendor.name)
           : d.vendor.name.empty() ? fmt::format(" <{}>", d.vendor.code)
                                   : fmt::format(" <{} ({})>", d.vendor.name, d.vendor.code);
  if (!d.code.empty()) out += fmt::format(" [{}]", d.code);
  return printable(out);
}

// As append_table() would, without a cell for each of its hundreds of thousands of values.
std::string to_text(const ByteMap& map, const TextOptions& options) {
  if (map.spans().empty()) return {};
  const auto hexadecimal = [](std::uint64_t value) { return fmt::format("0x{:08x}", value); };
  std::array<std::size_t, 4> widths{6, 3, 4, 4};  // of the headings
  for (const MapSpan& span : map.spans()) {
    const std::array<std::size_t, 4> cell{fmt::formatted_size("0x{:08x}", span.offset),
                                          fmt::formatted_size("0x{:08x}", span.offset + span.size),
                                          fmt::formatted_size("{}", span.size),
                                          display_width(printable(span.name))};
    for (std::size_t c = 0; c < widths.size(); ++c) widths[c] = std::max(widths[c], cell[c]);
  }
  std::string out = bold("byte map", options) + "\n";
  const auto append_line = [&](const std::array<std::string, 5>& cells) {
    for (std::size_t c = 0; c < widths.size(); ++c) out += padded(cells[c], widths[c], c == 2) + "  ";
    out += cells[4];
    out.erase(out.find_last_not_of(' ') + 1);
    out += '\n';
  };
  append_line({"offset", "end", "size", "name", "note"});
  for (const MapSpan& span : map.spans())
    append_line({hexadecimal(span.offset), hexadecimal(span.offset + span.size), fmt::format("{}", span.size),
                 printable(span.name), printable(span.note)});
  return out;
}

}  // namespace npubin::render
