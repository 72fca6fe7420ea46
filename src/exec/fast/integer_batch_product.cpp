// BATCH_MATMUL of int8 and int16 by TensorFlow Lite's rules, equal to the reference to the byte (tflite spec
// 5). The second operand is laid out in panels, at every run unless it is constant.
#include <algorithm>
#include <array>

#include "exec/fast/integer_layer.h"
#include "exec/fast/kernels_codes.h"
#include "exec/fast/kernels_i16.h"
#include "exec/fast/matrix_batches.h"
#include "exec/fast/parallel.h"
#include "exec/fast/sizes.h"
#include "exec/fast/step.h"

namespace npubin::exec::fast {
namespace {

constexpr std::size_t kRowChunk = 24;  // rows that are multiplied together

struct Codes {
  std::int32_t zero_x = 0, zero_y = 0, zero_out = 0;
  tflite::Multiplier multiplier;
};

// T: int8, in 32-bit sums; or int16, whose second operand is taken apart into two halves of 8 bits, in 64-bit
// sums.
template <class T>
class IntegerBatchProductStep : public Step {
  static constexpr bool kWide = sizeof(T) == 2;
  static constexpr std::size_t kHalves = kWide ? 2 : 1;
  using Panels = std::array<WidePanels, kHalves>;

 public:
  IntegerBatchProductStep(const graph::Node& node, const MatrixBatches& batches, const Codes& codes,
                          const T* constant, int threads)
      : node_(node), batches_(batches), codes_(codes) {
    for (WidePanels& panels : empty_) panels = wide_panels(nullptr, 0, batches.inner);
    for (WidePanels& panels : empty_) panels.outputs = batches.columns;
    if (constant != nullptr) constant_ = packed(constant);
    const std::size_t width = empty_[0].padded_outputs();
    numbers_bytes_ = whole_lines(kRowChunk * 2 * empty_[0].pairs * sizeof(std::int16_t));
    sums_bytes_ = whole_lines(kRowChunk * width * sizeof(std::int32_t));
    totals_bytes_ = kWide ? whole_lines(kRowChunk * width * sizeof(std::int64_t)) : 0;
    constexpr std::size_t kWorthThreads = std::size_t{1} << 21;  // products of one matrix
    threads_ = batches.rows * batches.inner * batches.columns < kWorthThreads ? 1 : threads;
  }

  std::string kernel() const override { return "own int16 product"; }
  std::size_t scratch_bytes() const override { return per_thread() * static_cast<std::size_t>(threads_); }

  struct State {
    Panels panels;
  };
  std::shared_ptr<void> new_state() const override {
    auto state = std::make_shared<State>();
    if (constant_) return state;
    state->panels = empty_;
    for (WidePanels& panels : state->panels) panels.data.resize(panel_numbers(), 0);
    return state;
  }

  Result<void> run(const Frame& frame) const override {
    const T *x = frame.in<T>(node_.inputs[0]), *y = frame.in<T>(node_.inputs[1]);
    T* const out = frame.out<T>(node_.outputs[0]);
    Panels& own = static_cast<State*>(frame.state)->panels;
    const T* held = nullptr;
    batches_.for_each([&](const MatrixBatches::Places& places) {
      if (!constant_ && held != y + places.y) pack(held = y + places.y, own);
      multiply(x + places.x, constant_ ? *constant_ : own, frame.scratch, out + places.out);
    });
    return {};
  }

 private:
  std::size_t per_thread() const { return numbers_bytes_ + sums_bytes_ + totals_bytes_; }
  std::size_t panel_numbers() const { return empty_[0].padded_outputs() * empty_[0].pairs * 2; }

  Panels packed(const T* y) const {
    Panels panels = empty_;
    for (WidePanels& half : panels) half.data.resize(panel_numbers(), 0);
    pack(y, panels);
    return panels;
  }

  // What lies beyond the columns and the depth stays 0.
  void pack(const T* y, Panels& panels) const {
    const std::size_t lanes = panels[0].lanes, columns = batches_.columns, inner = batches_.inner;
    const std::size_t step_k = batches_.y_transposed ? 1 : columns,
                      step_c = batches_.y_transposed ? inner : 1;
    for (std::size_t c0 = 0; c0 < columns; c0 += lanes)
      for (std::size_t k = 0; k < inner; ++k) {
        const std::size_t to = (c0 / lanes * panels[0].pairs + k / 2) * lanes * 2 + k % 2;
        const T* from = y + k * step_k + c0 * step_c;
        for (std::size_t c = 0; c < std::min(lanes, columns - c0); ++c, from += step_c) {
          const std::int32_t number = *from - codes_.zero_y;
          if constexpr (kWide) {
            const std::int32_t low = static_cast<std::int8_t>(number & 0xFF);
            panels[0].data[to + c * 2] = static_cast<std::int16_t>(low);
            panels[1].data[to + c * 2] = static_cast<std::int16_t>((number - low) / 256);
          } else {
            panels[0].data[to + c * 2] = static_cast<std::int16_t>(number);
          }
        }
      }
  }

