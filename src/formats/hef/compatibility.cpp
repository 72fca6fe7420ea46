#include "formats/hef/compatibility.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace npubin::hef {
namespace {

// First release whose line knows a chip (hef spec 2); {0, 0}: all that npubin knows.
Release first_release_of(std::uint32_t hw_arch) {
  return hw_arch == 108 ? Release{5, 1} : Release{};
}

std::string list_of_devices(const Architecture& architecture) {
  std::string out;
  for (std::size_t i = 0; i < architecture.devices.size(); ++i) {
    if (i > 0) out += i + 1 == architecture.devices.size() ? " and " : ", ";
    out += title_of_device(architecture.devices[i]);
  }
  return out;
}

std::string unfit(const HefArtifact& artifact) {
  if (!artifact.readable()) return "the file is damaged: " + artifact.unreadable().message;
  const Model& model = artifact.model();
  if (model.architecture == nullptr)
    return fmt::format("the file names a chip that no release knows (hw_arch {})", model.hw_arch);
  return {};
}

std::string range_of(const std::vector<Release>& releases) {
  if (releases.empty()) return {};
  if (releases.size() == 1) return to_string(releases.front());
  return fmt::format("{} to {}", to_string(releases.front()), to_string(releases.back()));
}

}  // namespace

Result<Answer> runs_on(const HefArtifact& artifact, std::string_view name) {
  const Target* target = find_target(name);
  if (target == nullptr) {
    std::string known;
    for (const Target& one : targets()) known += fmt::format("{}{}", known.empty() ? "" : ", ", one.name);
    return usage_error(fmt::format("--target {} is not a chip that npubin knows", name),
                       "known chips: " + known);
  }
  if (std::string why = unfit(artifact); !why.empty()) return Answer{false, "No: " + why + "."};
  const Architecture& built = *artifact.model().architecture;
  const bool fits =
      std::find(built.devices.begin(), built.devices.end(), target->device) != built.devices.end();
  if (fits) {
    const bool own = built.devices.front() == target->device;
    return Answer{true, fmt::format("Yes: built for {}, runs on {}{}.", built.name, target->title,
                                    own ? "" : " (not its own chip, but compatible)")};
  }
  return Answer{
      false, fmt::format("No: built for {}, it runs on {}, not on {}; compile the model again for that chip.",
                         built.name, list_of_devices(built), target->title)};
}

std::string refusal_of(const Model& model, std::uint32_t header_version, const Release& release,
                       ChipFamily family) {
  if ((family == ChipFamily::Hailo15) != (release.major_number == 5))
    return family == ChipFamily::Hailo15
               ? "HailoRT 4.x does not serve the Hailo-10H and Hailo-15 family; 5.x does"
               : "HailoRT 5.x does not serve the Hailo-8 family; 4.x does";
  if (release < first_release_of_header(header_version))
    return fmt::format("header version {} is read from HailoRT {} on", header_version,
                       to_string(first_release_of_header(header_version)));
  if (release < first_release_of(model.hw_arch))
    return fmt::format("the chip is known from HailoRT {} on", to_string(first_release_of(model.hw_arch)));
  for (const Extension& extension : model.extensions) {
    const ExtensionInfo* info = find_extension(extension.type_index);
    if (info == nullptr || !info->mandatory)
      return fmt::format("no known release supports extension {} ({})", extension.type_index, extension.name);
    if (release < info->since)
      return fmt::format("extension {} ({}) is supported from HailoRT {} on", info->index, info->name,
                         to_string(info->since));
  }
  if (!model.has_extension(kExtPeriphInHailort))
    return "extension 26 (PERIPH_CALCULATION_IN_HAILORT) is missing: the file is older than any release "
           "supports";
  if (const auto& least = model.strict_runtime_min_version)
    if (release < Release{static_cast<int>((*least)[0]), static_cast<int>((*least)[1])})
      return fmt::format("the file asks for HailoRT {}.{}.{} at least", (*least)[0], (*least)[1],
                         (*least)[2]);
  const Release sdk{static_cast<int>(model.sdk[0]), static_cast<int>(model.sdk[1])};
  if (model.has_extension(kExtStrictVersion) && sdk != release)
    return fmt::format(
        "the file insists on HailoRT {} (extension 35; HAILO_IGNORE_STRICT_VERSION skips that)",
        to_string(sdk));
  return {};
}

