// Triggers and actions (hef spec 5).
#include <fmt/format.h>

#include "formats/hef/findings.h"

namespace npubin::hef {
namespace {

struct Limit {
  std::string_view action, field;
  std::uint64_t most;
};
// What does not fit the firmware's fields.
constexpr Limit kLimits[] = {
    {"enable_sequencer", "cluster_index", 255},
    {"wait_for_seqeuncer", "cluster_index", 255},
    {"disable_lcu", "lcu_index", 255},
    {"disable_lcu", "cluster_index", 255},
    {"enable_lcu", "lcu_index", 255},
    {"enable_lcu", "cluster_index", 255},
    {"enable_lcu", "network_index", 255},
    {"switch_lcu_batch", "lcu_index", 255},
    {"switch_lcu_batch", "cluster_index", 255},
    {"switch_lcu_batch", "network_index", 255},
    {"wait_for_module_config_done", "index", 255},
    {"allow_input_dataflow", "sys_index", 255},
    {"enable_nms", "nms_unit_index", 255},
    {"enable_nms", "network_index", 255},
    {"write_data_ccw", "cfg_channel_index", 255},
    {"write_data_ccw_ptr", "cfg_channel_index", 255},
    {"write_data_by_type", "network_index", 255},
};

void check_pointer(Findings& f, const Message& pointer) {
  const Container& c = f.artifact().container();
  if (c.header.version == 0) {
    f.error("HEF-0813", pointer, {},
            "a pointer to config words in a file of header version 0, which has none", status::kInvalidHef);
    return;
  }
  const std::uint64_t offset = pointer.u64("offset"), size = pointer.u32("size");
  const std::uint64_t words = c.ccws_declared();
  const auto end = checked_add(offset, size);
  if (words == 0) return;  // reported once, for all
  if (!end || *end > words)
    f.error("HEF-0814", pointer, offset >= words || !end ? "offset" : "size",
            fmt::format("config words at {} + {} pass the end of the config section of {} bytes", offset,
                        size, words),
            status::kInvalidHef, "HailoRT 5.2 opens the file and reads what lies there");
  if (size % 8 != 0 || offset % 8 != 0)
    f.warn("HEF-0815", pointer, "size",
           fmt::format("config words at {} + {} are not aligned to 8 bytes", offset, size),
           "config words are 64 bits wide; HailoRT opens the file");
}

void check_by_type(Findings& f, const Message& write) {
  if (write.u64("address") % 4 != 0)
    f.error("HEF-0810", write, "address",
            fmt::format("address {:#x} is not aligned to 4 bytes", write.u64("address")),
            status::kInvalidHef);
  if (write.bytes("data").size() > 4)
    f.error("HEF-0811", write, "data",
            fmt::format("{} bytes of data; at most 4 are allowed", write.bytes("data").size()),
            status::kInvalidHef);
  if (write.u32("data_type") > 1)
    f.error("HEF-0811", write, "data_type",
            fmt::format("data type {} does not exist", write.u32("data_type")), status::kInvalidHef);
}

void check_debug(Findings& f, const Message& debug) {
  const FieldSchema* kind = debug.which("action");
  if (kind == nullptr) {
    f.error("HEF-0816", debug, {}, "a debug action that neither sleeps nor halts", status::kInvalidHef,
            "files of HailoRT before 4.19 have a plain sleep in this field");
  } else if (kind->name == "sleep" && debug.message("sleep").u64("duration_in_usec") < 1000) {
    f.error("HEF-0817", debug, "sleep",
            fmt::format("a sleep of {} us; at least 1000 are asked for",
                        debug.message("sleep").u64("duration_in_usec")),
            status::kInvalidHef);
  }
}

void check_enable_nms(Findings& f, const Message& nms) {
  for (const char* field : {"number_of_classes", "burst_size"})
    if (nms.u32(field) == 0)
      f.error("HEF-0818", nms, field, fmt::format("enable_nms with {} 0", field), status::kInvalidHef);
}

void check_action(Findings& f, const Message& action) {
  const FieldSchema* kind = action.which("action");
  if (kind == nullptr) {
    f.error("HEF-0801", action, {}, "an action of no kind that the schema knows", status::kInternalFailure,
            "the file may come from a newer compiler");
    return;
  }
  const Message content = action.message(kind->name);
  for (const Limit& limit : kLimits)
    if (limit.action == kind->name && content.u64(limit.field) > limit.most)
      f.error("HEF-0803", content, limit.field,
              fmt::format("{} of {} does not fit a byte", limit.field, content.u64(limit.field)),
              status::kInvalidHef);
  if (kind->name == "write_data_ccw_ptr") check_pointer(f, content);
  if (kind->name == "write_data_ccw" && f.artifact().container().header.version != 0)
    f.error(
        "HEF-0812", content, {},
        fmt::format("inline config words in a file of header version {}; they belong into the config section",
                    f.artifact().container().header.version),
        status::kInvalidHef);
  if (kind->name == "write_data_by_type") check_by_type(f, content);
  if (kind->name == "debug") check_debug(f, content);
  if (kind->name == "enable_nms") check_enable_nms(f, content);
  if (kind->name == "write_data" || kind->name == "write_compressed_data")
    f.error("HEF-0804", content, {}, fmt::format("action {} is not implemented by HailoRT 5.2", kind->name),
            status::kInternalFailure, "compile the model again");
}

void check_operation(Findings& f, const Message& operation) {
  const Message trigger = operation.message("trigger");
  const FieldSchema* kind = trigger.which("trigger");
  if (kind == nullptr)
    f.error("HEF-0802", operation, "trigger", "a trigger of no kind that the schema knows",
            status::kInternalFailure);
  else if (kind->name == "trigger_all_data_was_received")
    f.error("HEF-0805", trigger, kind->name, "trigger all_data_was_received is not implemented by HailoRT",
            status::kNotImplemented);
  for (const Message& action : operation.messages("actions")) check_action(f, action);
}

// A dynamic context lets its inputs flow exactly once, in one run of actions.
void check_dataflow(Findings& f, const Message& context) {
  int runs = 0, config_markers = 0;
  bool inside = false;
  for (const Message& operation : context.messages("operations"))
    for (const Message& action : operation.messages("actions")) {
      const FieldSchema* kind = action.which("action");
      const bool flow = kind != nullptr && kind->name == "allow_input_dataflow";
      if (flow && !inside) ++runs;
      inside = flow;
      if (kind != nullptr && kind->name == "allow_config_channels") ++config_markers;
    }
  if (runs != 1)
    f.warn("HEF-0806", context, "operations",
           fmt::format("the context lets its inputs flow in {} groups of actions; HailoRT expects one", runs),
           "HailoRT refuses it when the network is configured", status::kInvalidHef);
  if (f.model().has_extension(kExtConfigChannels) && config_markers == 0)
    f.warn("HEF-0807", context, "operations",
           "extension 34 is in force, but the context never allows its config channels",
           "HailoRT refuses it when the network is configured", status::kInvalidHef);
}

}  // namespace

void check_program(Findings& f, const Message& core) {
  for (const Message& operation : core.message("preliminary_config").messages("operation"))
    check_operation(f, operation);
  for (const Message& context : core.messages("contexts")) {
    for (const Message& operation : context.messages("operations")) check_operation(f, operation);
    check_dataflow(f, context);
  }
}

}  // namespace npubin::hef
