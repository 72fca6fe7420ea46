// How many threads the kernel library uses from this thread, for as long as the object lives.
#pragma once

namespace npubin::exec::fast {

class ThreadCount {
 public:
  explicit ThreadCount(int threads);
  ~ThreadCount();
  ThreadCount(const ThreadCount&) = delete;
  ThreadCount& operator=(const ThreadCount&) = delete;

 private:
  int before_;
};

}  // namespace npubin::exec::fast
