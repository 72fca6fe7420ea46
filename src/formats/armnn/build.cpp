#include "formats/armnn/build.h"

#include <fmt/format.h>

#include "formats/armnn/age_conversion.h"
#include "formats/armnn/descriptors.h"
#include "formats/armnn/record.h"

namespace npubin::armnn {
namespace {

using graph::kNoValue;
using graph::ValueId;

class Builder {
 public:
  explicit Builder(const graph::Graph& graph) : graph_(graph), place_(graph.values.size()) {}

  Result<Record> run() {
    for (const graph::Port& port : graph_.inputs) input(port);
    for (const graph::Node& node : graph_.nodes) NPUBIN_CHECK(layer(node));
    for (const graph::Port& port : graph_.outputs) NPUBIN_CHECK(output(port));
    if (!refusals_.empty())
      return refused(fmt::format("Arm NN has no layer for {}", refusals_),
                     "rewrite the model without these operators");
    Record root(TableId::SerializedGraph);
    root.set("layers", std::move(layers_));
    root.set_u32s("inputIds", ids(graph_.inputs));
    root.set_u32s("outputIds", ids(graph_.outputs));
    root.add_child("featureVersions", TableId::FeatureCompatibilityVersions)
        .set("bindingIdsScheme", std::int64_t{1});
    return root;
  }

 private:
  struct Place {
    bool known = false;
    std::uint32_t layer = 0, slot = 0;
  };

  static std::vector<std::uint32_t> ids(const std::vector<graph::Port>& ports) {
    std::vector<std::uint32_t> out;
    out.reserve(ports.size());
    for (const graph::Port& port : ports) out.push_back(static_cast<std::uint32_t>(port.id));
    return out;
  }
  Result<std::int64_t> data_type(const graph::Value& value, bool weights) const;
  Result<Record> tensor_info(const graph::Value& value, bool weights) const;
  Result<Record> const_tensor(const graph::Value& value) const;
  Result<void> constant_layer(ValueId id);
  void base(Record& base, LayerType type, const std::string& name);
  Result<void> connect(Record& base, const std::vector<ValueId>& operands);
  Result<void> results(Record& base, const std::vector<ValueId>& values, std::uint32_t index);
  void append(Record layer) {
    layers_.emplace_back(TableId::AnyLayer);
    layers_.back().set("layer", std::make_unique<Record>(std::move(layer)));
    ++next_index_;
  }
  void input(const graph::Port& port);
  Result<void> output(const graph::Port& port);
  Result<void> layer(const graph::Node& node);

