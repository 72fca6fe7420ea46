#include "ethosu/weights/section.h"

#include <algorithm>
#include <bit>

namespace npubin::ethosu {
namespace {

constexpr std::uint32_t kNoIndex = ~0u;
// Head of a slice with a new palette, without the entries.
constexpr std::uint64_t kHeadBits = 3 + 15 + 3 + 1 + 1 + 5 + 5 + 3;

// A quotient q takes q + 1 bits of unary code; when truncated 1 bit for 0, 2 for 1 and 2.
std::uint64_t unary_bits(std::uint32_t quotient, bool truncated) {
  return truncated ? (quotient == 0 ? 1 : 2) : quotient + 1;
}

Palette make_palette(std::span<const std::uint16_t> by_count, std::uint32_t size) {
  Palette palette;
  palette.size = std::min<std::uint32_t>(size, static_cast<std::uint32_t>(by_count.size()));
  // A palette of one cannot be said; two entries may be the same.
  if (palette.size == 1) palette.entries[palette.size++] = by_count[0];
  std::uint32_t largest = 0, smallest_direct = kCodes;
  for (std::size_t i = 0; i < by_count.size(); ++i) {
    largest = std::max<std::uint32_t>(largest, by_count[i]);
    if (i < palette.size)
      palette.entries[i] = by_count[i];
    else
      smallest_direct = std::min<std::uint32_t>(smallest_direct, by_count[i]);
  }
  palette.bits = std::max(2u, static_cast<std::uint32_t>(std::bit_width(largest)));
  palette.direct_offset = std::min<std::uint32_t>(smallest_direct, 31);
  return palette;
}

struct Choice {
  std::uint64_t bits = UINT64_MAX;
  unsigned divisor = kUncompressed;
  bool truncated = false;
};

// The cheapest way to code the indices of `counts` with one palette.
Choice best_divisor(const std::array<std::uint32_t, kCodes>& counts, std::span<const std::uint16_t> used,
                    const Palette& palette) {
  const CodeIndex index(palette);
  std::uint32_t largest = 0;
  std::uint64_t weights = 0;
  for (const std::uint16_t code : used) {
    largest = std::max(largest, index[code]);
    weights += counts[code];
  }
  Choice best;
  const unsigned fixed = palette.index_bits();
  // Without a palette an uncompressed index is a code of `bits` bits minus the offset; both ends must fit.
  if (largest < (1u << fixed)) best = {weights * fixed, kUncompressed, false};
  for (unsigned divisor = 0; divisor <= 5; ++divisor)
    for (const bool truncated : {false, true}) {
      if (truncated && (largest >> divisor) > 2) continue;
      std::uint64_t bits = weights * divisor;
      for (const std::uint16_t code : used)
        bits += counts[code] * unary_bits(index[code] >> divisor, truncated);
      if (bits < best.bits) best = {bits, divisor, truncated};
    }
  return best;
}

// Codes in use, most frequent first.
std::vector<std::uint16_t> codes_by_count(const std::array<std::uint32_t, kCodes>& counts) {
  std::vector<std::uint16_t> out;
  for (std::uint16_t code = 0; code < kCodes; ++code)
    if (counts[code] > 0) out.push_back(code);
  std::stable_sort(out.begin(), out.end(),
                   [&](std::uint16_t a, std::uint16_t b) { return counts[a] > counts[b]; });
  return out;
}

void try_palettes(const std::array<std::uint32_t, kCodes>& counts, unsigned zero_divisor,
                  std::uint64_t run_bits, SectionCoding& best) {
  const std::vector<std::uint16_t> used = codes_by_count(counts);
  for (const std::uint32_t size : {0u, 2u, 3u, 4u, 5u, 6u, 8u, 12u, 16u, 20u, 24u, 32u}) {
    const Palette palette = make_palette(used, size);
    const Choice choice = best_divisor(counts, used, palette);
    if (choice.bits == UINT64_MAX) continue;
    const std::uint64_t bits = kHeadBits + palette.size * palette.bits + choice.bits + run_bits;
    if (bits >= best.bits) continue;
    best.bits = bits;
    best.palette = palette;
    best.head = {zero_divisor, choice.divisor, 0, choice.truncated, true};
  }
}

}  // namespace

CodeIndex::CodeIndex(const Palette& palette) {
  for (std::uint32_t code = 0; code < kCodes; ++code)
    index_[code] = code >= palette.direct_offset ? palette.size + code - palette.direct_offset : kNoIndex;
  for (std::uint32_t i = palette.size; i-- > 0;) index_[palette.entries[i]] = i;
}

WeightCounts WeightCounts::of(std::span<const std::int16_t> weights) {
  WeightCounts out;
  std::uint64_t run = 0;
  const auto end_run = [&] {
    for (unsigned divisor = 0; divisor < 6; ++divisor) out.run_quotients[divisor] += run >> divisor;
    ++out.runs;
    run = 0;
  };
  for (const std::int16_t weight : weights) {
    ++out.codes[code_of_weight(weight)];
    if (weight == 0)
      ++run;
    else
      end_run();
  }
  end_run();
  return out;
}

void WeightCounts::add(const WeightCounts& other) {
  for (std::size_t i = 0; i < kCodes; ++i) codes[i] += other.codes[i];
  for (std::size_t i = 0; i < run_quotients.size(); ++i) run_quotients[i] += other.run_quotients[i];
  runs += other.runs;
}

std::vector<SectionCoding> candidate_codings(const WeightCounts& counts) {
  std::vector<SectionCoding> out(1);
  try_palettes(counts.codes, kZeroRunsOff, 0, out[0]);
  if (counts.codes[0] == 0) return out;
  std::array<std::uint32_t, kCodes> without = counts.codes;
  without[0] = 0;
  // Nothing but zeros: one of them has a code of its own.
  if (std::all_of(without.begin(), without.end(), [](std::uint32_t count) { return count == 0; }))
    without[0] = 1;
  for (unsigned divisor = 0; divisor < 6; ++divisor) {
    SectionCoding coding;
    try_palettes(without, divisor, counts.run_quotients[divisor] + counts.runs * (divisor + 1), coding);
    out.push_back(coding);
  }
  return out;
}

SectionCoding best_coding(const WeightCounts& counts) {
  const std::vector<SectionCoding> all = candidate_codings(counts);
  return *std::min_element(all.begin(), all.end(),
                           [](const SectionCoding& a, const SectionCoding& b) { return a.bits < b.bits; });
}

}  // namespace npubin::ethosu
