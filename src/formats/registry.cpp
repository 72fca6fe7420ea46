// The registry: one line per format. The only place in which formats are listed.
#include <fmt/format.h>

#include "artifact/file_extension.h"
#include "ethosu/codes.h"
#include "formats/aipp/artifact.h"
#include "formats/aipp/findings.h"
#include "formats/armnn/codes.h"
#include "formats/armnn/document.h"
#include "formats/armnn/recognise.h"
#include "formats/hef/document.h"
#include "formats/npub/bare_stream.h"
#include "formats/npub/document.h"
#include "formats/tflite/document.h"
#include "npubin/artifact.h"

namespace npubin {
namespace {

const Format* by_extension(const std::string& extension) {
  for (const Format& format : formats())
    for (std::string_view known : format.extensions)
      if (known == extension) return &format;
  return nullptr;
}

std::string names_of_formats() {
  std::string out;
  for (const Format& format : formats()) out += fmt::format("{}{}", out.empty() ? "" : ", ", format.name);
  return out;
}

constexpr DiagnosticCode kGeneralCodes[] = {
    {"GEN-0001", "The file's extension names another format than its content",
     "Tools that go by the name will read the file wrongly; npubin goes by the content.",
     "Rename the file, or give --format to insist."},
    {"GEN-0002", "an option was given that means nothing for this format",
     "The question was not answered: silence would look like a yes.",
     "Leave the option out, or give the right file."},
};

}  // namespace

std::vector<CodeTable> code_tables() {
  std::vector<CodeTable> out{{"Any file", kGeneralCodes}};
  for (const Format& format : formats())
    if (!format.codes.empty()) out.push_back({format.title, format.codes});
  out.push_back({"Ethos-U55 command streams", ethosu::codes()});
  return out;
}

const std::vector<Format>& formats() {
  static const std::vector<Format> kFormats{
      hef::format_entry(),
      {"armnn",
       "Arm NN graph",
       {".armnn"},
       armnn::sniff,
       armnn::ArmnnDocument::read,
       armnn::diagnostic_codes()},
      {"npub", "RA8P1 NPU job (.npub)", {".npub"}, npub::sniff, npub::read_artifact, npub::codes()},
      {"ethosu",
       "Ethos-U55 command stream",
       {".ethosu"},
       npub::BareStream::sniff,
       npub::BareStream::read,
       {}},
      {"tflite",
       "TensorFlow Lite model",
       {".tflite"},
       tflite::TfliteDocument::sniff,
       tflite::TfliteDocument::read,
       tflite::diagnostic_codes()},
      {"aipp",
       "Ascend AIPP config",
       {".cfg", ".config", ".conf", ".aippconfig", ".aipp"},
       aipp::sniff,
       aipp::read,
       aipp::finding_texts()},
  };
  return kFormats;
}

const Format* find_format(std::string_view name) {
  for (const Format& format : formats())
    if (format.name == name) return &format;
  return nullptr;
}

Result<Recognised> recognise(ByteSpan data, const std::string& file_name,
                             const std::optional<std::string>& forced_format) {
  if (forced_format) {
    const Format* format = find_format(*forced_format);
    if (format == nullptr)
      return usage_error(fmt::format("--format {} is not a known format", *forced_format),
                         "known formats: " + names_of_formats());
    return Recognised{format, Confidence::Certain, "format given by --format"};
  }
  Recognised best;
  for (const Format& format : formats())
    if (Confidence score = format.sniff(data); score > best.confidence) best = {&format, score, {}};
  const std::string extension = file_extension(file_name);
  const Format* hinted = by_extension(extension);
  if (best.confidence >= Confidence::Likely) {
    if (hinted != nullptr && hinted != best.format)
      best.note =
          fmt::format("the extension {} is misleading: the content is {}", extension, best.format->title);
    return best;
  }
  if (hinted != nullptr) return Recognised{hinted, Confidence::Extension, "recognised by its extension only"};
  if (best.format != nullptr) return best;
  return Unexpected(Error{ErrorKind::Unrecognised,
                          {},
                          file_name,
                          {},
                          data.empty() ? "the file is empty" : "the content is of no known format",
                          fmt::format("known formats: {}; --format NAME forces one", names_of_formats())});
}

Result<std::unique_ptr<Artifact>> open_artifact(const std::string& path,
                                                const std::optional<std::string>& forced_format,
                                                ReadOptions options) {
  NPUBIN_TRY(Bytes data, Bytes::open(path));
  if (options.file_name.empty()) options.file_name = path;
  NPUBIN_TRY(Recognised recognised, recognise(data.span(), path, forced_format));
  auto artifact = recognised.format->read(std::move(data), options);
  if (!artifact) return Unexpected(std::move(artifact).error().in_file(path));
  if (!recognised.note.empty() && !forced_format && recognised.confidence >= Confidence::Likely) {
    Diagnostic finding;
    finding.severity = Severity::Warning;
    finding.code = "GEN-0001";
    finding.message = recognised.note;
    finding.hint = fmt::format("rename the file to *{}", recognised.format->extensions.front());
    finding.stage = Stage::Container;
    (*artifact)->add_read_finding(std::move(finding));
  }
  return artifact;
}

}  // namespace npubin
