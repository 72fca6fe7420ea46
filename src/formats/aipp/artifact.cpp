#include "formats/aipp/artifact.h"

#include <array>

#include <fmt/format.h>

#include "core/bounded_file.h"
#include "formats/aipp/describe.h"
#include "formats/aipp/findings.h"
#include "formats/aipp/rules.h"

namespace npubin::aipp {
namespace {

Diagnostic diagnostic_of(const ParseFault& fault) {
  return finding(fault.code, fault.where, fault.field, fault.message, fault.hint);
}

// The outermost words of a text, comments skipped: the first is `aipp_op` or `multi_shape_op` in a config.
bool begins_like_text(std::string_view text) {
  const Token first = next_token(text, 0);
  return first.text == "aipp_op" || first.text == "multi_shape_op";
}

}  // namespace

AippArtifact::AippArtifact(Bytes bytes, std::string file_name) {
  bytes_ = std::move(bytes);
  file_name_ = std::move(file_name);
  if (looks_binary(bytes_.span()) && !begins_like_text(bytes_.text())) {
    auto config = parse_binary(bytes_.span());
    if (config) {
      config_ = std::move(*config);
    } else {
      const Error& error = config.error();
      fault_ = ParseFault{error.where, error.code, {}, error.message, error.hint};
    }
    return;
  }
  Parsed parsed = parse_text(bytes_.text());
  config_ = std::move(parsed.config);
  fault_ = std::move(parsed.fault);
}

Result<const Config*> AippArtifact::config() const {
  if (fault_) return malformed(fault_->where, fault_->message, fault_->hint, fault_->code);
  return &config_;
}

void AippArtifact::validate(const CheckOptions& options, Diagnostics& out) const {
  for (const Diagnostic& seen : read_findings_.findings()) out.add(seen);
  if (fault_) {
    out.add(diagnostic_of(*fault_));
    return;
  }
  auto surroundings = surroundings_of(options.context);
  if (!surroundings) {
    const Error& error = surroundings.error();
    out.add(finding("AIP-0505", error.where, {}, error.message, error.hint));
    return;
  }
  if (surroundings->soc.empty()) surroundings->soc = options.target;
  check_config(config_, *surroundings, out);
}

Result<Node> AippArtifact::describe(const DescribeOptions& options) const {
  NPUBIN_TRY(const Config* config, this->config());
  NPUBIN_TRY(const Surroundings surroundings, surroundings_of(options.context));
  return describe_config(*config, surroundings, options);
}

Result<ByteMap> AippArtifact::map() const {
  NPUBIN_TRY(const Config* config, this->config());
  ByteMap out;
  if (config->binary) {
    out.add(0, bytes_.size(), "insert_new_ops", "serialized protobuf");
  } else {
    add_text_spans(*config, bytes_.text(), out);
  }
  out.finish(bytes_.size());
  return out;
}

// The values that are set, however they are spelt: a number an element, as doubles hold all of them exactly.
Result<std::vector<ContentPart>> AippArtifact::contents() const {
  NPUBIN_TRY(const Config* config, this->config());
  std::vector<ContentPart> out;
  const auto add = [&](std::string name, std::uint64_t offset, const auto& numbers) {
    std::vector<std::byte> raw(numbers.size() * sizeof(double));
    for (std::size_t i = 0; i < numbers.size(); ++i)
      store<double>(raw.data() + i * sizeof(double), static_cast<double>(numbers[i]));
    out.push_back({std::move(name), offset, Bytes::own(std::move(raw)), DType::F64, false});
  };
  for (std::size_t i = 0; i < config->blocks.size(); ++i)
    for (const FieldInfo& field : fields()) {
      const FieldValues& values = config->blocks[i].of(field.id);
      if (!values.present()) continue;
      const std::uint64_t offset = values.where.empty() ? 0 : values.where.front().offset;
      std::string name = fmt::format("aipp_op[{}].{}", i, field.name);
      if (field.kind == FieldKind::String)
        out.push_back({std::move(name), offset, Bytes::own(std::string_view(values.text)), {}, false});
      else
        add(std::move(name), offset, values.numbers);
    }
  for (std::size_t i = 0; i < config->shapes.size(); ++i) {
    const MultiShape& shape = config->shapes[i];
    const std::array<double, 2> head{static_cast<double>(shape.mode), static_cast<double>(shape.rank)};
    add(fmt::format("multi_shape_op[{}]", i), shape.where.offset, head);
    add(fmt::format("multi_shape_op[{}].batch_list", i), shape.batch_where.offset, shape.batch_list);
  }
  return out;
}

Confidence sniff(ByteSpan data) {
  constexpr std::size_t kLook = std::size_t{1} << 20;
  const std::string_view text(reinterpret_cast<const char*>(data.data()), std::min(data.size(), kLook));
  const Token first = next_token(text, 0);
  const Token second = next_token(text, first.offset + first.text.size());
  if (first.text == "aipp_op" || first.text == "multi_shape_op")
    return second.text == "{" || second.text == ":" || second.text == "<" || second.text == "["
               ? Confidence::Certain
               : Confidence::Likely;
  if (text.find("aipp_op") != std::string_view::npos && text.find("aipp_mode") != std::string_view::npos)
    return Confidence::Plausible;
  return looks_binary(data) ? Confidence::Plausible : Confidence::No;
}

Result<std::unique_ptr<Artifact>> read(Bytes data, const ReadOptions& options) {
  if (data.size() > kMostTextBytes)
    return io_error({},
                    fmt::format("has {} bytes; an AIPP config has kilobytes, and at most {} are read",
                                data.size(), kMostTextBytes),
                    "is it the right file, and the right --format?");
  return std::make_unique<AippArtifact>(std::move(data), options.file_name);
}

}  // namespace npubin::aipp
