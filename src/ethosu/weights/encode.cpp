// Weights into a stream: sections of similar weights, each with the palette and divisors that suit it.
#include <algorithm>

#include <fmt/format.h>

#include "ethosu/weights/codec.h"
#include "ethosu/weights/section.h"
#include "ethosu/weights/slice_encoder.h"

namespace npubin::ethosu {
namespace {

constexpr std::size_t kPiece = 1024;  // the grain of sections, in weights
// Sections up to this size are tried in every candidate coding: where weights and zero runs take turns, the
// filling of chunks counts, which no estimate sees.
constexpr std::size_t kTryAll = 8192;

struct Section {
  std::size_t begin = 0, end = 0;  // weights
  WeightCounts counts;
  SectionCoding coding;
};

// Pieces of equal size, neighbours joined as long as that saves bits.
std::vector<Section> sections_of(std::span<const std::int16_t> weights) {
  std::vector<Section> out;
  for (std::size_t begin = 0; begin < weights.size(); begin += kPiece) {
    const std::size_t end = std::min(begin + kPiece, weights.size());
    Section section{begin, end, WeightCounts::of(weights.subspan(begin, end - begin)), {}};
    section.coding = best_coding(section.counts);
    while (!out.empty()) {
      Section joined{out.back().begin, end, out.back().counts, {}};
      joined.counts.add(section.counts);
      joined.coding = best_coding(joined.counts);
      if (joined.coding.bits > out.back().coding.bits + section.coding.bits) break;
      out.pop_back();
      section = std::move(joined);
    }
    out.push_back(std::move(section));
  }
  return out;
}

// The weights of a section as the indices and runs of its slices.
class SectionEncoder {
 public:
  SectionEncoder(const Section& section, const SectionCoding& coding, std::span<const std::int16_t> weights,
                 BitWriter& bits)
      : head_(coding.head), palette_(coding.palette), index_(palette_), bits_(bits) {
    split(weights.subspan(section.begin, section.end - section.begin));
    slices();
  }

 private:
  void split(std::span<const std::int16_t> weights) {
    const auto index = [this](std::int16_t weight) { return index_[code_of_weight(weight)]; };
    if (!head_.zero_runs()) {
      for (const std::int16_t weight : weights) indices_.push_back(index(weight));
      return;
    }
    // Nothing but zeros: the first has a code.
    const bool only_zeros =
        std::all_of(weights.begin(), weights.end(), [](std::int16_t w) { return w == 0; });
    runs_.push_back(0);
    for (std::size_t i = 0; i < weights.size(); ++i) {
      if (weights[i] == 0 && !(only_zeros && i == 0)) {
        ++runs_.back();
        continue;
      }
      indices_.push_back(index(weights[i]));
      runs_.push_back(0);
    }
  }

  void slices() {
    const std::span<const std::uint32_t> indices(indices_), runs(runs_);
    std::size_t run = 0;
    for (std::size_t begin = 0; begin < indices.size(); begin += kMaximumSlice) {
      head_.length = static_cast<std::uint32_t>(std::min<std::size_t>(kMaximumSlice, indices.size() - begin));
      head_.new_palette = begin == 0;
      const std::uint32_t run_count = head_.zero_run_count();
      encode_slice(head_, palette_, indices.subspan(begin, head_.length), runs.subspan(run, run_count),
                   bits_);
      run += run_count;
    }
  }

  SliceHead head_;
  const Palette& palette_;
  CodeIndex index_;
  BitWriter& bits_;
  std::vector<std::uint32_t> indices_, runs_;
};

void encode_section(const Section& section, std::span<const std::int16_t> weights, BitWriter& bits) {
  SectionCoding best = section.coding;
  if (section.end - section.begin <= kTryAll) {
    std::uint64_t least = UINT64_MAX;
    for (const SectionCoding& coding : candidate_codings(section.counts)) {
      BitWriter attempt;
      SectionEncoder(section, coding, weights, attempt);
      if (attempt.bit_count() >= least) continue;
      least = attempt.bit_count();
      best = coding;
    }
  }
  SectionEncoder(section, best, weights, bits);
}

}  // namespace

Result<std::vector<std::byte>> encode_raw_weights(std::span<const std::int16_t> weights) {
  for (std::size_t i = 0; i < weights.size(); ++i)
    if (weights[i] < -255 || weights[i] > 255)
      return refused(fmt::format("weight {} is {}; a stream holds -255 to 255", i, weights[i]), "", {},
                     "ETU-4006");
  BitWriter bits;
  for (const Section& section : sections_of(weights)) encode_section(section, weights, bits);
  bits.put(kEndOfStream, 3);
  bits.align_to_byte();
  std::vector<std::byte> out = std::move(bits.bytes());
  // More end marks up to a multiple of 16 (ethos-u55 spec 6).
  out.resize((out.size() + 15) / 16 * 16, std::byte{0xFF});
  return out;
}

Result<std::vector<std::byte>> encode_weights(std::span<const std::int16_t> weights,
                                              const WeightGeometry& geometry) {
  NPUBIN_TRY(const std::vector<std::int16_t> stream, to_stream_order(weights, geometry));
  return encode_raw_weights(stream);
}

}  // namespace npubin::ethosu
