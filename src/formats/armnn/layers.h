// The layers of a file as records: what the list says of each, with file offsets, before anything is judged.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "formats/armnn/layer_kinds.h"
#include "formats/armnn/table_view.h"
#include "npubin/bytes.h"
#include "npubin/tensor.h"

namespace npubin::armnn {

// Values of DataType.
enum class DataType : std::int8_t {
  Float16 = 0,
  Float32 = 1,
  QuantisedAsymm8 = 2,  // until 19.11; QAsymmU8 since
  Signed32 = 3,
  Boolean = 4,
  QuantisedSymm16 = 5,  // until 19.11; QSymmS16 since
  QAsymmU8 = 6,
  QSymmS16 = 7,
  QAsymmS8 = 8,
  QSymmS8 = 9,
  Signed64 = 10,
};
// The element type in memory; empty for values that no known release has.
std::optional<DType> element_type(std::int32_t data_type);
// QuantisedAsymm8 and QuantisedSymm16 under their newer names; others as they are.
std::int32_t modern(std::int32_t data_type);
bool is_quantized(std::int32_t data_type);

struct TensorInfo {
  std::uint32_t offset = 0;  // of the table
  bool has_dimensions = false;
  std::uint32_t declared_rank = 0;  // `shape` holds the first kMaxStoredRank of them
  Shape shape;
  std::int32_t data_type = 0;
  float scale = 0;
  std::int32_t zero_point = 0;
  FlatVector scales;  // per axis; count 0 where absent
  std::uint32_t quantization_dim = 0;
  std::uint32_t dimensionality = 1;  // 0 not specified, 1 specified, 2 scalar
};
inline constexpr std::uint32_t kMaxStoredRank = 8;
TensorInfo tensor_info(const TableView& table);

struct InputSlot {
  std::uint32_t offset = 0;
  std::uint32_t index = 0;
  bool connected = false;
  std::uint32_t source_index = 0;  // LayerBase.index of the source, not a position (armnn spec 2, rule 4)
  std::uint32_t source_slot = 0;
};

struct OutputSlot {
  std::uint32_t offset = 0;
  std::uint32_t index = 0;
  std::optional<TensorInfo> info;
};

struct ConstTensor {
  std::uint32_t offset = 0;
  std::optional<TensorInfo> info;
  std::uint8_t payload_type = 0;  // union number; 0 with a payload is defect D2
  bool has_payload = false;
  std::uint32_t payload_offset = 0;  // of the first data byte
  std::uint64_t payload_bytes = 0;
};

struct Layer {
  std::size_t position = 0;  // in the file's list
  std::uint8_t union_value = 0;
  std::int32_t layer_type = 0;
  const LayerKind* kind = nullptr;  // by the union; layer_type has to agree
  TableView table;                  // the layer's own table
  std::uint32_t base_offset = 0;
  bool has_base = false;
  std::uint32_t index = 0;
  bool named = false;
  std::string_view name;            // into the file
  std::int32_t binding_id = 0;      // Input and Output
  std::vector<InputSlot> inputs;    // in file order
  std::vector<OutputSlot> outputs;  // in file order

  bool is(LayerType type) const { return kind != nullptr && kind->type == type; }
  std::optional<TableView> descriptor() const { return table.child("descriptor"); }
  std::optional<ConstTensor> constant(std::string_view member) const;
};
ConstTensor const_tensor(const TableView& table);
// "layer 7 (Convolution2d 'conv1')", for messages.
std::string label(const Layer& layer);

// Feature versions; 0 where the file has none.
struct Schemes {
  std::uint32_t binding_ids = 0;
  std::uint32_t weights_layout = 0;
  std::uint32_t constants_as_inputs = 0;
};

struct LayerList {
  std::vector<Layer> layers;  // in file order
  std::vector<std::int64_t> input_ids, output_ids;
  std::uint32_t input_ids_offset = 0, output_ids_offset = 0;
  Schemes schemes;
  std::unordered_map<std::uint32_t, std::size_t> position_of_index;  // the first with that index
};
// Precondition: walk() has passed.
LayerList list_layers(const FlatBuffer& file, const Reading& reading);

}  // namespace npubin::armnn
