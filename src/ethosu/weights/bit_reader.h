// Bits of a weight stream, least significant first.
#pragma once

#include <cstddef>
#include <cstdint>

#include "npubin/bytes.h"

namespace npubin::ethosu {

// Reading beyond the end gives zeros and is remembered, so that a loop checks once a chunk, not once a bit.
class BitReader {
 public:
  explicit BitReader(ByteSpan data) : data_(data) {}

  // count <= 32
  std::uint32_t take(unsigned count) {
    if (held_ < count) refill();
    const std::uint64_t value = window_ & ((std::uint64_t{1} << count) - 1);
    if (held_ < count) {
      overrun_ = true;
      window_ = 0;
      held_ = 0;
      return static_cast<std::uint32_t>(value);
    }
    window_ >>= count;
    held_ -= count;
    return static_cast<std::uint32_t>(value);
  }

  // Makes `count` <= 56 bits ready for drop().
  void need(unsigned count) {
    if (held_ >= count) return;
    refill();
    if (held_ >= count) return;
    overrun_ = true;
    held_ = 56;
  }
  // Takes bits that need() made ready; count < 32.
  std::uint32_t drop(unsigned count) {
    const auto value = static_cast<std::uint32_t>(window_ & ((std::uint64_t{1} << count) - 1));
    window_ >>= count;
    held_ -= count;
    return value;
  }

  bool overrun() const { return overrun_; }
  std::uint64_t bit_position() const { return std::uint64_t{next_} * 8 - held_; }
  std::uint64_t remaining_bits() const { return std::uint64_t{data_.size()} * 8 - bit_position(); }
  // The first byte that no bit was taken of.
  std::size_t byte_position() const { return static_cast<std::size_t>((bit_position() + 7) / 8); }
  bool at_end() const { return byte_position() >= data_.size(); }
  void align_to_byte() { take(held_ % 8); }

 private:
  void refill() {
    if (data_.size() - next_ >= 8) {
      window_ |= load<std::uint64_t>(data_.data() + next_) << held_;
      const unsigned bytes = (63 - held_) / 8;
      next_ += bytes;
      held_ += bytes * 8;
      window_ &= held_ == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << held_) - 1;
      return;
    }
    while (held_ <= 56 && next_ < data_.size()) {
      window_ |= std::uint64_t{static_cast<std::uint8_t>(data_[next_++])} << held_;
      held_ += 8;
    }
  }

  ByteSpan data_;
  std::size_t next_ = 0;
  std::uint64_t window_ = 0;
  unsigned held_ = 0;
  bool overrun_ = false;
};

}  // namespace npubin::ethosu
