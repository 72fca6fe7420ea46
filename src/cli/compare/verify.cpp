#include "cli/compare/verify.h"

#include <fmt/format.h>

#include "cli/compare/difference_table.h"
#include "cli/compare/model_run.h"
#include "exec/random_inputs.h"
#include "exec/real_values.h"

namespace npubin::cli {
namespace {

// Float conversions only reorder sums: the largest difference counts. Quantised networks change from integer
// to float arithmetic or back, every layer may differ by a step, and in deep networks steps add up on single
// elements: there the mean difference counts.
// Half floats, which the result may keep as float32, are rounded to 2^-11 after every layer.
constexpr double kFloatTolerance = 1e-4, kHalfTolerance = 5e-3, kQuantizedTolerance = 0.05;

bool quantized(const std::vector<NamedTensor>& outputs) {
  for (const NamedTensor& output : outputs)
    if (!is_float(output.tensor.type())) return true;
  return false;
}

double usual_tolerance(const std::vector<NamedTensor>& outputs) {
  if (quantized(outputs)) return kQuantizedTolerance;
  for (const NamedTensor& output : outputs)
    if (output.tensor.type() == DType::F16) return kHalfTolerance;
  return kFloatTolerance;
}

}  // namespace

Result<Verification> verify_conversion(const Artifact& source, std::vector<std::byte> converted,
                                       const std::string& format, const VerifyOptions& options) {
  Verification out;
  const Format* reader = find_format(format);
  if (reader == nullptr) {
    out.skipped = fmt::format("npubin does not run .{} files itself", format);
    return out;
  }
  ReadOptions read;
  read.file_name = "the converted file";
  NPUBIN_TRY(auto result, reader->read(npubin::Bytes::own(std::move(converted)), read));
  out.informs = options.informs;
  const SessionOptions session{ExecMode::Reference, options.threads, {}};
  auto first = model_run(source, session), second = model_run(*result, session);
  if (!first) {
    out.skipped = fmt::format("the source is not run: {}", first.error().message);
    return out;
  }
  // A result that does not run where its source does is no conversion.
  if (!second) {
    out.skipped = fmt::format("the result does not run: {}", second.error().message);
    out.passed = false;
    return out;
  }
  const bool random = options.inputs.empty() && options.image.empty();
  auto inputs = random
                    ? exec::random_inputs((*first)->interface(), 1)
                    : load_graph_inputs((*first)->interface(), options.inputs, options.image, options.input);
  if (!inputs) return Unexpected(std::move(inputs).error());
  auto ran = (*first)->run(*inputs, {});
  if (!ran && random) {
    // Indices and shapes that are fed as data have ranges that random numbers do not know.
    out.skipped =
        fmt::format("the source does not run on random numbers ({}); give --input", ran.error().message);
    return out;
  }
  if (!ran) return Unexpected(std::move(ran).error());
  std::vector<NamedTensor> left = std::move(*ran);
  for (NamedTensor& output : left) output.tensor = output.tensor.clone();
  NPUBIN_TRY(auto translated, translate_inputs(*inputs, (*second)->interface()));
  NPUBIN_TRY(auto right, (*second)->run(translated, {}));
  NPUBIN_TRY(out.outputs, compare_outputs(left, right));
  out.tolerance = options.tolerance.value_or(usual_tolerance(left));
  const bool by_mean = out.by_mean = !options.tolerance && quantized(left);
  for (const exec::Difference& d : out.outputs)
    out.passed = out.passed && (by_mean && d.range > 0 ? d.relative_mean() : d.relative()) <= out.tolerance;
  return out;
}

std::string to_text(const Verification& verification) {
  if (!verification.skipped.empty())
    return fmt::format("not verified by running: {}\n", verification.skipped);
  std::string out;
  for (const exec::Difference& d : verification.outputs)
    out += fmt::format(
        "ran both: output '{}' {}: {} of {} elements differ, largest {:.6g} ({:.3g} of the range), mean "
        "{:.3g} ({:.3g} of the range)\n",
        d.name, to_string(d.shape), d.differing, d.count, d.largest, d.relative(), d.mean, d.relative_mean());
  if (verification.informs) return out + "not judged: this is how much the codes cost\n";
  out += fmt::format("{}: {} difference of every output against {:g} of its range\n",
                     verification.passed ? "verified" : "differs",
                     verification.by_mean ? "the mean" : "the largest", verification.tolerance);
  return out;
}

npubin::Node describe(const Verification& verification) {
  npubin::Node node("verification");
  if (!verification.skipped.empty()) {
    node.field("skipped", verification.skipped);
    return node;
  }
  if (verification.informs) {
    node.field("judged", "nothing: this is how much the codes cost");
  } else {
    node.field("passed", verification.passed);
    node.field("tolerance", verification.tolerance, "of the range");
    node.field("judged", verification.by_mean ? "mean" : "largest");
  }
  add_difference_table(node, "outputs", verification.outputs, Detail::Normal);
  return node;
}

}  // namespace npubin::cli
