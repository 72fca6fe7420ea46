// Reads, checks, describes, maps and writes a .tflite; imports its graph and runs it where it is small.
#include <cstdint>

#include "formats/tflite/document.h"
#include "npubin/session.h"

namespace {

// Running is bounded by what the graph asks for, not by what a fuzzer can wait for.
constexpr std::int64_t kLargestTensor = 4096;
constexpr std::size_t kMostNodes = 16;

bool small(const npubin::graph::Graph& graph) {
  if (graph.nodes.size() > kMostNodes) return false;
  std::uint64_t macs = 0;
  for (const auto& value : graph.values)
    if (npubin::count_of(value.shape) > kLargestTensor) return false;
  for (const auto& node : graph.nodes) {
    if (node.op == npubin::graph::Op::EthosU || node.op == npubin::graph::Op::Unsupported) return false;
    macs += npubin::graph::macs_of(graph, node);
  }
  return macs < 1'000'000;
}

void run(npubin::graph::Graph graph) {
  if (!small(graph)) return;
  npubin::SessionOptions options;
  options.mode = npubin::ExecMode::Reference;
  auto session = npubin::Session::compile(std::move(graph), options);
  if (!session) return;
  std::vector<npubin::Tensor> inputs;
  for (const auto& port : (*session)->graph().inputs) {
    const auto& value = (*session)->graph().value(port.value);
    inputs.emplace_back(value.type, value.shape);
    for (std::size_t i = 0; i < inputs.back().byte_size(); ++i)
      inputs.back().mutable_data()[i] =
          static_cast<std::byte>(value.type == npubin::DType::Bool ? i & 1 : i * 37);
  }
  auto context = (*session)->new_context();
  (void)(*session)->run(*context, inputs);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto* bytes = reinterpret_cast<const std::byte*>(data);
  auto artifact = npubin::tflite::TfliteDocument::read(npubin::Bytes::borrow({bytes, size}), {});
  if (!artifact) return 0;
  npubin::Diagnostics findings;
  (*artifact)->validate({}, findings);
  (void)(*artifact)->describe({});
  (void)(*artifact)->map();
  (void)(*artifact)->contents();
  (void)(*artifact)->disassemble({});
  auto written = (*artifact)->write();
  if (written) (void)npubin::tflite::TfliteDocument::read(npubin::Bytes::own(std::move(*written)), {});
  const auto& document = dynamic_cast<const npubin::tflite::TfliteDocument&>(**artifact);
  npubin::Diagnostics more;
  if (auto graph = document.graph(more)) run(std::move(*graph));
  return 0;
}
