// npubin inspect: what a file is and what is in it.
#include <memory>

#include "cli/verb.h"

namespace npubin::cli {
namespace {

struct InspectOptions {
  FileOptions file;
  ContextOptions context;
  DescribeOptions describe;
};

int inspect(InspectOptions& options) {
  auto artifact = options.file.open();
  if (!artifact) return report(artifact.error());
  options.describe.json = options.file.json;
  options.describe.verbosity = options.file.verbosity;
  options.describe.context = options.context.values;
  auto node = (*artifact)->describe(options.describe);
  if (!node) return report(std::move(node).error().in_file(options.file.file));
  return print_report("npubin.inspect/1", *node, options.file.json, options.file.verbosity);
}

void define(OptionSet& app, Action& action) {
  auto options = std::make_shared<InspectOptions>();
  options->file.add_file(app);
  options->file.add_json(app);
  options->file.add_verbosity(app);
  options->context.add(app);
  app.add_flag("--verify", options->describe.verify, "verify checksums, however large the file");
  app.add_flag("--plan", options->describe.plan, "networks: how the executor would run it, and its memory");
  app.add_option("--style", options->describe.style, "HEF: parse-hef prints what HailoRT 5.2 prints");
  app.add_option("--as", options->describe.style,
                 "AIPP: the pre-processing as code: torchvision, opencv or numpy");
  app.callback([options, &action] { action = [options] { return inspect(*options); }; });
}

}  // namespace

extern const Verb kInspect;
const Verb kInspect{"inspect", "what a file is, for which chip, and what is in it",
                    "  npubin inspect model.hef\n"
                    "  npubin inspect -v graph.armnn\n"
                    "  npubin inspect --json model_vela.tflite",
                    define};

}  // namespace npubin::cli
