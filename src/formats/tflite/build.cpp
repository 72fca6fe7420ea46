#include "formats/tflite/build.h"

#include <algorithm>
#include <array>
#include <optional>

#include <flatbuffers/flatbuffers.h>
#include <fmt/format.h>

#include "formats/tflite/schema.h"

namespace npubin::tflite {
namespace {

using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;
using schema::FieldSchema;
using schema::Kind;
using schema::TableSchema;

flatbuffers::voffset_t slot(const FieldSchema& field) {
  return static_cast<flatbuffers::voffset_t>(4 + 2 * field.slot);
}

// A table being written: fields go in by the name that the schema gives them.
class TableWriter {
 public:
  TableWriter(FlatBufferBuilder& out, std::string_view table)
      : out_(out), table_(*schema::find_table(table)), start_(out.StartTable()) {}

  void offset(std::string_view field, flatbuffers::uoffset_t at) {
    if (at != 0) out_.AddOffset(slot(*table_.find(field)), Offset<void>(at));
  }
  void number(std::string_view field, double value) { number(*table_.find(field), value); }
  void number(const FieldSchema& field, double value) {
    switch (field.kind) {
      case Kind::Bool:
        add<std::uint8_t>(field, value != 0);
        break;
      case Kind::I8:
        add<std::int8_t>(field, value);
        break;
      case Kind::U8:
      case Kind::UnionTag:
        add<std::uint8_t>(field, value);
        break;
      case Kind::I32:
        add<std::int32_t>(field, value);
        break;
      case Kind::U32:
        add<std::uint32_t>(field, value);
        break;
      case Kind::F32:
        add<float>(field, value);
        break;
      default:
        break;
    }
  }
  flatbuffers::uoffset_t finish() { return out_.EndTable(start_); }

 private:
  template <class T>
  void add(const FieldSchema& field, double value) {
    out_.AddElement<T>(slot(field), static_cast<T>(value), static_cast<T>(field.default_value));
  }

  FlatBufferBuilder& out_;
  const TableSchema& table_;
  flatbuffers::uoffset_t start_;
};

std::optional<std::int32_t> value_in(std::string_view enumeration, std::string_view name) {
  for (const schema::Enumeration& e : schema::enumerations())
    if (e.name == enumeration)
      for (const schema::EnumEntry& entry : e.entries)
        if (entry.name == name) return entry.value;
  return std::nullopt;
}

std::optional<std::int32_t> tensor_type(DType type) {
  constexpr std::array<std::string_view, 12> kNames{"FLOAT32", "FLOAT16", "BFLOAT16", "FLOAT64",
                                                    "UINT8",   "INT8",    "UINT16",   "INT16",
                                                    "UINT32",  "INT32",   "INT64",    "BOOL"};
  return value_in("TensorType", kNames[static_cast<std::size_t>(type)]);
}

std::optional<std::uint8_t> options_tag(std::string_view table) {
  for (const schema::Union& u : schema::unions())
    if (u.name == "BuiltinOptions")
      for (const schema::UnionMember& member : u.members)
        if (member.name == table) return member.tag;
  return std::nullopt;
}

class ModelWriter {
 public:
  explicit ModelWriter(const BuildModel& model) : model_(model) {}

  Result<std::vector<std::byte>> run() {
    NPUBIN_CHECK(write_tensors());
    NPUBIN_CHECK(write_operators());
    write_codes();
    const auto subgraph = write_subgraph();
    const auto subgraphs = out_.CreateVector(std::vector<Offset<void>>{subgraph});
    const auto codes = out_.CreateVector(codes_);
    const auto buffers = out_.CreateVector(buffers_);
    const auto description = out_.CreateString(model_.description);
    TableWriter table(out_, "Model");
    table.number("version", 3);
    table.offset("operator_codes", codes.o);
    table.offset("subgraphs", subgraphs.o);
    table.offset("description", description.o);
    table.offset("buffers", buffers.o);
    out_.Finish(Offset<void>(table.finish()), "TFL3");
    const auto* first = reinterpret_cast<const std::byte*>(out_.GetBufferPointer());
    return std::vector<std::byte>(first, first + out_.GetSize());
  }

 private:
  // Buffer 0 is the empty one of all tensors that are not constant.
  std::uint32_t write_buffer(ByteSpan data) {
    flatbuffers::uoffset_t at = 0;
    if (!data.empty()) {
      out_.ForceVectorAlignment(data.size(), 1, 16);
      at = out_.CreateVector(reinterpret_cast<const std::uint8_t*>(data.data()), data.size()).o;
    }
    TableWriter table(out_, "Buffer");
    table.offset("data", at);
    buffers_.emplace_back(table.finish());
    return static_cast<std::uint32_t>(buffers_.size()) - 1;
  }

