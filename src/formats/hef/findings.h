// Collecting findings about a document: code, place, HailoRT's status.
#pragma once

#include <string>
#include <string_view>

#include "formats/hef/document.h"

namespace npubin::hef {

// HailoRT's status, as hailort.h numbers it.
struct Status {
  const char* name = nullptr;
  int number = 0;
};
namespace status {
constexpr Status kNone{};
constexpr Status kInvalidArgument{"HAILO_INVALID_ARGUMENT", 2};
constexpr Status kNotImplemented{"HAILO_NOT_IMPLEMENTED", 7};
constexpr Status kInternalFailure{"HAILO_INTERNAL_FAILURE", 8};
constexpr Status kFileOperationFailure{"HAILO_FILE_OPERATION_FAILURE", 14};
constexpr Status kInvalidHef{"HAILO_INVALID_HEF", 26};
constexpr Status kHefFileCorrupted{"HAILO_HEF_FILE_CORRUPTED", 91};
constexpr Status kHefNotSupported{"HAILO_HEF_NOT_SUPPORTED", 92};
constexpr Status kHefNotCompatible{"HAILO_HEF_NOT_COMPATIBLE_WITH_DEVICE", 93};
}  // namespace status

class Findings {
 public:
  Findings(const HefArtifact& artifact, Diagnostics& out) : artifact_(artifact), out_(out) {}

  const HefArtifact& artifact() const { return artifact_; }
  const Model& model() const { return artifact_.model(); }

  // A finding about bytes of the container.
  void container(Severity severity, std::string_view code, std::uint64_t offset, std::string field,
                 std::string message, std::string hint, Status vendor = status::kNone);
  // A finding about the protobuf as such.
  void wire(Severity severity, std::string_view code, std::uint64_t offset, std::string path,
            std::string message, std::string hint, Status vendor = status::kNone);
  // A finding about a field of a message; `field` empty: the message itself.
  void error(std::string_view code, const Message& where, std::string_view field, std::string message,
             Status vendor = status::kNone, std::string hint = {});
  void warn(std::string_view code, const Message& where, std::string_view field, std::string message,
            std::string hint = {}, Status vendor = status::kNone);
  void info(std::string_view code, const Message& where, std::string_view field, std::string message,
            std::string hint = {});

 private:
  void semantic(Severity severity, std::string_view code, const Message& where, std::string_view field,
                std::string message, std::string hint, Status vendor);

  const HefArtifact& artifact_;
  Diagnostics& out_;
  int paths_ = 0;  // paths computed so far: each costs a walk down the document
};

// The passes, in HailoRT's order.
void check_container(Findings& findings);      // validate_container.cpp
void check_wire(Findings& findings);           // validate_container.cpp
void check_compatibility(Findings& findings);  // validate_compatibility.cpp
void check_groups(Findings& findings);         // validate_groups.cpp
void check_edges(Findings& findings, const NetworkGroup& group, const Message& core);  // validate_edges.cpp
void check_mux(Findings& findings, const Message& mux);                                // validate_mux.cpp
void check_planes(Findings& findings, const Message& planes);                          // validate_mux.cpp
void check_layer(Findings& findings, const Message& layer, Direction direction,
                 bool boundary);                                 // validate_layers.cpp
void check_program(Findings& findings, const Message& core);     // validate_program.cpp
void check_ops(Findings& findings, const NetworkGroup& group);   // validate_ops.cpp
void check_pads(Findings& findings, const NetworkGroup& group);  // validate_pads.cpp
void check_resources(Findings& findings);                        // validate_resources.cpp
void check_config_words(Findings& findings);                     // validate_resources.cpp

}  // namespace npubin::hef
