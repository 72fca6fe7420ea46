// npubin disasm: the program inside a file.
#include <memory>

#include "cli/verb.h"

namespace npubin::cli {
namespace {

struct DisasmArguments {
  FileOptions file;
  DisasmOptions disasm;
};

int disasm(const DisasmArguments& options, const OptionSet& given) {
  auto artifact = options.file.open_for("disasm", given);
  if (!artifact) return report(artifact.error());
  DisasmOptions disasm = options.disasm;
  disasm.json = options.file.json;
  auto node = (*artifact)->disassemble(disasm);
  if (!node) return report(std::move(node).error().in_file(options.file.file));
  if (Datum cut = truncation_datum(**artifact); !cut.is_null())
    node->field("truncated", std::move(cut), {}, Detail::JsonOnly);
  const int cut = report_truncation(**artifact);
  const int printed = print_report("npubin.disasm/1", *node, options.file.json, 2);
  return printed != kFine ? printed : cut;
}

void define_disasm(OptionSet& app, Action& action) {
  auto options = std::make_shared<DisasmArguments>();
  options->file.add_file(app);
  options->file.add_layout(app);
  options->file.add_json(app);
  app.add_flag("--raw", options->disasm.raw, "Ethos-U: one line per command word, as it assembles back");
  app.add_flag("--summary", options->disasm.summary, "totals only");
  app.callback([options, &app, &action] { action = [options, &app] { return disasm(*options, app); }; });
}

}  // namespace

extern const Verb kDisasm;
const Verb kDisasm{"disasm", "the program: contexts of a HEF, the command stream of an .npub or Vela .tflite",
                   "  npubin disasm model.hef --summary\n"
                   "  npubin disasm model_vela.tflite\n"
                   "  npubin disasm model.npub --raw",
                   define_disasm};

}  // namespace npubin::cli
