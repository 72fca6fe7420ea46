// npubin inspect of a HEF. JSON carries the facts under "hef"; the text is laid out for people.
#include <fmt/format.h>

#include "formats/hef/compatibility.h"
#include "formats/hef/facts.h"
#include "formats/hef/listing.h"

namespace npubin::hef {

std::vector<std::string> derived_paths() {
  std::vector<std::string> out{"hef.file_size", "hef.buffers"};
  for (const char* field :
       {"proto_size", "checksum", "proto_checksum", "ccws_size_with_padding", "padding_size", "zero_point",
        "hef_hash", "checksum_status", "length_expected", "length_ok"})
    out.push_back(std::string("hef.header.") + field);
  return out;
}

Result<Node> HefArtifact::describe(const DescribeOptions& options) const {
  if (!readable()) return fail(unreadable());
  Node root;
  if (options.style == "parse-hef") {
    root.lines = parse_hef_lines(*this);
    return root;
  }
  if (!options.style.empty())
    return usage_error(fmt::format("--style {} is not for a HEF", options.style), "parse-hef is");
  NPUBIN_TRY(const std::string answer, answer_for(*this, options.context));
  if (!answer.empty()) root.field("answer", answer);
  constexpr std::uint64_t kVerifyBelow = std::uint64_t{64} << 20;
  const bool verify = options.verify || bytes_.size() < kVerifyBelow;
  root.field("format", "hef", {}, Detail::JsonOnly);
  if (options.json) root.field("hef", facts(*this, verify), {}, Detail::JsonOnly);
  root.children.push_back(describe_file(*this, verify));
  for (const NetworkGroup& group : model_.groups) root.children.push_back(describe_group(*this, group));
  if (auto mapping = describe_mapping(*this)) root.children.push_back(std::move(*mapping));
  return root;
}

}  // namespace npubin::hef
