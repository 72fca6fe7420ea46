#include "formats/tflite/document.h"

#include <algorithm>

#include <fmt/format.h>

#include "formats/tflite/flat_verifier.h"
#include "formats/tflite/schema.h"

namespace npubin::tflite {
namespace {

constexpr std::string_view kIdentifier = "TFL3";

std::string_view identifier_of(ByteSpan data) {
  if (data.size() < 8) return {};
  return {reinterpret_cast<const char*>(data.data()) + 4, 4};
}

QuantizationView read_quantization(const FlatTable& table) {
  QuantizationView out;
  if (!table) return out;
  out.min = table.numbers<float>("min");
  out.max = table.numbers<float>("max");
  out.scale = table.numbers<float>("scale");
  out.zero_point = table.numbers<std::int64_t>("zero_point");
  out.quantized_dimension = static_cast<std::int32_t>(table.integer("quantized_dimension"));
  out.details = static_cast<std::uint8_t>(table.integer("details_type"));
  return out;
}

TensorView read_tensor(const FlatTable& table) {
  TensorView out;
  out.name = table.text("name");
  out.type = static_cast<std::int32_t>(table.integer("type"));
  out.dtype = dtype_of(out.type);
  out.shape = table.numbers<std::int32_t>("shape");
  out.shape_signature = table.numbers<std::int32_t>("shape_signature");
  out.buffer = static_cast<std::uint32_t>(table.integer("buffer"));
  out.quantization = read_quantization(table.table("quantization"));
  out.is_variable = table.integer("is_variable") != 0;
  out.sparse = table.has("sparsity");
  out.variant = table.table_count("variant_tensors") > 0;
  out.external_buffer = static_cast<std::uint32_t>(table.integer("external_buffer"));
  out.offset = table.offset();
  return out;
}

std::vector<SignatureView::Entry> read_signature_side(const FlatTable& signature, std::string_view side) {
  std::vector<SignatureView::Entry> out;
  for (std::size_t i = 0; i < signature.table_count(side); ++i) {
    const FlatTable entry = signature.table_at(side, i);
    out.push_back({entry.text("name"), static_cast<std::uint32_t>(entry.integer("tensor_index"))});
  }
  return out;
}

}  // namespace

Confidence TfliteDocument::sniff(ByteSpan data) {
  return identifier_of(data) == kIdentifier ? Confidence::Certain : Confidence::No;
}

Result<std::unique_ptr<Artifact>> TfliteDocument::read(Bytes data, const ReadOptions& options) {
  auto out = std::make_unique<TfliteDocument>();
  out->bytes_ = std::move(data);
  out->file_name_ = options.file_name;
  const ByteSpan file = out->bytes_.span();
  NPUBIN_CHECK(verify_flatbuffer(file, &out->read_findings_));
  if (identifier_of(file) != kIdentifier)
    out->read_findings_.error(
        "TFL-0002", Location::at(4, "identifier"),
        fmt::format("the identifier is {:?}, not \"TFL3\"", identifier_of(file)),
        "the file is no TensorFlow Lite model of schema version 3, or its head was altered");
  out->model_ = FlatTable(file, load<std::uint32_t>(file.data()), schema::find_table("Model"));
  out->read_model();
  return out;
}

void TfliteDocument::read_model() {
  version_ = static_cast<std::uint32_t>(model_.integer("version"));
  description_ = model_.text("description");
  read_buffers();
  read_operator_codes();
  const std::size_t count = model_.table_count("subgraphs");
  subgraphs_.reserve(count);
  for (std::size_t i = 0; i < count; ++i)
    subgraphs_.push_back(read_subgraph(model_.table_at("subgraphs", i), i));
  for (std::size_t i = 0; i < model_.table_count("metadata"); ++i) {
    const FlatTable entry = model_.table_at("metadata", i);
    metadata_.push_back(
        {entry.text("name"), static_cast<std::uint32_t>(entry.integer("buffer")), entry.offset()});
  }
  for (std::size_t i = 0; i < model_.table_count("signature_defs"); ++i) {
    const FlatTable entry = model_.table_at("signature_defs", i);
    signatures_.push_back(
        {entry.text("signature_key"), static_cast<std::uint32_t>(entry.integer("subgraph_index")),
         read_signature_side(entry, "inputs"), read_signature_side(entry, "outputs"), entry.offset()});
  }
}

// tflite spec 1: offsets count from the start of the file; 0 and 1 mean absent.
void TfliteDocument::read_buffers() {
  const std::size_t count = model_.table_count("buffers");
  buffers_.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const FlatTable table = model_.table_at("buffers", i);
    BufferView& out = buffers_[i];
    const Numbers<std::uint8_t> data = table.numbers<std::uint8_t>("data");
    out.data = data.bytes();
    if (!out.data.empty()) out.offset = data.offset();
    const std::uint64_t offset = table.unsigned_integer("offset"), size = table.unsigned_integer("size");
    if (offset <= 1) continue;
    const auto end = checked_add(offset, size);
    if (!end || *end > bytes_.size()) {
      read_findings_.error(
          "TFL-0013", Location::at(table.offset(), fmt::format("buffers[{}]", i)),
          fmt::format("the buffer lies at {} with {} bytes; the file has {}", offset, size, bytes_.size()),
          "the file is cut, or the buffer's offset is wrong");
      continue;
    }
    out.data = bytes_.span().subspan(offset, size);
    out.offset = offset;
    out.behind_flatbuffer = true;
  }
}

