#include "formats/armnn/layer_rewrites.h"

#include <array>

#include "formats/armnn/layer_kinds.h"

namespace npubin::armnn {
namespace {

void become(Record& layer, LayerType type) {
  layer.become(layer_kind(type).table);
  if (Record* base = base_of(layer)) base->set("layerType", static_cast<std::int64_t>(type));
}

void merger(Record& layer, Age) {
  become(layer, LayerType::Merger);
}

void comparison(Record& layer, Age) {
  const Record* descriptor = layer.child("descriptor");
  const std::int64_t operation = descriptor == nullptr ? 0 : descriptor->integer("operation");
  if (operation > 1) return;
  become(layer, operation == 0 ? LayerType::Equal : LayerType::Greater);
  layer.erase("descriptor");
}

void unary(Record& layer, Age target) {
  const Record* descriptor = layer.child("descriptor");
  const std::int64_t operation = descriptor == nullptr ? 0 : descriptor->integer("operation");
  if (operation > 1 || (operation == 0 && target < Age::V1911)) return;
  become(layer, operation == 0 ? LayerType::Abs : LayerType::Rsqrt);
  layer.erase("descriptor");
}

void bilinear(Record& layer, Age) {
  Record* descriptor = layer.child("descriptor");
  if (descriptor == nullptr || descriptor->integer("method") != 1) return;
  become(layer, LayerType::ResizeBilinear);
  descriptor->become(TableId::ResizeBilinearDescriptor);
  descriptor->erase("method");
}

// Transpose names the source of each dimension of the result, Permute the destination of each of the input.
void permute(Record& layer, Age) {
  Record* descriptor = layer.child("descriptor");
  if (descriptor == nullptr) return;
  const std::vector<std::uint32_t> mapping = descriptor->u32s("dimMappings");
  std::vector<std::uint32_t> inverse(mapping.size());
  for (std::size_t i = 0; i < mapping.size(); ++i)
    if (mapping[i] < mapping.size()) inverse[mapping[i]] = static_cast<std::uint32_t>(i);
  become(layer, LayerType::Permute);
  descriptor->become(TableId::PermuteDescriptor);
  descriptor->set_u32s("dimMappings", inverse);
}

void mean(Record& layer, Age) {
  Record* descriptor = layer.child("descriptor");
  if (descriptor == nullptr || descriptor->integer("reduceOperation") != 2) return;
  become(layer, LayerType::Mean);
  descriptor->become(TableId::MeanDescriptor);
  descriptor->erase("reduceOperation");
}

void binary(Record& layer, Age) {
  constexpr std::array<LayerType, 6> kTypes{LayerType::Addition,       LayerType::Division,
                                            LayerType::Maximum,        LayerType::Minimum,
                                            LayerType::Multiplication, LayerType::Subtraction};
  const Record* descriptor = layer.child("descriptor");
  const std::int64_t operation = descriptor == nullptr ? 0 : descriptor->integer("operation");
  if (operation < 0 || operation >= static_cast<std::int64_t>(kTypes.size())) return;
  become(layer, kTypes[static_cast<std::size_t>(operation)]);
  layer.erase("descriptor");
}

struct Rewrite {
  TableId layer;
  Age first;  // the newer type exists from here on
  void (*rewrite)(Record&, Age target);
};
constexpr Rewrite kRewrites[] = {
    {TableId::ConcatLayer, Age::V1908, merger},
    {TableId::ComparisonLayer, Age::V1911, comparison},
    {TableId::ResizeLayer, Age::V1908, bilinear},
    {TableId::ElementwiseUnaryLayer, Age::V2002, unary},
    {TableId::TransposeLayer, Age::V2005, permute},
    {TableId::ReduceLayer, Age::V2102, mean},
    {TableId::ElementwiseBinaryLayer, Age::V2111, binary},
};

}  // namespace

Record* base_of(Record& layer) {
  Record* base = layer.child("base");
  if (base != nullptr && base->id() == TableId::BindableLayerBase) base = base->child("base");
  return base;
}

void rewrite_for_age(Record& layer, Age target) {
  // The reader of 20.08 crashes on a Gather without the descriptor that came with it (armnn spec 5, D11).
  if (layer.id() == TableId::GatherLayer && target >= Age::V2008 && layer.child("descriptor") == nullptr)
    layer.add_child("descriptor", TableId::GatherDescriptor);
  for (const Rewrite& row : kRewrites)
    if (row.layer == layer.id() && target < row.first) {
      row.rewrite(layer, target);
      return;
    }
}

}  // namespace npubin::armnn
