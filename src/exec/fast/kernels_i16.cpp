#include "exec/fast/kernels_i16.h"

#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/fast/kernels_i16.cpp"
// Vectors of unknown size (SVE) cannot be kept in arrays.
#define HWY_DISABLED_TARGETS \
  (HWY_SSSE3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
// The order of these two matters.
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace npubin::exec::fast {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using D32 = hn::ScalableTag<std::int32_t>;
using D16 = hn::ScalableTag<std::int16_t>;

std::size_t PanelLanes() {
  return hn::Lanes(D32());
}

#if HWY_TARGET == HWY_SCALAR
// One lane has no pairs.
template <std::size_t kPixels>
void Tile(const WidePanels& panels, const std::int16_t* panel, const std::int16_t* rows, std::size_t first,
          std::size_t last, std::int32_t* sums) {
  for (std::size_t p = 0; p < kPixels; ++p, rows += 2 * panels.pairs) {
    std::uint32_t sum = 0;
    for (std::size_t k = 2 * first; k < 2 * last; ++k) sum += static_cast<std::uint32_t>(rows[k] * panel[k]);
    sums[p * panels.padded_outputs()] = static_cast<std::int32_t>(sum);
  }
}
#else
// kPixels rows by one panel.
template <std::size_t kPixels>
HWY_INLINE void Tile(const WidePanels& panels, const std::int16_t* panel, const std::int16_t* rows,
                     std::size_t first, std::size_t last, std::int32_t* sums) {
  const D32 d32;
  const D16 d16;
  const std::size_t lanes = hn::Lanes(d32), step = 2 * panels.pairs;
  hn::Vec<D32> even[kPixels], odd[kPixels];
  for (std::size_t p = 0; p < kPixels; ++p) even[p] = odd[p] = hn::Zero(d32);
  for (std::size_t k = first; k < last; ++k) {
    const auto weights = hn::LoadU(d16, panel + k * 2 * lanes);
    for (std::size_t p = 0; p < kPixels; ++p) {
      std::int32_t pair;
      std::memcpy(&pair, rows + p * step + 2 * k, sizeof(pair));
      even[p] =
          hn::ReorderWidenMulAccumulate(d32, hn::BitCast(d16, hn::Set(d32, pair)), weights, even[p], odd[p]);
    }
  }
  for (std::size_t p = 0; p < kPixels; ++p)
    hn::StoreU(hn::RearrangeToOddPlusEven(even[p], odd[p]), d32, sums + p * panels.padded_outputs());
}
#endif

void Products(const WidePanels& panels, const std::int16_t* rows, std::size_t pixels, std::size_t first,
              std::size_t last, std::int32_t* sums) {
  constexpr std::size_t kPixels = 6;
  const std::size_t panel_size = panels.pairs * 2 * panels.lanes;
  for (std::size_t o = 0; o < panels.outputs; o += panels.lanes) {
    const std::int16_t* panel = panels.data.data() + o / panels.lanes * panel_size;
    std::size_t p = 0;
    for (; p + kPixels <= pixels; p += kPixels)
      Tile<kPixels>(panels, panel, rows + p * 2 * panels.pairs, first, last,
                    sums + p * panels.padded_outputs() + o);
    for (; p < pixels; ++p)
      Tile<1>(panels, panel, rows + p * 2 * panels.pairs, first, last,
              sums + p * panels.padded_outputs() + o);
  }
}

// A plain loop: every target's compilation vectorises it for its own instructions.
void MultiplyAdd(const std::int16_t* HWY_RESTRICT numbers, const std::int16_t* HWY_RESTRICT weights,
                 std::int32_t* HWY_RESTRICT sums, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    sums[i] = static_cast<std::int32_t>(static_cast<std::uint32_t>(sums[i]) +
                                        static_cast<std::uint32_t>(numbers[i] * weights[i]));
}

}  // namespace HWY_NAMESPACE
}  // namespace npubin::exec::fast
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace npubin::exec::fast {

HWY_EXPORT(PanelLanes);
HWY_EXPORT(Products);
HWY_EXPORT(MultiplyAdd);

WidePanels wide_panels(const std::int16_t* weights, std::size_t outputs, std::size_t depth) {
  WidePanels panels;
  panels.outputs = outputs;
  panels.depth = depth;
  panels.lanes = HWY_DYNAMIC_DISPATCH(PanelLanes)();
  panels.pairs = (depth + 1) / 2;
  panels.data.resize(panels.padded_outputs() * panels.pairs * 2, 0);
  for (std::size_t o = 0; o < outputs; ++o)
    for (std::size_t k = 0; k < depth; ++k)
      panels.data[((o / panels.lanes * panels.pairs + k / 2) * panels.lanes + o % panels.lanes) * 2 + k % 2] =
          weights[o * depth + k];
  return panels;
}

void wide_products(const WidePanels& panels, const std::int16_t* rows, std::size_t pixels, std::size_t first,
                   std::size_t last, std::int32_t* sums) {
  HWY_DYNAMIC_DISPATCH(Products)(panels, rows, pixels, first, last, sums);
}

void wide_multiply_add(const std::int16_t* numbers, const std::int16_t* weights, std::int32_t* sums,
                       std::size_t count) {
  HWY_DYNAMIC_DISPATCH(MultiplyAdd)(numbers, weights, sums, count);
}

}  // namespace npubin::exec::fast
#endif  // HWY_ONCE
