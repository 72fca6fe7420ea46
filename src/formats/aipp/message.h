// Between the generated message and the plain Config. The only header that shows protobuf.
#pragma once

#include "formats/aipp/config.h"
#include "schema/insert_op.pb.h"

namespace npubin::aipp {

const google::protobuf::Descriptor& block_descriptor();
const google::protobuf::FieldDescriptor& batch_list_descriptor();
Config config_of(const domi::InsertNewOps& message);
domi::InsertNewOps message_of(const Config& config);

}  // namespace npubin::aipp
