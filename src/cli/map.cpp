// npubin map: a name for every byte.
#include <memory>

#include "cli/verb.h"
#include "render/json.h"

namespace npubin::cli {
namespace {

int map(const FileOptions& options) {
  auto artifact = options.open();
  if (!artifact) return report(artifact.error());
  auto bytes = (*artifact)->map();
  if (!bytes) return report(std::move(bytes).error().in_file(options.file));
  std::string text = render::to_text(*bytes, text_options());
  if (options.json)
    text = render::dump({{"schema", "npubin.map/1"},
                         {"file", options.file},
                         {"size", (*artifact)->bytes().size()},
                         {"unexplained_bytes", bytes->unexplained_bytes()},
                         {"spans", render::to_json(*bytes)}});
  if (auto done = print(text); !done) return report(done.error());
  return kFine;
}

void define(OptionSet& app, Action& action) {
  auto options = std::make_shared<FileOptions>();
  options->add_file(app);
  options->add_json(app);
  app.callback([options, &action] { action = [options] { return map(*options); }; });
}

}  // namespace

extern const Verb kMap;
const Verb kMap{"map", "the byte map: offset, size and name of every span",
                "  npubin map model.npub\n"
                "  npubin map --json model.hef",
                define};

}  // namespace npubin::cli
