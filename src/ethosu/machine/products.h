// Inner products in vector instructions, for whatever this CPU has. All sums are modulo 2^32: exact where the
// true sum fits 32 bits, which the caller proves or arranges by cutting it into parts.
#pragma once

#include <cstddef>
#include <cstdint>

namespace npubin::ethosu::products {

// Weights are packed in blocks of 16 output channels; the last block is filled up with zeros.
inline constexpr std::size_t kOutputs = 16;
// Pixels that one call takes at most.
inline constexpr std::size_t kPixels = 8;

// Whether there is an instruction for sums of four 8-bit products.
bool has_int8();

// out[p * stride + o] = sum over k of pixels[p][k] * weight(o, k), for o < blocks * 16.
// packed: [block][k / 4][16][4]; pixels have quads * 4 readable elements. Precondition: has_int8().
void int8(const std::uint8_t* const* pixels, std::size_t count, const std::int8_t* packed, std::size_t quads,
          std::size_t blocks, std::int32_t* out, std::size_t stride);

// packed: [block][k / 2][16][2], blocks being block_stride elements apart; pixels have pairs * 2 readable
// elements.
void int16(const std::int16_t* const* pixels, std::size_t count, const std::int16_t* packed,
           std::size_t block_stride, std::size_t pairs, std::size_t blocks, std::int32_t* out,
           std::size_t stride);

// out[c] = sum over t of taps[t][c] * weight(t, c), for c < channels rounded up to 16.
// packed: [t][channels rounded up to 16][2], the second of each pair being zero; taps have that many readable
// elements.
void depthwise(const std::int16_t* const* taps, std::size_t count, const std::int16_t* packed,
               std::size_t channels, std::int32_t* out);

}  // namespace npubin::ethosu::products
