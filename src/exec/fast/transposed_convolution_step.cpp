// Transposed convolutions as ordinary ones: the output pixels of one place within the stride are a
// convolution of the input with the kernel's taps of that place. Places whose taps meet the input alike are
// computed together, as more output channels. Sums have the same addends, so that integers are equal to the
// reference to the byte; where the order of additions counts, it is the reference's.
#include <algorithm>
#include <cstring>

#include "exec/fast/inner_steps.h"
#include "exec/fast/parallel.h"
#include "exec/fast/sizes.h"
#include "exec/fast/step.h"

namespace npubin::exec::fast {
namespace {

using graph::ConvAttributes;
using graph::DataLayout;
using graph::Op;
using graph::ValueId;

// One axis: output o = quotient * stride + place sums over taps first_tap + j * stride, j < taps, the input
// at quotient + ahead - j. Where the stride is longer than the kernel, a place may have no tap at all.
struct Place {
  std::size_t first_tap, taps, ahead;
  std::size_t outputs;  // of this place

  // Of the convolution, which begins at the first row of the input: zeros are added where taps do not.
  std::size_t reach() const { return std::max(taps, ahead + 1); }
  bool alike(const Place& other) const { return reach() == other.reach() && ahead == other.ahead; }
};

struct Axis {
  std::size_t in, out, kernel, stride, before;

  Place place(std::size_t index) const {
    const std::size_t shifted = index + before, first = shifted % stride;
    return {first, first < kernel ? (kernel - 1 - first) / stride + 1 : 0, shifted / stride,
            index < out ? (out - 1 - index) / stride + 1 : 0};
  }
};

// Places of one axis that are computed together.
struct PlaceGroup {
  std::vector<std::size_t> places;
  std::size_t taps = 1, before = 0, after = 0, rows = 0;  // rows: of its result
};

std::vector<PlaceGroup> groups_of(const Axis& axis) {
  std::vector<PlaceGroup> groups;
  for (std::size_t p = 0; p < std::min(axis.stride, axis.out); ++p) {
    const Place place = axis.place(p);
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const PlaceGroup& group) {
      return axis.place(group.places[0]).alike(place);
    });
    if (same != groups.end()) {
      same->places.push_back(p);  // later places have no more outputs than earlier ones
      continue;
    }
    PlaceGroup group;
    group.places = {p};
    group.taps = place.reach();
    group.before = group.taps - 1 - place.ahead;
    const std::size_t wanted = place.outputs + group.taps - 1, there = axis.in + group.before;
    group.after = std::max(wanted, there) - there;
    group.rows = there + group.after - (group.taps - 1);
    groups.push_back(std::move(group));
  }
  return groups;
}

// Where the operands stand, and the shapes with their axes named.
struct Operands {
  std::size_t input = 0, bias = 2;
  std::size_t y = 1, x = 2, channel = 3;
};

Operands operands_of(const graph::Node& node) {
  Operands o;
  if (node.rules == graph::Rules::Tflite) o.input = 2, o.bias = 3;
  if (node.attr<ConvAttributes>().layout == DataLayout::Nchw) o.y = 2, o.x = 3, o.channel = 1;
  return o;
}

// Where the results of one convolution go.
struct Part {
  PlaceGroup y, x;
};

struct TransposedLayer {
  std::unique_ptr<InnerSteps> convolutions;
  std::vector<Part> parts;  // one for each convolution
  ValueId outer_input = graph::kNoValue, inner_input = graph::kNoValue, outer_output = graph::kNoValue;
  DataLayout layout = DataLayout::Nhwc;
  std::size_t batches = 1, channels = 1, height = 1, width = 1, stride_y = 1, stride_x = 1, element = 1;
};

class TransposedConvolutionStep : public Step {
 public:
  TransposedConvolutionStep(TransposedLayer layer, int threads)
      : layer_(std::move(layer)), threads_(threads) {
    if (direct()) return;
    for (const Part& part : layer_.parts)
      result_ = std::max(result_, whole_lines(pixels(part) * channels(part) * layer_.element));
  }

  std::string kernel() const override { return "as convolutions: " + layer_.convolutions->kernel(0); }
  std::size_t scratch_bytes() const override { return result_ + layer_.convolutions->scratch_bytes(); }

  std::shared_ptr<void> new_state() const override { return layer_.convolutions->new_state(); }

  Result<void> run(const Frame& frame) const override {
    const InnerSteps& convolutions = *layer_.convolutions;
    InnerSteps::place(frame, layer_.inner_input, frame.data[to_size(layer_.outer_input)]);
    std::byte* const out = frame.out<std::byte>(layer_.outer_output);
    for (std::size_t k = 0; k < convolutions.size(); ++k) {
      std::byte* const result = direct() ? out : frame.scratch;
      InnerSteps::place(frame, convolutions.node(k).outputs[0], result);
      NPUBIN_CHECK(convolutions.run(k, frame, frame.scratch + result_));
      if (!direct()) spread(layer_.parts[k], result, out);
    }
    return {};
  }