std::string opening_releases(const HefArtifact& artifact) {
  if (!unfit(artifact).empty()) return {};
  const Model& model = artifact.model();
  std::vector<Release> good;
  for (const Release& release : releases_of(model.family()))
    if (refusal_of(model, artifact.container().header.version, release, model.family()).empty())
      good.push_back(release);
  return range_of(good);
}

Result<Answer> opened_by(const HefArtifact& artifact, std::string_view text, std::string_view chip) {
  const auto release = parse_release(text);
  if (!release)
    return usage_error(fmt::format("--runtime {} is not a release of HailoRT that npubin knows", text),
                       "known: " + known_releases());
  ChipFamily family = artifact.model().family();
  std::string for_chip;
  if (!chip.empty()) {
    NPUBIN_TRY(const Answer on_chip, runs_on(artifact, chip));
    if (!on_chip.yes) return on_chip;
    family = find_target(chip)->family;
    for_chip = fmt::format(" for {}", find_target(chip)->title);
  }
  if (std::string why = unfit(artifact); !why.empty()) return Answer{false, "No: " + why + "."};
  const std::string why = refusal_of(artifact.model(), artifact.container().header.version, *release, family);
  if (why.empty())
    return Answer{true, fmt::format("Yes: HailoRT {} opens it{}.", to_string(*release), for_chip)};
  const std::string others = opening_releases(artifact);
  return Answer{false,
                fmt::format("No: HailoRT {} does not open it{}: {}; {}.", to_string(*release), for_chip, why,
                            others.empty() ? "none of the releases that npubin knows does"
                                           : "HailoRT " + others + " does")};
}

namespace {

struct Question {
  Answer answer;
  bool about_chip = false;
};

// Where the chip is the wrong one, the release is asked for the chip that the file is for; where it is the
// right one, one sentence answers both.
Result<std::vector<Question>> answers(const HefArtifact& artifact, std::string_view target,
                                      std::string_view runtime) {
  std::vector<Question> out;
  if (!target.empty()) {
    NPUBIN_TRY(Answer chip, runs_on(artifact, target));
    if (runtime.empty() || !chip.yes) out.push_back({std::move(chip), true});
  }
  if (!runtime.empty()) {
    NPUBIN_TRY(Answer release, opened_by(artifact, runtime, out.empty() ? target : std::string_view()));
    out.push_back({std::move(release), false});
  }
  return out;
}

}  // namespace

void answer_into(const HefArtifact& artifact, const CheckOptions& options, Diagnostics& out) {
  auto given = answers(artifact, options.target, options.runtime);
  if (!given) {
    Error error = given.error();
    error.code = "HEF-0403";
    out.add(error, Stage::Semantic);
    return;
  }
  for (const Question& question : *given) {
    const Answer& answer = question.answer;
    Diagnostic finding;
    finding.severity = answer.yes ? Severity::Info : Severity::Error;
    finding.code = answer.yes ? "HEF-0401" : "HEF-0402";
    finding.message = answer.sentence;
    finding.stage = Stage::Semantic;
    if (!answer.yes && question.about_chip) finding.vendor = {"HAILO_HEF_NOT_COMPATIBLE_WITH_DEVICE", "93"};
    out.add(std::move(finding));
  }
}

Result<std::string> answer_for(const HefArtifact& artifact,
                               const std::multimap<std::string, std::string>& context) {
  auto value = [&](const char* key) {
    const auto found = context.find(key);
    return found == context.end() ? std::string() : found->second;
  };
  NPUBIN_TRY(const std::vector<Question> given, answers(artifact, value("target"), value("runtime")));
  std::string out;
  for (const Question& question : given) out += (out.empty() ? "" : " ") + question.answer.sentence;
  return out;
}

}  // namespace npubin::hef
