// What GE refuses when it reads the config (aipp spec 1 and 2).
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "formats/aipp/rules.h"

namespace npubin::aipp {
namespace {

using F = FieldId;

void mode(const BlockCase& c, Report& report) {
  if (c.block.is_static() || c.block.is_dynamic()) return;
  const std::int64_t value = c.block.integer(F::aipp_mode);
  report.add("AIP-0201", F::aipp_mode,
             value == 0 ? std::string("aipp_mode must be static or dynamic, and is not set")
                        : fmt::format("aipp_mode {} is neither static (1) nor dynamic (2)", value),
             "write aipp_mode: static");
}

void input_rank(const BlockCase& c, Report& report) {
  if (!c.surroundings.inputs || !c.block.of(F::related_input_name).text.empty()) return;
  const double rank = c.block.number(F::related_input_rank);
  const std::size_t count = c.surroundings.inputs->size();
  if (rank >= static_cast<double>(count))
    report.add("AIP-0202", F::related_input_rank,
               fmt::format("related_input_rank {:.0f}: the network has {} input{}", rank, count,
                           count == 1 ? "" : "s"),
               "inputs are counted from 0");
}

void input_name(const BlockCase& c, Report& report) {
  const std::string& name = c.block.of(F::related_input_name).text;
  if (!c.surroundings.inputs || name.empty() || c.input != nullptr) return;
  const auto& inputs = *c.surroundings.inputs;
  // Names are known only where the surroundings gave them.
  if (std::all_of(inputs.begin(), inputs.end(), [](const NetworkInputFacts& i) { return i.name.empty(); }))
    return;
  std::string names;
  for (const NetworkInputFacts& input : inputs) names += (names.empty() ? "" : ", ") + input.name;
  report.add("AIP-0203", F::related_input_name, fmt::format("the network has no input named `{}`", name),
             "its inputs: " + names);
}

void input_edge(const BlockCase& c, Report& report) {
  const auto& edges = c.block.of(F::input_edge_idx).numbers;
  if (edges.size() > 1)
    report.add("AIP-0204", F::input_edge_idx,
               fmt::format("input_edge_idx has {} values, and takes one", edges.size()), "keep one");
  else if (edges.size() == 1 && c.input != nullptr && c.input->out_edges &&
           edges[0] >= static_cast<double>(*c.input->out_edges))
    report.add("AIP-0205", F::input_edge_idx,
               fmt::format("input_edge_idx {:.0f}: the input has {} out edge{}", edges[0],
                           *c.input->out_edges, *c.input->out_edges == 1 ? "" : "s"),
               "edges are counted from 0");
}

void dynamic_size(const BlockCase& c, Report& report) {
  if (c.block.is_dynamic() && c.block.integer(F::max_src_image_size) == 0)
    report.add("AIP-0206", F::max_src_image_size, "a dynamic block needs max_src_image_size above 0",
               "set it to N x bytes of the largest picture");
}

void format(const BlockCase& c, Report& report) {
  if (!c.block.is_dynamic() && c.block.format() == InputFormat::Undefined)
    report.add("AIP-0207", F::input_format, "input_format is not defined", "e.g. input_format: RGB888_U8");
}

// crop_size_h is missing on purpose: GE forgets it, and the operator's build refuses it later.
constexpr std::array kSigned{F::src_image_size_w, F::src_image_size_h,   F::load_start_pos_w,
                             F::load_start_pos_h, F::crop_size_w,        F::resize_output_w,
                             F::resize_output_h,  F::left_padding_size,  F::right_padding_size,
                             F::top_padding_size, F::bottom_padding_size};

void signs(const BlockCase& c, Report& report) {
  for (F field : kSigned)
    if (const std::int64_t value = c.block.integer(field); value < 0) {
      const bool source = field == F::src_image_size_w || field == F::src_image_size_h;
      report.add(source ? "AIP-0208" : "AIP-0209", field,
                 fmt::format("{} is {}, and must not be negative", info(field).name, value),
                 "write a number of pixels");
    }
}

void repeats(const BlockCase& c, Report& report) {
  for (const FieldInfo& field : fields()) {
    if (!field.repeated || field.id == F::input_edge_idx) continue;
    if (const std::size_t count = c.block.of(field.id).numbers.size(); count > 1)
      report.add("AIP-0210", field.id, fmt::format("{} has {} values, and takes one", field.name, count),
                 "keep one");
  }
}

bool by_name(const Block& block) {
  return !block.of(F::related_input_name).text.empty();
}

void mixture(const BlockCase& c, Report& report) {
  const bool names = by_name(c.config.blocks.front());
  if (by_name(c.block) == names) return;
  report.add("AIP-0211", names ? F::related_input_rank : F::related_input_name,
             fmt::format("the first block goes by {}, this one by {}", names ? "name" : "rank",
                         names ? "rank" : "name"),
             names ? "give every block a related_input_name" : "give every block a related_input_rank");
}

// Compares with the blocks before; a text holds at most some thousand blocks.
void position(const BlockCase& c, Report& report) {
  const bool names = by_name(c.block);
  for (std::size_t i = 0; i < c.index; ++i) {
    const Block& other = c.config.blocks[i];
    if (by_name(other) != names) continue;
    const bool same = names ? other.of(F::related_input_name).text == c.block.of(F::related_input_name).text
                            : other.number(F::related_input_rank) == c.block.number(F::related_input_rank);
    if (!same) continue;
    report.add("AIP-0212", names ? F::related_input_name : F::related_input_rank,
               fmt::format("blocks {} and {} are for the same input", i, c.index),
               "give each block an input of its own");
    return;
  }
}

void fp16_node(const BlockCase& c, Report& report) {
  const auto& nodes = c.surroundings.input_fp16_nodes;
  if (c.input == nullptr || std::find(nodes.begin(), nodes.end(), c.input->name) == nodes.end()) return;
  report.add("AIP-0213", by_name(c.block) ? F::related_input_name : F::related_input_rank,
             fmt::format("the input `{}` is in --input_fp16_nodes as well", c.input->name),
             "take it out of --input_fp16_nodes");
}

void dynamic_image(const BlockCase& c, Report& report) {
  if (!c.surroundings.dynamic_image_size || c.block.is_dynamic()) return;
  for (F field : {F::crop, F::padding})
    if (c.block.on(field))
      report.add("AIP-0214", field,
                 fmt::format("{} cannot be used together with --dynamic_image_size", info(field).name),
                 "switch it off");
  for (F field : {F::src_image_size_w, F::src_image_size_h})
    if (c.block.integer(field) > 0)
      report.add("AIP-0214", field,
                 fmt::format("{} must be 0 together with --dynamic_image_size", info(field).name),
                 "delete the line");
}

constexpr std::array<BlockRule, 12> kGraphEngineRules{mode,         input_rank, input_name, input_edge,
                                                      dynamic_size, format,     signs,      repeats,
                                                      mixture,      position,   fp16_node,  dynamic_image};

}  // namespace

std::span<const BlockRule> ge_rules() {
  return kGraphEngineRules;
}

}  // namespace npubin::aipp
