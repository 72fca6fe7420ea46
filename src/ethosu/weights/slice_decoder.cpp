#include "ethosu/weights/slice_decoder.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace npubin::ethosu {
namespace {

constexpr std::uint32_t kMaximumCode = 511;  // 9-bit weights

// Quotients of one chunk, whose remainders follow in the next one. One more than there are symbols: the loops
// below write ahead.
struct Pending {
  std::uint32_t quotients[kWeightPositions + 1];
  unsigned count = 0;
};

// Ones among 12 bits, without asking for an instruction that the oldest CPUs lack.
constexpr std::array<std::uint8_t, 4096> kOnes = [] {
  std::array<std::uint8_t, 4096> out{};
  for (std::size_t i = 1; i < out.size(); ++i) out[i] = static_cast<std::uint8_t>(out[i / 2] + i % 2);
  return out;
}();

// WUNARY0 and WUNARY1 to quotients; `carry` is the quotient that is not complete yet. Branchless: the bits
// are as good as random.
void weight_quotients(std::uint32_t unary0, std::uint32_t unary1, bool truncated, std::uint32_t& carry,
                      Pending& out) {
  const std::uint32_t always = truncated ? 1 : 0;
  std::uint32_t sum = carry;
  unsigned count = 0;
  for (unsigned i = 0; i < kWeightPositions; ++i) {
    const std::uint32_t one = unary0 & 1;
    const std::uint32_t two = one & unary1;
    unary0 >>= 1;
    unary1 >>= one;
    sum += one + two;
    out.quotients[count] = sum;
    const std::uint32_t ends = (two ^ 1) | always;
    count += ends;
    sum &= ends - 1;
  }
  out.count = count;
  carry = sum;
}

void zero_quotients(std::uint32_t unary, unsigned positions, std::uint32_t& carry, Pending& out) {
  std::uint32_t sum = carry;
  unsigned count = 0;
  for (unsigned i = 0; i < positions; ++i) {
    const std::uint32_t one = unary & 1;
    unary >>= 1;
    sum += one;
    out.quotients[count] = sum;
    count += one ^ 1;
    sum &= ~std::uint32_t{0} * one;
  }
  out.count = count;
  carry = sum;
}

// values[i] = quotient << bits | remainder for the symbols of a chunk, at most `room` of them.
std::uint32_t add_remainders(BitReader& reader, const Pending& pending, unsigned bits, std::uint32_t room,
                             std::uint32_t* values) {
  const std::uint32_t count = std::min<std::uint32_t>(pending.count, room);
  if (bits == 0) {
    std::copy_n(pending.quotients, count, values);
    return count;
  }
  const std::uint32_t at_once = 56 / bits;
  for (std::uint32_t i = 0; i < count;) {
    const std::uint32_t end = std::min(count, i + at_once);
    reader.need((end - i) * bits);
    for (; i < end; ++i) values[i] = (pending.quotients[i] << bits) | reader.drop(bits);
  }
  return count;
}

}  // namespace

Unexpected SliceDecoder::ends_early(const char* where) const {
  return malformed(
      here(),
      fmt::format("the weight stream ends {} after {} of {} weights", where, out_.values.size(), count_),
      "the length of the weights or their address is wrong, or the file is damaged", "ETU-4001");
}

Unexpected SliceDecoder::too_many() const {
  return malformed(
      here(), fmt::format("the weight stream holds more than the {} weights of its operator", count_),
      "kernel, depth, block depth or weight order of the operator do not fit the stream", "ETU-4002");
}

Result<RawWeights> SliceDecoder::run() {
  // A bit tells of at most 32 zeros (a run quotient with ZDIV 5), so a longer tensor cannot be meant, and
  // the reservation stays in proportion to the file.
  out_.values.reserve(static_cast<std::size_t>(std::min(count_, std::uint64_t{bits_.remaining_bits()} * 32)));
  bool in_stream = false;
  while (true) {
    if (bits_.at_end() && !in_stream) break;
    SliceHead head;
    head.zero_divisor = bits_.take(3);
    if (bits_.overrun()) return ends_early("without an end mark");
    if (head.zero_divisor == kEndOfStream) {
      bits_.align_to_byte();
      have_palette_ = false;
      if (in_stream) out_.bytes_consumed = bits_.byte_position();
      in_stream = false;
      continue;
    }
    if (!in_stream) ++out_.statistics.sub_streams;
    in_stream = true;
    NPUBIN_CHECK(slice(head));
  }
  if (out_.values.size() < count_)
    return malformed(here(),
                     fmt::format("the weight stream holds {} of the {} weights of its operator",
                                 out_.values.size(), count_),
                     "kernel, depth, block depth or weight order of the operator do not fit the stream",
                     "ETU-4003");
  finish_statistics();
  return std::move(out_);
}

Result<void> SliceDecoder::slice(SliceHead head) {
  head.length = bits_.take(15) + 1;
  head.weight_divisor = bits_.take(3);
  head.truncated = bits_.take(1) != 0;
  head.new_palette = bits_.take(1) != 0;
  if (head.new_palette) read_palette();
  if (bits_.overrun()) return ends_early("in the head of a slice");
  if (!have_palette_)
    return malformed(here(), "the first slice of the weight stream sets no palette",
                     "the address of the weights is wrong, or the file is damaged", "ETU-4004");
  if (head.weight_divisor == 6)
    return malformed(here(), "a slice of the weight stream has divisor 6, which does not exist",
                     "the address of the weights is wrong, or the file is damaged", "ETU-4004");
  if (out_.values.size() + head.length > count_) return too_many();
  WeightStatistics& statistics = out_.statistics;
  ++statistics.slices;
  statistics.palettes += head.new_palette ? 1 : 0;
  statistics.uncompressed_slices += head.uncompressed() ? 1 : 0;
  statistics.zero_run_slices += head.zero_runs() ? 1 : 0;
  NPUBIN_CHECK(read_chunks(head));
  return emit(head);
}

