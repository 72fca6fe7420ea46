// Opening Arm NN files of very many layers (20,000 in under 0.3 s, 100,000 in under 1.5 s), and writing
// their byte maps.
#include <benchmark/benchmark.h>

#include "../tests/armnn/chain.h"
#include "formats/armnn/build.h"
#include "formats/armnn/document.h"
#include "npubin/byte_map.h"
#include "render/json.h"

namespace {

using namespace npubin;

Bytes file_of(benchmark::State& state) {
  auto built = armnn::build(test::chain_of_layers(static_cast<std::size_t>(state.range(0))));
  if (built) return Bytes::own(*std::move(built));
  state.SkipWithError("the chain cannot be written");
  return {};
}

void open_and_import(benchmark::State& state) {
  const Bytes bytes = file_of(state);
  for (auto _ : state) {
    auto artifact = armnn::ArmnnDocument::read(bytes, {});
    Diagnostics findings;
    auto graph = dynamic_cast<const graph::GraphSource&>(**artifact).graph(findings);
    benchmark::DoNotOptimize(graph);
  }
}
BENCHMARK(open_and_import)->Arg(20000)->Arg(100000)->Unit(benchmark::kMillisecond);

void map_as_json(benchmark::State& state) {
  auto artifact = armnn::ArmnnDocument::read(file_of(state), {});
  const ByteMap map = *(*artifact)->map();
  for (auto _ : state) benchmark::DoNotOptimize(render::dump({{"schema", "npubin.map/1"}}, map));
}
BENCHMARK(map_as_json)->Arg(20000)->Unit(benchmark::kMillisecond);

}  // namespace
