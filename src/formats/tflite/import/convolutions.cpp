// Attributes of windows and products. tflite spec 2 (padding) and 5.
#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "formats/tflite/import/operator_import.h"

namespace npubin::tflite {
namespace {

using namespace graph;

// Larger values would overflow the arithmetic of any runtime.
constexpr std::int64_t kLargestStep = 1 << 20;

bool positive(const OperatorImport& op, std::string_view field, std::uint32_t& out) {
  const std::int64_t value = op.option(field);
  if (value < 1 || value > kLargestStep)
    return op.error("TFL-0204", fmt::format("{} is {}", field, value), "it must be 1 or more");
  out = static_cast<std::uint32_t>(value);
  return true;
}

struct Axis {
  std::int64_t in, kernel, stride, dilation;
};

// tflite spec 2: SAME and VALID as explicit padding, the odd one after.
void resolve(bool same, const Axis& axis, std::uint32_t& before, std::uint32_t& after) {
  before = after = 0;
  if (!same) return;
  const std::int64_t effective = (axis.kernel - 1) * axis.dilation + 1;
  const std::int64_t out = (axis.in + axis.stride - 1) / axis.stride;
  const std::int64_t total = std::clamp<std::int64_t>((out - 1) * axis.stride + effective - axis.in, 0,
                                                      std::numeric_limits<std::int32_t>::max());
  before = static_cast<std::uint32_t>(total / 2);
  after = static_cast<std::uint32_t>(total - total / 2);
}

bool padding(const OperatorImport& op, const Axis& y, const Axis& x, Padding& out) {
  const std::int64_t code = op.option("padding");
  if (code != 0 && code != 1)
    return op.error("TFL-0204", fmt::format("padding is {}; 0 is SAME, 1 is VALID", code));
  resolve(code == 0, y, out.top, out.bottom);
  resolve(code == 0, x, out.left, out.right);
  return true;
}

bool rank_4(const OperatorImport& op, const Value& value, std::string_view what) {
  if (value.shape.size() == 4) return true;
  return op.error("TFL-0206", fmt::format("its {} has the shape {}; 4 dimensions are needed", what,
                                          to_string(value.shape)));
}

bool conv_steps(const OperatorImport& op, ConvAttributes& out, bool dilated) {
  if (!positive(op, "stride_h", out.stride_y) || !positive(op, "stride_w", out.stride_x)) return false;
  if (dilated && (!positive(op, "dilation_h_factor", out.dilation_y) ||
                  !positive(op, "dilation_w_factor", out.dilation_x)))
    return false;
  return op.fused_activation(out.activation);
}

bool conv_padding(const OperatorImport& op, const Value& image, const Value& weights, ConvAttributes& out) {
  if (!rank_4(op, image, "image") || !rank_4(op, weights, "filter")) return false;
  return padding(op, {image.shape[1], weights.shape[1], out.stride_y, out.dilation_y},
                 {image.shape[2], weights.shape[2], out.stride_x, out.dilation_x}, out.padding);
}

}  // namespace

bool import_conv(const OperatorImport& op) {
  ConvAttributes out;
  if (!conv_steps(op, out, true) || !conv_padding(op, *op.input(0), *op.input(1), out)) return false;
  op.node().attributes = out;
  return true;
}

bool import_depthwise(const OperatorImport& op) {
  ConvAttributes out;
  if (!conv_steps(op, out, true) || !conv_padding(op, *op.input(0), *op.input(1), out)) return false;
  // The option is only a repetition: runtimes divide the channels, and so do files that leave it 0.
  const std::int64_t channels = op.input(0)->shape[3], filters = op.input(1)->shape[3];
  if (channels < 1 || filters % channels != 0)
    return op.error("TFL-0206", fmt::format("{} filters do not divide among {} channels", filters, channels));
  out.depth_multiplier = static_cast<std::uint32_t>(filters / channels);
  const std::int64_t stated = op.option("depth_multiplier");
  if (stated != 0 && stated != out.depth_multiplier)
    return op.error("TFL-0204", fmt::format("depth_multiplier is {}; the filter has {} per channel", stated,
                                            out.depth_multiplier));
  op.node().attributes = out;
  return true;
}

// tflite spec 5: the padding is that of a forward convolution over the output.
bool import_transpose_conv(const OperatorImport& op) {
  ConvAttributes out;
  if (!conv_steps(op, out, false) || !conv_padding(op, op.output(0), *op.input(1), out)) return false;
  op.node().attributes = out;
  if (op.input(0)->constant) {
    const auto shape = op.constant_integers(0, "output shape");
    if (!shape) return false;
    if (*shape != op.output(0).shape)
      return op.error("TFL-0208",
                      fmt::format("its operand asks for the shape {}; the output is declared as {}",
                                  to_string(*shape), to_string(op.output(0).shape)));
  }
  return true;
}

bool import_fully_connected(const OperatorImport& op) {
  if (op.option("weights_format") != 0) return op.unsupported("shuffled weights");
  FullyConnectedAttributes out;
  out.keep_num_dims = op.option("keep_num_dims") != 0;
  if (!op.fused_activation(out.activation)) return false;
  op.node().attributes = out;
  return true;
}

bool import_batch_matmul(const OperatorImport& op) {
  op.node().attributes = BatchMatMulAttributes{op.option("adj_x") != 0, op.option("adj_y") != 0};
  return true;
}

bool import_pool(const OperatorImport& op) {
  PoolAttributes out;
  const std::int32_t builtin = op.op().code->builtin;
  out.algorithm = builtin == 1    ? PoolAlgorithm::Average
                  : builtin == 12 ? PoolAlgorithm::L2
                                  : PoolAlgorithm::Max;
  if (!positive(op, "stride_h", out.stride_y) || !positive(op, "stride_w", out.stride_x)) return false;
  if (!positive(op, "filter_height", out.size_y) || !positive(op, "filter_width", out.size_x)) return false;
  if (!op.fused_activation(out.activation) || !rank_4(op, *op.input(0), "image")) return false;
  const Shape& image = op.input(0)->shape;
  if (!padding(op, {image[1], out.size_y, out.stride_y, 1}, {image[2], out.size_x, out.stride_x, 1},
               out.padding))
    return false;
  op.node().attributes = out;
  return true;
}

bool import_svdf(const OperatorImport& op) {
  SvdfAttributes out;
  const std::int64_t rank = op.option("rank");
  if (rank < 1 || rank > kLargestStep) return op.error("TFL-0204", fmt::format("its rank is {}", rank));
  out.rank = static_cast<std::int32_t>(rank);
  if (!op.fused_activation(out.activation)) return false;
  op.node().attributes = out;
  return true;
}

bool import_local_response(const OperatorImport& op) {
  LocalResponseAttributes out;
  const std::int64_t radius = op.option("radius");
  if (radius < 0 || radius > kLargestStep)
    return op.error("TFL-0204", fmt::format("its radius is {}", radius));
  out.radius = static_cast<std::uint32_t>(radius);
  out.norm_size = 2 * out.radius + 1;
  out.alpha = op.real_option("alpha");
  out.beta = op.real_option("beta");
  out.k = op.real_option("bias");
  op.node().attributes = out;
  return true;
}

}  // namespace npubin::tflite
