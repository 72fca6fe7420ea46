// The commands of the Ethos-U55 as data: codes, names, bit fields, and the spellings of enumerated values.
#include "ethosu/commands.h"

namespace npubin::ethosu {
namespace {

constexpr FieldValue kAccFormatValues[] = {{"I32", 0}, {"I40", 1}, {"F16", 2}};
constexpr FieldEnum kAccFormat{"acc_format", kAccFormatValues};
constexpr FieldValue kActivationClipRangeValues[] = {
    {"OFM_PRECISION", 0}, {"FORCE_UINT8", 2}, {"FORCE_INT8", 3}, {"FORCE_INT16", 5}};
constexpr FieldEnum kActivationClipRange{"activation_clip_range", kActivationClipRangeValues};
constexpr FieldValue kActivationFormatValues[] = {{"NHWC", 0}, {"NHCWB16", 1}};
constexpr FieldEnum kActivationFormat{"activation_format", kActivationFormatValues};
constexpr FieldValue kActivationFunctionValues[] = {
    {"RELU", 0},     {"TANH", 3},     {"SIGMOID", 4},  {"TABLE_0", 16}, {"TABLE_1", 17}, {"TABLE_2", 18},
    {"TABLE_3", 19}, {"TABLE_4", 20}, {"TABLE_5", 21}, {"TABLE_6", 22}, {"TABLE_7", 23}};
constexpr FieldEnum kActivationFunction{"activation_function", kActivationFunctionValues};
constexpr FieldValue kActivationPrecisionValues[] = {{"B8", 0}, {"B16", 1}, {"B32", 2}, {"B64", 3}};
constexpr FieldEnum kActivationPrecision{"activation_precision", kActivationPrecisionValues};
constexpr FieldValue kActivationTypeValues[] = {{"UNSIGNED", 0}, {"SIGNED", 1}};
constexpr FieldEnum kActivationType{"activation_type", kActivationTypeValues};
constexpr FieldValue kBroadcastModeValues[] = {{"DISABLE", 0}, {"ENABLE", 1}};
constexpr FieldEnum kBroadcastMode{"broadcast_mode", kBroadcastModeValues};
constexpr FieldValue kCustomDmaCsValues[] = {{"DISABLE", 0}, {"ENABLE", 1}};
constexpr FieldEnum kCustomDmaCs{"custom_dma_cs", kCustomDmaCsValues};
constexpr FieldValue kDmaRegionModeValues[] = {{"EXTERNAL", 0}, {"INTERNAL", 1}};
constexpr FieldEnum kDmaRegionMode{"dma_region_mode", kDmaRegionModeValues};
constexpr FieldValue kDmaStrideModeValues[] = {{"D1", 0}};
constexpr FieldEnum kDmaStrideMode{"dma_stride_mode", kDmaStrideModeValues};
constexpr FieldValue kElementwiseModeValues[] = {{"MUL", 0}, {"ADD", 1},   {"SUB", 2}, {"MIN", 3},
                                                 {"MAX", 4}, {"LRELU", 5}, {"ABS", 6}, {"CLZ", 7},
                                                 {"SHR", 8}, {"SHL", 9}};
constexpr FieldEnum kElementwiseMode{"elementwise_mode", kElementwiseModeValues};
constexpr FieldValue kIfm2OperandOrderValues[] = {{"ORDER_B", 0}, {"ORDER_A", 1}};
constexpr FieldEnum kIfm2OperandOrder{"ifm2_operand_order", kIfm2OperandOrderValues};
constexpr FieldValue kIfmScaleModeValues[] = {{"OPA_OPB_16", 0}, {"OPA_32", 1}, {"OPB_32", 2}};
constexpr FieldEnum kIfmScaleMode{"ifm_scale_mode", kIfmScaleModeValues};
constexpr FieldValue kIfmUpscaleModeValues[] = {{"NONE", 0}, {"NEAREST", 1}, {"ZEROS", 2}};
constexpr FieldEnum kIfmUpscaleMode{"ifm_upscale_mode", kIfmUpscaleModeValues};
constexpr FieldValue kKernelDecompositionValues[] = {{"D8X8", 0}, {"D4X4", 1}};
constexpr FieldEnum kKernelDecomposition{"kernel_decomposition", kKernelDecompositionValues};
constexpr FieldValue kKernelDilationValues[] = {{"NONE", 0}, {"X2", 1}};
constexpr FieldEnum kKernelDilation{"kernel_dilation", kKernelDilationValues};
constexpr FieldValue kOfmScaleModeValues[] = {{"PER_CHANNEL", 0}, {"GLOBAL", 1}};
constexpr FieldEnum kOfmScaleMode{"ofm_scale_mode", kOfmScaleModeValues};
constexpr FieldValue kPoolingModeValues[] = {{"MAX", 0}, {"AVERAGE", 1}, {"REDUCE_SUM", 2}};
constexpr FieldEnum kPoolingMode{"pooling_mode", kPoolingModeValues};
constexpr FieldValue kRoundModeValues[] = {{"DBL", 0}, {"TRUNCATE", 1}, {"NATURAL", 2}};
constexpr FieldEnum kRoundMode{"round_mode", kRoundModeValues};
constexpr FieldValue kWeightOrderValues[] = {{"DEPTH_FIRST", 0}, {"PART_KERNEL_FIRST", 1}};
constexpr FieldEnum kWeightOrder{"weight_order", kWeightOrderValues};

constexpr CommandField kOpStopFields[] = {{0, 31, 16, "mask", nullptr}};
constexpr CommandField kOpPoolFields[] = {{0, 18, 16, "pooling_mode", &kPoolingMode}};
constexpr CommandField kOpElementwiseFields[] = {{0, 21, 16, "elementwise_mode", &kElementwiseMode}};
constexpr CommandField kOpDmaWaitFields[] = {{0, 19, 16, "k", nullptr}};
constexpr CommandField kOpKernelWaitFields[] = {{0, 17, 16, "n", nullptr}};
constexpr CommandField kOpPmuMaskFields[] = {{0, 16, 16, "enable", nullptr}};
constexpr CommandField kSetIfmPadTopFields[] = {{0, 22, 16, "pad", nullptr}};
constexpr CommandField kSetIfmPadRightFields[] = {{0, 23, 16, "pad", nullptr}};
constexpr CommandField kSetIfmDepthM1Fields[] = {{0, 31, 16, "depth_m1", nullptr}};
constexpr CommandField kSetIfmPrecisionFields[] = {{0, 16, 16, "activation_type", &kActivationType},
                                                   {0, 19, 18, "activation_precision", &kActivationPrecision},
                                                   {0, 23, 22, "activation_format", &kActivationFormat},
                                                   {0, 25, 24, "scale_mode", &kIfmScaleMode},
                                                   {0, 31, 30, "round_mode", &kRoundMode}};
constexpr CommandField kSetIfmUpscaleFields[] = {{0, 17, 16, "mode", &kIfmUpscaleMode}};
constexpr CommandField kSetIfmZeroPointFields[] = {{0, 31, 16, "zero_point", nullptr}};
constexpr CommandField kSetIfmWidth0M1Fields[] = {{0, 31, 16, "width_m1", nullptr}};
constexpr CommandField kSetIfmHeight0M1Fields[] = {{0, 31, 16, "height_m1", nullptr}};
constexpr CommandField kSetIfmIbEndFields[] = {{0, 21, 16, "ib_end", nullptr}};
constexpr CommandField kSetIfmRegionFields[] = {{0, 18, 16, "region", nullptr},
                                                {0, 31, 31, "custom_dma_cs", &kCustomDmaCs}};
constexpr CommandField kSetOfmPrecisionFields[] = {{0, 16, 16, "activation_type", &kActivationType},
                                                   {0, 18, 17, "activation_precision", &kActivationPrecision},
                                                   {0, 23, 22, "activation_format", &kActivationFormat},
                                                   {0, 24, 24, "scale_mode", &kOfmScaleMode},
                                                   {0, 31, 30, "round_mode", &kRoundMode}};
constexpr CommandField kSetOfmBlkWidthM1Fields[] = {{0, 21, 16, "width_m1", nullptr}};
constexpr CommandField kSetOfmBlkHeightM1Fields[] = {{0, 20, 16, "height_m1", nullptr}};
constexpr CommandField kSetOfmBlkDepthM1Fields[] = {{0, 22, 16, "depth_m1", nullptr}};
constexpr CommandField kSetKernelStrideFields[] = {
    {0, 16, 16, "stride_x_lsb", nullptr},        {0, 17, 17, "stride_y_lsb", nullptr},
    {0, 18, 18, "weight_order", &kWeightOrder},  {0, 19, 19, "dilation_x", &kKernelDilation},
    {0, 20, 20, "dilation_y", &kKernelDilation}, {0, 21, 21, "decomposition", &kKernelDecomposition},
    {0, 22, 22, "stride_x_msb", nullptr},        {0, 25, 25, "stride_y_msb", nullptr}};
constexpr CommandField kSetAccFormatFields[] = {{0, 17, 16, "acc_format", &kAccFormat}};
constexpr CommandField kSetActivationFields[] = {{0, 20, 16, "activation_function", &kActivationFunction},
                                                 {0, 30, 28, "activation_clip_range", &kActivationClipRange}};
constexpr CommandField kSetActivationMinFields[] = {{0, 31, 16, "clip_boundary", nullptr}};
constexpr CommandField kSetAbStartFields[] = {{0, 21, 16, "ab_start", nullptr}};
constexpr CommandField kSetBlockdepFields[] = {{0, 17, 16, "blockdep", nullptr}};
constexpr CommandField kSetDma0SrcRegionFields[] = {{0, 18, 16, "region", nullptr},
                                                    {0, 24, 24, "region_mode", &kDmaRegionMode},
                                                    {0, 26, 25, "stride_mode", &kDmaStrideMode},
                                                    {0, 31, 31, "custom_dma_cs", &kCustomDmaCs}};
constexpr CommandField kSetDma0Size0Fields[] = {{0, 31, 16, "size", nullptr}};
constexpr CommandField kSetIfm2BroadcastFields[] = {{0, 16, 16, "broadcast_h", &kBroadcastMode},
                                                    {0, 17, 17, "broadcast_w", &kBroadcastMode},
                                                    {0, 18, 18, "broadcast_c", &kBroadcastMode},
                                                    {0, 22, 22, "operand_order", &kIfm2OperandOrder},
                                                    {0, 23, 23, "broadcast_constant", &kBroadcastMode}};
constexpr CommandField kSetIfm2ScalarFields[] = {{0, 31, 16, "scalar", nullptr}};
constexpr CommandField kSetIfm2PrecisionFields[] = {
    {0, 16, 16, "activation_type", &kActivationType},
    {0, 19, 18, "activation_precision", &kActivationPrecision},
    {0, 23, 22, "activation_format", &kActivationFormat}};
constexpr CommandField kSetIfm2IbStartFields[] = {{0, 21, 16, "ib_start", nullptr}};
constexpr CommandField kSetIfm2RegionFields[] = {{0, 18, 16, "region", nullptr}};
constexpr CommandField kSetIfmBase0Fields[] = {{1, 31, 0, "addr", nullptr}};
constexpr CommandField kSetWeightLengthFields[] = {{1, 31, 0, "length", nullptr}};
constexpr CommandField kSetScaleLengthFields[] = {{1, 19, 0, "length", nullptr}};
constexpr CommandField kSetOfmScaleFields[] = {{0, 21, 16, "shift", nullptr}, {1, 31, 0, "scale", nullptr}};
constexpr CommandField kSetOpbScaleFields[] = {{1, 15, 0, "scale", nullptr}};
constexpr CommandField kSetUserDefined0Fields[] = {{1, 31, 0, "user_reg", nullptr}};

constexpr CommandKind kCommands[] = {
    {Code::OP_STOP, "NPU_OP_STOP", kOpStopFields},
    {Code::OP_IRQ, "NPU_OP_IRQ", kOpStopFields},
    {Code::OP_CONV, "NPU_OP_CONV", {}},
    {Code::OP_DEPTHWISE, "NPU_OP_DEPTHWISE", {}},
    {Code::OP_POOL, "NPU_OP_POOL", kOpPoolFields},
    {Code::OP_ELEMENTWISE, "NPU_OP_ELEMENTWISE", kOpElementwiseFields},
    {Code::OP_DMA_START, "NPU_OP_DMA_START", {}},
    {Code::OP_DMA_WAIT, "NPU_OP_DMA_WAIT", kOpDmaWaitFields},
    {Code::OP_KERNEL_WAIT, "NPU_OP_KERNEL_WAIT", kOpKernelWaitFields},
    {Code::OP_PMU_MASK, "NPU_OP_PMU_MASK", kOpPmuMaskFields},
    {Code::SET_IFM_PAD_TOP, "NPU_SET_IFM_PAD_TOP", kSetIfmPadTopFields},
    {Code::SET_IFM_PAD_LEFT, "NPU_SET_IFM_PAD_LEFT", kSetIfmPadTopFields},
    {Code::SET_IFM_PAD_RIGHT, "NPU_SET_IFM_PAD_RIGHT", kSetIfmPadRightFields},
    {Code::SET_IFM_PAD_BOTTOM, "NPU_SET_IFM_PAD_BOTTOM", kSetIfmPadRightFields},
    {Code::SET_IFM_DEPTH_M1, "NPU_SET_IFM_DEPTH_M1", kSetIfmDepthM1Fields},
    {Code::SET_IFM_PRECISION, "NPU_SET_IFM_PRECISION", kSetIfmPrecisionFields},
    {Code::SET_IFM_UPSCALE, "NPU_SET_IFM_UPSCALE", kSetIfmUpscaleFields},
    {Code::SET_IFM_ZERO_POINT, "NPU_SET_IFM_ZERO_POINT", kSetIfmZeroPointFields},
    {Code::SET_IFM_WIDTH0_M1, "NPU_SET_IFM_WIDTH0_M1", kSetIfmWidth0M1Fields},
    {Code::SET_IFM_HEIGHT0_M1, "NPU_SET_IFM_HEIGHT0_M1", kSetIfmHeight0M1Fields},
    {Code::SET_IFM_HEIGHT1_M1, "NPU_SET_IFM_HEIGHT1_M1", kSetIfmHeight0M1Fields},
    {Code::SET_IFM_IB_END, "NPU_SET_IFM_IB_END", kSetIfmIbEndFields},
    {Code::SET_IFM_REGION, "NPU_SET_IFM_REGION", kSetIfmRegionFields},
    {Code::SET_OFM_WIDTH_M1, "NPU_SET_OFM_WIDTH_M1", kSetIfmWidth0M1Fields},
    {Code::SET_OFM_HEIGHT_M1, "NPU_SET_OFM_HEIGHT_M1", kSetIfmHeight0M1Fields},
    {Code::SET_OFM_DEPTH_M1, "NPU_SET_OFM_DEPTH_M1", kSetIfmDepthM1Fields},
    {Code::SET_OFM_PRECISION, "NPU_SET_OFM_PRECISION", kSetOfmPrecisionFields},
    {Code::SET_OFM_BLK_WIDTH_M1, "NPU_SET_OFM_BLK_WIDTH_M1", kSetOfmBlkWidthM1Fields},
    {Code::SET_OFM_BLK_HEIGHT_M1, "NPU_SET_OFM_BLK_HEIGHT_M1", kSetOfmBlkHeightM1Fields},
    {Code::SET_OFM_BLK_DEPTH_M1, "NPU_SET_OFM_BLK_DEPTH_M1", kSetOfmBlkDepthM1Fields},
    {Code::SET_OFM_ZERO_POINT, "NPU_SET_OFM_ZERO_POINT", kSetIfmZeroPointFields},
    {Code::SET_OFM_WIDTH0_M1, "NPU_SET_OFM_WIDTH0_M1", kSetIfmWidth0M1Fields},
    {Code::SET_OFM_HEIGHT0_M1, "NPU_SET_OFM_HEIGHT0_M1", kSetIfmHeight0M1Fields},
    {Code::SET_OFM_HEIGHT1_M1, "NPU_SET_OFM_HEIGHT1_M1", kSetIfmHeight0M1Fields},
    {Code::SET_OFM_REGION, "NPU_SET_OFM_REGION", kSetIfmRegionFields},
    {Code::SET_KERNEL_WIDTH_M1, "NPU_SET_KERNEL_WIDTH_M1", kSetIfmWidth0M1Fields},
    {Code::SET_KERNEL_HEIGHT_M1, "NPU_SET_KERNEL_HEIGHT_M1", kSetIfmHeight0M1Fields},
    {Code::SET_KERNEL_STRIDE, "NPU_SET_KERNEL_STRIDE", kSetKernelStrideFields},
    {Code::SET_ACC_FORMAT, "NPU_SET_ACC_FORMAT", kSetAccFormatFields},
    {Code::SET_ACTIVATION, "NPU_SET_ACTIVATION", kSetActivationFields},
    {Code::SET_ACTIVATION_MIN, "NPU_SET_ACTIVATION_MIN", kSetActivationMinFields},
    {Code::SET_ACTIVATION_MAX, "NPU_SET_ACTIVATION_MAX", kSetActivationMinFields},
    {Code::SET_WEIGHT_REGION, "NPU_SET_WEIGHT_REGION", kSetIfmRegionFields},
    {Code::SET_SCALE_REGION, "NPU_SET_SCALE_REGION", kSetIfmRegionFields},
    {Code::SET_AB_START, "NPU_SET_AB_START", kSetAbStartFields},
    {Code::SET_BLOCKDEP, "NPU_SET_BLOCKDEP", kSetBlockdepFields},
    {Code::SET_DMA0_SRC_REGION, "NPU_SET_DMA0_SRC_REGION", kSetDma0SrcRegionFields},
    {Code::SET_DMA0_DST_REGION, "NPU_SET_DMA0_DST_REGION", kSetDma0SrcRegionFields},
    {Code::SET_DMA0_SIZE0, "NPU_SET_DMA0_SIZE0", kSetDma0Size0Fields},
    {Code::SET_DMA0_SIZE1, "NPU_SET_DMA0_SIZE1", kSetDma0Size0Fields},
    {Code::SET_IFM2_BROADCAST, "NPU_SET_IFM2_BROADCAST", kSetIfm2BroadcastFields},
    {Code::SET_IFM2_SCALAR, "NPU_SET_IFM2_SCALAR", kSetIfm2ScalarFields},
    {Code::SET_IFM2_PRECISION, "NPU_SET_IFM2_PRECISION", kSetIfm2PrecisionFields},
    {Code::SET_IFM2_ZERO_POINT, "NPU_SET_IFM2_ZERO_POINT", kSetIfmZeroPointFields},
    {Code::SET_IFM2_WIDTH0_M1, "NPU_SET_IFM2_WIDTH0_M1", kSetIfmWidth0M1Fields},
    {Code::SET_IFM2_HEIGHT0_M1, "NPU_SET_IFM2_HEIGHT0_M1", kSetIfmHeight0M1Fields},
    {Code::SET_IFM2_HEIGHT1_M1, "NPU_SET_IFM2_HEIGHT1_M1", kSetIfmHeight0M1Fields},
    {Code::SET_IFM2_IB_START, "NPU_SET_IFM2_IB_START", kSetIfm2IbStartFields},
    {Code::SET_IFM2_REGION, "NPU_SET_IFM2_REGION", kSetIfm2RegionFields},
    {Code::SET_IFM_BASE0, "NPU_SET_IFM_BASE0", kSetIfmBase0Fields},
    {Code::SET_IFM_BASE1, "NPU_SET_IFM_BASE1", kSetIfmBase0Fields},
    {Code::SET_IFM_BASE2, "NPU_SET_IFM_BASE2", kSetIfmBase0Fields},
    {Code::SET_IFM_BASE3, "NPU_SET_IFM_BASE3", kSetIfmBase0Fields},
    {Code::SET_IFM_STRIDE_X, "NPU_SET_IFM_STRIDE_X", kSetIfmBase0Fields},
    {Code::SET_IFM_STRIDE_Y, "NPU_SET_IFM_STRIDE_Y", kSetIfmBase0Fields},
    {Code::SET_IFM_STRIDE_C, "NPU_SET_IFM_STRIDE_C", kSetIfmBase0Fields},
    {Code::SET_OFM_BASE0, "NPU_SET_OFM_BASE0", kSetIfmBase0Fields},
    {Code::SET_OFM_BASE1, "NPU_SET_OFM_BASE1", kSetIfmBase0Fields},
    {Code::SET_OFM_BASE2, "NPU_SET_OFM_BASE2", kSetIfmBase0Fields},
    {Code::SET_OFM_BASE3, "NPU_SET_OFM_BASE3", kSetIfmBase0Fields},
    {Code::SET_OFM_STRIDE_X, "NPU_SET_OFM_STRIDE_X", kSetIfmBase0Fields},
    {Code::SET_OFM_STRIDE_Y, "NPU_SET_OFM_STRIDE_Y", kSetIfmBase0Fields},
    {Code::SET_OFM_STRIDE_C, "NPU_SET_OFM_STRIDE_C", kSetIfmBase0Fields},
    {Code::SET_WEIGHT_BASE, "NPU_SET_WEIGHT_BASE", kSetIfmBase0Fields},
    {Code::SET_WEIGHT_LENGTH, "NPU_SET_WEIGHT_LENGTH", kSetWeightLengthFields},
    {Code::SET_SCALE_BASE, "NPU_SET_SCALE_BASE", kSetIfmBase0Fields},
    {Code::SET_SCALE_LENGTH, "NPU_SET_SCALE_LENGTH", kSetScaleLengthFields},
    {Code::SET_OFM_SCALE, "NPU_SET_OFM_SCALE", kSetOfmScaleFields},
    {Code::SET_OPA_SCALE, "NPU_SET_OPA_SCALE", kSetOfmScaleFields},
    {Code::SET_OPB_SCALE, "NPU_SET_OPB_SCALE", kSetOpbScaleFields},
    {Code::SET_DMA0_SRC, "NPU_SET_DMA0_SRC", kSetIfmBase0Fields},
    {Code::SET_DMA0_DST, "NPU_SET_DMA0_DST", kSetIfmBase0Fields},
    {Code::SET_DMA0_LEN, "NPU_SET_DMA0_LEN", kSetIfmBase0Fields},
    {Code::SET_IFM2_BASE0, "NPU_SET_IFM2_BASE0", kSetIfmBase0Fields},
    {Code::SET_IFM2_BASE1, "NPU_SET_IFM2_BASE1", kSetIfmBase0Fields},
    {Code::SET_IFM2_BASE2, "NPU_SET_IFM2_BASE2", kSetIfmBase0Fields},
    {Code::SET_IFM2_BASE3, "NPU_SET_IFM2_BASE3", kSetIfmBase0Fields},
    {Code::SET_IFM2_STRIDE_X, "NPU_SET_IFM2_STRIDE_X", kSetIfmBase0Fields},
    {Code::SET_IFM2_STRIDE_Y, "NPU_SET_IFM2_STRIDE_Y", kSetIfmBase0Fields},
    {Code::SET_IFM2_STRIDE_C, "NPU_SET_IFM2_STRIDE_C", kSetIfmBase0Fields},
    {Code::SET_USER_DEFINED0, "NPU_SET_USER_DEFINED0", kSetUserDefined0Fields},
    {Code::SET_USER_DEFINED1, "NPU_SET_USER_DEFINED1", kSetUserDefined0Fields},
    {Code::SET_USER_DEFINED2, "NPU_SET_USER_DEFINED2", kSetUserDefined0Fields},
    {Code::SET_USER_DEFINED3, "NPU_SET_USER_DEFINED3", kSetUserDefined0Fields},
    {Code::SET_USER_DEFINED4, "NPU_SET_USER_DEFINED4", kSetUserDefined0Fields},
    {Code::SET_USER_DEFINED5, "NPU_SET_USER_DEFINED5", kSetUserDefined0Fields},
    {Code::SET_USER_DEFINED6, "NPU_SET_USER_DEFINED6", kSetUserDefined0Fields},
    {Code::SET_USER_DEFINED7, "NPU_SET_USER_DEFINED7", kSetUserDefined0Fields},
};

}  // namespace

std::span<const CommandKind> command_kinds() {
  return kCommands;
}

}  // namespace npubin::ethosu
