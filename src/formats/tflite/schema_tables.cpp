// The tables of the TensorFlow Lite schema (version 3) as data: every table, slot, type, default, union and
// enumeration. The verifier, the byte map, the description and the importer all read from here.
#include "formats/tflite/schema.h"

namespace npubin::tflite::schema {
namespace {

using enum Kind;

constexpr EnumEntry kTensorTypeEntries[] = {
    {0, "FLOAT32"},  {1, "FLOAT16"},        {2, "INT32"},        {3, "UINT8"},     {4, "INT64"},
    {5, "STRING"},   {6, "BOOL"},           {7, "INT16"},        {8, "COMPLEX64"}, {9, "INT8"},
    {10, "FLOAT64"}, {11, "COMPLEX128"},    {12, "UINT64"},      {13, "RESOURCE"}, {14, "VARIANT"},
    {15, "UINT32"},  {16, "UINT16"},        {17, "INT4"},        {18, "BFLOAT16"}, {19, "INT2"},
    {20, "UINT4"},   {21, "FLOAT8_E4M3FN"}, {22, "FLOAT8_E5M2"},
};
constexpr EnumEntry kDimensionTypeEntries[] = {
    {0, "DENSE"},
    {1, "SPARSE_CSR"},
};
constexpr EnumEntry kBuiltinOperatorEntries[] = {
    {0, "ADD"},
    {1, "AVERAGE_POOL_2D"},
    {2, "CONCATENATION"},
    {3, "CONV_2D"},
    {4, "DEPTHWISE_CONV_2D"},
    {5, "DEPTH_TO_SPACE"},
    {6, "DEQUANTIZE"},
    {7, "EMBEDDING_LOOKUP"},
    {8, "FLOOR"},
    {9, "FULLY_CONNECTED"},
    {10, "HASHTABLE_LOOKUP"},
    {11, "L2_NORMALIZATION"},
    {12, "L2_POOL_2D"},
    {13, "LOCAL_RESPONSE_NORMALIZATION"},
    {14, "LOGISTIC"},
    {15, "LSH_PROJECTION"},
    {16, "LSTM"},
    {17, "MAX_POOL_2D"},
    {18, "MUL"},
    {19, "RELU"},
    {20, "RELU_N1_TO_1"},
    {21, "RELU6"},
    {22, "RESHAPE"},
    {23, "RESIZE_BILINEAR"},
    {24, "RNN"},
    {25, "SOFTMAX"},
    {26, "SPACE_TO_DEPTH"},
    {27, "SVDF"},
    {28, "TANH"},
    {29, "CONCAT_EMBEDDINGS"},
    {30, "SKIP_GRAM"},
    {31, "CALL"},
    {32, "CUSTOM"},
    {33, "EMBEDDING_LOOKUP_SPARSE"},
    {34, "PAD"},
    {35, "UNIDIRECTIONAL_SEQUENCE_RNN"},
    {36, "GATHER"},
    {37, "BATCH_TO_SPACE_ND"},
    {38, "SPACE_TO_BATCH_ND"},
    {39, "TRANSPOSE"},
    {40, "MEAN"},
    {41, "SUB"},
    {42, "DIV"},
    {43, "SQUEEZE"},
    {44, "UNIDIRECTIONAL_SEQUENCE_LSTM"},
    {45, "STRIDED_SLICE"},
    {46, "BIDIRECTIONAL_SEQUENCE_RNN"},
    {47, "EXP"},
    {48, "TOPK_V2"},
    {49, "SPLIT"},
    {50, "LOG_SOFTMAX"},
    {51, "DELEGATE"},
    {52, "BIDIRECTIONAL_SEQUENCE_LSTM"},
    {53, "CAST"},
    {54, "PRELU"},
    {55, "MAXIMUM"},
    {56, "ARG_MAX"},
    {57, "MINIMUM"},
    {58, "LESS"},
    {59, "NEG"},
    {60, "PADV2"},
    {61, "GREATER"},
    {62, "GREATER_EQUAL"},
    {63, "LESS_EQUAL"},
    {64, "SELECT"},
    {65, "SLICE"},
    {66, "SIN"},
    {67, "TRANSPOSE_CONV"},
    {68, "SPARSE_TO_DENSE"},
    {69, "TILE"},
    {70, "EXPAND_DIMS"},
    {71, "EQUAL"},
    {72, "NOT_EQUAL"},
    {73, "LOG"},
    {74, "SUM"},
    {75, "SQRT"},
    {76, "RSQRT"},
    {77, "SHAPE"},
    {78, "POW"},
    {79, "ARG_MIN"},
    {80, "FAKE_QUANT"},
    {81, "REDUCE_PROD"},
    {82, "REDUCE_MAX"},
    {83, "PACK"},
    {84, "LOGICAL_OR"},
    {85, "ONE_HOT"},
    {86, "LOGICAL_AND"},
    {87, "LOGICAL_NOT"},
    {88, "UNPACK"},
    {89, "REDUCE_MIN"},
    {90, "FLOOR_DIV"},
    {91, "REDUCE_ANY"},
    {92, "SQUARE"},
    {93, "ZEROS_LIKE"},
    {94, "FILL"},
    {95, "FLOOR_MOD"},
    {96, "RANGE"},
    {97, "RESIZE_NEAREST_NEIGHBOR"},
    {98, "LEAKY_RELU"},
    {99, "SQUARED_DIFFERENCE"},
    {100, "MIRROR_PAD"},
    {101, "ABS"},
    {102, "SPLIT_V"},
    {103, "UNIQUE"},
    {104, "CEIL"},
    {105, "REVERSE_V2"},
    {106, "ADD_N"},
    {107, "GATHER_ND"},
    {108, "COS"},
    {109, "WHERE"},
    {110, "RANK"},
    {111, "ELU"},
    {112, "REVERSE_SEQUENCE"},
    {113, "MATRIX_DIAG"},
    {114, "QUANTIZE"},
    {115, "MATRIX_SET_DIAG"},
    {116, "ROUND"},
    {117, "HARD_SWISH"},
    {118, "IF"},
    {119, "WHILE"},
    {120, "NON_MAX_SUPPRESSION_V4"},
    {121, "NON_MAX_SUPPRESSION_V5"},
    {122, "SCATTER_ND"},
    {123, "SELECT_V2"},
    {124, "DENSIFY"},
    {125, "SEGMENT_SUM"},
    {126, "BATCH_MATMUL"},
    {127, "PLACEHOLDER_FOR_GREATER_OP_CODES"},
    {128, "CUMSUM"},
    {129, "CALL_ONCE"},
    {130, "BROADCAST_TO"},
    {131, "RFFT2D"},
    {132, "CONV_3D"},
    {133, "IMAG"},
    {134, "REAL"},
    {135, "COMPLEX_ABS"},
    {136, "HASHTABLE"},
    {137, "HASHTABLE_FIND"},
    {138, "HASHTABLE_IMPORT"},
    {139, "HASHTABLE_SIZE"},
    {140, "REDUCE_ALL"},
    {141, "CONV_3D_TRANSPOSE"},
    {142, "VAR_HANDLE"},
    {143, "READ_VARIABLE"},
    {144, "ASSIGN_VARIABLE"},
    {145, "BROADCAST_ARGS"},
    {146, "RANDOM_STANDARD_NORMAL"},
    {147, "BUCKETIZE"},
    {148, "RANDOM_UNIFORM"},
    {149, "MULTINOMIAL"},
    {150, "GELU"},
    {151, "DYNAMIC_UPDATE_SLICE"},
    {152, "RELU_0_TO_1"},
    {153, "UNSORTED_SEGMENT_PROD"},
    {154, "UNSORTED_SEGMENT_MAX"},
    {155, "UNSORTED_SEGMENT_SUM"},
    {156, "ATAN2"},
    {157, "UNSORTED_SEGMENT_MIN"},
    {158, "SIGN"},
    {159, "BITCAST"},
    {160, "BITWISE_XOR"},
    {161, "RIGHT_SHIFT"},
    {162, "STABLEHLO_LOGISTIC"},
    {163, "STABLEHLO_ADD"},
    {164, "STABLEHLO_DIVIDE"},
    {165, "STABLEHLO_MULTIPLY"},
    {166, "STABLEHLO_MAXIMUM"},
    {167, "STABLEHLO_RESHAPE"},
    {168, "STABLEHLO_CLAMP"},
    {169, "STABLEHLO_CONCATENATE"},
    {170, "STABLEHLO_BROADCAST_IN_DIM"},
    {171, "STABLEHLO_CONVOLUTION"},
    {172, "STABLEHLO_SLICE"},
    {173, "STABLEHLO_CUSTOM_CALL"},
    {174, "STABLEHLO_REDUCE"},
    {175, "STABLEHLO_ABS"},
    {176, "STABLEHLO_AND"},
    {177, "STABLEHLO_COSINE"},
    {178, "STABLEHLO_EXPONENTIAL"},
    {179, "STABLEHLO_FLOOR"},
    {180, "STABLEHLO_LOG"},
    {181, "STABLEHLO_MINIMUM"},
    {182, "STABLEHLO_NEGATE"},
    {183, "STABLEHLO_OR"},
    {184, "STABLEHLO_POWER"},
    {185, "STABLEHLO_REMAINDER"},
    {186, "STABLEHLO_RSQRT"},
    {187, "STABLEHLO_SELECT"},
    {188, "STABLEHLO_SUBTRACT"},
    {189, "STABLEHLO_TANH"},
    {190, "STABLEHLO_SCATTER"},
    {191, "STABLEHLO_COMPARE"},
    {192, "STABLEHLO_CONVERT"},
    {193, "STABLEHLO_DYNAMIC_SLICE"},
    {194, "STABLEHLO_DYNAMIC_UPDATE_SLICE"},
    {195, "STABLEHLO_PAD"},
    {196, "STABLEHLO_IOTA"},
    {197, "STABLEHLO_DOT_GENERAL"},
    {198, "STABLEHLO_REDUCE_WINDOW"},
    {199, "STABLEHLO_SORT"},
    {200, "STABLEHLO_WHILE"},
    {201, "STABLEHLO_GATHER"},
    {202, "STABLEHLO_TRANSPOSE"},
    {203, "DILATE"},
    {204, "STABLEHLO_RNG_BIT_GENERATOR"},
    {205, "REDUCE_WINDOW"},
    {206, "STABLEHLO_COMPOSITE"},
    {207, "STABLEHLO_SHIFT_LEFT"},
    {208, "STABLEHLO_CBRT"},
    {209, "STABLEHLO_CASE"},
};
constexpr EnumEntry kStablehloPrecisionConfigEntries[] = {
    {0, "DEFAULT"},
    {1, "HIGH"},
    {2, "HIGHEST"},
};
constexpr EnumEntry kStablehloComparisonDirectionEntries[] = {
    {0, "STABLEHLO_COMPARISON_DIRECTION_EQ"}, {1, "STABLEHLO_COMPARISON_DIRECTION_NE"},
    {2, "STABLEHLO_COMPARISON_DIRECTION_GE"}, {3, "STABLEHLO_COMPARISON_DIRECTION_GT"},
    {4, "STABLEHLO_COMPARISON_DIRECTION_LE"}, {5, "STABLEHLO_COMPARISON_DIRECTION_LT"},
};
constexpr EnumEntry kStablehloComparisonTypeEntries[] = {
    {0, "STABLEHLO_COMPARISON_TYPE_NOTYPE"},
    {1, "STABLEHLO_COMPARISON_TYPE_FLOAT"},
    {2, "STABLEHLO_COMPARISON_TYPE_FLOAT_TOTAL_ORDER"},
    {3, "STABLEHLO_COMPARISON_TYPE_SIGNED"},
    {4, "STABLEHLO_COMPARISON_TYPE_UNSIGNED"},
};
constexpr EnumEntry kRngAlgorithmEntries[] = {
    {0, "DEFAULT"},
    {1, "PHILOX"},
    {2, "THREEFRY"},
};
constexpr EnumEntry kPaddingEntries[] = {
    {0, "SAME"},
    {1, "VALID"},
};
constexpr EnumEntry kActivationFunctionTypeEntries[] = {
    {0, "NONE"}, {1, "RELU"}, {2, "RELU_N1_TO_1"}, {3, "RELU6"}, {4, "TANH"}, {5, "SIGN_BIT"},
};
constexpr EnumEntry kLSHProjectionTypeEntries[] = {
    {0, "UNKNOWN"},
    {1, "SPARSE"},
    {2, "DENSE"},
};
constexpr EnumEntry kFullyConnectedOptionsWeightsFormatEntries[] = {
    {0, "DEFAULT"},
    {1, "SHUFFLED4x16INT8"},
};
constexpr EnumEntry kLSTMKernelTypeEntries[] = {
    {0, "FULL"},
    {1, "BASIC"},
};
constexpr EnumEntry kCombinerTypeEntries[] = {
    {0, "SUM"},
    {1, "MEAN"},
    {2, "SQRTN"},
};
constexpr EnumEntry kMirrorPadModeEntries[] = {
    {0, "REFLECT"},
    {1, "SYMMETRIC"},
};
constexpr EnumEntry kReduceWindowFunctionEntries[] = {
    {0, "UNSUPPORTED"}, {1, "ADD"}, {2, "MUL"}, {3, "MINIMUM"}, {4, "MAXIMUM"}, {5, "ALL"}, {6, "ANY"},
};
constexpr EnumEntry kCustomOptionsFormatEntries[] = {
    {0, "FLEXBUFFERS"},
};
constexpr Enumeration kEnumerations[] = {
    {"TensorType", kTensorTypeEntries},
    {"DimensionType", kDimensionTypeEntries},
    {"BuiltinOperator", kBuiltinOperatorEntries},
    {"StablehloPrecisionConfig", kStablehloPrecisionConfigEntries},
    {"StablehloComparisonDirection", kStablehloComparisonDirectionEntries},
    {"StablehloComparisonType", kStablehloComparisonTypeEntries},
    {"RngAlgorithm", kRngAlgorithmEntries},
    {"Padding", kPaddingEntries},
    {"ActivationFunctionType", kActivationFunctionTypeEntries},
    {"LSHProjectionType", kLSHProjectionTypeEntries},
    {"FullyConnectedOptionsWeightsFormat", kFullyConnectedOptionsWeightsFormatEntries},
    {"LSTMKernelType", kLSTMKernelTypeEntries},
    {"CombinerType", kCombinerTypeEntries},
    {"MirrorPadMode", kMirrorPadModeEntries},
    {"ReduceWindowFunction", kReduceWindowFunctionEntries},
    {"CustomOptionsFormat", kCustomOptionsFormatEntries},
};

constexpr UnionMember kQuantizationDetailsMembers[] = {
    {0, "NONE", -1},
    {1, "CustomQuantization", 0},
    {2, "BlockwiseQuantization", 1},
    {3, "MultiAxisQuantization", 2},
};
constexpr UnionMember kSparseIndexVectorMembers[] = {
    {0, "NONE", -1},
    {1, "Int32Vector", 4},
    {2, "Uint16Vector", 5},
    {3, "Uint8Vector", 6},
};
constexpr UnionMember kBuiltinOptionsMembers[] = {
    {0, "NONE", -1},
    {1, "Conv2DOptions", 30},
    {2, "DepthwiseConv2DOptions", 33},
    {3, "ConcatEmbeddingsOptions", 34},
    {4, "LSHProjectionOptions", 35},
    {5, "Pool2DOptions", 32},
    {6, "SVDFOptions", 36},
    {7, "RNNOptions", 37},
    {8, "FullyConnectedOptions", 40},
    {9, "SoftmaxOptions", 41},
    {10, "ConcatenationOptions", 42},
    {11, "AddOptions", 43},
    {12, "L2NormOptions", 45},
    {13, "LocalResponseNormalizationOptions", 46},
    {14, "LSTMOptions", 47},
    {15, "ResizeBilinearOptions", 50},
    {16, "CallOptions", 52},
    {17, "ReshapeOptions", 55},
    {18, "SkipGramOptions", 58},
    {19, "SpaceToDepthOptions", 59},
    {20, "EmbeddingLookupSparseOptions", 64},
    {21, "MulOptions", 44},
    {22, "PadOptions", 53},
    {23, "GatherOptions", 65},
    {24, "BatchToSpaceNDOptions", 57},
    {25, "SpaceToBatchNDOptions", 56},
    {26, "TransposeOptions", 66},
    {27, "ReducerOptions", 69},
    {28, "SubOptions", 61},
    {29, "DivOptions", 62},
    {30, "SqueezeOptions", 70},
    {31, "SequenceRNNOptions", 38},
    {32, "StridedSliceOptions", 73},
    {33, "ExpOptions", 67},
    {34, "TopKV2Options", 63},
    {35, "SplitOptions", 71},
    {36, "LogSoftmaxOptions", 74},
    {37, "CastOptions", 75},
    {38, "DequantizeOptions", 76},
    {39, "MaximumMinimumOptions", 77},
    {40, "ArgMaxOptions", 79},
    {41, "LessOptions", 83},
    {42, "NegOptions", 85},
    {43, "PadV2Options", 54},
    {44, "GreaterOptions", 81},
    {45, "GreaterEqualOptions", 82},
    {46, "LessEqualOptions", 84},
    {47, "SelectOptions", 86},
    {48, "SliceOptions", 87},
    {49, "TransposeConvOptions", 88},
    {50, "SparseToDenseOptions", 90},
    {51, "TileOptions", 78},
    {52, "ExpandDimsOptions", 89},
    {53, "EqualOptions", 91},
    {54, "NotEqualOptions", 92},
    {55, "ShapeOptions", 93},
    {56, "PowOptions", 95},
    {57, "ArgMinOptions", 80},
    {58, "FakeQuantOptions", 96},
    {59, "PackOptions", 97},
    {60, "LogicalOrOptions", 98},
    {61, "OneHotOptions", 99},
    {62, "LogicalAndOptions", 102},
    {63, "LogicalNotOptions", 103},
    {64, "UnpackOptions", 104},
    {65, "FloorDivOptions", 105},
    {66, "SquareOptions", 106},
    {67, "ZerosLikeOptions", 107},
    {68, "FillOptions", 108},
    {69, "BidirectionalSequenceLSTMOptions", 49},
    {70, "BidirectionalSequenceRNNOptions", 39},
    {71, "UnidirectionalSequenceLSTMOptions", 48},
    {72, "FloorModOptions", 109},
    {73, "RangeOptions", 110},
    {74, "ResizeNearestNeighborOptions", 51},
    {75, "LeakyReluOptions", 111},
    {76, "SquaredDifferenceOptions", 112},
    {77, "MirrorPadOptions", 113},
    {78, "AbsOptions", 100},
    {79, "SplitVOptions", 72},
    {80, "UniqueOptions", 114},
    {81, "ReverseV2Options", 115},
    {82, "AddNOptions", 116},
    {83, "GatherNdOptions", 117},
    {84, "CosOptions", 68},
    {85, "WhereOptions", 118},
    {86, "RankOptions", 94},
    {87, "ReverseSequenceOptions", 119},
    {88, "MatrixDiagOptions", 120},
    {89, "QuantizeOptions", 121},
    {90, "MatrixSetDiagOptions", 122},
    {91, "HardSwishOptions", 101},
    {92, "IfOptions", 123},
    {93, "WhileOptions", 125},
    {94, "DepthToSpaceOptions", 60},
    {95, "NonMaxSuppressionV4Options", 126},
    {96, "NonMaxSuppressionV5Options", 127},
    {97, "ScatterNdOptions", 128},
    {98, "SelectV2Options", 129},
    {99, "DensifyOptions", 130},
    {100, "SegmentSumOptions", 131},
    {101, "BatchMatMulOptions", 132},
    {102, "CumsumOptions", 133},
    {103, "CallOnceOptions", 124},
    {104, "BroadcastToOptions", 134},
    {105, "Rfft2dOptions", 135},
    {106, "Conv3DOptions", 31},
    {107, "HashtableOptions", 136},
    {108, "HashtableFindOptions", 137},
    {109, "HashtableImportOptions", 138},
    {110, "HashtableSizeOptions", 139},
    {111, "VarHandleOptions", 140},
    {112, "ReadVariableOptions", 141},
    {113, "AssignVariableOptions", 142},
    {114, "RandomOptions", 143},
    {115, "BucketizeOptions", 144},
    {116, "GeluOptions", 145},
    {117, "DynamicUpdateSliceOptions", 146},
    {118, "UnsortedSegmentProdOptions", 147},
    {119, "UnsortedSegmentMaxOptions", 148},
    {120, "UnsortedSegmentMinOptions", 151},
    {121, "UnsortedSegmentSumOptions", 149},
    {122, "ATan2Options", 150},
    {123, "SignOptions", 152},
    {124, "BitcastOptions", 153},
    {125, "BitwiseXorOptions", 154},
    {126, "RightShiftOptions", 155},
};
constexpr UnionMember kBuiltinOptions2Members[] = {
    {0, "NONE", -1},
    {1, "StablehloConcatenateOptions", 17},
    {2, "StablehloBroadcastInDimOptions", 18},
    {3, "StablehloSliceOptions", 25},
    {4, "StablehloConvolutionOptions", 26},
    {5, "StablehloCustomCallOptions", 23},
    {6, "StablehloReduceOptions", 24},
    {7, "StablehloScatterOptions", 27},
    {8, "StablehloCompareOptions", 19},
    {9, "StablehloDynamicSliceOptions", 20},
    {10, "StablehloPadOptions", 21},
    {11, "StablehloIotaOptions", 22},
    {12, "StablehloDotGeneralOptions", 13},
    {13, "StablehloReduceWindowOptions", 14},
    {14, "StablehloSortOptions", 16},
    {15, "StablehloWhileOptions", 15},
    {16, "StablehloGatherOptions", 11},
    {17, "StablehloTransposeOptions", 12},
    {18, "DilateOptions", 156},
    {19, "StablehloRngBitGeneratorOptions", 29},
    {20, "ReduceWindowOptions", 169},
    {21, "StableHLOCompositeOptions", 158},
    {22, "StablehloShiftLeftOptions", 159},
    {23, "StablehloCaseOptions", 28},
};
constexpr Union kUnions[] = {
    {"QuantizationDetails", kQuantizationDetailsMembers},
    {"SparseIndexVector", kSparseIndexVectorMembers},
    {"BuiltinOptions", kBuiltinOptionsMembers},
    {"BuiltinOptions2", kBuiltinOptions2Members},
};

constexpr FieldSchema kCustomQuantizationFields[] = {
    {"custom", 0, U8, true, false, -1, 0},
};
constexpr FieldSchema kBlockwiseQuantizationFields[] = {
    {"scales", 0, I32, false, false, -1, 0},
    {"zero_points", 1, I32, false, false, -1, 0},
    {"block_size", 2, I32, false, false, -1, 0},
};
constexpr FieldSchema kMultiAxisQuantizationFields[] = {
    {"scales", 0, I32, false, false, -1, 0},
    {"zero_points", 1, I32, false, false, -1, 0},
    {"block_size", 2, I32, false, false, -1, 0},
    {"quantized_dimensions", 3, I32, true, false, -1, 0},
};
constexpr FieldSchema kQuantizationParametersFields[] = {
    {"min", 0, F32, true, false, -1, 0},
    {"max", 1, F32, true, false, -1, 0},
    {"scale", 2, F32, true, false, -1, 0},
    {"zero_point", 3, I64, true, false, -1, 0},
    {"details_type", 4, UnionTag, false, false, 0, 0},
    {"details", 5, UnionValue, false, false, 0, 0},
    {"quantized_dimension", 6, I32, false, false, -1, 0},
};
constexpr FieldSchema kInt32VectorFields[] = {
    {"values", 0, I32, true, false, -1, 0},
};
constexpr FieldSchema kUint16VectorFields[] = {
    {"values", 0, U16, true, false, -1, 0},
};
constexpr FieldSchema kUint8VectorFields[] = {
    {"values", 0, U8, true, false, -1, 0},
};
constexpr FieldSchema kDimensionMetadataFields[] = {
    {"format", 0, I8, false, false, 1, 0},
    {"dense_size", 1, I32, false, false, -1, 0},
    {"array_segments_type", 2, UnionTag, false, false, 1, 0},
    {"array_segments", 3, UnionValue, false, false, 1, 0},
    {"array_indices_type", 4, UnionTag, false, false, 1, 0},
    {"array_indices", 5, UnionValue, false, false, 1, 0},
};
constexpr FieldSchema kSparsityParametersFields[] = {
    {"traversal_order", 0, I32, true, false, -1, 0},
    {"block_map", 1, I32, true, false, -1, 0},
    {"dim_metadata", 2, Table, true, false, 7, 0},
};
constexpr FieldSchema kVariantSubTypeFields[] = {
    {"shape", 0, I32, true, false, -1, 0},
    {"type", 1, I8, false, false, 0, 0},
    {"has_rank", 2, Bool, false, false, -1, 0},
};
constexpr FieldSchema kTensorFields[] = {
    {"shape", 0, I32, true, false, -1, 0},
    {"type", 1, I8, false, false, 0, 0},
    {"buffer", 2, U32, false, false, -1, 0},
    {"name", 3, String, false, false, -1, 0},
    {"quantization", 4, Table, false, false, 3, 0},
    {"is_variable", 5, Bool, false, false, -1, 0},
    {"sparsity", 6, Table, false, false, 8, 0},
    {"shape_signature", 7, I32, true, false, -1, 0},
    {"has_rank", 8, Bool, false, false, -1, 0},
    {"variant_tensors", 9, Table, true, false, 9, 0},
    {"external_buffer", 10, U32, false, false, -1, 0},
};
constexpr FieldSchema kStablehloGatherOptionsFields[] = {
    {"offset_dims", 0, I64, true, false, -1, 0},     {"collapsed_slice_dims", 1, I64, true, false, -1, 0},
    {"start_index_map", 2, I64, true, false, -1, 0}, {"index_vector_dim", 3, I64, false, false, -1, 0},
    {"slice_sizes", 4, I64, true, false, -1, 0},     {"indices_are_sorted", 5, Bool, false, false, -1, 0},
};
constexpr FieldSchema kStablehloTransposeOptionsFields[] = {
    {"permutation", 0, I64, true, false, -1, 0},
};
constexpr FieldSchema kStablehloDotGeneralOptionsFields[] = {
    {"lhs_batching_dimensions", 0, I64, true, false, -1, 0},
    {"rhs_batching_dimensions", 1, I64, true, false, -1, 0},
    {"lhs_contracting_dimensions", 2, I64, true, false, -1, 0},
    {"rhs_contracting_dimensions", 3, I64, true, false, -1, 0},
    {"precision_config", 4, U32, true, false, 3, 0},
};
constexpr FieldSchema kStablehloReduceWindowOptionsFields[] = {
    {"window_dimensions", 0, I64, true, false, -1, 0}, {"window_strides", 1, I64, true, false, -1, 0},
    {"base_dilations", 2, I64, true, false, -1, 0},    {"window_dilations", 3, I64, true, false, -1, 0},
    {"padding", 4, I64, true, false, -1, 0},           {"body_subgraph_index", 5, I32, false, false, -1, 0},
};
constexpr FieldSchema kStablehloWhileOptionsFields[] = {
    {"cond_subgraph_index", 0, I32, false, false, -1, 0},
    {"body_subgraph_index", 1, I32, false, false, -1, 0},
};
constexpr FieldSchema kStablehloSortOptionsFields[] = {
    {"dimension", 0, I64, false, false, -1, 0},
    {"is_stable", 1, Bool, false, false, -1, 0},
    {"comparator_subgraph_index", 2, I32, false, false, -1, 0},
};
constexpr FieldSchema kStablehloConcatenateOptionsFields[] = {
    {"dimension", 0, I64, false, false, -1, 0},
};
constexpr FieldSchema kStablehloBroadcastInDimOptionsFields[] = {
    {"broadcast_dimensions", 0, I64, true, false, -1, 0},
};
constexpr FieldSchema kStablehloCompareOptionsFields[] = {
    {"comparison_direction", 0, U32, false, false, 4, 0},
    {"compare_type", 1, U32, false, false, 5, 0},
};
constexpr FieldSchema kStablehloDynamicSliceOptionsFields[] = {
    {"slice_sizes", 0, I64, true, false, -1, 0},
};
constexpr FieldSchema kStablehloPadOptionsFields[] = {
    {"edge_padding_low", 0, I64, true, false, -1, 0},
    {"edge_padding_high", 1, I64, true, false, -1, 0},
    {"interior_padding", 2, I64, true, false, -1, 0},
};
constexpr FieldSchema kStablehloIotaOptionsFields[] = {
    {"iota_dimension", 0, I64, false, false, -1, 0},
};
constexpr FieldSchema kStablehloCustomCallOptionsFields[] = {
    {"call_target_name", 0, String, false, false, -1, 0}, {"has_side_effect", 1, Bool, false, false, -1, 0},
    {"backend_config", 2, String, false, false, -1, 0},   {"api_version", 3, I32, false, false, -1, 0},
    {"called_computations", 4, I32, true, false, -1, 0},  {"custom_attributes", 5, U8, true, false, -1, 0},
};
constexpr FieldSchema kStablehloReduceOptionsFields[] = {
    {"dimensions", 0, I64, true, false, -1, 0},
    {"body_subgraph_index", 1, I32, false, false, -1, 0},
};
constexpr FieldSchema kStablehloSliceOptionsFields[] = {
    {"start_indices", 0, I64, true, false, -1, 0},
    {"limit_indices", 1, I64, true, false, -1, 0},
    {"strides", 2, I64, true, false, -1, 0},
};
constexpr FieldSchema kStablehloConvolutionOptionsFields[] = {
    {"window_strides", 0, I64, true, false, -1, 0},
    {"padding", 1, I64, true, false, -1, 0},
    {"lhs_dilation", 2, I64, true, false, -1, 0},
    {"rhs_dilation", 3, I64, true, false, -1, 0},
    {"window_reversal", 4, Bool, true, false, -1, 0},
    {"input_batch_dimension", 5, I64, false, false, -1, 0},
    {"input_feature_dimension", 6, I64, false, false, -1, 0},
    {"input_spatial_dimensions", 7, I64, true, false, -1, 0},
    {"kernel_input_feature_dimension", 8, I64, false, false, -1, 0},
    {"kernel_output_feature_dimension", 9, I64, false, false, -1, 0},
    {"kernel_spatial_dimensions", 10, I64, true, false, -1, 0},
    {"output_batch_dimension", 11, I64, false, false, -1, 0},
    {"output_feature_dimension", 12, I64, false, false, -1, 0},
    {"output_spatial_dimensions", 13, I64, true, false, -1, 0},
    {"feature_group_count", 14, I64, false, false, -1, 0},
    {"batch_group_count", 15, I64, false, false, -1, 0},
    {"precision_config", 16, U32, true, false, 3, 0},
};
constexpr FieldSchema kStablehloScatterOptionsFields[] = {
    {"indices_are_sorted", 0, Bool, false, false, -1, 0},
    {"update_window_dims", 1, I64, true, false, -1, 0},
    {"inserted_window_dims", 2, I64, true, false, -1, 0},
    {"scatter_dims_to_operand_dims", 3, I64, true, false, -1, 0},
    {"index_vector_dim", 4, I64, false, false, -1, 0},
    {"unique_indices", 5, Bool, false, false, -1, 0},
    {"update_computation_subgraph_index", 6, I32, false, false, -1, 0},
};
constexpr FieldSchema kStablehloCaseOptionsFields[] = {
    {"branch_subgraph_indices", 0, I32, true, false, -1, 0},
};
constexpr FieldSchema kStablehloRngBitGeneratorOptionsFields[] = {
    {"algorithm", 0, I8, false, false, 6, 0},
};
constexpr FieldSchema kConv2DOptionsFields[] = {
    {"padding", 0, I8, false, false, 7, 0},
    {"stride_w", 1, I32, false, false, -1, 0},
    {"stride_h", 2, I32, false, false, -1, 0},
    {"fused_activation_function", 3, I8, false, false, 8, 0},
    {"dilation_w_factor", 4, I32, false, false, -1, 1},
    {"dilation_h_factor", 5, I32, false, false, -1, 1},
    {"quantized_bias_type", 6, I8, false, false, 0, 0},
};
constexpr FieldSchema kConv3DOptionsFields[] = {
    {"padding", 0, I8, false, false, 7, 0},
    {"stride_d", 1, I32, false, false, -1, 0},
    {"stride_w", 2, I32, false, false, -1, 0},
    {"stride_h", 3, I32, false, false, -1, 0},
    {"fused_activation_function", 4, I8, false, false, 8, 0},
    {"dilation_d_factor", 5, I32, false, false, -1, 1},
    {"dilation_w_factor", 6, I32, false, false, -1, 1},
    {"dilation_h_factor", 7, I32, false, false, -1, 1},
};
constexpr FieldSchema kPool2DOptionsFields[] = {
    {"padding", 0, I8, false, false, 7, 0},         {"stride_w", 1, I32, false, false, -1, 0},
    {"stride_h", 2, I32, false, false, -1, 0},      {"filter_width", 3, I32, false, false, -1, 0},
    {"filter_height", 4, I32, false, false, -1, 0}, {"fused_activation_function", 5, I8, false, false, 8, 0},
};
constexpr FieldSchema kDepthwiseConv2DOptionsFields[] = {
    {"padding", 0, I8, false, false, 7, 0},
    {"stride_w", 1, I32, false, false, -1, 0},
    {"stride_h", 2, I32, false, false, -1, 0},
    {"depth_multiplier", 3, I32, false, false, -1, 0},
    {"fused_activation_function", 4, I8, false, false, 8, 0},
    {"dilation_w_factor", 5, I32, false, false, -1, 1},
    {"dilation_h_factor", 6, I32, false, false, -1, 1},
};
constexpr FieldSchema kConcatEmbeddingsOptionsFields[] = {
    {"num_channels", 0, I32, false, false, -1, 0},
    {"num_columns_per_channel", 1, I32, true, false, -1, 0},
    {"embedding_dim_per_channel", 2, I32, true, false, -1, 0},
};
constexpr FieldSchema kLSHProjectionOptionsFields[] = {
    {"type", 0, I8, false, false, 9, 0},
};
constexpr FieldSchema kSVDFOptionsFields[] = {
    {"rank", 0, I32, false, false, -1, 0},
    {"fused_activation_function", 1, I8, false, false, 8, 0},
    {"asymmetric_quantize_inputs", 2, Bool, false, false, -1, 0},
};
constexpr FieldSchema kRNNOptionsFields[] = {
    {"fused_activation_function", 0, I8, false, false, 8, 0},
    {"asymmetric_quantize_inputs", 1, Bool, false, false, -1, 0},
};
constexpr FieldSchema kSequenceRNNOptionsFields[] = {
    {"time_major", 0, Bool, false, false, -1, 0},
    {"fused_activation_function", 1, I8, false, false, 8, 0},
    {"asymmetric_quantize_inputs", 2, Bool, false, false, -1, 0},
};
constexpr FieldSchema kBidirectionalSequenceRNNOptionsFields[] = {
    {"time_major", 0, Bool, false, false, -1, 0},
    {"fused_activation_function", 1, I8, false, false, 8, 0},
    {"merge_outputs", 2, Bool, false, false, -1, 0},
    {"asymmetric_quantize_inputs", 3, Bool, false, false, -1, 0},
};
constexpr FieldSchema kFullyConnectedOptionsFields[] = {
    {"fused_activation_function", 0, I8, false, false, 8, 0},
    {"weights_format", 1, I8, false, false, 10, 0},
    {"keep_num_dims", 2, Bool, false, false, -1, 0},
    {"asymmetric_quantize_inputs", 3, Bool, false, false, -1, 0},
    {"quantized_bias_type", 4, I8, false, false, 0, 0},
};
constexpr FieldSchema kSoftmaxOptionsFields[] = {
    {"beta", 0, F32, false, false, -1, 0},
};
constexpr FieldSchema kConcatenationOptionsFields[] = {
    {"axis", 0, I32, false, false, -1, 0},
    {"fused_activation_function", 1, I8, false, false, 8, 0},
};
constexpr FieldSchema kAddOptionsFields[] = {
    {"fused_activation_function", 0, I8, false, false, 8, 0},
    {"pot_scale_int16", 1, Bool, false, false, -1, 1},
};
constexpr FieldSchema kMulOptionsFields[] = {
    {"fused_activation_function", 0, I8, false, false, 8, 0},
};
constexpr FieldSchema kL2NormOptionsFields[] = {
    {"fused_activation_function", 0, I8, false, false, 8, 0},
};
constexpr FieldSchema kLocalResponseNormalizationOptionsFields[] = {
    {"radius", 0, I32, false, false, -1, 0},
    {"bias", 1, F32, false, false, -1, 0},
    {"alpha", 2, F32, false, false, -1, 0},
    {"beta", 3, F32, false, false, -1, 0},
};
constexpr FieldSchema kLSTMOptionsFields[] = {
    {"fused_activation_function", 0, I8, false, false, 8, 0},
    {"cell_clip", 1, F32, false, false, -1, 0},
    {"proj_clip", 2, F32, false, false, -1, 0},
    {"kernel_type", 3, I8, false, false, 11, 0},
    {"asymmetric_quantize_inputs", 4, Bool, false, false, -1, 0},
};
constexpr FieldSchema kUnidirectionalSequenceLSTMOptionsFields[] = {
    {"fused_activation_function", 0, I8, false, false, 8, 0},
    {"cell_clip", 1, F32, false, false, -1, 0},
    {"proj_clip", 2, F32, false, false, -1, 0},
    {"time_major", 3, Bool, false, false, -1, 0},
    {"asymmetric_quantize_inputs", 4, Bool, false, false, -1, 0},
    {"diagonal_recurrent_tensors", 5, Bool, false, false, -1, 0},
};
constexpr FieldSchema kBidirectionalSequenceLSTMOptionsFields[] = {
    {"fused_activation_function", 0, I8, false, false, 8, 0},
    {"cell_clip", 1, F32, false, false, -1, 0},
    {"proj_clip", 2, F32, false, false, -1, 0},
    {"merge_outputs", 3, Bool, false, false, -1, 0},
    {"time_major", 4, Bool, false, false, -1, 1},
    {"asymmetric_quantize_inputs", 5, Bool, false, false, -1, 0},
};
constexpr FieldSchema kResizeBilinearOptionsFields[] = {
    {"new_height", 0, I32, false, true, -1, 0},
    {"new_width", 1, I32, false, true, -1, 0},
    {"align_corners", 2, Bool, false, false, -1, 0},
    {"half_pixel_centers", 3, Bool, false, false, -1, 0},
};
constexpr FieldSchema kResizeNearestNeighborOptionsFields[] = {
    {"align_corners", 0, Bool, false, false, -1, 0},
    {"half_pixel_centers", 1, Bool, false, false, -1, 0},
};
constexpr FieldSchema kCallOptionsFields[] = {
    {"subgraph", 0, U32, false, false, -1, 0},
};
constexpr FieldSchema kReshapeOptionsFields[] = {
    {"new_shape", 0, I32, true, false, -1, 0},
};
constexpr FieldSchema kSkipGramOptionsFields[] = {
    {"ngram_size", 0, I32, false, false, -1, 0},
    {"max_skip_size", 1, I32, false, false, -1, 0},
    {"include_all_ngrams", 2, Bool, false, false, -1, 0},
};
constexpr FieldSchema kSpaceToDepthOptionsFields[] = {
    {"block_size", 0, I32, false, false, -1, 0},
};
constexpr FieldSchema kDepthToSpaceOptionsFields[] = {
    {"block_size", 0, I32, false, false, -1, 0},
};
constexpr FieldSchema kSubOptionsFields[] = {
    {"fused_activation_function", 0, I8, false, false, 8, 0},
    {"pot_scale_int16", 1, Bool, false, false, -1, 1},
};
constexpr FieldSchema kDivOptionsFields[] = {
    {"fused_activation_function", 0, I8, false, false, 8, 0},
};
constexpr FieldSchema kEmbeddingLookupSparseOptionsFields[] = {
    {"combiner", 0, I8, false, false, 12, 0},
};
constexpr FieldSchema kGatherOptionsFields[] = {
    {"axis", 0, I32, false, false, -1, 0},
    {"batch_dims", 1, I32, false, false, -1, 0},
};
constexpr FieldSchema kReducerOptionsFields[] = {
    {"keep_dims", 0, Bool, false, false, -1, 0},
};
constexpr FieldSchema kSqueezeOptionsFields[] = {
    {"squeeze_dims", 0, I32, true, false, -1, 0},
};
constexpr FieldSchema kSplitOptionsFields[] = {
    {"num_splits", 0, I32, false, false, -1, 0},
};
constexpr FieldSchema kSplitVOptionsFields[] = {
    {"num_splits", 0, I32, false, false, -1, 0},
};
constexpr FieldSchema kStridedSliceOptionsFields[] = {
    {"begin_mask", 0, I32, false, false, -1, 0},       {"end_mask", 1, I32, false, false, -1, 0},
    {"ellipsis_mask", 2, I32, false, false, -1, 0},    {"new_axis_mask", 3, I32, false, false, -1, 0},
    {"shrink_axis_mask", 4, I32, false, false, -1, 0}, {"offset", 5, Bool, false, false, -1, 0},
};
constexpr FieldSchema kCastOptionsFields[] = {
    {"in_data_type", 0, I8, false, false, 0, 0},
    {"out_data_type", 1, I8, false, false, 0, 0},
};
constexpr FieldSchema kArgMaxOptionsFields[] = {
    {"output_type", 0, I8, false, false, 0, 0},
};
constexpr FieldSchema kArgMinOptionsFields[] = {
    {"output_type", 0, I8, false, false, 0, 0},
};
constexpr FieldSchema kTransposeConvOptionsFields[] = {
    {"padding", 0, I8, false, false, 7, 0},
    {"stride_w", 1, I32, false, false, -1, 0},
    {"stride_h", 2, I32, false, false, -1, 0},
    {"fused_activation_function", 3, I8, false, false, 8, 0},
    {"quantized_bias_type", 4, I8, false, false, 0, 0},
};
constexpr FieldSchema kSparseToDenseOptionsFields[] = {
    {"validate_indices", 0, Bool, false, false, -1, 0},
};
constexpr FieldSchema kShapeOptionsFields[] = {
    {"out_type", 0, I8, false, false, 0, 0},
};
constexpr FieldSchema kFakeQuantOptionsFields[] = {
    {"min", 0, F32, false, false, -1, 0},
    {"max", 1, F32, false, false, -1, 0},
    {"num_bits", 2, I32, false, false, -1, 0},
    {"narrow_range", 3, Bool, false, false, -1, 0},
};
constexpr FieldSchema kPackOptionsFields[] = {
    {"values_count", 0, I32, false, false, -1, 0},
    {"axis", 1, I32, false, false, -1, 0},
};
constexpr FieldSchema kOneHotOptionsFields[] = {
    {"axis", 0, I32, false, false, -1, 0},
};
constexpr FieldSchema kUnpackOptionsFields[] = {
    {"num", 0, I32, false, false, -1, 0},
    {"axis", 1, I32, false, false, -1, 0},
};
constexpr FieldSchema kLeakyReluOptionsFields[] = {
    {"alpha", 0, F32, false, false, -1, 0},
};
constexpr FieldSchema kMirrorPadOptionsFields[] = {
    {"mode", 0, I8, false, false, 13, 0},
};
constexpr FieldSchema kUniqueOptionsFields[] = {
    {"idx_out_type", 0, I8, false, false, 0, 2},
};
constexpr FieldSchema kReverseSequenceOptionsFields[] = {
    {"seq_dim", 0, I32, false, false, -1, 0},
    {"batch_dim", 1, I32, false, false, -1, 0},
};
constexpr FieldSchema kIfOptionsFields[] = {
    {"then_subgraph_index", 0, I32, false, false, -1, 0},
    {"else_subgraph_index", 1, I32, false, false, -1, 0},
};
constexpr FieldSchema kCallOnceOptionsFields[] = {
    {"init_subgraph_index", 0, I32, false, false, -1, 0},
};
constexpr FieldSchema kWhileOptionsFields[] = {
    {"cond_subgraph_index", 0, I32, false, false, -1, 0},
    {"body_subgraph_index", 1, I32, false, false, -1, 0},
};
constexpr FieldSchema kBatchMatMulOptionsFields[] = {
    {"adj_x", 0, Bool, false, false, -1, 0},
    {"adj_y", 1, Bool, false, false, -1, 0},
    {"asymmetric_quantize_inputs", 2, Bool, false, false, -1, 0},
};
constexpr FieldSchema kCumsumOptionsFields[] = {
    {"exclusive", 0, Bool, false, false, -1, 0},
    {"reverse", 1, Bool, false, false, -1, 0},
};
constexpr FieldSchema kHashtableOptionsFields[] = {
    {"table_id", 0, I32, false, false, -1, 0},
    {"key_dtype", 1, I8, false, false, 0, 0},
    {"value_dtype", 2, I8, false, false, 0, 0},
};
constexpr FieldSchema kVarHandleOptionsFields[] = {
    {"container", 0, String, false, false, -1, 0},
    {"shared_name", 1, String, false, false, -1, 0},
};
constexpr FieldSchema kRandomOptionsFields[] = {
    {"seed", 0, I64, false, false, -1, 0},
    {"seed2", 1, I64, false, false, -1, 0},
};
constexpr FieldSchema kBucketizeOptionsFields[] = {
    {"boundaries", 0, F32, true, false, -1, 0},
};
constexpr FieldSchema kGeluOptionsFields[] = {
    {"approximate", 0, Bool, false, false, -1, 0},
};
constexpr FieldSchema kOperatorCodeFields[] = {
    {"deprecated_builtin_code", 0, I8, false, false, -1, 0},
    {"custom_code", 1, String, false, false, -1, 0},
    {"version", 2, I32, false, false, -1, 1},
    {"builtin_code", 3, I32, false, false, 2, 0},
};
constexpr FieldSchema kStableHLOCompositeOptionsFields[] = {
    {"name", 0, String, false, false, -1, 0},
    {"decomposition_subgraph_index", 1, I32, false, false, -1, 0},
    {"composite_attributes", 2, U8, true, false, -1, 0},
    {"composite_attributes_format", 3, I8, false, false, 15, 0},
    {"version", 4, I32, false, false, -1, 0},
};
constexpr FieldSchema kOperatorFields[] = {
    {"opcode_index", 0, U32, false, false, -1, 0},
    {"inputs", 1, I32, true, false, -1, 0},
    {"outputs", 2, I32, true, false, -1, 0},
    {"builtin_options_type", 3, UnionTag, false, false, 2, 0},
    {"builtin_options", 4, UnionValue, false, false, 2, 0},
    {"custom_options", 5, U8, true, false, -1, 0},
    {"custom_options_format", 6, I8, false, false, 15, 0},
    {"mutating_variable_inputs", 7, Bool, true, false, -1, 0},
    {"intermediates", 8, I32, true, false, -1, 0},
    {"large_custom_options_offset", 9, U64, false, false, -1, 0},
    {"large_custom_options_size", 10, U64, false, false, -1, 0},
    {"builtin_options_2_type", 11, UnionTag, false, false, 3, 0},
    {"builtin_options_2", 12, UnionValue, false, false, 3, 0},
    {"debug_metadata_index", 13, I32, false, false, -1, -1},
};
constexpr FieldSchema kSubGraphFields[] = {
    {"tensors", 0, Table, true, false, 10, 0}, {"inputs", 1, I32, true, false, -1, 0},
    {"outputs", 2, I32, true, false, -1, 0},   {"operators", 3, Table, true, false, 160, 0},
    {"name", 4, String, false, false, -1, 0},  {"debug_metadata_index", 5, I32, false, false, -1, -1},
};
constexpr FieldSchema kBufferFields[] = {
    {"data", 0, U8, true, false, -1, 0},
    {"offset", 1, U64, false, false, -1, 0},
    {"size", 2, U64, false, false, -1, 0},
};
constexpr FieldSchema kExternalBufferGroupFields[] = {
    {"name", 0, String, false, false, -1, 0},
};
constexpr FieldSchema kExternalBufferFields[] = {
    {"id", 0, U32, false, false, -1, 0},         {"group", 1, U32, false, false, -1, 0},
    {"offset", 2, U64, false, false, -1, 0},     {"length", 3, U64, false, false, -1, 0},
    {"packing", 4, String, false, false, -1, 0},
};
constexpr FieldSchema kMetadataFields[] = {
    {"name", 0, String, false, false, -1, 0},
    {"buffer", 1, U32, false, false, -1, 0},
};
constexpr FieldSchema kTensorMapFields[] = {
    {"name", 0, String, false, false, -1, 0},
    {"tensor_index", 1, U32, false, false, -1, 0},
};
constexpr FieldSchema kSignatureDefFields[] = {
    {"inputs", 0, Table, true, false, 166, 0},         {"outputs", 1, Table, true, false, 166, 0},
    {"signature_key", 2, String, false, false, -1, 0}, {"deprecated_tag", 3, String, false, true, -1, 0},
    {"subgraph_index", 4, U32, false, false, -1, 0},
};
constexpr FieldSchema kModelFields[] = {
    {"version", 0, U32, false, false, -1, 0},
    {"operator_codes", 1, Table, true, false, 157, 0},
    {"subgraphs", 2, Table, true, false, 161, 0},
    {"description", 3, String, false, false, -1, 0},
    {"buffers", 4, Table, true, false, 162, 0},
    {"metadata_buffer", 5, I32, true, false, -1, 0},
    {"metadata", 6, Table, true, false, 165, 0},
    {"signature_defs", 7, Table, true, false, 167, 0},
    {"external_buffer_groups", 8, Table, true, false, 163, 0},
    {"external_buffers", 9, Table, true, false, 164, 0},
};
constexpr FieldSchema kReduceWindowOptionsFields[] = {
    {"reduce_function", 0, I32, false, false, 14, 0},
};
constexpr TableSchema kTables[] = {
    {"CustomQuantization", kCustomQuantizationFields},
    {"BlockwiseQuantization", kBlockwiseQuantizationFields},
    {"MultiAxisQuantization", kMultiAxisQuantizationFields},
    {"QuantizationParameters", kQuantizationParametersFields},
    {"Int32Vector", kInt32VectorFields},
    {"Uint16Vector", kUint16VectorFields},
    {"Uint8Vector", kUint8VectorFields},
    {"DimensionMetadata", kDimensionMetadataFields},
    {"SparsityParameters", kSparsityParametersFields},
    {"VariantSubType", kVariantSubTypeFields},
    {"Tensor", kTensorFields},
    {"StablehloGatherOptions", kStablehloGatherOptionsFields},
    {"StablehloTransposeOptions", kStablehloTransposeOptionsFields},
    {"StablehloDotGeneralOptions", kStablehloDotGeneralOptionsFields},
    {"StablehloReduceWindowOptions", kStablehloReduceWindowOptionsFields},
    {"StablehloWhileOptions", kStablehloWhileOptionsFields},
    {"StablehloSortOptions", kStablehloSortOptionsFields},
    {"StablehloConcatenateOptions", kStablehloConcatenateOptionsFields},
    {"StablehloBroadcastInDimOptions", kStablehloBroadcastInDimOptionsFields},
    {"StablehloCompareOptions", kStablehloCompareOptionsFields},
    {"StablehloDynamicSliceOptions", kStablehloDynamicSliceOptionsFields},
    {"StablehloPadOptions", kStablehloPadOptionsFields},
    {"StablehloIotaOptions", kStablehloIotaOptionsFields},
    {"StablehloCustomCallOptions", kStablehloCustomCallOptionsFields},
    {"StablehloReduceOptions", kStablehloReduceOptionsFields},
    {"StablehloSliceOptions", kStablehloSliceOptionsFields},
    {"StablehloConvolutionOptions", kStablehloConvolutionOptionsFields},
    {"StablehloScatterOptions", kStablehloScatterOptionsFields},
    {"StablehloCaseOptions", kStablehloCaseOptionsFields},
    {"StablehloRngBitGeneratorOptions", kStablehloRngBitGeneratorOptionsFields},
    {"Conv2DOptions", kConv2DOptionsFields},
    {"Conv3DOptions", kConv3DOptionsFields},
    {"Pool2DOptions", kPool2DOptionsFields},
    {"DepthwiseConv2DOptions", kDepthwiseConv2DOptionsFields},
    {"ConcatEmbeddingsOptions", kConcatEmbeddingsOptionsFields},
    {"LSHProjectionOptions", kLSHProjectionOptionsFields},
    {"SVDFOptions", kSVDFOptionsFields},
    {"RNNOptions", kRNNOptionsFields},
    {"SequenceRNNOptions", kSequenceRNNOptionsFields},
    {"BidirectionalSequenceRNNOptions", kBidirectionalSequenceRNNOptionsFields},
    {"FullyConnectedOptions", kFullyConnectedOptionsFields},
    {"SoftmaxOptions", kSoftmaxOptionsFields},
    {"ConcatenationOptions", kConcatenationOptionsFields},
    {"AddOptions", kAddOptionsFields},
    {"MulOptions", kMulOptionsFields},
    {"L2NormOptions", kL2NormOptionsFields},
    {"LocalResponseNormalizationOptions", kLocalResponseNormalizationOptionsFields},
    {"LSTMOptions", kLSTMOptionsFields},
    {"UnidirectionalSequenceLSTMOptions", kUnidirectionalSequenceLSTMOptionsFields},
    {"BidirectionalSequenceLSTMOptions", kBidirectionalSequenceLSTMOptionsFields},
    {"ResizeBilinearOptions", kResizeBilinearOptionsFields},
    {"ResizeNearestNeighborOptions", kResizeNearestNeighborOptionsFields},
    {"CallOptions", kCallOptionsFields},
    {"PadOptions", {}},
    {"PadV2Options", {}},
    {"ReshapeOptions", kReshapeOptionsFields},
    {"SpaceToBatchNDOptions", {}},
    {"BatchToSpaceNDOptions", {}},
    {"SkipGramOptions", kSkipGramOptionsFields},
    {"SpaceToDepthOptions", kSpaceToDepthOptionsFields},
    {"DepthToSpaceOptions", kDepthToSpaceOptionsFields},
    {"SubOptions", kSubOptionsFields},
    {"DivOptions", kDivOptionsFields},
    {"TopKV2Options", {}},
    {"EmbeddingLookupSparseOptions", kEmbeddingLookupSparseOptionsFields},
    {"GatherOptions", kGatherOptionsFields},
    {"TransposeOptions", {}},
    {"ExpOptions", {}},
    {"CosOptions", {}},
    {"ReducerOptions", kReducerOptionsFields},
    {"SqueezeOptions", kSqueezeOptionsFields},
    {"SplitOptions", kSplitOptionsFields},
    {"SplitVOptions", kSplitVOptionsFields},
    {"StridedSliceOptions", kStridedSliceOptionsFields},
    {"LogSoftmaxOptions", {}},
    {"CastOptions", kCastOptionsFields},
    {"DequantizeOptions", {}},
    {"MaximumMinimumOptions", {}},
    {"TileOptions", {}},
    {"ArgMaxOptions", kArgMaxOptionsFields},
    {"ArgMinOptions", kArgMinOptionsFields},
    {"GreaterOptions", {}},
    {"GreaterEqualOptions", {}},
    {"LessOptions", {}},
    {"LessEqualOptions", {}},
    {"NegOptions", {}},
    {"SelectOptions", {}},
    {"SliceOptions", {}},
    {"TransposeConvOptions", kTransposeConvOptionsFields},
    {"ExpandDimsOptions", {}},
    {"SparseToDenseOptions", kSparseToDenseOptionsFields},
    {"EqualOptions", {}},
    {"NotEqualOptions", {}},
    {"ShapeOptions", kShapeOptionsFields},
    {"RankOptions", {}},
    {"PowOptions", {}},
    {"FakeQuantOptions", kFakeQuantOptionsFields},
    {"PackOptions", kPackOptionsFields},
    {"LogicalOrOptions", {}},
    {"OneHotOptions", kOneHotOptionsFields},
    {"AbsOptions", {}},
    {"HardSwishOptions", {}},
    {"LogicalAndOptions", {}},
    {"LogicalNotOptions", {}},
    {"UnpackOptions", kUnpackOptionsFields},
    {"FloorDivOptions", {}},
    {"SquareOptions", {}},
    {"ZerosLikeOptions", {}},
    {"FillOptions", {}},
    {"FloorModOptions", {}},
    {"RangeOptions", {}},
    {"LeakyReluOptions", kLeakyReluOptionsFields},
    {"SquaredDifferenceOptions", {}},
    {"MirrorPadOptions", kMirrorPadOptionsFields},
    {"UniqueOptions", kUniqueOptionsFields},
    {"ReverseV2Options", {}},
    {"AddNOptions", {}},
    {"GatherNdOptions", {}},
    {"WhereOptions", {}},
    {"ReverseSequenceOptions", kReverseSequenceOptionsFields},
    {"MatrixDiagOptions", {}},
    {"QuantizeOptions", {}},
    {"MatrixSetDiagOptions", {}},
    {"IfOptions", kIfOptionsFields},
    {"CallOnceOptions", kCallOnceOptionsFields},
    {"WhileOptions", kWhileOptionsFields},
    {"NonMaxSuppressionV4Options", {}},
    {"NonMaxSuppressionV5Options", {}},
    {"ScatterNdOptions", {}},
    {"SelectV2Options", {}},
    {"DensifyOptions", {}},
    {"SegmentSumOptions", {}},
    {"BatchMatMulOptions", kBatchMatMulOptionsFields},
    {"CumsumOptions", kCumsumOptionsFields},
    {"BroadcastToOptions", {}},
    {"Rfft2dOptions", {}},
    {"HashtableOptions", kHashtableOptionsFields},
    {"HashtableFindOptions", {}},
    {"HashtableImportOptions", {}},
    {"HashtableSizeOptions", {}},
    {"VarHandleOptions", kVarHandleOptionsFields},
    {"ReadVariableOptions", {}},
    {"AssignVariableOptions", {}},
    {"RandomOptions", kRandomOptionsFields},
    {"BucketizeOptions", kBucketizeOptionsFields},
    {"GeluOptions", kGeluOptionsFields},
    {"DynamicUpdateSliceOptions", {}},
    {"UnsortedSegmentProdOptions", {}},
    {"UnsortedSegmentMaxOptions", {}},
    {"UnsortedSegmentSumOptions", {}},
    {"ATan2Options", {}},
    {"UnsortedSegmentMinOptions", {}},
    {"SignOptions", {}},
    {"BitcastOptions", {}},
    {"BitwiseXorOptions", {}},
    {"RightShiftOptions", {}},
    {"DilateOptions", {}},
    {"OperatorCode", kOperatorCodeFields},
    {"StableHLOCompositeOptions", kStableHLOCompositeOptionsFields},
    {"StablehloShiftLeftOptions", {}},
    {"Operator", kOperatorFields},
    {"SubGraph", kSubGraphFields},
    {"Buffer", kBufferFields},
    {"ExternalBufferGroup", kExternalBufferGroupFields},
    {"ExternalBuffer", kExternalBufferFields},
    {"Metadata", kMetadataFields},
    {"TensorMap", kTensorMapFields},
    {"SignatureDef", kSignatureDefFields},
    {"Model", kModelFields},
    {"ReduceWindowOptions", kReduceWindowOptionsFields},
};

}  // namespace

std::span<const TableSchema> tables() {
  return kTables;
}
std::span<const Union> unions() {
  return kUnions;
}
std::span<const Enumeration> enumerations() {
  return kEnumerations;
}

}  // namespace npubin::tflite::schema
