#include <algorithm>

#include <fmt/format.h>

#include "artifact/gaps.h"
#include "ethosu/accelerator.h"
#include "ethosu/listing.h"
#include "formats/npub/document.h"

namespace npubin::npub {
namespace {

constexpr std::uint64_t kVerifyLimit = 64u << 20;  // larger files are verified on request only

std::string hex(std::uint64_t value) {
  return fmt::format("0x{:x}", value);
}

void add_bindings(Node& node, const char* key, const char* title,
                  const std::vector<ethosu::Binding>& bindings) {
  Table& table = node.table(key, {"name", "region", "offset", "shape", "type", "scale", "zero_point"});
  table.title = title;
  for (const ethosu::Binding& b : bindings) {
    const bool quantized = b.quantization.present();
    table.rows.push_back({b.name, b.region, b.offset, Datum::array_of(b.shape), numpy_name(b.type),
                          quantized ? Datum(b.quantization.scale()) : Datum(),
                          quantized ? Datum(static_cast<long long>(b.quantization.zero_point())) : Datum()});
  }
}

bool all_zero(ByteSpan bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](std::byte b) { return b == std::byte{0}; });
}

}  // namespace

Result<Node> Document::describe(const DescribeOptions& options) const {
  if (!header_)
    return malformed(
        Location::at(0),
        fmt::format("the file has {} bytes; the header alone has {}", bytes_.size(), kHeaderBytes),
        "the file is empty or cut off: transfer it again", "NPB-0101");
  const Header& h = *header_;
  Node node("npub");
  node.field("format", "npub", {}, Detail::JsonOnly);
  node.field("file", "RA8P1 NPU job (.npub)", {}, Detail::TextOnly);
  node.field("version", h.version);
  if (truncation())
    node.field_text("total_bytes", h.total_bytes,
                    fmt::format("{} bytes, of which the file has {}", h.total_bytes, bytes_.size()));
  else
    node.field("total_bytes", h.total_bytes, "bytes");
  const auto accelerator = ethosu::accelerator_of(h.accel);
  if (accelerator)
    node.field("accelerator", ethosu::configuration(*accelerator).name);
  else
    node.field_text("accelerator", h.accel, fmt::format("unknown ({})", h.accel));
  node.field_text("checksum", h.checksum, fmt::format("0x{:08x}", h.checksum));
  if (bytes_.size() <= kVerifyLimit || options.verify) {
    const bool fits = h.total_bytes >= kHeaderBytes && h.total_bytes <= bytes_.size();
    const bool good =
        fits && fnv1a(bytes_.span().subspan(kHeaderBytes, h.total_bytes - kHeaderBytes)) == h.checksum;
    node.field_text("checksum_verified", good,
                    good   ? "yes"
                    : fits ? "no: the file is damaged"
                           : "no: the file is cut off");
  } else {
    node.field_text("checksum_verified", nullptr, "not verified (--verify)");
  }
  const auto stand = stand_in();
  node.field("payload", stand ? "stand-in" : is_cop1() ? "cop1" : "raw");
  if (stand) node.field("stand_in", to_string(*stand));
  node.field_text("command_stream_offset", h.cmd_offset, hex(h.cmd_offset));
  node.field("command_stream_bytes", h.cmd_bytes, "bytes");
  node.field("arena_bytes", arena_bytes(), "bytes");
  node.field("arena_alignment", kArenaAlign, "bytes", Detail::Verbose);

  const auto places = arena();
  Table& table = node.table("regions", {"index", "role", "kind", "size", "file_offset", "arena_offset"});
  for (std::size_t i = 0; i < regions_.size(); ++i) {
    const RegionDescriptor& r = regions_[i];
    const auto place =
        std::find_if(places.begin(), places.end(), [i](const ArenaPlace& p) { return p.region == i; });
    table.rows.push_back({i, role_name(r.role), r.baked() ? "baked" : "run-time", r.size,
                          r.baked() ? Datum(r.data_offset) : Datum(),
                          place == places.end() ? Datum() : Datum(place->offset)});
  }
  const auto io_option = options.context.find("io");
  if (auto found = interface(io_option == options.context.end() ? std::string() : io_option->second)) {
    node.field("interface_from", found->source);
    if (!found->model.empty()) node.field("model", found->model);
    if (!found->compiler.empty()) node.field("compiler", found->compiler);
    add_bindings(node, "inputs", "inputs", found->inputs);
    add_bindings(node, "outputs", "outputs", found->outputs);
  } else if (found.error().kind == ErrorKind::Refused && io_option == options.context.end()) {
    node.field_text("interface_from", nullptr,
                    "unknown: give --io FILE, or put " + sidecar_name() + " beside the file");
  } else {
    return Unexpected(std::move(found).error());
  }
  if (!stand) {
    Diagnostics ignored;
    if (auto job = bare_job(ignored)) node.children.push_back(ethosu::summarize_job(*job));
  }
  return node;
}

