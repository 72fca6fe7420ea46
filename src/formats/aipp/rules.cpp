#include "formats/aipp/rules.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

namespace npubin::aipp {
namespace {

const NetworkInputFacts* input_of(const Block& block, const Surroundings& surroundings) {
  if (!surroundings.inputs) return nullptr;
  const std::string& name = block.of(FieldId::related_input_name).text;
  if (!name.empty()) {
    for (const NetworkInputFacts& input : *surroundings.inputs)
      if (input.name == name) return &input;
    return nullptr;
  }
  const auto rank = static_cast<std::size_t>(block.number(FieldId::related_input_rank));
  return rank < surroundings.inputs->size() ? &(*surroundings.inputs)[rank] : nullptr;
}

BlockCase case_of(const Config& config, std::size_t index, const Surroundings& surroundings) {
  const Block& block = config.blocks[index];
  BlockCase out{config, block, index, surroundings, input_of(block, surroundings), nullptr, std::nullopt};
  if (block.format() != InputFormat::Undefined) out.format = find_format(block.format());
  if (!surroundings.soc.empty()) out.chip = chip_family(surroundings.soc);
  return out;
}

void apply(std::span<const BlockRule> rules, const BlockCase& block_case, Diagnostics& out) {
  Report report(block_case, out);
  for (BlockRule rule : rules) rule(block_case, report);
}

void check_shapes(const Config& config, Diagnostics& out) {
  for (const MultiShape& shape : config.shapes) {
    const Occurrence& at = shape.batch_where.line != 0 ? shape.batch_where : shape.where;
    const std::size_t count = shape.batch_list.size();
    if (shape.mode == 0 && (count < 2 || count > 8))
      out.add(finding("AIP-0416", location_of(at), "batch_list",
                      fmt::format("batch_list holds {} values", count), "the schema asks for 2 to 8"));
    const std::set<std::uint32_t> distinct(shape.batch_list.begin(), shape.batch_list.end());
    if (distinct.size() != count || distinct.count(0) != 0)
      out.add(finding("AIP-0417", location_of(at), "batch_list",
                      "batch_list holds a zero, or the same value twice", "give distinct positive values"));
  }
}

void note_unchecked(const Config& config, const Surroundings& surroundings, Diagnostics& out) {
  if (config.blocks.empty()) return;
  if (!surroundings.inputs)
    out.add(finding("AIP-0501", {}, {},
                    "sizes against the network, channels and input positions were not checked",
                    "give --network-shape N,C,H,W, once for each input, or --context"));
  if (surroundings.soc.empty())
    out.add(finding("AIP-0502", {}, {}, "what depends on the chip was not checked",
                    "give --soc, e.g. Ascend310P"));
  else if (!chip_family(surroundings.soc))
    out.add(
        finding("AIP-0504", {}, {},
                fmt::format("the chip {} is not known: what depends on it was not checked", surroundings.soc),
                fmt::format("known: {}", kKnownChips)));
  const bool pads = std::any_of(config.blocks.begin(), config.blocks.end(),
                                [](const Block& b) { return b.on(FieldId::padding); });
  const bool typed = surroundings.inputs && !surroundings.inputs->empty() &&
                     std::all_of(surroundings.inputs->begin(), surroundings.inputs->end(),
                                 [](const NetworkInputFacts& input) { return !input.dtype.empty(); });
  if (pads && !typed)
    out.add(
        finding("AIP-0503", {}, {}, "the range of padding_value was not checked", "give --network-dtype"));
}

}  // namespace

std::optional<std::int64_t> BlockCase::network(bool horizontal) const {
  if (input == nullptr || !fixed_size()) return std::nullopt;
  return horizontal ? input->w : input->h;
}

std::optional<std::int64_t> BlockCase::source(bool horizontal) const {
  const std::int64_t own = block.integer(horizontal ? FieldId::src_image_size_w : FieldId::src_image_size_h);
  if (own != 0) return own;
  return network(horizontal);
}

std::optional<std::int64_t> BlockCase::cropped(bool horizontal) const {
  if (!block.on(FieldId::crop)) return source(horizontal);
  const std::int64_t own = block.integer(horizontal ? FieldId::crop_size_w : FieldId::crop_size_h);
  if (own != 0) return own;
  return network(horizontal);
}

void Report::add(std::string_view code, FieldId field, std::string message, std::string hint) {
  Location where = case_.block.location(field);
  where.path = fmt::format("aipp_op[{}]", case_.index);
  out_.add(
      finding(code, std::move(where), std::string(info(field).name), std::move(message), std::move(hint)));
}

void Report::add_at(std::string_view code, FieldId field, const Occurrence& at, std::string message,
                    std::string hint) {
  Location where = location_of(at);
  where.path = fmt::format("aipp_op[{}]", case_.index);
  out_.add(
      finding(code, std::move(where), std::string(info(field).name), std::move(message), std::move(hint)));
}

void check_config(const Config& config, const Surroundings& surroundings, Diagnostics& out) {
  if (config.blocks.empty())
    out.add(finding("AIP-0420", {}, {}, "the config holds no aipp_op block: nothing would be inserted",
                    "write a block, or leave --insert_op_conf out"));
  for (std::size_t i = 0; i < config.blocks.size(); ++i)
    apply(ge_rules(), case_of(config, i, surroundings), out);
  for (std::size_t i = 0; i < config.blocks.size(); ++i) {
    const BlockCase block_case = case_of(config, i, surroundings);
    apply(op_size_rules(), block_case, out);
    apply(op_value_rules(), block_case, out);
  }
  for (std::size_t i = 0; i < config.blocks.size(); ++i)
    apply(lint_rules(), case_of(config, i, surroundings), out);
  check_shapes(config, out);
  note_unchecked(config, surroundings, out);
}

}  // namespace npubin::aipp
