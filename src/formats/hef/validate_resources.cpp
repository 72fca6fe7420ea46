// What lies behind the protobuf: external resources, and config words that nothing refers to.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "formats/hef/config_words.h"
#include "formats/hef/findings.h"

namespace npubin::hef {

void check_resources(Findings& f) {
  const auto messages = f.artifact().document().messages("external_resources");
  const std::uint64_t words = f.artifact().container().ccws_declared();
  const std::vector<HashStatus> statuses = resource_statuses(f.artifact(), true);
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const ExternalResource& resource = f.model().external_resources[i];
    if (!names.insert(resource.name).second)
      f.warn("HEF-0824", messages[i], "name",
             fmt::format("two external resources are named {}", resource.name),
             "HailoRT finds only one of them");
    if (!resource_bytes(f.artifact(), resource)) {
      f.error("HEF-0821", messages[i], "offset",
              fmt::format("resource {} at {} + {} does not lie inside the file", resource.name,
                          resource.offset, resource.size),
              status::kInvalidHef, "HailoRT opens the file and reads what lies there");
      continue;
    }
    if (resource.offset < words)
      f.warn("HEF-0823", messages[i], "offset",
             fmt::format("resource {} begins inside the config section of {} bytes", resource.name, words),
             "resources usually lie behind the config words");
    if (statuses[i] == HashStatus::Mismatch)
      f.error("HEF-0822", messages[i], "xxhash",
              fmt::format("the hash of resource {} is {:016x}, computed {:016x}: its bytes are damaged",
                          resource.name, resource.xxhash, xxh3_of(*resource_bytes(f.artifact(), resource))),
              status::kHefFileCorrupted, "HailoRT notices only when the resource is fetched");
  }
}

void check_config_words(Findings& f) {
  const Container& c = f.artifact().container();
  const Message& document = f.artifact().document();
  if (c.header.version == 0) return;
  const std::vector<ConfigWrite> writes = config_writes(f.artifact());
  if (c.ccws_declared() == 0 && !writes.empty()) {
    f.error("HEF-0831", document, {},
            fmt::format("the config words are missing: {} actions point at them (was the file stripped?)",
                        writes.size()),
            status::kNone, "such a file can be inspected, but not run");
    return;
  }
  const ConfigCoverage coverage = config_coverage(f.artifact(), writes);
  if (coverage.unreferenced > 0)
    f.info(
        "HEF-0832", document, {},
        fmt::format("{} bytes of config words in {} places are referred to by no action; the first at {:#x}",
                    coverage.unreferenced, coverage.gaps.size(), c.zero_point + coverage.gaps.front().offset),
        "compilers leave such gaps for alignment");
  if (coverage.shared > 0 && !f.model().has_extension(30))
    f.info("HEF-0833", document, {},
           fmt::format("{} bytes of config words are written by more than one action", coverage.shared),
           "extension 30 (CCW_PTR_SQUEEZE) announces that; it is not in force");
}

}  // namespace npubin::hef
