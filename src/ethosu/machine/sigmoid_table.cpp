#include "ethosu/machine/sigmoid_table.h"

#include <array>
#include <cmath>

namespace npubin::ethosu {
namespace {

using Table = std::array<std::int32_t, 256>;

// Entries lie between the function and the chord's error, which halves the error of interpolation.
Table sample_logistic() {
  const auto logistic = [](double x) { return 1.0 / (1.0 + std::exp(-x / 24.0)); };
  Table table;
  for (int i = 0; i < 256; ++i) {
    const double here = logistic(i), next = logistic(i + 1), middle = logistic(i + 0.5);
    table[static_cast<std::size_t>(i)] =
        static_cast<std::int32_t>(std::round(65536.0 * (here + (middle - (here + next) / 2.0) / 2.0)));
  }
  table[255] = 65535;
  return table;
}

const Table& table() {
  static const Table kTable = sample_logistic();
  return kTable;
}

}  // namespace

std::int32_t sigmoid_16(std::int64_t argument) {
  const std::int64_t magnitude = argument < 0 ? -argument : argument;
  const std::int64_t index = magnitude >> 9, fraction = magnitude & 511;
  std::int64_t result = std::int64_t{0x7FFF} << 10;
  if (index < 255) {
    const auto i = static_cast<std::size_t>(index);
    result = (std::int64_t{table()[i]} << 9) + fraction * (table()[i + 1] - table()[i]);
  }
  return static_cast<std::int32_t>(argument >= 0 ? (result + 512) >> 10
                                                 : ((std::int64_t{1} << 25) - result + 511) >> 10);
}

std::int32_t tanh_16(std::int64_t argument) {
  const std::int64_t magnitude = argument < 0 ? -argument : argument;
  const std::int64_t index = magnitude >> 8, fraction = magnitude & 255;
  std::int64_t result = std::int64_t{0xFFFF} << 8;
  if (index < 255) {
    const auto i = static_cast<std::size_t>(index);
    result = (std::int64_t{table()[i]} << 8) + fraction * (table()[i + 1] - table()[i]);
  }
  constexpr std::int64_t kHalf = std::int64_t{1} << 23;
  return static_cast<std::int32_t>(argument >= 0 ? (result - kHalf + 128) >> 8
                                                 : (-result + kHalf + 127) >> 8);
}

}  // namespace npubin::ethosu
