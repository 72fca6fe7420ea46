// npubin edit of a HEF.
#include <charconv>
#include <set>

#include <fmt/format.h>

#include "formats/hef/proto_patch.h"
#include "formats/hef/rewrite.h"

namespace npubin::hef {
namespace {

struct Key {
  std::string_view name, field;
  bool integer;
  bool of_specific;  // lies in the message of the operator's kind
};
constexpr Key kKeys[] = {
    {"nms.score_threshold", "nms_score_th", false, false},
    {"nms.iou_threshold", "nms_iou_th", false, false},
    {"nms.max_proposals_per_class", "max_proposals_per_class", true, false},
    {"nms.mask_threshold", "mask_threshold", false, true},
};

std::string known_keys() {
  std::string out;
  for (const Key& key : kKeys) out += fmt::format("{}{}", out.empty() ? "" : ", ", key.name);
  return out;
}

Result<double> parse_value(const Key& key, const std::string& text) {
  double value = 0;
  const auto [end, bad] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (bad != std::errc() || end != text.data() + text.size())
    return usage_error(fmt::format("{}={} is not a number", key.name, text));
  const double most = key.integer ? 4294967295.0 : 1.0;
  if (!(value >= 0 && value <= most) ||
      (key.integer && value != static_cast<double>(static_cast<std::uint64_t>(value))))
    return usage_error(fmt::format("{}={} is out of range", key.name, text),
                       key.integer ? "give a whole number" : "give a number from 0 to 1");
  if (key.integer && value == 0) return usage_error(fmt::format("{}=0 would leave no detections", key.name));
  return value;
}

struct Chosen {
  const NetworkGroup* group = nullptr;
  const Op* op = nullptr;
};

Result<Chosen> choose_op(const Model& model, const std::string& name) {
  std::vector<Chosen> found;
  std::string names;
  bool on_chip = false;
  for (const NetworkGroup& group : model.groups) {
    for (const Op& op : group.ops) {
      if (!op.is_nms_op()) continue;
      names += fmt::format("{}{}", names.empty() ? "" : ", ", op.name);
      if (name.empty() || op.name == name || op.output_vstream == name) found.push_back({&group, &op});
    }
    for (const Stream& stream : group.streams) on_chip = on_chip || stream.nms.has_value();
  }
  if (found.size() == 1) return found.front();
  if (found.empty() && names.empty() && on_chip)
    return refused(
        "detections are made on the chip: their thresholds sit in config words, whose encoding is not public",
        "compile the model again with other thresholds");
  if (names.empty()) return refused("the file has no post-processing whose parameters could be changed");
  if (found.empty()) return usage_error(fmt::format("there is no operator {}", name), "operators: " + names);
  return usage_error("several operators could be meant", "choose one with --op: " + names);
}

Result<void> set_parameter(const HefArtifact& artifact, const std::string& name, const std::string& text,
                           const std::string& op_name, ProtoPatch& patch, Rewritten& out) {
  const Key* key = nullptr;
  for (const Key& one : kKeys)
    if (one.name == name) key = &one;
  if (key == nullptr)
    return usage_error(fmt::format("{} is no parameter that can be changed", name), "known: " + known_keys());
  NPUBIN_TRY(const double value, parse_value(*key, text));
  NPUBIN_TRY(const Chosen chosen, choose_op(artifact.model(), op_name));
  const Op& op = *chosen.op;
  if (op.bbox_decoding_only)
    return refused(
        fmt::format("operator {} only decodes boxes: it has no thresholds and keeps every box", op.name));
  if (key->of_specific && op.type != OpType::YoloV5Seg)
    return refused(fmt::format("operator {} has no masks", op.name));
  const Message nms = op.message.message("nms_op");
  const FieldSchema* kind = nms.which("nms_op");
  const Message target = key->of_specific && kind != nullptr ? nms.message(kind->name) : nms;
  const double before = key->integer ? static_cast<double>(target.u64(key->field)) : target.f64(key->field);
  patch.set_number(target, key->field, value);
  out.notes.push_back(fmt::format("{} of {}: {:g} became {:g}", key->name, op.name, before, value));
  if (op.type == OpType::Iou && key->field == "nms_score_th")
    out.notes.emplace_back("the chip applies a score threshold of its own first; it cannot be changed");
  return {};
}

// Fields that hold the name of a stream or virtual stream, by message.
constexpr std::pair<std::string_view, std::string_view> kNameFields[] = {
    {"ProtoHEFEdgeLayerInfo", "name"},
    {"ProtoHEFEdgeLayerMux", "name"},
    {"ProtoHEFEdgeLayerPlanes", "name"},
    {"ProtoHEFNetworkGroup", "sorted_outputs_order"},
    {"ProtoHEFCoreOp", "sorted_outputs_order"},
    {"ProtoHEFContextMetadata", "sorted_outputs_order"},
    {"ProtoHEFFusedLayersMetadata", "updated_sorted_output_names"},
    {"ProtoHEFEdgeLayerFused", "defused_layers_names"},
    {"ProtoHEFNmsDefuseInfo", "original_name"},
    {"ProtoHEFYoloSegProtoInfo", "proto_layer"},
    {"ProtoHEFPad", "name"},
};

bool holds_stream_name(const MessageSchema& message, const FieldSchema& field) {
  for (const auto& [owner, name] : kNameFields)
    if (owner == message.name && name == field.name) return true;
  return false;
}

// All names of streams in the document; those that equal `from` become `to`.
std::size_t rename_all(const Message& document, const std::string& from, const std::string& to,
                       ProtoPatch& patch) {
  std::size_t count = 0;
  for_each_nested(document, [&](const Message& message, const FieldSchema& schema, const WireField& wire) {
    if (schema.type != FieldType::String || !holds_stream_name(*message.schema(), schema)) return;
    const std::string_view text{reinterpret_cast<const char*>(wire.payload.data()), wire.payload.size()};
    if (text != from) return;
    patch.set_text(wire, to);
    ++count;
  });
  return count;
}

std::set<std::string> stream_names(const Model& model) {
  std::set<std::string> out;
  for (const NetworkGroup& group : model.groups) {
    for (const Context& context : group.contexts)
      for (const EdgeLayer& edge : context.edge_layers) out.insert(edge.name);
    std::vector<const Stream*> leaves;
    for (const Stream& stream : group.streams) append_leaves(stream, leaves);
    for (const Stream* leaf : leaves) out.insert(leaf->name);
    for (const VStream& vstream : group.vstreams) out.insert(vstream.name);
  }
  return out;
}

Result<void> rename(const HefArtifact& artifact, const std::string& from, const std::string& to,
                    ProtoPatch& patch, Rewritten& out) {
  const std::set<std::string> names = stream_names(artifact.model());
  if (!names.contains(from)) {
    std::string known;
    for (const std::string& name : names) known += fmt::format("{}{}", known.empty() ? "" : ", ", name);
    return usage_error(fmt::format("there is no stream {}", from), "streams: " + known);
  }
  if (names.contains(to)) return usage_error(fmt::format("there is a stream {} already", to));
  if (to.empty() || to.size() > 127)
    return usage_error(fmt::format("a stream's name has 1 to 127 bytes, not {}", to.size()));
  if (!is_utf8({reinterpret_cast<const std::byte*>(to.data()), to.size()}) ||
      to.find('\0') != std::string::npos)
    return usage_error("the new name is not UTF-8, or holds a NUL byte");
  const std::size_t places = rename_all(artifact.document(), from, to, patch);
  out.notes.push_back(fmt::format("{} became {} in {} places", from, to, places));
  return {};
}

// A changed maximum changes what a user has to allocate.
void note_sizes(const HefArtifact& before, const HefArtifact& after, Rewritten& out) {
  for (std::size_t g = 0; g < before.model().groups.size() && g < after.model().groups.size(); ++g) {
    const auto& old_streams = before.model().groups[g].vstreams;
    const auto& new_streams = after.model().groups[g].vstreams;
    for (std::size_t i = 0; i < old_streams.size() && i < new_streams.size(); ++i)
      if (old_streams[i].frame_size != new_streams[i].frame_size)
        out.notes.push_back(
            fmt::format("the buffer of {} needs {} bytes a frame now, it was {}: programs must allocate that",
                        new_streams[i].name, new_streams[i].frame_size, old_streams[i].frame_size));
  }
}

}  // namespace

Result<Rewritten> edit(const HefArtifact& artifact, const EditRequest& request) {
  if (!artifact.readable()) return fail(artifact.unreadable());
  Rewritten out;
  ProtoPatch patch(artifact.document());
  for (const auto& [key, value] : request.set)
    NPUBIN_CHECK(set_parameter(artifact, key, value, request.op, patch, out));
  for (const auto& [from, to] : request.rename_streams) NPUBIN_CHECK(rename(artifact, from, to, patch, out));
  if (patch.empty())
    return usage_error("nothing to change", "give --set KEY=VALUE or --rename-stream OLD=NEW");
  NPUBIN_TRY(out.bytes, reassemble(artifact, patch.apply()));
  NPUBIN_TRY(const auto again, HefArtifact::read(Bytes::borrow(out.bytes), {}));
  note_sizes(artifact, static_cast<const HefArtifact&>(*again), out);
  return out;
}

}  // namespace npubin::hef
