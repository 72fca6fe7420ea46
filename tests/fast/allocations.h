// Counts the memory that npubin allocates, apart from what the kernel library allocates for itself.
#pragma once

#include <cstddef>

namespace npubin::test {

// false under sanitizers, which bring allocation functions of their own.
bool allocations_are_counted();

// Between start() and stop(), over all threads: calls of operator new that come from npubin.
void start_counting_allocations();
std::size_t stop_counting_allocations();

}  // namespace npubin::test