  const graph::Graph& graph_;
  std::vector<Place> place_;  // by value
  std::vector<Record> layers_;
  std::uint32_t next_index_ = 0;
  std::string refusals_;
};

Result<std::int64_t> Builder::data_type(const graph::Value& value, bool weights) const {
  const bool symmetric = weights && value.quantization.per_axis();
  switch (value.type) {
    case DType::F16:
      return 0;
    case DType::F32:
      return 1;
    case DType::I32:
      return 3;
    case DType::Bool:
      return 4;
    case DType::U8:
      return 6;
    case DType::I16:
      return 7;
    case DType::I8:
      return symmetric ? 9 : 8;
    case DType::I64:
      return 10;
    default:
      return refused(fmt::format("'{}': Arm NN has no data type for {}", value.name, to_string(value.type)));
  }
}

Result<Record> Builder::tensor_info(const graph::Value& value, bool weights) const {
  Record out(TableId::TensorInfo);
  out.set_u32s("dimensions", std::vector<std::uint32_t>(value.shape.begin(), value.shape.end()));
  NPUBIN_TRY(const std::int64_t type, data_type(value, weights));
  out.set("dataType", type);
  const Quantization& q = value.quantization;
  if (value.shape.empty()) out.set("dimensionality", std::int64_t{2});
  if (q.per_axis()) {
    // The schema has one zero point beside many scales, and Arm NN takes it for 0 (armnn spec 2, rule 5).
    for (std::size_t i = 0; i < q.scales.size(); ++i)
      if (q.zero_point(i) != 0)
        return refused(
            fmt::format("'{}': zero point {} beside scales per channel", value.name, q.zero_point(i)));
    out.set_f32s("quantizationScales", q.scales);
    out.set("quantizationDim", std::int64_t{q.axis});
  }
  // Arm NN writes scale 0 where nothing is quantised (armnn spec 2, rule 5).
  out.set("quantizationScale", q.present() && !q.per_axis() ? q.scale() : 0.0f);
  out.set("quantizationOffset", q.per_axis() ? std::int64_t{0} : q.zero_point());
  return out;
}

Result<Record> Builder::const_tensor(const graph::Value& value) const {
  Record out(TableId::ConstTensor);
  NPUBIN_TRY(Record info, tensor_info(value, true));
  out.set("info", std::make_unique<Record>(std::move(info)));
  struct Payload {
    TableId table;
    SlotKind kind;
  };
  constexpr Payload kByWidth[] = {{TableId::ByteData, SlotKind::VectorI8},
                                  {TableId::ShortData, SlotKind::VectorI16},
                                  {TableId::IntData, SlotKind::VectorI32},
                                  {TableId::LongData, SlotKind::VectorI64}};
  const std::size_t width = size_of(value.type);
  const Payload& payload = kByWidth[width == 1 ? 0 : width == 2 ? 1 : width == 4 ? 2 : 3];
  const ByteSpan bytes = value.constant->bytes();
  out.add_child("data", payload.table).set("data", ScalarVector{payload.kind, Bytes::borrow(bytes)});
  return out;
}

void Builder::base(Record& base, LayerType type, const std::string& name) {
  base.set("index", std::int64_t{next_index_});
  base.set("layerName", name);
  base.set("layerType", static_cast<std::int64_t>(type));
}

// Constants that are no members become layers before their first use.
Result<void> Builder::constant_layer(ValueId id) {
  const graph::Value& value = graph_.value(id);
  Record out(TableId::ConstantLayer);
  Record& at = out.add_child("base", TableId::LayerBase);
  base(at, LayerType::Constant, value.name);
  NPUBIN_CHECK(results(at, {id}, next_index_));
  NPUBIN_TRY(Record tensor, const_tensor(value));
  out.set("input", std::make_unique<Record>(std::move(tensor)));
  append(std::move(out));
  return {};
}

Result<void> Builder::connect(Record& base, const std::vector<ValueId>& operands) {
  std::vector<Record> slots;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (operands[i] == kNoValue || !place_[static_cast<std::size_t>(operands[i])].known)
      return refused(
          fmt::format("'{}': operand {} is missing", std::get<std::string>(*base.find("layerName")), i));
    const Place& place = place_[static_cast<std::size_t>(operands[i])];
    slots.emplace_back(TableId::InputSlot);
    slots.back().set("index", static_cast<std::int64_t>(i));
    slots.back().set("connection", ConnectionValue{place.layer, place.slot});
  }
  base.set("inputSlots", std::move(slots));
  return {};
}

Result<void> Builder::results(Record& base, const std::vector<ValueId>& values, std::uint32_t index) {
  std::vector<Record> slots;
  for (std::size_t i = 0; i < values.size(); ++i) {
    NPUBIN_TRY(Record info, tensor_info(graph_.value(values[i]), false));
    slots.emplace_back(TableId::OutputSlot);
    slots.back().set("index", static_cast<std::int64_t>(i));
    slots.back().set("tensorInfo", std::make_unique<Record>(std::move(info)));
    place_[static_cast<std::size_t>(values[i])] = {true, index, static_cast<std::uint32_t>(i)};
  }
  base.set("outputSlots", std::move(slots));
  return {};
}

void Builder::input(const graph::Port& port) {
  Record out(TableId::InputLayer);
  Record& bindable = out.add_child("base", TableId::BindableLayerBase);
  bindable.set("layerBindingId", port.id);
  Record& at = bindable.add_child("base", TableId::LayerBase);
  base(at, LayerType::Input, port.name);
  if (auto done = results(at, {port.value}, next_index_); !done) refusals_ += done.error().message;
  append(std::move(out));
}

Result<void> Builder::output(const graph::Port& port) {
  if (!place_[static_cast<std::size_t>(port.value)].known && graph_.value(port.value).constant)
    NPUBIN_CHECK(constant_layer(port.value));
  Record out(TableId::OutputLayer);
  Record& bindable = out.add_child("base", TableId::BindableLayerBase);
  bindable.set("layerBindingId", port.id);
  Record& at = bindable.add_child("base", TableId::LayerBase);
  base(at, LayerType::Output, port.name);
  NPUBIN_CHECK(connect(at, {port.value}));
  append(std::move(out));
  return {};
}

Result<void> Builder::layer(const graph::Node& node) {
  Record out;
  auto type = describe_node(graph_, node, out);
  if (!type) {
    // All refusals at once: the rest of the graph is still looked at.
    refusals_ += fmt::format("{}{} ('{}')", refusals_.empty() ? "" : ", ", type.error().message, node.name);
    for (ValueId id : node.outputs)
      if (id != kNoValue) place_[static_cast<std::size_t>(id)].known = true;
    return {};
  }
  std::vector<ValueId> operands = node.inputs;
  const auto members = members_of(*type);
  if (!members.empty()) operands.resize(1);
  for (ValueId id : operands)
    if (id != kNoValue && graph_.value(id).constant && !place_[static_cast<std::size_t>(id)].known)
      NPUBIN_CHECK(constant_layer(id));
  Record& at = out.add_child("base", TableId::LayerBase);
  base(at, *type, node.name);
  NPUBIN_CHECK(connect(at, operands));
  NPUBIN_CHECK(results(at, node.outputs, next_index_));
  for (std::size_t i = 0; i < members.size(); ++i) {
    const ValueId id = i + 1 < node.inputs.size() ? node.inputs[i + 1] : kNoValue;
    if (id == kNoValue) continue;
    if (!graph_.value(id).constant) {
      refusals_ += fmt::format("{}'{}': its {} are computed; Arm NN up to 21.05 takes constants only",
                               refusals_.empty() ? "" : ", ", node.name, members[i]);
      continue;
    }
    NPUBIN_TRY(Record tensor, const_tensor(graph_.value(id)));
    out.set(members[i], std::make_unique<Record>(std::move(tensor)));
  }
  append(std::move(out));
  return {};
}

}  // namespace

