// npubin convert: a file in another format, or in another age of its own.
#include <algorithm>
#include <cstdio>
#include <filesystem>
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
  std::vector<std::string> limits;  // why the release that the schema is named after does not load the file
  std::optional<Error> refusal;     // why nothing was written; empty: it was
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
  for (const std::string& sentence : outcome.limits) std::fprintf(stderr, "note: %s\n", sentence.c_str());
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
      "--allow-difference writes it all the same; npubin compare --exec reference then shows the layers");
}

bool is_given(const std::vector<std::string>& given, std::string_view option) {
  return std::find(given.begin(), given.end(), option) != given.end();
}

// Options that would act on nothing: those of the verification where there is none, of one format's files
// with another.
Result<void> refuse_idle_options(const ConvertArguments& options, const Artifact& artifact,
                                 const std::string& extension, const std::vector<std::string>& given) {
  const bool network = dynamic_cast<const graph::GraphSource*>(&artifact) != nullptr;
  if (!options.convert.schema.empty() && extension != ".armnn")
    return usage_error("--schema belongs to .armnn files", "leave it out");
  if (is_given(given, "--header-version") && artifact.format() != "hef")
    return usage_error("--header-version belongs to .hef files", "leave it out");
  for (const char* option : {"--dequantize", "--allow-difference"})
    if (is_given(given, option) && !network)
      return usage_error(fmt::format("{} belongs to networks, not to .{} files", option, artifact.format()),
                         "leave it out");
  for (const char* option :
       {"--input", "--image", "--float", "--mean", "--scale", "--channel-order", "--tolerance", "--threads"})
    if (is_given(given, option) && (options.no_verify || !network))
      return usage_error(
          fmt::format("{} is about the verification, and there is none", option),
          options.no_verify ? "leave it out, or --no-verify" : "only networks are run to verify");
  return refuse_idle_input_options(options.verify.inputs, options.verify.image, options.verify.input);
}

// Found before anything is computed: a target that cannot be written.
Result<void> check_target(const std::string& target) {
  std::error_code ignored;
  const std::filesystem::path path(target);
  if (std::filesystem::is_directory(path, ignored))
    return io_error(target, "is a folder, not a file", "name the file to write in it, as in model.armnn");
  if (path.has_parent_path() && !std::filesystem::is_directory(path.parent_path(), ignored))
    return io_error(target, fmt::format("there is no folder {}", path.parent_path().string()),
                    "make the folder first, or name another");
  return {};
}

// The format can say what a release's reader cannot load: newer ones load the file.
std::vector<std::string> limits_of(const std::string& extension, const std::string& schema,
                                   const std::vector<std::byte>& bytes) {
  const Format* reader = extension == ".armnn" ? find_format("armnn") : nullptr;
  if (reader == nullptr) return {};
  const auto document = reader->read(npubin::Bytes::borrow(bytes), {});
  if (!document) return {};
  CheckOptions check;
  check.target = "armnn-" + (schema.empty() ? std::string("20.08") : schema);
  Diagnostics findings;
  (*document)->validate(check, findings);
  std::vector<std::string> out;
  for (const Diagnostic& finding : findings.findings())
    if (finding.severity == Severity::Error)
      out.push_back(fmt::format("{} ({})", finding.message, finding.code));
  return out;
}

Result<Outcome> convert_file(const ConvertArguments& options, const OptionSet& given) {
  NPUBIN_CHECK(check_target(options.target));
  NPUBIN_TRY(const auto artifact, options.file.open());
  const std::string extension = options.to.empty() ? file_extension(options.target) : "." + options.to;
  NPUBIN_TRY(const convert::Conversion* conversion, convert::find_conversion(artifact->format(), extension));
  NPUBIN_CHECK(refuse_idle_options(options, *artifact, extension, given.given()));
  NPUBIN_TRY(convert::Converted converted, conversion->convert(*artifact, options.convert));
  Outcome outcome;
  outcome.limits = limits_of(extension, options.convert.schema, converted.bytes);
  outcome.approximations = std::move(converted.approximations);
  outcome.bytes = converted.bytes.size();
  if (!options.no_verify && dynamic_cast<const graph::GraphSource*>(artifact.get()) != nullptr) {
    VerifyOptions verify = options.verify;
    if (options.tolerance >= 0) verify.tolerance = options.tolerance;
    verify.informs = options.convert.dequantize;
    NPUBIN_TRY(outcome.verification,
               verify_conversion(*artifact, converted.bytes, extension.substr(1), verify));
  }
  say(options, outcome);
  if (outcome.verification)
    if (auto judged = judge(options, *outcome.verification); !judged) {
      outcome.refusal = std::move(judged).error();
      return outcome;
    }
  NPUBIN_CHECK(write_file(options.target, converted.bytes));
  return outcome;
}

std::string verdict(const Outcome& outcome) {
  if (!outcome.approximations.empty()) return "approximated";
  if (!outcome.verification || !outcome.verification->skipped.empty()) return "not verified";
  if (outcome.verification->informs) return "not judged";
  return outcome.verification->passed ? "verified" : "differs";
}

Node describe(const ConvertArguments& options, const Outcome& outcome) {
  Node node;
  node.field("file", options.file.file);
  node.field("target", options.target);
  node.field("target_bytes", outcome.bytes, "bytes");
  node.field("verdict", verdict(outcome));
  node.field("written", !outcome.refusal.has_value());
  node.field("approximations", Datum::array_of(outcome.approximations));
  node.field("limits", Datum::array_of(outcome.limits));
  if (outcome.verification) node.children.push_back(describe(*outcome.verification));
  return node;
}

int run(const ConvertArguments& options, const OptionSet& given) {
  auto done = convert_file(options, given);
  if (!done) return report(std::move(done).error().in_file(options.file.file));
  const Error* refusal = done->refusal ? &*done->refusal : nullptr;
  if (options.file.json) {
    const int printed =
        print_report("npubin.convert/1", describe(options, *done), true, options.file.verbosity, refusal);
    if (printed != kFine) return printed;
  }
  return refusal == nullptr ? kFine : tell(std::move(*done->refusal).in_file(options.file.file));
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
  app.add_flag("--float", options->verify.input.real, "input files hold real numbers for quantised inputs");
  add_picture_options(app, options->verify.input);
  app.add_option(
         "--tolerance", options->tolerance,
         "largest difference, as a fraction of an output's range (default 1e-4; quantised: a mean of 0.05)")
      ->range(0, 1e30);
  app.add_flag("--allow-difference", options->convert.approximate,
               "write the result even where it differs by more, and what the target cannot express by what "
               "is near it");
  app.add_option("--threads", options->verify.threads, "threads to verify with")->range(1, 256);
  options->file.add_json(app);
  app.callback([options, &app, &action] { action = [options, &app] { return run(*options, app); }; });
}

}  // namespace

extern const Verb kConvert;
const Verb kConvert{
    "convert", "a file in another format, or in another age of its own",
    "  npubin convert old.armnn new.armnn --schema 20.08\n"
    "  npubin convert model.tflite model.armnn --image photo.png --mean 127.5 --scale 0.00784314\n"
    "  npubin convert model.tflite model.armnn --schema seed --allow-difference\n"
    "  npubin convert graph.armnn graph.tflite --json\n"
    "  npubin convert graph.armnn graph.onnx\n"
    "  npubin convert model_int8.tflite model_f32.tflite --dequantize --image photo.png\n"
    "  npubin convert new.hef old.hef --header-version 2",
    define_convert};

}  // namespace npubin::cli
