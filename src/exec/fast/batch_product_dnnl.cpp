// BATCH_MATMUL of float32 through oneDNN.
#include "exec/fast/broadcast_runs.h"
#include "exec/fast/dnnl_step.h"
#include "exec/fast/matrix_batches.h"
#include "exec/fast/sizes.h"

namespace npubin::exec::fast {
namespace {

using dnnl::memory;
using Dims = memory::dims;

// Rows by columns, of which either may be the one that lies together in memory; `count` of them.
memory::desc matrices(std::int64_t count, std::int64_t rows, std::int64_t columns, bool transposed) {
  const Dims strides = transposed ? Dims{rows * columns, 1, rows} : Dims{rows * columns, columns, 1};
  return {{count, rows, columns}, memory::data_type::f32, strides};
}

struct Prepared {
  dnnl::matmul primitive;
  memory::desc x, y, out, scratch;
  std::optional<memory> constant;  // y, laid out once
  std::string implementation;
};

class BatchProductStep : public Step {
 public:
  BatchProductStep(const graph::Node& node, const MatrixBatches& batches, Prepared prepared)
      : node_(node), batches_(batches), prepared_(std::move(prepared)) {}

  std::string kernel() const override { return "oneDNN matmul " + prepared_.implementation; }
  std::size_t scratch_bytes() const override { return prepared_.scratch.get_size(); }

  struct State {
    dnnl::stream stream{cpu_engine()};
    memory x, y, out, scratch;
    std::vector<dnnl_exec_arg_t> arguments;
  };
  std::shared_ptr<void> new_state() const override {
    auto state = std::make_shared<State>();
    const auto handle = [](const memory::desc& desc) { return memory(desc, cpu_engine(), nullptr); };
    state->x = handle(prepared_.x);
    state->y = prepared_.constant ? *prepared_.constant : handle(prepared_.y);
    state->out = handle(prepared_.out);
    state->scratch = handle(prepared_.scratch);
    state->arguments = {{DNNL_ARG_SRC, state->x.get()},
                        {DNNL_ARG_WEIGHTS, state->y.get()},
                        {DNNL_ARG_DST, state->out.get()},
                        {DNNL_ARG_SCRATCHPAD, state->scratch.get()}};
    return state;
  }

  Result<void> run(const Frame& frame) const override {
    auto& state = *static_cast<State*>(frame.state);
    const float *x = frame.in<float>(node_.inputs[0]), *y = frame.in<float>(node_.inputs[1]);
    float* const out = frame.out<float>(node_.outputs[0]);
    state.scratch.set_data_handle(frame.scratch);
    dnnl_status_t status = dnnl_success;
    batches_.for_each([&](const MatrixBatches::Places& places) {
      state.x.set_data_handle(const_cast<float*>(x + places.x));
      if (!prepared_.constant) state.y.set_data_handle(const_cast<float*>(y + places.y));
      state.out.set_data_handle(out + places.out);
      if (status == dnnl_success)
        status = dnnl_primitive_execute(prepared_.primitive.get(), state.stream.get(),
                                        static_cast<int>(state.arguments.size()), state.arguments.data());
    });
    if (status == dnnl_success) return {};
    return refused("the kernel library failed: " + std::to_string(static_cast<int>(status)));
  }

 private:
  const graph::Node& node_;
  MatrixBatches batches_;
  Prepared prepared_;
};

Prepared prepare(const graph::Value& y, const MatrixBatches& batches) {
  const auto n = [](std::size_t v) { return static_cast<std::int64_t>(v); };
  const auto count = n(batches.together), rows = n(batches.rows), inner = n(batches.inner),
             columns = n(batches.columns);
  Prepared p;
  p.x = matrices(count, rows, inner, batches.x_transposed);
  p.out = matrices(count, rows, columns, false);
  const memory::desc stored = matrices(count, inner, columns, batches.y_transposed);
  const bool once = y.constant.has_value() && batches.one_y();
  p.y =
      once ? memory::desc({count, inner, columns}, memory::data_type::f32, memory::format_tag::any) : stored;
  dnnl::primitive_attr attributes;
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  const dnnl::matmul::primitive_desc desc({p.x, p.y, p.out}, attributes, cpu_engine());
  p.primitive = dnnl::matmul(desc);
  p.scratch = desc.scratchpad_desc();
  p.implementation = desc.impl_info_str();
  if (once) p.constant = prepacked(y.constant->data(), stored, desc.weights_desc());
  return p;
}

}  // namespace

std::unique_ptr<Step> make_dnnl_batch_product(const Draft& draft, const DraftNode& entry) {
  const graph::Node& node = entry.node;
  if (node.op != graph::Op::BatchMatMul || !entry.post.empty()) return nullptr;
  const graph::Value &x = draft.value(node.inputs[0]), &y = draft.value(node.inputs[1]),
                     &out = draft.value(node.outputs[0]);
  if (x.type != DType::F32 || y.type != DType::F32 || out.type != DType::F32) return nullptr;
  const auto batches =
      MatrixBatches::of(x.shape, y.shape, out.shape, node.attr<graph::BatchMatMulAttributes>(), true);
  if (!batches) return nullptr;
  try {
    return std::make_unique<BatchProductStep>(node, *batches, prepare(y, *batches));
  } catch (const dnnl::error&) {
    return nullptr;
  }
}

}  // namespace npubin::exec::fast
