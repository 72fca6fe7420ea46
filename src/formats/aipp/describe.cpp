#include "formats/aipp/describe.h"

#include <algorithm>

#include <fmt/format.h>

#include "formats/aipp/blocks.h"
#include "formats/aipp/code_as.h"
#include "formats/aipp/rules.h"
#include "formats/aipp/settings.h"
#include "formats/aipp/training_terms.h"

namespace npubin::aipp {
namespace {

using F = FieldId;

std::string format_name(const Block& block) {
  if (const FormatFacts* facts = find_format(block.format())) return std::string(facts->name);
  return block.format() == InputFormat::Undefined ? "UNDEFINED"
                                                  : fmt::format("{}", block.integer(F::input_format));
}

std::string mode_name(const Block& block) {
  if (block.is_static()) return "static";
  return block.is_dynamic() ? "dynamic" : fmt::format("undefined ({})", block.integer(F::aipp_mode));
}

template <class Values>
Datum numbers(const Values& values, std::size_t count) {
  Datum out = Datum(Datum::Array{});
  for (std::size_t i = 0; i < count; ++i) out.push(values[i]);
  return out;
}

int set_cells(const Block& block) {
  int out = 0;
  for (std::size_t i = 0; i < 9; ++i) out += block.present(nth(F::matrix_r0c0, i)) ? 1 : 0;
  return out;
}

const NetworkInputFacts* network_of(const Block& block, const Surroundings& surroundings) {
  if (!surroundings.inputs) return nullptr;
  const std::string& name = block.of(F::related_input_name).text;
  for (std::size_t i = 0; i < surroundings.inputs->size(); ++i)
    if (name.empty() ? i == input_rank(block) : (*surroundings.inputs)[i].name == name)
      return &(*surroundings.inputs)[i];
  return nullptr;
}

void describe_source(const Block& block, const Settings& s, const NetworkInputFacts* network, Node& node) {
  node.field("format", format_name(block));
  node.field_text(
      "src", numbers(std::array{s.src_w, s.src_h}, 2),
      s.src_w == 0 && s.src_h == 0 ? "the network's size" : fmt::format("{} x {}", s.src_w, s.src_h));
  const std::int64_t w = s.src_w != 0 || network == nullptr ? s.src_w : network->w;
  const std::int64_t h = s.src_h != 0 || network == nullptr ? s.src_h : network->h;
  const auto bytes = image_bytes(s.format, w, h);
  if (!bytes)
    node.field_text("picture_bytes", nullptr, bytes.error().message);
  else if (*bytes > 0)
    node.field("picture_bytes", *bytes, "bytes");
  else
    node.field_text("picture_bytes", nullptr, "not known without --network-shape");
}

void describe_changes(const Block& block, const Settings& s, Node& node) {
  node.field("rbuv_swap", s.swap_rb_uv, {}, s.swap_rb_uv ? Detail::Normal : Detail::Verbose);
  node.field("ax_swap", s.swap_ax, {}, s.swap_ax ? Detail::Normal : Detail::Verbose);
  if (s.crop)
    node.field_text("crop", numbers(std::array{s.crop_x, s.crop_y, s.crop_w, s.crop_h}, 4),
                    fmt::format("{} x {} at ({}, {})", s.crop_w, s.crop_h, s.crop_x, s.crop_y));
  else
    node.field_text("crop", nullptr, "off", Detail::Verbose);
  node.field("csc", s.csc, {}, Detail::JsonOnly);
  if (s.csc) {
    node.field("csc_standard", csc_title(s, set_cells(block)));
    node.field("matrix", numbers(s.matrix, 9));
    const FormatFacts* facts = find_format(s.format);
    const bool yuv = facts != nullptr && facts->family == PixelFamily::Yuv;
    node.field(yuv ? "input_bias" : "output_bias", numbers(yuv ? s.input_bias : s.output_bias, 3));
  } else {
    node.field_text("csc_standard", nullptr, "no colour conversion");
  }
  if (s.resize) node.field("resize", numbers(std::array{s.resize_w, s.resize_h}, 2));
  node.field("mean", numbers(s.mean, 4), {}, Detail::Verbose);
  node.field("min", numbers(s.min, 4), {}, Detail::Verbose);
  node.field("var_reci", numbers(s.var_reci, 4), {}, Detail::Verbose);
  if (s.padding)
    node.field_text("padding", numbers(std::array{s.pad_left, s.pad_right, s.pad_top, s.pad_bottom}, 4),
                    fmt::format("left {}, right {}, top {}, bottom {}, value {}", s.pad_left, s.pad_right,
                                s.pad_top, s.pad_bottom, s.padding_value));
  else
    node.field_text("padding", nullptr, "off", Detail::Verbose);
}

void describe_training(const Settings& s, Node& node) {
  const TrainingTerms terms = training_terms(s, channels_of(s));
  Node& training = node.child("training", "in training terms");
  training.field("normalisation", to_string(terms));
  if (!terms.none) {
    training.field("mean", numbers(terms.mean, terms.mean.size()), {}, Detail::JsonOnly);
    training.field("std", numbers(terms.std, terms.std.size()), {}, Detail::JsonOnly);
  }
  if (!terms.known_as.empty()) training.field("known_as", terms.known_as);
  const std::string order = channel_order(s);
  training.field("channel_order", order);
  const std::string_view known = terms.known_as;
  if ((order == "RGB" && known.ends_with(", BGR")) || (order == "BGR" && known.ends_with(", RGB")))
    training.field(
        "caution",
        fmt::format("the values are {}'s order, and the channels reach the network as {}: one of the two is "
                    "wrong, unless the picture's bytes are not in the order that input_format names",
                    known, order));
}

void describe_network(const Settings& s, const NetworkInputFacts* network, Node& node) {
  const auto geometry = network == nullptr ? resolve_geometry(s, {1, channels_of(s), 0, 0})
                                           : resolve_geometry(s, {1, static_cast<std::int32_t>(network->c),
                                                                  static_cast<std::int32_t>(network->h),
                                                                  static_cast<std::int32_t>(network->w)});
  Node& after = node.child("network", "what the network gets");
  if (!geometry) {
    after.field_text("shape", nullptr, geometry.error().message);
    return;
  }
  const std::int64_t n = network == nullptr ? 1 : network->n;
  after.field_text(
      "shape",
      numbers(std::array<std::int64_t, 4>{n, geometry->channels, geometry->out_h, geometry->out_w}, 4),
      fmt::format("{} x {} x {} x {} (N,C,H,W)", n, geometry->channels, geometry->out_h, geometry->out_w));
  const auto bytes = image_bytes(s.format, geometry->src_w, geometry->src_h);
  if (!bytes) return;
  const FormatFacts* facts = find_format(s.format);
  after.field("model_input", fmt::format("uint8, {} picture{} of {} x {} {}: {} bytes", n, n == 1 ? "" : "s",
                                         geometry->src_w, geometry->src_h, facts->name,
                                         *bytes * static_cast<std::uint64_t>(n)));
}

void describe_dynamic(const Block& block, Node& node) {
  node.field("max_src_image_size", block.integer(F::max_src_image_size), "bytes");
  node.field_text("parameters", "at run time",
                  "come with the parameter block of each run: 64 + 96 N bytes (`npubin aipp params`)");
}

Node describe_block(const Block& block, std::size_t index, const Surroundings& surroundings) {
  const Settings s = settings_of_block(block);
  const NetworkInputFacts* network = network_of(block, surroundings);
  Node node("op", fmt::format("block {}: {}", index, mode_name(block)));
  node.field("mode", mode_name(block), {}, Detail::JsonOnly);
  node.field("input", input_name(block));
  if (block.present(F::input_edge_idx)) node.field("input_edge_idx", block.integer(F::input_edge_idx));
  if (block.is_dynamic()) {
    node.field("format", format_name(block), {}, Detail::JsonOnly);
    describe_dynamic(block, node);
    return node;
  }
  node.field("max_src_image_size", block.integer(F::max_src_image_size), {}, Detail::JsonOnly);
  describe_source(block, s, network, node);
  describe_changes(block, s, node);
  node.field("steps", Datum::array_of(step_list(s, set_cells(block))), {}, Detail::JsonOnly);
  Node& steps = node.child("step_list", "steps", Detail::TextOnly);
  std::size_t number = 0;
  for (const std::string& step : step_list(s, set_cells(block)))
    steps.lines.push_back(fmt::format("{}. {}", ++number, step));
  describe_training(s, node);
  describe_network(s, network, node);
  return node;
}

void describe_shapes(const Config& config, Node& root) {
  if (config.shapes.empty()) return;
  Table& table = root.table("multi_shape_ops", {"input", "mode", "batch_list"});
  for (const MultiShape& shape : config.shapes)
    table.rows.push_back({fmt::format("input{}", shape.rank),
                          shape.mode == 0   ? Datum("batch")
                          : shape.mode == 1 ? Datum("resolution")
                                            : Datum(std::int64_t{shape.mode}),
                          Datum::array_of(shape.batch_list)});
}

void describe_findings(const Config& config, const Surroundings& surroundings, Node& root) {
  Diagnostics findings;
  check_config(config, surroundings, findings);
  root.field_text(
      "check",
      std::array{"ok", "warning", "error"}[findings.has_errors()     ? 2
                                           : findings.has_warnings() ? 1
                                                                     : 0],
      fmt::format("{} errors, {} warnings{}", findings.count(Severity::Error),
                  findings.count(Severity::Warning),
                  findings.has_errors() || findings.has_warnings() ? ": see `npubin check`" : ""));
}

}  // namespace

Result<Node> describe_config(const Config& config, const Surroundings& surroundings,
                             const DescribeOptions& options) {
  if (!options.style.empty()) return code_node(config, surroundings, options.style);
  Node root("aipp", "Ascend AIPP config");
  root.field("format", "aipp");
  root.field("form", config.binary ? "binary" : "text");
  root.field("blocks", config.blocks.size());
  describe_findings(config, surroundings, root);
  describe_shapes(config, root);
  Node& ops = root.child("ops", "blocks");
  ops.list = true;
  for (std::size_t i = 0; i < config.blocks.size(); ++i)
    ops.children.push_back(describe_block(config.blocks[i], i, surroundings));
  return root;
}

void add_text_spans(const Config& config, std::string_view text, ByteMap& out) {
  const auto add = [&](std::uint64_t begin, std::uint64_t end, std::string name) {
    const std::uint64_t bounded = std::min<std::uint64_t>(end, text.size());
    if (begin < bounded) out.add(begin, bounded - begin, std::move(name));
  };
  if (!text.empty()) out.add(0, text.size(), "text", "protobuf TextFormat");
  for (std::size_t i = 0; i < config.blocks.size(); ++i) {
    const Block& block = config.blocks[i];
    add(block.where.offset, block.where.line == 0 ? 0 : block.where.end, fmt::format("aipp_op[{}]", i));
    for (const FieldInfo& field : fields())
      for (const Occurrence& where : block.of(field.id).where)
        add(where.offset, where.end, fmt::format("aipp_op[{}].{}", i, field.name));
  }
  for (std::size_t i = 0; i < config.shapes.size(); ++i)
    add(config.shapes[i].where.offset, config.shapes[i].where.line == 0 ? 0 : config.shapes[i].where.end,
        fmt::format("multi_shape_op[{}]", i));
}

}  // namespace npubin::aipp
