#include "cli/foreign_options.h"

#include <algorithm>

#include <fmt/format.h>

namespace npubin::cli {
namespace {

struct Owner {
  std::string_view verb;  // empty: every verb that has the option
  std::string_view option;
  std::string_view title;
  std::vector<std::string_view> formats;
};

const std::vector<Owner>& owners() {
  static const std::vector<Owner> kOwners{
      {"run", "--layout", "HEFs and AIPP configs", {"hef", "aipp"}},
      {"run", "--labels", "networks and HEFs", {"armnn", "tflite", "npub", "hef"}},
      {"", "--layout", "HEFs", {"hef"}},
      {"", "--style", "HEFs", {"hef"}},
      {"inspect", "--target", "HEFs", {"hef"}},
      {"", "--target", "HEFs and Arm NN graphs", {"hef", "armnn"}},
      {"", "--runtime", "HEFs", {"hef"}},
      {"", "--rename-stream", "HEFs", {"hef"}},
      {"", "--op", "HEFs", {"hef"}},
      {"", "--as", "AIPP configs", {"aipp"}},
      {"", "--soc", "AIPP configs", {"aipp"}},
      {"", "--network-shape", "AIPP configs", {"aipp"}},
      {"", "--network-dtype", "AIPP configs", {"aipp"}},
      {"", "--framework", "AIPP configs", {"aipp"}},
      {"", "--batch-list", "AIPP configs", {"aipp"}},
      {"", "--dynamic-image-size", "AIPP configs", {"aipp"}},
      {"", "--context", "AIPP configs", {"aipp"}},
      {"", "--io", ".npub files", {"npub"}},
      {"", "--arena", ".npub files", {"npub"}},
      {"", "--plan", "networks", {"armnn", "tflite"}},
      {"", "--verify", "files with checksums", {"hef", "npub"}},
      {"", "--stream", "Ethos-U command streams", {"npub", "ethosu", "tflite"}},
      {"", "--raw", "Ethos-U command streams", {"npub", "ethosu", "tflite"}},
  };
  return kOwners;
}

bool holds(const std::vector<std::string_view>& list, std::string_view item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

}  // namespace

std::vector<std::string> foreign_options(std::string_view verb, const std::vector<std::string>& given,
                                         const Artifact& artifact) {
  std::vector<std::string> out;
  for (const std::string& name : given) {
    const auto owner = std::find_if(owners().begin(), owners().end(), [&](const Owner& row) {
      return row.option == name && (row.verb.empty() || row.verb == verb);
    });
    if (owner == owners().end() || holds(owner->formats, artifact.format())) continue;
    out.push_back(fmt::format("{} belongs to {} ({}); this file is {}", name, owner->title,
                              fmt::join(owner->formats, ", "), artifact.format()));
  }
  return out;
}

Result<void> refuse_foreign_options(std::string_view verb, const std::vector<std::string>& given,
                                    const Artifact& artifact) {
  const auto sentences = foreign_options(verb, given, artifact);
  if (sentences.empty()) return {};
  Error error =
      usage_error(sentences.front(), fmt::format("leave it out: {} has no use for it", verb)).value();
  return Unexpected(std::move(error).in_file(artifact.file_name()));
}

}  // namespace npubin::cli
