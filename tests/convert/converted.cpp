#include "convert/converted.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "exec/real_values.h"
#include "npubin/session.h"

namespace npubin::test {

Result<graph::Graph> graph_of(const Artifact& artifact) {
  const auto* source = dynamic_cast<const graph::GraphSource*>(&artifact);
  if (source == nullptr) return refused("the file holds no graph");
  Diagnostics findings;
  return source->graph(findings);
}

Result<convert::Converted> converted(const Artifact& source, std::string_view extension,
                                     const convert::ConvertOptions& options) {
  NPUBIN_TRY(const convert::Conversion* row, convert::find_conversion(source.format(), extension));
  return row->convert(source, options);
}

Result<std::unique_ptr<Artifact>> reread(const convert::Converted& converted, std::string_view extension) {
  return find_format(extension.substr(1))->read(Bytes::own(std::vector<std::byte>(converted.bytes)), {});
}

Result<std::vector<Tensor>> run(const graph::Graph& graph, const std::vector<Tensor>& inputs) {
  SessionOptions options;
  options.mode = ExecMode::Reference;
  NPUBIN_TRY(auto session, Session::compile(graph, options));
  std::vector<Tensor> fitting;
  for (std::size_t i = 0; i < inputs.size() && i < graph.inputs.size(); ++i) {
    const graph::Value& want = graph.value(graph.inputs[i].value);
    if (want.type == inputs[i].type() || (want.type == DType::Bool && inputs[i].type() == DType::U8)) {
      fitting.push_back(inputs[i].reshaped(want.shape));
      if (want.type == DType::Bool) {
        Tensor flags(DType::Bool, want.shape);
        std::copy_n(inputs[i].data(), inputs[i].byte_size(), flags.mutable_data());
        fitting.back() = std::move(flags);
      }
      continue;
    }
    NPUBIN_TRY(Tensor other, exec::from_real(exec::to_real(inputs[i]), want.type, want.quantization));
    fitting.push_back(other.reshaped(want.shape));
  }
  auto context = session->new_context();
  return session->run(*context, fitting);
}

Result<std::vector<Tensor>> run(const Artifact& artifact, const std::vector<Tensor>& inputs) {
  NPUBIN_TRY(const graph::Graph graph, graph_of(artifact));
  return run(graph, inputs);
}

std::vector<Tensor> case_tensors(const fs::path& folder, const nlohmann::json& entries,
                                 const std::string& stem) {
  std::vector<Tensor> out;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    Tensor tensor = read_tensor(folder / fmt::format("{}{}.npy", stem, i));
    const std::string zero = entries[i].contains("zero_point") ? "zero_point" : "zp";
    const double scale = entries[i].contains("scale") && entries[i]["scale"].is_number()
                             ? entries[i]["scale"].get<double>()
                             : 0.0;
    if (scale != 0 && !is_float(tensor.type()))
      tensor.set_quantization(Quantization::per_tensor(static_cast<float>(scale), entries[i].value(zero, 0)));
    out.push_back(std::move(tensor));
  }
  return out;
}

Apart apart(const Tensor& left, const Tensor& right) {
  Apart out;
  for (const Tensor* t : {&left, &right})
    if (!is_float(t->type()) && t->quantization().present())
      out.step = std::max(out.step, static_cast<double>(t->quantization().scale()));
  if (left.count() != right.count()) {
    out.largest = HUGE_VAL;
    return out;
  }
  for (std::int64_t i = 0; i < left.count(); ++i) {
    const double a = left.real(i), b = right.real(i);
    if (std::isfinite(a)) out.range = std::max(out.range, std::fabs(a));
    if (a == b || (std::isnan(a) && std::isnan(b))) continue;
    out.largest = std::max(out.largest, std::isfinite(a - b) ? std::fabs(a - b) : HUGE_VAL);
  }
  return out;
}

}  // namespace npubin::test
