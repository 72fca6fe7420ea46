// Config words: which action writes which bytes, and what no action writes.
#pragma once

#include <vector>

#include "formats/hef/document.h"

namespace npubin::hef {

struct ConfigWrite {
  std::uint64_t offset = 0;  // from the zero point
  std::uint64_t size = 0;
  std::string
      where;  // "alpha.preliminary", "alpha.context[0]"; partial layouts: "alpha.layout[2].context[0]"
};
// Pointer actions that lie inside the config section, in file order, for all groups and layouts.
std::vector<ConfigWrite> config_writes(const HefArtifact& artifact);

struct ConfigCoverage {
  std::vector<Section> gaps;  // relative to the zero point
  std::uint64_t unreferenced = 0;
  std::uint64_t shared = 0;  // bytes written by several actions of one core
};
ConfigCoverage config_coverage(const HefArtifact& artifact, std::vector<ConfigWrite> writes);

// The hash of every external resource against its bytes. Resources that together are far larger than the file
// (they overlap) stay unverified: a hostile file must not cost more than a few passes over it.
std::vector<HashStatus> resource_statuses(const HefArtifact& artifact, bool verify);

}  // namespace npubin::hef
