// One trigger or action as a line of the listing (hef spec 5).
#pragma once

#include <map>
#include <string>

#include "formats/hef/document.h"

namespace npubin::hef {

struct Instruction {
  std::string kind;      // name in the schema: "enable_lcu"
  std::string mnemonic;  // "lcu.on"
  std::string operands;
  std::string comment;  // names resolved, first words
  std::uint64_t config_bytes = 0;
};

// What the listing needs to know beside the action itself.
struct ListingContext {
  const HefArtifact& artifact;
  const NetworkGroup& group;
  // Names by stream index: edge layers of the context first, then the group's streams.
  std::map<std::uint32_t, std::string> inputs, outputs;
};
// `context`: nullptr for the preliminary configuration.
ListingContext listing_context(const HefArtifact& artifact, const NetworkGroup& group,
                               const Context* context);

Instruction trigger_of(const ListingContext& at, const Message& trigger);
Instruction action_of(const ListingContext& at, const Message& action);

}  // namespace npubin::hef
