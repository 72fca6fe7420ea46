#include "formats/tflite/flat_verifier.h"

#include <algorithm>
#include <bit>
#include <unordered_set>
#include <vector>

#include <fmt/format.h>

#include "formats/tflite/schema.h"

namespace npubin::tflite {
namespace {

using schema::FieldSchema;
using schema::Kind;
using schema::TableSchema;

constexpr const char* kDamaged = "the file is damaged or cut; get it again from its source";

struct Step {
  std::string_view field;
  std::int64_t index = -1;  // in a vector; -1: none
};

struct VTable {
  std::uint64_t at = 0;
  std::uint16_t size = 0;         // bytes of the vtable
  std::uint16_t table_bytes = 0;  // bytes of the table, its vtable offset included
};

class Walk {
 public:
  Walk(ByteSpan file, Diagnostics* notes, const SpanSink& sink, bool scalars)
      : file_(file),
        notes_(notes),
        sink_(sink),
        scalars_(scalars && sink),
        budget_(file.size() / 4 + 16),
        element_budget_(8 * std::uint64_t{file.size()} + 4096) {}

  Result<void> root();

 private:
  std::string path() const {
    std::string out;
    for (const Step& step : path_) {
      if (!out.empty()) out += '.';
      out += step.field;
      if (step.index >= 0) out += fmt::format("[{}]", step.index);
    }
    return out.empty() ? "root" : out;
  }
  Unexpected broken(std::uint64_t at, std::string message, std::string code) const {
    return malformed(Location::at(at, path()), std::move(message), kDamaged, std::move(code));
  }
  void span(std::uint64_t offset, std::uint64_t size, std::string note, const FieldSchema* value = nullptr) {
    if (sink_) sink_({offset, size, path(), std::move(note), value});
  }
  bool inside(std::uint64_t at, std::uint64_t size) const {
    return at <= file_.size() && file_.size() - at >= size;
  }

  Result<std::uint64_t> follow(std::uint64_t at);
  Result<VTable> vtable_of(std::uint64_t position);
  Result<void> table(std::uint64_t position, const TableSchema& schema);
  Result<void> field(std::uint64_t position, const VTable& vtable, const TableSchema& schema,
                     std::size_t index);
  Result<void> reference(std::uint64_t at, const FieldSchema& field);
  Result<void> union_value(std::uint64_t at, std::uint64_t position, const VTable& vtable,
                           const TableSchema& schema, std::size_t index);
  Result<void> vector(std::uint64_t at, const FieldSchema& field);
  Result<void> string(std::uint64_t at, const FieldSchema& field);
  void scalar(std::uint64_t at, const FieldSchema& field);
  void unknown_values(std::uint64_t position, const VTable& vtable, const TableSchema& schema);
  Result<void> spend(std::uint64_t at, std::uint64_t bytes);
  void unknown_slots(const VTable& vtable, const TableSchema& schema);

