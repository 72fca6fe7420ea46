// npubin asm: a raw listing back to command words.
#include <memory>

#include <fmt/format.h>

#include "cli/verb.h"
#include "core/bounded_file.h"
#include "ethosu/accelerator.h"
#include "ethosu/cop1.h"
#include "ethosu/raw_listing.h"

namespace npubin::cli {
namespace {

struct AssembleArguments {
  std::string file, output;
  std::uint32_t cop1 = 0;
};

Result<void> assemble(const AssembleArguments& options) {
  NPUBIN_TRY(const Bytes text, open_bounded(options.file));
  auto words = ethosu::assemble(text.text());
  if (!words) return Unexpected(std::move(words).error().in_file(options.file));
  if (words->empty())
    return usage_error(fmt::format("{}: the listing holds no command", options.file),
                       "`npubin disasm --raw FILE` writes one");
  std::vector<std::byte> bytes = ethosu::bytes_of(*words);
  if (options.cop1 != 0) {
    const auto accelerator = ethosu::accelerator_of(options.cop1);
    if (!accelerator)
      return usage_error(fmt::format("--cop1 {}: the configurations are 32, 64, 128 and 256", options.cop1));
    NPUBIN_TRY(bytes, ethosu::write_cop1(*words, *accelerator));
  }
  return write_file(options.output, ByteSpan(bytes));
}

int run(const AssembleArguments& options) {
  if (auto done = assemble(options); !done) return report(done.error());
  return kFine;
}

void define_assemble(OptionSet& app, Action& action) {
  auto options = std::make_shared<AssembleArguments>();
  app.add_option("FILE", options->file, "a listing as `disasm --raw` prints it; - is standard input")
      ->required();
  app.add_option("-o,--output", options->output, "the file of command words to write")->required();
  app.add_option("--cop1", options->cop1, "wrap the words in a COP1 payload for 32, 64, 128 or 256 MACs");
  app.callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace

extern const Verb kAsm;
const Verb kAsm{"asm", "a raw Ethos-U listing back to command words",
                "  npubin disasm --raw model.npub > model.txt\n"
                "  npubin asm model.txt -o model.ethosu",
                define_assemble};

}  // namespace npubin::cli
