#include "ethosu/describe_operation.h"

#include <limits>

#include <fmt/format.h>

#include "ethosu/listing.h"

namespace npubin::ethosu {
namespace {

constexpr const char* kPooling[] = {"max", "average", "reduce_sum"};
constexpr const char* kElementwise[] = {"mul",   "add", "sub", "min", "max",
                                        "lrelu", "abs", "clz", "shr", "shl"};
constexpr const char* kRounding[] = {"double", "truncate", "natural", "3"};
constexpr const char* kUpscale[] = {"none", "nearest", "zeros", "3"};
constexpr const char* kAcc[] = {"i32", "i40", "f16", "3"};
constexpr const char* kScaleMode[] = {"opa_opb_16", "opa_32", "opb_32", "3"};

template <std::size_t N>
std::string spelled(const char* const (&names)[N], std::size_t value) {
  return value < N ? names[value] : fmt::format("{}", value);
}

std::string element_type(const FeatureMap& map) {
  return fmt::format("{}{}", map.is_signed ? 'i' : 'u', map.element_bits);
}

std::string function_name(const Activation& activation) {
  if (activation.uses_table()) return fmt::format("table {}", activation.table());
  switch (activation.function) {
    case 0:
      return "clamp";
    case 3:
      return "tanh";
    case 4:
      return "sigmoid";
    default:
      return fmt::format("function {}", activation.function);
  }
}

std::string clip_name(std::uint8_t range) {
  switch (range) {
    case 0:
      return "";
    case 2:
      return " as u8";
    case 3:
      return " as i8";
    case 5:
      return " as i16";
    default:
      return fmt::format(" clip range {}", range);
  }
}

std::uint64_t product(std::initializer_list<std::uint64_t> factors) {
  std::uint64_t out = 1;
  for (std::uint64_t factor : factors)
    if (__builtin_mul_overflow(out, factor, &out)) return std::numeric_limits<std::uint64_t>::max();
  return out;
}

bool is_tiled(const FeatureMap& map) {
  return map.width > map.width0 || map.height > map.height0;
}

Datum map_value(const FeatureMap& map) {
  Datum out;
  out.set("region", map.region).set("address", map.base[0]);
  out.set("shape", Datum::Array{map.height, map.width, map.depth}).set("type", element_type(map));
  out.set("layout", map.layout == Layout::Nhwc ? "nhwc" : "nhcwb16").set("zero_point", map.zero_point);
  out.set("strides", Datum::Array{static_cast<long long>(map.stride_y), static_cast<long long>(map.stride_x),
                                  static_cast<long long>(map.stride_c)});
  out.set("tiles",
          Datum(Datum::Object{{"height0", map.height0},
                              {"height1", map.height1},
                              {"width0", map.width0},
                              {"addresses", Datum::Array{map.base[0], map.base[1], map.base[2], map.base[3]}},
                              {"used", is_tiled(map)}}));
  return out;
}

Datum stream_value(const Stream& stream) {
  return Datum::Object{{"region", stream.region}, {"address", stream.address}, {"length", stream.length}};
}

Datum scale_value(const Scale& scale) {
  return Datum::Object{{"multiplier", scale.multiplier}, {"shift", scale.shift}};
}

}  // namespace

std::string operation_name(const Operation& op) {
  const std::string kind(to_string(op.kind));
  switch (op.kind) {
    case OperationKind::Conv:
    case OperationKind::Depthwise:
      return fmt::format("{} {}x{}", kind, op.kernel.height, op.kernel.width);
    case OperationKind::Pool:
      return fmt::format("{} {} {}x{}", kind, spelled(kPooling, static_cast<std::size_t>(op.pooling)),
                         op.kernel.height, op.kernel.width);
    case OperationKind::Elementwise:
      return fmt::format("{} {}", kind, spelled(kElementwise, static_cast<std::size_t>(op.elementwise)));
    case OperationKind::DmaWait:
    case OperationKind::KernelWait:
      return fmt::format("{} {}", kind, op.wait);
    case OperationKind::DmaStart:
      return kind;
    default:
      return fmt::format("{} 0x{:04x}", kind, op.param);
  }
}

std::uint64_t weight_count(const Operation& op) {
  if (!op.uses_weights()) return 0;
  return product(
      {op.ofm.depth, op.kernel.height, op.kernel.width, op.kind == OperationKind::Conv ? op.ifm.depth : 1u});
}

std::uint64_t mac_count(const Operation& op) {
  if (!op.uses_weights()) return 0;
  return product({op.ofm.height, op.ofm.width, weight_count(op)});
}

// Memory is used again by other tensors: only the whole of a named range is called by its name.
const std::string* OperationDescriber::tensor_name(std::uint32_t region, std::uint64_t offset,
                                                   std::uint64_t size) const {
  for (const NamedRange& tensor : job_.tensors)
    if (tensor.region == region && tensor.offset == offset && tensor.size == size) return &tensor.name;
  return nullptr;
}

std::string OperationDescriber::place(std::uint8_t region, std::uint64_t address) const {
  return fmt::format("region {} 0x{:06x}", region, address);
}

void OperationDescriber::add_map(OperationBlock& block, const char* key, const FeatureMap& map) const {
  std::string text = fmt::format("{}  {}x{}x{} {} {}  zero point {}  strides y {} x {} c {}",
                                 place(map.region, map.base[0]), map.height, map.width, map.depth,
                                 element_type(map), map.layout == Layout::Nhwc ? "nhwc" : "nhcwb16",
                                 map.zero_point, map.stride_y, map.stride_x, map.stride_c);
  if (is_tiled(map)) {
    text += fmt::format("  tiles height0 {} height1 {} width0 {}", map.height0, map.height1, map.width0);
    for (unsigned tile = 1; tile < 4; ++tile) text += fmt::format(" base{} 0x{:06x}", tile, map.base[tile]);
  }
  const std::string* name = tensor_name(
      map.region, map.base[0], std::uint64_t{map.height} * map.width * map.depth * map.element_bytes());
  if (name != nullptr) text += fmt::format("  \"{}\"", *name);
  Datum value;
  if (values_) {
    value = map_value(map);
    if (name != nullptr) value.set("tensor", *name);
  }
  block.add(key, std::move(value), std::move(text));
}

void OperationDescriber::add_second_operand(OperationBlock& block, const Operation& op) const {
  if (op.has_scalar) {
    block.add(
        "ifm2",
        values_ ? Datum(Datum::Object{{"scalar", op.scalar}, {"zero_point", op.ifm2.zero_point}}) : Datum(),
        fmt::format("scalar {}  {}  zero point {}", op.scalar, element_type(op.ifm2), op.ifm2.zero_point));
  } else if (op.has_ifm2) {
    add_map(block, "ifm2", op.ifm2);
  } else {
    return;
  }
  if (!op.broadcast_h && !op.broadcast_w && !op.broadcast_c && !op.swap_operands) return;
  std::string axes;
  if (op.broadcast_h) axes += 'h';
  if (op.broadcast_w) axes += 'w';
  if (op.broadcast_c) axes += 'c';
  std::string text = axes.empty() ? "none" : axes;
  if (op.swap_operands) text += "  operands swapped";
  block.add("broadcast",
            values_ ? Datum(Datum::Object{{"axes", axes}, {"operands_swapped", op.swap_operands}}) : Datum(),
            std::move(text));
}

void OperationDescriber::add_kernel(OperationBlock& block, const Operation& op) const {
  const Kernel& k = op.kernel;
  std::string text = fmt::format("{}x{} stride {}x{}", k.height, k.width, k.stride_y, k.stride_x);
  if (k.dilation_y != 1 || k.dilation_x != 1)
    text += fmt::format(" dilation {}x{}", k.dilation_y, k.dilation_x);
  text += fmt::format("  padding top {} left {} bottom {} right {}", k.pad_top, k.pad_left, k.pad_bottom,
                      k.pad_right);
  if (k.decomposed_4x4) text += "  decomposed 4x4";
  if (op.upscale != Upscale::None)
    text += fmt::format("  upscale {}", kUpscale[static_cast<std::size_t>(op.upscale)]);
  Datum value;
  if (values_) {
    value.set("size", Datum::Array{k.height, k.width}).set("stride", Datum::Array{k.stride_y, k.stride_x});
    value.set("dilation", Datum::Array{k.dilation_y, k.dilation_x});
    value.set(
        "padding",
        Datum(Datum::Object{
            {"top", k.pad_top}, {"left", k.pad_left}, {"bottom", k.pad_bottom}, {"right", k.pad_right}}));
    value.set("decomposition_4x4", k.decomposed_4x4)
        .set("upscale", kUpscale[static_cast<std::size_t>(op.upscale)]);
  }
  block.add("kernel", std::move(value), std::move(text));
}

void OperationDescriber::add_weights(OperationBlock& block, const Operation& op) const {
  if (!op.uses_weights()) return;
  const std::uint64_t count = weight_count(op);
  const double ratio = op.weights.length == 0 ? 0.0 : static_cast<double>(count) / op.weights.length;
  const char* order = op.kernel.part_kernel_first ? "part kernel first" : "depth first";
  Datum value;
  if (values_) {
    value = stream_value(op.weights);
    value.set("weights", count).set("compression_ratio", ratio).set("order", order);
  }
  block.add(
      "weights", std::move(value),
      fmt::format("{}  {} bytes for {} weights ({:.2f} to 1), {}",
                  place(op.weights.region, op.weights.address), op.weights.length, count, ratio, order));
  if (!op.uses_scales()) return;
  block.add("scales", values_ ? stream_value(op.scales) : Datum(),
            fmt::format("{}  {} bytes", place(op.scales.region, op.scales.address), op.scales.length));
}

void OperationDescriber::add_scaling(OperationBlock& block, const Operation& op) const {
  std::string text = op.uses_scales() ? "per channel"
                     : op.global_scale || op.kind == OperationKind::Elementwise
                         ? fmt::format("ofm {} >> {}", op.ofm_scale.multiplier, op.ofm_scale.shift)
                         : "none";
  if (op.kind == OperationKind::Elementwise &&
      (op.elementwise == ElementwiseMode::Add || op.elementwise == ElementwiseMode::Sub))
    text += fmt::format("  opa {} >> {}  opb {}  mode {}", op.opa_scale.multiplier, op.opa_scale.shift,
                        op.opb_scale, kScaleMode[op.ifm_scale_mode & 3u]);
  text += fmt::format("  rounding {}", kRounding[static_cast<std::size_t>(op.rounding) & 3u]);
  Datum value;
  if (values_) {
    value.set("per_channel", op.uses_scales())
        .set("global", op.global_scale)
        .set("ofm", scale_value(op.ofm_scale));
    value.set("opa", scale_value(op.opa_scale))
        .set("opb", op.opb_scale)
        .set("mode", kScaleMode[op.ifm_scale_mode & 3u]);
    value.set("rounding", kRounding[static_cast<std::size_t>(op.rounding) & 3u]);
  }
  block.add("scaling", std::move(value), std::move(text));
}

void OperationDescriber::add_activation(OperationBlock& block, const Operation& op) const {
  const Activation& a = op.activation;
  Datum value;
  if (values_)
    value.set("function", function_name(a))
        .set("min", a.min)
        .set("max", a.max)
        .set("clip_range", a.clip_range);
  block.add("activation", std::move(value),
            fmt::format("{} {}..{}{}", function_name(a), a.min, a.max, clip_name(a.clip_range)));
}

void OperationDescriber::add_block(OperationBlock& block, const Operation& op) const {
  const char* acc = kAcc[static_cast<std::size_t>(op.acc_format) & 3u];
  std::string text = fmt::format("{}x{}x{}  ib_end {} ab_start {}", op.block_height, op.block_width,
                                 op.block_depth, op.ib_end, op.ab_start);
  if (op.has_ifm2) text += fmt::format(" ifm2_ib_start {}", op.ifm2_ib_start);
  text += fmt::format("  acc {}  blockdep {}", acc, op.blockdep);
  Datum value;
  if (values_) {
    value.set("shape", Datum::Array{op.block_height, op.block_width, op.block_depth});
    value.set("ib_end", op.ib_end)
        .set("ab_start", op.ab_start)
        .set("acc_format", acc)
        .set("blockdep", op.blockdep);
    if (op.has_ifm2) value.set("ifm2_ib_start", op.ifm2_ib_start);
  }
  block.add("block", std::move(value), std::move(text));
}

void OperationDescriber::add_dma(OperationBlock& block, const Operation& op, const std::string& moves) const {
  const Dma& d = op.dma;
  auto side = [&](bool internal, std::uint8_t region, std::uint64_t address) {
    if (internal) return fmt::format("SHRAM 0x{:06x}", address);
    const std::string* name = tensor_name(region, address, d.length);
    return name == nullptr ? place(region, address) : fmt::format("{} \"{}\"", place(region, address), *name);
  };
  auto value = [&](bool internal, std::uint8_t region, std::uint64_t address) {
    if (!values_) return Datum();
    return Datum(Datum::Object{{"region", internal ? Datum("shram") : Datum(region)}, {"address", address}});
  };
  block.add("from", value(d.source_internal, d.source_region, d.source),
            side(d.source_internal, d.source_region, d.source));
  block.add("to", value(d.destination_internal, d.destination_region, d.destination),
            side(d.destination_internal, d.destination_region, d.destination));
  block.add("length", d.length, fmt::format("{} bytes", d.length));
  if (!moves.empty()) block.add("moves", values_ ? Datum(moves) : Datum(), moves);
}

void OperationDescriber::describe(const Operation& op, const std::string& moves,
                                  OperationBlock& block) const {
  block.rows.clear();
  block.title = fmt::format("{}: {}  0x{:06x} (word {})", op.index, operation_name(op), op.word * 4, op.word);
  if (op.kind == OperationKind::DmaStart) add_dma(block, op, moves);
  if (!is_kernel(op.kind)) return;
  add_map(block, "ifm", op.ifm);
  add_second_operand(block, op);
  add_map(block, "ofm", op.ofm);
  if (op.kind != OperationKind::Elementwise) add_kernel(block, op);
  add_weights(block, op);
  add_scaling(block, op);
  add_activation(block, op);
  add_block(block, op);
}

void OperationDescriber::repeated(const Operation& op, const Operation& earlier,
                                  OperationBlock& block) const {
  block.rows.clear();
  block.title = fmt::format("{}: {}  0x{:06x} (word {})", op.index, operation_name(op), op.word * 4, op.word);
  block.add("state", earlier.index, fmt::format("as operation {}", earlier.index));
}

Node OperationBlock::node(const Operation& op) && {
  Node out("operation", std::move(title));
  out.field("index", op.index, {}, Detail::JsonOnly);
  out.field("word_offset", op.word, {}, Detail::JsonOnly);
  out.field("kind", to_string(op.kind), {}, Detail::JsonOnly);
  out.field("name", operation_name(op), {}, Detail::JsonOnly);
  for (Row& row : rows) out.field_text(row.key, std::move(row.value), std::move(row.text));
  return out;
}

void OperationBlock::append_lines(std::vector<std::string>& lines) const {
  constexpr std::size_t kLabel = 14;  // indent, the longest key, and a gap
  lines.push_back(title);
  for (const Row& row : rows) {
    std::string& line = lines.emplace_back("  ");
    line.reserve(kLabel + row.text.size());
    line += row.key;
    line.resize(kLabel, ' ');
    line += row.text;
  }
}

}  // namespace npubin::ethosu
