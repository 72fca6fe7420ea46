#include "formats/armnn/age_conversion.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "formats/armnn/layer_rewrites.h"
#include "formats/armnn/link.h"
#include "formats/armnn/record.h"

namespace npubin::armnn {
namespace {

class Conversion {
 public:
  Conversion(const ArmnnDocument& document, const graph::Graph& graph, Record root, Age target)
      : document_(document), graph_(graph), root_(std::move(root)), target_(target) {}

  Result<Record> run() {
    index_layers();
    NPUBIN_CHECK(constants_to_members());
    if (document_.list().schemes.weights_layout > 0) NPUBIN_CHECK(old_depthwise_weights());
    for (Record& any : *root_.list("layers"))
      if (Record* layer = any.child("layer")) rewrite_for_age(*layer, target_);
    tensor_infos(root_);
    ids("inputIds", TableId::InputLayer);
    ids("outputIds", TableId::OutputLayer);
    versions();
    return std::move(root_);
  }

 private:
  void index_layers();
  Result<void> constants_to_members();
  Result<void> take_members(Record& layer, Record& base);
  Result<void> old_depthwise_weights();
  void tensor_infos(Record& record);
  void ids(std::string_view list, TableId type);
  void versions();

  const ArmnnDocument& document_;
  const graph::Graph& graph_;
  Record root_;
  Age target_;
  std::unordered_map<std::uint32_t, Record*> layer_of_index_;
  std::unordered_map<std::uint32_t, std::size_t> consumers_;  // connections that read a layer
  std::unordered_set<std::uint32_t> emptied_;                 // constants that became members
};

void Conversion::index_layers() {
  for (Record& any : *root_.list("layers")) {
    Record* layer = any.child("layer");
    Record* base = layer == nullptr ? nullptr : base_of(*layer);
    if (base == nullptr) continue;
    layer_of_index_.emplace(static_cast<std::uint32_t>(base->integer("index")), layer);
    if (const auto* slots = base->list("inputSlots"))
      for (const Record& slot : *slots)
        if (const FieldValue* value = slot.find("connection"))
          ++consumers_[std::get<ConnectionValue>(*value).layer_index];
  }
}

bool has_members(TableId id) {
  return id == TableId::FullyConnectedLayer || id == TableId::Convolution2dLayer ||
         id == TableId::DepthwiseConvolution2dLayer || id == TableId::TransposeConvolution2dLayer;
}

// Since 21.08 weights and biases are Constant layers on input slots 1 and 2; before, they are members.
Result<void> Conversion::constants_to_members() {
  for (Record& any : *root_.list("layers")) {
    Record* layer = any.child("layer");
    if (layer == nullptr || !has_members(layer->id())) continue;
    Record* base = base_of(*layer);
    const auto* slots = base == nullptr ? nullptr : base->list("inputSlots");
    if (slots != nullptr && slots->size() > 1) NPUBIN_CHECK(take_members(*layer, *base));
  }
  auto& layers = *root_.list("layers");
  layers.erase(std::remove_if(layers.begin(), layers.end(),
                              [&](Record& any) {
                                Record* layer = any.child("layer");
                                Record* base = layer == nullptr ? nullptr : base_of(*layer);
                                if (base == nullptr) return false;
                                const auto index = static_cast<std::uint32_t>(base->integer("index"));
                                return emptied_.count(index) != 0 && consumers_[index] == 0;
                              }),
               layers.end());
  return {};
}

Result<void> Conversion::take_members(Record& layer, Record& base) {
  auto& slots = *base.list("inputSlots");
  for (const Record& slot : slots) {
    const std::int64_t index = slot.integer("index");
    if (index == 0) continue;
    const FieldValue* value = slot.find("connection");
    const std::uint32_t source = value == nullptr ? 0 : std::get<ConnectionValue>(*value).layer_index;
    const auto found = layer_of_index_.find(source);
    const Record* tensor = found == layer_of_index_.end() || found->second->id() != TableId::ConstantLayer
                               ? nullptr
                               : found->second->child("input");
    if (tensor == nullptr)
      return refused(
          fmt::format(
              "layer {} ({}) computes its {} in another layer; the schema of {} only has constants there",
              base.integer("index"), to_string(layer.id()), index == 1 ? "weights" : "biases",
              to_string(target_)),
          "only constant weights can be written", {}, "ARM-0501");
    layer.set(index == 1 ? "weights" : "biases", std::make_unique<Record>(tensor->clone()));
    emptied_.insert(source);
    --consumers_[source];
  }
  slots.erase(
      std::remove_if(slots.begin(), slots.end(), [](const Record& s) { return s.integer("index") != 0; }),
      slots.end());
  if (Record* descriptor = layer.child("descriptor")) descriptor->erase("constantWeights");
  return {};
}

// [1,H,W,I*M] back to [M,I,H,W]: output channel i*M+m.
void reorder_depthwise(Record& weights, std::uint32_t multiplier) {
  Record* info = weights.child("info");
  Record* payload = weights.child("data");
  const std::vector<std::uint32_t> dims = info->u32s("dimensions");
  auto* data = std::get_if<ScalarVector>(payload->find("data"));
  const std::size_t height = dims[1], width = dims[2], channels = dims[3], m_count = multiplier,
                    i_count = channels / m_count;
  const std::size_t size = element_size(data->kind);
  std::vector<std::byte> out(data->data.size());
  for (std::size_t y = 0; y < height; ++y)
    for (std::size_t x = 0; x < width; ++x)
      for (std::size_t c = 0; c < channels; ++c) {
        const std::size_t to = ((c % m_count * i_count + c / m_count) * height + y) * width + x;
        std::copy_n(data->data.data() + ((y * width + x) * channels + c) * size, size,
                    out.data() + to * size);
      }
  data->data = Bytes::own(std::move(out));
  info->set_u32s("dimensions", {multiplier, static_cast<std::uint32_t>(i_count), dims[1], dims[2]});
  if (info->find("quantizationScales") != nullptr) info->set("quantizationDim", std::int64_t{0});
}

Result<void> Conversion::old_depthwise_weights() {
  for (const graph::Node& node : graph_.nodes) {
    if (node.op != graph::Op::DepthwiseConv2d) continue;
    const Layer& layer = document_.list().layers[static_cast<std::size_t>(node.source_index)];
    const auto found = layer_of_index_.find(layer.index);
    Record* weights = found == layer_of_index_.end() ? nullptr : found->second->child("weights");
    if (weights == nullptr || weights->child("info") == nullptr || weights->child("data") == nullptr)
      return refused(fmt::format("{} has no constant weights", label(layer)), {}, where(layer), "ARM-0501");
    reorder_depthwise(*weights, node.attr<graph::ConvAttributes>().depth_multiplier);
  }
  return {};
}

void tensor_info(Record& info, Age target) {
  const std::int64_t type = info.integer("dataType");
  // The names changed in 20.02, the numbers with them.
  if (target < Age::V2002 && type == 6) info.set("dataType", std::int64_t{2});
  if (target < Age::V2002 && type == 7) info.set("dataType", std::int64_t{5});
  if (target >= Age::V2002) info.set("dataType", std::int64_t{modern(static_cast<std::int32_t>(type))});
  // Says again what the layer is; the releases before do without.
  if (target < Age::V2108) info.erase("isConstant");
  if (target >= Age::V2102) return;
  const FieldValue* known = info.find("dimensionSpecificity");
  const auto* flags = known == nullptr ? nullptr : std::get_if<ScalarVector>(known);
  if (flags != nullptr && std::all_of(flags->data.span().begin(), flags->data.span().end(),
                                      [](std::byte b) { return b != std::byte{0}; }))
    info.erase("dimensionSpecificity");
}

void Conversion::tensor_infos(Record& record) {
  if (record.id() == TableId::TensorInfo) tensor_info(record, target_);
  for (const auto& [name, value] : record.fields()) {
    if (std::holds_alternative<std::unique_ptr<Record>>(value)) tensor_infos(*record.child(name));
    if (std::holds_alternative<std::vector<Record>>(value))
      for (Record& element : *record.list(name)) tensor_infos(element);
  }
}

// Layer indices until 19.11, binding ids since (bindingIdsScheme 1).
void Conversion::ids(std::string_view list, TableId type) {
  const bool from_bindings = document_.list().schemes.binding_ids > 0, to_bindings = target_ >= Age::V2002;
  if (from_bindings == to_bindings || root_.find(list) == nullptr) return;
  std::unordered_map<std::uint32_t, std::uint32_t> translated;
  for (Record& any : *root_.list("layers")) {
    Record* layer = any.child("layer");
    if (layer == nullptr || layer->id() != type || layer->child("base") == nullptr ||
        base_of(*layer) == nullptr)
      continue;
    const auto index = static_cast<std::uint32_t>(base_of(*layer)->integer("index"));
    const auto binding = static_cast<std::uint32_t>(layer->child("base")->integer("layerBindingId"));
    translated.emplace(from_bindings ? binding : index, from_bindings ? index : binding);
  }
  std::vector<std::uint32_t> out;
  for (std::uint32_t id : root_.u32s(list)) out.push_back(translated.count(id) != 0 ? translated[id] : id);
  root_.set_u32s(list, out);
}

void Conversion::versions() {
  root_.erase("featureVersions");
  if (target_ < Age::V2002) return;
  root_.add_child("featureVersions", TableId::FeatureCompatibilityVersions)
      .set("bindingIdsScheme", std::int64_t{1});
}

}  // namespace

Result<std::vector<std::byte>> convert_to_age(const ArmnnDocument& document, Age target) {
  if (target > kNewestWritableAge)
    return refused(fmt::format("the schema of {} is read, not written", to_string(target)),
                   "--schema takes seed, 19.02, 19.05, ... 21.05");
  Diagnostics findings;
  NPUBIN_TRY(const graph::Graph graph, document.graph(findings));
  NPUBIN_TRY(Record root, read_record(document.bytes(), document.file(), document.reading()));
  if (root.list("layers") == nullptr) return refused("the graph has no layers");
  NPUBIN_TRY(const Record converted, Conversion(document, graph, std::move(root), target).run());
  NPUBIN_TRY(std::vector<std::byte> out, write_record(converted, target));

  // Nothing leaves that does not read back as what was meant.
  NPUBIN_TRY(const auto again, ArmnnDocument::read(Bytes::own(out), {document.file_name(), {}}));
  const auto& written = static_cast<const ArmnnDocument&>(*again);
  NPUBIN_TRY(const Record reread, read_record(written.bytes(), written.file(), written.reading()));
  std::string difference = first_difference(converted, reread);
  if (difference.empty()) {
    Diagnostics ignored;
    NPUBIN_TRY(const graph::Graph other, written.graph(ignored));
    difference = graph_difference(graph, other);
  }
  if (!difference.empty())
    return refused(fmt::format("the written file would differ from the original at {}", difference),
                   "nothing was written; please report this");
  return out;
}

}  // namespace npubin::armnn
