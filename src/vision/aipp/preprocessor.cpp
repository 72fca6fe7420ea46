#include <fmt/format.h>

#include "npubin/aipp.h"
#include "vision/aipp/plan.h"
#include "vision/aipp/row_workers.h"
#include "vision/aipp/rows.h"

namespace npubin::aipp {

struct Preprocessor::State {
  explicit State(Plan made) : plan(std::move(made)), workers(plan.output.threads) {
    for (int i = 0; i < workers.count(); ++i) scratch.emplace_back(plan);
  }
  // By rows where the vector loops know the way; value by value for RAW and resize.
  bool by_rows() const { return plan.output.vector && !plan.raw() && !plan.settings.resize; }

  static void task(void* context, int worker, int first, int last) {
    State& state = *static_cast<State*>(context);
    if (state.by_rows())
      run_rows(state.plan, state.scratch[static_cast<std::size_t>(worker)], state.image, state.out, first,
               last);
    else
      run_scalar(state.plan, state.image, state.out, first, last);
  }

  Plan plan;
  RowWorkers workers;
  std::vector<RowScratch> scratch;
  const std::uint8_t* image = nullptr;
  std::byte* out = nullptr;
};

Preprocessor::Preprocessor(std::unique_ptr<State> state) : state_(std::move(state)) {}
Preprocessor::Preprocessor(Preprocessor&&) noexcept = default;
Preprocessor& Preprocessor::operator=(Preprocessor&&) noexcept = default;
Preprocessor::~Preprocessor() = default;

Result<Preprocessor> Preprocessor::compile(const Settings& settings, const NetworkInput& network,
                                           const OutputOptions& output) {
  NPUBIN_TRY(Plan plan, make_plan(settings, network, output));
  return Preprocessor(std::make_unique<State>(std::move(plan)));
}

const Geometry& Preprocessor::geometry() const {
  return state_->plan.geometry;
}
std::uint64_t Preprocessor::input_bytes() const {
  return state_->plan.input_bytes;
}
std::uint64_t Preprocessor::output_bytes() const {
  return state_->plan.output_bytes;
}
DType Preprocessor::output_type() const {
  return state_->plan.output.type;
}
bool Preprocessor::bit_exact() const {
  return !state_->plan.settings.resize;
}

Shape Preprocessor::output_shape(std::int64_t images) const {
  const Geometry& g = state_->plan.geometry;
  switch (state_->plan.output.layout) {
    case Layout::Nchw:
      return {images, g.channels, g.out_h, g.out_w};
    case Layout::Nhwc:
      return {images, g.out_h, g.out_w, g.channels};
    default:
      return {images, 1, g.out_h, g.out_w, state_->plan.c0};
  }
}

Result<void> Preprocessor::run(ByteSpan image, std::span<std::byte> out) {
  const Plan& plan = state_->plan;
  if (image.size() < plan.input_bytes)
    return usage_error(fmt::format("the picture has {} bytes, {} of {} x {} takes {}", image.size(),
                                   plan.facts->name, plan.geometry.src_w, plan.geometry.src_h,
                                   plan.input_bytes));
  if (out.size() < plan.output_bytes)
    return usage_error(
        fmt::format("the output has room for {} bytes, and takes {}", out.size(), plan.output_bytes));
  if (reinterpret_cast<std::uintptr_t>(out.data()) % plan.element_size() != 0)
    return usage_error("the output does not begin at a multiple of its element size");
  state_->image = reinterpret_cast<const std::uint8_t*>(image.data());
  state_->out = out.data();
  state_->workers.run(&State::task, state_.get(), plan.geometry.out_h);
  return {};
}

}  // namespace npubin::aipp
