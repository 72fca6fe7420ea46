// Finding the codes of a feature map that reach a threshold: nearly all of them do not, so runs are tested
// sixty-four at a time before anything is de-quantised.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace npubin::vision {

template <class T>
inline bool any_reaches(const T* codes, std::size_t count, T least) {
  T largest = 0;
  for (std::size_t i = 0; i < count; ++i) largest = std::max(largest, codes[i]);
  return largest >= least;
}

// Calls found(i) for each i in [0, count) with codes[i] >= least, ascending. `least` above the type's maximum
// finds nothing.
template <class T, class Found>
inline void scan(const T* codes, std::size_t count, std::uint32_t least, const Found& found) {
  constexpr std::size_t kRun = 64;
  if (least > static_cast<T>(~T{0})) return;
  const T bound = static_cast<T>(least);
  for (std::size_t begin = 0; begin < count; begin += kRun) {
    const std::size_t end = std::min(begin + kRun, count);
    const bool any = end - begin == kRun ? any_reaches(codes + begin, kRun, bound)
                                         : any_reaches(codes + begin, end - begin, bound);
    if (!any) continue;
    for (std::size_t i = begin; i < end; ++i)
      if (codes[i] >= bound) found(i);
  }
}

}  // namespace npubin::vision
