// npubin run: execute a file on this CPU.
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "cli/run/backend.h"

namespace npubin::cli {
namespace {

struct RunArguments {
  RunOptions run;
  std::vector<std::unique_ptr<RunBackend>> backends = run_backends();
  std::vector<OptionSet*> groups;  // as many as backends
};

// An option of another backend is a mistake worth saying, not something to ignore.
std::optional<Error> foreign_option(const RunArguments& options, const RunBackend& chosen,
                                    const Artifact& artifact) {
  for (std::size_t i = 0; i < options.backends.size(); ++i) {
    if (options.backends[i].get() == &chosen || options.backends[i]->name() == chosen.borrows()) continue;
    for (const std::string& name : options.groups[i]->given())
      return Error{ErrorKind::Usage,
                   {},
                   artifact.file_name(),
                   {},
                   fmt::format("{} belongs to {}; this file is {}", name, options.backends[i]->name(),
                               artifact.format()),
                   "npubin run --help groups the options by what they apply to"};
  }
  return std::nullopt;
}

int run(RunArguments& options, const OptionSet& given) {
  auto artifact = options.run.file.open_for("run", given);
  if (!artifact) return report(artifact.error());
  for (const auto& backend : options.backends) {
    if (!backend->accepts(**artifact)) continue;
    if (auto error = foreign_option(options, *backend, **artifact)) return report(*error);
    return backend->run(**artifact, options.run);
  }
  return report(Error{ErrorKind::Refused,
                      {},
                      options.run.file.file,
                      {},
                      fmt::format("files of format {} are not executed", (*artifact)->format()),
                      {}});
}

void define_run(OptionSet& app, Action& action) {
  auto options = std::make_shared<RunArguments>();
  RunOptions& run_options = options->run;
  run_options.file.add_file(app);
  run_options.file.add_layout(
      app,
      "HEF: which partial layout; AIPP: of the network's input: nchw (default), nhwc, nc1hwc0, "
      "nc1hwc0_c04");
  run_options.file.add_json(app);
  app.add_option("--input", run_options.inputs,
                 "[NAME=]FILE: an input as .npy or raw bytes, - is standard input; repeatable (AIPP: K=FILE "
                 "for block K)")
      ->allow_extra_args(false);
  app.add_option("--image", run_options.image,
                 "a PNG, JPEG or BMP picture as input; with --draw the one to draw over");
  app.add_option("--labels", run_options.labels,
                 "file with one class name a line, the first of class 0: for --top, --draw and detections");
  app.add_option("-o,--output", run_options.out_dir, "folder for out0.npy, out1.npy, ... and outputs.json");
  app.add_option("--threads", run_options.threads, "threads to use")->range(1, 256);
  for (const auto& backend : options->backends) {
    OptionSet& group = app.add_group(std::string(backend->name()));
    backend->add_options(group);
    options->groups.push_back(&group);
  }
  app.callback([options, &app, &action] { action = [options, &app] { return run(*options, app); }; });
}

}  // namespace

extern const Verb kRun;
const Verb kRun{"run", "execute a file on this CPU",
                "  npubin run graph.armnn --image photo.png --top 5 --labels labels.txt\n"
                "  npubin run model.npub --input x.npy -o results\n"
                "  npubin run aipp.cfg --image photo.jpg --network-shape 1,3,224,224 --preview seen.png\n"
                "  npubin run model.hef --stream conv1=raw.bin -o results",
                define_run};

}  // namespace npubin::cli
