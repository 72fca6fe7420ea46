// Everything an inspector must know about a HEF, as one JSON-like value: `inspect --json` carries it under
// "hef".
#pragma once

#include "formats/hef/document.h"
#include "npubin/describe.h"

namespace npubin::hef {

// `verify`: compute the checksums; otherwise their status is "not verified".
Datum facts(const HefArtifact& artifact, bool verify);

Datum shape_datum(const Shape3& shape);
// What HailoRT 5.2 refuses although the schema allows it.
std::vector<std::string> hailort_5_2_refuses(const Model& model);

}  // namespace npubin::hef