void SliceDecoder::read_palette() {
  palette_.direct_offset = bits_.take(5);
  palette_.size = bits_.take(5);
  if (palette_.size > 0) ++palette_.size;
  palette_.bits = bits_.take(3) + 2;
  for (std::uint32_t i = 0; i < palette_.size; ++i)
    palette_.entries[i] = static_cast<std::uint16_t>(bits_.take(palette_.bits));
  have_palette_ = true;
}

Result<void> SliceDecoder::read_chunks(const SliceHead& head) {
  const unsigned weight_bits = head.uncompressed() ? palette_.index_bits() : head.weight_divisor;
  const unsigned symbols = weight_bits > 5 ? 8 : kWeightPositions;  // a chunk of an uncompressed slice
  const std::uint32_t weights = head.length, runs = head.zero_run_count();
  indices_.resize(weights);
  runs_.resize(runs);
  std::uint32_t weight_carry = 0, run_carry = 0;
  // Symbols whose quotients have been read, and those whose remainders have.
  std::uint32_t weights_begun = 0, runs_begun = 0, weights_done = 0, runs_done = 0;
  Pending weight_pending, run_pending, weight_next, run_next;
  while (true) {
    // Weights wait when eight or more ahead of the runs, runs wait when ahead of the weights.
    const bool more_weights =
        weights_begun < weights && (runs == 0 || std::int64_t{weights_begun} - runs_begun < 8);
    const bool more_runs = runs_begun < runs && runs_begun <= weights_begun;
    weight_next.count = run_next.count = 0;
    std::uint32_t unary0 = 0;
    if (more_weights && !head.uncompressed()) unary0 = bits_.take(kWeightPositions);
    if (more_runs)
      zero_quotients(bits_.take(head.zero_positions()), head.zero_positions(), run_carry, run_next);
    if (more_weights && head.uncompressed()) {
      weight_next.count = symbols;
      std::fill_n(weight_next.quotients, symbols, 0u);
    } else if (more_weights) {
      const std::uint32_t unary1 = bits_.take(kOnes[unary0]);
      weight_quotients(unary0, unary1, head.truncated, weight_carry, weight_next);
    }
    weights_done += add_remainders(bits_, weight_pending, weight_bits, weights - weights_done,
                                   indices_.data() + weights_done);
    runs_done +=
        add_remainders(bits_, run_pending, head.zero_divisor, runs - runs_done, runs_.data() + runs_done);
    if (bits_.overrun()) return ends_early("inside a slice");
    if (weights_done == weights && runs_done == runs) return {};
    weights_begun += weight_next.count;
    runs_begun += run_next.count;
    std::swap(weight_pending, weight_next);
    std::swap(run_pending, run_next);
  }
}

Result<void> SliceDecoder::emit(const SliceHead& head) {
  // Indices to weights: the palette, then direct codes.
  std::array<std::int16_t, kMaximumPalette + kMaximumCode + 1> weights{};
  std::uint32_t known = 0;
  for (; known < palette_.size; ++known) weights[known] = weight_of_code(palette_.entries[known]);
  for (std::uint32_t code = palette_.direct_offset; code <= kMaximumCode; ++code)
    weights[known++] = weight_of_code(code);
  for (const std::uint32_t index : indices_)
    if (index >= known)
      return malformed(here(), fmt::format("weight index {} needs more than 9 bits", index),
                       "the address of the weights is wrong, or the file is damaged", "ETU-4004");
  std::uint64_t zeros = 0;
  for (const std::uint32_t run : runs_) zeros += run;
  const std::size_t begin = out_.values.size();
  if (indices_.size() + zeros > count_ - begin) return too_many();
  out_.values.resize(begin + indices_.size() + static_cast<std::size_t>(zeros));
  out_.statistics.coded += indices_.size();
  out_.statistics.run_zeros += zeros;
  std::int16_t* to = out_.values.data() + begin;
  if (!head.zero_runs()) {
    for (const std::uint32_t index : indices_) *to++ = weights[index];
    return {};
  }
  // The new values are zero already; runs are skipped.
  const std::uint32_t* run = runs_.data();
  if (head.new_palette) to += *run++;
  for (const std::uint32_t index : indices_) {
    *to++ = weights[index];
    to += *run++;
  }
  return {};
}

void SliceDecoder::finish_statistics() {
  std::int16_t low = 0, high = 0;
  std::uint64_t zeros = 0;
  for (const std::int16_t weight : out_.values) {
    low = std::min(low, weight);
    high = std::max(high, weight);
    zeros += weight == 0 ? 1 : 0;
  }
  out_.statistics.minimum = low;
  out_.statistics.maximum = high;
  out_.statistics.zeros = zeros;
}

Result<RawWeights> decode_raw_weights(ByteSpan stream, std::uint64_t count, std::uint64_t file_offset) {
  return SliceDecoder(stream, count, file_offset).run();
}

}  // namespace npubin::ethosu
