// The HEF document: the input is the protobuf alone, put into a sound container, so that no checksum stands
// between the fuzzer and the meaning.
#include <cstdint>

#include "formats/hef/document.h"
#include "formats/hef/rewrite.h"
#include "render/json.h"
#include "render/text.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace npubin;
  if (size == 0) return 0;
  const ByteSpan input{reinterpret_cast<const std::byte*>(data), size};
  const std::vector<std::byte> words(256, std::byte{0x5A});
  hef::Parts parts;
  parts.version = 1 + std::to_integer<unsigned>(input[0]) % 3;
  parts.proto.assign(input.begin() + 1, input.end());
  parts.ccws = words;
  auto file = hef::assemble(parts);
  if (!file) return 0;
  auto artifact = hef::HefArtifact::read(Bytes::borrow(*file), {});
  if (!artifact) return 0;
  const auto& document = static_cast<const hef::HefArtifact&>(**artifact);
  Diagnostics findings;
  document.validate({}, findings);
  (void)document.map();
  (void)document.contents();
  DescribeOptions describe;
  describe.json = true;
  if (auto node = document.describe(describe)) (void)render::dump(render::to_json(*node));
  describe.style = "parse-hef";
  (void)document.describe(describe);
  (void)document.disassemble({});
  if (auto stripped = hef::strip(document)) {
    auto again = hef::HefArtifact::read(Bytes::borrow(stripped->bytes), {});
    if (!again || !static_cast<const hef::HefArtifact&>(**again).readable()) __builtin_trap();
  }
  if (!document.readable()) return 0;
  for (const hef::NetworkGroup& group : document.model().groups)
    if (!group.streams.empty()) {
      auto edited = hef::edit(document, {{}, {{group.streams.front().name, "a/new_name"}}, {}});
      if (edited && !hef::HefArtifact::read(Bytes::borrow(edited->bytes), {})) __builtin_trap();
    }
  // Taken apart and put together, nothing changes.
  auto same = hef::reassemble(document, {input.begin() + 1, input.end()});
  if (same && *same != *file) __builtin_trap();
  return 0;
}
