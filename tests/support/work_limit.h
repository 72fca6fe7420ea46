// A guard against work that runs away: quadratic loops, hostile counts. It is no benchmark (those live in
// bench/): processor time, so that other programs do not count, with room for slow machines and for
// sanitizers.
#pragma once

#include <gtest/gtest.h>

#include <ctime>

namespace npubin::test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr double kRoomForSlowness = 60;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr double kRoomForSlowness = 60;
#else
inline constexpr double kRoomForSlowness = 10;
#endif
#else
inline constexpr double kRoomForSlowness = 10;
#endif

// Expects, when it goes out of scope, that the work since its construction took no more than `seconds` of an
// idle machine's processor, times the room above.
class WorkLimit {
 public:
  explicit WorkLimit(double seconds) : limit_(seconds * kRoomForSlowness), start_(std::clock()) {}
  WorkLimit(const WorkLimit&) = delete;
  WorkLimit& operator=(const WorkLimit&) = delete;
  ~WorkLimit() {
    EXPECT_LT(static_cast<double>(std::clock() - start_) / CLOCKS_PER_SEC, limit_) << "the work ran away";
  }

 private:
  double limit_;
  std::clock_t start_;
};

}  // namespace npubin::test
