// npubin emit-c: an .npub as a C header.
#include <memory>

#include <fmt/format.h>

#include "cli/verb.h"
#include "formats/npub/emit_c.h"

namespace npubin::cli {
namespace {

struct EmitCArguments {
  FileOptions file;
  std::string output, symbol, io;
};

Result<void> emit(const EmitCArguments& options) {
  NPUBIN_TRY(const auto artifact, options.file.open());
  const auto* document = dynamic_cast<const npub::Document*>(artifact.get());
  if (document == nullptr)
    return usage_error(
        fmt::format("{} is of format {}; emit-c takes .npub files", options.file.file, artifact->format()),
        "`npubin pack` makes one from a Vela-compiled .tflite");
  const std::string symbol = options.symbol.empty() ? npub::symbol_from(options.file.file) : options.symbol;
  auto text = npub::emit_c(*document, symbol, options.io);
  if (!text) return Unexpected(std::move(text).error().in_file(options.file.file));
  if (options.output.empty() || options.output == "-") return print(*text);
  return write_file(options.output, std::string_view(*text));
}

int run(const EmitCArguments& options) {
  if (auto done = emit(options); !done) return report(done.error());
  return kFine;
}

void define_emit_c(OptionSet& app, Action& action) {
  auto options = std::make_shared<EmitCArguments>();
  options->file.add_file(app);
  app.add_option("-o,--output", options->output,
                 "the header to write; standard output where it is not given");
  app.add_option("--symbol", options->symbol, "the array's name (default: from the file's name)");
  app.add_option("--io", options->io, "a JSON file that says where inputs and outputs lie");
  app.callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace

extern const Verb kEmitC;
const Verb kEmitC{"emit-c", "an .npub as a C header: an aligned array and the constants that go with it",
                  "  npubin emit-c model.npub -o model.h --symbol model", define_emit_c};

}  // namespace npubin::cli
