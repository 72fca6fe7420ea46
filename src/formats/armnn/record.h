// Tables in memory: a file read into a tree that can be changed and written in the schema of another age.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "formats/armnn/table_view.h"
#include "npubin/bytes.h"

namespace npubin::armnn {

class Record;

// Elements of a scalar vector, little-endian as in the file; storage is shared with the file.
struct ScalarVector {
  SlotKind kind = SlotKind::VectorU32;
  Bytes data;
  std::size_t count() const { return data.size() / element_size(kind); }
};
struct ConnectionValue {
  std::uint32_t layer_index = 0, output_slot = 0;
  bool operator==(const ConnectionValue&) const = default;
};
// Booleans, enumerations and integers are std::int64_t. A union is its member's record; the number is found
// when it is written.
using FieldValue = std::variant<std::int64_t, float, std::string, ConnectionValue, ScalarVector,
                                std::unique_ptr<Record>, std::vector<Record>>;

class Record {
 public:
  explicit Record(TableId id = TableId::None) : id_(id) {}

  TableId id() const { return id_; }
  void become(TableId id) { id_ = id; }

  const std::vector<std::pair<std::string_view, FieldValue>>& fields() const { return fields_; }
  const FieldValue* find(std::string_view name) const;
  FieldValue* find(std::string_view name);
  // `name` must outlive the record: a name from the schema, or a literal.
  void set(std::string_view name, FieldValue value);
  void erase(std::string_view name);

  // The schema's default where the field is absent.
  std::int64_t integer(std::string_view name) const;
  float real(std::string_view name) const;
  Record* child(std::string_view name);
  const Record* child(std::string_view name) const;
  std::vector<Record>* list(std::string_view name);
  const std::vector<Record>* list(std::string_view name) const;
  std::vector<std::uint32_t> u32s(std::string_view name) const;

  void set_u32s(std::string_view name, const std::vector<std::uint32_t>& values);
  void set_i32s(std::string_view name, const std::vector<std::int32_t>& values);
  void set_f32s(std::string_view name, const std::vector<float>& values);
  Record& add_child(std::string_view name, TableId id);
  // A deep copy; scalar vectors share their bytes.
  Record clone() const;

 private:
  TableId id_;
  std::vector<std::pair<std::string_view, FieldValue>> fields_;
};

// A field that is set to what its absence means, so that leaving it out loses nothing.
bool means_nothing(const Slot& row, const FieldValue& value);

// The whole file. Error (Refused): it has slots that no known release has, which would be lost.
Result<Record> read_record(const Bytes& bytes, const FlatBuffer& file, const Reading& reading);

// A FlatBuffer in the schema of `age`, without file identifier as Arm NN writes it. Error (Refused): a layer
// type, field or value that the age does not have, by name and path.
Result<std::vector<std::byte>> write_record(const Record& graph, Age age);

// Equal in every field that is set to something other than its default. The first difference, or empty.
std::string first_difference(const Record& a, const Record& b, const std::string& path = {});

}  // namespace npubin::armnn
