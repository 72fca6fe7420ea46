// Pieces of `inspect`, `map` and `disasm`.
#pragma once

#include "formats/hef/document.h"

namespace npubin::hef {

// What HailoRT 5.2's parse-hef prints with streams and virtual streams, line by line (hef spec 3).
std::vector<std::string> parse_hef_lines(const HefArtifact& artifact);

// "640x640x3": as parse-hef prints it for an order: (C) for NC, (HxW) for NHW.
std::string shape_text(const Shape3& shape, Order order);
// A number as C++ streams print it: six significant digits.
std::string short_number(double value);

// Post-processing as a recipe: what is computed from which stream, with every parameter.
std::vector<std::string> recipe_of(const NetworkGroup& group, const Op& op);

// Text nodes of `inspect` (describe_*.cpp).
Node describe_file(const HefArtifact& artifact, bool verify);
Node describe_group(const HefArtifact& artifact, const NetworkGroup& group);
// The mapping graph of Hailo-8 files (mapping_graph.cpp); nothing where there is none.
std::optional<Node> describe_mapping(const HefArtifact& artifact);

}  // namespace npubin::hef
