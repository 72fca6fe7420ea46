// A verb of the command line: one file in this folder, one line in verbs.cpp.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options.h"

#include "npubin/artifact.h"
#include "npubin/describe.h"
#include "npubin/result.h"
#include "render/text.h"

namespace npubin::cli {

// What a verb decided to do once its options are known; returns the exit code.
using Action = std::function<int()>;

struct Verb {
  std::string_view name;
  std::string_view summary;   // one line of `npubin --help`
  std::string_view examples;  // shown at the end of `npubin VERB --help`
  // Declares the options on `app` and arranges for `action` to be set when the verb was chosen.
  void (*define)(OptionSet& app, Action& action);
};

const std::vector<Verb>& verbs();

// Exit codes, see DESIGN: 0 fine, 1 findings or differences, 2 usage, 3 cannot be opened, read or done.
enum ExitCode : int { kFine = 0, kFound = 1, kUsage = 2, kFailed = 3 };

// The command that runs: report() answers in its manner. Set once by main, before the verb runs.
struct Invocation {
  std::string verb;   // "inspect", "aipp.compare"; empty where there is none
  bool json = false;  // an error is an object on standard output as well
};
void set_invocation(Invocation invocation);

// Prints an error to standard error and gives its exit code.
int tell(const Error& error);
// tell(), and with --json, {"schema": "npubin.<verb>/1",
// "error": {...}} goes to standard output as well: whoever reads it is never left with an empty stream.
int report(const Error& error);

// Standard output is a terminal and NO_COLOR is not set.
bool want_colour();
// Standard error is a terminal: progress may be shown.
bool want_progress();
render::TextOptions text_options(int verbosity = 0);

// Writes to standard output. Error: Io (a full disk, a closed pipe).
Result<void> print(std::string_view text);
// Prints a node as text or JSON. In JSON, {"schema": "npubin.<verb>/1"} comes first.
// `refusal`: why it came to nothing, in JSON under "error"; telling it is the caller's.
int print_report(const std::string& schema, const Node& node, bool json, int verbosity,
                 const Error* refusal = nullptr);

// Where the file is truncated: says so on standard error, and gives kFound; what is there is shown all the
// same. kFine otherwise.
int report_truncation(const Artifact& artifact);
// {"size", "expected", "missing", "announced_by"} for --json; null where the file is whole.
Datum truncation_datum(const Artifact& artifact);

// Options that several verbs share.
struct FileOptions {
  std::string file;
  std::string format;  // --format
  std::string layout;  // --layout
  bool json = false;
  int verbosity = 0;

  void add_file(OptionSet& app);
  // For the verbs to which it makes a difference.
  void add_layout(OptionSet& app, const std::string& help =
                                      "HEF for Hailo-8L or 15M: which partial layout (default: the lowest)");
  void add_json(OptionSet& app);
  void add_verbosity(OptionSet& app);
  std::optional<std::string> forced_format() const;
  Result<std::unique_ptr<Artifact>> open() const;
  Result<std::unique_ptr<Artifact>> open(const std::string& path) const;
  // Opens, and refuses options that were given and mean nothing for the file's format (foreign_options.h).
  Result<std::unique_ptr<Artifact>> open_for(std::string_view verb, const OptionSet& options) const;
};

// Surroundings of a check or an inspection (AIPP): --soc, --network-shape, ...
struct ContextOptions {
  std::multimap<std::string, std::string> values;
  void add(OptionSet& app);
};

}  // namespace npubin::cli