  void multiply(const T* x, const Panels& panels, std::byte* scratch, T* out) const {
    parallel_ranges(threads_, (batches_.rows + kRowChunk - 1) / kRowChunk,
                    [&](std::size_t first, std::size_t last, std::size_t thread) {
                      const std::size_t end = std::min(last * kRowChunk, batches_.rows);
                      for (std::size_t r = first * kRowChunk; r < end; r += kRowChunk)
                        chunk(x, r, std::min(kRowChunk, end - r), panels, scratch + thread * per_thread(),
                              out + r * batches_.columns);
                    });
  }

  void gather(const T* x, std::size_t row, std::size_t rows, std::int16_t* numbers) const {
    const std::size_t step = 2 * empty_[0].pairs, inner = batches_.inner;
    const std::size_t step_r = batches_.x_transposed ? 1 : inner,
                      step_k = batches_.x_transposed ? batches_.rows_of_x : 1;
    for (std::size_t r = 0; r < rows; ++r, numbers += step) {
      const T* from = x + (row + r) * step_r;
      numbers[step - 1] = 0;
      for (std::size_t k = 0; k < inner; ++k)
        numbers[k] = static_cast<std::int16_t>(from[k * step_k] - codes_.zero_x);
    }
  }

  void chunk(const T* x, std::size_t row, std::size_t rows, const Panels& panels, std::byte* scratch,
             T* out) const {
    auto* const numbers = reinterpret_cast<std::int16_t*>(scratch);
    auto* const sums = reinterpret_cast<std::int32_t*>(scratch + numbers_bytes_);
    gather(x, row, rows, numbers);
    const std::size_t width = panels[0].padded_outputs(), columns = batches_.columns;
    if constexpr (kWide) {
      auto* const totals = reinterpret_cast<std::int64_t*>(scratch + numbers_bytes_ + sums_bytes_);
      add_up(panels, numbers, rows, sums, totals);
      for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t c = 0; c < columns; ++c)
          out[r * columns + c] = tflite::clamp_to<T>(
              tflite::multiply_64(totals[r * width + c], codes_.multiplier) + std::int64_t{codes_.zero_out});
    } else {
      wide_products(panels[0], numbers, rows, 0, panels[0].pairs, sums);
      for (std::size_t r = 0; r < rows; ++r)
        scale_sums(sums + r * width, columns, codes_.multiplier, codes_.zero_out, out + r * columns);
    }
  }

  void add_up(const Panels& panels, const std::int16_t* numbers, std::size_t rows, std::int32_t* sums,
              std::int64_t* totals) const {
    const std::size_t count = rows * panels[0].padded_outputs(), pairs = panels[0].pairs;
    std::fill_n(totals, count, std::int64_t{0});
    for (std::size_t half = 0; half < kHalves; ++half)
      for (std::size_t k = 0; k < pairs; k += kPairsWithin32Bits) {
        wide_products(panels[half], numbers, rows, k, std::min(k + kPairsWithin32Bits, pairs), sums);
        for (std::size_t i = 0; i < count; ++i) totals[i] += std::int64_t{sums[i]} * (half == 0 ? 1 : 256);
      }
  }

  const graph::Node& node_;
  MatrixBatches batches_;
  Codes codes_;
  Panels empty_;                    // of the right sizes, without numbers
  std::optional<Panels> constant_;  // where there is one constant matrix
  int threads_ = 1;
  std::size_t numbers_bytes_ = 0, sums_bytes_ = 0, totals_bytes_ = 0;
};

template <class T>
std::unique_ptr<Step> batch_product_step(const Draft& draft, const graph::Node& node, const Codes& codes) {
  const graph::Value &x = draft.value(node.inputs[0]), &y = draft.value(node.inputs[1]);
  const auto batches = MatrixBatches::of(x.shape, y.shape, draft.value(node.outputs[0]).shape,
                                         node.attr<graph::BatchMatMulAttributes>(), false);
  if (!batches) return nullptr;
  const bool once = y.constant.has_value() && batches->one_y();
  return std::make_unique<IntegerBatchProductStep<T>>(
      node, *batches, codes, once ? y.constant->as<T>().data() : nullptr, draft.threads);
}

}  // namespace

std::unique_ptr<Step> make_integer_batch_product(const Draft& draft, const DraftNode& entry) {
  const graph::Node& node = entry.node;
  if (node.op != graph::Op::BatchMatMul || node.rules != graph::Rules::Tflite || !entry.post.empty())
    return nullptr;
  const graph::Value &x = draft.value(node.inputs[0]), &y = draft.value(node.inputs[1]),
                     &out = draft.value(node.outputs[0]);
  if (!per_tensor(x, x.type) || !per_tensor(y, x.type) || !per_tensor(out, x.type)) return nullptr;
  const auto zero = [](const graph::Value& v) {
    return static_cast<std::int32_t>(v.quantization.zero_point());
  };
  Codes codes{zero(x), zero(y), zero(out), {}};
  codes.multiplier =
      tflite::quantize_multiplier(static_cast<double>(x.quantization.scale() * y.quantization.scale()) /
                                  static_cast<double>(out.quantization.scale()));
  if (x.type == DType::I8 && takes_shift(codes.multiplier))
    return batch_product_step<std::int8_t>(draft, node, codes);
  // Numbers stand as they are: with a zero point they might not fit.
  if (x.type == DType::I16 && codes.zero_x == 0 && codes.zero_y == 0)
    return batch_product_step<std::int16_t>(draft, node, codes);
  return nullptr;
}

}  // namespace npubin::exec::fast