 private:
  // A stride of 1: the convolution's result is the output.
  bool direct() const {
    const Part& part = layer_.parts[0];
    return layer_.stride_y == 1 && layer_.stride_x == 1 && part.y.rows == layer_.height &&
           part.x.rows == layer_.width;
  }
  std::size_t pixels(const Part& part) const { return layer_.batches * part.y.rows * part.x.rows; }
  std::size_t channels(const Part& part) const {
    return part.y.places.size() * part.x.places.size() * layer_.channels;
  }

  void spread(const Part& part, const std::byte* result, std::byte* out) const {
    constexpr std::size_t kWorthThreads = std::size_t{1} << 18;  // bytes
    const std::size_t places = part.y.places.size();
    const bool small = pixels(part) * channels(part) * layer_.element < kWorthThreads;
    parallel_ranges(small ? 1 : threads_, layer_.batches * places,
                    [&](std::size_t first, std::size_t last, std::size_t) {
                      for (std::size_t k = first; k < last; ++k) {
                        if (layer_.layout == DataLayout::Nhwc)
                          spread_pixels(part, k / places, k % places, result, out);
                        else
                          spread_planes(part, k / places, k % places, result, out);
                      }
                    });
  }

  // Rows of image n at the group's place py. Neighbouring places of a row stand side by side in the result
  // too.
  void spread_pixels(const Part& part, std::size_t n, std::size_t py, const std::byte* result,
                     std::byte* out) const {
    const std::size_t pixel = layer_.channels * layer_.element, across = part.x.places.size();
    const std::size_t from_step = part.y.places.size() * across * pixel;
    const bool together = part.x.places.back() - part.x.places[0] + 1 == across;
    std::size_t y = part.y.places[py];
    for (std::size_t q = 0; y < layer_.height; ++q, y += layer_.stride_y) {
      const std::byte* from = result + (n * part.y.rows + q) * part.x.rows * from_step + py * across * pixel;
      std::byte* to = out + (n * layer_.height + y) * layer_.width * pixel;
      if (together) {
        spread_row(part.x.places[0], across, from, from_step, pixel, to);
        continue;
      }
      for (std::size_t px = 0; px < across; ++px)
        spread_row(part.x.places[px], 1, from + px * pixel, from_step, pixel, to);
    }
  }

  void spread_row(std::size_t x, std::size_t count, const std::byte* from, std::size_t from_step,
                  std::size_t pixel, std::byte* to) const {
    for (; x < layer_.width; x += layer_.stride_x, from += from_step)
      std::memcpy(to + x * pixel, from, std::min(count, layer_.width - x) * pixel);
  }

  void spread_planes(const Part& part, std::size_t n, std::size_t py, const std::byte* result,
                     std::byte* out) const {
    const std::size_t across = part.x.places.size(), plane = part.y.rows * part.x.rows;
    const auto* const numbers = reinterpret_cast<const float*>(result) + n * channels(part) * plane;
    auto* const images = reinterpret_cast<float*>(out) + n * layer_.channels * layer_.height * layer_.width;
    for (std::size_t px = 0; px < across; ++px)
      for (std::size_t c = 0; c < layer_.channels; ++c) {
        const float* from = numbers + ((py * across + px) * layer_.channels + c) * plane;
        float* to = images + c * layer_.height * layer_.width;
        for (std::size_t y = part.y.places[py]; y < layer_.height; y += layer_.stride_y, from += part.x.rows)
          for (std::size_t x = part.x.places[px], q = 0; x < layer_.width; x += layer_.stride_x, ++q)
            to[y * layer_.width + x] = from[q];
      }
  }

  TransposedLayer layer_;
  int threads_;
  std::size_t result_ = 0;  // bytes of the largest convolution's result
};

