// Diagnostics: what a reader or a validator noticed about a file. Collected, never printed.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "npubin/export.h"
#include "npubin/result.h"

namespace npubin {

enum class Severity : std::uint8_t { Info, Warning, Error };

// Which pass found it. The names are those of `check --json`.
enum class Stage : std::uint8_t { None, Container, Wire, Semantic, Parse, Ge, Op, Lint, Loader, Stream };

// What the vendor's own tool would say, where that is known.
struct VendorStatus {
  std::string name;  // e.g. "HAILO_HEF_FILE_CORRUPTED"
  std::string code;  // e.g. "91"
};

struct Diagnostic {
  Severity severity = Severity::Error;
  std::string code;  // stable, documented in docs/diagnostics.md: "HEF-0103"
  Location where;
  std::string message;  // what is wrong, with the numbers
  std::string hint;     // remedy; may be empty
  std::string field;    // the field of the format that is concerned, e.g. "mean_chn_0"; may be empty
  Stage stage = Stage::None;
  VendorStatus vendor;
};

// An ordered collection of findings with counts by severity. A bound keeps a hostile file from filling
// memory: after kMaxFindings further ones are only counted.
class NPUBIN_API Diagnostics {
 public:
  static constexpr std::size_t kMaxFindings = 10000;

  void add(Diagnostic diagnostic);
  void add(Severity severity, std::string code, Location where, std::string message, std::string hint = {});
  void error(std::string code, Location where, std::string message, std::string hint = {});
  void warn(std::string code, Location where, std::string message, std::string hint = {});
  void info(std::string code, Location where, std::string message, std::string hint = {});
  // Records an Error (a reader's refusal) as a finding of severity Error.
  void add(const npubin::Error& error, Stage stage = Stage::None);

  const std::vector<Diagnostic>& findings() const { return findings_; }
  std::size_t count(Severity severity) const { return counts_[static_cast<std::size_t>(severity)]; }
  std::size_t dropped() const { return dropped_; }
  bool has_errors() const { return count(Severity::Error) > 0; }
  bool has_warnings() const { return count(Severity::Warning) > 0; }

 private:
  std::vector<Diagnostic> findings_;
  std::size_t counts_[3] = {};
  std::size_t dropped_ = 0;
};

NPUBIN_API std::string_view to_string(Severity severity);
NPUBIN_API std::string_view to_string(Stage stage);

}  // namespace npubin
