// npubin explain: what a diagnostic code means, or all of them.
#include <algorithm>
#include <cctype>
#include <memory>

#include <fmt/format.h>

#include "cli/verb.h"

namespace npubin::cli {
namespace {

struct ExplainArguments {
  std::vector<std::string> codes;
  bool json = false;
  bool markdown = false;
};

// Codes are upper case; people type them as they like.
std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

bool wanted(const ExplainArguments& options, std::string_view code) {
  if (options.codes.empty()) return true;
  for (const std::string& asked : options.codes)
    if (asked == code) return true;
  return false;
}

Node tree(const ExplainArguments& options) {
  Node root;
  for (const CodeTable& table : code_tables())
    for (const DiagnosticCode& row : table.codes) {
      if (!wanted(options, row.code)) continue;
      Node& node = root.child("code", fmt::format("{}: {}", row.code, row.title));
      node.field("code", row.code, {}, Detail::JsonOnly);
      node.field("title", row.title, {}, Detail::JsonOnly);
      node.field("concerns", table.title);
      node.field("why", row.why);
      node.field("remedy", row.remedy);
    }
  return root;
}

// docs/diagnostics.md, from the same tables.
std::string markdown() {
  std::string out =
      "# Diagnostics\n\nEvery finding of `npubin check` has a code that never changes its meaning. "
      "`npubin explain CODE` prints the same.\nThis page is made by `npubin explain --markdown`; a test "
      "holds it "
      "against the source.\n";
  for (const CodeTable& table : code_tables()) {
    out += fmt::format("\n## {}\n", table.title);
    for (const DiagnosticCode& row : table.codes)
      out += fmt::format("\n### {}\n{}.\n\n- Why it matters: {}\n- Remedy: {}\n", row.code, row.title,
                         row.why, row.remedy);
  }
  return out;
}

int explain(ExplainArguments& options) {
  for (std::string& code : options.codes) code = upper(std::move(code));
  if (options.markdown) {
    if (auto done = print(markdown()); !done) return report(done.error());
    return kFine;
  }
  Node root = tree(options);
  for (const std::string& asked : options.codes) {
    bool known = false;
    for (const CodeTable& table : code_tables())
      for (const DiagnosticCode& row : table.codes) known = known || row.code == asked;
    if (!known)
      return report(Error{ErrorKind::Usage,
                          {},
                          {},
                          {},
                          fmt::format("there is no diagnostic {}", asked),
                          "npubin explain lists all of them"});
  }
  Node wrapper;
  Node& codes = wrapper.child("codes");
  codes.list = true;
  codes.children = std::move(root.children);
  return print_report("npubin.explain/1", wrapper, options.json, 0);
}

void define_explain(OptionSet& app, Action& action) {
  auto options = std::make_shared<ExplainArguments>();
  app.add_option("CODE", options->codes, "codes such as HEF-0103; none: all");
  app.add_flag("--json", options->json, "machine-readable output");
  app.add_flag("--markdown", options->markdown, "all of them as docs/diagnostics.md");
  app.callback([options, &action] { action = [options] { return explain(*options); }; });
}

}  // namespace

extern const Verb kExplain;
const Verb kExplain{"explain", "what a diagnostic code means, why it matters and what to do",
                    "  npubin explain HEF-0103\n"
                    "  npubin explain --json",
                    define_explain};

}  // namespace npubin::cli
