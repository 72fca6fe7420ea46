// npubin map: a name for every byte.
#include <memory>

#include "cli/verb.h"
#include "render/json.h"

namespace npubin::cli {
namespace {

int map(const FileOptions& options, const OptionSet& given) {
  auto artifact = options.open_for("map", given);
  if (!artifact) return report(artifact.error());
  auto bytes = (*artifact)->map();
  if (!bytes) return report(std::move(bytes).error().in_file(options.file));
  std::string text;
  if (options.json) {
    render::Json head{{"schema", "npubin.map/1"},
                      {"file", options.file},
                      {"size", (*artifact)->bytes().size()},
                      {"unexplained_bytes", bytes->unexplained_bytes()}};
    if (const Datum cut = truncation_datum(**artifact); !cut.is_null())
      head["truncated"] = render::to_json(cut);
    text = render::dump(head, *bytes);
  } else {
    text = render::to_text(*bytes, text_options());
  }
  const int cut = report_truncation(**artifact);
  if (auto done = print(text); !done) return report(done.error());
  return cut;
}

void define_map(OptionSet& app, Action& action) {
  auto options = std::make_shared<FileOptions>();
  options->add_file(app);
  options->add_layout(app);
  options->add_json(app);
  app.callback([options, &app, &action] { action = [options, &app] { return map(*options, app); }; });
}

}  // namespace

extern const Verb kMap;
const Verb kMap{"map", "the byte map: offset, size and name of every span",
                "  npubin map model.npub\n"
                "  npubin map --json model.hef",
                define_map};

}  // namespace npubin::cli
