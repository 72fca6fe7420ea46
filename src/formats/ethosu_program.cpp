#include "formats/ethosu_program.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

namespace npubin::programs {

EthosUProgram::EthosUProgram(ethosu::Job job, std::vector<std::size_t> input_operands,
                             std::vector<std::size_t> output_operands, std::shared_ptr<EthosURegions> regions)
    : job_(std::move(job)),
      input_operands_(std::move(input_operands)),
      output_operands_(std::move(output_operands)),
      regions_(std::move(regions)) {}

Result<ethosu::MachineRun> EthosUProgram::run_body() const {
  if (before_) NPUBIN_CHECK(before_(job_, regions_->memory));
  Result<ethosu::MachineRun> run =
      body_ ? body_(regions_->memory, options_)
            : ethosu::execute(job_.words, job_.stream_offset, ethosu::job_accelerator(job_), regions_->memory,
                              options_);
  if (!run) return run;
  regions_->stopped = regions_->stopped || run->stopped;
  if (after_) NPUBIN_CHECK(after_(job_, regions_->memory));
  return run;
}

Result<ethosu::MachineRun> EthosUProgram::run_bare() const {
  const std::lock_guard lock(regions_->mutex);
  return run_body();
}

Result<void> EthosUProgram::run(std::span<const Tensor* const> inputs,
                                std::span<Tensor* const> outputs) const {
  const std::lock_guard lock(regions_->mutex);
  if (regions_->stopped) return {};
  for (std::size_t k = 0; k < job_.inputs.size() && k < input_operands_.size(); ++k) {
    const ethosu::Binding& binding = job_.inputs[k];
    const std::size_t operand = input_operands_[k];
    if (operand >= inputs.size() || inputs[operand] == nullptr)
      return malformed({},
                       fmt::format("the ethos-u operator has no operand for its input '{}'", binding.name));
    const Tensor& tensor = *inputs[operand];
    NPUBIN_TRY(const auto to, regions_->memory.write(binding.region, binding.offset, tensor.byte_size(),
                                                     fmt::format("input '{}'", binding.name)));
    if (tensor.byte_size() > 0) std::memcpy(to.data(), tensor.data(), tensor.byte_size());
  }
  NPUBIN_CHECK(run_body());
  for (std::size_t k = 0; k < job_.outputs.size() && k < output_operands_.size(); ++k) {
    const ethosu::Binding& binding = job_.outputs[k];
    const std::size_t operand = output_operands_[k];
    if (operand >= outputs.size() || outputs[operand] == nullptr) continue;
    Tensor& tensor = *outputs[operand];
    NPUBIN_TRY(const ByteSpan from, regions_->memory.read(binding.region, binding.offset, tensor.byte_size(),
                                                          fmt::format("output '{}'", binding.name)));
    if (tensor.byte_size() > 0) std::memcpy(tensor.mutable_data(), from.data(), from.size());
  }
  return {};
}

graph::Graph graph_of_program(const std::shared_ptr<EthosUProgram>& program) {
  graph::Graph out;
  const ethosu::Job& job = program->job();
  out.name = job.name;
  graph::Node node;
  node.op = graph::Op::EthosU;
  node.rules = graph::Rules::Tflite;
  node.name = job.name;
  node.source_type = "ethos-u";
  node.source_index = 0;
  const auto add = [&out](const ethosu::Binding& binding) {
    graph::Value value;
    value.name = binding.name;
    value.type = binding.type;
    value.shape = binding.shape;
    value.quantization = binding.quantization;
    return out.add_value(std::move(value));
  };
  for (const ethosu::Binding& binding : job.inputs) {
    node.inputs.push_back(add(binding));
    out.inputs.push_back({binding.name, node.inputs.back(), 0});
  }
  for (const ethosu::Binding& binding : job.outputs) {
    node.outputs.push_back(add(binding));
    out.outputs.push_back({binding.name, node.outputs.back(), 0});
  }
  node.payload = std::shared_ptr<const graph::EmbeddedProgram>(program);
  out.nodes.push_back(std::move(node));
  return out;
}

}  // namespace npubin::programs
