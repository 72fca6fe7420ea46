// Layers with weights or windows: convolutions, products, pooling, normalisations.
#include <fmt/format.h>

#include "formats/armnn/layer_import.h"

namespace npubin::armnn::importers {
namespace {

using namespace npubin::graph;

void convolution_attributes(LayerImport& at, ConvAttributes& out, bool dilated) {
  out.padding = at.padding();
  out.stride_x = at.descriptor.u32("strideX");
  out.stride_y = at.descriptor.u32("strideY");
  if (dilated) {
    // A descriptor of before 2019-05 has no dilation fields: 1.
    out.dilation_x = at.descriptor.row("dilationX") != nullptr ? at.descriptor.u32("dilationX") : 1;
    out.dilation_y = at.descriptor.row("dilationY") != nullptr ? at.descriptor.u32("dilationY") : 1;
  }
  out.layout = at.data_layout();
  if (out.stride_x == 0 || out.stride_y == 0)
    at.error("ARM-0403", "strideX",
             fmt::format("stride is {} x {} (y x x); it has to be at least 1", out.stride_y, out.stride_x));
  if (out.dilation_x == 0 || out.dilation_y == 0)
    at.error(
        "ARM-0403", "dilationX",
        fmt::format("dilation is {} x {} (y x x); it has to be at least 1", out.dilation_y, out.dilation_x));
}

}  // namespace

void convolution(LayerImport& at) {
  at.add_weights_and_bias(at.descriptor.flag("biasEnabled"));
  ConvAttributes out;
  convolution_attributes(at, out, true);
  at.node.op = Op::Conv2d;
  at.node.attributes = out;
}

void depthwise_convolution(LayerImport& at) {
  at.add_weights_and_bias(at.descriptor.flag("biasEnabled"));
  ConvAttributes out;
  convolution_attributes(at, out, true);
  const bool new_order = at.list.schemes.weights_layout > 0;
  out.depthwise_weights = new_order ? DepthwiseWeights::Hwim1 : DepthwiseWeights::Mihw;
  const Value* weights = at.input(1);
  const Value* input = at.input(0);
  if (weights != nullptr && input != nullptr && weights->shape.size() == 4 && input->shape.size() == 4) {
    const std::int64_t channels = input->shape[out.layout == DataLayout::Nhwc ? 3 : 1];
    out.depth_multiplier =
        static_cast<std::uint32_t>(new_order ? weights->shape[3] / channels : weights->shape[0]);
    // 21.08 keeps the scales of dimension 0 on some paths; I*M of them can only mean the output channels.
    Value& stored = at.graph.value(at.node.inputs[1]);
    if (new_order && stored.quantization.per_axis() && stored.quantization.axis == 0 &&
        static_cast<std::int64_t>(stored.quantization.scales.size()) == weights->shape[3]) {
      stored.quantization.axis = 3;
      if (stored.constant) stored.constant->set_quantization(stored.quantization);
    }
  }
  at.node.op = Op::DepthwiseConv2d;
  at.node.attributes = out;
}

void transpose_convolution(LayerImport& at) {
  at.add_weights_and_bias(at.descriptor.flag("biasEnabled"));
  ConvAttributes out;
  convolution_attributes(at, out, false);
  at.node.op = Op::TransposeConv2d;
  at.node.attributes = out;
}

void fully_connected(LayerImport& at) {
  at.add_weights_and_bias(at.descriptor.flag("biasEnabled"));
  FullyConnectedAttributes out;
  out.weights_transposed = at.descriptor.flag("transposeWeightsMatrix");
  at.node.op = Op::FullyConnected;
  at.node.attributes = out;
}

void batch_mat_mul(LayerImport& at) {
  // The adjoint equals the transpose for the real numbers that there are, but has a path of its own in Arm
  // NN.
  if (at.descriptor.flag("adjointX") || at.descriptor.flag("adjointY")) return;
  at.node.op = Op::BatchMatMul;
  at.node.attributes =
      BatchMatMulAttributes{at.descriptor.flag("transposeX"), at.descriptor.flag("transposeY")};
}

void pooling(LayerImport& at) {
  const TableView& d = at.descriptor;
  PoolAttributes out;
  constexpr PoolAlgorithm kAlgorithms[] = {PoolAlgorithm::Max, PoolAlgorithm::Average, PoolAlgorithm::L2};
  const std::int32_t type = d.enumeration("poolType");
  if (type >= 0 && type < 3) out.algorithm = kAlgorithms[type];
  out.padding = at.padding();
  out.size_x = d.u32("poolWidth");
  out.size_y = d.u32("poolHeight");
  out.stride_x = d.u32("strideX");
  out.stride_y = d.u32("strideY");
  out.padding_counts = d.enumeration("paddingMethod") == 0;  // IgnoreValue
  out.ceiling = d.enumeration("outputShapeRounding") == 1;
  out.layout = at.data_layout();
  const bool global = out.stride_x == 0 && out.stride_y == 0;
  if (!global && (out.size_x == 0 || out.size_y == 0 || out.stride_x == 0 || out.stride_y == 0))
    at.error("ARM-0403", "poolWidth",
             fmt::format(
                 "pool {} x {} with stride {} x {} (y x x); only strides of 0 and 0 mean the whole picture",
                 out.size_y, out.size_x, out.stride_y, out.stride_x));
  at.node.op = Op::Pool2d;
  at.node.attributes = out;
}

void normalization(LayerImport& at) {
  const TableView& d = at.descriptor;
  LocalResponseAttributes out;
  out.across_channels = d.enumeration("normChannelType") == 0;
  out.local_contrast = d.enumeration("normMethodType") == 1;
  out.norm_size = d.u32("normSize");
  out.radius = out.norm_size / 2;
  out.alpha = d.f32("alpha");
  out.beta = d.f32("beta");
  out.k = d.f32("k");
  out.layout = at.data_layout();
  if (out.local_contrast)
    at.error("ARM-0408", "normMethodType",
             "LocalContrast: the reference warns and leaves the output unwritten",
             "no Arm NN backend computes it; use LocalBrightness");
  at.node.op = Op::LocalResponseNormalization;
  at.node.attributes = out;
}

void l2_normalization(LayerImport& at) {
  NormalizationAttributes out;
  out.epsilon = at.descriptor.f32("eps");
  out.layout = at.data_layout();
  at.node.op = Op::L2Normalization;
  at.node.attributes = out;
}

void batch_normalization(LayerImport& at) {
  NormalizationAttributes out;
  out.epsilon = at.descriptor.f32("eps");
  out.layout = at.data_layout();
  for (const char* member : {"mean", "variance", "beta", "gamma"})
    at.node.inputs.push_back(at.constant(member, true));
  at.node.op = Op::BatchNormalization;
  at.node.attributes = out;
}

void instance_normalization(LayerImport& at) {
  NormalizationAttributes out;
  out.gamma = at.descriptor.f32("gamma");
  out.beta = at.descriptor.f32("beta");
  out.epsilon = at.descriptor.f32("eps");
  out.layout = at.data_layout();
  at.node.op = Op::InstanceNormalization;
  at.node.attributes = out;
}

void detection_post_process(LayerImport& at) {
  const TableView& d = at.descriptor;
  DetectionAttributes out;
  out.max_detections = static_cast<std::int32_t>(d.u32("maxDetections"));
  out.max_classes_per_detection = static_cast<std::int32_t>(d.u32("maxClassesPerDetection"));
  out.detections_per_class = static_cast<std::int32_t>(d.u32("detectionsPerClass"));
  out.score_threshold = d.f32("nmsScoreThreshold");
  out.iou_threshold = d.f32("nmsIouThreshold");
  out.num_classes = static_cast<std::int32_t>(d.u32("numClasses"));
  out.regular_nms = d.flag("useRegularNms");
  out.scale_x = d.f32("scaleX");
  out.scale_y = d.f32("scaleY");
  out.scale_w = d.f32("scaleW");
  out.scale_h = d.f32("scaleH");
  at.node.inputs.push_back(at.constant("anchors", true));
  at.node.op = Op::DetectionPostProcess;
  at.node.attributes = out;
}

}  // namespace npubin::armnn::importers
