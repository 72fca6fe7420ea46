#include "formats/hef/document.h"

#include <charconv>

#include <fmt/format.h>

namespace npubin::hef {
namespace {

// --layout: a bitmap in decimal or, with 0x, in hexadecimal.
Result<std::optional<std::uint32_t>> parse_layout(const ReadOptions& options) {
  if (!options.layout || options.layout->empty()) return std::optional<std::uint32_t>{};
  std::string_view text = *options.layout;
  const bool hex = text.starts_with("0x");
  if (hex) text.remove_prefix(2);
  std::uint32_t value = 0;
  const auto [end, bad] = std::from_chars(text.data(), text.data() + text.size(), value, hex ? 16 : 10);
  if (bad != std::errc() || end != text.data() + text.size())
    return usage_error(fmt::format("--layout {} is not a layout bitmap", *options.layout),
                       "give a number such as 1 or 0x3");
  return std::optional<std::uint32_t>{value};
}

Result<void> layout_exists(const Model& model, std::uint32_t layout) {
  std::string known;
  for (const NetworkGroup& group : model.groups)
    for (std::uint32_t bitmap : group.partial_layouts) {
      if (bitmap == layout) return {};
      known += fmt::format("{}{}", known.empty() ? "" : ", ", bitmap);
    }
  return usage_error(
      fmt::format("the file has no partial layout {}", layout),
      known.empty() ? "it has no partial layouts at all: leave --layout out" : "its layouts are " + known);
}

}  // namespace

HefArtifact::HefArtifact(Bytes data, const ReadOptions& options) {
  bytes_ = std::move(data);
  file_name_ = options.file_name;
  container_ = read_container(bytes_.span());
  if (!container_.header_complete) return;
  const Section& proto = container_.proto;
  document_ = Message(&document_schema(), bytes_.span().subspan(proto.offset, proto.size), proto.offset);
  wire_ = walk(document_);
}

Result<std::unique_ptr<Artifact>> HefArtifact::read(Bytes data, const ReadOptions& options) {
  NPUBIN_TRY(const std::optional<std::uint32_t> layout, parse_layout(options));
  auto out = std::make_unique<HefArtifact>(std::move(data), options);
  if (out->readable()) {
    out->model_ = derive_model(out->document_, layout);
    if (layout) NPUBIN_CHECK(layout_exists(out->model_, *layout));
  }
  return std::unique_ptr<Artifact>(std::move(out));
}

std::optional<Truncation> HefArtifact::truncation() const {
  const Container& c = container_;
  if (!c.header_complete) {
    // Of an unknown version it is not known how long its header should be.
    const std::uint64_t wanted = c.header_size != 0 ? c.header_size : kCommonHeaderBytes;
    if (c.file_size >= wanted) return std::nullopt;
    return Truncation{c.file_size, wanted, "the header alone"};
  }
  if (!c.expected_size || *c.expected_size <= c.file_size) return std::nullopt;
  return Truncation{c.file_size, *c.expected_size, "by the sizes in the header"};
}

const HashReport& HefArtifact::hashes() const {
  std::call_once(hashes_once_, [this] { hashes_ = verify_hashes(container_, bytes_.span()); });
  return hashes_;
}

Error HefArtifact::unreadable() const {
  Error error;
  error.kind = ErrorKind::Malformed;
  error.hint = "`npubin check` lists every finding";
  const Container& c = container_;
  if (c.file_size < kCommonHeaderBytes) {
    error.code = "HEF-0101";
    error.where.offset = c.file_size;
    error.message = fmt::format("the file ends after {} bytes, inside the header", c.file_size);
  } else if (c.header_size == 0) {
    error.code = "HEF-0102";
    error.where = Location::at(4, "header.version");
    error.message =
        fmt::format("header version {} is unknown; versions 0 to {} are", c.header.version, kLastVersion);
  } else if (!c.header_complete) {
    error.code = "HEF-0101";
    error.where.offset = c.file_size;
    error.message = fmt::format("the file ends after {} bytes, inside the header of {} bytes", c.file_size,
                                c.header_size);
  } else if (!c.proto_complete()) {
    error.code = "HEF-0104";
    error.where = Location::at(8, "header.hef_proto_size");
    error.message =
        fmt::format("the protobuf of {} bytes is cut off after {}", c.header.proto_size, c.proto.size);
  } else {
    error.code = "HEF-0201";
    error.message = "the protobuf cannot be parsed";
    const WireReport::Fault* fault = wire_.fault      ? &*wire_.fault
                                     : wire_.too_deep ? &*wire_.too_deep
                                     : wire_.not_utf8 ? &*wire_.not_utf8
                                                      : nullptr;
    if (fault != nullptr) error.where = Location::at(fault->offset, fault->path);
    if (wire_.fault) error.message += fmt::format(": {}", to_string(wire_.fault->kind));
    if (!wire_.fault && wire_.too_deep) error.message += fmt::format(": nested deeper than {}", kMaxDepth);
    if (!wire_.fault && !wire_.too_deep && wire_.not_utf8) error.message += ": a string is not UTF-8";
  }
  return error;
}

std::optional<ByteSpan> resource_bytes(const HefArtifact& artifact, const ExternalResource& resource) {
  const ByteSpan file = artifact.bytes().span();
  const auto start = checked_add(artifact.container().zero_point, resource.offset);
  const auto end = start ? checked_add(*start, resource.size) : std::nullopt;
  if (!end || *end > file.size()) return std::nullopt;
  return file.subspan(*start, resource.size);
}

HashStatus resource_status(const HefArtifact& artifact, const ExternalResource& resource, bool verify) {
  if (resource.xxhash == 0) return HashStatus::Absent;
  if (!verify) return HashStatus::NotVerified;
  const auto bytes = resource_bytes(artifact, resource);
  return bytes && xxh3_of(*bytes) == resource.xxhash ? HashStatus::Ok : HashStatus::Mismatch;
}

Confidence sniff(ByteSpan data) {
  if (data.size() < kCommonHeaderBytes) return Confidence::No;
  const Container c = read_container(data);
  if (c.header.magic == kMagic) return Confidence::Certain;
  // A wrong magic over a header that adds up to the file's size.
  if (c.header_complete && c.expected_size == data.size() && c.header.proto_size > 0)
    return Confidence::Likely;
  return Confidence::No;
}

Format format_entry() {
  return {"hef", "Hailo executable (HEF)", {".hef"}, sniff, HefArtifact::read, diagnostic_codes()};
}

}  // namespace npubin::hef
