// Batch, instance and L2 normalisation of float32.
#include <algorithm>
#include <cmath>

#include "exec/fast/kernels_f32.h"
#include "exec/fast/parallel.h"
#include "exec/fast/sizes.h"
#include "exec/fast/step.h"

namespace npubin::exec::fast {
namespace {

using graph::DataLayout;
using graph::NormalizationAttributes;
using graph::Op;

// Channels last, or planes of one channel each.
struct ChannelImage {
  std::size_t n, area, channels;
  bool planes;
};

ChannelImage channel_image(const Shape& s, DataLayout layout) {
  const auto d = [&](std::size_t k) { return to_size(s[k]); };
  if (layout == DataLayout::Nchw) return {d(0), d(2) * d(3), d(1), true};
  return {d(0), d(1) * d(2), d(3), false};
}

// out = factor[c] * in + addend[c], the product rounded first, as the reference rounds it.
void scale_channels(const ChannelImage& image, const float* in, const float* factor, const float* addend,
                    float* out) {
  if (image.planes) {
    for (std::size_t c = 0; c < image.channels; ++c, in += image.area, out += image.area) {
      binary(Binary::Mul, in, image.area, factor + c, 1, out, image.area);
      binary(Binary::Add, out, image.area, addend + c, 1, out, image.area);
    }
    return;
  }
  constexpr std::size_t kBlock = 4096;  // numbers that stay in the nearest cache
  const std::size_t pixels = std::max<std::size_t>(kBlock / image.channels, 1);
  for (std::size_t p = 0; p < image.area; p += pixels) {
    const std::size_t count = std::min(pixels, image.area - p) * image.channels;
    binary(Binary::Mul, in, count, factor, image.channels, out, count);
    binary(Binary::Add, out, count, addend, image.channels, out, count);
    in += count;
    out += count;
  }
}

class BatchNormalizationStep : public Step {
 public:
  BatchNormalizationStep(const graph::Node& node, const ChannelImage& image, std::vector<float> factors,
                         std::vector<float> addends)
      : node_(node), image_(image), factors_(std::move(factors)), addends_(std::move(addends)) {}
  std::string kernel() const override { return "own normalization"; }
  bool in_place(std::size_t k) const override { return k == 0; }
  Result<void> run(const Frame& frame) const override {
    const float* in = frame.in<float>(node_.inputs[0]);
    float* out = frame.out<float>(node_.outputs[0]);
    const std::size_t size = image_.area * image_.channels;
    for (std::size_t n = 0; n < image_.n; ++n)
      scale_channels(image_, in + n * size, factors_.data(), addends_.data(), out + n * size);
    return {};
  }

 private:
  const graph::Node& node_;
  ChannelImage image_;
  std::vector<float> factors_, addends_;
};

// Of images with channels last, means and variances of all channels are found side by side.
class InstanceNormalizationStep : public Step {
 public:
  InstanceNormalizationStep(const graph::Node& node, const ChannelImage& image)
      : node_(node), a_(node.attr<NormalizationAttributes>()), image_(image) {}
  std::string kernel() const override { return "own normalization"; }
  std::size_t scratch_bytes() const override { return 2 * image_.channels * sizeof(float); }

  Result<void> run(const Frame& frame) const override {
    const float* in = frame.in<float>(node_.inputs[0]);
    float* out = frame.out<float>(node_.outputs[0]);
    auto* const means = reinterpret_cast<float*>(frame.scratch);
    float* const divisors = means + image_.channels;
    const std::size_t size = image_.area * image_.channels;
    for (std::size_t n = 0; n < image_.n; ++n, in += size, out += size) {
      measure(in, means, divisors);
      const std::size_t outer = image_.planes ? image_.channels : image_.area,
                        inner = image_.planes ? image_.area : image_.channels;
      for (std::size_t o = 0, at = 0; o < outer; ++o)
        for (std::size_t i = 0; i < inner; ++i, ++at) {
          const std::size_t c = image_.planes ? o : i;
          out[at] = (in[at] - means[c]) * a_.gamma / divisors[c] + a_.beta;
        }
    }
    return {};
  }

 private:
  // Adds f(number, channel) to sums[channel], pixel after pixel.
  template <class F>
  void add_up(const float* in, float* sums, F f) const {
    std::fill_n(sums, image_.channels, 0.0f);
    if (image_.planes) {
      for (std::size_t c = 0; c < image_.channels; ++c)
        for (std::size_t p = 0; p < image_.area; ++p) sums[c] += f(*in++, c);
    } else {
      for (std::size_t p = 0; p < image_.area; ++p, in += image_.channels)
        for (std::size_t c = 0; c < image_.channels; ++c) sums[c] += f(in[c], c);
    }
  }

