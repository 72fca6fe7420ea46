#include "formats/aipp/blocks.h"

#include <fmt/format.h>

#include "formats/aipp/settings.h"

namespace npubin::aipp {

Result<std::vector<Settings>> settings_for_run(const Block& block,
                                               const std::optional<ParameterBlock>& parameters) {
  if (!block.is_dynamic()) {
    if (parameters) return usage_error("--params is for dynamic mode; this block is static");
    return std::vector<Settings>{settings_of_block(block)};
  }
  if (!parameters)
    return usage_error("the block is dynamic: what to do comes with the parameter block",
                       "give --params FILE; `npubin aipp params` writes one");
  std::vector<Settings> out;
  for (std::size_t i = 0; i < parameters->items.size(); ++i) {
    if (parameters->items[i].rotate)
      return refused(fmt::format("picture {} is to be rotated: no arithmetic is published for that", i));
    out.push_back(settings_of(*parameters, i));
  }
  return out;
}

Result<void> check_buffer(const Block& block, std::uint64_t bytes) {
  if (!block.is_dynamic()) return {};
  const double room = block.number(FieldId::max_src_image_size);
  if (static_cast<double>(bytes) <= room) return {};
  return usage_error(fmt::format("the pictures have {} bytes, max_src_image_size is {:.0f}", bytes, room),
                     "raise max_src_image_size to N x bytes of the largest picture");
}

std::string input_name(const Block& block) {
  const std::string& name = block.of(FieldId::related_input_name).text;
  return name.empty() ? fmt::format("input{:.0f}", block.number(FieldId::related_input_rank)) : name;
}

std::size_t input_rank(const Block& block) {
  return static_cast<std::size_t>(block.number(FieldId::related_input_rank));
}

}  // namespace npubin::aipp