  flatbuffers::uoffset_t write_quantization(const Quantization& q) {
    if (!q.present()) return 0;
    std::vector<std::int64_t> zero_points(q.scales.size());
    for (std::size_t i = 0; i < zero_points.size(); ++i) zero_points[i] = q.zero_point(i);
    const auto scales = out_.CreateVector(q.scales);
    const auto zeros = out_.CreateVector(zero_points);
    TableWriter table(out_, "QuantizationParameters");
    table.offset("scale", scales.o);
    table.offset("zero_point", zeros.o);
    table.number("quantized_dimension", q.per_axis() ? q.axis : 0);
    return table.finish();
  }

  Result<void> write_tensors() {
    write_buffer({});
    for (const BuildTensor& tensor : model_.tensors) {
      const auto type = tensor_type(tensor.type);
      if (!type)
        return refused(
            fmt::format("tensor '{}': .tflite has no type {}", tensor.name, to_string(tensor.type)));
      const std::uint32_t buffer = tensor.constant.size() == 0 ? 0 : write_buffer(tensor.constant.span());
      const auto shape =
          out_.CreateVector(std::vector<std::int32_t>(tensor.shape.begin(), tensor.shape.end()));
      const auto name = out_.CreateString(tensor.name);
      const auto quantization = write_quantization(tensor.quantization);
      TableWriter table(out_, "Tensor");
      table.offset("shape", shape.o);
      table.number("type", *type);
      table.number("buffer", buffer);
      table.offset("name", name.o);
      table.offset("quantization", quantization);
      tensors_.emplace_back(table.finish());
    }
    return {};
  }

  // One entry per (operator, version).
  std::uint32_t code_index(std::int32_t builtin, std::int32_t version) {
    const auto key = std::make_pair(builtin, version);
    const auto at = std::find(used_.begin(), used_.end(), key);
    if (at != used_.end()) return static_cast<std::uint32_t>(at - used_.begin());
    used_.push_back(key);
    return static_cast<std::uint32_t>(used_.size()) - 1;
  }

  void write_codes() {
    for (const auto& [builtin, version] : used_) {
      TableWriter table(out_, "OperatorCode");
      table.number("deprecated_builtin_code", std::min(builtin, 127));
      table.number("version", version);
      table.number("builtin_code", builtin);
      codes_.emplace_back(table.finish());
    }
  }

  Result<flatbuffers::uoffset_t> write_options(const BuildOperator& op) {
    const TableSchema* table = schema::find_table(op.options_table);
    if (table == nullptr) return malformed({}, "the schema has no table " + op.options_table);
    std::vector<std::pair<const FieldSchema*, flatbuffers::uoffset_t>> vectors;
    for (const auto& [name, value] : op.options) {
      const FieldSchema* field = table->find(name);
      if (field == nullptr) return malformed({}, fmt::format("{} has no field {}", op.options_table, name));
      if (const auto* list = std::get_if<std::vector<std::int32_t>>(&value))
        vectors.emplace_back(field, out_.CreateVector(*list).o);
    }
    TableWriter writer(out_, op.options_table);
    for (const auto& [field, at] : vectors) writer.offset(field->name, at);
    for (const auto& [name, value] : op.options)
      if (const auto* number = std::get_if<double>(&value)) writer.number(name, *number);
    return writer.finish();
  }

  Result<void> write_operators() {
    for (const BuildOperator& op : model_.operators) {
      const auto builtin = value_in("BuiltinOperator", op.builtin);
      if (!builtin) return malformed({}, "the schema has no operator " + op.builtin);
      flatbuffers::uoffset_t options = 0;
      std::uint8_t tag = 0;
      if (!op.options_table.empty()) {
        NPUBIN_TRY(options, write_options(op));
        tag = options_tag(op.options_table).value_or(0);
      }
      const auto inputs = out_.CreateVector(op.inputs), outputs = out_.CreateVector(op.outputs);
      TableWriter table(out_, "Operator");
      table.number("opcode_index", code_index(*builtin, op.version));
      table.offset("inputs", inputs.o);
      table.offset("outputs", outputs.o);
      table.number("builtin_options_type", tag);
      table.offset("builtin_options", options);
      operators_.emplace_back(table.finish());
    }
    return {};
  }

  Offset<void> write_subgraph() {
    const auto tensors = out_.CreateVector(tensors_), operators = out_.CreateVector(operators_);
    const auto inputs = out_.CreateVector(model_.inputs), outputs = out_.CreateVector(model_.outputs);
    const auto name = out_.CreateString(model_.name);
    TableWriter table(out_, "SubGraph");
    table.offset("tensors", tensors.o);
    table.offset("inputs", inputs.o);
    table.offset("outputs", outputs.o);
    table.offset("operators", operators.o);
    table.offset("name", name.o);
    return Offset<void>(table.finish());
  }

  const BuildModel& model_;
  FlatBufferBuilder out_;
  std::vector<Offset<void>> buffers_, tensors_, operators_, codes_;
  std::vector<std::pair<std::int32_t, std::int32_t>> used_;  // (operator, version)
};

}  // namespace

Result<std::vector<std::byte>> build(const BuildModel& model) {
  return ModelWriter(model).run();
}

}  // namespace npubin::tflite
