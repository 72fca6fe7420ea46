// What happens to a scaled value on its way into the OFM: zero point, clamp, activation (ethos-u55 spec 4).
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "ethosu/machine/memory.h"
#include "ethosu/machine/sigmoid_table.h"
#include "ethosu/operation.h"
#include "npubin/result.h"

namespace npubin::ethosu {

class OutputStage {
 public:
  // Copies the look-up table out of SHRAM. Error (Refused): an activation for which the specification has no
  // rule.
  static Result<OutputStage> create(const Operation& operation, const Memory& memory,
                                    Accelerator accelerator);

  std::int64_t apply(std::int64_t scaled) const {
    // TensorFlow Lite's softmax doubles with saturation where Vela writes a 32-bit product by 2: one dominant
    // class reaches 2^31.
    if (kind_ == Kind::Raw) return std::clamp<std::int64_t>(scaled, INT32_MIN, INT32_MAX);
    if (kind_ == Kind::Tanh) scaled = tanh_16(scaled);
    if (kind_ == Kind::Sigmoid) scaled = sigmoid_16(scaled);
    std::int64_t value = scaled + zero_point_;
    value = value < minimum_ ? minimum_ : value > maximum_ ? maximum_ : value;
    if (kind_ == Kind::Table) return table_[static_cast<std::size_t>(value - table_origin_)];
    if (kind_ == Kind::Interpolated) return interpolate(value);
    return value;
  }

  // Only zero point and clamp.
  bool clamps_only() const { return kind_ == Kind::Clamp; }
  std::int32_t zero_point() const { return zero_point_; }
  // The clamp, already cut to the clip range.
  std::int32_t minimum() const { return minimum_; }
  std::int32_t maximum() const { return maximum_; }
  // A clamp, then a table of 256 entries.
  bool looks_up() const { return kind_ == Kind::Table; }
  // Precondition: looks_up(), and a clamped value.
  std::int32_t look_up(std::int32_t clamped) const {
    return table_[static_cast<std::size_t>(clamped - table_origin_)];
  }

 private:
  enum class Kind : std::uint8_t {
    Raw,  // a 32-bit OFM without a table takes no zero point, and no clamp but that of its type
    Clamp,
    Tanh,
    Sigmoid,
    Table,         // 256 entries
    Interpolated,  // 512 entries of base and slope
  };
  // 16-bit tables: base in the low half of an entry, slope in the high one.
  std::int64_t interpolate(std::int64_t value) const {
    const auto entry = static_cast<std::uint32_t>(table_[static_cast<std::size_t>((value + 32768) >> 7)]);
    const std::int64_t base = static_cast<std::int16_t>(entry & 0xFFFF),
                       slope = static_cast<std::int16_t>(entry >> 16);
    return base + ((slope * (value & 127) + 64) >> 7);
  }
  Result<void> load_table(const Operation& operation, const Memory& memory, Accelerator accelerator);

  Kind kind_ = Kind::Clamp;
  std::int32_t zero_point_ = 0, minimum_ = 0, maximum_ = 0;
  std::int32_t table_origin_ = 0;  // the value of entry 0
  std::vector<std::int32_t> table_;
};

}  // namespace npubin::ethosu
