// AIPP configs as serialized protobuf: read, describe, to text and back to the same bytes.
#include <cstdint>
#include <cstdlib>

#include "formats/aipp/artifact.h"
#include "formats/aipp/describe.h"
#include "formats/aipp/edit.h"
#include "formats/aipp/rules.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const npubin::ByteSpan bytes(reinterpret_cast<const std::byte*>(data), size);
  const auto config = npubin::aipp::parse_binary(bytes);
  if (!config) return 0;
  npubin::Diagnostics findings;
  npubin::aipp::check_config(*config, {}, findings);
  (void)npubin::aipp::describe_config(*config, {}, {}).has_value();
  const auto again = npubin::aipp::to_binary(*config);
  const auto twice =
      again ? npubin::aipp::parse_binary(*again) : npubin::Result<npubin::aipp::Config>(*config);
  if (!again || !twice || npubin::aipp::to_binary(*twice).value() != *again) std::abort();
  const npubin::aipp::Parsed parsed = npubin::aipp::parse_text(npubin::aipp::to_text(*config));
  if (parsed.fault) std::abort();
  (void)npubin::aipp::edit(bytes, {{"mean_chn_0", "3"}}).has_value();
  return 0;
}
