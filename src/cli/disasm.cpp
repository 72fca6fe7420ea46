// npubin disasm: the program inside a file.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "cli/verb.h"

namespace npubin::cli {
namespace {

struct DisasmArguments {
  FileOptions file;
  DisasmOptions disasm;
  std::uint64_t stream = 0;
};

bool was_given(const OptionSet& given, std::string_view name) {
  const std::vector<std::string> names = given.given();
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::vector<Node>* streams_of(Node& root) {
  for (Node& child : root.children)
    if (child.key == "streams") return &child.children;
  return nullptr;
}

// Leaves one stream of several; without a choice, raw listings say where each begins.
Result<void> choose_stream(const DisasmArguments& options, const OptionSet& given, Node& root) {
  std::vector<Node>* streams = streams_of(root);
  if (streams == nullptr) return {};
  const std::size_t count = streams->size();
  if (was_given(given, "--stream")) {
    if (options.stream >= count)
      return usage_error(fmt::format("--stream {}: the file has {} command stream{}", options.stream, count,
                                     count == 1 ? "" : "s"),
                         "they are counted from 0");
    Node chosen = std::move((*streams)[options.stream]);
    streams->clear();
    streams->push_back(std::move(chosen));
  } else if (options.disasm.raw && count > 1) {
    for (std::size_t i = 0; i < count; ++i) {
      std::vector<std::string>& lines = (*streams)[i].lines;
      lines.insert(
          lines.begin(),
          fmt::format("; stream {} of {}: --stream {} lists it alone, as it assembles back", i, count, i));
    }
  }
  return {};
}

int disasm(const DisasmArguments& options, const OptionSet& given) {
  auto artifact = options.file.open_for("disasm", given);
  if (!artifact) return report(artifact.error());
  DisasmOptions disasm = options.disasm;
  disasm.json = options.file.json;
  auto node = (*artifact)->disassemble(disasm);
  if (!node) return report(std::move(node).error().in_file(options.file.file));
  if (auto done = choose_stream(options, given, *node); !done)
    return report(std::move(done).error().in_file(options.file.file));
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
  app.add_option("--stream", options->stream, "Ethos-U: of several command streams only this one, from 0");
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