  void measure(const float* in, float* means, float* divisors) const {
    const auto area = static_cast<float>(image_.area);
    add_up(in, means, [](float x, std::size_t) { return x; });
    for (std::size_t c = 0; c < image_.channels; ++c) means[c] /= area;
    add_up(in, divisors, [&](float x, std::size_t c) { return (x - means[c]) * (x - means[c]); });
    for (std::size_t c = 0; c < image_.channels; ++c)
      divisors[c] = std::sqrt(divisors[c] / area + a_.epsilon);
  }

  const graph::Node& node_;
  NormalizationAttributes a_;
  ChannelImage image_;
};

// Rows of the last axis.
class L2NormalizationStep : public Step {
 public:
  L2NormalizationStep(const graph::Node& node, std::size_t rows, std::size_t length, bool in_order)
      : node_(node), rows_(rows), length_(length), in_order_(in_order) {}
  std::string kernel() const override { return "own normalization"; }
  bool in_place(std::size_t) const override { return true; }
  Result<void> run(const Frame& frame) const override {
    const float* in = frame.in<float>(node_.inputs[0]);
    float* out = frame.out<float>(node_.outputs[0]);
    const bool tflite = node_.rules == graph::Rules::Tflite;
    const float epsilon = tflite ? 0 : node_.attr<NormalizationAttributes>().epsilon;
    for (std::size_t r = 0; r < rows_; ++r, in += length_, out += length_) {
      const float sum = squares(in);
      const float factor =
          tflite ? std::max(std::sqrt(sum), 1e-6f) : 1.0f / std::sqrt(std::max(sum, epsilon));
      binary(tflite ? Binary::Div : Binary::Mul, in, length_, &factor, 1, out, length_);
    }
    return {};
  }

 private:
  float squares(const float* in) const {
    constexpr std::size_t kSideBySide = 16;
    float side[kSideBySide] = {};
    std::size_t i = 0;
    for (; !in_order_ && i + kSideBySide <= length_; i += kSideBySide)
      for (std::size_t k = 0; k < kSideBySide; ++k) side[k] += in[i + k] * in[i + k];
    float sum = 0;
    for (float part : side) sum += part;
    for (; i < length_; ++i) sum += in[i] * in[i];
    return sum;
  }

  const graph::Node& node_;
  std::size_t rows_, length_;
  bool in_order_;
};

// Operands: input, mean, variance, beta, gamma (armnn spec 3).
std::unique_ptr<Step> make_batch_normalization(const Draft& draft, const graph::Node& node) {
  if (node.inputs.size() != 5) return nullptr;
  for (std::size_t k = 1; k < 5; ++k)
    if (!draft.is_constant(node.inputs[k]) || draft.value(node.inputs[k]).type != DType::F32) return nullptr;
  const auto& a = node.attr<NormalizationAttributes>();
  if (a.activation.function != graph::Activation::None) return nullptr;
  const ChannelImage image = channel_image(draft.value(node.inputs[0]).shape, a.layout);
  const auto operand = [&](std::size_t k) { return draft.value(node.inputs[k]).constant->as<float>(); };
  std::vector<float> factors, addends;
  for (std::size_t c = 0; c < image.channels; ++c) {
    factors.push_back(operand(4)[c] / std::sqrt(operand(2)[c] + a.epsilon));
    addends.push_back(operand(3)[c] - factors.back() * operand(1)[c]);
  }
  return std::make_unique<BatchNormalizationStep>(node, image, std::move(factors), std::move(addends));
}

std::unique_ptr<Step> make_l2(const Draft& draft, const DraftNode& entry) {
  const graph::Node& node = entry.node;
  const Shape& shape = draft.value(node.inputs[0]).shape;
  const auto* a = std::get_if<NormalizationAttributes>(&node.attributes);
  const bool tflite = node.rules == graph::Rules::Tflite;
  if (!tflite && (a == nullptr || a->layout != DataLayout::Nhwc)) return nullptr;
  const std::size_t length = to_size(shape.back());
  return std::make_unique<L2NormalizationStep>(node, to_size(count_of(shape)) / length, length,
                                               entry.in_order);
}

}  // namespace

std::unique_ptr<Step> make_normalization(const Draft& draft, const DraftNode& entry) {
  const graph::Node& node = entry.node;
  if (!entry.post.empty() || node.inputs.empty() || node.outputs.size() != 1) return nullptr;
  const graph::Value &in = draft.value(node.inputs[0]), &out = draft.value(node.outputs[0]);
  if (in.type != DType::F32 || out.type != DType::F32 || in.shape.empty() || count_of(in.shape) == 0)
    return nullptr;
  switch (node.op) {
    case Op::BatchNormalization:
      return in.shape.size() == 4 ? make_batch_normalization(draft, node) : nullptr;
    case Op::InstanceNormalization:
      if (in.shape.size() != 4) return nullptr;
      return std::make_unique<InstanceNormalizationStep>(
          node, channel_image(in.shape, node.attr<NormalizationAttributes>().layout));
    case Op::L2Normalization:
      return make_l2(draft, entry);
    default:
      return nullptr;
  }
}

}  // namespace npubin::exec::fast
