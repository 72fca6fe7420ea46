// The machine on MobileNetV2 (300 million multiplications): all of a run, its convolutions alone, and the
// same convolutions as a straightforward scalar loop. NPUBIN_SHARED_DATA names the folder of the model.
#include <algorithm>
#include <cstdlib>
#include <list>

#include <benchmark/benchmark.h>

#include "ethosu/machine/convolution.h"
#include "ethosu/machine/machine.h"
#include "ethosu/weight_stream.h"
#include "ethosu/weights/codec.h"
#include "formats/tflite/document.h"
#include "formats/tflite/vela.h"

namespace {

using namespace npubin;
using namespace npubin::ethosu;

std::optional<Job> mobilenet(benchmark::State& state) {
  const char* given = std::getenv("NPUBIN_SHARED_DATA");
  const std::string file = std::string(given != nullptr ? given : "../shared/data") +
                           "/mobilenet_v2/mobilenet_v2_int8_u55-256.tflite";
  auto artifact = open_artifact(file);
  if (!artifact) {
    state.SkipWithError("the model is not here; set NPUBIN_SHARED_DATA");
    return std::nullopt;
  }
  Diagnostics findings;
  auto model = tflite::read_vela(dynamic_cast<const tflite::TfliteDocument&>(**artifact), findings);
  if (!model || model->operators.empty()) {
    state.SkipWithError("the model has no ethos-u operator");
    return std::nullopt;
  }
  static std::unique_ptr<Artifact> keep;
  keep = std::move(*artifact);
  return std::move(model->operators[0].job);
}

void report_rate(benchmark::State& state, std::uint64_t macs) {
  state.counters["MAC/s"] = benchmark::Counter(
      static_cast<double>(macs) * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

// With decoding of all weights; argument: threads.
void whole_run(benchmark::State& state) {
  const auto job = mobilenet(state);
  if (!job) return;
  auto memory = Memory::create(job->regions);
  std::uint64_t macs = 0;
  for (auto _ : state) {
    const auto run =
        execute(job->words, 0, job_accelerator(*job), *memory, {.threads = static_cast<int>(state.range(0))});
    if (!run) return state.SkipWithError(run.error().message.c_str());
    macs = run->macs;
  }
  report_rate(state, macs);
}
BENCHMARK(whole_run)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond);

// One layer as a textbook writes it: 32-bit sums, borders tested for every tap, each sum requantised.
struct ScalarLayer {
  Operation operation;
  std::vector<std::int8_t> input;  // [height][width][depth]
  std::vector<std::int16_t> weights;
  ChannelScales scales;
  std::vector<std::int8_t> output;

#if defined(__GNUC__) && !defined(__clang__)
  __attribute__((optimize("no-tree-vectorize")))
#endif
  void
  run() {
    const FeatureMap &ifm = operation.ifm, &ofm = operation.ofm;
    const Kernel& kernel = operation.kernel;
    const bool depthwise = operation.kind == OperationKind::Depthwise;
    const int depth = static_cast<int>(ifm.depth), inputs = depthwise ? 1 : depth;
    const int height = static_cast<int>(ifm.height), width = static_cast<int>(ifm.width);
    std::int8_t* out = output.data();
    for (int y = 0; y < static_cast<int>(ofm.height); ++y)
      for (int x = 0; x < static_cast<int>(ofm.width); ++x)
        for (int o = 0; o < static_cast<int>(ofm.depth); ++o) {
          std::int32_t sum = 0;
          const std::int16_t* weight =
              weights.data() + std::ptrdiff_t{o} * static_cast<int>(kernel.height * kernel.width) * inputs;
          for (int ky = 0; ky < static_cast<int>(kernel.height); ++ky)
            for (int kx = 0; kx < static_cast<int>(kernel.width); ++kx) {
              const int iy = y * static_cast<int>(kernel.stride_y) + ky - static_cast<int>(kernel.pad_top);
              const int ix = x * static_cast<int>(kernel.stride_x) + kx - static_cast<int>(kernel.pad_left);
              if (iy < 0 || iy >= height || ix < 0 || ix >= width) {
                weight += inputs;
                continue;
              }
              const std::int8_t* at =
                  input.data() + (std::ptrdiff_t{iy} * width + ix) * depth + (depthwise ? o : 0);
              for (int i = 0; i < inputs; ++i) sum += (at[i] - ifm.zero_point) * *weight++;
            }
          const auto channel = static_cast<std::size_t>(o);
          const Scaling& scaling = scales.scaling[channel];
          const std::int64_t product = (sum + scales.bias[channel]) * std::int64_t{scaling.multiplier};
          const std::int64_t high = (product + (std::int64_t{1} << 30)) >> 31;
          const std::int64_t scaled = rounding_divide(high, scaling.shift - 31) + ofm.zero_point;
          *out++ = static_cast<std::int8_t>(
              std::clamp<std::int64_t>(scaled, operation.activation.min, operation.activation.max));
        }
  }
};

struct Layer {
  Operation operation;
  std::optional<Step> step;
  std::unique_ptr<PreparedConvolution> fast;
  ScalarLayer scalar;
};

// Takes every CONV and DEPTHWISE at the moment that its weights are in place.
class Collector final : public MachineObserver {
 public:
  Collector(Memory& memory, Accelerator accelerator) : memory_(memory), accelerator_(accelerator) {}

  Result<void> before(const Operation& operation, const Memory&) override {
    if (!operation.uses_weights()) return {};
    Layer& layer = layers.emplace_back();
    layer.operation = operation;
    NPUBIN_TRY(Step step, Step::prepare(layer.operation, memory_, accelerator_, 1, false));
    layer.step.emplace(std::move(step));
    NPUBIN_TRY(layer.fast, PreparedConvolution::create(*layer.step));
    NPUBIN_TRY(const ByteSpan stream, memory_.read(operation.weights.region, operation.weights.address,
                                                   operation.weights.length, "weights"));
    NPUBIN_TRY(DecodedWeights decoded, decode_weights(stream, weight_geometry(operation, accelerator_)));
    layer.scalar.operation = operation;
    layer.scalar.weights = std::move(decoded.values);
    NPUBIN_TRY(layer.scalar.scales, ChannelScales::read(operation, memory_));
    layer.scalar.input.assign(std::size_t{operation.ifm.height} * operation.ifm.width * operation.ifm.depth,
                              3);
    layer.scalar.output.resize(std::size_t{operation.ofm.height} * operation.ofm.width * operation.ofm.depth);
    macs += work_of(operation);
    return {};
  }

  std::list<Layer> layers;
  std::uint64_t macs = 0;

 private:
  Memory& memory_;
  Accelerator accelerator_;
};

// CONV and DEPTHWISE alone, weights decoded beforehand. The machine's layers also read and write feature maps
// in their layouts. Argument: 1 for the scalar loop.
void layers(benchmark::State& state) {
  const auto job = mobilenet(state);
  if (!job) return;
  auto memory = Memory::create(job->regions);
  Collector collector(*memory, job_accelerator(*job));
  const auto run = execute(job->words, 0, job_accelerator(*job), *memory, {.observer = &collector});
  if (!run) return state.SkipWithError(run.error().message.c_str());
  const bool scalar = state.range(0) != 0;
  for (auto _ : state)
    for (Layer& layer : collector.layers) {
      if (scalar)
        layer.scalar.run();
      else if (auto done = layer.fast->run(); !done)
        return state.SkipWithError(done.error().message.c_str());
      benchmark::DoNotOptimize(layer.scalar.output.data());
      benchmark::ClobberMemory();
    }
  report_rate(state, collector.macs);
}
BENCHMARK(layers)->ArgName("scalar")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

}  // namespace
