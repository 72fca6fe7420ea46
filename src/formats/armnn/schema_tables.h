// The data behind schema.h, which is the way to read it.
#pragma once

#include "formats/armnn/schema.h"

namespace npubin::armnn::tables {

extern const Slot kSlots[];
extern const std::size_t kSlotCount;
extern const EnumValue kEnumValues[];
extern const std::size_t kEnumValueCount;
extern const UnionMember kLayerUnion[];
extern const std::size_t kLayerUnionCount;
extern const std::string_view kTableNames[];
extern const std::string_view kEnumNames[];

}  // namespace npubin::armnn::tables
