#include "formats/armnn/record.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include <fmt/format.h>

namespace npubin::armnn {
namespace {

const Slot* newest_row(TableId id, std::string_view name) {
  return slot_named(id, name, kNewestAge);
}

template <class T>
Bytes bytes_of(const std::vector<T>& values) {
  std::vector<std::byte> raw(values.size() * sizeof(T));
  for (std::size_t i = 0; i < values.size(); ++i) store<T>(raw.data() + i * sizeof(T), values[i]);
  return Bytes::own(std::move(raw));
}

class Reader {
 public:
  Reader(const Bytes& bytes, const FlatBuffer& file, const Reading& reading)
      : bytes_(bytes), file_(file), reading_(reading) {}

  Record record(const TableView& table) {
    Record out(table.id());
    for (const Slot& row : slots_of(table.id())) {
      if (table.row(row.name) != &row || !table.has(row.name) || row.kind == SlotKind::UnionType) continue;
      read_field(table, row, out);
    }
    return out;
  }

 private:
  void read_field(const TableView& table, const Slot& row, Record& out);
  TableId member_of(const TableView& table) const {
    if (table.id() == TableId::ConstTensor) return payload_table(table.union_type("data_type"));
    const UnionMember* member = layer_member(table.union_type("layer_type"), reading_.union_age);
    return member == nullptr ? TableId::None : member->table;
  }

