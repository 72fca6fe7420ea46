#include "exec/fast/arena.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "exec/fast/sizes.h"

namespace npubin::exec::fast {
namespace {

std::size_t worst_step(const std::vector<Lifetime>& lifetimes) {
  std::map<std::size_t, std::ptrdiff_t> changes;
  for (const Lifetime& life : lifetimes) {
    changes[life.first] += static_cast<std::ptrdiff_t>(whole_lines(life.bytes));
    changes[life.last + 1] -= static_cast<std::ptrdiff_t>(whole_lines(life.bytes));
  }
  std::ptrdiff_t alive = 0, worst = 0;
  for (const auto& [step, change] : changes) {
    alive += change;
    worst = std::max(worst, alive);
  }
  return static_cast<std::size_t>(worst);
}

bool overlap(const Lifetime& a, const Lifetime& b) {
  return a.first <= b.last && b.first <= a.last;
}

// Places in the given order, each into the smallest gap between what is alive with it.
ArenaPlan place(const std::vector<Lifetime>& lifetimes, const std::vector<std::size_t>& order) {
  ArenaPlan plan;
  plan.offsets.resize(lifetimes.size(), 0);
  std::vector<std::size_t> placed;  // by offset
  for (std::size_t item : order) {
    const std::size_t need = whole_lines(lifetimes[item].bytes);
    std::size_t cursor = 0, best = SIZE_MAX, best_gap = SIZE_MAX;
    for (std::size_t other : placed) {
      if (!overlap(lifetimes[item], lifetimes[other])) continue;
      const std::size_t start = plan.offsets[other], end = start + whole_lines(lifetimes[other].bytes);
      if (start >= cursor + need && start - cursor < best_gap) {
        best = cursor;
        best_gap = start - cursor;
      }
      cursor = std::max(cursor, end);
    }
    plan.offsets[item] = best == SIZE_MAX ? cursor : best;
    plan.bytes = std::max(plan.bytes, plan.offsets[item] + need);
    const auto at = std::lower_bound(placed.begin(), placed.end(), item, [&](std::size_t a, std::size_t b) {
      return plan.offsets[a] < plan.offsets[b];
    });
    placed.insert(at, item);
  }
  return plan;
}

// Orders by size with the sizes shaken a little, by a fixed sequence: one of them usually leaves fewer gaps.
void improve(const std::vector<Lifetime>& lifetimes, ArenaPlan& plan) {
  constexpr std::size_t kMostWork = 4000000, kMostTries = 300;
  const std::size_t tries = std::min(kMostTries, kMostWork / (lifetimes.size() * lifetimes.size() + 1));
  std::uint32_t state = 1;
  std::vector<std::size_t> order(lifetimes.size());
  std::vector<std::uint64_t> weight(lifetimes.size());
  const std::size_t bound = plan.lower_bound;
  for (std::size_t i = 0; i < tries && plan.bytes > bound; ++i) {
    for (std::size_t k = 0; k < lifetimes.size(); ++k) {
      state = state * 1664525u + 1013904223u;
      weight[k] = std::uint64_t{lifetimes[k].bytes} * (128 + (state >> 24)) *
                  (i % 2 == 0 ? 1 : lifetimes[k].last - lifetimes[k].first + 1);
    }
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return weight[a] > weight[b]; });
    ArenaPlan other = place(lifetimes, order);
    if (other.bytes >= plan.bytes) continue;
    other.lower_bound = bound;
    plan = std::move(other);
  }
}

}  // namespace

ArenaPlan plan_arena(const std::vector<Lifetime>& lifetimes) {
  std::vector<std::size_t> by_size(lifetimes.size());
  std::iota(by_size.begin(), by_size.end(), 0u);
  std::vector<std::size_t> by_birth = by_size;
  std::stable_sort(by_size.begin(), by_size.end(),
                   [&](std::size_t a, std::size_t b) { return lifetimes[a].bytes > lifetimes[b].bytes; });
  std::stable_sort(by_birth.begin(), by_birth.end(),
                   [&](std::size_t a, std::size_t b) { return lifetimes[a].first < lifetimes[b].first; });
  // Both orders are quadratic in the number of values alive together; beyond this many only one is tried.
  constexpr std::size_t kManyValues = 20000;
  ArenaPlan plan = place(lifetimes, by_birth);
  if (lifetimes.size() <= kManyValues) {
    ArenaPlan other = place(lifetimes, by_size);
    if (other.bytes < plan.bytes) plan = std::move(other);
  }
  plan.lower_bound = worst_step(lifetimes);
  improve(lifetimes, plan);
  return plan;
}

}  // namespace npubin::exec::fast
