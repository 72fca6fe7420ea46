// npubin convert: a file in another format, or in another age of its own.
#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "artifact/file_extension.h"
#include "cli/compare/verify.h"
#include "cli/verb.h"
#include "convert/conversions.h"
#include "npubin/graph.h"

namespace npubin::cli {
namespace {

struct ConvertArguments {
  FileOptions file;
  std::string target;
  std::string to;  // --to: the target's extension, where its name does not say
  convert::ConvertOptions convert;
  VerifyOptions verify;
  double tolerance = -1;
  bool no_verify = false;
};

// What became of the conversion; --json prints all of it.
struct Outcome {
  std::vector<std::string> approximations;
  std::optional<Verification> verification;  // empty: not asked for, or nothing that runs
  std::size_t bytes = 0;
};

// How far off an approximation is, over all outputs.
std::string measured(const Outcome& outcome) {
  if (!outcome.verification) return "not measured";
  if (!outcome.verification->skipped.empty())
    return fmt::format("not measured: {}", outcome.verification->skipped);
  double largest = 0, relative = 0;
  for (const exec::Difference& d : outcome.verification->outputs) {
    largest = std::max(largest, d.largest);
    relative = std::max(relative, d.relative());
  }
  return fmt::format("largest difference {:.6g} ({:.3g} of the range)", largest, relative);
}

void say(const ConvertArguments& options, const Outcome& outcome) {
  if (options.file.json) return;
  if (outcome.verification) std::fputs(to_text(*outcome.verification).c_str(), stderr);
  for (const std::string& sentence : outcome.approximations)
    std::fprintf(stderr, "warning: approximated: %s\n", sentence.c_str());
  if (!outcome.approximations.empty())
    std::fprintf(stderr, "warning: the result is an approximation: %s\n", measured(outcome).c_str());
}

// Nothing is written where the result does not answer as the source does.
Result<void> judge(const ConvertArguments& options, const Verification& verification) {
  // A float32 twin is made to see how much the codes cost.
  if (verification.passed || options.convert.approximate || options.convert.dequantize) return {};
  if (!verification.skipped.empty())
    return refused("the result would not run; nothing is written",
                   "--allow-difference writes it all the same");
  return refused(
      fmt::format("the result differs from the source by more than {:g} of the range; nothing is written",
                  verification.tolerance),
      "npubin compare shows where; --allow-difference writes it all the same");
}

Result<Outcome> convert_file(const ConvertArguments& options) {
  NPUBIN_TRY(const auto artifact, options.file.open());
  const std::string extension = options.to.empty() ? file_extension(options.target) : "." + options.to;
  NPUBIN_TRY(const convert::Conversion* conversion, convert::find_conversion(artifact->format(), extension));
  if (!options.convert.schema.empty() && extension != ".armnn")
    return usage_error("--schema belongs to .armnn files", "leave it out");
  if (options.convert.dequantize && dynamic_cast<const graph::GraphSource*>(artifact.get()) == nullptr)
    return usage_error(fmt::format("--dequantize belongs to networks, not to .{} files", artifact->format()),
                       "leave it out");
  NPUBIN_TRY(convert::Converted converted, conversion->convert(*artifact, options.convert));
  Outcome outcome{std::move(converted.approximations), std::nullopt, converted.bytes.size()};
  if (!options.no_verify && dynamic_cast<const graph::GraphSource*>(artifact.get()) != nullptr) {
    VerifyOptions verify = options.verify;
    if (options.tolerance >= 0) verify.tolerance = options.tolerance;
    NPUBIN_TRY(outcome.verification,
               verify_conversion(*artifact, converted.bytes, extension.substr(1), verify));
  }
  say(options, outcome);
  if (outcome.verification) NPUBIN_CHECK(judge(options, *outcome.verification));
  NPUBIN_CHECK(write_file(options.target, converted.bytes));
  return outcome;
}

std::string verdict(const Outcome& outcome) {
  if (!outcome.approximations.empty()) return "approximated";
  if (!outcome.verification || !outcome.verification->skipped.empty()) return "not verified";
  return outcome.verification->passed ? "verified" : "differs";
}

Node describe(const ConvertArguments& options, const Outcome& outcome) {
  Node node;
  node.field("file", options.file.file);
  node.field("target", options.target);
  node.field("target_bytes", outcome.bytes, "bytes");
  node.field("verdict", verdict(outcome));
  node.field("approximations", Datum::array_of(outcome.approximations));
  if (outcome.verification) node.children.push_back(describe(*outcome.verification));
  return node;
}

int run(const ConvertArguments& options) {
  auto done = convert_file(options);
  if (!done) return report(std::move(done).error().in_file(options.file.file));
  if (!options.file.json) return kFine;
  return print_report("npubin.convert/1", describe(options, *done), true, options.file.verbosity);
}

void define_convert(OptionSet& app, Action& action) {
  auto options = std::make_shared<ConvertArguments>();
  options->file.add_file(app);
  app.add_option("TARGET", options->target, "the file to write; its extension says the format")->required();
  app.add_option("--to", options->to,
                 "format of the target by extension without the dot: armnn, onnx, tflite");
  app.add_option("--schema", options->convert.schema,
                 ".armnn: schema to write: seed, 19.02, 19.05, ... 21.05 (default 20.08)");
  app.add_option("--header-version", options->convert.header_version,
                 ".hef: header version to write: 1, 2 or 3");
  app.add_flag(
      "--dequantize", options->convert.dequantize,
      "write the float32 twin: constants decoded, every quantised value a float; the verification says how "
      "much the codes cost");
  app.add_flag("--no-verify", options->no_verify, "do not run source and result against each other");
  app.add_option("--input", options->verify.inputs,
                 "[NAME=]FILE: verify with this input (default: seeded random numbers)")
      ->allow_extra_args(false);
  app.add_option("--image", options->verify.image, "verify with this picture");
  app.add_option(
         "--tolerance", options->tolerance,
         "largest difference, as a fraction of an output's range (default 1e-4; quantised: a mean of 0.05)")
      ->range(0, 1e30);
  app.add_flag("--allow-difference", options->convert.approximate,
               "write the result even where it differs by more, and what the target cannot express by what "
               "is near it");
  app.add_option("--threads", options->verify.threads, "threads to verify with")->range(1, 256);
  options->file.add_json(app);
  app.callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace

extern const Verb kConvert;
const Verb kConvert{"convert", "a file in another format, or in another age of its own",
                    "  npubin convert old.armnn new.armnn --schema 20.08\n"
                    "  npubin convert model.tflite model.armnn --image photo.png\n"
                    "  npubin convert model.tflite model.armnn --schema seed --allow-difference\n"
                    "  npubin convert graph.armnn graph.tflite --json\n"
                    "  npubin convert graph.armnn graph.onnx\n"
                    "  npubin convert model_int8.tflite model_f32.tflite --dequantize --image photo.png\n"
                    "  npubin convert new.hef old.hef --header-version 2",
                    define_convert};

}  // namespace npubin::cli
