// npubin strip: drop what cannot be shared, so that a file can go into a bug report.
#include <memory>

#include <fmt/format.h>

#include "cli/verb.h"
#include "formats/hef/rewrite.h"

namespace npubin::cli {
namespace {

struct StripArguments {
  FileOptions file;
  std::string output;
};

int strip(const StripArguments& options) {
  auto artifact = options.file.open();
  if (!artifact) return report(artifact.error());
  if ((*artifact)->format() != "hef") {
    Error error;
    error.kind = ErrorKind::Refused;
    error.file = options.file.file;
    error.message = fmt::format("nothing is known to strip from files of format {}", (*artifact)->format());
    return report(error);
  }
  auto stripped = hef::strip(static_cast<const hef::HefArtifact&>(**artifact));
  if (!stripped) return report(std::move(stripped).error().in_file(options.file.file));
  if (auto done = write_file(options.output, ByteSpan(stripped->bytes)); !done) return report(done.error());
  for (const std::string& note : stripped->notes)
    fmt::print(stderr, "{}: {}\n", options.output, render::printable(note));
  return kFine;
}

void define_strip(OptionSet& app, Action& action) {
  auto options = std::make_shared<StripArguments>();
  options->file.add_file(app);
  app.add_option("-o,--output", options->output, "the file to write")->required();
  app.callback([options, &action] { action = [options] { return strip(*options); }; });
}

}  // namespace

extern const Verb kStrip;
const Verb kStrip{"strip", "drop what cannot be shared (HEF: config words, mapping), for a bug report",
                  "  npubin strip model.hef -o shareable.hef", define_strip};

}  // namespace npubin::cli
