// npubin/hef_host.h: which preparation an input or output needs.
#include <algorithm>

#include <fmt/format.h>

#include "formats/hef/document.h"
#include "formats/hef/host_stages.h"

namespace npubin::hef {

struct HostPipeline::State {
  std::vector<const NetworkGroup*> groups;
  HostOptions options;
  std::vector<std::string> inputs, outputs;

  struct Found {
    HostContext context;
    const VStream& vstream;
  };
  Result<Found> find(std::string_view name, Direction direction) const {
    for (const NetworkGroup* group : groups)
      for (const VStream& vstream : group->vstreams)
        if (vstream.name == name && vstream.direction == direction) return Found{{*group, options}, vstream};
    const auto& names = direction == Direction::HostToDevice ? inputs : outputs;
    return usage_error(
        fmt::format("{} {} does not exist", direction == Direction::HostToDevice ? "input" : "output", name),
        fmt::format("there {}: {}", names.size() == 1 ? "is" : "are", fmt::join(names, ", ")));
  }
};

HostPipeline::HostPipeline(std::unique_ptr<State> state) : state_(std::move(state)) {}
HostPipeline::~HostPipeline() = default;
HostPipeline::HostPipeline(HostPipeline&&) noexcept = default;
HostPipeline& HostPipeline::operator=(HostPipeline&&) noexcept = default;

namespace {

Result<std::vector<const NetworkGroup*>> choose_groups(const Model& model, const std::string& name) {
  std::vector<const NetworkGroup*> out;
  std::vector<std::string_view> names;
  for (const NetworkGroup& group : model.groups) {
    names.push_back(group.name);
    if (name.empty() || group.name == name) out.push_back(&group);
  }
  if (names.empty()) return malformed({}, "the file has no network group");
  if (out.empty())
    return usage_error(fmt::format("network group {} does not exist", name),
                       fmt::format("the file has: {}", fmt::join(names, ", ")));
  return out;
}

}  // namespace

Result<HostPipeline> HostPipeline::open(const Artifact& artifact, HostOptions options) {
  const auto* hef = dynamic_cast<const HefArtifact*>(&artifact);
  if (hef == nullptr)
    return usage_error(fmt::format("{} is {}, not a HEF", artifact.file_name(), artifact.format()));
  if (!hef->readable()) return fail(hef->unreadable());
  auto state = std::make_unique<State>();
  NPUBIN_TRY(state->groups, choose_groups(hef->model(), options.network_group));
  state->options = std::move(options);
  for (const NetworkGroup* group : state->groups)
    for (const VStream& vstream : group->vstreams)
      (vstream.direction == Direction::HostToDevice ? state->inputs : state->outputs).push_back(vstream.name);
  return HostPipeline(std::move(state));
}

const std::vector<std::string>& HostPipeline::input_names() const {
  return state_->inputs;
}
const std::vector<std::string>& HostPipeline::output_names() const {
  return state_->outputs;
}

Result<std::vector<DeviceStream>> HostPipeline::streams_of_output(std::string_view name) const {
  NPUBIN_TRY(const State::Found found, state_->find(name, Direction::DeviceToHost));
  std::vector<DeviceStream> out;
  for (const std::string& leaf : found.vstream.streams) {
    const Stream* carrier = carrier_of(found.context.group, leaf);
    if (carrier == nullptr) continue;
    const bool known = std::any_of(out.begin(), out.end(),
                                   [&](const DeviceStream& stream) { return stream.name == carrier->name; });
    if (!known) out.push_back({carrier->name, carrier->nms ? 0 : hw_frame_size(*carrier)});
  }
  return out;
}

Result<std::unique_ptr<HostInput>> HostPipeline::prepare_input(std::string_view name) const {
  NPUBIN_TRY(const State::Found found, state_->find(name, Direction::HostToDevice));
  return prepare_host_input(found.context, found.vstream);
}

Result<std::unique_ptr<HostOutput>> HostPipeline::prepare_output(std::string_view name) const {
  NPUBIN_TRY(const State::Found found, state_->find(name, Direction::DeviceToHost));
  const auto& [context, vstream] = found;
  if (!vstream.op)
    return is_nms(vstream.order) ? prepare_detections_output(context, vstream)
                                 : prepare_values_output(context, vstream);
  const Op& op = context.group.ops[*vstream.op];
  if (op.type == OpType::Unknown)
    return refused(fmt::format("operator {} is of a kind that is not known", op.name));
  if (op.type == OpType::Softmax) return prepare_values_output(context, vstream);
  if (op.type == OpType::Argmax) return prepare_argmax_output(context, vstream);
  if (op.bbox_decoding_only && op.type != OpType::YoloV5Seg) return prepare_boxes_output(context, vstream);
  return prepare_detections_output(context, vstream);
}

}  // namespace npubin::hef
