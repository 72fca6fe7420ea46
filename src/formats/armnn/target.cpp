// Which releases of Arm NN load a file, and why the others do not.
#include <map>

#include <fmt/format.h>

#include "formats/armnn/document.h"
#include "formats/armnn/validate.h"

namespace npubin::armnn {
namespace {

class TargetCheck {
 public:
  TargetCheck(const ArmnnDocument& document, Age age, std::string release, Diagnostics& findings)
      : document_(document), age_(age), release_(std::move(release)), findings_(findings) {}

  void run() {
    check_features();
    check_layouts();
    check_reader_defects();
  }

 private:
  void check_features();
  void check_layouts();
  void check_reader_defects();
  void check_outputs();
  void refuse(Location where, const std::string& message, std::string hint = {}) {
    findings_.error("ARM-0501", std::move(where), fmt::format("Arm NN {}: {}", release_, message),
                    std::move(hint));
  }

  const ArmnnDocument& document_;
  Age age_;
  std::string release_;
  Diagnostics& findings_;
};

// Layer types, fields and values that the release does not know yet.
class FeatureWalk : public WalkVisitor {
 public:
  FeatureWalk(const ArmnnDocument& document, Age age, const std::string& release, Diagnostics& findings)
      : document_(document), age_(age), release_(release), findings_(findings) {}

  void table(TableId id, const FlatTable& table, const std::vector<WalkStep>& path) override {
    const FlatBuffer& file = document_.file();
    if (id == TableId::AnyLayer) {
      const UnionMember* member =
          layer_member(file.scalar<std::uint8_t>(table, 0, 0), document_.reading().union_age);
      if (member != nullptr && layer_member(member->table, age_) == nullptr)
        report(table.position, path, fmt::format("it has no {}", to_string(member->table)));
    }
    const Age read_at = document_.reading().slot_age(id);
    for (const Slot& row : slots_of(id)) {
      if (!row.stands_at(read_at) || file.entry(table, row.slot) == 0) continue;
      // FlatBuffers skip fields they do not know, so an unknown field is silently lost.
      const bool only_renamed =
          row.table == TableId::ActivationDescriptor || row.table == TableId::SerializedGraph;
      if (age_ < row.first && !only_renamed)
        lost(table.position, path, fmt::format("it does not know {}.{}", to_string(id), row.name));
      if (row.kind != SlotKind::Enum8) continue;
      const EnumValue* value = enum_value(row.enumeration, file.scalar<std::int8_t>(table, row.slot, 0));
      if (value != nullptr && age_ < value->first)
        report(table.position, path, fmt::format("it has no {} {}", to_string(row.enumeration), value->name));
    }
  }

 private:
  void report(std::uint32_t offset, const std::vector<WalkStep>& path, const std::string& message) {
    findings_.error("ARM-0501", Location::at(offset, to_string(path)),
                    fmt::format("Arm NN {}: {}", release_, message));
  }
  void lost(std::uint32_t offset, const std::vector<WalkStep>& path, const std::string& message) {
    findings_.warn("ARM-0502", Location::at(offset, to_string(path)),
                   fmt::format("Arm NN {}: {} and passes over it", release_, message));
  }

