// Pieces of the description that need some work.
#pragma once

#include <string>

#include "formats/tflite/document.h"
#include "npubin/describe.h"

namespace npubin::tflite {

// "INT8"; the number where the schema has no name for it.
std::string type_name(const TensorView& tensor);
// One scale, or the smallest and largest of several as text; null where not quantised.
Datum scale_datum(const TensorView& tensor);
Datum zero_point_datum(const TensorView& tensor);
// "CONV_2D", "ethos-u (custom)".
std::string operator_name(const OperatorView& op);
// "padding=SAME stride_w=1 ...", every field of the options that the file or the schema gives.
std::string options_text(const OperatorView& op);
// The contents as text where all of it is printable, else empty; trailing zeros are dropped.
std::string printable(ByteSpan data);
// Largest sum of activations that are alive at the same operator, without alignment: what an arena needs at
// least. Bytes; saturates.
std::uint64_t activation_peak(const TfliteDocument& document, const SubgraphView& graph);

}  // namespace npubin::tflite
