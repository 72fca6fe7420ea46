// npubin diff: where the documents of two files of one format part.
#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "artifact/description_diff.h"
#include "cli/foreign_options.h"
#include "cli/verb.h"
#include "formats/hef/document.h"
#include "render/json.h"

namespace npubin::cli {
namespace {

struct DiffArguments {
  FileOptions file;
  std::string left, right;
  bool all = false;
};

// Values that follow from others, by format; most formats have none.
std::vector<std::string> derived_paths_of(std::string_view format) {
  return format == "hef" ? hef::derived_paths() : std::vector<std::string>{};
}

std::string short_text(const Datum& datum) {
  constexpr std::size_t kMost = 160;
  std::string out = render::printable(render::to_text(datum));
  if (out.size() > kMost) out = out.substr(0, kMost) + "...";
  return out;
}

std::string text_of(const std::vector<DescriptionDifference>& differences) {
  std::string out;
  for (const DescriptionDifference& d : differences) {
    if (d.only_left)
      out += fmt::format("- {}: {}\n", render::printable(d.path), short_text(d.left));
    else if (d.only_right)
      out += fmt::format("+ {}: {}\n", render::printable(d.path), short_text(d.right));
    else
      out +=
          fmt::format("  {}: {} -> {}\n", render::printable(d.path), short_text(d.left), short_text(d.right));
  }
  return out.empty() ? "no difference\n" : out;
}

render::Json json_of(const DiffArguments& options, const std::string& format,
                     const std::vector<DescriptionDifference>& differences) {
  render::Json list = render::Json::array();
  for (const DescriptionDifference& d : differences) {
    render::Json one{{"path", d.path}};
    if (!d.only_right) one["left"] = render::to_json(d.left);
    if (!d.only_left) one["right"] = render::to_json(d.right);
    list.push_back(std::move(one));
  }
  return {{"schema", "npubin.diff/1"},
          {"left", options.left},
          {"right", options.right},
          {"format", format},
          {"differences", std::move(list)}};
}

int diff(const DiffArguments& options, const OptionSet& given) {
  auto left = options.file.open(options.left);
  if (!left) return report(left.error());
  auto right = options.file.open(options.right);
  if (!right) return report(right.error());
  if ((*left)->format() != (*right)->format()) {
    Error error;
    error.kind = ErrorKind::Usage;
    error.message = fmt::format("{} is of format {}, {} of format {}", options.left, (*left)->format(),
                                options.right, (*right)->format());
    error.hint = "diff compares files of one format; compare runs two models";
    return report(error);
  }
  if (auto done = refuse_foreign_options("diff", given.given(), **left); !done) return report(done.error());
  const int cut = std::max(report_truncation(**left), report_truncation(**right));
  DescribeOptions describe;
  describe.json = true;
  describe.verbosity = 2;
  auto a = (*left)->describe(describe);
  if (!a) return report(std::move(a).error().in_file(options.left));
  auto b = (*right)->describe(describe);
  if (!b) return report(std::move(b).error().in_file(options.right));
  const auto differences = diff_descriptions(
      *a, *b, options.all ? std::vector<std::string>{} : derived_paths_of((*left)->format()));
  const std::string text = options.file.json
                               ? render::dump(json_of(options, std::string((*left)->format()), differences))
                               : text_of(differences);
  if (auto done = print(text); !done) return report(done.error());
  return differences.empty() && cut == kFine ? kFine : kFound;
}

void define_diff(OptionSet& app, Action& action) {
  auto options = std::make_shared<DiffArguments>();
  app.add_option("A", options->left, "one file")->required();
  app.add_option("B", options->right, "the other file")->required();
  app.add_option("--format", options->file.format, "read both as this format");
  options->file.add_layout(app);
  app.add_flag("--all", options->all, "lengths and checksums as well, which follow from the rest");
  options->file.add_json(app);
  app.callback([options, &app, &action] { action = [options, &app] { return diff(*options, app); }; });
}

}  // namespace

extern const Verb kDiff;
const Verb kDiff{"diff", "where the documents of two files part; exit code 1 where they do",
                 "  npubin diff old.hef new.hef\n"
                 "  npubin diff --json a.armnn b.armnn",
                 define_diff};

}  // namespace npubin::cli
