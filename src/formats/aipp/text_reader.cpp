// The text form, read by protobuf itself (as ATC does), with the position of every value.
#include <google/protobuf/descriptor.h>
#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/text_format.h>

#include <fmt/format.h>

#include "formats/aipp/config.h"
#include "formats/aipp/message.h"

namespace npubin::aipp {
namespace {

namespace pb = google::protobuf;
using Tree = pb::TextFormat::ParseInfoTree;

// A config holds a handful of blocks; the bounds keep a hostile text from costing more than its own size.
constexpr std::size_t kLargestText = std::size_t{4} << 20;
constexpr std::size_t kMostBlocks = 4096;

// The first complaint is the one that ATC would show; what follows is mostly its echo.
class FirstComplaint : public pb::io::ErrorCollector {
 public:
  void AddError(int line, pb::io::ColumnNumber column, const std::string& message) override {
    if (given) return;
    given = true;
    at_line = line;
    at_column = column;
    text = message;
  }
  void AddWarning(int, pb::io::ColumnNumber, const std::string&) override {}

  bool given = false;
  int at_line = 0;
  int at_column = 0;
  std::string text;
};

ParseFault fault_at(const LineIndex& lines, std::uint64_t offset, std::string code, std::string message,
                    std::string hint) {
  return {location_of(lines.position(offset)), std::move(code), {}, std::move(message), std::move(hint)};
}

// Where the outermost blocks are more than can be meant.
std::optional<std::uint64_t> excess_block(std::string_view text) {
  std::size_t blocks = 0;
  std::int64_t depth = 0;
  for (Token token = next_token(text, 0); token.kind != Token::Kind::End;
       token = next_token(text, token.offset + token.text.size())) {
    if (token.kind != Token::Kind::Symbol) continue;
    const char symbol = token.text.front();
    if (symbol == '{' || symbol == '<') {
      if (depth++ == 0 && ++blocks > kMostBlocks) return token.offset;
    } else if (symbol == '}' || symbol == '>') {
      --depth;
    }
  }
  return std::nullopt;
}

Occurrence occurrence_of(const LineIndex& lines, const pb::TextFormat::ParseLocationRange& range) {
  if (range.start.line < 0) return {};
  Occurrence out = lines.position(lines.offset(range.start.line, range.start.column));
  out.end = lines.offset(range.end.line, range.end.column);
  return out;
}

// All spellings of one field. A list in brackets is one spelling with several values.
std::vector<Occurrence> occurrences(const LineIndex& lines, const Tree& tree,
                                    const pb::FieldDescriptor& field, int values) {
  std::vector<Occurrence> out;
  if (!field.is_repeated()) {
    if (Occurrence where = occurrence_of(lines, tree.GetLocationRange(&field, -1)); where.line != 0)
      out.push_back(where);
    return out;
  }
  for (int i = 0; i < values; ++i)
    if (Occurrence where = occurrence_of(lines, tree.GetLocationRange(&field, i)); where.line != 0)
      out.push_back(where);
  return out;
}

void locate_block(const LineIndex& lines, const Tree& tree, Block& block) {
  const pb::Descriptor& type = block_descriptor();
  for (const FieldInfo& field : fields()) {
    const pb::FieldDescriptor& descriptor = *type.FindFieldByNumber(static_cast<int>(field.number));
    FieldValues& values = block.of(field.id);
    values.where = occurrences(lines, tree, descriptor, static_cast<int>(values.numbers.size()));
    // proto3 forgets that a default was spelt out; the text does not.
    if (!values.where.empty() && values.numbers.empty() && field.kind != FieldKind::String)
      values.numbers.push_back(0);
  }
}

void locate_shape(const LineIndex& lines, const Tree& tree, MultiShape& shape) {
  const pb::FieldDescriptor& list = batch_list_descriptor();
  if (!shape.batch_list.empty()) shape.batch_where = occurrence_of(lines, tree.GetLocationRange(&list, 0));
}

// Blocks of one list in brackets share the list's position.
template <class T, class Locate>
void locate_all(const LineIndex& lines, const Tree& tree, const pb::FieldDescriptor& field,
                std::vector<T>& items, const Locate& locate) {
  Occurrence last;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const int index = static_cast<int>(i);
    if (Occurrence where = occurrence_of(lines, tree.GetLocationRange(&field, index)); where.line != 0)
      last = where;
    items[i].where = last;
    if (const Tree* nested = tree.GetTreeForNested(&field, index)) locate(lines, *nested, items[i]);
  }
}

}  // namespace

Parsed parse_text(std::string_view text) {
  Parsed out;
  const LineIndex lines(text);
  if (text.size() > kLargestText) {
    out.fault =
        fault_at(lines, kLargestText, "AIP-0102",
                 fmt::format("the text is {} bytes long; npubin reads at most {}", text.size(), kLargestText),
                 "an AIPP config is a page of text: is this the right file?");
    return out;
  }
  if (const auto excess = excess_block(text)) {
    out.fault = fault_at(lines, *excess, "AIP-0102", fmt::format("more than {} blocks", kMostBlocks),
                         "a config has one aipp_op block for each input of the network");
    return out;
  }
  domi::InsertNewOps message;
  Tree tree;
  FirstComplaint complaint;
  pb::TextFormat::Parser parser;
  parser.RecordErrorsTo(&complaint);
  parser.WriteLocationsTo(&tree);
  parser.SetRecursionLimit(16);
  pb::io::ArrayInputStream stream(text.data(), static_cast<int>(text.size()));
  if (!parser.Parse(&stream, &message) || complaint.given) {
    out.fault = explain_fault(text, lines, complaint.at_line, complaint.at_column, complaint.text);
    return out;
  }
  out.config = config_of(message);
  const pb::Descriptor& root = *domi::InsertNewOps::descriptor();
  locate_all(lines, tree, *root.FindFieldByName("aipp_op"), out.config.blocks, locate_block);
  locate_all(lines, tree, *root.FindFieldByName("multi_shape_op"), out.config.shapes, locate_shape);
  return out;
}

}  // namespace npubin::aipp
