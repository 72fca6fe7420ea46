#include "formats/hef/builder.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "formats/hef/proto_patch.h"

namespace npubin::hef {
namespace {

constexpr std::uint32_t kFirstOpPad = 1000;
constexpr std::uint32_t kOutputPad = 1999;
constexpr std::size_t kWordsPerAction = 1024;

MessageWriter extension_message(std::uint32_t index) {
  MessageWriter out;
  out.number(1, index);
  if (const ExtensionInfo* info = find_extension(index)) out.text(2, info->name);
  return out;
}

MessageWriter base_of(const StreamSpec& spec) {
  const Shape3& padded = spec.padded == Shape3{} ? spec.shape : spec.padded;
  MessageWriter out;
  out.number(1, spec.shape.height).number(2, padded.height);
  out.number(3, spec.shape.width).number(4, padded.width);
  out.number(5, spec.shape.features).number(6, padded.features);
  out.number(7, spec.format).number(8, spec.sys_index);
  out.number(9, std::uint64_t{padded.width} * padded.features * spec.data_bytes);
  out.number(10, padded.height).number(12, spec.data_bytes);
  out.message(13, MessageWriter().number(1, spec.sys_index));
  return out;
}

MessageWriter edge_of(const StreamSpec& spec, std::uint32_t pad) {
  MessageWriter numeric;
  numeric.real32(1, spec.zero_point)
      .real32(2, spec.scale)
      .real32(3, spec.limvals_min)
      .real32(4, spec.limvals_max);
  MessageWriter layer;
  layer.text(1, spec.name)
      .message(2, base_of(spec))
      .message(3, numeric)
      .text(4, spec.name)
      .text(5, spec.name);
  MessageWriter edge;
  edge.number(1, spec.direction == Direction::DeviceToHost ? 1 : 0).number(2, 0).message(3, layer);
  edge.message(5, MessageWriter().number(1, 0)).number(7, pad);
  return edge;
}

}  // namespace

MessageWriter& MessageWriter::number(std::uint32_t field, std::uint64_t value) {
  put_tag(data_, field, 0);
  put_varint(data_, value);
  return *this;
}

MessageWriter& MessageWriter::real32(std::uint32_t field, float value) {
  put_tag(data_, field, 5);
  const auto bits = std::bit_cast<std::uint32_t>(value);
  for (int i = 0; i < 4; ++i) data_.push_back(static_cast<std::byte>(bits >> (8 * i)));
  return *this;
}

MessageWriter& MessageWriter::real64(std::uint32_t field, double value) {
  put_tag(data_, field, 1);
  const auto bits = std::bit_cast<std::uint64_t>(value);
  for (int i = 0; i < 8; ++i) data_.push_back(static_cast<std::byte>(bits >> (8 * i)));
  return *this;
}

MessageWriter& MessageWriter::text(std::uint32_t field, std::string_view value) {
  return bytes(field, {reinterpret_cast<const std::byte*>(value.data()), value.size()});
}

MessageWriter& MessageWriter::bytes(std::uint32_t field, ByteSpan value) {
  put_delimited(data_, field, value);
  return *this;
}

MessageWriter& MessageWriter::message(std::uint32_t field, const MessageWriter& inner) {
  return bytes(field, inner.data());
}

HefBuilder& HefBuilder::header_version(std::uint32_t version) {
  header_version_ = version;
  return *this;
}

HefBuilder& HefBuilder::architecture(std::uint32_t hw_arch) {
  hw_arch_ = hw_arch;
  return *this;
}

HefBuilder& HefBuilder::compiler(std::uint32_t major_number, std::uint32_t minor_number,
                                 std::uint32_t revision) {
  sdk_[0] = major_number;
  sdk_[1] = minor_number;
  sdk_[2] = revision;
  return *this;
}

HefBuilder& HefBuilder::extension(std::uint32_t index) {
  extensions_.push_back(index);
  return *this;
}

HefBuilder& HefBuilder::optional_extension(std::uint32_t index) {
  optional_.push_back(index);
  return *this;
}

HefBuilder& HefBuilder::network(std::string name) {
  name_ = std::move(name);
  return *this;
}

HefBuilder& HefBuilder::stream(StreamSpec spec) {
  streams_.push_back(std::move(spec));
  return *this;
}

HefBuilder& HefBuilder::post_processing(YoloV8Spec spec) {
  op_ = std::move(spec);
  return *this;
}

HefBuilder& HefBuilder::config_words(std::vector<std::byte> words) {
  words_ = std::move(words);
  return *this;
}

std::optional<std::uint32_t> HefBuilder::pad_of(const std::string& name) const {
  for (std::size_t i = 0; i < streams_.size(); ++i)
    if (streams_[i].name == name) return static_cast<std::uint32_t>(i);
  return std::nullopt;
}

MessageWriter HefBuilder::preliminary() const {
  MessageWriter operation;
  operation.message(1, MessageWriter().message(3, MessageWriter()));
  for (std::size_t at = 0; at < words_.size(); at += kWordsPerAction) {
    const std::size_t size = std::min(kWordsPerAction, words_.size() - at);
    MessageWriter pointer;
    pointer.number(1, at).number(2, size);
    operation.message(2, MessageWriter().message(16, pointer));
  }
  return MessageWriter().message(1, operation);
}

MessageWriter HefBuilder::context() const {
  MessageWriter operation;
  operation.message(1, MessageWriter().message(3, MessageWriter()));
  MessageWriter metadata;
  metadata.text(1, name_ + "/context_0");
  for (std::size_t i = 0; i < streams_.size(); ++i) {
    metadata.message(2, edge_of(streams_[i], static_cast<std::uint32_t>(i)));
    if (streams_[i].direction == Direction::HostToDevice)
      operation.message(2, MessageWriter().message(10, MessageWriter().number(1, streams_[i].sys_index)));
  }
  return MessageWriter().message(2, operation).message(3, metadata);
}

MessageWriter HefBuilder::core() const {
  MessageWriter out;
  out.message(1, MessageWriter().text(1, name_).number(5, 1)).message(2, preliminary()).message(3, context());
  if (op_) {
    out.text(4, op_->output);
  } else {
    for (const StreamSpec& spec : streams_)
      if (spec.direction == Direction::DeviceToHost) out.text(4, spec.name);
  }
  out.text(6, name_);
  return out;
}

Result<MessageWriter> HefBuilder::post_processing_op(MessageWriter& group) const {
  MessageWriter specific, op;
  specific.real64(1, op_->image_height).real64(2, op_->image_width);
  std::uint32_t pad = kFirstOpPad;
  op.text(1, op_->name);
  for (const YoloV8Spec::Level& level : op_->levels) {
    const auto reg = pad_of(level.reg), cls = pad_of(level.cls);
    if (!reg || !cls) return usage_error(fmt::format("no streams {} and {} to decode", level.reg, level.cls));
    specific.message(4, MessageWriter().number(1, level.stride).number(2, *reg).number(3, *cls));
    for (const std::uint32_t source : {*reg, *cls}) {
      op.message(2, MessageWriter().number(1, pad).number(3, 2));
      group.message(9, MessageWriter().number(1, source).number(2, pad));
      ++pad;
    }
  }
  op.message(3, MessageWriter().number(1, kOutputPad).text(2, op_->output).number(3, 9));
  MessageWriter nms;
  nms.real64(1, op_->score_threshold).real64(2, op_->iou_threshold);
  nms.number(3, op_->max_proposals_per_class).number(4, op_->classes).message(12, specific);
  return op.message(5, nms);
}

Result<std::vector<std::byte>> HefBuilder::build() const {
  MessageWriter group;
  if (op_) {
    group.message(1, MessageWriter().text(1, name_));
    group.text(4, op_->output);
    group.message(8, MessageWriter().text(1, name_ + "/core").message(4, core()));
    NPUBIN_TRY(const MessageWriter op, post_processing_op(group));
    group.message(8, op);
  } else {
    group = core();
  }
  MessageWriter header, document;
  header.number(1, hw_arch_).number(4, 5);
  header.message(5, MessageWriter().number(1, sdk_[0]).number(2, sdk_[1]).number(3, sdk_[2]));
  document.message(1, header).message(2, group);
  for (std::uint32_t index : extensions_) document.message(5, extension_message(index));
  if (op_)
    for (std::uint32_t index : {kExtNetFlow, std::uint32_t{27}})
      document.message(5, extension_message(index));
  for (std::uint32_t index : optional_) document.message(6, extension_message(index));
  Parts parts;
  parts.version = header_version_;
  parts.proto = document.data();
  parts.ccws = words_;
  return assemble(parts);
}

}  // namespace npubin::hef
