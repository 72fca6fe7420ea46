// npubin check: every finding about one or several files.
#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "cli/foreign_options.h"
#include "cli/verb.h"
#include "render/json.h"

namespace npubin::cli {
namespace {

struct CheckArguments {
  FileOptions file;
  ContextOptions context;
  CheckOptions check;
  std::vector<std::string> files;
  std::uint64_t arena = 0;
  bool strict = false;
};

struct FileVerdict {
  std::string file;
  std::string format;
  Diagnostics findings;
  std::optional<Error> unreadable;  // cannot be opened, or nothing is known that reads it
};

// Findings that say that the question itself was wrong: wrong usage, whatever the file is like.
constexpr std::string_view kUsageFindings[] = {"GEN-0002", "HEF-0403", "ARM-0500", "AIP-0505"};

bool wrong_question(const Diagnostics& findings) {
  for (const Diagnostic& finding : findings.findings())
    for (std::string_view code : kUsageFindings)
      if (finding.code == code) return true;
  return false;
}

FileVerdict check_one(const CheckArguments& options, const std::vector<std::string>& given,
                      const std::string& path) {
  FileVerdict out{path, {}, {}, {}};
  auto artifact = options.file.open(path);
  if (!artifact) {
    const Error& error = artifact.error();
    if (error.kind == ErrorKind::Unrecognised || error.kind == ErrorKind::Io) out.unreadable = error;
    out.findings.add(error, Stage::Container);
    return out;
  }
  out.format = (*artifact)->format();
  (*artifact)->validate(options.check, out.findings);
  for (std::string& sentence : foreign_options("check", given, **artifact))
    out.findings.error("GEN-0002", {}, std::move(sentence), "nothing was checked against it");
  return out;
}

std::string_view verdict_name(const Diagnostics& findings) {
  if (findings.has_errors()) return "error";
  return findings.has_warnings() ? "warning" : "ok";
}

std::string text_of(const FileVerdict& verdict) {
  std::string out;
  const auto style = text_options();
  for (const Diagnostic& finding : verdict.findings.findings())
    out += fmt::format("{}: {}\n", verdict.file, render::to_text(finding, style));
  if (verdict.findings.dropped() > 0)
    out += fmt::format("{}: and {} further findings\n", verdict.file, verdict.findings.dropped());
  const auto& f = verdict.findings;
  out += fmt::format("{}: {} ({}{} errors, {} warnings, {} notes)\n", verdict.file, verdict_name(f),
                     verdict.format.empty() ? "" : verdict.format + ", ", f.count(Severity::Error),
                     f.count(Severity::Warning), f.count(Severity::Info));
  return out;
}

// Files that options name: what is wrong with them is not the fault of the file that is checked.
Result<void> open_side_files(const std::multimap<std::string, std::string>& context) {
  for (const char* option : {"io", "context"})
    for (auto [it, end] = context.equal_range(option); it != end; ++it)
      if (it->second != "-") NPUBIN_CHECK(Bytes::open(it->second));
  return {};
}

int check(CheckArguments& options, const OptionSet& given) {
  options.check.context = options.context.values;
  if (auto done = open_side_files(options.check.context); !done) return report(done.error());
  const std::vector<std::string> asked = given.given();
  if (std::find(asked.begin(), asked.end(), "--arena") != asked.end())
    options.check.context.emplace("arena", std::to_string(options.arena));
  int code = kFine;
  std::string text;
  render::Json files = render::Json::array();
  render::Json error;  // the first file that could not be read
  for (const std::string& path : options.files) {
    FileVerdict verdict = check_one(options, asked, path);
    if (verdict.unreadable)
      code = kFailed;
    else if (code != kFailed && wrong_question(verdict.findings))
      code = kUsage;
    else if (code == kFine &&
             (verdict.findings.has_errors() || (options.strict && verdict.findings.has_warnings())))
      code = kFound;
    if (verdict.unreadable && error.is_null()) {
      error = render::to_json(*verdict.unreadable);
    }
    if (!options.file.json) {
      // What could not be read at all is an error of the run, not a finding.
      if (verdict.unreadable)
        std::fputs(text_of(verdict).c_str(), stderr);
      else
        text += text_of(verdict);
      continue;
    }
    render::Json findings = render::Json::array();
    for (const Diagnostic& finding : verdict.findings.findings())
      findings.push_back(render::to_json(finding));
    files.push_back({{"file", verdict.file},
                     {"format", verdict.format},
                     {"verdict", verdict_name(verdict.findings)},
                     {"findings", std::move(findings)}});
  }
  if (options.file.json) {
    render::Json out{{"schema", "npubin.check/1"}};
    if (!error.is_null()) out["error"] = std::move(error);
    out["files"] = std::move(files);
    text = render::dump(out);
  }
  if (auto done = print(text); !done) return report(done.error());
  return code;
}

void define_check(OptionSet& app, Action& action) {
  auto options = std::make_shared<CheckArguments>();
  app.add_option("FILE", options->files, "the files")->required();
  app.add_option("--format", options->file.format, "read as this format, whatever the content looks like");
  options->file.add_layout(app);
  options->file.add_json(app);
  app.add_option("--target", options->check.target,
                 "HEF, .armnn: a chip or release: hailo8l, armnn-20.08, ...");
  app.add_option("--runtime", options->check.runtime, "HEF: a HailoRT version: 4.17 ... 4.23, 5.0 ... 5.2");
  app.add_flag("--strict", options->strict, "warnings fail as errors do");
  options->context.add(app);
  app.add_option("--arena", options->arena, ".npub: bytes of run-time memory that the device provides");
  app.callback([options, &app, &action] { action = [options, &app] { return check(*options, app); }; });
}

}  // namespace

extern const Verb kCheck;
const Verb kCheck{"check", "every finding about a file; exit code 1 where there is an error",
                  "  npubin check model.hef --target hailo8l --runtime 4.20\n"
                  "  npubin check graph.armnn --target armnn-20.08\n"
                  "  npubin check --strict --json *.npub",
                  define_check};

}  // namespace npubin::cli
