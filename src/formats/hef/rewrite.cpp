#include "formats/hef/rewrite.h"

#include <algorithm>

#include <fmt/format.h>

#include "formats/hef/proto_patch.h"

namespace npubin::hef {
namespace {

Result<void> intact(const HefArtifact& artifact) {
  if (!artifact.readable()) return fail(artifact.unreadable());
  const Container& c = artifact.container();
  if (c.header.magic != kMagic || c.expected_size != c.file_size ||
      c.header.padding_size > c.header.ccws_size)
    return malformed(Location::at(0, "header"), "the file is damaged: its header and its size disagree",
                     "`npubin check` lists every finding; a damaged file is not rewritten", "HEF-0104");
  const HashReport& hashes = artifact.hashes();
  if (hashes.whole == HashStatus::Mismatch || hashes.proto == HashStatus::Mismatch)
    return malformed(Location::at(12, "header.checksum"), "the file is damaged: its checksum is wrong",
                     "rewriting would hide the damage behind a new checksum", "HEF-0106");
  return {};
}

Parts parts_of(const HefArtifact& artifact) {
  const Container& c = artifact.container();
  const ByteSpan file = artifact.bytes().span();
  Parts parts;
  parts.version = c.header.version;
  const ByteSpan proto = file.subspan(c.proto.offset, c.proto.size);
  parts.proto.assign(proto.begin(), proto.end());
  parts.ccws = file.subspan(c.ccws.offset, c.ccws.size);
  parts.additional = file.subspan(c.additional.offset, c.additional.size);
  parts.proto_hash = c.header.proto_xxh3 != 0;
  parts.reserved = c.header.reserved;
  // Compilers align the config words to pages; a file that does not keeps its padding.
  const bool aligned = c.zero_point % 4096 == 0 || c.header.version != 3;
  parts.zero_point_alignment = aligned ? 4096 : 1;
  parts.keep_padding = c.header.padding_size;
  return parts;
}

}  // namespace

Result<std::vector<std::byte>> reassemble(const HefArtifact& artifact, std::vector<std::byte> proto) {
  NPUBIN_CHECK(intact(artifact));
  Parts parts = parts_of(artifact);
  parts.proto = std::move(proto);
  return assemble(parts);
}

Result<Rewritten> rewrite_header_version(const HefArtifact& artifact, std::uint32_t version) {
  NPUBIN_CHECK(intact(artifact));
  const Container& c = artifact.container();
  if (version > kLastVersion)
    return usage_error(fmt::format("there is no header version {}", version), "versions 0 to 3 exist");
  const std::uint32_t own = c.header.version;
  if (version == own) {
    const ByteSpan file = artifact.bytes().span();
    return Rewritten{{file.begin(), file.end()},
                     {fmt::format("the file has header version {} already", own)}};
  }
  if (own == 0 || version == 0)
    return refused(
        fmt::format("header version {} cannot become {}: version 0 has its config words inside the protobuf, "
                    "the others in a section of their own",
                    own, version),
        "compile the model with the compiler of that age");
  if (version < 3 && !artifact.model().external_resources.empty())
    return refused(fmt::format("header version {} has no room for external resources", version));
  Rewritten out;
  Parts parts = parts_of(artifact);
  parts.version = version;
  parts.reserved = {};
  parts.proto_hash = true;
  parts.zero_point_alignment = 4096;
  if (version < 3 && !parts.additional.empty()) {
    const bool zeros = std::all_of(parts.additional.begin(), parts.additional.end(),
                                   [](std::byte b) { return b == std::byte{}; });
    if (!zeros) return refused(fmt::format("header version {} has no room for additional info", version));
    out.notes.push_back(
        fmt::format("{} zero bytes of additional info were dropped", parts.additional.size()));
    parts.additional = {};
  }
  NPUBIN_TRY(out.bytes, assemble(parts));
  out.notes.push_back(fmt::format("header version {} became {}: read from HailoRT {} on", own, version,
                                  to_string(first_release_of_header(version))));
  return out;
}

Result<Rewritten> strip(const HefArtifact& artifact) {
  NPUBIN_CHECK(intact(artifact));
  Rewritten out;
  const Message& document = artifact.document();
  ProtoPatch patch(document);
  if (const auto mapping = document.find("mapping")) {
    patch.remove(*mapping);
    out.notes.push_back(fmt::format("mapping graph dropped ({} bytes)", mapping->payload.size()));
  }
  std::uint64_t inline_bytes = 0;
  for_each_nested(document, [&](const Message& message, const FieldSchema& schema, const WireField& wire) {
    const bool config = message.schema()->name == "ProtoHEFActionWriteDataCcw" ||
                        message.schema()->name == "ProtoHEFActionWriteCompressedData" ||
                        message.schema()->name == "ProtoHEFActionWriteData";
    if (schema.type == FieldType::Bytes && config && !wire.payload.empty()) {
      inline_bytes += wire.payload.size();
      patch.set_bytes(wire, {});
    }
    if (message.schema() == document.schema() && schema.name == "external_resources") {
      patch.remove(wire);
      out.notes.push_back("external resource dropped: " +
                          std::string(Message::of(schema, wire).text("name")));
    }
  });
  if (inline_bytes > 0)
    out.notes.push_back(fmt::format("{} bytes of inline config words dropped", inline_bytes));
  Parts parts = parts_of(artifact);
  if (!parts.ccws.empty())
    out.notes.push_back(fmt::format("{} bytes of config words dropped", parts.ccws.size()));
  parts.ccws = {};
  if (!artifact.model().external_resources.empty()) parts.additional = {};
  parts.proto = patch.apply();
  NPUBIN_TRY(out.bytes, assemble(parts));
  out.notes.emplace_back(
      "names, shapes, thresholds and the program are still inside; the result cannot be run");
  return out;
}

}  // namespace npubin::hef