  const Bytes& bytes_;
  const FlatBuffer& file_;
  const Reading& reading_;
};

void Reader::read_field(const TableView& table, const Slot& row, Record& out) {
  switch (row.kind) {
    case SlotKind::Bool:
      out.set(row.name, std::int64_t{table.flag(row.name)});
      return;
    case SlotKind::Enum8:
    case SlotKind::Enum32:
      out.set(row.name, std::int64_t{table.enumeration(row.name)});
      return;
    case SlotKind::U32:
      out.set(row.name, std::int64_t{table.u32(row.name)});
      return;
    case SlotKind::I32:
      out.set(row.name, std::int64_t{table.i32(row.name)});
      return;
    case SlotKind::F32:
      out.set(row.name, table.f32(row.name));
      return;
    case SlotKind::String:
      out.set(row.name, std::string(table.text(row.name)));
      return;
    case SlotKind::Connection: {
      const std::uint32_t at = table.offset_of(row.name);
      out.set(row.name, ConnectionValue{file_.at<std::uint32_t>(at), file_.at<std::uint32_t>(at + 4u)});
      return;
    }
    case SlotKind::Table:
      if (auto child = table.child(row.name)) out.set(row.name, std::make_unique<Record>(record(*child)));
      return;
    case SlotKind::Union:
      if (auto member = table.member(row.name, member_of(table)))
        out.set(row.name, std::make_unique<Record>(record(*member)));
      return;
    case SlotKind::VectorTable: {
      const FlatVector vector = table.vector(row.name);
      std::vector<Record> list;
      list.reserve(vector.count);
      for (std::uint32_t i = 0; i < vector.count; ++i)
        if (auto element = table.element(row, vector, i)) list.push_back(record(*element));
      out.set(row.name, std::move(list));
      return;
    }
    default: {
      const FlatVector vector = table.vector(row.name);
      out.set(row.name,
              ScalarVector{row.kind, bytes_.slice(vector.data(), vector.count * element_size(row.kind))});
      return;
    }
  }
}

class UnknownSlots : public WalkVisitor {
 public:
  void unknown_slot(TableId id, const FlatTable& table, unsigned slot,
                    const std::vector<WalkStep>& path) override {
    if (!first.empty()) return;
    first = fmt::format("{} at {} has a field in slot {} that no known release has", to_string(id),
                        to_string(path), slot);
    offset = table.position;
  }
  std::string first;
  std::uint64_t offset = 0;
};

}  // namespace

Record Record::clone() const {
  Record out(id_);
  for (const auto& [name, value] : fields_) {
    if (const auto* child = std::get_if<std::unique_ptr<Record>>(&value)) {
      out.set(name, std::make_unique<Record>((*child)->clone()));
    } else if (const auto* list = std::get_if<std::vector<Record>>(&value)) {
      std::vector<Record> copies;
      for (const Record& element : *list) copies.push_back(element.clone());
      out.set(name, std::move(copies));
    } else if (const auto* number = std::get_if<std::int64_t>(&value)) {
      out.set(name, *number);
    } else if (const auto* real_number = std::get_if<float>(&value)) {
      out.set(name, *real_number);
    } else if (const auto* text = std::get_if<std::string>(&value)) {
      out.set(name, *text);
    } else if (const auto* vector = std::get_if<ScalarVector>(&value)) {
      out.set(name, *vector);
    } else {
      out.set(name, std::get<ConnectionValue>(value));
    }
  }
  return out;
}

const FieldValue* Record::find(std::string_view name) const {
  for (const auto& [key, value] : fields_)
    if (key == name) return &value;
  return nullptr;
}
FieldValue* Record::find(std::string_view name) {
  return const_cast<FieldValue*>(static_cast<const Record*>(this)->find(name));
}
void Record::set(std::string_view name, FieldValue value) {
  if (FieldValue* found = find(name))
    *found = std::move(value);
  else
    fields_.emplace_back(name, std::move(value));
}
void Record::erase(std::string_view name) {
  fields_.erase(
      std::remove_if(fields_.begin(), fields_.end(), [&](const auto& f) { return f.first == name; }),
      fields_.end());
}

std::int64_t Record::integer(std::string_view name) const {
  const FieldValue* value = find(name);
  if (value != nullptr)
    if (const auto* number = std::get_if<std::int64_t>(value)) return *number;
  const Slot* row = newest_row(id_, name);
  return row == nullptr ? 0 : static_cast<std::int64_t>(row->default_value);
}
float Record::real(std::string_view name) const {
  const FieldValue* value = find(name);
  if (value != nullptr)
    if (const auto* number = std::get_if<float>(value)) return *number;
  const Slot* row = newest_row(id_, name);
  return row == nullptr ? 0.0f : static_cast<float>(row->default_value);
}
const Record* Record::child(std::string_view name) const {
  const FieldValue* value = find(name);
  const auto* record = value == nullptr ? nullptr : std::get_if<std::unique_ptr<Record>>(value);
  return record == nullptr ? nullptr : record->get();
}
Record* Record::child(std::string_view name) {
  return const_cast<Record*>(static_cast<const Record*>(this)->child(name));
}
const std::vector<Record>* Record::list(std::string_view name) const {
  const FieldValue* value = find(name);
  return value == nullptr ? nullptr : std::get_if<std::vector<Record>>(value);
}
std::vector<Record>* Record::list(std::string_view name) {
  return const_cast<std::vector<Record>*>(static_cast<const Record*>(this)->list(name));
}
std::vector<std::uint32_t> Record::u32s(std::string_view name) const {
  std::vector<std::uint32_t> out;
  const FieldValue* value = find(name);
  const auto* vector = value == nullptr ? nullptr : std::get_if<ScalarVector>(value);
  if (vector == nullptr || element_size(vector->kind) != 4) return out;
  for (std::size_t i = 0; i < vector->count(); ++i)
    out.push_back(load<std::uint32_t>(vector->data.data() + 4 * i));
  return out;
}
void Record::set_u32s(std::string_view name, const std::vector<std::uint32_t>& values) {
  set(name, ScalarVector{SlotKind::VectorU32, bytes_of(values)});
}
void Record::set_i32s(std::string_view name, const std::vector<std::int32_t>& values) {
  set(name, ScalarVector{SlotKind::VectorI32, bytes_of(values)});
}
void Record::set_f32s(std::string_view name, const std::vector<float>& values) {
  set(name, ScalarVector{SlotKind::VectorF32, bytes_of(values)});
}
Record& Record::add_child(std::string_view name, TableId id) {
  set(name, std::make_unique<Record>(id));
  return *child(name);
}

Result<Record> read_record(const Bytes& bytes, const FlatBuffer& file, const Reading& reading) {
  UnknownSlots unknown;
  NPUBIN_CHECK(walk(file, reading, unknown));
  if (!unknown.first.empty())
    return refused(unknown.first, "it would be lost; a newer schema is needed", Location::at(unknown.offset),
                   "ARM-0112");
  NPUBIN_TRY(const FlatTable root, file.root());
  return Reader(bytes, file, reading).record(TableView(file, reading, TableId::SerializedGraph, root));
}

bool means_nothing(const Slot& row, const FieldValue& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value))
    return static_cast<double>(*number) == row.default_value;
  if (const auto* number = std::get_if<float>(&value))
    return *number == static_cast<float>(row.default_value);
  if (const auto* vector = std::get_if<ScalarVector>(&value)) return vector->data.size() == 0;
  if (const auto* child = std::get_if<std::unique_ptr<Record>>(&value)) {
    for (const auto& [name, inner] : (*child)->fields()) {
      const Slot* below = slot_named((*child)->id(), name, kNewestAge);
      if (below == nullptr || !means_nothing(*below, inner)) return false;
    }
    return true;
  }
  return false;
}

