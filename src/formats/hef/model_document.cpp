// The document's own statements: header, extensions, resources; then its groups.
#include <algorithm>

#include <fmt/format.h>

#include "formats/hef/model_build.h"

namespace npubin::hef {
namespace {

std::vector<Extension> extensions_of(const Message& document, std::string_view field) {
  std::vector<Extension> out;
  for (const Message& message : document.messages(field))
    out.push_back({message.u32("type_index"), std::string(message.text("name"))});
  return out;
}

void read_header(Model& model, const Message& header) {
  model.hw_arch = header.u32("hw_arch");
  model.architecture = find_architecture(model.hw_arch);
  const Message sdk = header.message("sdk_version");
  model.sdk = {sdk.u32("sdk_version_major"), sdk.u32("sdk_version_minor"), sdk.u32("sdk_version_revision")};
  model.sdk_version = fmt::format("{}.{}.{}", model.sdk[0], model.sdk[1], model.sdk[2]);
  model.sdk_version_str = header.text("sdk_version_str");
  model.proto_header_version = header.u64("version");
  model.timestamp = header.u64("timestamp");
  if (const Message strict = header.message("strict_runtime_min_version"); strict.present())
    model.strict_runtime_min_version = {strict.u32("runtime_min_version_major"),
                                        strict.u32("runtime_min_version_minor"),
                                        strict.u32("runtime_min_version_patch")};
}

bool contains(const std::vector<Extension>& list, std::uint32_t index) {
  return std::any_of(list.begin(), list.end(), [&](const Extension& e) { return e.type_index == index; });
}

}  // namespace

bool Model::has_extension(std::uint32_t index) const {
  if (proto_header_version == 0) {
    constexpr std::string_view kFeatures[] = {"abbale",
                                              "posted_writes",
                                              "ddr",
                                              "padded_ddr_buffers",
                                              "is_multi_context",
                                              "compressed_params",
                                              "transpose_component"};
    return index < std::size(kFeatures) && std::find(included_features.begin(), included_features.end(),
                                                     kFeatures[index]) != included_features.end();
  }
  return contains(extensions, index);
}

bool Model::has_optional_extension(std::uint32_t index) const {
  return proto_header_version != 0 && contains(optional_extensions, index);
}

Model derive_model(const Message& document, std::optional<std::uint32_t> layout) {
  Model model;
  read_header(model, document.message("header"));
  model.extensions = extensions_of(document, "extensions");
  model.optional_extensions = extensions_of(document, "optional_extensions");
  const Message features = document.message("included_features");
  if (features.schema() != nullptr)
    for (const FieldSchema& field : features.schema()->fields)
      if (features.flag(field.name)) model.included_features.push_back(field.name);
  for (const Message& resource : document.messages("external_resources"))
    model.external_resources.push_back({std::string(resource.text("name")), resource.u64("offset"),
                                        resource.u64("size"), resource.u64("xxhash")});
  if (const auto mapping = document.find("mapping")) {
    model.mapping = mapping->payload;
    model.mapping_offset = mapping->value_offset;
  }
  model.ccws = count_ccws(document);
  for (const Message& message : document.messages("network_groups")) {
    if (model.groups.size() >= kMaxGroups) break;
    NetworkGroup group = derive_group(model, message, layout);
    derive_streams(model, group);
    derive_ops(group);
    derive_vstreams(model, group);
    model.groups.push_back(std::move(group));
  }
  std::stable_sort(model.groups.begin(), model.groups.end(),
                   [](const NetworkGroup& a, const NetworkGroup& b) { return a.name < b.name; });
  return model;
}

}  // namespace npubin::hef
