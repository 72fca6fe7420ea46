// Threads that live as long as their Preprocessor and share the rows of each frame.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace npubin::aipp {

class RowWorkers {
 public:
  // Rows [first, last) for worker number `worker`.
  using Task = void (*)(void* context, int worker, int first, int last);

  explicit RowWorkers(int threads);
  ~RowWorkers();
  RowWorkers(const RowWorkers&) = delete;
  RowWorkers& operator=(const RowWorkers&) = delete;

  int count() const { return count_; }
  // Returns when all rows are done. The caller is worker 0. Allocates nothing.
  void run(Task task, void* context, int rows);

 private:
  void serve(int worker);
  void do_share(int worker) const;

  int count_ = 1;
  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::condition_variable start_, done_;
  unsigned generation_ = 0;
  int busy_ = 0;
  bool stop_ = false;
  Task task_ = nullptr;
  void* context_ = nullptr;
  int rows_ = 0;
};

}  // namespace npubin::aipp
