// The HEF container: read, validate, describe, map, disassemble, write, read again.
#include <cstdint>

#include "formats/hef/document.h"
#include "formats/hef/rewrite.h"
#include "render/json.h"
#include "render/text.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace npubin;
  const ByteSpan bytes{reinterpret_cast<const std::byte*>(data), size};
  (void)hef::sniff(bytes);
  auto artifact = hef::HefArtifact::read(Bytes::borrow(bytes), {});
  if (!artifact) return 0;
  Diagnostics findings;
  CheckOptions check;
  check.target = "hailo8";
  check.runtime = "4.20";
  (*artifact)->validate(check, findings);
  (void)(*artifact)->contents();
  if (auto map = (*artifact)->map()) (void)render::to_text(*map, {});
  DescribeOptions describe;
  describe.json = true;
  if (auto node = (*artifact)->describe(describe)) {
    (void)render::dump(render::to_json(*node));
    (void)render::to_text(*node, {2, false});
  }
  describe.style = "parse-hef";
  (void)(*artifact)->describe(describe);
  if (auto node = (*artifact)->disassemble({})) (void)render::to_text(*node, {});
  const auto& document = static_cast<const hef::HefArtifact&>(**artifact);
  for (std::uint32_t version = 0; version <= 3; ++version)
    if (auto again = hef::rewrite_header_version(document, version))
      (void)hef::HefArtifact::read(Bytes::borrow(again->bytes), {});
  auto written = (*artifact)->write();
  if (!written || written->size() != size) __builtin_trap();
  return 0;
}
