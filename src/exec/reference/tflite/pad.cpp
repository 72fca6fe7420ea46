// PAD, PADV2, MIRROR_PAD, FILL, SHAPE, RANK, RANGE. tflite spec 6.
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "exec/reference/tflite/fixed_point.h"
#include "exec/reference/tflite/kernels.h"
#include "exec/reference/tflite/strided_copy.h"

namespace npubin::exec::tflite {
namespace {

using graph::Op;
using graph::PadAttributes;
using graph::PadMode;

void fill_with(Tensor& out, const std::byte* element) {
  const std::size_t size = size_of(out.type());
  for (std::int64_t i = 0; i < out.count(); ++i)
    std::memcpy(out.mutable_data() + static_cast<std::size_t>(i) * size, element, size);
}

// PAD fills with the zero point of the output, PADV2 with the code of its third operand.
void fill_padding(const KernelCall& call) {
  Tensor& out = call.output();
  if (const Tensor* value = call.optional_input(2)) return fill_with(out, value->data());
  const std::int64_t zero =
      is_float(out.type()) || !out.quantization().present() ? 0 : out.quantization().zero_point();
  std::byte element[8] = {};
  store<std::int64_t>(element, zero);
  // Little-endian codes: the low bytes are the element, whatever its width.
  fill_with(out, element);
}

// Index into the input of every index of the padded dimension.
WorkVector<std::int64_t> mirrored(std::int64_t length, std::int64_t before, std::int64_t after,
                                  bool skip_edge) {
  WorkVector<std::int64_t> out;
  const std::int64_t edge = skip_edge ? 1 : 0;
  for (std::int64_t i = -before; i < length + after; ++i)
    out.push_back(i < 0 ? -i - 1 + edge : i >= length ? 2 * length - i - 1 - edge : i);
  return out;
}

void mirror(const KernelCall& call) {
  const auto& a = call.node.attr<PadAttributes>();
  const Tensor& in = call.input(0);
  Tensor& out = call.output();
  const std::size_t rank = in.rank(), size = size_of(in.type());
  const WorkShape strides = dense_strides(in.shape());
  WorkVector<WorkShape> sources;
  for (std::size_t d = 0; d < rank; ++d)
    sources.push_back(mirrored(in.dim(d), a.pads[d].first, a.pads[d].second, a.mode == PadMode::Reflect));
  WorkVector<std::size_t> index(rank, 0);
  for (std::int64_t i = 0; i < out.count(); ++i) {
    std::int64_t from = 0;
    for (std::size_t d = 0; d < rank; ++d) from += sources[d][index[d]] * strides[d];
    std::memcpy(out.mutable_data() + static_cast<std::size_t>(i) * size,
                in.data() + static_cast<std::size_t>(from) * size, size);
    for (std::size_t d = rank; d-- > 0;) {
      if (++index[d] < sources[d].size()) break;
      index[d] = 0;
    }
  }
}

template <class T>
Result<void> range(const KernelCall& call) {
  const T start = call.input(0).as<T>()[0], limit = call.input(1).as<T>()[0],
          delta = call.input(2).as<T>()[0];
  if (delta == 0) return malformed({}, "RANGE with a delta of 0");
  const double count = std::max(
      0.0, std::ceil((static_cast<double>(limit) - static_cast<double>(start)) / static_cast<double>(delta)));
  auto out = call.output().as_mutable<T>();
  if (count != static_cast<double>(out.size()))
    return malformed(
        {}, fmt::format("RANGE gives {} numbers; the output is declared with {}", count, out.size()));
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<T>(start + static_cast<T>(i) * delta);
  return {};
}

void put_integer(Tensor& out, std::size_t i, std::int64_t value) {
  if (out.type() == DType::I32)
    out.as_mutable<std::int32_t>()[i] = static_cast<std::int32_t>(value);
  else
    out.as_mutable<std::int64_t>()[i] = value;
}

}  // namespace

Result<void> run_pad(const KernelCall& call) {
  const auto& a = call.node.attr<PadAttributes>();
  if (a.mode != PadMode::Constant) {
    mirror(call);
    return {};
  }
  fill_padding(call);
  const Tensor& in = call.input(0);
  const WorkShape to = dense_strides(call.output().shape());
  std::int64_t offset = 0;
  for (std::size_t d = 0; d < to.size(); ++d) offset += static_cast<std::int64_t>(a.pads[d].first) * to[d];
  strided_copy(in.shape(), in.data(), 0, dense_strides(in.shape()), call.output().mutable_data(), offset, to,
               size_of(in.type()));
  return {};
}

Result<void> run_fill(const KernelCall& call) {
  const Tensor& dims = call.input(0);
  for (std::size_t d = 0; d < call.output().rank(); ++d)
    if (dims.real(static_cast<std::int64_t>(d)) != static_cast<double>(call.output().dim(d)))
      return malformed(
          {}, fmt::format("FILL asks for {} elements in dimension {}; the output is declared as {}",
                          dims.real(static_cast<std::int64_t>(d)), d, to_string(call.output().shape())));
  fill_with(call.output(), call.input(1).data());
  return {};
}

Result<void> run_shape(const KernelCall& call) {
  const Shape& shape = call.input(0).shape();
  if (call.node.op == Op::Rank)
    put_integer(call.output(), 0, static_cast<std::int64_t>(shape.size()));
  else
    for (std::size_t d = 0; d < shape.size(); ++d) put_integer(call.output(), d, shape[d]);
  return {};
}

Result<void> run_range(const KernelCall& call) {
  switch (call.output().type()) {
    case DType::F32:
      return range<float>(call);
    case DType::I32:
      return range<std::int32_t>(call);
    default:
      return range<std::int64_t>(call);
  }
}

}  // namespace npubin::exec::tflite