// tflite spec 1: old writers only knew a signed byte; codes above 126 leave the placeholder there.
void TfliteDocument::read_operator_codes() {
  const std::size_t count = model_.table_count("operator_codes");
  operator_codes_.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const FlatTable table = model_.table_at("operator_codes", i);
    OperatorCodeView code;
    const std::int64_t old_code = table.integer("deprecated_builtin_code");
    code.builtin =
        old_code < 0 ? -1 : static_cast<std::int32_t>(std::max(old_code, table.integer("builtin_code")));
    code.custom_code = table.text("custom_code");
    code.version = static_cast<std::int32_t>(table.integer("version"));
    code.offset = table.offset();
    code.name = code.builtin == kCustom ? code.custom_code : schema::name_in("BuiltinOperator", code.builtin);
    if (code.builtin == kPlaceholder) code.name = {};
    operator_codes_.push_back(code);
  }
}

SubgraphView TfliteDocument::read_subgraph(const FlatTable& table, std::size_t index) {
  SubgraphView out;
  out.name = table.text("name");
  out.inputs = table.numbers<std::int32_t>("inputs");
  out.outputs = table.numbers<std::int32_t>("outputs");
  out.offset = table.offset();
  const std::size_t tensors = table.table_count("tensors");
  out.tensors.reserve(tensors);
  for (std::size_t i = 0; i < tensors; ++i) out.tensors.push_back(read_tensor(table.table_at("tensors", i)));
  const std::size_t operators = table.table_count("operators");
  out.operators.reserve(operators);
  for (std::size_t i = 0; i < operators; ++i)
    out.operators.push_back(
        read_operator(table.table_at("operators", i), fmt::format("subgraphs[{}].operators[{}]", index, i)));
  return out;
}

OperatorView TfliteDocument::read_operator(const FlatTable& table, const std::string& path) {
  OperatorView out;
  out.code_index = static_cast<std::uint32_t>(table.integer("opcode_index"));
  if (out.code_index < operator_codes_.size()) out.code = &operator_codes_[out.code_index];
  out.inputs = table.numbers<std::int32_t>("inputs");
  out.outputs = table.numbers<std::int32_t>("outputs");
  out.intermediates = table.numbers<std::int32_t>("intermediates");
  out.options = table.union_value("builtin_options");
  out.options_2 = table.union_value("builtin_options_2");
  out.options_type = static_cast<std::uint8_t>(table.integer("builtin_options_type"));
  out.offset = table.offset();
  const Numbers<std::uint8_t> custom = table.numbers<std::uint8_t>("custom_options");
  out.custom_options = custom.bytes();
  out.custom_options_offset = custom.offset();
  const std::uint64_t offset = table.unsigned_integer("large_custom_options_offset");
  const std::uint64_t size = table.unsigned_integer("large_custom_options_size");
  if (offset <= 1) return out;
  const auto end = checked_add(offset, size);
  if (!end || *end > bytes_.size()) {
    read_findings_.error("TFL-0019", Location::at(table.offset(), path),
                         fmt::format("the custom options lie at {} with {} bytes; the file has {}", offset,
                                     size, bytes_.size()),
                         "the file is cut, or the offset is wrong");
    return out;
  }
  out.custom_options = bytes_.span().subspan(offset, size);
  out.custom_options_offset = offset;
  out.custom_options_behind = true;
  return out;
}

ByteSpan TfliteDocument::buffer_bytes(std::uint32_t index) const {
  return index < buffers_.size() ? buffers_[index].data : ByteSpan();
}

std::optional<ByteSpan> TfliteDocument::metadata_bytes(std::string_view name) const {
  for (const MetadataView& entry : metadata_)
    if (entry.name == name) return buffer_bytes(entry.buffer);
  return std::nullopt;
}

Bytes TfliteDocument::constant(const TensorView& tensor) const {
  const ByteSpan data = constant_bytes(tensor);
  if (data.empty()) return {};
  return bytes_.slice(static_cast<std::size_t>(data.data() - bytes_.data()), data.size());
}

std::optional<DType> dtype_of(std::int32_t tensor_type) {
  switch (tensor_type) {
    case 0:
      return DType::F32;
    case 1:
      return DType::F16;
    case 2:
      return DType::I32;
    case 3:
      return DType::U8;
    case 4:
      return DType::I64;
    case 6:
      return DType::Bool;
    case 7:
      return DType::I16;
    case 9:
      return DType::I8;
    case 10:
      return DType::F64;
    case 15:
      return DType::U32;
    case 16:
      return DType::U16;
    case kInt4:
      return DType::I8;
    case 18:
      return DType::BF16;
    default:
      return std::nullopt;
  }
}

std::uint64_t stored_size(std::int32_t tensor_type, std::uint64_t count) {
  if (tensor_type == kInt4) return count / 2 + count % 2;
  const auto type = dtype_of(tensor_type);
  return type ? count * size_of(*type) : 0;
}

Shape shape_of(const TensorView& tensor) {
  return tensor.shape.to_vector<std::int64_t>();
}

Quantization quantization_of(const TensorView& tensor) {
  Quantization out;
  out.scales = tensor.quantization.scale.to_vector();
  if (out.scales.empty()) return out;
  out.zero_points = tensor.quantization.zero_point.to_vector();
  if (out.zero_points.empty()) out.zero_points.assign(1, 0);
  out.axis = tensor.shape.size() == 1 ? 0 : tensor.quantization.quantized_dimension;
  return out;
}

}  // namespace npubin::tflite
