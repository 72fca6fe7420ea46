#include "exec/fast/parallel.h"

// libgomp's entry points: what compilers make of `#pragma omp parallel`, without asking for their OpenMP
// support.
extern "C" void GOMP_parallel(void (*work)(void*), void* data, unsigned threads, unsigned flags);
extern "C" int omp_get_thread_num(void);
extern "C" int omp_get_num_threads(void);

namespace npubin::exec::fast {
namespace {

struct Call {
  void (*work)(void*, int, int);
  void* context;
};

void run_part(void* data) {
  const Call& call = *static_cast<const Call*>(data);
  call.work(call.context, omp_get_thread_num(), omp_get_num_threads());
}

}  // namespace

void parallel(int threads, void (*work)(void*, int, int), void* context) {
  Call call{work, context};
  GOMP_parallel(run_part, &call, static_cast<unsigned>(threads), 0);
}

}  // namespace npubin::exec::fast
