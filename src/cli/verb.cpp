#include "cli/verb.h"

#include <unistd.h>
#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>

#include "artifact/truncation.h"
#include "cli/foreign_options.h"
#include "render/json.h"

namespace npubin::cli {

namespace {

Invocation& invocation() {
  static Invocation current;
  return current;
}

}  // namespace

void set_invocation(Invocation chosen) {
  invocation() = std::move(chosen);
}

int tell(const Error& error) {
  const std::string line = "npubin: " + render::printable(to_string(error)) + "\n";
  std::fputs(line.c_str(), stderr);
  return exit_code(error);
}

int report(const Error& error) {
  tell(error);
  if (invocation().json) {
    const std::string& verb = invocation().verb;
    render::Json out{{"schema", fmt::format("npubin{}{}/1", verb.empty() ? "" : ".", verb)},
                     {"error", render::to_json(error)}};
    // Where standard output cannot be written, standard error has said so.
    (void)print(render::dump(out));
  }
  return exit_code(error);
}

bool want_colour() {
  return ::isatty(STDOUT_FILENO) == 1 && std::getenv("NO_COLOR") == nullptr;
}
bool want_progress() {
  return ::isatty(STDERR_FILENO) == 1;
}

render::TextOptions text_options(int verbosity) {
  return {verbosity, want_colour()};
}

Result<void> print(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
    return io_error("standard output", fmt::format("cannot be written (error {})", errno));
  return {};
}

int print_report(const std::string& schema, const Node& node, bool json, int verbosity,
                 const Error* refusal) {
  std::string text;
  if (json) {
    render::Json out{{"schema", schema}};
    out.update(render::to_json(node));
    if (refusal != nullptr) out["error"] = render::to_json(*refusal);
    text = render::dump(out);
  } else {
    text = render::to_text(node, text_options(verbosity));
  }
  if (auto done = print(text); !done) return report(done.error());
  return kFine;
}

namespace {

std::optional<Truncation> truncation_of(const Artifact& artifact) {
  const auto* source = dynamic_cast<const TruncationSource*>(&artifact);
  return source == nullptr ? std::nullopt : source->truncation();
}

}  // namespace

int report_truncation(const Artifact& artifact) {
  const auto cut = truncation_of(artifact);
  if (!cut) return kFine;
  const std::string line = fmt::format(
      "npubin: {}: at 0x{:x}: the file is truncated: it ends after {} of {} bytes ({}), {} are missing; "
      "copy it again; what is left of it is shown",
      artifact.file_name(), cut->size, cut->size, cut->expected, cut->announced_by,
      cut->expected - cut->size);
  std::fputs((render::printable(line) + "\n").c_str(), stderr);
  return kFound;
}

Datum truncation_datum(const Artifact& artifact) {
  const auto cut = truncation_of(artifact);
  if (!cut) return {};
  Datum out;
  out.set("size", cut->size).set("expected", cut->expected);
  out.set("missing", cut->expected - cut->size).set("announced_by", cut->announced_by);
  return out;
}

void FileOptions::add_file(OptionSet& app) {
  app.add_option("FILE", file, "the file; - is standard input")->required();
  app.add_option("--format", format, "read as this format, whatever the content looks like");
}
void FileOptions::add_layout(OptionSet& app, const std::string& help) {
  app.add_option("--layout", layout, help);
}
void FileOptions::add_json(OptionSet& app) {
  app.add_flag("--json", json, "machine-readable output");
}
void FileOptions::add_verbosity(OptionSet& app) {
  app.add_flag("-v,--verbose", verbosity, "more detail; -vv for all");
}
std::optional<std::string> FileOptions::forced_format() const {
  return format.empty() ? std::nullopt : std::optional<std::string>(format);
}
Result<std::unique_ptr<Artifact>> FileOptions::open() const {
  return open(file);
}
Result<std::unique_ptr<Artifact>> FileOptions::open(const std::string& path) const {
  ReadOptions options;
  if (!layout.empty()) options.layout = layout;
  return open_artifact(path, forced_format(), std::move(options));
}

Result<std::unique_ptr<Artifact>> FileOptions::open_for(std::string_view verb,
                                                        const OptionSet& options) const {
  NPUBIN_TRY(auto artifact, open());
  NPUBIN_CHECK(refuse_foreign_options(verb, options.given(), *artifact));
  return artifact;
}

void ContextOptions::add(OptionSet& app) {
  // Each option may be given several times; all are kept in order.
  struct Row {
    const char* name;
    const char* help;
  };
  static constexpr Row kRows[] = {
      {"soc", "AIPP: chip, e.g. Ascend310P"},
      {"network-shape", "AIPP: [NAME:]N,C,H,W of a network input; repeatable"},
      {"network-dtype", "AIPP: element type of the network input"},
      {"framework", "AIPP: framework of the model (caffe, onnx, tensorflow, ...)"},
      {"batch-list", "AIPP: batch sizes of --dynamic_batch_size, e.g. 1,2,4"},
      {"dynamic-image-size", "AIPP: sizes of --dynamic_image_size, e.g. 416,416;832,832"},
      {"io", ".npub: a JSON file that says where inputs and outputs lie"},
      {"context", "AIPP: all of the surroundings as a JSON file"},
  };
  for (const Row& row : kRows) {
    app.add_option_function(
        std::string("--") + row.name,
        [this, name = std::string(row.name)](const std::vector<std::string>& given) {
          for (const std::string& value : given) values.emplace(name, value);
        },
        row.help);
  }
}

}  // namespace npubin::cli
