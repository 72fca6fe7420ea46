// npubin edit: change named values, rewriting nothing else.
#include "cli/edit.h"

#include <memory>
#include <set>

#include <fmt/format.h>

#include "cli/verb.h"
#include "formats/aipp/artifact.h"
#include "formats/aipp/edit.h"
#include "formats/hef/rewrite.h"

namespace npubin::cli {
namespace {

Result<EditResult> edit_hef(const Artifact& artifact, const EditCommand& command) {
  NPUBIN_TRY(auto edited, hef::edit(static_cast<const hef::HefArtifact&>(artifact),
                                    {command.set, command.rename_streams, command.op}));
  return EditResult{std::move(edited.bytes), std::move(edited.notes)};
}

// An empty value removes the field.
Result<EditResult> edit_aipp(const Artifact& artifact, const EditCommand& command) {
  std::vector<aipp::Change> changes;
  for (const auto& [path, value] : command.set) changes.push_back({path, value});
  NPUBIN_TRY(auto bytes, aipp::edit(artifact.bytes().span(), changes));
  NPUBIN_TRY(const aipp::Config* before, static_cast<const aipp::AippArtifact&>(artifact).config());
  const aipp::AippArtifact written(Bytes::borrow(ByteSpan(bytes)), artifact.file_name());
  NPUBIN_TRY(const aipp::Config* after, written.config());
  std::vector<std::string> notes = aipp::changes_between(*before, *after);
  if (notes.empty()) notes.emplace_back("nothing changes: the values are what they were");
  return EditResult{std::move(bytes), std::move(notes)};
}

constexpr Editor kEditors[] = {
    {"aipp", edit_aipp},
    {"hef", edit_hef},
};

struct EditArguments {
  FileOptions file;
  std::vector<std::string> set, rename;
  std::string op, output;
};

Result<std::vector<KeyValue>> pairs_of(const std::vector<std::string>& arguments, const char* option) {
  std::vector<KeyValue> out;
  for (const std::string& argument : arguments) {
    const std::size_t equals = argument.find('=');
    if (equals == std::string::npos || equals == 0)
      return usage_error(fmt::format("{} {} has no '='", option, argument),
                         fmt::format("write {} A=B", option));
    out.emplace_back(argument.substr(0, equals), argument.substr(equals + 1));
  }
  return out;
}

Result<EditResult> edited(const EditArguments& options, const Artifact& artifact) {
  EditCommand command;
  NPUBIN_TRY(command.set, pairs_of(options.set, "--set"));
  NPUBIN_TRY(command.rename_streams, pairs_of(options.rename, "--rename-stream"));
  command.op = options.op;
  for (const Editor& editor : kEditors)
    if (editor.format == artifact.format()) return editor.edit(artifact, command);
  return refused(fmt::format("files of format {} cannot be edited", artifact.format()));
}

// What `check` says of the result and did not say of the file before. true: an error is among it.
bool show_new_findings(const EditArguments& options, const Artifact& before, const EditResult& result) {
  const Format* format = find_format(before.format());
  if (format == nullptr) return false;
  ReadOptions read;
  read.file_name = before.file_name();
  if (!options.file.layout.empty()) read.layout = options.file.layout;
  auto after = format->read(Bytes::borrow(ByteSpan(result.bytes)), read);
  if (!after) {
    fmt::print(stderr, "{}: {}\n", options.output, render::printable(to_string(after.error())));
    return true;
  }
  Diagnostics old_findings, new_findings;
  before.validate({}, old_findings);
  (*after)->validate({}, new_findings);
  std::multiset<std::string> known;
  for (const Diagnostic& finding : old_findings.findings()) known.insert(finding.code + finding.message);
  bool error = false;
  for (const Diagnostic& finding : new_findings.findings()) {
    if (const auto seen = known.find(finding.code + finding.message); seen != known.end()) {
      known.erase(seen);
      continue;
    }
    error = error || finding.severity == Severity::Error;
    fmt::print(stderr, "{}: {}\n", options.output, render::to_text(finding, {}));
  }
  return error;
}

int edit(const EditArguments& options, const OptionSet& given) {
  auto artifact = options.file.open_for("edit", given);
  if (!artifact) return report(artifact.error());
  auto result = edited(options, **artifact);
  if (!result) return report(std::move(result).error().in_file(options.file.file));
  if (auto done = write_file(options.output, ByteSpan(result->bytes)); !done) return report(done.error());
  for (const std::string& note : result->notes)
    fmt::print(stderr, "{}: {}\n", options.output, render::printable(note));
  return show_new_findings(options, **artifact, *result) ? kFound : kFine;
}

void define_edit(OptionSet& app, Action& action) {
  auto options = std::make_shared<EditArguments>();
  options->file.add_file(app);
  options->file.add_layout(app);
  app.add_option(
      "--set", options->set,
      "KEY=VALUE; HEF: nms.score_threshold, nms.iou_threshold, ...; AIPP: FIELD or aipp_op[K].FIELD, an "
      "empty value removes it");
  app.add_option("--rename-stream", options->rename, "HEF: OLD=NEW");
  app.add_option("--op", options->op, "HEF: which operator, where there are several");
  app.add_option("-o,--output", options->output, "the file to write")->required();
  app.callback([options, &app, &action] { action = [options, &app] { return edit(*options, app); }; });
}

}  // namespace

extern const Verb kEdit;
const Verb kEdit{"edit", "change named values of a file, rewriting nothing else",
                 "  npubin edit in.hef --set nms.score_threshold=0.4 --set nms.iou_threshold=0.5 -o out.hef\n"
                 "  npubin edit in.hef --rename-stream net/conv43=net/boxes -o out.hef\n"
                 "  npubin edit aipp.cfg --set src_image_size_w=256 --set aipp_op[1].crop=true -o new.cfg",
                 define_edit};

}  // namespace npubin::cli
