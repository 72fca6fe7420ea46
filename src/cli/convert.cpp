// npubin convert: a file in another format, or in another age of its own.
#include <cstdio>
#include <memory>

#include <fmt/format.h>

#include "artifact/file_extension.h"
#include "cli/compare/verify.h"
#include "cli/verb.h"
#include "convert/conversions.h"
#include "npubin/graph.h"

namespace npubin::cli {
namespace {

struct Options {
  FileOptions file;
  std::string target;
  std::string to;  // --to: the target's extension, where its name does not say
  convert::ConvertOptions convert;
  VerifyOptions verify;
  double tolerance = -1;
  bool no_verify = false;
  bool allow_difference = false;
};

// Nothing is written where the result does not answer as the source does.
Result<void> prove(const Options& options, const Artifact& source, const std::vector<std::byte>& bytes,
                   const std::string& format) {
  VerifyOptions verify = options.verify;
  if (options.tolerance >= 0) verify.tolerance = options.tolerance;
  NPUBIN_TRY(const Verification verification, verify_conversion(source, bytes, format, verify));
  std::fputs(to_text(verification).c_str(), stderr);
  if (verification.passed || options.allow_difference) return {};
  if (!verification.skipped.empty())
    return refused("the result would not run; nothing is written",
                   "--allow-difference writes it all the same");
  return refused(
      fmt::format("the result differs from the source by more than {:g} of the range; nothing is written",
                  verification.tolerance),
      "npubin compare shows where; --allow-difference writes it all the same");
}

Result<void> convert_file(const Options& options) {
  NPUBIN_TRY(const auto artifact, options.file.open());
  const std::string extension = options.to.empty() ? file_extension(options.target) : "." + options.to;
  NPUBIN_TRY(const convert::Conversion* conversion, convert::find_conversion(artifact->format(), extension));
  if (!options.convert.schema.empty() && extension != ".armnn")
    return usage_error("--schema belongs to .armnn files", "leave it out");
  NPUBIN_TRY(const std::vector<std::byte> bytes, conversion->convert(*artifact, options.convert));
  if (!options.no_verify && dynamic_cast<const graph::GraphSource*>(artifact.get()) != nullptr)
    NPUBIN_CHECK(prove(options, *artifact, bytes, extension.substr(1)));
  return write_file(options.target, bytes);
}

int run(const Options& options) {
  auto done = convert_file(options);
  if (!done) return report(std::move(done).error().in_file(options.file.file));
  return kFine;
}

void define(OptionSet& app, Action& action) {
  auto options = std::make_shared<Options>();
  options->file.add_file(app);
  app.add_option("TARGET", options->target, "the file to write; its extension says the format")->required();
  app.add_option("--to", options->to,
                 "format of the target by extension without the dot: armnn, onnx, tflite");
  app.add_option("--schema", options->convert.schema,
                 ".armnn: schema to write: seed, 19.02, 19.05, ... 21.05 (default 20.08)");
  app.add_option("--header-version", options->convert.header_version,
                 ".hef: header version to write: 1, 2 or 3");
  app.add_flag("--no-verify", options->no_verify, "do not run source and result against each other");
  app.add_option("--input", options->verify.inputs,
                 "[NAME=]FILE: verify with this input (default: seeded random numbers)")
      ->allow_extra_args(false);
  app.add_option("--image", options->verify.image, "verify with this picture");
  app.add_option(
         "--tolerance", options->tolerance,
         "largest difference, as a fraction of an output's range (default 1e-4; quantised: a mean of 0.05)")
      ->range(0, 1e30);
  app.add_flag("--allow-difference", options->allow_difference,
               "write the result even where it differs by more");
  app.add_option("--threads", options->verify.threads, "threads to verify with")->range(1, 256);
  app.callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace

extern const Verb kConvert;
const Verb kConvert{"convert", "a file in another format, or in another age of its own",
                    "  npubin convert old.armnn new.armnn --schema 20.08\n"
                    "  npubin convert graph.armnn graph.onnx\n"
                    "  npubin convert graph.armnn graph.tflite\n"
                    "  npubin convert new.hef old.hef --header-version 2",
                    define};

}  // namespace npubin::cli
