// npubin inspect: what a file is and what is in it.
#include <memory>

#include "cli/plan_view.h"
#include "cli/verb.h"

namespace npubin::cli {
namespace {

struct InspectOptions {
  FileOptions file;
  ContextOptions context;
  DescribeOptions describe;
  std::string target, runtime;  // HEF: questions answered on top of the report
};

int inspect(InspectOptions& options, const OptionSet& given) {
  auto artifact = options.file.open_for("inspect", given);
  if (!artifact) return report(artifact.error());
  options.describe.json = options.file.json;
  options.describe.verbosity = options.file.verbosity;
  options.describe.context = options.context.values;
  if (!options.target.empty()) options.describe.context.emplace("target", options.target);
  if (!options.runtime.empty()) options.describe.context.emplace("runtime", options.runtime);
  auto node = (*artifact)->describe(options.describe);
  if (!node) return report(std::move(node).error().in_file(options.file.file));
  if (options.describe.plan) {
    if (auto added = add_plan(**artifact, *node); !added)
      return report(std::move(added).error().in_file(options.file.file));
  }
  if (Datum cut = truncation_datum(**artifact); !cut.is_null())
    node->field("truncated", std::move(cut), {}, Detail::JsonOnly);
  const int cut = report_truncation(**artifact);
  const int printed = print_report("npubin.inspect/1", *node, options.file.json, options.file.verbosity);
  return printed != kFine ? printed : cut;
}

void define_inspect(OptionSet& app, Action& action) {
  auto options = std::make_shared<InspectOptions>();
  options->file.add_file(app);
  options->file.add_layout(app);
  options->file.add_json(app);
  options->file.add_verbosity(app);
  options->context.add(app);
  app.add_flag("--verify", options->describe.verify, "verify checksums, however large the file");
  app.add_flag("--plan", options->describe.plan, "networks: how the executor would run it, and its memory");
  app.add_option("--style", options->describe.style, "HEF: parse-hef prints what HailoRT 5.2 prints");
  app.add_option("--target", options->target, "HEF: does it run on this chip: hailo8l, hailo10h, ...");
  app.add_option("--runtime", options->runtime, "HEF: does this HailoRT open it: 4.17 ... 4.23, 5.0 ... 5.2");
  app.add_option("--as", options->describe.style,
                 "AIPP: the pre-processing as code: torchvision, opencv or numpy");
  app.callback([options, &app, &action] { action = [options, &app] { return inspect(*options, app); }; });
}

}  // namespace

extern const Verb kInspect;
const Verb kInspect{"inspect", "what a file is, for which chip, and what is in it",
                    "  npubin inspect model.hef\n"
                    "  npubin inspect -v graph.armnn\n"
                    "  npubin inspect --json model_vela.tflite",
                    define_inspect};

}  // namespace npubin::cli
