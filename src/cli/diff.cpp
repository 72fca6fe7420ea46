// npubin diff: where the documents of two files of one format part.
#include <algorithm>
#include <cstring>
#include <memory>

#include <fmt/format.h>

#include "artifact/content_diff.h"
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

constexpr std::size_t kMostListed = 20;  // parts of the contents without --all

// Values that follow from others, and places, by format.
std::vector<std::string> derived_paths_of(std::string_view format) {
  if (format == "hef") {
    // Whether a checksum and a length are right does not follow from the rest.
    std::vector<std::string> paths = hef::derived_paths();
    std::erase_if(paths, [](const std::string& path) {
      return path.ends_with(".checksum_status") || path.ends_with(".length_ok");
    });
    return paths;
  }
  if (format == "armnn") return {"file_size", "layer_list.offset", "layer_list.union_value"};
  if (format == "tflite") return {"file_size"};
  if (format == "npub")
    return {"total_bytes", "checksum", "command_stream_offset", "regions.file_offset", "interface_from"};
  return {};
}

struct Comparison {
  bool identical = false;
  std::vector<DescriptionDifference> described;
  std::vector<ContentDifference> contents;

  bool same() const { return described.empty() && contents.empty(); }
};

std::string short_text(const Datum& datum) {
  constexpr std::size_t kMost = 160;
  std::string out = render::printable(render::to_text(datum));
  if (out.size() > kMost) out = out.substr(0, kMost) + "...";
  return out;
}

// With the fewest digits that give the value back; a float's where it is one.
std::string exact_text(const Datum& datum) {
  constexpr const char* kTypes[] = {"null",   "bool", "integer", "integer", "float",
                                    "double", "text", "list",    "object"};
  if (const auto* value = std::get_if<double>(&datum.storage()))
    return static_cast<double>(static_cast<float>(*value)) == *value
               ? fmt::format("{}", static_cast<float>(*value))
               : fmt::format("{}", *value);
  if (datum.array() != nullptr || datum.object() != nullptr)
    return render::to_json(datum).dump(-1, ' ', false, render::Json::error_handler_t::replace);
  std::string text = render::printable(render::to_text(datum));
  if (std::holds_alternative<std::string>(datum.storage())) return text;
  return fmt::format("{} ({})", text, kTypes[datum.storage().index()]);
}

// Values whose short texts are alike differ in what those leave out.
std::string told_apart(const Datum& datum, const Datum& other) {
  std::string text = short_text(datum);
  return text != short_text(other) ? text : exact_text(datum);
}

std::string text_of(const DescriptionDifference& d) {
  const std::string path = render::printable(d.path);
  if (d.only_left) return fmt::format("- {}: {}\n", path, short_text(d.left));
  if (d.only_right) return fmt::format("+ {}: {}\n", path, short_text(d.right));
  return fmt::format("  {}: {} -> {}\n", path, told_apart(d.left, d.right), told_apart(d.right, d.left));
}

// The largest first. Fields that the description shows are not said twice.
std::string text_of(std::vector<ContentDifference> contents, bool described, bool all) {
  std::string out;
  std::size_t fields = 0;
  if (!all && described)
    fields = std::erase_if(contents, [](const ContentDifference& d) { return !d.constant; });
  if (!all)
    std::stable_sort(contents.begin(), contents.end(),
                     [](const auto& a, const auto& b) { return a.differing_bytes > b.differing_bytes; });
  const std::size_t shown = all ? contents.size() : std::min(contents.size(), kMostListed);
  for (std::size_t i = 0; i < shown; ++i) {
    const ContentDifference& d = contents[i];
    out += fmt::format("{} {}: {}\n",
                       d.only_left    ? "-"
                       : d.only_right ? "+"
                                      : " ",
                       render::printable(d.name), to_text(d));
  }
  if (shown < contents.size())
    out += fmt::format("  and {} more parts of the files (--all lists them)\n", contents.size() - shown);
  if (fields > 0)
    out += fmt::format("  ({} field{} of the files differ{} accordingly; --all lists them)\n", fields,
                       fields == 1 ? "" : "s", fields == 1 ? "s" : "");
  return out;
}

