// Conversions as the tests see them: a file becomes another, and both run.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "convert/conversions.h"
#include "npubin/artifact.h"
#include "npubin/graph.h"
#include "npubin/result.h"
#include "npubin/tensor.h"
#include "support/data.h"

namespace npubin::test {

Result<graph::Graph> graph_of(const Artifact& artifact);
// The row of the table for (format of the artifact, extension), applied.
Result<convert::Converted> converted(const Artifact& source, std::string_view extension,
                                     const convert::ConvertOptions& options = {});
// The converted bytes as a document of their own.
Result<std::unique_ptr<Artifact>> reread(const convert::Converted& converted, std::string_view extension);

// By the reference kernels. Inputs of other types or shapes are translated: the same real numbers.
Result<std::vector<Tensor>> run(const graph::Graph& graph, const std::vector<Tensor>& inputs);
Result<std::vector<Tensor>> run(const Artifact& artifact, const std::vector<Tensor>& inputs);

// in0.npy ... or out0.npy ... of a case's folder, as many as its case.json lists, with the quantisation given
// there.
std::vector<Tensor> case_tensors(const fs::path& folder, const nlohmann::json& entries,
                                 const std::string& stem);

// The largest absolute difference of real values, and how much there is on the left.
struct Apart {
  double largest = 0;
  double range = 0;  // largest magnitude of the left side
  double step = 0;   // the larger of the two scales; 0 for float
};
Apart apart(const Tensor& left, const Tensor& right);

}  // namespace npubin::test
