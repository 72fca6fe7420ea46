#include "formats/aipp/describe.h"

#include <fmt/format.h>

namespace npubin::aipp {

Result<Node> describe_config(const Config& config, const Surroundings&, const DescribeOptions&) {
  Node root("aipp", "Ascend AIPP config");
  root.field("format", "aipp");
  root.field("blocks", config.blocks.size());
  return root;
}

void add_text_spans(const Config& config, std::string_view text, ByteMap& out) {
  const auto last_byte = [&](std::uint64_t end) { return std::min<std::uint64_t>(end, text.size()); };
  for (std::size_t i = 0; i < config.blocks.size(); ++i) {
    const Block& block = config.blocks[i];
    for (const FieldInfo& field : fields())
      for (const Occurrence& where : block.of(field.id).where)
        out.add(where.offset, last_byte(where.end) - where.offset, fmt::format("aipp_op[{}].{}", i, field.name));
  }
}

}  // namespace npubin::aipp