std::string text_of(const DiffArguments& options, const Comparison& found) {
  if (found.identical && found.described.empty()) return "identical\n";
  if (found.same()) return "no difference: the same content, laid out differently\n";
  std::string out;
  for (const DescriptionDifference& d : found.described) out += text_of(d);
  return out + text_of(found.contents, !found.described.empty(), options.all);
}

render::Json json_of(const ContentDifference& d) {
  render::Json one{{"name", d.name}};
  if (!d.only_right) one["left_bytes"] = d.left_bytes;
  if (!d.only_left) one["right_bytes"] = d.right_bytes;
  if (d.only_left || d.only_right) return one;
  one["differing_bytes"] = d.differing_bytes;
  one["first"] = d.first;
  if (!d.type) return one;
  one["type"] = to_string(*d.type);
  one["elements"] = d.elements;
  one["differing_elements"] = d.differing_elements;
  one["largest_change"] = render::to_json(Datum(d.largest_change));
  return one;
}

render::Json json_of(const DiffArguments& options, const std::string& format, const Comparison& found) {
  render::Json list = render::Json::array();
  for (const DescriptionDifference& d : found.described) {
    render::Json one{{"path", d.path}};
    if (!d.only_right) one["left"] = render::to_json(d.left);
    if (!d.only_left) one["right"] = render::to_json(d.right);
    list.push_back(std::move(one));
  }
  render::Json contents = render::Json::array();
  for (const ContentDifference& d : found.contents) contents.push_back(json_of(d));
  return {{"schema", "npubin.diff/1"},      {"left", options.left},
          {"right", options.right},         {"format", format},
          {"identical", found.identical},   {"same_content", found.same()},
          {"differences", std::move(list)}, {"contents", std::move(contents)}};
}

bool same_bytes(const Artifact& left, const Artifact& right) {
  const std::size_t size = left.bytes().size();
  return size == right.bytes().size() &&
         (size == 0 || std::memcmp(left.bytes().data(), right.bytes().data(), size) == 0);
}

Result<Comparison> compare(const DiffArguments& options, const Artifact& left, const Artifact& right) {
  Comparison out;
  DescribeOptions describe;
  describe.json = true;
  describe.verbosity = 2;
  auto a = left.describe(describe);
  if (!a) return Unexpected(std::move(a).error().in_file(options.left));
  out.identical = same_bytes(left, right);
  if (out.identical && left.file_name() == right.file_name()) return out;
  auto b = right.describe(describe);
  if (!b) return Unexpected(std::move(b).error().in_file(options.right));
  out.described = options.all ? diff_descriptions(*a, *b)
                              : diff_descriptions(*a, *b, derived_paths_of(left.format()), Places::Ignore);
  if (out.identical) return out;
  auto of_left = left.contents();
  if (!of_left) return Unexpected(std::move(of_left).error().in_file(options.left));
  auto of_right = right.contents();
  if (!of_right) return Unexpected(std::move(of_right).error().in_file(options.right));
  out.contents = diff_contents(*of_left, *of_right);
  return out;
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
  const auto found = compare(options, **left, **right);
  if (!found) return report(found.error());
  const std::string text = options.file.json
                               ? render::dump(json_of(options, std::string((*left)->format()), *found))
                               : text_of(options, *found);
  if (auto done = print(text); !done) return report(done.error());
  return found->same() && cut == kFine ? kFine : kFound;
}

void define_diff(OptionSet& app, Action& action) {
  auto options = std::make_shared<DiffArguments>();
  app.add_option("A", options->left, "one file")->required();
  app.add_option("B", options->right, "the other file")->required();
  app.add_option("--format", options->file.format, "read both as this format");
  options->file.add_layout(app);
  app.add_flag("--all", options->all,
               "everything: lengths, checksums and places as well, which follow from the rest");
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