  ByteSpan file_;
  Diagnostics* notes_;
  const SpanSink& sink_;
  bool scalars_;
  std::uint64_t budget_;          // objects that may still be visited
  std::uint64_t element_budget_;  // bytes of strings and number vectors that may still be visited
  std::vector<Step> path_;
  std::unordered_set<std::uint64_t> known_vtables_;  // for the sink: each is reported once
};

Result<void> Walk::root() {
  if (file_.size() < 8)
    return malformed(Location::at(0),
                     fmt::format("the file has {} bytes; the header alone takes 8", file_.size()), kDamaged,
                     "TFL-0001");
  span(0, 4, "root offset");
  span(4, 4, "identifier");
  const std::uint32_t at = load<std::uint32_t>(file_.data());
  if (at % 4 != 0 || !inside(at, 4) || at < 8)
    return malformed(Location::at(0),
                     fmt::format("the root offset is {:#x}; it must be a multiple of 4 inside the "
                                 "{} bytes of the file",
                                 at, file_.size()),
                     kDamaged, "TFL-0003");
  return table(at, *schema::find_table("Model"));
}

// Offsets are unsigned and count from where they stand; 64-bit sums cannot wrap.
Result<std::uint64_t> Walk::follow(std::uint64_t at) {
  const std::uint32_t distance = load<std::uint32_t>(file_.data() + at);
  const std::uint64_t target = at + distance;
  if (distance == 0) return broken(at, "the offset is 0, so the element points at itself", "TFL-0004");
  if (target % 4 != 0 || !inside(target, 4))
    return broken(at,
                  fmt::format("the offset leads to {:#x}, which is {}", target,
                              inside(target, 4) ? "not a multiple of 4" : "beyond the end of the file"),
                  "TFL-0004");
  if (budget_ == 0)
    return broken(at, "the file refers to more objects than it has room for; some are shared over and over",
                  "TFL-0007");
  --budget_;
  return target;
}

Result<VTable> Walk::vtable_of(std::uint64_t position) {
  const auto back = std::int64_t{load<std::int32_t>(file_.data() + position)};
  const std::int64_t at = static_cast<std::int64_t>(position) - back;
  if (at < 0 || at % 2 != 0 || !inside(static_cast<std::uint64_t>(at), 4))
    return broken(position, fmt::format("the table's vtable would lie at {}", at), "TFL-0005");
  VTable out;
  out.at = static_cast<std::uint64_t>(at);
  out.size = load<std::uint16_t>(file_.data() + out.at);
  out.table_bytes = load<std::uint16_t>(file_.data() + out.at + 2);
  if (out.size < 4 || out.size % 2 != 0 || !inside(out.at, out.size))
    return broken(out.at, fmt::format("the vtable claims {} bytes", out.size), "TFL-0005");
  if (out.table_bytes < 4 || !inside(position, out.table_bytes))
    return broken(out.at,
                  fmt::format("the vtable gives its table at {:#x} {} bytes", position, out.table_bytes),
                  "TFL-0005");
  return out;
}

void Walk::unknown_slots(const VTable& vtable, const TableSchema& schema) {
  const std::uint64_t known = schema.fields.empty() ? 0 : schema.fields.back().slot + 1u;
  for (std::uint64_t slot = known; 4 + 2 * slot < vtable.size; ++slot)
    if (load<std::uint16_t>(file_.data() + vtable.at + 4 + 2 * slot) != 0 && notes_ != nullptr)
      notes_->warn("TFL-0009", Location::at(vtable.at, path()),
                   fmt::format("table {} has a field in slot {}, which the schema known here ends before",
                               schema.name, slot),
                   "the file is from a newer writer; what the field says is not taken into account");
}

Result<void> Walk::table(std::uint64_t position, const TableSchema& schema) {
  NPUBIN_TRY(const VTable vtable, vtable_of(position));
  span(position, vtable.table_bytes, fmt::format("table {}", schema.name));
  if (known_vtables_.insert(vtable.at).second) {
    span(vtable.at, vtable.size, "vtable");
    unknown_slots(vtable, schema);
  }
  for (std::size_t i = 0; i < schema.fields.size(); ++i) NPUBIN_CHECK(field(position, vtable, schema, i));
  if (scalars_) unknown_values(position, vtable, schema);
  return {};
}

// Of a field that the schema does not have neither type nor size are known: its first bytes stand for it.
void Walk::unknown_values(std::uint64_t position, const VTable& vtable, const TableSchema& schema) {
  static constexpr FieldSchema kUnknown{"unknown_slot", 0, Kind::U8, false, false, -1, 0};
  const std::uint64_t known = schema.fields.empty() ? 0 : schema.fields.back().slot + 1u;
  for (std::uint64_t slot = known; 4 + 2 * slot + 2 <= vtable.size; ++slot) {
    const std::uint16_t offset = load<std::uint16_t>(file_.data() + vtable.at + 4 + 2 * slot);
    if (offset < 4 || offset >= vtable.table_bytes) continue;
    path_.push_back({kUnknown.name, static_cast<std::int64_t>(slot)});
    span(position + offset, std::min<std::uint64_t>(4, vtable.table_bytes - offset), "unknown", &kUnknown);
    path_.pop_back();
  }
}

Result<void> Walk::field(std::uint64_t position, const VTable& vtable, const TableSchema& schema,
                         std::size_t index) {
  const FieldSchema& field = schema.fields[index];
  const std::uint64_t entry = 4 + 2 * std::uint64_t{field.slot};
  if (entry + 2 > vtable.size) return {};
  const std::uint16_t offset = load<std::uint16_t>(file_.data() + vtable.at + entry);
  if (offset == 0) return {};
  path_.push_back({field.name, -1});
  if (offset < 4 || offset + schema::inline_size(field) > vtable.table_bytes)
    return broken(vtable.at + entry,
                  fmt::format("the field lies at byte {} of a table of {} bytes", offset, vtable.table_bytes),
                  "TFL-0006");
  const std::uint64_t at = position + offset;
  if (field.kind == Kind::UnionValue)
    NPUBIN_CHECK(union_value(at, position, vtable, schema, index));
  else if (field.vector || field.kind == Kind::String || field.kind == Kind::Table)
    NPUBIN_CHECK(reference(at, field));
  else if (scalars_)
    scalar(at, field);
  path_.pop_back();
  return {};
}

// A default that is spelt out says no more than one that is left out.
void Walk::scalar(std::uint64_t at, const FieldSchema& field) {
  const std::uint32_t size = schema::inline_size(field);
  const bool real = field.kind == Kind::F32;
  std::uint64_t bits = 0, standard = 0;
  for (std::uint32_t i = 0; i < size; ++i)
    bits |= std::uint64_t{load<std::uint8_t>(file_.data() + at + i)} << (8 * i);
  standard = real ? std::bit_cast<std::uint32_t>(static_cast<float>(field.default_value))
                  : static_cast<std::uint64_t>(std::int64_t{field.default_value});
  if (size < 8) standard &= (std::uint64_t{1} << (8 * size)) - 1;
  if (bits != standard) span(at, size, "scalar", &field);
}

Result<void> Walk::reference(std::uint64_t at, const FieldSchema& field) {
  NPUBIN_TRY(const std::uint64_t target, follow(at));
  if (field.vector) return vector(target, field);
  if (field.kind == Kind::String) return string(target, field);
  return table(target, schema::tables()[static_cast<std::size_t>(field.ref)]);
}

Result<void> Walk::union_value(std::uint64_t at, std::uint64_t position, const VTable& vtable,
                               const TableSchema& schema, std::size_t index) {
  NPUBIN_TRY(const std::uint64_t target, follow(at));
  const FieldSchema& tag_field = schema.fields[index - 1];
  const std::uint16_t tag_offset =
      load<std::uint16_t>(file_.data() + vtable.at + 4 + 2 * std::uint64_t{tag_field.slot});
  const std::uint8_t tag = tag_offset == 0 ? 0 : load<std::uint8_t>(file_.data() + position + tag_offset);
  const schema::Union& in = schema::unions()[static_cast<std::size_t>(tag_field.ref)];
  if (const TableSchema* member = schema::union_table(in, tag)) return table(target, *member);
  if (notes_ != nullptr)
    notes_->warn("TFL-0010", Location::at(at, path()),
                 fmt::format("the union {} holds a value, but its tag is {}", in.name,
                             tag == 0 ? std::string("NONE") : fmt::format("{}, which is unknown here", tag)),
                 "the value is not taken into account");
  return {};
}

Result<void> Walk::vector(std::uint64_t at, const FieldSchema& field) {
  const std::uint32_t count = load<std::uint32_t>(file_.data() + at);
  const std::uint64_t bytes = std::uint64_t{count} * schema::element_size(field.kind);
  if (!inside(at + 4, bytes))
    return broken(
        at,
        fmt::format("the vector claims {} elements of {} bytes; the file ends {} bytes after its start",
                    count, schema::element_size(field.kind), file_.size() - at),
        "TFL-0008");
  span(at, 4 + bytes, fmt::format("vector of {}", count), field.kind == Kind::Table ? nullptr : &field);
  // Bytes of buffers are never looked at one by one; everything else is.
  if (field.kind != Kind::U8) NPUBIN_CHECK(spend(at, bytes));
  if (field.kind != Kind::Table) return {};
  for (std::uint32_t i = 0; i < count; ++i) {
    path_.back().index = i;
    const std::uint64_t element = at + 4 + 4 * std::uint64_t{i};
    NPUBIN_TRY(const std::uint64_t target, follow(element));
    NPUBIN_CHECK(table(target, schema::tables()[static_cast<std::size_t>(field.ref)]));
  }
  path_.back().index = -1;
  return {};
}

Result<void> Walk::string(std::uint64_t at, const FieldSchema& field) {
  const std::uint64_t length = load<std::uint32_t>(file_.data() + at);
  if (!inside(at + 4, length + 1))
    return broken(at, fmt::format("the string claims {} bytes and the file ends before", length), "TFL-0008");
  span(at, 4 + length + 1, "string", &field);
  return spend(at, length);
}

Result<void> Walk::spend(std::uint64_t at, std::uint64_t bytes) {
  if (bytes > element_budget_)
    return broken(at, "the file refers to the same vectors over and over, more often than any writer does",
                  "TFL-0007");
  element_budget_ -= bytes;
  return {};
}

}  // namespace

Result<void> verify_flatbuffer(ByteSpan file, Diagnostics* notes, const SpanSink& sink, bool scalars) {
  return Walk(file, notes, sink, scalars).root();
}

}  // namespace npubin::tflite
