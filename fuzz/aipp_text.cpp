// AIPP configs as text: read, check, describe, map, write, edit, read again.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "formats/aipp/artifact.h"
#include "formats/aipp/edit.h"
#include "render/json.h"

namespace {

void use(const npubin::Artifact& artifact) {
  npubin::CheckOptions check;
  check.context.emplace("soc", "Ascend310");
  check.context.emplace("network-shape", "data:1,3,224,224");
  check.context.emplace("network-dtype", "float16");
  npubin::Diagnostics findings;
  artifact.validate(check, findings);
  for (const char* style : {"", "torchvision", "opencv", "numpy"}) {
    npubin::DescribeOptions describe;
    describe.style = style;
    describe.context = check.context;
    if (auto node = artifact.describe(describe)) npubin::render::dump(npubin::render::to_json(*node));
  }
  (void)artifact.contents();
  if (auto map = artifact.map(); map && map->unexplained_bytes() > artifact.bytes().size()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  npubin::aipp::sniff({reinterpret_cast<const std::byte*>(data), size});
  auto artifact = npubin::aipp::read(npubin::Bytes::own(text), {"fuzz.cfg", {}});
  if (!artifact) return 0;
  use(**artifact);
  // An unchanged document is written byte for byte; an edit either fails or reads again.
  auto written = (*artifact)->write();
  if (!written || npubin::Bytes::own(*written).text() != text) std::abort();
  const auto edited = npubin::aipp::edit_text(text, {{"src_image_size_w", "226"}, {"crop", ""}});
  if (edited && npubin::aipp::parse_text(*edited).fault) std::abort();
  return 0;
}
