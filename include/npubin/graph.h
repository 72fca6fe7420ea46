// The neutral operator graph: what a network computes, freed from the file it came from.
//
// Layout is always the tensor's own shape; convolutions carry their data layout as an attribute. Every node
// says by which format's arithmetic it is computed (Rules); kernels are registered on (Op, Rules).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "npubin/diagnostics.h"
#include "npubin/export.h"
#include "npubin/result.h"
#include "npubin/tensor.h"

namespace npubin::graph {

// Whose arithmetic a node follows.
enum class Rules : std::uint8_t {
  ArmNn,   // Arm NN 20.08 reference backend: decode to float32, compute, encode
  Tflite,  // TensorFlow Lite Micro reference kernels: integers for quantised types
};
NPUBIN_API std::string_view to_string(Rules rules);

enum class Op : std::uint8_t {
  // convolutions and products
  Conv2d,
  DepthwiseConv2d,
  TransposeConv2d,
  FullyConnected,
  BatchMatMul,
  // windows
  Pool2d,
  LocalResponseNormalization,
  // element-wise, two operands with broadcast
  Add,
  Sub,
  Mul,
  Div,
  Minimum,
  Maximum,
  Pow,
  SquaredDifference,
  FloorDiv,
  FloorMod,
  Equal,
  NotEqual,
  Greater,
  GreaterEqual,
  Less,
  LessEqual,
  LogicalAnd,
  LogicalOr,
  // element-wise, one operand
  Abs,
  Neg,
  Exp,
  Log,
  Sqrt,
  Rsqrt,
  Square,
  Floor,
  Ceil,
  Round,
  Sin,
  Cos,
  LogicalNot,
  Activation,
  Prelu,
  // element-wise, three operands
  Select,
  // along an axis
  Softmax,
  LogSoftmax,
  L2Normalization,
  BatchNormalization,
  InstanceNormalization,
  Reduce,
  ArgMinMax,
  // types
  Quantize,
  Dequantize,
  Cast,
  // movement of elements
  Reshape,
  Transpose,
  Concat,
  Split,
  Slice,
  StridedSlice,
  Pad,
  Tile,
  Gather,
  GatherNd,
  Stack,
  Unstack,
  Fill,
  Shape,
  Rank,
  Range,
  Resize,
  SpaceToBatchNd,
  BatchToSpaceNd,
  SpaceToDepth,
  DepthToSpace,
  // networks inside
  Svdf,
  DetectionPostProcess,
  EthosU,
  // read, checked and listed, but not executed: Node::source_type names it
  Unsupported,
};
NPUBIN_API std::string_view to_string(Op op);

enum class Activation : std::uint8_t {
  None,
  Sigmoid,
  TanH,
  Linear,
  ReLu,
  BoundedReLu,
  SoftReLu,
  LeakyReLu,
  Abs,
  Sqrt,
  Square,
  Elu,
  HardSwish,
  Gelu,
};
NPUBIN_API std::string_view to_string(Activation activation);

enum class DataLayout : std::uint8_t { Nhwc, Nchw };

// sizes in elements; H before W
struct Padding {
  std::uint32_t top = 0, left = 0, bottom = 0, right = 0;
  bool operator==(const Padding&) const = default;
};

// A fused or stand-alone activation. `a`, `b` as Arm NN means them: BoundedReLu clamps to [b, a]; LeakyReLu
// slope a; TanH a*tanh(b*x); Linear a*x+b.
struct ActivationAttributes {
  Activation function = Activation::None;
  float a = 0, b = 0;
  bool approximate = false;  // Gelu: tanh form
  bool operator==(const ActivationAttributes&) const = default;
};

// Conv2d weights: Nhwc [O,KH,KW,I/groups], Nchw [O,I,KH,KW]. DepthwiseConv2d weights: by WeightsOrder.
enum class DepthwiseWeights : std::uint8_t {
  Mihw,   // [M,I,KH,KW], Arm NN up to 21.05
  Hwim1,  // [1,KH,KW,I*M], output channel = i*M+m; TensorFlow Lite and Arm NN from 21.08
};
struct ConvAttributes {
  Padding padding;
  std::uint32_t stride_y = 1, stride_x = 1;
  std::uint32_t dilation_y = 1, dilation_x = 1;
  DataLayout layout = DataLayout::Nhwc;
  DepthwiseWeights depthwise_weights = DepthwiseWeights::Hwim1;  // DepthwiseConv2d only
  std::uint32_t depth_multiplier = 1;                            // DepthwiseConv2d only
  ActivationAttributes activation;                               // fused (Tflite rules)
};
struct FullyConnectedAttributes {
  bool weights_transposed = true;  // true: W[O,K]; false: W[K,O]
  bool keep_num_dims = false;
  ActivationAttributes activation;
};
struct BatchMatMulAttributes {
  bool transpose_x = false, transpose_y = false;
};
enum class PoolAlgorithm : std::uint8_t { Max, Average, L2 };
struct PoolAttributes {
  PoolAlgorithm algorithm = PoolAlgorithm::Max;
  Padding padding;
  std::uint32_t size_y = 1, size_x = 1;
  std::uint32_t stride_y = 1, stride_x = 1;  // Arm NN: 0 and 0 = global
  bool padding_counts = false;  // Arm NN IgnoreValue: padded zeros count in the average's divisor
  bool ceiling = false;         // Arm NN OutputShapeRounding
  DataLayout layout = DataLayout::Nhwc;
  ActivationAttributes activation;
};
struct LocalResponseAttributes {
  bool across_channels = true;
  bool local_contrast = false;  // Arm NN: not computed by the reference
  std::uint32_t radius = 0;     // normSize / 2
  std::uint32_t norm_size = 0;  // as stored (Arm NN)
  float alpha = 0, beta = 0, k = 0;
  DataLayout layout = DataLayout::Nhwc;
};
struct BinaryAttributes {
  ActivationAttributes activation;
};
struct SoftmaxAttributes {
  float beta = 1;
  int axis = -1;
};
// BatchNormalization's operands: input, mean, variance, beta, gamma.
struct NormalizationAttributes {  // L2, Batch, Instance
  float epsilon = 0;
  float gamma = 1, beta = 0;  // Instance
  DataLayout layout = DataLayout::Nhwc;
  ActivationAttributes activation;
};
enum class ReduceOperation : std::uint8_t { Mean, Sum, Max, Min, Prod };
struct ReduceAttributes {
  ReduceOperation operation = ReduceOperation::Mean;
  std::vector<std::int32_t> axes;  // empty: all (Arm NN); may be negative
  bool keep_dims = false;
};
struct ArgMinMaxAttributes {
  bool maximum = true;
  int axis = -1;
};
struct ReshapeAttributes {
  npubin::Shape shape;  // resolved
};
struct TransposeAttributes {
  std::vector<std::int32_t> permutation;  // NumPy meaning: output dim i is input dim permutation[i]
};
struct ConcatAttributes {
  int axis = 0;
  std::vector<std::vector<std::uint32_t>>
      view_origins;  // Arm NN Merger/Concat: one per input; empty otherwise
  ActivationAttributes activation;
};
struct SplitAttributes {
  int axis = 0;
  std::vector<std::int64_t> sizes;                       // along axis, one per output
  std::vector<std::vector<std::uint32_t>> view_origins;  // Arm NN Splitter, with the outputs' shapes as sizes
};
struct SliceAttributes {
  std::vector<std::int64_t> begin, size;  // size resolved, no -1
};
struct StridedSliceAttributes {
  std::vector<std::int32_t> begin, end, stride;
  std::uint32_t begin_mask = 0, end_mask = 0, shrink_axis_mask = 0, ellipsis_mask = 0, new_axis_mask = 0;
  DataLayout layout = DataLayout::Nhwc;
};
enum class PadMode : std::uint8_t { Constant, Reflect, Symmetric };
struct PadAttributes {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pads;  // (before, after) per dimension
  PadMode mode = PadMode::Constant;
  float value = 0;  // Arm NN; Tflite PADV2 gives it as a third operand
};
struct TileAttributes {
  std::vector<std::int64_t> multiples;
};
struct GatherAttributes {
  int axis = 0;
  int batch_dims = 0;
};
struct StackAttributes {  // and Unstack
  int axis = 0;
};
struct FillAttributes {
  float value = 0;  // Arm NN; Tflite gives it as an operand
};
enum class ResizeMethod : std::uint8_t { Bilinear, NearestNeighbor };
struct ResizeAttributes {
  ResizeMethod method = ResizeMethod::Bilinear;
  bool align_corners = false, half_pixel_centers = false;
  std::uint32_t height = 0, width = 0;
  DataLayout layout = DataLayout::Nhwc;
};
struct SpaceBatchAttributes {                                 // SpaceToBatchNd, BatchToSpaceNd
  std::vector<std::uint32_t> block;                           // (H, W)
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pads;  // pads or crops
  DataLayout layout = DataLayout::Nhwc;
};
struct SpaceDepthAttributes {
  std::uint32_t block = 1;
  DataLayout layout = DataLayout::Nhwc;
};
struct SvdfAttributes {
  std::int32_t rank = 1;
  ActivationAttributes activation;
};
struct DetectionAttributes {
  std::int32_t max_detections = 0, max_classes_per_detection = 1, detections_per_class = 100;
  float score_threshold = 0, iou_threshold = 0;
  std::int32_t num_classes = 0;
  float scale_x = 1, scale_y = 1, scale_w = 1, scale_h = 1;
  bool regular_nms = false;
};

using Attributes =
    std::variant<std::monostate, ConvAttributes, FullyConnectedAttributes, BatchMatMulAttributes,
                 PoolAttributes, LocalResponseAttributes, BinaryAttributes, ActivationAttributes,
                 SoftmaxAttributes, NormalizationAttributes, ReduceAttributes, ArgMinMaxAttributes,
                 ReshapeAttributes, TransposeAttributes, ConcatAttributes, SplitAttributes, SliceAttributes,
                 StridedSliceAttributes, PadAttributes, TileAttributes, GatherAttributes, StackAttributes,
                 FillAttributes, ResizeAttributes, SpaceBatchAttributes, SpaceDepthAttributes, SvdfAttributes,
                 DetectionAttributes>;

using ValueId = std::int32_t;
inline constexpr ValueId kNoValue = -1;  // an optional operand that is absent

// A tensor of the graph: a constant if `constant` is set, else produced by a node or fed as an input.
struct Value {
  std::string name;
  DType type = DType::F32;
  npubin::Shape shape;
  Quantization quantization;
  std::optional<Tensor> constant;
  bool variable = false;  // keeps its contents between runs; starts at code 0
};

struct Node {
  Op op = Op::Unsupported;
  Rules rules = Rules::ArmNn;
  Attributes attributes;
  std::vector<ValueId> inputs;  // kNoValue for an absent optional operand
  std::vector<ValueId> outputs;
  std::string name;                            // the layer's name in its file; may be empty
  std::string source_type;                     // the format's own word: "DepthwiseConvolution2d", "CONV_2D"
  std::int64_t source_index = -1;              // index in the file's list of layers or operators
  std::optional<std::uint64_t> source_offset;  // byte offset in the file
  std::shared_ptr<const void> payload;         // what an embedded program needs (EthosU)

