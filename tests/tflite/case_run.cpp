#include "tflite/case_run.h"

#include <cmath>

#include <fmt/format.h>

#include "support/graphs.h"

namespace npubin::test {

Result<std::unique_ptr<Session>> compile_tflite(const fs::path& file, ExecMode mode) {
  NPUBIN_TRY(graph::Graph graph, read_graph(file));
  SessionOptions options;
  options.mode = mode;
  return Session::compile(std::move(graph), options);
}

Result<std::vector<Tensor>> run_tflite(const fs::path& file, const std::vector<Tensor>& inputs,
                                       ExecMode mode) {
  NPUBIN_TRY(auto session, compile_tflite(file, mode));
  auto context = session->new_context();
  return session->run(*context, inputs);
}

std::vector<Tensor> numbered(const fs::path& folder, const std::string& stem, std::size_t count) {
  std::vector<Tensor> out;
  for (std::size_t i = 0; i < count; ++i)
    out.push_back(read_tensor(folder / fmt::format("{}{}.npy", stem, i)));
  return out;
}

Difference difference(const Tensor& found, const Tensor& expected) {
  Difference out;
  const bool bools =
      size_of(found.type()) == 1 && found.type() == DType::Bool && expected.type() == DType::U8;
  if ((found.type() != expected.type() && !bools) || found.count() != expected.count()) {
    out.what = fmt::format("{} {} instead of {} {}", to_string(found.type()), to_string(found.shape()),
                           to_string(expected.type()), to_string(expected.shape()));
    out.count = 1;
    return out;
  }
  Tensor a = found, b = expected;
  a.set_quantization({});
  b.set_quantization({});
  for (std::int64_t i = 0; i < a.count(); ++i) {
    const double x = a.real(i), y = b.real(i);
    if (x == y || (std::isnan(x) && std::isnan(y))) continue;
    ++out.count;
    out.largest = std::max(out.largest, std::isfinite(x - y) ? std::fabs(x - y) : HUGE_VAL);
  }
  return out;
}

}  // namespace npubin::test
