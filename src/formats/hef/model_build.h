// The steps of derive_model(), one file each.
#pragma once

#include "formats/hef/model.h"

namespace npubin::hef {

// Beyond these counts a document is hostile: chips have a handful of groups and at most some hundred
// contexts. The surplus is left out of the model, so that two bytes of a file never cost a kilobyte;
// validation says so.
constexpr std::size_t kMaxGroups = 256;
constexpr std::size_t kMaxContexts = 4096;
constexpr std::size_t kMaxEdgeLayers = 4096;  // per context
constexpr std::size_t kMaxDecoders = 256;     // per operator

// Contexts, preliminary program, metadata, sorted outputs (model_groups.cpp).
NetworkGroup derive_group(const Model& model, const Message& message, std::optional<std::uint32_t> layout);
// Counts of triggers and actions of ProtoHEFOperation messages (model_program.cpp).
ProgramCounts count_program(const std::vector<Message>& operations);
// All config words of the document, partial layouts included.
CcwTotals count_ccws(const Message& document);
// Device-side streams (model_streams.cpp).
void derive_streams(const Model& model, NetworkGroup& group);
// Operators behind the chip (model_ops.cpp).
void derive_ops(NetworkGroup& group);
// Host-side streams (model_vstreams.cpp).
void derive_vstreams(const Model& model, NetworkGroup& group);

// base = edge_layer_base of an info or mux layer.
NmsInfo nms_info_of(const Model& model, const Message& nms);

}  // namespace npubin::hef
