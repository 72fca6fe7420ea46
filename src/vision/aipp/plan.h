// What compile() works out once, so that a frame needs nothing but loops.
#pragma once

#include <array>
#include <cstdint>

#include "npubin/aipp.h"

namespace npubin::aipp {

// One channel's normalisation of a pixel value, step by step (aipp spec 4). The truth that tables and vector
// code are checked against.
struct Normalisation {
  std::int32_t mean = 0;
  float min = 0;       // rounded to half already
  float var_reci = 1;  // rounded to half already
  bool half_steps = true;

  float of_pixel(std::int32_t pixel) const;
  // RAW: max(fp16(round((px - mean) / 2^n)) - min, 0) * var, halves to even.
  float of_raw(std::uint32_t pixel, std::uint32_t n) const;
};

// The colour conversion with biases, remainder rounding and output bias folded into one sum a row:
// out = clip((m0 a + m1 b + m2 c + constant) >> 8).
struct Conversion {
  std::array<std::array<std::int16_t, 3>, 3> cells{};
  std::array<std::int32_t, 3> constants{};

  std::uint8_t of(int row, std::int32_t a, std::int32_t b, std::int32_t c) const;
};

using TableHalf = std::array<std::uint16_t, 256>;
using TableSingle = std::array<float, 256>;

struct Plan {
  Settings settings;
  Geometry geometry;
  OutputOptions output;
  const FormatFacts* facts = nullptr;

  int loaded = 3;                            // channels that are read from the source: 1, 3 or 4
  std::array<std::uint8_t, 4> byte_order{};  // interleaved formats: which byte of the pixel is channel c
  bool csc = false;
  Conversion conversion;
  std::array<Normalisation, 4> normalisation;
  std::array<TableHalf, 4> half_tables;  // by pixel value; 8-bit sources only
  std::array<TableSingle, 4> single_tables;

  std::uint8_t pad_byte = 0;
  std::uint16_t pad_half = 0;
  float pad_single = 0;

  std::int64_t c0 = 1;  // lanes of NC1HWC0, else 1
  std::uint64_t input_bytes = 0;
  std::uint64_t output_bytes = 0;

  bool raw() const { return facts->family == PixelFamily::Raw; }
  std::size_t element_size() const { return size_of(output.type); }
};

Result<Plan> make_plan(const Settings& settings, const NetworkInput& network, const OutputOptions& output);

// One pixel of the source as channels, after the swaps. x and y are source coordinates. 8-bit formats.
void load_pixel(const Plan& plan, const std::uint8_t* image, std::int32_t x, std::int32_t y,
                std::uint8_t out[4]);
// One RAW sample, little endian.
std::uint32_t load_raw(const Plan& plan, const std::uint8_t* image, std::int32_t x, std::int32_t y);

// Rows [first, last) of the output, value by value: the reference.
void run_scalar(const Plan& plan, const std::uint8_t* image, std::byte* out, std::int32_t first,
                std::int32_t last);

// Align-corners grid with a step in 18 fractional bits whose two low bits are cleared (aipp spec 4).
struct ResizeStep {
  std::uint32_t step = 0;
  std::int32_t last = 0;  // the last source index

  ResizeStep(std::int32_t in, std::int32_t out);
  // Source index and weight of the next one in 2^-18.
  std::pair<std::int32_t, std::uint32_t> at(std::int32_t i) const;
};
std::uint8_t bilinear(const std::uint8_t corners[4], std::uint32_t weight_x, std::uint32_t weight_y);

}  // namespace npubin::aipp
