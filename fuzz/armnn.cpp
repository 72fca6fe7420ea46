// Arm NN graphs: read, validate against a release, describe, map, import, write in another schema, read
// again.
#include <cstddef>
#include <cstdint>

#include "formats/armnn/age_conversion.h"
#include "formats/armnn/build.h"
#include "formats/armnn/document.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace npubin;
  const ByteSpan bytes{reinterpret_cast<const std::byte*>(data), size};
  (void)armnn::sniff(bytes);
  auto artifact = armnn::ArmnnDocument::read(Bytes::borrow(bytes), {});
  if (!artifact) return 0;
  const auto& document = static_cast<const armnn::ArmnnDocument&>(**artifact);
  Diagnostics findings;
  CheckOptions check;
  check.target = "armnn-20.08";
  document.validate(check, findings);
  DescribeOptions describe;
  describe.json = true;
  (void)document.describe(describe);
  (void)document.map();
  (void)document.contents();
  (void)document.write();
  for (armnn::Age age : {armnn::Age::Seed, armnn::Age::V2008})
    if (auto written = armnn::convert_to_age(document, age))
      if (!armnn::ArmnnDocument::read(Bytes::own(*std::move(written)), {})) __builtin_trap();
  Diagnostics again;
  if (auto graph = document.graph(again)) (void)armnn::build(*graph);
  return 0;
}
