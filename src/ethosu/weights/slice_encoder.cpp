#include "ethosu/weights/slice_encoder.h"

#include <bit>

namespace npubin::ethosu {
namespace {

// A sequence of numbers to be coded: quotients in unary, remainders one chunk later.
class Symbols {
 public:
  Symbols(std::span<const std::uint32_t> values, unsigned divisor) : values_(values), divisor_(divisor) {
    load();
  }

  std::size_t begun() const { return begun_; }
  bool more() const { return begun_ < values_.size(); }
  bool all_written() const { return written_ >= values_.size(); }

  // One unary position of up to `most`; tells how much of the quotient went into it. Beyond the last value
  // the positions are zeros, which count as symbols all the same.
  std::uint32_t position(std::uint32_t most, bool ends_always) {
    const std::uint32_t step = quotient_ < most ? quotient_ : most;
    quotient_ -= step;
    if (step < most || ends_always) {
      ++begun_;
      load();
    }
    return step;
  }
  void fixed_width(std::size_t count) {
    begun_ += count;
    load();
  }
  // Remainders of the symbols that the previous chunk completed.
  void write_remainders(BitWriter& bits) {
    for (; written_ < previous_ && written_ < values_.size(); ++written_)
      bits.put(values_[written_], divisor_);
    previous_ = begun_;
  }

 private:
  void load() { quotient_ = begun_ < values_.size() ? values_[begun_] >> divisor_ : 0; }

  std::span<const std::uint32_t> values_;
  unsigned divisor_;
  std::size_t begun_ = 0, previous_ = 0, written_ = 0;
  std::uint32_t quotient_ = 0;
};

struct Unary {
  std::uint32_t first = 0, second = 0;
};
Unary weight_chunk(Symbols& weights, bool truncated) {
  Unary out;
  unsigned second = 0;
  for (unsigned i = 0; i < kWeightPositions; ++i) {
    const std::uint32_t code = weights.position(2, truncated);
    if (code == 0) continue;
    out.first |= 1u << i;
    if (code == 2) out.second |= 1u << second;
    ++second;
  }
  return out;
}

std::uint32_t run_chunk(Symbols& runs, unsigned positions) {
  std::uint32_t out = 0;
  for (unsigned i = 0; i < positions; ++i) out |= runs.position(1, false) << i;
  return out;
}

void encode_head(const SliceHead& head, const Palette& palette, BitWriter& bits) {
  bits.put(head.zero_divisor, 3);
  bits.put(head.length - 1, 15);
  bits.put(head.weight_divisor, 3);
  bits.put(head.truncated ? 1 : 0, 1);
  bits.put(head.new_palette ? 1 : 0, 1);
  if (!head.new_palette) return;
  bits.put(palette.direct_offset, 5);
  bits.put(palette.size > 0 ? palette.size - 1 : 0, 5);
  bits.put(palette.bits - 2, 3);
  for (std::uint32_t i = 0; i < palette.size; ++i) bits.put(palette.entries[i], palette.bits);
}

}  // namespace

void encode_slice(const SliceHead& head, const Palette& palette, std::span<const std::uint32_t> indices,
                  std::span<const std::uint32_t> runs, BitWriter& bits) {
  encode_head(head, palette, bits);
  const unsigned weight_bits = head.uncompressed() ? palette.index_bits() : head.weight_divisor;
  Symbols weights(indices, weight_bits), zeros(runs, head.zero_divisor);
  // The balance is the decoder's: see SliceDecoder::read_chunks.
  while (!weights.all_written() || !zeros.all_written()) {
    const auto ahead = static_cast<std::int64_t>(weights.begun()) - static_cast<std::int64_t>(zeros.begun());
    const bool more_weights = weights.more() && (runs.empty() || ahead < 8);
    const bool more_runs = zeros.more() && ahead >= 0;
    Unary unary;
    if (more_weights && head.uncompressed())
      weights.fixed_width(weight_bits > 5 ? 8 : kWeightPositions);
    else if (more_weights)
      unary = weight_chunk(weights, head.truncated);
    if (more_weights && !head.uncompressed()) bits.put(unary.first, kWeightPositions);
    if (more_runs) bits.put(run_chunk(zeros, head.zero_positions()), head.zero_positions());
    if (more_weights && !head.uncompressed())
      bits.put(unary.second, static_cast<unsigned>(std::popcount(unary.first)));
    weights.write_remainders(bits);
    zeros.write_remainders(bits);
  }
}

}  // namespace npubin::ethosu
