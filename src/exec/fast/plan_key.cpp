// What a stored plan depends on.
#include <string>
#include <vector>

#include <fmt/format.h>
#include <hwy/targets.h>
#include <oneapi/dnnl/dnnl.h>
#include <xxhash.h>

#include "exec/fast/integer_kernels.h"
#include "exec/fast/plan_cache.h"

namespace npubin::exec::fast {
namespace {

// Counts up with every change of what parts hold or how they are made.
constexpr int kRevision = 3;

// Numbers as they lie in memory: formatting thousands of scales would take as long as the plan.
template <class T>
void append(const std::vector<T>& numbers, std::string& out) {
  out += fmt::format("{} ", numbers.size());
  out.append(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(T));
}

void describe(const graph::Value& value, std::string& out) {
  out += fmt::format("\n{}{} ", static_cast<int>(value.type), value.constant ? " c" : "");
  append(value.shape, out);
  append(value.quantization.scales, out);
  append(value.quantization.zero_points, out);
}

void describe(const graph::Node& node, std::string& out) {
  out +=
      fmt::format("\n{} {} {} ", static_cast<int>(node.op), static_cast<int>(node.rules), node.source_type);
  append(node.inputs, out);
  append(node.outputs, out);
}

}  // namespace

std::uint64_t plan_key(std::uint64_t model_hash, const graph::Graph& graph, int threads) {
  const dnnl_version_t* library = dnnl_version();
  std::string text = fmt::format(
      "npubin {} revision {}; model {:016x}; {} threads; vectors {:x}, 8-bit {}; oneDNN {}.{}.{} {}, isa "
      "{}\n",
      NPUBIN_VERSION, kRevision, model_hash, threads, static_cast<std::uint64_t>(hwy::SupportedTargets()),
      integer_kernels().instructions, library->major, library->minor, library->patch, library->hash,
      static_cast<int>(dnnl_get_effective_cpu_isa()));
  for (const graph::Value& value : graph.values) describe(value, text);
  for (const graph::Node& node : graph.nodes) describe(node, text);
  return XXH3_64bits(text.data(), text.size());
}

}  // namespace npubin::exec::fast
