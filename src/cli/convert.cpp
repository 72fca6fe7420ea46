// npubin convert: a file in another format, or in another age of its own.
#include <algorithm>
#include <cctype>
#include <memory>

#include <fmt/format.h>

#include "cli/verb.h"
#include "convert/conversions.h"

namespace npubin::cli {
namespace {

struct Options {
  FileOptions file;
  std::string target;
  std::string to;  // --to: the target's extension, where its name does not say
  convert::ConvertOptions convert;
};

std::string extension_of(const std::string& file_name) {
  const std::size_t slash = file_name.find_last_of('/');
  const std::size_t dot = file_name.find_last_of('.');
  if (dot == std::string::npos || (slash != std::string::npos && dot < slash)) return {};
  std::string out = file_name.substr(dot);
  std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return std::tolower(c); });
  return out;
}

Result<void> convert_file(const Options& options) {
  NPUBIN_TRY(const auto artifact, options.file.open());
  const std::string extension = options.to.empty() ? extension_of(options.target) : "." + options.to;
  NPUBIN_TRY(const convert::Conversion* conversion, convert::find_conversion(artifact->format(), extension));
  if (!options.convert.schema.empty() && extension != ".armnn")
    return usage_error("--schema belongs to .armnn files", "leave it out");
  NPUBIN_TRY(const std::vector<std::byte> bytes, conversion->convert(*artifact, options.convert));
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
  app.add_option("--header-version", options->convert.header_version, ".hef: header version to write: 1, 2 or 3");
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
