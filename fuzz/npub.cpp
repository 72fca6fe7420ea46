// .npub documents: read, validate, describe, map, list, take apart and put together, read again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "formats/npub/document.h"
#include "formats/npub/emit_c.h"
#include "formats/npub/parts.h"
#include "npubin/embedded/npub_loader.h"
#include "render/text.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace npubin;
  const Bytes bytes = Bytes::borrow({reinterpret_cast<const std::byte*>(data), size});
  const auto document = npub::Document::read(bytes, {});
  Diagnostics findings;
  document->validate({}, findings);
  if (auto node = document->describe({})) (void)render::to_text(*node, {2, false});
  (void)document->map();
  (void)document->contents();
  if (auto node = document->disassemble({})) (void)render::to_text(*node, {2, false});
  // The embedded loader and check agree on every input.
  static std::uint8_t arena[1 << 16];
  npub_job_t job;
  const std::uint32_t status = npub_load(data, size, arena, sizeof arena, &job);
  if (status != static_cast<std::uint32_t>(npub::run_loader(bytes.span(), sizeof arena).status)) std::abort();
  (void)npub::emit_c(*document, "blob");
  if (const auto parts = npub::take_apart(*document); parts && document->header()->region_count > 8)
    std::abort();
  return 0;
}
