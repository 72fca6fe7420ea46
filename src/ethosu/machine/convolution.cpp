// CONV and DEPTHWISE.
#include "ethosu/machine/convolution.h"

#include <algorithm>
#include <optional>

#include "ethosu/machine/filters.h"
#include "ethosu/machine/input_rows.h"
#include "ethosu/machine/parallel_rows.h"
#include "ethosu/machine/products.h"
#include "ethosu/machine/requantize.h"

namespace npubin::ethosu {
namespace {

using products::kOutputs;
using products::kPixels;

// What all rows of an operation share.
struct Convolution {
  Step& step;
  const Operation& operation;
  Filters filters;
  Summation summation;
  std::vector<std::int8_t> packed8;
  std::vector<std::int16_t> packed16;
  std::uint8_t padding_code = 0;  // the biased zero point
  std::size_t blocks = 0, padded_outputs = 0;

  std::size_t depth() const { return filters.outputs; }
};

// Where a window's rows begin: pixel (x, tap (ky, kx)) is at row[ky] + (x * stride_x + kx * dilation_x) *
// inputs.
template <class T>
struct Window {
  std::vector<const T*> rows;
  std::size_t step_x, step_tap;  // elements

  Window(const Operation& operation, std::size_t inputs)
      : rows(operation.kernel.height),
        step_x(operation.kernel.stride_x * inputs),
        step_tap(operation.kernel.dilation_x * inputs) {}
  void move_to(InputRows<T>& input, std::uint32_t y) {
    for (std::uint32_t ky = 0; ky < rows.size(); ++ky) rows[ky] = input.row(y, ky);
  }
};

// Gathers the inputs of up to kPixels windows into one run each; where they are one already, it only points.
template <class T>
class Patches {
 public:
  Patches(const Operation& operation, std::size_t inputs)
      : width_(operation.kernel.width),
        inputs_(inputs),
        direct_(operation.kernel.height == 1 &&
                (operation.kernel.width == 1 || operation.kernel.dilation_x == 1)),
        one_run_(operation.kernel.dilation_x == 1 || operation.kernel.width == 1) {
    size_ = std::size_t{operation.kernel.height} * width_ * inputs_;
    stride_ = (size_ + 63) / 64 * 64;
    if (!direct_) storage_.resize(stride_ * kPixels);
  }

  const T* const* gather(const Window<T>& window, std::uint32_t x, std::size_t count) {
    for (std::size_t p = 0; p < count; ++p) {
      const std::size_t at = (x + p) * window.step_x;
      if (direct_)
        pointers_[p] = window.rows[0] + at;
      else
        pointers_[p] = copy(window, at, storage_.data() + p * stride_);
    }
    return pointers_;
  }

 private:
  const T* copy(const Window<T>& window, std::size_t at, T* to) const {
    T* next = to;
    for (const T* row : window.rows) {
      if (one_run_) {
        next = std::copy_n(row + at, width_ * inputs_, next);
        continue;
      }
      for (std::size_t kx = 0; kx < width_; ++kx)
        next = std::copy_n(row + at + kx * window.step_tap, inputs_, next);
    }
    return to;
  }

