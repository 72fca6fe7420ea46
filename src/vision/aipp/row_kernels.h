// Vector loops over one row of pixels, for the widest instruction set of the machine. Each gives the same
// bits as the scalar reference, value by value.
#pragma once

#include <cstddef>
#include <cstdint>

#include "vision/aipp/plan.h"

namespace npubin::aipp {

// n pixels of three or four interleaved bytes into planes: byte i of a pixel goes to planes[i].
void split_pixels3(const std::uint8_t* in, std::size_t n, std::uint8_t* const planes[3]);
void split_pixels4(const std::uint8_t* in, std::size_t n, std::uint8_t* const planes[4]);
// `pairs` interleaved chroma samples (first, second), each for two pixels.
void spread_chroma(const std::uint8_t* in, std::size_t pairs, std::uint8_t* first, std::uint8_t* second);
// Y0 U Y1 V for `pairs` pairs of pixels.
void split_yuyv(const std::uint8_t* in, std::size_t pairs, std::uint8_t* y, std::uint8_t* u, std::uint8_t* v);

// Colour conversion of n pixels, planes to planes. In and out may be the same planes.
void convert_row(const Conversion& conversion, const std::uint8_t* const in[3], std::size_t n,
                 std::uint8_t* const out[3]);

// One channel's normalisation. `table_*` is the channel's table, used at the row's end and where the machine
// has no half floats. `stream`: write past the caches.
void normalise_to_half(const Normalisation& normalisation, const TableHalf& table, const std::uint8_t* in,
                       std::size_t n, std::uint16_t* out, bool stream);
void normalise_to_single(const Normalisation& normalisation, const TableSingle& table, const std::uint8_t* in,
                         std::size_t n, float* out, bool stream);

// Conversion and normalisation in one go, three planes to three planes of halves.
struct ConvertedRows {
  const Plan* plan = nullptr;
  const std::uint8_t* in[3] = {};
  std::uint16_t* out[3] = {};
  bool stream = false;
};
void convert_and_normalise(const ConvertedRows& rows, std::size_t n);

// The same straight from a luma row and a row of interleaved chroma (YUV420SP, YUV422SP), n even. False where
// the machine or the values do not allow it: nothing was written then.
struct SemiPlanarRows {
  const Plan* plan = nullptr;
  const std::uint8_t* luma = nullptr;
  const std::uint8_t* chroma = nullptr;
  std::uint16_t* out[3] = {};
  bool stream = false;
};
bool convert_semi_planar(const SemiPlanarRows& rows, std::size_t n);

// Three planes of n elements of 1, 2 or 4 bytes into one interleaved row.
void join_planes3(const std::byte* const planes[3], std::size_t n, std::size_t element_size, std::byte* out);

// Ends a run of streaming writes of the calling thread.
void finish_streaming();

}  // namespace npubin::aipp
