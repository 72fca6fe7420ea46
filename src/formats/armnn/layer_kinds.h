// The layer types of Arm NN: one row each, from which listing, linking, importing and writing are derived.
#pragma once

#include <cstdint>
#include <string_view>

#include "formats/armnn/schema.h"

namespace npubin::armnn {

// Values of LayerType; the enumeration was only ever appended to.
enum class LayerType : std::uint8_t {
  Addition = 0,
  Input = 1,
  Multiplication = 2,
  Output = 3,
  Pooling2d = 4,
  Reshape = 5,
  Softmax = 6,
  Convolution2d = 7,
  DepthwiseConvolution2d = 8,
  Activation = 9,
  Permute = 10,
  FullyConnected = 11,
  Constant = 12,
  SpaceToBatchNd = 13,
  BatchToSpaceNd = 14,
  Division = 15,
  Minimum = 16,
  Equal = 17,
  Maximum = 18,
  Normalization = 19,
  Pad = 20,
  Rsqrt = 21,
  Floor = 22,
  BatchNormalization = 23,
  Greater = 24,
  ResizeBilinear = 25,
  Subtraction = 26,
  StridedSlice = 27,
  Gather = 28,
  Mean = 29,
  Merger = 30,
  L2Normalization = 31,
  Splitter = 32,
  DetectionPostProcess = 33,
  Lstm = 34,
  Quantize = 35,
  Dequantize = 36,
  Merge = 37,
  Switch = 38,
  Concat = 39,
  SpaceToDepth = 40,
  Prelu = 41,
  TransposeConvolution2d = 42,
  Resize = 43,
  Stack = 44,
  QuantizedLstm = 45,
  Abs = 46,
  ArgMinMax = 47,
  Slice = 48,
  DepthToSpace = 49,
  InstanceNormalization = 50,
  LogSoftmax = 51,
  Comparison = 52,
  StandIn = 53,
  ElementwiseUnary = 54,
  Transpose = 55,
  QLstm = 56,
  Fill = 57,
  Rank = 58,
  LogicalBinary = 59,
  Reduce = 60,
  Cast = 61,
  Shape = 62,
  UnidirectionalSequenceLstm = 63,
  ChannelShuffle = 64,
  Convolution3d = 65,
  Pooling3d = 66,
  GatherNd = 67,
  BatchMatMul = 68,
  ElementwiseBinary = 69,
  ReverseV2 = 70,
  Tile = 71,
  ScatterNd = 72,
};
inline constexpr int kLayerTypeCount = 73;

inline constexpr int kAnyNumber = -1;

struct LayerKind {
  LayerType type;
  std::string_view name;  // Arm NN's own word
  TableId table;
  int min_inputs, max_inputs;    // kAnyNumber: as many as the descriptor or the file says
  int outputs;                   // kAnyNumber likewise
  std::string_view replaced_by;  // for types that were deprecated in 19.11 and 20.02; empty otherwise
};

// Null for numbers that no known release has.
const LayerKind* layer_kind(std::int64_t layer_type);
const LayerKind* layer_kind(TableId table);
inline const LayerKind& layer_kind(LayerType type) {
  return *layer_kind(static_cast<std::int64_t>(type));
}

}  // namespace npubin::armnn
