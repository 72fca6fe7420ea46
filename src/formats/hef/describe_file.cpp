// inspect: the file, its chip, its extensions.
#include <ctime>

#include <fmt/format.h>

#include "formats/hef/compatibility.h"
#include "formats/hef/config_words.h"
#include "formats/hef/facts.h"
#include "formats/hef/listing.h"

namespace npubin::hef {
namespace {

std::string integrity(const HefArtifact& artifact, bool verify) {
  const Container& c = artifact.container();
  std::string out = c.expected_size == c.file_size ? "length right" : "LENGTH WRONG";
  if (!verify) return out + ", checksums not verified (--verify)";
  const HashReport& hashes = artifact.hashes();
  out += fmt::format(", {} {}", checksum_kind(c.header.version),
                     hashes.whole == HashStatus::Ok ? "right" : "WRONG: the file is damaged");
  if (hashes.proto != HashStatus::Absent)
    out += fmt::format(", protobuf's hash {}", hashes.proto == HashStatus::Ok ? "right" : "WRONG");
  return out;
}

std::string time_text(std::uint64_t milliseconds) {
  // Compilers write milliseconds; small numbers are seconds of synthetic files.
  const std::uint64_t seconds = milliseconds > 100000000000u ? milliseconds / 1000 : milliseconds;
  if (seconds > 253402300799u) return fmt::format("{}", milliseconds);
  const auto when = static_cast<std::time_t>(seconds);
  std::tm parts{};
  gmtime_r(&when, &parts);
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}:{:02} UTC", parts.tm_year + 1900, parts.tm_mon + 1,
                     parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec);
}

std::string devices_text(const Model& model) {
  if (model.architecture == nullptr) return "none that is known";
  std::string out;
  for (std::string_view device : model.architecture->devices)
    out += fmt::format("{}{}", out.empty() ? "" : ", ", title_of_device(device));
  return out;
}

void add_extensions(Node& node, const std::vector<Extension>& extensions, const char* key) {
  Table& table = node.table(key, {"number", "name", "meaning"}, Detail::TextOnly);
  for (const Extension& extension : extensions) {
    const ExtensionInfo* info = find_extension(extension.type_index);
    table.rows.push_back({extension.type_index, info != nullptr ? Datum(info->name) : Datum(extension.name),
                          info != nullptr ? Datum(info->meaning) : Datum("unknown")});
  }
}

}  // namespace

Node describe_file(const HefArtifact& artifact, bool verify) {
  const Container& c = artifact.container();
  const Model& m = artifact.model();
  Node node("file", fmt::format("Hailo executable, {} bytes", c.file_size));
  node.detail = Detail::TextOnly;
  node.field("integrity", integrity(artifact, verify));
  node.field("built_for", m.architecture != nullptr ? std::string(m.architecture->name)
                                                    : fmt::format("unknown chip {}", m.hw_arch));
  node.field("runs_on", devices_text(m));
  const std::string releases = opening_releases(artifact);
  node.field("opened_by", releases.empty() ? "no release of HailoRT that is known" : "HailoRT " + releases);
  std::string compiler = m.sdk == std::array<std::uint32_t, 3>{} ? m.sdk_version_str : m.sdk_version;
  node.field("compiler", compiler.empty() ? "not stated" : compiler);
  if (m.sdk_version_str != compiler) node.field("compiler_text", m.sdk_version_str, {}, Detail::Verbose);
  node.field("compiled", time_text(m.timestamp));
  if (const auto& least = m.strict_runtime_min_version)
    node.field("minimal_runtime", fmt::format("{}.{}.{}", (*least)[0], (*least)[1], (*least)[2]));
  node.field("header_version", c.header.version);
  node.field("document_version", m.proto_header_version, {}, Detail::Verbose);
  node.field("checksum", stored_checksum(c), {}, Detail::Verbose);
  node.field("protobuf", c.header.proto_size, "bytes");
  node.field("config_words", c.header.version == 0 ? m.ccws.bytes : c.ccws_declared(),
             c.header.version == 0 ? "bytes, inline" : "bytes");
  if (!m.mapping.empty()) node.field("mapping", m.mapping.size(), "bytes");
  if (artifact.wire().unknown_count > 0) node.field("unknown_fields", artifact.wire().unknown_count);
  for (const std::string& reason : hailort_5_2_refuses(m)) node.field("HailoRT_5.2_refuses", reason);
  add_extensions(node, m.extensions, "extensions_required");
  add_extensions(node, m.optional_extensions, "extensions_optional");
  if (!m.external_resources.empty()) {
    Table& table = node.table("external_resources", {"name", "offset", "size", "hash"}, Detail::TextOnly);
    const std::vector<HashStatus> statuses = resource_statuses(artifact, verify);
    for (std::size_t i = 0; i < statuses.size(); ++i) {
      const ExternalResource& r = m.external_resources[i];
      table.rows.push_back({r.name, c.zero_point + r.offset, r.size, to_string(statuses[i])});
    }
  }
  return node;
}

}  // namespace npubin::hef