  const ArmnnDocument& document_;
  Age age_;
  const std::string& release_;
  Diagnostics& findings_;
};

void TargetCheck::check_features() {
  FeatureWalk features(document_, age_, release_, findings_);
  (void)walk(document_.file(), document_.reading(), features);
  if (age_ == Age::V2111 || age_ == Age::V2402)
    findings_.info(
        "ARM-0504", {},
        fmt::format("Arm NN {}: which release between 21.11 and 24.x brought which part is not known here; "
                    "the group {} was checked",
                    release_, to_string(age_)));
}

void TargetCheck::check_layouts() {
  const NumberingVote numbering = document_.numbering();
  if (numbering.old_convolution_seen && age_ >= Age::V1905)
    refuse({},
           "its reader takes the convolutions' biasEnabled and dataLayout for misplaced dilations and "
           "refuses the file",
           "`npubin convert in.armnn out.armnn --schema 20.08` writes a file it reads");
  if (numbering.new_convolution_seen && age_ <= Age::Seed)
    refuse({},
           "its convolution descriptors have no dilation; biasEnabled and dataLayout stand in other slots",
           "`npubin convert in.armnn out.armnn --schema seed` writes a file it reads");
  if (numbering.reading.union_age == Age::V1902 && age_ != Age::V1902)
    refuse({}, "layer types are numbered as in 19.02; it would take each for another");
  else if (age_ == Age::V1902 && numbering.distinguishes_1902)
    refuse({}, "layer types are not numbered as in 19.02");
  else if (numbering.reading.union_age == Age::V1905 && age_ >= Age::V1908)
    refuse(
        {},
        "Quantize, Dequantize, Merge and Switch are numbered as before 19.08; it would take them for others");
  const Schemes& schemes = document_.list().schemes;
  if (schemes.binding_ids > 0 && age_ < Age::V2002)
    refuse({}, "inputIds and outputIds are binding ids; it takes them for layer indices");
  if (schemes.weights_layout > 0 && age_ < Age::V2108)
    for (const Layer& layer : document_.list().layers)
      if (layer.is(LayerType::DepthwiseConvolution2d)) {
        refuse(where(layer, "weights"),
               fmt::format("{}: depthwise weights are [1,H,W,I*M] since 21.08; it takes them for [M,I,H,W]",
                           label(layer)));
        break;
      }
  if (age_ < Age::V2108)
    for (const Layer& layer : document_.list().layers)
      if (layer.is(LayerType::FullyConnected) && layer.inputs.size() > 1) {
        refuse(where(layer),
               fmt::format("{}: weights are an input since 21.08; it expects a member", label(layer)));
        break;
      }
}

// Defects of the 20.08 reader that make it fail on, or change the meaning of, a correct file (armnn spec 1,
// 5). Where it fails, the answer to "does this release load it" is no.
void TargetCheck::check_reader_defects() {
  if (age_ != Age::V2008) return;
  const auto stops = [&](const Layer& layer, const std::string& message) {
    findings_.error("ARM-0503", where(layer),
                    fmt::format("Arm NN {}: {}: {}", release_, label(layer), message));
  };
  const auto differs = [&](const Layer& layer, const std::string& message) {
    findings_.warn("ARM-0503", where(layer),
                   fmt::format("Arm NN {}: {}: {}", release_, label(layer), message));
  };
  const auto& layers = document_.list().layers;
  bool positions_differ = false;
  for (const Layer& layer : layers) {
    positions_differ = positions_differ || layer.index != layer.position;
    const auto descriptor = layer.descriptor();
    if (layer.is(LayerType::ElementwiseUnary)) stops(layer, "its reader cannot read the type");
    if (layer.is(LayerType::Gather) && !descriptor) stops(layer, "its reader crashes without a descriptor");
    if (layer.is(LayerType::Fill)) differs(layer, "its reader ignores the value and fills with 1");
    if (layer.is(LayerType::Activation) && descriptor && descriptor->enumeration("activationFunction") == 5)
      differs(layer, "its reader takes SoftReLu for Sigmoid");
    if (layer.is(LayerType::Pooling2d) && descriptor && descriptor->enumeration("poolType") == 2)
      stops(layer, "its reader stops at L2 pooling");
    if (layer.index >= layers.size())
      stops(layer, "its reader stops at an index beyond the number of layers");
  }
  check_outputs();
  if (positions_differ)
    findings_.warn(
        "ARM-0503", {},
        fmt::format("Arm NN {}: layers do not stand in the order of their indices: its reader takes the type "
                    "and quantisation of Reshape from the wrong layer",
                    release_));
}

// The reader looks for the n-th output's tensor in the n-th slot of the layer that the output reads.
void TargetCheck::check_outputs() {
  std::size_t number = 0, outputs = 0;
  const Layer* wrong = nullptr;
  bool stops = false;
  std::map<std::uint32_t, const Layer*> by_index;
  for (const Layer& layer : document_.list().layers) {
    by_index.try_emplace(layer.index, &layer);
    outputs += layer.is(LayerType::Output) ? 1 : 0;
  }
  for (const Layer& layer : document_.list().layers) {
    if (!layer.is(LayerType::Output)) continue;
    const std::size_t slot = number++;
    if (layer.inputs.empty() || !layer.inputs.front().connected) continue;
    const auto source = by_index.find(layer.inputs.front().source_index);
    if (source == by_index.end() || layer.inputs.front().source_slot == slot) continue;
    stops = stops || slot >= source->second->outputs.size();
    if (wrong == nullptr) wrong = &layer;
  }
  if (wrong == nullptr) return;
  findings_.add(
      stops ? Severity::Error : Severity::Warning, "ARM-0503", where(*wrong),
      fmt::format("Arm NN {}: {} outputs: its reader takes the n-th output's tensor from the n-th "
                  "slot of the layer before it{}",
                  release_, outputs, stops ? ", finds none there and stops" : ", which is another slot here"),
      stops ? "run it with another release, give each output a graph of its own, or let the outputs "
              "come from the slots of one layer, in their order"
            : "");
}

}  // namespace

void check_target(const ArmnnDocument& document, const std::string& target, Diagnostics& findings) {
  std::string release = target;
  if (release.rfind("armnn-", 0) == 0) release = release.substr(6);
  const auto age = age_of_release(release);
  if (!age) {
    findings.error(
        "ARM-0500", {}, fmt::format("{} is no release of Arm NN that is known here", target),
        "targets: armnn-19.02, armnn-seed, armnn-19.05, ... armnn-24.11 (February, May, August, November)");
    return;
  }
  TargetCheck(document, *age, release, findings).run();
}

}  // namespace npubin::armnn
