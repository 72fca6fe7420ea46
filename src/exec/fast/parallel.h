// Work of the project's own kernels shared out over the threads that the kernel library keeps anyway.
#pragma once

#include <cstddef>

#if defined(__SANITIZE_THREAD__)
#define NPUBIN_ONE_THREAD 1  // libgomp is not instrumented: its barriers look like races
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define NPUBIN_ONE_THREAD 1
#endif
#endif

namespace npubin::exec::fast {

// Calls work(context, thread, threads) once per thread and waits for all.
void parallel(int threads, void (*work)(void* context, int thread, int threads), void* context);

// Splits 0..count into contiguous parts, one per thread: f(first, last, thread).
template <class F>
void parallel_ranges(int threads, std::size_t count, F&& f) {
#if !defined(NPUBIN_ONE_THREAD)
  if (threads > 1 && count > 1) {
    struct Job {
      F& f;
      std::size_t count;
    } job{f, count};
    parallel(
        threads,
        [](void* context, int thread, int of) {
          const Job& j = *static_cast<Job*>(context);
          const auto t = static_cast<std::size_t>(thread), n = static_cast<std::size_t>(of);
          const std::size_t first = j.count * t / n, last = j.count * (t + 1) / n;
          if (first < last) j.f(first, last, t);
        },
        &job);
    return;
  }
#endif
  f(std::size_t{0}, count, std::size_t{0});
}

}  // namespace npubin::exec::fast
