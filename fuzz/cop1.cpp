// COP1 payloads: read, write again, and the words must be the same.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "ethosu/cop1.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace npubin;
  Diagnostics findings;
  const ByteSpan payload{reinterpret_cast<const std::byte*>(data), size};
  const auto cop1 = ethosu::read_cop1(payload, 0, findings);
  if (!cop1) return 0;
  const auto written = ethosu::write_cop1(cop1->words, ethosu::Accelerator::U55_128);
  if (!written) return 0;
  Diagnostics clean;
  const auto again = ethosu::read_cop1(*written, 0, clean);
  if (!again || again->words != cop1->words || !clean.findings().empty()) std::abort();
  return 0;
}
