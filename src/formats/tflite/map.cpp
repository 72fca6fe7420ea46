// The byte map of a .tflite file: every table, vtable, vector and string by its path.
#include <algorithm>

#include <fmt/format.h>

#include "formats/tflite/document.h"
#include "formats/tflite/flat_verifier.h"

namespace npubin::tflite {
namespace {

// FlatBuffers align to at most 16 bytes and files with buffers behind them to 64; writers fill with zeros.
constexpr std::uint64_t kLargestPadding = 63;

void add_padding(ByteMap& out, ByteSpan file, std::vector<std::pair<std::uint64_t, std::uint64_t>> spans) {
  std::sort(spans.begin(), spans.end());
  spans.emplace_back(file.size(), 0);
  std::uint64_t covered = 0;
  for (const auto& [offset, size] : spans) {
    if (offset > covered && offset - covered <= kLargestPadding) {
      const ByteSpan gap = file.subspan(covered, offset - covered);
      if (std::all_of(gap.begin(), gap.end(), [](std::byte b) { return b == std::byte{0}; }))
        out.add(covered, gap.size(), "padding");
    }
    covered = std::max(covered, offset + size);
  }
}

}  // namespace

Result<ByteMap> TfliteDocument::map() const {
  ByteMap out;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> spans;
  auto add = [&](std::uint64_t offset, std::uint64_t size, std::string name, std::string note) {
    spans.emplace_back(offset, size);
    out.add(offset, size, std::move(name), std::move(note));
  };
  NPUBIN_CHECK(verify_flatbuffer(bytes_.span(), nullptr, [&](WalkedSpan span) {
    add(span.offset, span.size, std::move(span.path), std::move(span.note));
  }));
  for (std::size_t i = 0; i < buffers_.size(); ++i)
    if (buffers_[i].behind_flatbuffer)
      add(buffers_[i].offset, buffers_[i].data.size(), fmt::format("buffers[{}]", i),
          "behind the FlatBuffer");
  for (std::size_t s = 0; s < subgraphs_.size(); ++s)
    for (std::size_t i = 0; i < subgraphs_[s].operators.size(); ++i) {
      const OperatorView& op = subgraphs_[s].operators[i];
      if (op.custom_options_behind)
        add(op.custom_options_offset, op.custom_options.size(),
            fmt::format("subgraphs[{}].operators[{}].large_custom_options", s, i), "behind the FlatBuffer");
    }
  add_padding(out, bytes_.span(), std::move(spans));
  out.finish(bytes_.size());
  return out;
}

}  // namespace npubin::tflite