Result<std::vector<std::byte>> build(const graph::Graph& graph, Age age) {
  if (age < Age::V2002 || age > kNewestWritableAge)
    return refused(fmt::format("the schema of {} is {}", to_string(age),
                               age > kNewestWritableAge ? "read, not written" : "written by way of 20.02"),
                   "--schema takes seed, 19.02, 19.05, ... 21.05");
  for (const graph::Node& node : graph.nodes) {
    if (node.rules != graph::Rules::ArmNn)
      return refused(
          fmt::format("'{}' follows the rules of {}, not Arm NN's", node.name, to_string(node.rules)));
    if (node.op == graph::Op::DepthwiseConv2d &&
        node.attr<graph::ConvAttributes>().depthwise_weights != graph::DepthwiseWeights::Mihw)
      return refused(fmt::format("'{}': depthwise weights have to be [M,I,H,W]", node.name));
  }
  NPUBIN_TRY(const Record root, Builder(graph).run());
  NPUBIN_TRY(std::vector<std::byte> out, write_record(root, age));
  NPUBIN_TRY(const auto again, ArmnnDocument::read(Bytes::own(out), {}));
  Diagnostics findings;
  NPUBIN_TRY(const graph::Graph written, static_cast<const ArmnnDocument&>(*again).graph(findings));
  if (const std::string difference = graph_difference(graph, written); !difference.empty())
    return refused(fmt::format("the written graph would differ from the original at {}", difference),
                   "nothing was written; please report this");
  return out;
}

}  // namespace npubin::armnn
