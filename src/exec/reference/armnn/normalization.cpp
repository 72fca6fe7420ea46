// Normalization (local response), L2Normalization, BatchNormalization, InstanceNormalization (armnn spec 3).
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "exec/reference/armnn/image.h"
#include "exec/reference/armnn/kernels.h"
#include "exec/reference/armnn/limits.h"
#include "exec/reference/armnn/numeric.h"

namespace npubin::exec::armnn {
namespace {

using graph::LocalResponseAttributes;
using graph::NormalizationAttributes;

std::string same_shape_image_limits(const graph::Graph& graph, const graph::Node& node, std::size_t operands,
                                    std::size_t least_rank) {
  Limits check(graph, node);
  if (check.operands(operands, operands) && check.numeric() && check.one_type() &&
      check.rank_of_input(0, least_rank, 4))
    check.output_shape(check.in(0).shape);
  return check.why();
}

// Indices within `radius` of `at`, cut to [0, size).
struct Range {
  std::size_t first, last;
};
Range around(std::size_t at, std::size_t radius, std::size_t size) {
  return {at < radius ? 0 : at - radius, radius >= size - at ? size - 1 : at + radius};
}

void across_channels(const LocalResponseAttributes& a, const Image& image, const WorkVector<float>& input,
                     WorkVector<float>& result) {
  for (std::size_t n = 0; n < image.n; ++n)
    for (std::size_t y = 0; y < image.h; ++y)
      for (std::size_t x = 0; x < image.w; ++x)
        for (std::size_t c = 0; c < image.c; ++c) {
          const Range range = around(c, a.radius, image.c);
          float sum = 0;
          for (std::size_t k = range.first; k <= range.last; ++k) {
            const float value = input[image.index(n, k, y, x)];
            sum += value * value;
          }
          const float scale = std::pow(a.k + a.alpha * sum, -a.beta);
          result[image.index(n, c, y, x)] = input[image.index(n, c, y, x)] * scale;
        }
}

void within_channel(const LocalResponseAttributes& a, const Image& image, const WorkVector<float>& input,
                    WorkVector<float>& result) {
  for (std::size_t n = 0; n < image.n; ++n)
    for (std::size_t c = 0; c < image.c; ++c)
      for (std::size_t y = 0; y < image.h; ++y)
        for (std::size_t x = 0; x < image.w; ++x) {
          const Range rows = around(y, a.radius, image.h), columns = around(x, a.radius, image.w);
          float sum = 0;
          for (std::size_t v = rows.first; v <= rows.last; ++v)
            for (std::size_t u = columns.first; u <= columns.last; ++u) {
              const float value = input[image.index(n, c, v, u)];
              sum += value * value;
            }
          const float divisor = std::pow(a.k + a.alpha * sum, a.beta);
          result[image.index(n, c, y, x)] = input[image.index(n, c, y, x)] / divisor;
        }
}

}  // namespace

std::string local_response_normalization_limits(const graph::Graph& graph, const graph::Node& node) {
  if (node.attr<LocalResponseAttributes>().local_contrast)
    return "local contrast is not computed by the reference either";
  return same_shape_image_limits(graph, node, 1, 4);
}

Result<void> local_response_normalization(const KernelCall& call) {
  const auto& a = call.node.attr<LocalResponseAttributes>();
  const WorkVector<float> input = decode(call.input(0));
  WorkVector<float> result(input.size());
  if (a.across_channels) {
    across_channels(a, Image::of(call.input(0).shape(), a.layout), input, result);
  } else {
    // Whatever the layout says, the reference indexes as NCHW here (armnn spec 3, Normalization).
    within_channel(a, Image::of(call.input(0).shape(), graph::DataLayout::Nchw), input, result);
  }
  encode(result, call.output(), call.input(0).quantization());
  return {};
}

std::string l2_normalization_limits(const graph::Graph& graph, const graph::Node& node) {
  return same_shape_image_limits(graph, node, 1, 1);
}

Result<void> l2_normalization(const KernelCall& call) {
  const auto& a = call.node.attr<NormalizationAttributes>();
  const Shape& given = call.input(0).shape();
  std::array<std::int64_t, 4> shape{1, 1, 1, 1};
  std::copy(given.begin(), given.end(), shape.end() - static_cast<std::ptrdiff_t>(given.size()));
  const Image image = Image::of(shape, a.layout);
  const WorkVector<float> input = decode(call.input(0));
  WorkVector<float> result(input.size());
  for (std::size_t n = 0; n < image.n; ++n)
    for (std::size_t y = 0; y < image.h; ++y)
      for (std::size_t x = 0; x < image.w; ++x) {
        float sum = 0;
        for (std::size_t c = 0; c < image.c; ++c) {
          const float value = input[image.index(n, c, y, x)];
          sum += value * value;
        }
        const float scale = 1.0f / std::sqrt(std::max(sum, a.epsilon));
        for (std::size_t c = 0; c < image.c; ++c)
          result[image.index(n, c, y, x)] = input[image.index(n, c, y, x)] * scale;
      }
  encode(result, call.output());
  return {};
}

std::string batch_normalization_limits(const graph::Graph& graph, const graph::Node& node) {
  std::string why = same_shape_image_limits(graph, node, 5, 4);
  if (!why.empty()) return why;
  Limits check(graph, node);
  const Image image = Image::of(check.in(0).shape, node.attr<NormalizationAttributes>().layout);
  for (std::size_t i = 1; i < 5; ++i)
    if (!check.require(count_of(check.in(i).shape) == static_cast<std::int64_t>(image.c),
                       fmt::format("operand {} has {} elements for {} channels", i,
                                   count_of(check.in(i).shape), image.c)))
      break;
  return check.why();
}

// Operands: input, mean, variance, beta, gamma.
Result<void> batch_normalization(const KernelCall& call) {
  const auto& a = call.node.attr<NormalizationAttributes>();
  const Image image = Image::of(call.input(0).shape(), a.layout);
  const WorkVector<float> input = decode(call.input(0)), mean = decode(call.input(1)),
                          variance = decode(call.input(2)), beta = decode(call.input(3)),
                          gamma = decode(call.input(4));
  WorkVector<float> result(input.size());
  for (std::size_t c = 0; c < image.c; ++c) {
    const float factor = gamma[c] / std::sqrt(variance[c] + a.epsilon);
    const float addend = beta[c] - factor * mean[c];
    for (std::size_t n = 0; n < image.n; ++n)
      for (std::size_t y = 0; y < image.h; ++y)
        for (std::size_t x = 0; x < image.w; ++x) {
          const std::size_t at = image.index(n, c, y, x);
          result[at] = factor * input[at] + addend;
        }
  }
  encode(result, call.output());
  return {};
}

std::string instance_normalization_limits(const graph::Graph& graph, const graph::Node& node) {
  return same_shape_image_limits(graph, node, 1, 4);
}

Result<void> instance_normalization(const KernelCall& call) {
  const auto& a = call.node.attr<NormalizationAttributes>();
  const Image image = Image::of(call.input(0).shape(), a.layout);
  const WorkVector<float> input = decode(call.input(0));
  WorkVector<float> result(input.size());
  const auto area = static_cast<float>(image.h * image.w);
  const auto normalize_channel = [&](std::size_t n, std::size_t c) {
    const auto for_each_pixel = [&](auto&& f) {
      for (std::size_t y = 0; y < image.h; ++y)
        for (std::size_t x = 0; x < image.w; ++x) f(image.index(n, c, y, x));
    };
    float mean = 0, variance = 0;
    for_each_pixel([&](std::size_t at) { mean += input[at]; });
    mean /= area;
    for_each_pixel([&](std::size_t at) { variance += (input[at] - mean) * (input[at] - mean); });
    variance /= area;
    for_each_pixel([&](std::size_t at) {
      result[at] = (input[at] - mean) * a.gamma / std::sqrt(variance + a.epsilon) + a.beta;
    });
  };
  for (std::size_t n = 0; n < image.n; ++n)
    for (std::size_t c = 0; c < image.c; ++c) normalize_channel(n, c);
  encode(result, call.output());
  return {};
}

}  // namespace npubin::exec::armnn
