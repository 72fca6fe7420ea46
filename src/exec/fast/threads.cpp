#include "exec/fast/threads.h"

// Of libgomp, which oneDNN runs on. Declared here because not every compiler that builds npubin has its
// header.
extern "C" int omp_get_max_threads(void);
extern "C" void omp_set_num_threads(int);

namespace npubin::exec::fast {

ThreadCount::ThreadCount(int threads) : before_(omp_get_max_threads()) {
  if (threads != before_) omp_set_num_threads(threads);
}

ThreadCount::~ThreadCount() {
  if (omp_get_max_threads() != before_) omp_set_num_threads(before_);
}

}  // namespace npubin::exec::fast
