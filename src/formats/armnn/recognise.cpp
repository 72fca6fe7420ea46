#include "formats/armnn/recognise.h"

#include <array>
#include <cstring>
#include <optional>

#include <fmt/format.h>

#include "formats/armnn/layer_kinds.h"
#include "formats/armnn/table_view.h"

namespace npubin::armnn {
namespace {

// The numberings of the layer union, newest first: what is ambiguous is read as the newest.
constexpr std::array<Age, 3> kNumberings{kNewestAge, Age::V1905, Age::V1902};

struct Ballot {
  std::array<std::uint64_t, 3> agreeing{};
  std::uint64_t layers = 0;
  bool old_convolution = false, new_convolution = false;
};

bool is_bindable(TableId id) {
  return id == TableId::InputLayer || id == TableId::OutputLayer;
}

// LayerType of a layer read as `id`; Input and Output nest their base one deeper.
std::optional<std::int32_t> layer_type_as(const TableView& any, TableId id) {
  auto layer = any.member("layer", id);
  if (!layer) return std::nullopt;
  auto base = layer->child("base");
  if (base && is_bindable(id)) base = base->child("base");
  if (!base) return std::nullopt;
  return base->enumeration("layerType");
}

}  // namespace

bool type_agrees(TableId table, std::int32_t layer_type) {
  const LayerKind* kind = layer_kind(table);
  if (kind == nullptr) return false;
  // Arm NN's own writer calls every TransposeConvolution2d a Convolution2d in its base.
  if (kind->type == LayerType::TransposeConvolution2d &&
      layer_type == static_cast<std::int32_t>(LayerType::Convolution2d))
    return true;
  return static_cast<std::int32_t>(kind->type) == layer_type;
}

namespace {

bool agrees(const TableView& any, std::uint8_t value, Age numbering) {
  const UnionMember* member = layer_member(value, numbering);
  if (member == nullptr) return false;
  const auto type = layer_type_as(any, member->table);
  if (!type) return false;
  return type_agrees(member->table, *type);
}

// Rule 3: byte fields never lie on a multiple of four, the words that took their slots always do.
void look_at_convolution(const FlatBuffer& file, const TableView& any, std::uint8_t value, Ballot& ballot) {
  for (Age numbering : {kNewestAge, Age::V1902}) {
    const UnionMember* member = layer_member(value, numbering);
    if (member == nullptr || (member->table != TableId::Convolution2dLayer &&
                              member->table != TableId::DepthwiseConvolution2dLayer))
      continue;
    auto layer = any.member("layer", member->table);
    auto descriptor = layer ? layer->child("descriptor") : std::nullopt;
    if (!descriptor || !agrees(any, value, numbering)) continue;
    for (unsigned slot : {6u, 7u}) {
      const std::uint16_t offset = file.entry(descriptor->flat(), slot);
      if (offset == 0) continue;
      ((descriptor->offset() + offset) % 4 != 0 ? ballot.old_convolution : ballot.new_convolution) = true;
    }
    if (file.entry(descriptor->flat(), 8) != 0 || file.entry(descriptor->flat(), 9) != 0)
      ballot.new_convolution = true;
  }
}

Result<Ballot> vote(const FlatBuffer& file, std::uint32_t at_most) {
  NPUBIN_TRY(const FlatTable root, file.root());
  const Reading reading;
  const TableView graph(file, reading, TableId::SerializedGraph, root);
  const Slot* row = graph.row("layers");
  NPUBIN_TRY(const auto target, file.target(root, row->slot));
  if (!target)
    return malformed(Location::at(root.position), "the root table has no list of layers",
                     "not an Arm NN graph, or a damaged one", "ARM-0104");
  NPUBIN_TRY(const FlatVector layers, file.vector(*target, 4));
  Ballot ballot;
  ballot.layers = std::min(layers.count, at_most);
  for (std::uint32_t i = 0; i < ballot.layers; ++i) {
    const auto any = graph.element(*row, layers, i);
    if (!any) continue;
    const std::uint8_t value = any->union_type("layer_type");
    for (std::size_t n = 0; n < kNumberings.size(); ++n)
      if (agrees(*any, value, kNumberings[n])) ++ballot.agreeing[n];
    look_at_convolution(file, *any, value, ballot);
  }
  return ballot;
}

}  // namespace

Result<NumberingVote> choose_reading(const FlatBuffer& file) {
  NPUBIN_TRY(const Ballot ballot, vote(file, 0xFFFFFFFFu));
  std::size_t best = 0;
  for (std::size_t n = 1; n < kNumberings.size(); ++n)
    if (ballot.agreeing[n] > ballot.agreeing[best]) best = n;
  NumberingVote out;
  out.reading.union_age = kNumberings[best];
  out.layers = ballot.layers;
  out.agreeing = ballot.agreeing[best];
  out.distinguishes_1902 = ballot.agreeing[2] < ballot.agreeing[best];
  out.old_convolution_seen = ballot.old_convolution;
  out.new_convolution_seen = ballot.new_convolution;
  out.reading.old_convolution = ballot.old_convolution;
  return out;
}

Confidence sniff(ByteSpan data) {
  if (data.size() < 12) return Confidence::No;
  const bool identified = std::memcmp(data.data() + 4, "ARMN", 4) == 0;
  // Arm NN's own writer leaves no identifier (armnn spec 2, rule 1), so the layers have to speak.
  const auto ballot = vote(FlatBuffer(data), 4);
  if (!ballot) return identified ? Confidence::Likely : Confidence::No;
  const std::uint64_t best =
      std::max(ballot->agreeing[0], std::max(ballot->agreeing[1], ballot->agreeing[2]));
  if (ballot->layers > 0 && best == ballot->layers)
    return identified ? Confidence::Certain : Confidence::Likely;
  return identified ? Confidence::Certain : best > 0 ? Confidence::Plausible : Confidence::No;
}

}  // namespace npubin::armnn
