// POOL: maximum, average, sum over channels (ethos-u55 spec 4).
#include <algorithm>
#include <cmath>

#include "ethosu/machine/arithmetic.h"
#include "ethosu/machine/input_rows.h"
#include "ethosu/machine/parallel_rows.h"
#include "ethosu/machine/step.h"

namespace npubin::ethosu {
namespace {

// The taps of a window that lie inside the image, per direction.
struct Taps {
  std::uint32_t begin = 0, end = 0;
  std::uint32_t count() const { return end - begin; }
};
Taps taps_inside(std::int64_t origin, std::uint32_t taps, std::uint32_t dilation, std::int64_t extent) {
  Taps out;
  while (out.begin < taps && origin + std::int64_t{out.begin} * dilation < 0) ++out.begin;
  out.end = out.begin;
  while (out.end < taps && origin + std::int64_t{out.end} * dilation < extent) ++out.end;
  return out;
}

// A division by the number of taps, as a multiplication.
Scaling average_of(std::uint64_t count, Rounding rounding) {
  int exponent = 0;
  static_cast<void>(std::frexp(static_cast<double>(count - 1), &exponent));
  const auto k = static_cast<std::uint32_t>(exponent);
  const std::uint64_t multiplier = ((std::uint64_t{1} << (31 + k)) + (std::uint64_t{1} << k)) / count;
  return {static_cast<std::uint32_t>(multiplier), 31 + k, rounding};
}

class Pool {
 public:
  explicit Pool(Step& step)
      : step_(step), operation_(step.operation), extent_(input_extent(step.operation)) {}

  Result<void> rows(std::uint32_t first, std::uint32_t last) {
    InputRows<std::int32_t> input(step_.ifm, operation_, 0);
    const FeatureMap& ofm = operation_.ofm;
    sums_.resize(input.channels());
    results_.resize(std::size_t{ofm.width} * ofm.depth);
    for (std::uint32_t y = first; y < last; ++y) {
      for (std::uint32_t x = 0; x < ofm.width; ++x)
        window(input, y, x, results_.data() + std::size_t{x} * ofm.depth);
      step_.ofm.write_row(y, 0, ofm.width, ofm.depth, results_.data());
    }
    return {};
  }

 private:
  void window(InputRows<std::int32_t>& input, std::uint32_t y, std::uint32_t x, std::int64_t* out) {
    const Kernel& kernel = operation_.kernel;
    const Taps rows = taps_inside(std::int64_t{y} * kernel.stride_y - kernel.pad_top, kernel.height,
                                  kernel.dilation_y, extent_.height);
    const Taps columns = taps_inside(std::int64_t{x} * kernel.stride_x - kernel.pad_left, kernel.width,
                                     kernel.dilation_x, extent_.width);
    const std::size_t channels = input.channels();
    const bool maximum = operation_.pooling == PoolingMode::Max;
    std::fill(sums_.begin(), sums_.end(), maximum ? INT64_MIN : 0);
    for (std::uint32_t ky = rows.begin; ky < rows.end; ++ky) {
      const std::int32_t* row = input.row(y, ky);
      for (std::uint32_t kx = columns.begin; kx < columns.end; ++kx) {
        const std::int32_t* at =
            row + (std::size_t{x} * kernel.stride_x + std::size_t{kx} * kernel.dilation_x) * channels;
        if (maximum)
          for (std::size_t c = 0; c < channels; ++c) sums_[c] = std::max<std::int64_t>(sums_[c], at[c]);
        else
          for (std::size_t c = 0; c < channels; ++c) sums_[c] += at[c];
      }
    }
    finish(std::uint64_t{rows.count()} * columns.count(), out);
  }

  void finish(std::uint64_t taps, std::int64_t* out) const {
    const Scaling global{operation_.ofm_scale.multiplier, operation_.ofm_scale.shift, operation_.rounding};
    if (operation_.pooling == PoolingMode::ReduceSum) {
      std::int64_t sum = 0;
      for (const std::int64_t channel : sums_) sum += channel;
      out[0] = step_.stage.apply(operation_.global_scale ? global.apply(sum) : sum);
      return;
    }
    // A window without a tap: nothing to average, and no maximum but the lowest value there is.
    const bool maximum = operation_.pooling == PoolingMode::Max;
    const Scaling average = maximum || taps == 0 ? Scaling{} : average_of(taps, operation_.rounding);
    for (std::uint32_t c = 0; c < operation_.ofm.depth; ++c) {
      std::int64_t value = taps == 0 ? 0 : sums_[c];
      if (operation_.global_scale)
        value = global.apply(value);
      else if (!maximum)
        value = average.apply(value);
      out[c] = step_.stage.apply(value);
    }
  }

  Step& step_;
  const Operation& operation_;
  InputExtent extent_;
  std::vector<std::int64_t> sums_, results_;
};

}  // namespace

Result<void> run_pool(Step& step) {
  if (step.operation.pooling == PoolingMode::ReduceSum && step.operation.ofm.depth != 1)
    return refused("a sum over channels has one output channel", "", {}, "ETU-5013");
  return parallel_rows(
      step.threads, step.operation.ofm.height, work_of(step.operation),
      [&step](std::uint32_t first, std::uint32_t last) { return Pool(step).rows(first, last); });
}

}  // namespace npubin::ethosu
