// Bits of a weight stream, least significant first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace npubin::ethosu {

class BitWriter {
 public:
  // count <= 32
  void put(std::uint32_t value, unsigned count) {
    window_ |= (std::uint64_t{value} & ((std::uint64_t{1} << count) - 1)) << held_;
    held_ += count;
    while (held_ >= 8) {
      bytes_.push_back(static_cast<std::byte>(window_ & 0xFF));
      window_ >>= 8;
      held_ -= 8;
    }
  }
  void align_to_byte() {
    if (held_ > 0) put(0, 8 - held_);
  }
  std::uint64_t bit_count() const { return std::uint64_t{bytes_.size()} * 8 + held_; }
  // Whole bytes so far. Precondition: aligned.
  std::vector<std::byte>& bytes() { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
  std::uint64_t window_ = 0;
  unsigned held_ = 0;
};

}  // namespace npubin::ethosu