// The kernel's taps that a group's places meet, places as output channels, taps turned around; zeros where a
// place has no tap.
Tensor part_weights(const Tensor& weights, const Operands& o, const Axis& y, const Axis& x,
                    const Part& part) {
  const Shape& whole = weights.shape();
  const std::size_t outputs = to_size(whole[0]), depth = to_size(whole[o.channel]),
                    element = size_of(weights.type());
  std::vector<std::size_t> step(4, element);
  for (std::size_t d = 3; d-- > 0;) step[d] = step[d + 1] * to_size(whole[d + 1]);
  Shape shape = whole;
  shape[0] *= static_cast<std::int64_t>(part.y.places.size() * part.x.places.size());
  shape[o.y] = static_cast<std::int64_t>(part.y.taps);
  shape[o.x] = static_cast<std::int64_t>(part.x.taps);
  Tensor out(weights.type(), shape, weights.quantization());
  std::vector<std::size_t> to_step(4, element);
  for (std::size_t d = 3; d-- > 0;) to_step[d] = to_step[d + 1] * to_size(shape[d + 1]);
  std::byte* to = out.mutable_data();
  if (element == 1)  // the code of 0, which the rules take from the first channel
    std::memset(to, static_cast<int>(weights.quantization().zero_point()), out.byte_size());
  for (std::size_t py : part.y.places)
    for (std::size_t px : part.x.places) {
      const Place at_y = y.place(py), at_x = x.place(px);
      for (std::size_t c = 0; c < outputs; ++c, to += to_step[0])
        for (std::size_t v = 0; v < at_y.taps; ++v)
          for (std::size_t u = 0; u < at_x.taps; ++u)
            for (std::size_t i = 0; i < depth; ++i)
              std::memcpy(to + (part.y.taps - 1 - v) * to_step[o.y] + (part.x.taps - 1 - u) * to_step[o.x] +
                              i * to_step[o.channel],
                          weights.data() + c * step[0] + (at_y.first_tap + v * y.stride) * step[o.y] +
                              (at_x.first_tap + u * x.stride) * step[o.x] + i * step[o.channel],
                          element);
    }
  return out;
}

// `rounds` times the same scales and zero points per channel.
Quantization repeated(Quantization quantization, std::size_t rounds) {
  const auto repeat = [&](auto& list) {
    const auto once = list;
    if (once.size() < 2) return;
    for (std::size_t k = 1; k < rounds; ++k) list.insert(list.end(), once.begin(), once.end());
  };
  repeat(quantization.scales);
  repeat(quantization.zero_points);
  return quantization;
}

// A bias of int16 layers counts as one of 64 bits: that makes an ordinary convolution sum as a transposed one
// does (tflite spec 5).
Tensor part_bias(const Tensor& bias, bool wide, std::size_t rounds) {
  const auto count = static_cast<std::size_t>(bias.count());
  Tensor out(wide ? DType::I64 : bias.type(), {static_cast<std::int64_t>(count * rounds)},
             repeated(bias.quantization(), rounds));
  for (std::size_t k = 0; k < rounds; ++k) {
    if (wide && bias.type() == DType::I32)
      std::copy_n(bias.as<std::int32_t>().begin(), count,
                  out.as_mutable<std::int64_t>().begin() + static_cast<std::ptrdiff_t>(k * count));
    else
      std::memcpy(out.mutable_data() + k * bias.byte_size(), bias.data(), bias.byte_size());
  }
  return out;
}

ValueId add_part_constant(Draft& draft, Tensor tensor) {
  graph::Value value;
  value.type = tensor.type();
  value.shape = tensor.shape();
  value.quantization = tensor.quantization();
  value.constant = std::move(tensor);
  return draft.graph.add_value(std::move(value));
}

ValueId add_part_variable(Draft& draft, const graph::Value& like, const Shape& shape) {
  graph::Value value;
  value.type = like.type;
  value.shape = shape;
  value.quantization = like.quantization;
  return draft.graph.add_value(std::move(value));
}

class PartMaker {
 public:
  PartMaker(const Draft& draft, const DraftNode& entry, TransposedLayer& layer)
      : draft_(draft), entry_(entry), node_(entry.node), o_(operands_of(entry.node)), layer_(layer) {}

  bool run() {
    const auto& a = node_.attr<ConvAttributes>();
    const Tensor& weights = *draft_.value(node_.inputs[1]).constant;
    const Shape &in = draft_.value(node_.inputs[o_.input]).shape, &out = draft_.value(node_.outputs[0]).shape;
    const Axis y{to_size(in[o_.y]), to_size(out[o_.y]), to_size(weights.shape()[o_.y]), a.stride_y,
                 a.padding.top};
    const Axis x{to_size(in[o_.x]), to_size(out[o_.x]), to_size(weights.shape()[o_.x]), a.stride_x,
                 a.padding.left};
    const auto groups_y = groups_of(y), groups_x = groups_of(x);
    layer_.inner_input =
        add_part_variable(layer_.convolutions->draft, draft_.value(node_.inputs[o_.input]), in);
    for (const PlaceGroup& group_y : groups_y)
      for (const PlaceGroup& group_x : groups_x) {
        Part part{group_y, group_x};
        if (!add(part, y, x)) return false;
        layer_.parts.push_back(std::move(part));
      }
    return true;
  }

