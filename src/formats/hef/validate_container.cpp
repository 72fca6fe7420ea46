// The container and the protobuf as such, in the order in which HailoRT looks at them (hef spec 1).
#include <algorithm>

#include <fmt/format.h>

#include "formats/hef/findings.h"

namespace npubin::hef {
namespace {

constexpr const char* kCopyAgain =
    "copy or download the file again and compare its size and hash with the source";

// HailoRT 5.x looks at nothing but the proto hash of a version 3 file that has one; 4.x at everything else.
std::string skipped_by_5x(const Container& c) {
  return c.header.version == 3 && c.header.proto_xxh3 != 0
             ? "; HailoRT 5.x opens the file all the same, because it checks only the protobuf's hash"
             : "";
}

void check_length(Findings& f, const Container& c) {
  const std::string skipped = skipped_by_5x(c);
  if (c.expected_size == c.file_size) return;
  if (!c.expected_size) {
    f.container(Severity::Error, "HEF-0105", 20, "header.ccws_size",
                fmt::format("the sizes in the header add up to more than 2^64{}", skipped), kCopyAgain,
                status::kHefFileCorrupted);
    return;
  }
  const bool shorter = c.file_size < *c.expected_size;
  f.container(
      Severity::Error, "HEF-0104", std::min(c.file_size, *c.expected_size), {},
      fmt::format("the file has {} bytes, the header promises {}: {} bytes {}{}", c.file_size,
                  *c.expected_size, shorter ? *c.expected_size - c.file_size : c.file_size - *c.expected_size,
                  shorter ? "are missing" : "too many", skipped),
      kCopyAgain, status::kHefFileCorrupted);
}

void check_hashes(Findings& f, const Container& c) {
  const HashReport& hashes = f.artifact().hashes();
  if (hashes.proto == HashStatus::Mismatch)
    f.container(
        Severity::Error, "HEF-0107", 40, "header.proto_xxh3",
        fmt::format("the protobuf's hash is {:016x}, computed {}: the protobuf is damaged (XXH3-64 over "
                    "{}..{})",
                    c.header.proto_xxh3, hashes.proto_computed, c.proto.offset, c.proto.end()),
        kCopyAgain, status::kHefFileCorrupted);
  if (hashes.whole != HashStatus::Mismatch) return;
  const std::uint64_t offset = c.header.version == 0 ? 16 : 12;
  const bool config_only = hashes.proto == HashStatus::Ok && c.expected_size == c.file_size;
  f.container(
      Severity::Error, "HEF-0106", offset, "header.checksum",
      fmt::format("the checksum is {}, computed {}: {} damaged ({} over {}..{}){}", stored_checksum(c),
                  hashes.whole_computed, config_only ? "the config words or the header are" : "the file is",
                  checksum_kind(c.header.version), c.header_size, c.file_size, skipped_by_5x(c)),
      kCopyAgain, status::kHefFileCorrupted);
}

void check_reserved(Findings& f, const Container& c) {
  for (const HeaderField& field : header_fields(c.header.version)) {
    if (!std::string_view(field.name).starts_with("reserved")) continue;
    const ByteSpan bytes = f.artifact().bytes().span().subspan(field.offset, field.size);
    if (std::any_of(bytes.begin(), bytes.end(), [](std::byte b) { return b != std::byte{}; }))
      f.container(Severity::Warning, "HEF-0108", field.offset, fmt::format("header.{}", field.name),
                  "a reserved field of the header is not 0",
                  "nothing reads it; the file may come from a newer tool");
  }
}

void check_padding(Findings& f, const Container& c) {
  if (c.header.padding_size > c.header.ccws_size) {
    f.container(Severity::Error, "HEF-0109", 28, "header.hef_padding_size",
                fmt::format("the padding of {} bytes is larger than the section of {} that holds it",
                            c.header.padding_size, c.header.ccws_size),
                "the header is damaged", status::kHefFileCorrupted);
    return;
  }
  const ByteSpan padding = f.artifact().bytes().span().subspan(c.padding.offset, c.padding.size);
  const auto odd = std::find_if(padding.begin(), padding.end(), [](std::byte b) { return b != std::byte{}; });
  if (odd != padding.end())
    f.container(Severity::Warning, "HEF-0110",
                c.padding.offset + static_cast<std::uint64_t>(odd - padding.begin()), "padding",
                "the padding between protobuf and config words holds data",
                "nothing reads it; compilers write zeros there");
}

}  // namespace

void check_container(Findings& f) {
  const Container& c = f.artifact().container();
  if (c.file_size < kCommonHeaderBytes || (c.header_size != 0 && !c.header_complete)) {
    const Error error = f.artifact().unreadable();
    f.container(Severity::Error, "HEF-0101", c.file_size, "header", error.message, kCopyAgain,
                status::kFileOperationFailure);
    return;
  }
  // The version is looked at before the magic.
  if (c.header_size == 0)
    f.container(
        Severity::Error, "HEF-0102", 4, "header.version",
        fmt::format("header version {} is unknown; versions 0 to {} are", c.header.version, kLastVersion),
        c.header.version == 0x03000000 || c.header.version == 0x02000000 || c.header.version == 0x01000000
            ? "the header was written little-endian; it must be big-endian"
            : "the file is damaged, no HEF, or from a newer compiler",
        status::kHefNotSupported);
  if (c.header.magic != kMagic)
    f.container(Severity::Error, "HEF-0103", 0, "header.magic",
                fmt::format("the magic is {:08x}, not {:08x}{}", c.header.magic, kMagic,
                            c.header_size != 0 ? skipped_by_5x(c) : ""),
                "the file is no HEF, or its beginning was overwritten", status::kHefNotSupported);
  if (c.header_size == 0) return;
  if (c.header.proto_size > 0x7FFFFFFFu)
    f.container(Severity::Error, "HEF-0111", 8, "header.hef_proto_size",
                fmt::format("a protobuf of {} bytes passes the limit of 2^31-1", c.header.proto_size),
                "the header is damaged", status::kHefFileCorrupted);
  if (c.header.proto_size == 0)
    f.container(Severity::Error, "HEF-0111", 8, "header.hef_proto_size", "the protobuf has a size of 0",
                "the header is damaged", status::kHefFileCorrupted);
  check_length(f, c);
  check_padding(f, c);
  check_hashes(f, c);
  check_reserved(f, c);
}

void check_wire(Findings& f) {
  const HefArtifact& artifact = f.artifact();
  if (!artifact.container().header_complete) return;
  const WireReport& wire = artifact.wire();
  const std::string failed = "HailoRT stops with \"Failed parsing HEF file\"";
  if (wire.fault)
    f.wire(Severity::Error, "HEF-0201", wire.fault->offset, wire.fault->path,
           fmt::format("the protobuf cannot be parsed: {}", to_string(wire.fault->kind)), failed,
           status::kHefFileCorrupted);
  if (wire.too_deep)
    f.wire(Severity::Error, "HEF-0202", wire.too_deep->offset, {},
           fmt::format("messages are nested deeper than {}, protobuf's limit", kMaxDepth), failed,
           status::kHefFileCorrupted);
  if (wire.not_utf8)
    f.wire(Severity::Error, "HEF-0203", wire.not_utf8->offset, wire.not_utf8->path, "a string is not UTF-8",
           failed, status::kHefFileCorrupted);
  for (const auto& odd : wire.unknown)
    f.wire(Severity::Warning, "HEF-0204", odd.offset, odd.path,
           fmt::format("field {} of wire type {} is unknown to the schema", odd.number, odd.wire_type),
           "it is kept when the file is written; the file may come from a newer compiler");
  for (const auto& odd : wire.wrong_type)
    f.wire(Severity::Warning, "HEF-0205", odd.offset, odd.path,
           fmt::format("field {} ({}) is written with wire type {}: readers take it for an unknown field",
                       odd.number, odd.field, odd.wire_type),
           "its value does not reach HailoRT, which sees the default");
  for (const auto& odd : wire.doubled)
    f.wire(Severity::Warning, "HEF-0206", odd.offset, odd.path,
           fmt::format(
               "the single message {} occurs more than once: protobuf merges them, npubin reads the last",
               odd.field),
           "compilers write it once");
}

}  // namespace npubin::hef