  std::size_t width_, inputs_, size_ = 0, stride_ = 0;
  bool direct_, one_run_;
  std::vector<T> storage_;
  const T* pointers_[kPixels] = {};
};

// Plain loops, 64-bit sums.
Result<void> reference_rows(Convolution& shared, const Requantizer& requantizer, std::uint32_t first,
                            std::uint32_t last) {
  const Operation& operation = shared.operation;
  const Filters& filters = shared.filters;
  const bool depthwise = operation.kind == OperationKind::Depthwise;
  InputRows<std::int32_t> input(shared.step.ifm, operation, 0);
  Window<std::int32_t> window(operation, input.channels());
  const std::size_t width = operation.ofm.width, depth = shared.depth(), inputs = filters.inputs;
  std::vector<std::int64_t> sums(width * depth);
  std::vector<std::int32_t> out(width * depth + kOutputs);
  for (std::uint32_t y = first; y < last; ++y) {
    window.move_to(input, y);
    for (std::size_t x = 0; x < width; ++x)
      for (std::size_t o = 0; o < depth; ++o) {
        const std::int16_t* weight = filters.filter(o);
        std::int64_t sum = 0;
        for (const std::int32_t* row : window.rows)
          for (std::size_t kx = 0; kx < operation.kernel.width; ++kx) {
            const std::int32_t* at = row + x * window.step_x + kx * window.step_tap + (depthwise ? o : 0);
            for (std::size_t i = 0; i < inputs; ++i) sum += std::int64_t{at[i]} * *weight++;
          }
        sums[x * depth + o] = sum;
      }
    NPUBIN_CHECK(requantizer.row(sums.data(), depth, y, out.data()));
    shared.step.ofm.write_row(y, 0, operation.ofm.width, depth, out.data());
  }
  return {};
}

// Inner products of vectors; T is uint8_t (Int8) or int16_t (Int16, Int16Parts).
template <class T>
Result<void> product_rows(Convolution& shared, const Requantizer& requantizer, std::uint32_t first,
                          std::uint32_t last) {
  const Operation& operation = shared.operation;
  InputRows<T> input(shared.step.ifm, operation, static_cast<T>(shared.padding_code));
  Window<T> window(operation, input.channels());
  Patches<T> patches(operation, input.channels());
  const std::size_t width = operation.ofm.width, stride = shared.padded_outputs;
  const std::size_t size = shared.filters.filter_size();
  const bool parts = shared.summation == Summation::Int16Parts;
  std::vector<std::int32_t> sums((parts ? kPixels : width) * stride), out(width * shared.depth() + kOutputs);
  std::vector<std::int64_t> wide(parts ? width * stride : 0);
  for (std::uint32_t y = first; y < last; ++y) {
    window.move_to(input, y);
    if (parts) std::fill(wide.begin(), wide.end(), 0);
    for (std::size_t x = 0; x < width; x += kPixels) {
      const std::size_t count = std::min(kPixels, width - x);
      const T* const* pixels = patches.gather(window, static_cast<std::uint32_t>(x), count);
      if constexpr (sizeof(T) == 1) {
        products::int8(pixels, count, shared.packed8.data(), (size + 3) / 4, shared.blocks,
                       sums.data() + x * stride, stride);
      } else if (!parts) {
        const std::size_t pairs = (size + 1) / 2;
        products::int16(pixels, count, shared.packed16.data(), pairs * 2 * kOutputs, pairs, shared.blocks,
                        sums.data() + x * stride, stride);
      } else {
        const std::size_t all_pairs = (size + 1) / 2;
        for (std::size_t k = 0; k < size; k += kPart) {
          const T* here[kPixels];
          for (std::size_t p = 0; p < count; ++p) here[p] = pixels[p] + k;
          products::int16(here, count, shared.packed16.data() + k * kOutputs, all_pairs * 2 * kOutputs,
                          std::min(kPart / 2, all_pairs - k / 2), shared.blocks, sums.data(), stride);
          for (std::size_t i = 0; i < count * stride; ++i) wide[x * stride + i] += sums[i];
        }
      }
    }
    if (parts)
      NPUBIN_CHECK(requantizer.row(wide.data(), stride, y, out.data()));
    else
      NPUBIN_CHECK(requantizer.row(sums.data(), stride, y, out.data()));
    shared.step.ofm.write_row(y, 0, operation.ofm.width, shared.depth(), out.data());
  }
  return {};
}

Result<void> depthwise_rows(Convolution& shared, const Requantizer& requantizer, std::uint32_t first,
                            std::uint32_t last) {
  const Operation& operation = shared.operation;
  InputRows<std::int16_t> input(shared.step.ifm, operation, 0);
  Window<std::int16_t> window(operation, input.channels());
  const std::size_t width = operation.ofm.width, stride = shared.padded_outputs;
  std::vector<const std::int16_t*> taps(shared.filters.taps);
  std::vector<std::int32_t> sums(width * stride), out(width * shared.depth() + kOutputs);
  for (std::uint32_t y = first; y < last; ++y) {
    window.move_to(input, y);
    for (std::size_t x = 0; x < width; ++x) {
      std::size_t t = 0;
      for (const std::int16_t* row : window.rows)
        for (std::size_t kx = 0; kx < operation.kernel.width; ++kx)
          taps[t++] = row + x * window.step_x + kx * window.step_tap;
      products::depthwise(taps.data(), taps.size(), shared.packed16.data(), shared.depth(),
                          sums.data() + x * stride);
    }
    NPUBIN_CHECK(requantizer.row(sums.data(), stride, y, out.data()));
    shared.step.ofm.write_row(y, 0, operation.ofm.width, shared.depth(), out.data());
  }
  return {};
}

// Biased inputs are code + bias: their products are too large by (biased zero point) x sum of weights.
std::vector<std::int64_t> prepare(Convolution& shared) {
  const FeatureMap& ifm = shared.operation.ifm;
  shared.blocks = (shared.depth() + kOutputs - 1) / kOutputs;
  shared.padded_outputs = shared.blocks * kOutputs;
  if (shared.summation == Summation::Reference) return {};
  if (shared.operation.kind == OperationKind::Depthwise) {
    shared.packed16 = pack_depthwise(shared.filters);
    return {};
  }
  if (shared.summation != Summation::Int8) {
    shared.packed16 = pack_int16(shared.filters);
    return {};
  }
  shared.packed8 = pack_int8(shared.filters);
  const std::int64_t zero = ifm.zero_point + (ifm.is_signed ? 128 : 0);
  shared.padding_code = static_cast<std::uint8_t>(zero);
  std::vector<std::int64_t> offset(shared.depth());
  for (std::size_t o = 0; o < offset.size(); ++o) offset[o] = -zero * shared.filters.weight_sum[o];
  return offset;
}

class Prepared final : public PreparedConvolution {
 public:
  Prepared(Step& step, Filters filters)
      : shared_{step, step.operation, std::move(filters), Summation::Reference, {}, {}, 0, 0, 0} {
    shared_.summation = choose_summation(step, shared_.filters);
    requantizer_.emplace(step, shared_.filters, prepare(shared_));
  }

  Result<void> run() override {
    return parallel_rows(shared_.step.threads, shared_.operation.ofm.height, work_of(shared_.operation),
                         [this](std::uint32_t first, std::uint32_t last) { return rows(first, last); });
  }

 private:
  Result<void> rows(std::uint32_t first, std::uint32_t last) {
    if (shared_.summation == Summation::Reference) return reference_rows(shared_, *requantizer_, first, last);
    if (shared_.operation.kind == OperationKind::Depthwise)
      return depthwise_rows(shared_, *requantizer_, first, last);
    return shared_.summation == Summation::Int8
               ? product_rows<std::uint8_t>(shared_, *requantizer_, first, last)
               : product_rows<std::int16_t>(shared_, *requantizer_, first, last);
  }

  Convolution shared_;
  std::optional<Requantizer> requantizer_;
};

}  // namespace

Result<std::unique_ptr<PreparedConvolution>> PreparedConvolution::create(Step& step) {
  NPUBIN_TRY(Filters filters, Filters::load(step));
  return std::make_unique<Prepared>(step, std::move(filters));
}

Result<void> run_convolution(Step& step) {
  NPUBIN_TRY(const auto prepared, PreparedConvolution::create(step));
  return prepared->run();
}

}  // namespace npubin::ethosu
