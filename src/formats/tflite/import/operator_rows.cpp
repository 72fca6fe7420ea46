// The operators that are imported: one row each. tflite spec 3 to 6.
#include <algorithm>

#include "formats/tflite/import/operator_import.h"

namespace npubin::tflite {
namespace {

using graph::Op;
constexpr std::uint8_t kMany = 255;

// By ascending builtin code.
constexpr OperatorRow kRows[] = {
    {0, Op::Add, "AddOptions", 2, 2, 1, 2, import_binary},
    {1, Op::Pool2d, "Pool2DOptions", 1, 1, 1, 1, import_pool},
    {2, Op::Concat, "ConcatenationOptions", 1, kMany, 1, kMany, import_concat},
    {3, Op::Conv2d, "Conv2DOptions", 2, 3, 1, 2, import_conv},
    {4, Op::DepthwiseConv2d, "DepthwiseConv2DOptions", 2, 3, 1, 2, import_depthwise},
    {5, Op::DepthToSpace, "DepthToSpaceOptions", 1, 1, 1, 1, import_space_depth},
    {6, Op::Dequantize, "DequantizeOptions", 1, 1, 1, 1, nullptr},
    {8, Op::Floor, "", 1, 1, 1, 1, nullptr},
    {9, Op::FullyConnected, "FullyConnectedOptions", 2, 3, 1, 2, import_fully_connected},
    {11, Op::L2Normalization, "L2NormOptions", 1, 1, 1, 1, import_l2_normalization},
    {12, Op::Pool2d, "Pool2DOptions", 1, 1, 1, 1, import_pool},
    {13, Op::LocalResponseNormalization, "LocalResponseNormalizationOptions", 1, 1, 1, 1,
     import_local_response},
    {14, Op::Activation, "", 1, 1, 1, 1, import_activation},
    {17, Op::Pool2d, "Pool2DOptions", 1, 1, 1, 1, import_pool},
    {18, Op::Mul, "MulOptions", 2, 2, 1, 2, import_binary},
    {19, Op::Activation, "", 1, 1, 1, 1, import_activation},
    {20, Op::Activation, "", 1, 1, 1, 1, import_activation},
    {21, Op::Activation, "", 1, 1, 1, 1, import_activation},
    {22, Op::Reshape, "ReshapeOptions", 1, 2, 1, 1, import_reshape},
    {23, Op::Resize, "ResizeBilinearOptions", 2, 2, 1, 2, import_resize},
    {25, Op::Softmax, "SoftmaxOptions", 1, 1, 1, 1, import_softmax},
    {26, Op::SpaceToDepth, "SpaceToDepthOptions", 1, 1, 1, 1, import_space_depth},
    {27, Op::Svdf, "SVDFOptions", 5, 5, 1, 3, import_svdf},
    {28, Op::Activation, "", 1, 1, 1, 1, import_activation},
    {34, Op::Pad, "PadOptions", 2, 2, 1, 2, import_pad},
    {36, Op::Gather, "GatherOptions", 2, 2, 1, 2, import_gather},
    {37, Op::BatchToSpaceNd, "BatchToSpaceNDOptions", 3, 3, 1, 3, import_space_batch},
    {38, Op::SpaceToBatchNd, "SpaceToBatchNDOptions", 3, 3, 1, 3, import_space_batch},
    {39, Op::Transpose, "TransposeOptions", 2, 2, 1, 2, import_transpose},
    {40, Op::Reduce, "ReducerOptions", 2, 2, 1, 2, import_reduce},
    {41, Op::Sub, "SubOptions", 2, 2, 1, 2, import_binary},
    {42, Op::Div, "DivOptions", 2, 2, 1, 2, import_binary},
    {43, Op::Reshape, "SqueezeOptions", 1, 1, 1, 1, import_squeeze},
    {45, Op::StridedSlice, "StridedSliceOptions", 4, 4, 1, 4, import_strided_slice},
    {47, Op::Exp, "ExpOptions", 1, 1, 1, 1, nullptr},
    {49, Op::Split, "SplitOptions", 2, 2, 0, 2, import_split},
    {50, Op::LogSoftmax, "LogSoftmaxOptions", 1, 1, 1, 1, import_softmax},
    {53, Op::Cast, "CastOptions", 1, 1, 1, 1, nullptr},
    {54, Op::Prelu, "", 2, 2, 1, 2, nullptr},
    {55, Op::Maximum, "MaximumMinimumOptions", 2, 2, 1, 2, import_binary},
    {56, Op::ArgMinMax, "ArgMaxOptions", 2, 2, 1, 2, import_arg_min_max},
    {57, Op::Minimum, "MaximumMinimumOptions", 2, 2, 1, 2, import_binary},
    {58, Op::Less, "LessOptions", 2, 2, 1, 2, nullptr},
    {59, Op::Neg, "NegOptions", 1, 1, 1, 1, nullptr},
    {60, Op::Pad, "PadV2Options", 3, 3, 1, 3, import_pad},
    {61, Op::Greater, "GreaterOptions", 2, 2, 1, 2, nullptr},
    {62, Op::GreaterEqual, "GreaterEqualOptions", 2, 2, 1, 2, nullptr},
    {63, Op::LessEqual, "LessEqualOptions", 2, 2, 1, 2, nullptr},
    {64, Op::Select, "SelectOptions", 3, 3, 1, 3, nullptr},
    {65, Op::Slice, "SliceOptions", 3, 3, 1, 3, import_slice},
    {66, Op::Sin, "", 1, 1, 1, 1, nullptr},
    {67, Op::TransposeConv2d, "TransposeConvOptions", 3, 4, 1, 3, import_transpose_conv},
    {69, Op::Tile, "TileOptions", 2, 2, 1, 2, import_tile},
    {70, Op::Reshape, "ExpandDimsOptions", 2, 2, 1, 2, import_expand_dims},
    {71, Op::Equal, "EqualOptions", 2, 2, 1, 2, nullptr},
    {72, Op::NotEqual, "NotEqualOptions", 2, 2, 1, 2, nullptr},
    {73, Op::Log, "", 1, 1, 1, 1, nullptr},
    {74, Op::Reduce, "ReducerOptions", 2, 2, 1, 2, import_reduce},
    {75, Op::Sqrt, "", 1, 1, 1, 1, nullptr},
    {76, Op::Rsqrt, "", 1, 1, 1, 1, nullptr},
    {77, Op::Shape, "ShapeOptions", 1, 1, 1, 1, nullptr},
    {78, Op::Pow, "PowOptions", 2, 2, 1, 2, nullptr},
    {79, Op::ArgMinMax, "ArgMinOptions", 2, 2, 1, 2, import_arg_min_max},
    {81, Op::Reduce, "ReducerOptions", 2, 2, 1, 2, import_reduce},
    {82, Op::Reduce, "ReducerOptions", 2, 2, 1, 2, import_reduce},
    {83, Op::Stack, "PackOptions", 1, kMany, 1, kMany, import_stack},
    {84, Op::LogicalOr, "LogicalOrOptions", 2, 2, 1, 2, nullptr},
    {86, Op::LogicalAnd, "LogicalAndOptions", 2, 2, 1, 2, nullptr},
    {87, Op::LogicalNot, "LogicalNotOptions", 1, 1, 1, 1, nullptr},
    {88, Op::Unstack, "UnpackOptions", 1, 1, 0, 1, import_stack},
    {89, Op::Reduce, "ReducerOptions", 2, 2, 1, 2, import_reduce},
    {90, Op::FloorDiv, "FloorDivOptions", 2, 2, 1, 2, nullptr},
    {92, Op::Square, "SquareOptions", 1, 1, 1, 1, nullptr},
    {94, Op::Fill, "FillOptions", 2, 2, 1, 2, import_fill},
    {95, Op::FloorMod, "FloorModOptions", 2, 2, 1, 2, nullptr},
    {96, Op::Range, "RangeOptions", 3, 3, 1, 3, nullptr},
    {97, Op::Resize, "ResizeNearestNeighborOptions", 2, 2, 1, 2, import_resize},
    {98, Op::Activation, "LeakyReluOptions", 1, 1, 1, 1, import_activation},
    {99, Op::SquaredDifference, "SquaredDifferenceOptions", 2, 2, 1, 2, import_binary},
    {100, Op::Pad, "MirrorPadOptions", 2, 2, 1, 2, import_pad},
    {101, Op::Abs, "AbsOptions", 1, 1, 1, 1, nullptr},
    {102, Op::Split, "SplitVOptions", 3, 3, 0, 3, import_split},
    {104, Op::Ceil, "", 1, 1, 1, 1, nullptr},
    {107, Op::GatherNd, "GatherNdOptions", 2, 2, 1, 2, nullptr},
    {108, Op::Cos, "CosOptions", 1, 1, 1, 1, nullptr},
    {110, Op::Rank, "RankOptions", 1, 1, 1, 1, nullptr},
    {111, Op::Activation, "", 1, 1, 1, 1, import_activation},
    {114, Op::Quantize, "QuantizeOptions", 1, 1, 1, 1, nullptr},
    {116, Op::Round, "", 1, 1, 1, 1, nullptr},
    {117, Op::Activation, "HardSwishOptions", 1, 1, 1, 1, import_activation},
    {123, Op::Select, "SelectV2Options", 3, 3, 1, 3, nullptr},
    {126, Op::BatchMatMul, "BatchMatMulOptions", 2, 2, 1, 2, import_batch_matmul},
    {150, Op::Activation, "GeluOptions", 1, 1, 1, 1, import_activation},
    {152, Op::Activation, "", 1, 1, 1, 1, import_activation},
};

}  // namespace

std::span<const OperatorRow> operator_rows() {
  return kRows;
}

const OperatorRow* find_operator_row(std::int32_t builtin) {
  const auto row = std::lower_bound(std::begin(kRows), std::end(kRows), builtin,
                                    [](const OperatorRow& r, std::int32_t code) { return r.builtin < code; });
  return row != std::end(kRows) && row->builtin == builtin ? row : nullptr;
}

}  // namespace npubin::tflite
