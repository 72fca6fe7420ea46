// Bare command words: the raw listing assembles back to them; the structured listing and the checker take
// all.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "ethosu/check.h"
#include "ethosu/cop1.h"
#include "ethosu/listing.h"
#include "ethosu/raw_listing.h"
#include "render/text.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace npubin;
  ethosu::Job job;
  const ByteSpan bytes{reinterpret_cast<const std::byte*>(data), size};
  job.words = ethosu::words_of(bytes);
  std::string listing;
  for (const std::string& line : ethosu::raw_listing(job.words)) listing += line + "\n";
  const auto words = ethosu::assemble(listing);
  if (!words || *words != job.words) std::abort();
  // The same bytes serve as weights, so that addresses hit something.
  job.accelerator = ethosu::Accelerator::U55_256;
  job.regions.push_back({0, size, Bytes::borrow(bytes), true, "weights"});
  job.regions.push_back({1, 1 << 16, {}, false, "scratch"});
  Diagnostics findings;
  ethosu::check_job(job, findings);
  (void)render::to_text(ethosu::list_job(job, {}), {2, false});
  (void)ethosu::summarize_job(job);
  (void)ethosu::assemble({reinterpret_cast<const char*>(data), size});
  return 0;
}
