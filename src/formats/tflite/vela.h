// Ethos-U jobs inside a Vela-compiled .tflite (ethos-u55 spec 1).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ethosu/cop1.h"
#include "ethosu/job.h"
#include "formats/tflite/document.h"
#include "npubin/diagnostics.h"
#include "npubin/result.h"

namespace npubin::tflite {

// One "ethos-u" operator.
struct VelaOperator {
  std::size_t subgraph = 0, index = 0;  // of the operator
  ethosu::Job job;  // inputs and outputs in the subgraph's order where they are its own, else the operator's
  // The tensors of job.inputs and job.outputs, in the same order: indices of the subgraph.
  std::vector<std::int32_t> input_tensors, output_tensors;
  std::optional<ethosu::OptimizerConfig> config;
  bool dedicated_fast_memory = false;  // scratch_fast is memory of its own (region 2)
};

struct CpuOperator {
  std::size_t subgraph = 0, index = 0;
  std::string name;
};

struct VelaModel {
  std::string version;                     // "3.10.0": metadata "vela_version"; may be empty
  std::vector<VelaOperator> operators;     // in order of execution
  std::vector<CpuOperator> cpu_operators;  // what the compiler left on the CPU
};

// Whether the model has an ethos-u operator.
bool is_vela(const TfliteDocument& document);

// Reads every ethos-u operator; what is wrong with payloads goes into `findings`. Error: Malformed where an
// operator's parts are missing; Refused for COP2 payloads.
Result<VelaModel> read_vela(const TfliteDocument& document, Diagnostics& findings);

// For check, inspect and disasm; nothing is added where the model has no ethos-u operator.
void validate_vela(const TfliteDocument& document, Diagnostics& out);
void describe_vela(const TfliteDocument& document, npubin::Node& root);

}  // namespace npubin::tflite
