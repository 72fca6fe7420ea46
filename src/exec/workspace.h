// Memory for what a kernel needs only while it runs. In a fast plan it comes from a block that belongs to the
// context and grows in the first run, so that later runs allocate nothing; elsewhere it comes from the heap.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace npubin::exec {

class Workspace {
 public:
  Workspace() = default;
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;
  ~Workspace();

  // 64-byte aligned, not initialised; valid until clear(). Throws std::bad_alloc.
  std::byte* take(std::size_t bytes);
  // Memory of this workspace is given back early where it was taken last, else with clear(). false: it is
  // not of this workspace.
  bool give_back(const void* memory);
  // Takes everything back. Several blocks become one that is large enough for the same demand again.
  void clear();

 private:
  struct Block {
    std::byte* memory;
    std::size_t bytes;
  };
  void add_block(std::size_t bytes);

  std::vector<Block> blocks_;        // the last one is being filled
  std::size_t used_ = 0, last_ = 0;  // of the last block: filled, and where the latest piece begins
};

// Within its life, WorkVectors of this thread take their memory from `workspace`, which is cleared at the
// end: none of them may live longer.
class WorkspaceScope {
 public:
  explicit WorkspaceScope(Workspace& workspace);
  ~WorkspaceScope();
  WorkspaceScope(const WorkspaceScope&) = delete;
  WorkspaceScope& operator=(const WorkspaceScope&) = delete;

 private:
  Workspace* before_;
};

// From the scope's workspace, or from the heap.
void* take_work_memory(std::size_t bytes);
void give_back_work_memory(void* memory);

template <class T>
struct WorkAllocator {
  using value_type = T;
  WorkAllocator() = default;
  template <class U>
  WorkAllocator(const WorkAllocator<U>&) {}  // NOLINT(google-explicit-constructor): containers convert it
  T* allocate(std::size_t count) { return static_cast<T*>(take_work_memory(count * sizeof(T))); }
  void deallocate(T* memory, std::size_t) { give_back_work_memory(memory); }
  template <class U>
  bool operator==(const WorkAllocator<U>&) const {
    return true;
  }
};

// What kernels use instead of std::vector for everything that ends with their run.
template <class T>
using WorkVector = std::vector<T, WorkAllocator<T>>;
using WorkShape = WorkVector<std::int64_t>;

}  // namespace npubin::exec
