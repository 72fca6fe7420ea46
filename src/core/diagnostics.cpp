#include "npubin/diagnostics.h"

#include <array>

namespace npubin {

void Diagnostics::add(Diagnostic diagnostic) {
  ++counts_[static_cast<std::size_t>(diagnostic.severity)];
  if (findings_.size() >= kMaxFindings) {
    ++dropped_;
    return;
  }
  findings_.push_back(std::move(diagnostic));
}

void Diagnostics::add(Severity severity, std::string code, Location where, std::string message,
                      std::string hint) {
  Diagnostic d;
  d.severity = severity;
  d.code = std::move(code);
  d.where = std::move(where);
  d.message = std::move(message);
  d.hint = std::move(hint);
  add(std::move(d));
}

void Diagnostics::error(std::string code, Location where, std::string message, std::string hint) {
  add(Severity::Error, std::move(code), std::move(where), std::move(message), std::move(hint));
}
void Diagnostics::warn(std::string code, Location where, std::string message, std::string hint) {
  add(Severity::Warning, std::move(code), std::move(where), std::move(message), std::move(hint));
}
void Diagnostics::info(std::string code, Location where, std::string message, std::string hint) {
  add(Severity::Info, std::move(code), std::move(where), std::move(message), std::move(hint));
}

void Diagnostics::add(const Error& error, Stage stage) {
  Diagnostic d;
  d.code = error.code;
  d.where = error.where;
  d.message = error.message;
  d.hint = error.hint;
  d.stage = stage;
  add(std::move(d));
}

std::string_view to_string(Severity severity) {
  constexpr std::array<std::string_view, 3> kNames{"info", "warning", "error"};
  return kNames[static_cast<std::size_t>(severity)];
}

std::string_view to_string(Stage stage) {
  constexpr std::array<std::string_view, 10> kNames{"",   "container", "wire", "semantic", "parse",
                                                    "ge", "op",        "lint", "loader",   "stream"};
  return kNames[static_cast<std::size_t>(stage)];
}

}  // namespace npubin
