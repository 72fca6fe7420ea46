// Facts of the document and of the container; groups follow in facts_groups.cpp.
#include "formats/hef/facts.h"

#include <fmt/format.h>

#include "formats/hef/config_words.h"
#include "formats/hef/facts_groups.h"

namespace npubin::hef {
namespace {

Datum header_facts(const HefArtifact& artifact, bool verify) {
  const Container& c = artifact.container();
  const Header& h = c.header;
  Datum out;
  out.set("magic", fmt::format("{:08x}", h.magic));
  out.set("version", h.version);
  out.set("header_bytes", c.header_size);
  out.set("proto_size", h.proto_size);
  out.set("checksum_kind", checksum_kind(h.version));
  out.set("checksum", stored_checksum(c));
  out.set("proto_checksum", h.version == 3 ? Datum(hex64(h.proto_xxh3)) : Datum());
  out.set("ccws_size", c.ccws_declared());
  out.set("ccws_size_with_padding", h.ccws_size);
  out.set("padding_size", h.padding_size);
  out.set("additional_info_size", h.additional_info_size);
  out.set("zero_point", h.version == 0 ? Datum() : Datum(c.zero_point));
  if (h.version == 3) out.set("hef_hash", hef_hash(h));
  HashReport hashes;
  if (verify) hashes = artifact.hashes();
  if (!verify && h.version == 3 && h.proto_xxh3 != 0) hashes.proto = HashStatus::NotVerified;
  Datum status;
  status.set("whole", to_string(hashes.whole));
  status.set("proto", to_string(hashes.proto));
  out.set("checksum_status", std::move(status));
  out.set("length_expected", c.expected_size ? Datum(*c.expected_size) : Datum());
  out.set("length_ok", c.expected_size == c.file_size);
  return out;
}

Datum extension_facts(const std::vector<Extension>& extensions) {
  Datum out{Datum::Array{}};
  for (const Extension& extension : extensions)
    out.push(Datum().set("type_index", extension.type_index).set("name", extension.name));
  return out;
}

Datum resource_facts(const HefArtifact& artifact, bool verify) {
  Datum out{Datum::Array{}};
  const std::vector<HashStatus> statuses = resource_statuses(artifact, verify);
  for (std::size_t i = 0; i < statuses.size(); ++i) {
    const ExternalResource& resource = artifact.model().external_resources[i];
    out.push(Datum()
                 .set("name", resource.name)
                 .set("offset", resource.offset)
                 .set("size", resource.size)
                 .set("xxhash", hex64(resource.xxhash))
                 .set("xxhash_status", to_string(statuses[i])));
  }
  return out;
}

Datum devices_of(const Model& model) {
  Datum out{Datum::Array{}};
  if (model.architecture != nullptr)
    for (std::string_view device : model.architecture->devices) out.push(device);
  return out;
}

// What a program has to allocate per frame: beyond the conformance cases' facts.
Datum buffer_facts(const Model& model) {
  Datum out{Datum::Array{}};
  for (const NetworkGroup& group : model.groups)
    for (const VStream& v : group.vstreams)
      out.push(Datum()
                   .set("network_group", group.name)
                   .set("vstream", v.name)
                   .set("dtype", to_string(v.type))
                   .set("order", to_string(v.order))
                   .set("bytes_per_frame", v.frame_size));
  return out;
}

bool counts(const ProgramCounts& program, std::string_view kind) {
  for (const auto& [name, times] : program.actions)
    if (name == kind && times > 0) return true;
  for (const auto& [name, times] : program.triggers)
    if (name == kind && times > 0) return true;
  return false;
}

}  // namespace

std::vector<std::string> hailort_5_2_refuses(const Model& model) {
  std::vector<std::string> out;
  if (!model.has_extension(kExtPeriphInHailort))
    out.emplace_back(model.proto_header_version == 0 ? "extension 26 missing (proto header.version 0)"
                                                     : "extension 26 missing");
  auto any = [&](std::string_view kind) {
    for (const NetworkGroup& group : model.groups) {
      if (counts(group.preliminary, kind)) return true;
      for (const Context& context : group.contexts)
        if (counts(context.counts, kind)) return true;
    }
    return false;
  };
  for (const char* kind : {"write_data", "write_compressed_data"})
    if (any(kind)) out.push_back(fmt::format("action {} not implemented", kind));
  if (any("trigger_all_data_was_received")) out.emplace_back("trigger_all_data_was_received not implemented");
  return out;
}

Datum shape_datum(const Shape3& shape) {
  return Datum(Datum::Array{shape.height, shape.width, shape.features});
}

Datum facts(const HefArtifact& artifact, bool verify) {
  const Model& m = artifact.model();
  Datum out;
  out.set("file_size", artifact.bytes().size());
  out.set("header", header_facts(artifact, verify));
  const std::string arch =
      m.architecture != nullptr ? std::string(m.architecture->name) : fmt::format("unknown ({})", m.hw_arch);
  out.set("hw_arch", Datum().set("number", m.hw_arch).set("name", arch));
  out.set("compatible_devices", devices_of(m));
  out.set("sdk_version", m.sdk_version);
  out.set("sdk_version_str", m.sdk_version_str);
  out.set("proto_header_version", m.proto_header_version);
  out.set("timestamp", m.timestamp);
  Datum minimum;
  if (const auto& v = m.strict_runtime_min_version)
    minimum = Datum(fmt::format("{}.{}.{}", (*v)[0], (*v)[1], (*v)[2]));
  out.set("strict_runtime_min_version", std::move(minimum));
  out.set("extensions", extension_facts(m.extensions));
  out.set("optional_extensions", extension_facts(m.optional_extensions));
  out.set("included_features", Datum::array_of(m.included_features));
  out.set("external_resources", resource_facts(artifact, verify));
  out.set("mapping_bytes", m.mapping.size());
  out.set("unknown_fields", artifact.wire().unknown_count > 0);
  out.set("ccws", Datum()
                      .set("write_actions", m.ccws.write_actions)
                      .set("bytes", m.ccws.bytes)
                      .set("max_end", m.ccws.max_end));
  Datum groups{Datum::Array{}};
  for (const NetworkGroup& group : m.groups) groups.push(group_facts(group));
  out.set("network_groups", std::move(groups));
  out.set("buffers", buffer_facts(m));
  out.set("hailort_5_2_refuses", Datum::array_of(hailort_5_2_refuses(m)));
  return out;
}

}  // namespace npubin::hef
