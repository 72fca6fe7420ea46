// npubin unpack: the parts of an .npub.
#include <sys/stat.h>

#include <cerrno>
#include <memory>

#include <fmt/format.h>

#include "cli/verb.h"
#include "core/bounded_file.h"
#include "formats/npub/parts.h"

namespace npubin::cli {
namespace {

struct UnpackArguments {
  FileOptions file;
  std::string folder;
};

Result<void> unpack(const UnpackArguments& options) {
  NPUBIN_TRY(const auto artifact, options.file.open());
  const auto* document = dynamic_cast<const npub::Document*>(artifact.get());
  if (document == nullptr)
    return usage_error(
        fmt::format("{} is of format {}; unpack takes .npub files", options.file.file, artifact->format()));
  auto parts = npub::take_apart(*document);
  if (!parts) return Unexpected(std::move(parts).error().in_file(options.file.file));
  if (::mkdir(options.folder.c_str(), 0777) != 0 && errno != EEXIST)
    return io_error(options.folder, fmt::format("the folder cannot be made (error {})", errno));
  for (const npub::NamedBytes& part : *parts)
    NPUBIN_CHECK(write_file(options.folder + "/" + part.name, part.bytes.span()));
  const std::string sidecar = options.file.file + ".json";
  struct stat status {};
  if (::stat(sidecar.c_str(), &status) != 0) return {};
  NPUBIN_TRY(const Bytes text, open_bounded(sidecar));
  return write_file(options.folder + "/sidecar.json", text.span());
}

int run(const UnpackArguments& options) {
  if (auto done = unpack(options); !done) return report(done.error());
  return kFine;
}

void define_unpack(OptionSet& app, Action& action) {
  auto options = std::make_shared<UnpackArguments>();
  options->file.add_file(app);
  app.add_option("-o,--output", options->folder, "the folder to write the parts to")->required();
  app.callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace

extern const Verb kUnpack;
const Verb kUnpack{"unpack",
                   "take an .npub apart: command stream, regions, description; pack puts them together again",
                   "  npubin unpack model.npub -o parts/", define_unpack};

}  // namespace npubin::cli
