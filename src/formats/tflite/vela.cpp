#include "formats/tflite/vela.h"

#include <algorithm>

#include <fmt/format.h>

#include "ethosu/accelerator.h"
#include "formats/tflite/describe_parts.h"
#include "formats/tflite/validate.h"

namespace npubin::tflite {
namespace {

// Operands of an ethos-u operator.
enum Operand : std::size_t { kStream = 0, kFlash = 1, kScratch = 2, kScratchFast = 3, kFirstInput = 4 };

std::uint64_t tensor_bytes(const TensorView& tensor) {
  const auto count = element_count(shape_of(tensor));
  return count ? stored_size(tensor.type, static_cast<std::uint64_t>(*count)) : 0;
}

std::string text_of(ByteSpan bytes) {
  std::string out(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return out.substr(0, out.find('\0'));
}

// Offsets of the planned tensors inside the arena: {0, 1, n, offset[n]}, -1 where there is none.
class Plan {
 public:
  explicit Plan(const TfliteDocument& document) {
    const auto bytes = document.metadata_bytes("OfflineMemoryAllocation");
    if (!bytes) return;
    const std::vector<std::uint32_t> words = ethosu::words_of(*bytes);
    if (words.size() < 3) return;
    const std::size_t count = std::min<std::size_t>(words[2], words.size() - 3);
    for (std::size_t i = 0; i < count; ++i) offsets_.push_back(static_cast<std::int32_t>(words[3 + i]));
  }

  std::optional<std::int64_t> offset(std::int32_t tensor) const {
    if (tensor < 0 || static_cast<std::size_t>(tensor) >= offsets_.size()) return std::nullopt;
    const std::int32_t offset = offsets_[static_cast<std::size_t>(tensor)];
    return offset < 0 ? std::nullopt : std::optional<std::int64_t>(offset);
  }

 private:
  std::vector<std::int32_t> offsets_;
};

class OperatorReader {
 public:
  OperatorReader(const TfliteDocument& document, const Plan& plan, std::size_t subgraph, std::size_t index,
                 Diagnostics& findings)
      : document_(document),
        plan_(plan),
        graph_(document.subgraphs()[subgraph]),
        op_(graph_.operators[index]),
        findings_(findings) {
    out_.subgraph = subgraph;
    out_.index = index;
  }

  Result<VelaOperator> read() {
    if (op_.inputs.size() < kFirstInput)
      return bad(fmt::format("has {} operands; stream, constants and two scratch areas are four",
                             op_.inputs.size()));
    for (std::size_t i = 0; i < op_.inputs.size(); ++i)
      if (operand(i) == nullptr)
        return bad(fmt::format("operand {} is tensor {} of {}", i, op_.inputs[i], graph_.tensors.size()));
    for (std::size_t i = 0; i < op_.outputs.size(); ++i)
      if (tensor(op_.outputs[i]) == nullptr)
        return bad(fmt::format("output {} is tensor {} of {}", i, op_.outputs[i], graph_.tensors.size()));
    NPUBIN_CHECK(read_payload());
    read_regions();
    NPUBIN_CHECK(bind(true));
    NPUBIN_CHECK(bind(false));
    name_tensors();
    return std::move(out_);
  }

 private:
  std::string path() const { return operator_path(out_.subgraph, out_.index); }
  Unexpected bad(const std::string& what) const {
    return malformed(Location::at(op_.offset, path()), "the ethos-u operator " + what,
                     "the file was edited, or is damaged", "ETU-0013");
  }
  const TensorView* tensor(std::int32_t index) const {
    if (index < 0 || static_cast<std::size_t>(index) >= graph_.tensors.size()) return nullptr;
    return &graph_.tensors[static_cast<std::size_t>(index)];
  }
  const TensorView* operand(std::size_t i) const { return tensor(op_.inputs[i]); }

  Result<void> read_payload() {
    const TensorView& stream = *operand(kStream);
    const ByteSpan payload = document_.constant_bytes(stream);
    if (payload.empty()) return bad("has no command stream");
    const std::uint64_t base = document_.buffers()[stream.buffer].offset;
    if (base % 16 != 0)
      findings_.warn("ETU-0014", Location::at(base, path()),
                     fmt::format("the payload lies at 0x{:x} of the file, no multiple of 16", base),
                     "an interpreter that runs the file in place hands the driver a misaligned stream, which "
                     "it refuses");
    NPUBIN_TRY(ethosu::Cop1 cop1, ethosu::read_cop1(payload, base, findings_));
    out_.config = cop1.config;
    out_.job.words = std::move(cop1.words);
    out_.job.stream_offset = base + cop1.stream_word * 4;
    out_.job.name = path();
    if (cop1.config) out_.job.accelerator = ethosu::accelerator_of(cop1.config->macs());
    return {};
  }

  void read_regions() {
    const TensorView& flash = *operand(kFlash);
    const Bytes constants = document_.constant(flash);
    auto& regions = out_.job.regions;
    regions.push_back({0, constants.size(), constants, true, "weights"});
    const TensorView &scratch = *operand(kScratch), &fast = *operand(kScratchFast);
    regions.push_back({1, tensor_bytes(scratch), {}, false, "scratch"});
    // Without a memory of its own, scratch_fast is the scratch area again, and as large; the plan places both
    // at 0 either way.
    out_.dedicated_fast_memory = tensor_bytes(fast) > 0 && tensor_bytes(fast) != tensor_bytes(scratch);
    regions.push_back({2, tensor_bytes(fast), {}, false, "scratch_fast"});
  }

  std::optional<std::int64_t> arena_offset(std::int32_t index) const {
    const auto scratch = plan_.offset(op_.inputs[kScratch]);
    const auto place = plan_.offset(index);
    if (!scratch || !place || *place < *scratch) return std::nullopt;
    return *place - *scratch;
  }

  // The operator's own inputs or outputs, in the subgraph's order where all are in its list. They are matched
  // by index, or by name: a compiled file may list a copy of a tensor.
  std::vector<std::int32_t> ordered(bool inputs) const {
    std::vector<std::int32_t> own;
    const auto& list = inputs ? op_.inputs : op_.outputs;
    for (std::size_t i = inputs ? std::size_t{kFirstInput} : 0; i < list.size(); ++i) own.push_back(list[i]);
    const auto& graph_list = inputs ? graph_.inputs : graph_.outputs;
    std::vector<std::int32_t> sorted;
    for (std::size_t g = 0; g < graph_list.size(); ++g) {
      const TensorView* wanted = tensor(graph_list[g]);
      const auto found = std::find_if(own.begin(), own.end(), [&](std::int32_t index) {
        return index == graph_list[g] ||
               (wanted != nullptr && !wanted->name.empty() && tensor(index)->name == wanted->name);
      });
      if (found != own.end() && std::find(sorted.begin(), sorted.end(), *found) == sorted.end())
        sorted.push_back(*found);
    }
    return sorted.size() == own.size() ? sorted : own;
  }

  Result<void> bind(bool inputs) {
    for (const std::int32_t index : ordered(inputs)) {
      const TensorView& view = *tensor(index);
      const auto offset = arena_offset(index);
      const bool constant = inputs && !document_.constant_bytes(view).empty();
      if (!offset && constant) continue;
      if (!offset) {
        findings_.error(
            "ETU-0015",
            Location::at(view.offset, tensor_path(out_.subgraph, static_cast<std::size_t>(index))),
            fmt::format("tensor {:?} has no place in the arena: OfflineMemoryAllocation does not plan it",
                        view.name),
            "compile the model again");
        continue;
      }
      ethosu::Binding binding;
      binding.name = std::string(view.name);
      binding.offset = static_cast<std::uint64_t>(*offset);
      if (!view.dtype) return bad(fmt::format("has tensor {:?} of a type that no Ethos-U has", view.name));
      binding.type = *view.dtype;
      binding.shape = shape_of(view);
      if (!element_count(binding.shape))
        return bad(
            fmt::format("has tensor {:?} of the impossible shape {}", view.name, to_string(binding.shape)));
      binding.quantization = quantization_of(view);
      (inputs ? out_.job.inputs : out_.job.outputs).push_back(std::move(binding));
      (inputs ? out_.input_tensors : out_.output_tensors).push_back(index);
    }
    return {};
  }

  // Every planned tensor has a place, and so a name in the listing.
  void name_tensors() {
    for (std::size_t i = 0; i < graph_.tensors.size(); ++i) {
      const auto index = static_cast<std::int32_t>(i);
      if (index == op_.inputs[kScratch] || index == op_.inputs[kScratchFast]) continue;
      if (const auto offset = arena_offset(index))
        out_.job.tensors.push_back({1, static_cast<std::uint64_t>(*offset), tensor_bytes(graph_.tensors[i]),
                                    std::string(graph_.tensors[i].name)});
    }
  }

  const TfliteDocument& document_;
  const Plan& plan_;
  const SubgraphView& graph_;
  const OperatorView& op_;
  Diagnostics& findings_;
  VelaOperator out_;
};

bool is_ethos_u(const OperatorView& op) {
  return op.code != nullptr && op.code->is_custom("ethos-u");
}

}  // namespace

bool is_vela(const TfliteDocument& document) {
  for (const SubgraphView& graph : document.subgraphs())
    if (std::any_of(graph.operators.begin(), graph.operators.end(), is_ethos_u)) return true;
  return false;
}

Result<VelaModel> read_vela(const TfliteDocument& document, Diagnostics& findings) {
  VelaModel out;
  if (const auto version = document.metadata_bytes("vela_version")) out.version = text_of(*version);
  const Plan plan(document);
  for (std::size_t g = 0; g < document.subgraphs().size(); ++g) {
    const SubgraphView& graph = document.subgraphs()[g];
    for (std::size_t i = 0; i < graph.operators.size(); ++i) {
      if (!is_ethos_u(graph.operators[i])) {
        out.cpu_operators.push_back({g, i, operator_name(graph.operators[i])});
        continue;
      }
      NPUBIN_TRY(VelaOperator op, OperatorReader(document, plan, g, i, findings).read());
      out.operators.push_back(std::move(op));
    }
  }
  return out;
}

}  // namespace npubin::tflite
