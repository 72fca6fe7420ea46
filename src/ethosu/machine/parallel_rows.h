// Output rows over threads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <thread>
#include <vector>

#include "npubin/result.h"

namespace npubin::ethosu {

// Runs work(first, last) over [0, rows) in as many pieces as are worth a thread: `operations` says how many
// multiplications there are in all. Rows must not depend on each other. Returns the error of the first piece
// that failed.
template <class Work>
Result<void> parallel_rows(int threads, std::uint32_t rows, std::uint64_t operations, Work&& work) {
  constexpr std::uint64_t kWorthAThread = 200'000;
  const std::uint64_t wanted = std::min<std::uint64_t>(static_cast<std::uint64_t>(std::max(threads, 1)),
                                                       operations / kWorthAThread + 1);
  const auto pieces = static_cast<std::uint32_t>(std::min<std::uint64_t>(wanted, rows));
  if (pieces <= 1) return work(0u, rows);
  std::vector<Result<void>> results(pieces);
  const auto piece = [&](std::uint32_t i) {
    results[i] = work(static_cast<std::uint32_t>(std::uint64_t{rows} * i / pieces),
                      static_cast<std::uint32_t>(std::uint64_t{rows} * (i + 1) / pieces));
  };
  {
    std::vector<std::jthread> crew;
    for (std::uint32_t i = 1; i < pieces; ++i) crew.emplace_back(piece, i);
    piece(0);
  }
  for (Result<void>& result : results)
    if (!result) return std::move(result);
  return {};
}

}  // namespace npubin::ethosu
