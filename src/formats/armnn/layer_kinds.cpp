#include "formats/armnn/layer_kinds.h"

#include <array>

namespace npubin::armnn {
namespace {

#define NPUBIN_LAYER(name, least, most, outputs, successor) \
  { LayerType::name, #name, TableId::name##Layer, least, most, outputs, successor }

// Indexed by LayerType. Layers with weights take one input while the weights are members, up to three since
// they are inputs (21.08).
constexpr std::array<LayerKind, kLayerTypeCount> kKinds{{
    NPUBIN_LAYER(Addition, 2, 2, 1, ""),
    NPUBIN_LAYER(Input, 0, 0, 1, ""),
    NPUBIN_LAYER(Multiplication, 2, 2, 1, ""),
    NPUBIN_LAYER(Output, 1, 1, 0, ""),
    NPUBIN_LAYER(Pooling2d, 1, 1, 1, ""),
    NPUBIN_LAYER(Reshape, 1, 1, 1, ""),
    NPUBIN_LAYER(Softmax, 1, 1, 1, ""),
    NPUBIN_LAYER(Convolution2d, 1, 3, 1, ""),
    NPUBIN_LAYER(DepthwiseConvolution2d, 1, 3, 1, ""),
    NPUBIN_LAYER(Activation, 1, 1, 1, ""),
    NPUBIN_LAYER(Permute, 1, 1, 1, ""),
    NPUBIN_LAYER(FullyConnected, 1, 3, 1, ""),
    NPUBIN_LAYER(Constant, 0, 0, 1, ""),
    NPUBIN_LAYER(SpaceToBatchNd, 1, 1, 1, ""),
    NPUBIN_LAYER(BatchToSpaceNd, 1, 1, 1, ""),
    NPUBIN_LAYER(Division, 2, 2, 1, ""),
    NPUBIN_LAYER(Minimum, 2, 2, 1, ""),
    NPUBIN_LAYER(Equal, 2, 2, 1, "Comparison"),
    NPUBIN_LAYER(Maximum, 2, 2, 1, ""),
    NPUBIN_LAYER(Normalization, 1, 1, 1, ""),
    NPUBIN_LAYER(Pad, 1, 1, 1, ""),
    NPUBIN_LAYER(Rsqrt, 1, 1, 1, "ElementwiseUnary"),
    NPUBIN_LAYER(Floor, 1, 1, 1, ""),
    NPUBIN_LAYER(BatchNormalization, 1, 1, 1, ""),
    NPUBIN_LAYER(Greater, 2, 2, 1, "Comparison"),
    NPUBIN_LAYER(ResizeBilinear, 1, 1, 1, "Resize"),
    NPUBIN_LAYER(Subtraction, 2, 2, 1, ""),
    NPUBIN_LAYER(StridedSlice, 1, 1, 1, ""),
    NPUBIN_LAYER(Gather, 2, 2, 1, ""),
    NPUBIN_LAYER(Mean, 1, 1, 1, ""),
    NPUBIN_LAYER(Merger, 1, kAnyNumber, 1, "Concat"),
    NPUBIN_LAYER(L2Normalization, 1, 1, 1, ""),
    NPUBIN_LAYER(Splitter, 1, 1, kAnyNumber, ""),
    NPUBIN_LAYER(DetectionPostProcess, 2, 2, 4, ""),
    NPUBIN_LAYER(Lstm, 3, 3, 4, ""),
    NPUBIN_LAYER(Quantize, 1, 1, 1, ""),
    NPUBIN_LAYER(Dequantize, 1, 1, 1, ""),
    NPUBIN_LAYER(Merge, 2, 2, 1, ""),
    NPUBIN_LAYER(Switch, 2, 2, 2, ""),
    NPUBIN_LAYER(Concat, 1, kAnyNumber, 1, ""),
    NPUBIN_LAYER(SpaceToDepth, 1, 1, 1, ""),
    NPUBIN_LAYER(Prelu, 2, 2, 1, ""),
    NPUBIN_LAYER(TransposeConvolution2d, 1, 3, 1, ""),
    NPUBIN_LAYER(Resize, 1, 1, 1, ""),
    NPUBIN_LAYER(Stack, 1, kAnyNumber, 1, ""),
    NPUBIN_LAYER(QuantizedLstm, 3, 3, 2, ""),
    NPUBIN_LAYER(Abs, 1, 1, 1, "ElementwiseUnary"),
    NPUBIN_LAYER(ArgMinMax, 1, 1, 1, ""),
    NPUBIN_LAYER(Slice, 1, 1, 1, ""),
    NPUBIN_LAYER(DepthToSpace, 1, 1, 1, ""),
    NPUBIN_LAYER(InstanceNormalization, 1, 1, 1, ""),
    NPUBIN_LAYER(LogSoftmax, 1, 1, 1, ""),
    NPUBIN_LAYER(Comparison, 2, 2, 1, ""),
    NPUBIN_LAYER(StandIn, kAnyNumber, kAnyNumber, kAnyNumber, ""),
    NPUBIN_LAYER(ElementwiseUnary, 1, 1, 1, ""),
    NPUBIN_LAYER(Transpose, 1, 1, 1, ""),
    NPUBIN_LAYER(QLstm, 3, 3, 3, ""),
    NPUBIN_LAYER(Fill, 1, 1, 1, ""),
    NPUBIN_LAYER(Rank, 1, 1, 1, ""),
    NPUBIN_LAYER(LogicalBinary, 2, 2, 1, ""),
    NPUBIN_LAYER(Reduce, 1, 1, 1, ""),
    NPUBIN_LAYER(Cast, 1, 1, 1, ""),
    NPUBIN_LAYER(Shape, 1, 1, 1, ""),
    NPUBIN_LAYER(UnidirectionalSequenceLstm, 3, 3, kAnyNumber, ""),
    NPUBIN_LAYER(ChannelShuffle, 1, 1, 1, ""),
    NPUBIN_LAYER(Convolution3d, 2, 3, 1, ""),
    NPUBIN_LAYER(Pooling3d, 1, 1, 1, ""),
    NPUBIN_LAYER(GatherNd, 2, 2, 1, ""),
    NPUBIN_LAYER(BatchMatMul, 2, 2, 1, ""),
    NPUBIN_LAYER(ElementwiseBinary, 2, 2, 1, ""),
    NPUBIN_LAYER(ReverseV2, 1, 2, 1, ""),
    NPUBIN_LAYER(Tile, 1, 1, 1, ""),
    NPUBIN_LAYER(ScatterNd, 2, 3, 1, ""),
}};
#undef NPUBIN_LAYER

constexpr bool in_order() {
  for (std::size_t i = 0; i < kKinds.size(); ++i)
    if (static_cast<std::size_t>(kKinds[i].type) != i) return false;
  return true;
}
static_assert(in_order());

}  // namespace

const LayerKind* layer_kind(std::int64_t layer_type) {
  return layer_type >= 0 && layer_type < kLayerTypeCount ? &kKinds[static_cast<std::size_t>(layer_type)]
                                                         : nullptr;
}

const LayerKind* layer_kind(TableId table) {
  for (const LayerKind& kind : kKinds)
    if (kind.table == table) return &kind;
  return nullptr;
}

}  // namespace npubin::armnn
