// Editing differs by format: one line of the table in edit.cpp each.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "npubin/artifact.h"

namespace npubin::cli {

using KeyValue = std::pair<std::string, std::string>;

// What the command line asks for; an editor refuses what it does not know.
struct EditCommand {
  std::vector<KeyValue> set;             // --set KEY=VALUE
  std::vector<KeyValue> rename_streams;  // --rename-stream OLD=NEW
  std::string op;                        // --op NAME
};

struct EditResult {
  std::vector<std::byte> bytes;
  std::vector<std::string> notes;  // for standard error
};

struct Editor {
  std::string_view format;
  Result<EditResult> (*edit)(const Artifact& artifact, const EditCommand& command);
};

}  // namespace npubin::cli
