// FULLY_CONNECTED and BATCH_MATMUL. tflite spec 5.
#include "exec/reference/tflite/accumulate.h"
#include "exec/reference/tflite/kernels.h"

namespace npubin::exec::tflite {
namespace {

using graph::BatchMatMulAttributes;
using graph::FullyConnectedAttributes;

// Batches of both operands, with broadcast: element offsets of the matrices for one output batch.
class Batches {
 public:
  explicit Batches(const Shape& out) : out_(out) {
    for (std::size_t i = 0; i + 2 < out.size(); ++i) count_ *= out[i];
  }
  std::int64_t count() const { return count_; }
  std::int64_t offset(const Shape& shape, std::int64_t batch) const {
    const std::size_t dims = out_.size() - 2, own = shape.size() - 2;
    std::int64_t matrix = shape[own] * shape[own + 1], out = 0;
    for (std::size_t i = dims; i-- > 0;) {
      const std::int64_t index = batch % out_[i];
      batch /= out_[i];
      if (i + own < dims) continue;
      const std::int64_t length = shape[i + own - dims];
      out += (length == 1 ? 0 : index) * matrix;
      matrix *= length;
    }
    return out;
  }

 private:
  const Shape& out_;
  std::int64_t count_ = 1;
};

struct Strides {
  std::int64_t row, column;
};

Strides strides_of(const Shape& shape, bool transposed) {
  const std::int64_t width = shape.back();
  return transposed ? Strides{1, width} : Strides{width, 1};
}

// sum over k of x[r, k] y[k, c], `finish` turning each sum into an output element.
template <class In, class Acc, class F>
void matrix_products(const KernelCall& call, std::int32_t zx, std::int32_t zy, F finish) {
  const auto& a = call.node.attr<BatchMatMulAttributes>();
  const Tensor &x = call.input(0), &y = call.input(1);
  Tensor& out = call.output();
  const std::size_t rank = out.shape().size();
  const std::int64_t rows = out.shape()[rank - 2], columns = out.shape()[rank - 1];
  const Strides sx = strides_of(x.shape(), a.transpose_x), sy = strides_of(y.shape(), a.transpose_y);
  const std::int64_t inner = x.shape()[x.rank() - (a.transpose_x ? 2 : 1)];
  const Batches batches(out.shape());
  auto to = out.as_mutable<In>();
  std::size_t place = 0;
  for (std::int64_t b = 0; b < batches.count(); ++b) {
    const In* px = x.as<In>().data() + batches.offset(x.shape(), b);
    const In* py = y.as<In>().data() + batches.offset(y.shape(), b);
    for (std::int64_t r = 0; r < rows; ++r)
      for (std::int64_t c = 0; c < columns; ++c) {
        Acc sum{};
        for (std::int64_t k = 0; k < inner; ++k) {
          const In vx = px[r * sx.row + k * sx.column], vy = py[k * sy.row + c * sy.column];
          if constexpr (std::is_floating_point_v<In>)
            sum += vx * vy;
          else
            sum += static_cast<Acc>((vx - zx) * (vy - zy));
        }
        to[place++] = finish(sum);
      }
  }
}

}  // namespace

Result<void> run_fully_connected(const KernelCall& call) {
  const ProductOperands operands{call.input(0),
                                 call.input(1),
                                 call.optional_input(2),
                                 call.output(),
                                 call.node.attr<FullyConnectedAttributes>().activation,
                                 Wide::NoInt32Bias,
                                 true};
  const std::int64_t depth = call.input(1).dim(1), units = call.input(1).dim(0);
  const std::int64_t rows = call.input(0).count() / depth;
  with_product(operands, [&](const auto& product) {
    using Sum = typename std::decay_t<decltype(product)>::Sum;
    for (std::int64_t r = 0; r < rows; ++r)
      for (std::int64_t u = 0; u < units; ++u)
        product.finish(product.dot(Sum{}, r * depth, u * depth, depth), r * units + u, u);
  });
  return {};
}

Result<void> run_batch_matmul(const KernelCall& call) {
  const Quantization &qx = call.input(0).quantization(), &qy = call.input(1).quantization(),
                     &qo = call.output().quantization();
  if (call.input(0).type() == DType::F32) {
    matrix_products<float, float>(call, 0, 0, [](float sum) { return sum; });
    return {};
  }
  const Multiplier m =
      quantize_multiplier(static_cast<double>(qx.scale() * qy.scale()) / static_cast<double>(qo.scale()));
  const auto zx = static_cast<std::int32_t>(qx.zero_point()), zy = static_cast<std::int32_t>(qy.zero_point());
  if (call.input(0).type() == DType::I8)
    matrix_products<std::int8_t, std::uint32_t>(call, zx, zy, [&](std::uint32_t sum) {
      return clamp_to<std::int8_t>(multiply(static_cast<std::int32_t>(sum), m) + qo.zero_point());
    });
  else
    matrix_products<std::int16_t, std::int64_t>(call, zx, zy, [&](std::int64_t sum) {
      return clamp_to<std::int16_t>(multiply_64(sum, m) + qo.zero_point());
    });
  return {};
}

}  // namespace npubin::exec::tflite
