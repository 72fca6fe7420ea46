#include "formats/aipp/message.h"

#include <cmath>

#include <google/protobuf/descriptor.h>

namespace npubin::aipp {
namespace {

namespace pb = google::protobuf;

double number_at(const pb::Message& message, const pb::FieldDescriptor& field, int index) {
  const pb::Reflection& reflection = *message.GetReflection();
  const bool repeated = index >= 0;
  switch (field.cpp_type()) {
    case pb::FieldDescriptor::CPPTYPE_INT32:
      return repeated ? reflection.GetRepeatedInt32(message, &field, index)
                      : reflection.GetInt32(message, &field);
    case pb::FieldDescriptor::CPPTYPE_UINT32:
      return repeated ? reflection.GetRepeatedUInt32(message, &field, index)
                      : reflection.GetUInt32(message, &field);
    case pb::FieldDescriptor::CPPTYPE_FLOAT:
      return static_cast<double>(repeated ? reflection.GetRepeatedFloat(message, &field, index)
                                          : reflection.GetFloat(message, &field));
    case pb::FieldDescriptor::CPPTYPE_BOOL:
      return reflection.GetBool(message, &field) ? 1 : 0;
    case pb::FieldDescriptor::CPPTYPE_ENUM:
      return reflection.GetEnumValue(message, &field);
    default:
      return 0;
  }
}

void set_number(pb::Message& message, const pb::FieldDescriptor& field, double value) {
  const pb::Reflection& reflection = *message.GetReflection();
  const bool repeated = field.is_repeated();
  switch (field.cpp_type()) {
    case pb::FieldDescriptor::CPPTYPE_INT32:
      repeated ? reflection.AddInt32(&message, &field, static_cast<std::int32_t>(value))
               : reflection.SetInt32(&message, &field, static_cast<std::int32_t>(value));
      break;
    case pb::FieldDescriptor::CPPTYPE_UINT32:
      repeated ? reflection.AddUInt32(&message, &field, static_cast<std::uint32_t>(value))
               : reflection.SetUInt32(&message, &field, static_cast<std::uint32_t>(value));
      break;
    case pb::FieldDescriptor::CPPTYPE_FLOAT:
      repeated ? reflection.AddFloat(&message, &field, static_cast<float>(value))
               : reflection.SetFloat(&message, &field, static_cast<float>(value));
      break;
    case pb::FieldDescriptor::CPPTYPE_BOOL:
      reflection.SetBool(&message, &field, value != 0);
      break;
    case pb::FieldDescriptor::CPPTYPE_ENUM:
      reflection.SetEnumValue(&message, &field, static_cast<int>(value));
      break;
    default:
      break;
  }
}

Block block_of(const domi::AippOpParams& message) {
  Block block;
  const pb::Reflection& reflection = *message.GetReflection();
  for (const FieldInfo& info : fields()) {
    const pb::FieldDescriptor& field = *block_descriptor().FindFieldByNumber(static_cast<int>(info.number));
    FieldValues& values = block.of(info.id);
    if (info.kind == FieldKind::String) {
      values.text = reflection.GetString(message, &field);
    } else if (info.repeated) {
      const int count = reflection.FieldSize(message, &field);
      values.numbers.reserve(static_cast<std::size_t>(count));
      for (int i = 0; i < count; ++i) values.numbers.push_back(number_at(message, field, i));
    } else if (const double value = number_at(message, field, -1); value != 0 || std::signbit(value)) {
      values.numbers.push_back(value);
    }
  }
  return block;
}

}  // namespace

const pb::Descriptor& block_descriptor() {
  return *domi::AippOpParams::descriptor();
}
const pb::FieldDescriptor& batch_list_descriptor() {
  return *domi::MultiShapeOpParams::descriptor()->FindFieldByName("batch_list");
}

Config config_of(const domi::InsertNewOps& message) {
  Config out;
  out.blocks.reserve(static_cast<std::size_t>(message.aipp_op_size()));
  for (const domi::AippOpParams& op : message.aipp_op()) out.blocks.push_back(block_of(op));
  for (const domi::MultiShapeOpParams& op : message.multi_shape_op()) {
    MultiShape shape;
    shape.mode = op.mode();
    shape.rank = op.related_input_rank();
    shape.batch_list.assign(op.batch_list().begin(), op.batch_list().end());
    out.shapes.push_back(std::move(shape));
  }
  return out;
}

domi::InsertNewOps message_of(const Config& config) {
  domi::InsertNewOps out;
  for (const Block& block : config.blocks) {
    domi::AippOpParams& op = *out.add_aipp_op();
    for (const FieldInfo& info : fields()) {
      const pb::FieldDescriptor& field = *block_descriptor().FindFieldByNumber(static_cast<int>(info.number));
      if (info.kind == FieldKind::String)
        op.set_related_input_name(block.of(info.id).text);
      else
        for (double value : block.of(info.id).numbers) set_number(op, field, value);
    }
  }
  for (const MultiShape& shape : config.shapes) {
    domi::MultiShapeOpParams& op = *out.add_multi_shape_op();
    op.set_mode(static_cast<domi::MultiShapeOpParams_MultiShapeMode>(shape.mode));
    op.set_related_input_rank(shape.rank);
    for (std::uint32_t batch : shape.batch_list) op.add_batch_list(batch);
  }
  return out;
}

}  // namespace npubin::aipp
