// A .tflite file as a lossless document: subgraphs, operators, tensors, buffers, metadata, signatures, all as
// light views of the file's bytes. tflite spec 1.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/tflite/flat_table.h"
#include "npubin/artifact.h"
#include "npubin/graph.h"
#include "npubin/tensor.h"

namespace npubin::tflite {

// Codes of TensorType that the reader treats in a way of their own.
inline constexpr std::int32_t kInt4 = 17;
// BuiltinOperator of custom operators.
inline constexpr std::int32_t kCustom = 32;
inline constexpr std::int32_t kPlaceholder = 127;

struct QuantizationView {
  Numbers<float> min, max, scale;
  Numbers<std::int64_t> zero_point;
  std::int32_t quantized_dimension = 0;
  std::uint8_t details = 0;  // tag of QuantizationDetails; 0 none
};

struct TensorView {
  std::string_view name;
  std::int32_t type = 0;        // TensorType as stored
  std::optional<DType> dtype;   // empty: npubin has no such tensors (STRING, COMPLEX64, ...); INT4 is I8
  Numbers<std::int32_t> shape;  // absent and empty both mean a scalar
  Numbers<std::int32_t> shape_signature;  // -1: dynamic; informative
  std::uint32_t buffer = 0;               // index into buffers()
  QuantizationView quantization;
  bool is_variable = false;
  bool sparse = false;
  bool variant = false;               // has variant_tensors
  std::uint32_t external_buffer = 0;  // 0: none
  std::uint64_t offset = 0;           // of the table in the file
};

struct OperatorCodeView {
  std::int32_t builtin =
      0;                  // BuiltinOperator: the larger of the two codes; -1 where the file's code is no code
  std::string_view name;  // "CONV_2D"; the custom code of a custom operator; empty where unknown
  std::string_view custom_code;  // "ethos-u", "TFLite_Detection_PostProcess"
  std::int32_t version = 1;
  std::uint64_t offset = 0;
  bool is_custom(std::string_view code) const { return builtin == kCustom && custom_code == code; }
};

struct OperatorView {
  std::uint32_t code_index = 0;            // into operator_codes()
  const OperatorCodeView* code = nullptr;  // nullptr: the index is out of range
  Numbers<std::int32_t> inputs, outputs;   // tensor indices of the subgraph; -1: optional operand absent
  Numbers<std::int32_t> intermediates;
  FlatTable options;                        // builtin_options; false where NONE
  FlatTable options_2;                      // builtin_options_2
  std::uint8_t options_type = 0;            // tag of BuiltinOptions
  ByteSpan custom_options;                  // FlexBuffers for most; also from behind the FlatBuffer
  std::uint64_t custom_options_offset = 0;  // of the first byte in the file
  bool custom_options_behind = false;       // stored by large_custom_options_offset and size
  std::uint64_t offset = 0;
  std::string_view name() const { return code != nullptr ? code->name : std::string_view(); }
};

struct SubgraphView {
  std::string_view name;
  std::vector<TensorView> tensors;
  Numbers<std::int32_t> inputs, outputs;  // tensor indices
  std::vector<OperatorView> operators;    // in order of execution
  std::uint64_t offset = 0;
};

struct BufferView {
  ByteSpan data;                   // empty: no constant
  std::uint64_t offset = 0;        // of the first byte in the file; 0 where empty
  bool behind_flatbuffer = false;  // stored by Buffer.offset and size, as files beyond 2 GB do
};

struct MetadataView {
  std::string_view name;
  std::uint32_t buffer = 0;
  std::uint64_t offset = 0;
};

struct SignatureView {
  std::string_view key;
  std::uint32_t subgraph = 0;
  struct Entry {
    std::string_view name;
    std::uint32_t tensor = 0;
  };
  std::vector<Entry> inputs, outputs;
  std::uint64_t offset = 0;
};

class TfliteDocument final : public Artifact, public graph::GraphSource {
 public:
  // Error (Malformed, TFL-000x): the FlatBuffer itself cannot be walked. Everything beyond that becomes a
  // finding.
  static Result<std::unique_ptr<Artifact>> read(Bytes data, const ReadOptions& options);
  static Confidence sniff(ByteSpan data);

  std::string_view format() const override { return "tflite"; }
  void validate(const CheckOptions& options, Diagnostics& out) const override;
  Result<Node> describe(const DescribeOptions& options) const override;
  Result<ByteMap> map() const override;
  Result<std::vector<ContentPart>> contents() const override;
  // The main subgraph (index 0) as an operator graph with Rules::Tflite. Operators that cannot be executed
  // become Op::Unsupported with the reason in source_type. Error: the document breaks a rule of the format;
  // all such findings are in `findings`.
  Result<graph::Graph> graph(Diagnostics& findings) const override;

  // The command streams of a Vela-compiled model.
  Result<Node> disassemble(const DisasmOptions& options) const override;
  std::uint32_t version() const { return version_; }
  std::string_view description() const { return description_; }
  const std::vector<OperatorCodeView>& operator_codes() const { return operator_codes_; }
  const std::vector<SubgraphView>& subgraphs() const { return subgraphs_; }
  const std::vector<BufferView>& buffers() const { return buffers_; }
  const std::vector<MetadataView>& metadata() const { return metadata_; }
  const std::vector<SignatureView>& signatures() const { return signatures_; }

  // Bytes of a buffer; empty for indices out of range.
  ByteSpan buffer_bytes(std::uint32_t index) const;
  // The contents of the first metadata entry of that name ("OfflineMemoryAllocation", "vela_version").
  std::optional<ByteSpan> metadata_bytes(std::string_view name) const;
  // The constant behind a tensor, as stored (INT4 packed); empty where the tensor is not constant.
  ByteSpan constant_bytes(const TensorView& tensor) const { return buffer_bytes(tensor.buffer); }
  // The same as a slice that keeps the file alive.
  Bytes constant(const TensorView& tensor) const;
  const FlatTable& model() const { return model_; }

 private:
  void read_model();
  void read_buffers();
  void read_operator_codes();
  SubgraphView read_subgraph(const FlatTable& table, std::size_t index);
  OperatorView read_operator(const FlatTable& table, const std::string& path);

  FlatTable model_;
  std::uint32_t version_ = 0;
  std::string_view description_;
  std::vector<OperatorCodeView> operator_codes_;
  std::vector<SubgraphView> subgraphs_;
  std::vector<BufferView> buffers_;
  std::vector<MetadataView> metadata_;
  std::vector<SignatureView> signatures_;
};

// npubin's element type for a TensorType code; empty where there is none. INT4 gives I8 (it is unpacked).
std::optional<DType> dtype_of(std::int32_t tensor_type);
// Bytes that `count` elements of a TensorType take in a buffer (INT4: two to the byte, rounded up).
std::uint64_t stored_size(std::int32_t tensor_type, std::uint64_t count);
// Shape with 64-bit dimensions.
Shape shape_of(const TensorView& tensor);
// Scales and zero points as npubin keeps them; zero points of 0 where the file has none.
Quantization quantization_of(const TensorView& tensor);

// Every finding of this format.
std::span<const DiagnosticCode> diagnostic_codes();

}  // namespace npubin::tflite
