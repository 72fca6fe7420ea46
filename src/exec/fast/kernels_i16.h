// Products of 16-bit numbers summed in 32 bits, compiled for several instruction sets (Highway).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace npubin::exec::fast {

// Weights of `outputs` rows of `depth` numbers, laid out for the instruction set at hand.
struct WidePanels {
  std::size_t outputs = 0, depth = 0;
  std::size_t lanes = 0;           // outputs of one panel
  std::size_t pairs = 0;           // depth / 2, rounded up
  std::vector<std::int16_t> data;  // [panel][pair][lane][2]; zeros beyond the outputs and the depth

  std::size_t padded_outputs() const { return (outputs + lanes - 1) / lanes * lanes; }
};
// weights: [output][depth].
WidePanels wide_panels(const std::int16_t* weights, std::size_t outputs, std::size_t depth);

// int16 times 8 bits is at most 2^22: sums of as many pairs never leave 32 bits.
inline constexpr std::size_t kPairsWithin32Bits = 255;

// sums[p][o] = rows[p] . weights[o] over the pairs first..last, modulo 2^32. rows: 2 * panels.pairs numbers
// each, one after the other; sums: panels.padded_outputs() each.
void wide_products(const WidePanels& panels, const std::int16_t* rows, std::size_t pixels, std::size_t first,
                   std::size_t last, std::int32_t* sums);

// sums[i] += numbers[i] * weights[i], modulo 2^32.
void wide_multiply_add(const std::int16_t* numbers, const std::int16_t* weights, std::int32_t* sums,
                       std::size_t count);

}  // namespace npubin::exec::fast