 private:
  bool add(const Part& part, const Axis& y, const Axis& x) {
    const std::size_t rounds = part.y.places.size() * part.x.places.size();
    Tensor whole = *draft_.value(node_.inputs[1]).constant;
    whole.set_quantization(draft_.value(node_.inputs[1]).quantization);
    Tensor weights = part_weights(whole, o_, y, x, part);
    weights.set_quantization(repeated(whole.quantization(), rounds));
    const graph::Value& result = draft_.value(node_.outputs[0]);
    Shape shape = result.shape;
    shape[o_.y] = static_cast<std::int64_t>(part.y.rows);
    shape[o_.x] = static_cast<std::int64_t>(part.x.rows);
    shape[o_.channel] *= static_cast<std::int64_t>(rounds);
    DraftNode convolution = entry_;
    convolution.pixels_first = true;  // the reference spreads pixel after pixel
    graph::Node& node = convolution.node;
    node.op = Op::Conv2d;
    node.inputs = {layer_.inner_input, add_part_constant(layer_.convolutions->draft, std::move(weights))};
    if (has_bias()) node.inputs.push_back(add_part_constant(layer_.convolutions->draft, bias(rounds)));
    node.outputs = {add_part_variable(layer_.convolutions->draft, result, shape)};
    auto& a = std::get<ConvAttributes>(node.attributes);
    const auto u32 = [](std::size_t v) { return static_cast<std::uint32_t>(v); };
    a.padding = {u32(part.y.before), u32(part.x.before), u32(part.y.after), u32(part.x.after)};
    a.stride_y = a.stride_x = 1;
    // Of float32 the library takes it along; codes have it in the range they are cut to.
    if (result.type == DType::F32 && a.activation.function != graph::Activation::None) {
      convolution.post.push_back({a.activation, graph::kNoValue});
      a.activation = {};
    }
    return layer_.convolutions->add(std::move(convolution),
                                    {make_integer_product, make_uint8_layer, make_integer_wide,
                                     make_ordered_convolution, make_dnnl_convolution});
  }

  bool has_bias() const { return node_.inputs.size() > o_.bias && node_.inputs[o_.bias] != graph::kNoValue; }
  Tensor bias(std::size_t rounds) const {
    const graph::Value& value = draft_.value(node_.inputs[o_.bias]);
    Tensor tensor = *value.constant;
    tensor.set_quantization(value.quantization);
    return part_bias(tensor, draft_.value(node_.outputs[0]).type == DType::I16, rounds);
  }

  const Draft& draft_;
  const DraftNode& entry_;
  const graph::Node& node_;
  Operands o_;
  TransposedLayer& layer_;
};

bool takes_transposed(const Draft& draft, const DraftNode& entry) {
  const graph::Node& node = entry.node;
  if (node.op != Op::TransposeConv2d || !entry.post.empty()) return false;
  const Operands o = operands_of(node);
  const auto& a = node.attr<ConvAttributes>();
  const graph::Value &weights = draft.value(node.inputs[1]), &in = draft.value(node.inputs[o.input]),
                     &out = draft.value(node.outputs[0]);
  if (!weights.constant || count_of(weights.shape) == 0 || count_of(in.shape) == 0 ||
      count_of(out.shape) == 0 || in.type != out.type || a.dilation_y != 1 || a.dilation_x != 1)
    return false;
  if (a.layout == DataLayout::Nchw && out.type != DType::F32) return false;
  // A stride or padding far beyond the kernel would be computed from zeros mostly.
  const std::size_t y = to_size(weights.shape[o.y]), x = to_size(weights.shape[o.x]);
  if (a.stride_y > 4 * y || a.stride_x > 4 * x || a.padding.top >= y || a.padding.left >= x) return false;
  return node.inputs.size() <= o.bias || node.inputs[o.bias] == graph::kNoValue ||
         draft.is_constant(node.inputs[o.bias]);
}

}  // namespace

std::unique_ptr<Step> make_transposed_convolution(const Draft& draft, const DraftNode& entry) {
  if (!takes_transposed(draft, entry)) return nullptr;
  const graph::Node& node = entry.node;
  const Operands o = operands_of(node);
  const auto& a = node.attr<ConvAttributes>();
  TransposedLayer layer;
  layer.convolutions = std::make_unique<InnerSteps>(draft.threads);
  if (!PartMaker(draft, entry, layer).run()) return nullptr;
  const graph::Value& out = draft.value(node.outputs[0]);
  layer.outer_input = node.inputs[o.input];
  layer.outer_output = node.outputs[0];
  layer.layout = a.layout;
  layer.batches = to_size(out.shape[0]);
  layer.channels = to_size(out.shape[o.channel]);
  layer.height = to_size(out.shape[o.y]);
  layer.width = to_size(out.shape[o.x]);
  layer.stride_y = a.stride_y;
  layer.stride_x = a.stride_x;
  layer.element = size_of(out.type);
  return std::make_unique<TransposedConvolutionStep>(std::move(layer), draft.threads);
}

}  // namespace npubin::exec::fast
