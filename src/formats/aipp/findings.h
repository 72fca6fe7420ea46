// Every finding about AIPP configs: one table, from which stages, vendor codes and docs/diagnostics.md come.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "npubin/artifact.h"
#include "npubin/diagnostics.h"

namespace npubin::aipp {

struct FindingFacts {
  std::string_view code;
  std::string_view rule;  // short name: "crop-outside"
  Severity severity;
  Stage stage;
  std::string_view vendor;  // the vendor's code where it would refuse
};
// nullptr for an unknown code.
const FindingFacts* finding_facts(std::string_view code);
std::span<const FindingFacts> finding_table();
// Titles, reasons and remedies, in the same order.
std::span<const DiagnosticCode> finding_texts();

// A Diagnostic with severity, stage and vendor code from the table.
Diagnostic finding(std::string_view code, Location where, std::string field, std::string message,
                   std::string hint);

}  // namespace npubin::aipp
