#include "formats/hef/schema.h"

#include <algorithm>
#include <map>
#include <memory>

#include <google/protobuf/descriptor.h>

#include "schema/hef.pb.h"

namespace npubin::hef {
namespace {

namespace pb = google::protobuf;

FieldType type_of(const pb::FieldDescriptor& field) {
  switch (field.cpp_type()) {
    case pb::FieldDescriptor::CPPTYPE_UINT32:
      return FieldType::UInt32;
    case pb::FieldDescriptor::CPPTYPE_UINT64:
    case pb::FieldDescriptor::CPPTYPE_INT64:
      return FieldType::UInt64;
    case pb::FieldDescriptor::CPPTYPE_INT32:
      return FieldType::Int32;
    case pb::FieldDescriptor::CPPTYPE_BOOL:
      return FieldType::Bool;
    case pb::FieldDescriptor::CPPTYPE_ENUM:
      return FieldType::Enum;
    case pb::FieldDescriptor::CPPTYPE_FLOAT:
      return FieldType::Float;
    case pb::FieldDescriptor::CPPTYPE_DOUBLE:
      return FieldType::Double;
    case pb::FieldDescriptor::CPPTYPE_STRING:
      return field.type() == pb::FieldDescriptor::TYPE_BYTES ? FieldType::Bytes : FieldType::String;
    case pb::FieldDescriptor::CPPTYPE_MESSAGE:
      return FieldType::Message;
  }
  return FieldType::Bytes;
}

// All messages and enumerations that can be reached from the document, with stable addresses.
class Tables {
 public:
  Tables() : root_(message(*ProtoHEFHef::descriptor())) {}
  const MessageSchema& root() const { return *root_; }

 private:
  // The schema is recursive (mux layers, partial core ops): an entry is registered before its fields are
  // read.
  const MessageSchema* message(const pb::Descriptor& descriptor) {
    auto& slot = messages_[&descriptor];
    if (slot) return slot.get();
    slot = std::make_unique<MessageSchema>();
    MessageSchema* out = slot.get();
    out->name = descriptor.name();
    for (int i = 0; i < descriptor.field_count(); ++i) out->fields.push_back(field(*descriptor.field(i)));
    std::sort(out->fields.begin(), out->fields.end(),
              [](const FieldSchema& a, const FieldSchema& b) { return a.number < b.number; });
    if (!out->fields.empty()) out->index.assign(out->fields.back().number + 1, -1);
    for (std::size_t i = 0; i < out->fields.size(); ++i)
      out->index[out->fields[i].number] = static_cast<std::int16_t>(i);
    return out;
  }

  FieldSchema field(const pb::FieldDescriptor& descriptor) {
    FieldSchema out;
    out.number = static_cast<std::uint32_t>(descriptor.number());
    out.name = descriptor.name();
    out.type = type_of(descriptor);
    out.repeated = descriptor.is_repeated();
    if (descriptor.real_containing_oneof() != nullptr) out.oneof = descriptor.real_containing_oneof()->name();
    if (out.type == FieldType::Message) out.message = message(*descriptor.message_type());
    if (out.type == FieldType::Enum) out.enumeration = enumeration(*descriptor.enum_type());
    return out;
  }

  const EnumSchema* enumeration(const pb::EnumDescriptor& descriptor) {
    auto& slot = enums_[&descriptor];
    if (slot) return slot.get();
    slot = std::make_unique<EnumSchema>();
    slot->name = descriptor.name();
    for (int i = 0; i < descriptor.value_count(); ++i)
      slot->values.emplace_back(descriptor.value(i)->number(), descriptor.value(i)->name());
    return slot.get();
  }

  std::map<const pb::Descriptor*, std::unique_ptr<MessageSchema>> messages_;
  std::map<const pb::EnumDescriptor*, std::unique_ptr<EnumSchema>> enums_;
  const MessageSchema* root_;
};

}  // namespace

std::string_view EnumSchema::name_of(std::int64_t value) const {
  for (const auto& [number, text] : values)
    if (number == value) return text;
  return {};
}

std::uint8_t FieldSchema::wire_type() const {
  switch (type) {
    case FieldType::Float:
      return 5;
    case FieldType::Double:
      return 1;
    case FieldType::String:
    case FieldType::Bytes:
    case FieldType::Message:
      return 2;
    default:
      return 0;
  }
}

const FieldSchema* MessageSchema::by_number(std::uint32_t number) const {
  if (number >= index.size() || index[number] < 0) return nullptr;
  return &fields[static_cast<std::size_t>(index[number])];
}

const FieldSchema* MessageSchema::by_name(std::string_view wanted) const {
  for (const FieldSchema& field : fields)
    if (field.name == wanted) return &field;
  return nullptr;
}

const MessageSchema& document_schema() {
  static const Tables kTables;
  return kTables.root();
}

}  // namespace npubin::hef
