#include "vision/aipp/row_workers.h"

#include <algorithm>

namespace npubin::aipp {

RowWorkers::RowWorkers(int threads) : count_(std::clamp(threads, 1, 256)) {
  for (int worker = 1; worker < count_; ++worker) threads_.emplace_back([this, worker] { serve(worker); });
}

RowWorkers::~RowWorkers() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  start_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void RowWorkers::do_share(int worker) const {
  const auto boundary = [this](int i) {
    return static_cast<int>(static_cast<long long>(rows_) * i / count_);
  };
  const int first = boundary(worker);
  const int last = boundary(worker + 1);
  if (first < last) task_(context_, worker, first, last);
}

void RowWorkers::serve(int worker) {
  unsigned seen = 0;
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      start_.wait(lock, [&] { return stop_ || generation_ != seen; });
      if (stop_) return;
      seen = generation_;
    }
    do_share(worker);
    const std::lock_guard lock(mutex_);
    if (--busy_ == 0) done_.notify_one();
  }
}

void RowWorkers::run(Task task, void* context, int rows) {
  {
    const std::lock_guard lock(mutex_);
    task_ = task;
    context_ = context;
    rows_ = rows;
    busy_ = count_ - 1;
    ++generation_;
  }
  if (count_ > 1) start_.notify_all();
  do_share(0);
  if (count_ == 1) return;
  std::unique_lock lock(mutex_);
  done_.wait(lock, [this] { return busy_ == 0; });
}

}  // namespace npubin::aipp
