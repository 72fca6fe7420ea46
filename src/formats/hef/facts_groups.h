#pragma once

#include "formats/hef/model.h"
#include "npubin/describe.h"

namespace npubin::hef {

Datum group_facts(const NetworkGroup& group);
Datum stream_facts(const Stream& stream);
Datum vstream_facts(const VStream& vstream);
Datum op_facts(const NetworkGroup& group, std::size_t index);
Datum quant_facts(const QuantInfo& quant);
// "YOLOV5_BBOX_ONLY" where boxes are decoded only.
std::string op_type_name(const Op& op);

}  // namespace npubin::hef
