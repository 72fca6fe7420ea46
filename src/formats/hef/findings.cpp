#include "formats/hef/findings.h"

#include <fmt/format.h>

namespace npubin::hef {
namespace {

Diagnostic diagnostic(Severity severity, std::string_view code, Location where, std::string message,
                      std::string hint, Stage stage, Status vendor) {
  Diagnostic out;
  out.severity = severity;
  out.code = code;
  out.where = std::move(where);
  out.message = std::move(message);
  out.hint = std::move(hint);
  out.stage = stage;
  if (vendor.name != nullptr) out.vendor = {vendor.name, fmt::format("{}", vendor.number)};
  return out;
}

}  // namespace

void Findings::container(Severity severity, std::string_view code, std::uint64_t offset, std::string field,
                         std::string message, std::string hint, Status vendor) {
  Location where;
  where.offset = offset;
  where.path = std::move(field);
  out_.add(diagnostic(severity, code, std::move(where), std::move(message), std::move(hint), Stage::Container,
                      vendor));
}

void Findings::wire(Severity severity, std::string_view code, std::uint64_t offset, std::string path,
                    std::string message, std::string hint, Status vendor) {
  out_.add(diagnostic(severity, code, Location::at(offset, std::move(path)), std::move(message),
                      std::move(hint), Stage::Wire, vendor));
}

void Findings::semantic(Severity severity, std::string_view code, const Message& where,
                        std::string_view field, std::string message, std::string hint, Status vendor) {
  constexpr int kPaths = 200;
  Location place;
  const std::uint64_t offset = field.empty() ? where.offset() : where.offset_of(field);
  place.offset = offset;
  if (paths_++ < kPaths) {
    // The byte before a message's content is its length, which belongs to nothing inside.
    place.path = path_at(artifact_.document(), where.offset() - 1);
    if (!field.empty()) place.path += (place.path.empty() ? "" : ".") + std::string(field);
  }
  out_.add(diagnostic(severity, code, std::move(place), std::move(message), std::move(hint), Stage::Semantic,
                      vendor));
}

void Findings::error(std::string_view code, const Message& where, std::string_view field, std::string message,
                     Status vendor, std::string hint) {
  semantic(Severity::Error, code, where, field, std::move(message), std::move(hint), vendor);
}

void Findings::warn(std::string_view code, const Message& where, std::string_view field, std::string message,
                    std::string hint, Status vendor) {
  semantic(Severity::Warning, code, where, field, std::move(message), std::move(hint), vendor);
}

void Findings::info(std::string_view code, const Message& where, std::string_view field, std::string message,
                    std::string hint) {
  semantic(Severity::Info, code, where, field, std::move(message), std::move(hint), status::kNone);
}

}  // namespace npubin::hef