Result<ByteMap> Document::map() const {
  ByteMap map;
  const std::uint64_t size = bytes_.size();
  if (header_) {
    constexpr const char* kWords[] = {"magic",      "version",   "total_bytes", "region_count",
                                      "cmd_offset", "cmd_bytes", "accel",       "checksum"};
    for (std::size_t i = 0; i < 8; ++i)
      map.add(i * 4, 4, fmt::format("header.{}", kWords[i]), hex(load<std::uint32_t>(bytes_.data() + i * 4)));
    for (std::size_t i = 0; i < regions_.size(); ++i) {
      const RegionDescriptor& r = regions_[i];
      map.add(kHeaderBytes + i * kDescriptorBytes, kDescriptorBytes, fmt::format("regions[{}]", i),
              fmt::format("{}, {}, {} bytes", role_name(r.role), r.baked() ? "baked" : "run-time", r.size));
    }
    if (const Bytes stream = stream_bytes(); stream.size() > 0)
      map.add(header_->cmd_offset, stream.size(), "command_stream",
              stream.size() < header_->cmd_bytes
                  ? fmt::format("cut off: {} of {} bytes", stream.size(), header_->cmd_bytes)
              : stand_in() ? "stand-in"
              : is_cop1()  ? "cop1"
                           : "raw words");
    for (std::size_t i = 0; i < regions_.size(); ++i)
      if (const std::uint64_t left = region_bytes_left(i); left > 0 && left < regions_[i].size)
        map.add(
            regions_[i].data_offset, left, fmt::format("regions[{}].data", i),
            fmt::format("{}, cut off: {} of {} bytes", role_name(regions_[i].role), left, regions_[i].size));
      else if (const Bytes data = region_bytes(i); data.size() > 0)
        map.add(regions_[i].data_offset, data.size(), fmt::format("regions[{}].data", i),
                fmt::format("{}, fnv1a 0x{:08x}", role_name(regions_[i].role), fnv1a(data.span())));
  }
  // Zeros that only align what follows are explained; all else that nothing claims is not.
  for (const MapSpan& span : gaps_of(map.spans(), size))
    if (span.size < 16 && (span.offset + span.size) % 16 == 0 &&
        all_zero(bytes_.span().subspan(span.offset, span.size)))
      map.add(span.offset, span.size, "padding", "to a multiple of 16");
  map.finish(size);
  return map;
}

// The stream, the regions' bytes and descriptors; the header's words are sizes and places, or described.
Result<std::vector<ContentPart>> Document::contents() const {
  NPUBIN_TRY(std::vector<ContentPart> parts, Artifact::contents());
  std::erase_if(parts, [](const ContentPart& part) { return part.name.starts_with("header."); });
  for (ContentPart& part : parts) {
    part.constant = !part.name.ends_with(']');
    // The descriptor's last word is where the data lies.
    if (!part.constant && part.bytes.size() == kDescriptorBytes)
      part.bytes = part.bytes.slice(0, kDescriptorBytes - sizeof(std::uint32_t));
    if (part.name == "command_stream" && part.bytes.size() % 4 == 0) part.type = DType::U32;
  }
  return parts;
}

}  // namespace npubin::npub
