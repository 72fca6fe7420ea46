// What the schema of an .armnn says, at every age: tables and their slots, enumerations, the layer union.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "formats/armnn/age.h"

namespace npubin::armnn {

enum class TableId : std::uint8_t {
  None,
  TensorInfo,
  ByteData,
  ShortData,
  IntData,
  LongData,
  ConstTensor,
  InputSlot,
  OutputSlot,
  LayerBase,
  BindableLayerBase,
  ActivationLayer,
  ActivationDescriptor,
  AdditionLayer,
  ConstantLayer,
  Convolution2dLayer,
  Convolution2dDescriptor,
  FullyConnectedLayer,
  FullyConnectedDescriptor,
  InputLayer,
  MultiplicationLayer,
  Pooling2dLayer,
  Pooling2dDescriptor,
  SoftmaxLayer,
  SoftmaxDescriptor,
  DepthwiseConvolution2dLayer,
  DepthwiseConvolution2dDescriptor,
  OutputLayer,
  ReshapeLayer,
  ReshapeDescriptor,
  PermuteLayer,
  PermuteDescriptor,
  SpaceToBatchNdLayer,
  SpaceToBatchNdDescriptor,
  AnyLayer,
  SerializedGraph,
  DivisionLayer,
  EqualLayer,
  FloorLayer,
  GatherLayer,
  GreaterLayer,
  L2NormalizationLayer,
  L2NormalizationDescriptor,
  MinimumLayer,
  MaximumLayer,
  SubtractionLayer,
  BatchToSpaceNdLayer,
  BatchToSpaceNdDescriptor,
  NormalizationLayer,
  NormalizationDescriptor,
  MeanLayer,
  MeanDescriptor,
  PadLayer,
  PadDescriptor,
  RsqrtLayer,
  BatchNormalizationLayer,
  BatchNormalizationDescriptor,
  ResizeBilinearLayer,
  ResizeBilinearDescriptor,
  StridedSliceLayer,
  StridedSliceDescriptor,
  MergerLayer,
  UintVector,
  OriginsDescriptor,
  QuantizeLayer,
  ViewsDescriptor,
  SplitterLayer,
  DetectionPostProcessLayer,
  DetectionPostProcessDescriptor,
  LstmInputParams,
  LstmDescriptor,
  LstmLayer,
  DequantizeLayer,
  MergeLayer,
  SwitchLayer,
  SpaceToDepthLayer,
  SpaceToDepthDescriptor,
  ConcatLayer,
  QuantizedLstmInputParams,
  QuantizedLstmLayer,
  PreluLayer,
  TransposeConvolution2dLayer,
  TransposeConvolution2dDescriptor,
  ResizeLayer,
  ResizeDescriptor,
  StackLayer,
  StackDescriptor,
  AbsLayer,
  ArgMinMaxLayer,
  ArgMinMaxDescriptor,
  ComparisonDescriptor,
  ComparisonLayer,
  DepthToSpaceLayer,
  DepthToSpaceDescriptor,
  InstanceNormalizationLayer,
  InstanceNormalizationDescriptor,
  LogSoftmaxLayer,
  LogSoftmaxDescriptor,
  SliceLayer,
  SliceDescriptor,
  StandInDescriptor,
  StandInLayer,
  ElementwiseUnaryDescriptor,
  ElementwiseUnaryLayer,
  FeatureCompatibilityVersions,
  QLstmInputParams,
  QLstmDescriptor,
  QLstmLayer,
  TransposeLayer,
  TransposeDescriptor,
  FillLayer,
  FillDescriptor,
  GatherDescriptor,
  RankLayer,
  LogicalBinaryDescriptor,
  LogicalBinaryLayer,
  ReduceLayer,
  ReduceDescriptor,
  CastLayer,
  ShapeLayer,
  UnidirectionalSequenceLstmDescriptor,
  UnidirectionalSequenceLstmLayer,
  ChannelShuffleLayer,
  ChannelShuffleDescriptor,
  Convolution3dLayer,
  Convolution3dDescriptor,
  Pooling3dLayer,
  Pooling3dDescriptor,
  GatherNdLayer,
  BatchMatMulLayer,
  BatchMatMulDescriptor,
  ElementwiseBinaryLayer,
  ElementwiseBinaryDescriptor,
  ReverseV2Layer,
  TileLayer,
  TileDescriptor,
  ScatterNdLayer,
  ScatterNdDescriptor,
};

enum class EnumId : std::uint8_t {
  None,
  ActivationFunction,
  DataType,
  DataLayout,
  LayerType,
  PoolingAlgorithm,
  OutputShapeRounding,
  PaddingMethod,
  NormalizationAlgorithmChannel,
  NormalizationAlgorithmMethod,
  ResizeMethod,
  ArgMinMaxFunction,
  ComparisonOperation,
  UnaryOperation,
  LogicalBinaryOperation,
  ReduceOperation,
  PaddingMode,
  BinaryOperation,
  ScatterNdFunction,
};

enum class SlotKind : std::uint8_t {
  Bool,
  Enum8,
  Enum32,
  U32,
  I32,
  F32,
  UnionType,
  Connection,  // struct of two u32: sourceLayerIndex, outputSlotIndex
  String,
  Table,
  Union,
  VectorU32,
  VectorI32,
  VectorF32,
  VectorBool,
  VectorI8,
  VectorI16,
  VectorI64,
  VectorTable,
};

struct Slot {
  TableId table;
  std::uint8_t slot;
  std::string_view name;
  SlotKind kind;
  TableId target;      // Table and VectorTable
  EnumId enumeration;  // Enum8 and Enum32
  double default_value;
  Age first, last;

  bool stands_at(Age age) const { return first <= age && age <= last; }
};

struct EnumValue {
  EnumId enumeration;
  std::int32_t value;
  std::string_view name;
  Age first, last;
};

struct UnionMember {
  std::uint8_t value;
  TableId table;
  Age first, last;
};

std::string_view to_string(TableId table);
std::string_view to_string(EnumId enumeration);

// All rows of a table, by slot.
std::span<const Slot> slots_of(TableId table);
// Convolution2dDescriptor and DepthwiseConvolution2dDescriptor: slots 6 and 7 changed their meaning in 19.05.
bool has_two_layouts(TableId table);
// The row of a slot number as it stands at `age`; null where the age has none.
const Slot* slot_at(TableId table, unsigned slot, Age age);
// The row of a field as it stands at `age`; null where the age has none.
const Slot* slot_named(TableId table, std::string_view name, Age age);

std::span<const EnumValue> values_of(EnumId enumeration);
const EnumValue* enum_value(EnumId enumeration, std::int64_t value);
const EnumValue* enum_value(EnumId enumeration, std::string_view name);
// "NHWC", or "77 (unknown)".
std::string enum_name(EnumId enumeration, std::int64_t value);

std::span<const UnionMember> layer_union();
// The member of the layer union with this number at `age`; null where there is none.
const UnionMember* layer_member(std::uint8_t value, Age age);
const UnionMember* layer_member(TableId table, Age age);

// Bytes of one element in a table's inline part, or of one element of a vector.
std::size_t inline_size(SlotKind kind);
std::size_t element_size(SlotKind kind);
bool is_vector(SlotKind kind);
bool is_offset(SlotKind kind);

}  // namespace npubin::armnn
