// Float32 sums in an order that is given, products and additions rounded one by one; several sums side by
// side. Compiled for several instruction sets (Highway), with the same results on all.
#pragma once

#include <cstddef>

namespace npubin::exec::fast {

// Sums that lie side by side in the weights.
inline constexpr std::size_t kOrderedPanel = 16;

// `depth` products are added one after the other.
struct OrderedProduct {
  const float* weights;        // [depth][kOrderedPanel]
  const std::size_t* offsets;  // by depth: of the factor, from a pixel's beginning
  std::size_t depth;
};
// sums[pixel][kOrderedPanel] of `count` pixels that begin at pixels[0..count).
void ordered_products(const OrderedProduct& product, const float* const* pixels, std::size_t count,
                      float* sums);

// sums[pixel][channels]: weights [depth][channels] times pixel[offsets[k] + c].
void ordered_channels(const OrderedProduct& product, const float* const* pixels, std::size_t count,
                      std::size_t channels, float* sums);

}  // namespace npubin::exec::fast