namespace {

std::string compare_values(const FieldValue& a, const FieldValue& b, const std::string& path) {
  if (a.index() != b.index()) return path;
  if (const auto* child = std::get_if<std::unique_ptr<Record>>(&a))
    return first_difference(**child, *std::get<std::unique_ptr<Record>>(b), path);
  if (const auto* list = std::get_if<std::vector<Record>>(&a)) {
    const auto& other = std::get<std::vector<Record>>(b);
    if (list->size() != other.size()) return path;
    for (std::size_t i = 0; i < list->size(); ++i)
      if (std::string found = first_difference((*list)[i], other[i], fmt::format("{}[{}]", path, i));
          !found.empty())
        return found;
    return {};
  }
  if (const auto* vector = std::get_if<ScalarVector>(&a)) {
    const auto& other = std::get<ScalarVector>(b);
    const ByteSpan x = vector->data.span(), y = other.data.span();
    return std::equal(x.begin(), x.end(), y.begin(), y.end()) ? std::string() : path;
  }
  if (const auto* number = std::get_if<float>(&a))
    return std::bit_cast<std::uint32_t>(*number) == std::bit_cast<std::uint32_t>(std::get<float>(b))
               ? std::string()
               : path;
  if (const auto* number = std::get_if<std::int64_t>(&a))
    return *number == std::get<std::int64_t>(b) ? "" : path;
  if (const auto* text = std::get_if<std::string>(&a)) return *text == std::get<std::string>(b) ? "" : path;
  return std::get<ConnectionValue>(a) == std::get<ConnectionValue>(b) ? std::string() : path;
}

}  // namespace

std::string first_difference(const Record& a, const Record& b, const std::string& path) {
  if (a.id() != b.id()) return path.empty() ? "the root" : path;
  for (const Record* side : {&a, &b}) {
    const Record& other = side == &a ? b : a;
    for (const auto& [name, value] : side->fields()) {
      const std::string below = path.empty() ? std::string(name) : fmt::format("{}.{}", path, name);
      const FieldValue* there = other.find(name);
      if (there == nullptr) {
        const Slot* row = newest_row(side->id(), name);
        if (row == nullptr || !means_nothing(*row, value)) return below;
        continue;
      }
      if (side == &b) continue;
      if (std::string found = compare_values(value, *there, below); !found.empty()) return found;
    }
  }
  return {};
}

}  // namespace npubin::armnn
