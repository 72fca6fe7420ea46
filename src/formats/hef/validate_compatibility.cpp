// Chip and extensions (hef spec 3).
#include <fmt/format.h>

#include "formats/hef/findings.h"

namespace npubin::hef {
namespace {

void check_extensions(Findings& f) {
  const Model& model = f.model();
  std::string unsupported;
  for (const Message& message : f.artifact().document().messages("extensions")) {
    const ExtensionInfo* info = find_extension(message.u32("type_index"));
    if (info != nullptr && info->mandatory) continue;
    f.error("HEF-0411", message, "type_index",
            fmt::format("extension {} ({}) is not supported by any known release of HailoRT",
                        message.u32("type_index"), message.text("name")),
            status::kHefNotSupported, "a newer HailoRT may know it; otherwise compile the model again");
  }
  if (!model.has_extension(kExtPeriphInHailort))
    f.error("HEF-0412", f.artifact().document(), "extensions",
            model.proto_header_version == 0 ? "the document's version is 0, so extension 26 "
                                              "(PERIPH_CALCULATION_IN_HAILORT) cannot be stated; "
                                              "HailoRT says that the HEF is outdated"
                                            : "extension 26 (PERIPH_CALCULATION_IN_HAILORT) is missing; "
                                              "HailoRT says that the HEF is outdated",
            status::kHefNotSupported, "compile the model again with a current Dataflow Compiler");
  for (const Message& message : f.artifact().document().messages("optional_extensions"))
    if (find_extension(message.u32("type_index")) == nullptr)
      f.warn("HEF-0413", message, "type_index",
             fmt::format("optional extension {} ({}) is unknown", message.u32("type_index"),
                         message.text("name")),
             "HailoRT ignores optional extensions that it does not know");
}

}  // namespace

void check_compatibility(Findings& f) {
  const Model& model = f.model();
  check_extensions(f);
  if (model.architecture == nullptr)
    f.error(
        "HEF-0414", f.artifact().document().message("header"), "hw_arch",
        model.hw_arch == 5 ? "hw_arch 5 (Hailo-10H) was removed from the schema; current compilers write 103"
                           : fmt::format("hw_arch {} is no chip that the schema knows", model.hw_arch),
        status::kHefNotCompatible, "HailoRT 4.23 refuses the file, 5.2 opens it and finds no device for it");
}

}  // namespace npubin::hef
