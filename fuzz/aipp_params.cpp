// Dynamic parameter blocks: read, check, describe, write, execute on a small picture.
#include <cstdint>
#include <cstdlib>

#include "formats/aipp/parameter_report.h"
#include "npubin/aipp.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace aipp = npubin::aipp;
  const npubin::ByteSpan bytes(reinterpret_cast<const std::byte*>(data), size);
  const auto block = aipp::read_parameters(bytes);
  if (!block) return 0;
  npubin::Diagnostics findings;
  aipp::check_parameters(*block, aipp::NetworkInput{1, 3, 8, 8}, 4096, findings);
  aipp::describe_parameters(*block);
  const auto written = aipp::write_parameters(*block);
  const auto again = aipp::read_parameters(written);
  if (written.size() != size || !again || aipp::write_parameters(*again) != written) std::abort();
  for (std::size_t i = 0; i < block->items.size(); ++i) {
    const aipp::Settings settings = aipp::settings_of(*block, i);
    if (settings.src_w < 0 || settings.src_h < 0 || settings.src_w > 64 || settings.src_h > 64) continue;
    auto pre = aipp::Preprocessor::compile(settings, {1, 3, 0, 0}, {});
    if (!pre || pre->output_bytes() > (1u << 20)) continue;
    std::vector<std::byte> image(pre->input_bytes()), out(pre->output_bytes());
    if (!pre->run(image, out)) std::abort();
  }
  return 0;
}
