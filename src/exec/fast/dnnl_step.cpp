#include "exec/fast/dnnl_step.h"

#include "exec/fast/post.h"

namespace npubin::exec::fast {

using dnnl::memory;
using graph::Activation;

const dnnl::engine& cpu_engine() {
  static const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  return engine;
}

namespace {

bool append(dnnl::post_ops& ops, const graph::ActivationAttributes& f) {
  using dnnl::algorithm;
  switch (f.function) {
    case Activation::None:
      return true;
    case Activation::ReLu:
      ops.append_eltwise(1, algorithm::eltwise_relu, 0, 0);
      return true;
    case Activation::LeakyReLu:
      ops.append_eltwise(1, algorithm::eltwise_relu, f.a, 0);
      return true;
    case Activation::BoundedReLu:
      ops.append_eltwise(1, algorithm::eltwise_clip, f.b, f.a);
      return true;
    case Activation::Sigmoid:
      ops.append_eltwise(1, algorithm::eltwise_logistic, 0, 0);
      return true;
    case Activation::TanH:
      if (f.a != 1 || f.b != 1) return false;
      ops.append_eltwise(1, algorithm::eltwise_tanh, 0, 0);
      return true;
    case Activation::Linear:
      ops.append_eltwise(1, algorithm::eltwise_linear, f.a, f.b);
      return true;
    case Activation::Elu:
      ops.append_eltwise(1, algorithm::eltwise_elu, f.a, 0);
      return true;
    case Activation::HardSwish:
      ops.append_eltwise(1, algorithm::eltwise_hardswish, 0, 0);
      return true;
    case Activation::Abs:
      ops.append_eltwise(1, algorithm::eltwise_abs, 0, 0);
      return true;
    case Activation::Sqrt:
      ops.append_eltwise(1, algorithm::eltwise_sqrt, 0, 0);
      return true;
    case Activation::Square:
      ops.append_eltwise(1, algorithm::eltwise_square, 0, 0);
      return true;
    default:
      return false;
  }
}

}  // namespace

std::optional<dnnl::post_ops> post_operations(const DraftNode& node, const memory::desc& result) {
  dnnl::post_ops ops;
  for (const PostOperation& post : node.post) {
    if (post.addend != graph::kNoValue) {
      ops.append_binary(dnnl::algorithm::binary_add, result);
    } else if (!append(ops, post.activation)) {
      return std::nullopt;
    }
  }
  return ops;
}

memory prepacked(const void* data, const memory::desc& from, const memory::desc& to) {
  dnnl::stream stream(cpu_engine());
  memory source(from, cpu_engine(), const_cast<void*>(data)), target(to, cpu_engine());
  dnnl::reorder(source, target).execute(stream, source, target);
  stream.wait();
  return target;
}

struct DnnlStep::State {
  dnnl::stream stream{cpu_engine()};
  memory source, destination, scratch;
  std::vector<memory> addends;
  // Of the C interface: C++'s execute() allocates an array of them at every run.
  std::vector<dnnl_exec_arg_t> arguments;
};

DnnlStep::DnnlStep(const DraftNode& node, dnnl::primitive primitive, Constants constants,
                   const memory::desc& source, const memory::desc& destination, const memory::desc& scratch,
                   std::string kernel, bool post_apart)
    : node_(node),
      primitive_(std::move(primitive)),
      constants_(std::move(constants)),
      source_(source),
      destination_(destination),
      scratch_(scratch),
      kernel_(std::move(kernel)),
      post_apart_(post_apart) {}

std::shared_ptr<void> DnnlStep::new_state() const {
  auto state = std::make_shared<State>();
  const auto handle = [](const memory::desc& desc) { return memory(desc, cpu_engine(), nullptr); };
  state->source = handle(source_);
  state->destination = handle(destination_);
  state->scratch = handle(scratch_);
  auto& arguments = state->arguments;
  arguments = {{DNNL_ARG_SRC, state->source.get()},
               {DNNL_ARG_WEIGHTS, constants_.weights.get()},
               {DNNL_ARG_DST, state->destination.get()},
               {DNNL_ARG_SCRATCHPAD, state->scratch.get()}};
  if (constants_.bias) arguments.push_back({DNNL_ARG_BIAS, constants_.bias->get()});
  for (std::size_t k = 0; k < node_.post.size() && !post_apart_; ++k) {
    state->addends.push_back(handle(destination_));
    if (node_.post[k].addend != graph::kNoValue)
      arguments.push_back(
          {DNNL_ARG_ATTR_MULTIPLE_POST_OP(static_cast<int>(k)) | DNNL_ARG_SRC_1, state->addends[k].get()});
  }
  return state;
}

Result<void> DnnlStep::run(const Frame& frame) const {
  auto& state = *static_cast<State*>(frame.state);
  const auto at = [&](graph::ValueId id) { return frame.data[static_cast<std::size_t>(id)]; };
  state.source.set_data_handle(at(node_.node.inputs[0]));
  state.destination.set_data_handle(at(node_.node.outputs[0]));
  state.scratch.set_data_handle(frame.scratch);
  for (std::size_t k = 0; k < state.addends.size(); ++k)
    if (node_.post[k].addend != graph::kNoValue) state.addends[k].set_data_handle(at(node_.post[k].addend));
  const dnnl_status_t status = dnnl_primitive_execute(
      primitive_.get(), state.stream.get(), static_cast<int>(state.arguments.size()), state.arguments.data());
  if (status != dnnl_success)
    return refused(std::string("the kernel library failed: ") + std::to_string(static_cast<int>(status)));
  if (post_apart_) apply_post_operations(node_, frame, destination_.get_size() / sizeof(float));
  return {};
}

}  // namespace npubin::exec::fast
