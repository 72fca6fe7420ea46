// One slice into bits.
#pragma once

#include <cstdint>
#include <span>

#include "ethosu/weights/bit_writer.h"
#include "ethosu/weights/slice.h"

namespace npubin::ethosu {

// `indices`: head.length weights; `runs`: head.zero_run_count() of them. `palette` is written where
// head.new_palette.
void encode_slice(const SliceHead& head, const Palette& palette, std::span<const std::uint32_t> indices,
                  std::span<const std::uint32_t> runs, BitWriter& bits);

}  // namespace npubin::ethosu