  template <class T>
  const T& attr() const {
    return std::get<T>(attributes);
  }
};

struct Port {
  std::string name;
  ValueId value = kNoValue;
  std::int64_t id = 0;  // Arm NN binding id
};

struct Graph {
  std::string name;
  std::vector<Value> values;
  std::vector<Node> nodes;    // in an order of execution
  std::vector<Port> inputs;   // in the file's order
  std::vector<Port> outputs;  // in the file's order

  ValueId add_value(Value value) {
    values.push_back(std::move(value));
    return static_cast<ValueId>(values.size()) - 1;
  }
  const Value& value(ValueId id) const { return values[static_cast<std::size_t>(id)]; }
  Value& value(ValueId id) { return values[static_cast<std::size_t>(id)]; }
};

// Multiply-accumulates of one node (0 where the notion does not apply).
NPUBIN_API std::uint64_t macs_of(const Graph& graph, const Node& node);

// Checks the graph itself: ids in range, each value produced once and before its use, attribute variant fits
// the op.
NPUBIN_API Result<void> verify(const Graph& graph);

// A document that holds a network. Artifacts implement it beside Artifact.
class NPUBIN_API GraphSource {
 public:
  virtual ~GraphSource() = default;
  // Builds the graph. Layers that cannot be executed become Op::Unsupported; Error where the document is too
  // broken.
  virtual Result<Graph> graph(Diagnostics& findings) const = 0;
};

}  // namespace npubin::graph
