#include "allocations.h"

#include <dlfcn.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <new>

// Sanitizers bring allocation functions of their own, which these must not be mixed with.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)  // g++
#define NPUBIN_COUNTS_ALLOCATIONS 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)  // clang
#define NPUBIN_COUNTS_ALLOCATIONS 0
#endif
#endif
#ifndef NPUBIN_COUNTS_ALLOCATIONS
#define NPUBIN_COUNTS_ALLOCATIONS 1
#endif

namespace {

std::atomic<bool> counting{false};
std::atomic<std::size_t> allocations{0};

#if NPUBIN_COUNTS_ALLOCATIONS
// oneDNN's `new` lands in this program's too: it is told by the address that the call returns to.
bool from_kernel_library(void* caller) {
  Dl_info where;
  return dladdr(caller, &where) != 0 && where.dli_fname != nullptr &&
         std::strstr(where.dli_fname, "libdnnl") != nullptr;
}

void* allocate(std::size_t size, std::size_t alignment, void* caller) {
  if (counting && !from_kernel_library(caller)) ++allocations;
  void* memory = nullptr;
  if (alignment <= alignof(std::max_align_t)) {
    memory = std::malloc(size == 0 ? 1 : size);
  } else if (posix_memalign(&memory, alignment, size) != 0) {
    memory = nullptr;
  }
  return memory;
}

void* allocate_or_throw(std::size_t size, std::size_t alignment, void* caller) {
  if (void* memory = allocate(size, alignment, caller)) return memory;
  throw std::bad_alloc();
}
#endif

}  // namespace

#if NPUBIN_COUNTS_ALLOCATIONS
void* operator new(std::size_t size) {
  return allocate_or_throw(size, 1, __builtin_return_address(0));
}
void* operator new[](std::size_t size) {
  return allocate_or_throw(size, 1, __builtin_return_address(0));
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocate_or_throw(size, static_cast<std::size_t>(alignment), __builtin_return_address(0));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return allocate(size, 1, __builtin_return_address(0));
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete[](void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, const std::nothrow_t&) noexcept {
  std::free(memory);
}
#endif

namespace npubin::test {

bool allocations_are_counted() {
  return NPUBIN_COUNTS_ALLOCATIONS != 0;
}

void start_counting_allocations() {
  allocations = 0;
  counting = true;
}

std::size_t stop_counting_allocations() {
  counting = false;
  return allocations;
}

}  // namespace npubin::test
