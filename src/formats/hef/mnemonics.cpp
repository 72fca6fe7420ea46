#include "formats/hef/mnemonics.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

namespace npubin::hef {
namespace {

// "c,l" from fields, in the order of the listing.
struct Encoding {
  std::string_view kind, mnemonic;
  std::vector<std::string_view> operands;
};

const std::vector<Encoding>& triggers() {
  static const std::vector<Encoding> kTable{
      {"trigger_none", "on now", {}},
      {"trigger_lcu", "wait.lcu", {"cluster_index", "lcu_index"}},
      {"trigger_all_data_was_sent", "wait.out", {"shmifo_index"}},
      {"trigger_all_data_was_received", "wait.in", {"shmifo_index"}},
      {"trigger_nms",
       "wait.nms",
       {"aggregator_index", "pred_cluster_ob_index", "pred_cluster_ob_cluster_index",
        "pred_cluster_ob_interface", "succ_prepost_ob_index", "succ_prepost_ob_interface"}},
      {"trigger_dma_idle", "wait.dmaidle", {"shmifo_index"}},
  };
  return kTable;
}

const std::vector<Encoding>& actions() {
  static const std::vector<Encoding> kTable{
      {"write_data", "st", {}},
      {"write_data_ccw", "ccw", {}},
      {"write_compressed_data", "st.z", {}},
      {"enable_sequencer", "seq.start", {}},
      {"wait_for_seqeuncer", "seq.wait", {"cluster_index"}},
      {"disable_lcu", "lcu.off", {"cluster_index", "lcu_index"}},
      {"enable_lcu", "lcu.on", {}},
      {"none", "nop", {}},
      {"allow_input_dataflow", "in.go", {}},
      {"wait_for_module_config_done", "cfg.wait", {"index"}},
      {"debug", "debug", {}},
      {"enable_nms",
       "nms.on",
       {"nms_unit_index", "network_index", "number_of_classes", "burst_size", "division_factor"}},
      {"write_data_by_type", "st32", {}},
      {"switch_lcu_batch", "lcu.batch", {"cluster_index", "lcu_index", "network_index"}},
      {"write_data_ccw_ptr", "ccw", {}},
      {"allow_config_channels", "cfg.go", {"config_index"}},
      {"disable_data_channels", "ch.off", {}},
  };
  return kTable;
}

std::string first_bytes(ByteSpan data) {
  std::string out;
  for (std::size_t i = 0; i < data.size() && i < 16; ++i)
    out += fmt::format("{}{:02x}", i == 8 ? " " : "", std::to_integer<unsigned>(data[i]));
  return data.size() > 16 ? out + " .." : out;
}

std::string network_name(const ListingContext& at, std::uint32_t index) {
  return index < at.group.networks.size() ? at.group.networks[index] : fmt::format("network {}", index);
}

std::string stream_name(const ListingContext& at, std::uint32_t sys_index, bool input) {
  const auto& names = input ? at.inputs : at.outputs;
  const auto found = names.find(sys_index);
  return found == names.end() ? std::string() : found->second;
}

void sequencer(const Message& m, Instruction& out) {
  const Message info = m.message("initial_l3_info");
  std::uint32_t cut = info.u32("initial_l3_index"), offset = info.u32("initial_l3_offset");
  if (!info.flag("includes_initial_l3_info")) {
    // Releases before 4.1 packed both into one word.
    const std::uint32_t legacy = m.u32("initial_l3_legacy");
    cut = legacy & 0x7F;
    offset = (legacy >> 7 & 0xFFF) << 3;
    out.comment = "l3 from the legacy field";
  }
  out.operands =
      fmt::format("{},l3=({},{:#x}),apu={:#x},ia={:#x},sc={:#x},l2={:#x},l2w={:#x}/{:#x}/{:#x}/{:#x}",
                  m.u32("cluster_index"), cut, offset, m.u32("active_apu_bitmap"), m.u32("active_ia_bitmap"),
                  m.u64("active_sc_bitmap"), m.u64("active_l2_bitmap"), m.u32("l2_write_0"),
                  m.u32("l2_write_1"), m.u32("l2_write_2"), m.u32("l2_write_3"));
}

void lcu_on(const ListingContext& at, const Message& m, Instruction& out) {
  out.operands = fmt::format("{},{},{}", m.u32("cluster_index"), m.u32("lcu_index"), m.u32("network_index"));
  const std::uint32_t address = m.u32("lcu_kernel_done_address"), count = m.u32("lcu_kernel_done_count");
  if (address != 1 || count != 2) out.operands += fmt::format(",[{:#x},{}]", address, count);
  out.comment = network_name(at, m.u32("network_index"));
}

void config_pointer(const ListingContext& at, const Message& m, Instruction& out) {
  const std::uint64_t offset = m.u64("offset"), size = m.u32("size");
  out.operands = fmt::format("{},[Z+{:#x}],{}", m.u32("cfg_channel_index"), offset, size);
  out.config_bytes = size;
  const ByteSpan file = at.artifact.bytes().span();
  const auto start = checked_add(at.artifact.container().zero_point, offset);
  const auto end = start ? checked_add(*start, size) : std::nullopt;
  out.comment = end && *end <= file.size() ? first_bytes(file.subspan(*start, size)) : "outside of the file";
}

void write_by_type(const ListingContext& at, const Message& m, Instruction& out) {
  if (m.u32("data_type") == 1) {
    out.mnemonic = "st32.batch";
    out.operands = fmt::format("[{:#x}],{:#x},{},{}", m.u64("address"), m.u32("mask"), m.u32("shift"),
                               m.u32("network_index"));
    out.comment = "batch size of " + network_name(at, m.u32("network_index"));
    return;
  }
  std::uint32_t value = 0;
  const ByteSpan data = m.bytes("data");
  for (std::size_t i = 0; i < data.size() && i < 4; ++i)
    value |= std::to_integer<std::uint32_t>(data[i]) << (8 * i);
  out.operands =
      fmt::format("[{:#x}],{:#x},{:#x},{}", m.u64("address"), value, m.u32("mask"), m.u32("shift"));
}

void input_go(const ListingContext& at, const Message& m, Instruction& out) {
  constexpr std::string_view kTypes[] = {"boundary", "intermediate", "ddr", "cache"};
  const std::uint32_t type = m.u32("connection_type");
  out.operands = fmt::format("{},{}", m.u32("sys_index"),
                             type < std::size(kTypes) ? std::string(kTypes[type]) : fmt::format("{}", type));
  out.comment = stream_name(at, m.u32("sys_index"), true);
}

void debug(const Message& m, Instruction& out) {
  const FieldSchema* kind = m.which("action");
  if (kind != nullptr && kind->name == "sleep") {
    out.mnemonic = "sleep";
    out.operands = fmt::format("{}", m.message("sleep").u64("duration_in_usec"));
    out.comment = "us";
  } else if (kind != nullptr && kind->name == "halt") {
    out.mnemonic = "halt";
  } else {
    out.operands = fmt::format("{}", m.u32("type"));
    out.comment = "neither sleep nor halt";
  }
}

Instruction encode(const std::vector<Encoding>& table, const FieldSchema* kind, const Message& content) {
  Instruction out;
  if (kind == nullptr) {
    out.kind = "unset";
    out.mnemonic = "?";
    out.comment = "of no kind that the schema knows";
    return out;
  }
  out.kind = kind->name;
  out.mnemonic = kind->name;
  for (const Encoding& encoding : table) {
    if (encoding.kind != kind->name) continue;
    out.mnemonic = encoding.mnemonic;
    for (std::string_view field : encoding.operands)
      out.operands += fmt::format("{}{}", out.operands.empty() ? "" : ",", content.u64(field));
  }
  return out;
}

}  // namespace

ListingContext listing_context(const HefArtifact& artifact, const NetworkGroup& group,
                               const Context* context) {
  ListingContext out{artifact, group, {}, {}};
  auto add = [&](Direction direction, std::uint32_t sys_index, const std::string& name) {
    (direction == Direction::HostToDevice ? out.inputs : out.outputs).emplace(sys_index, name);
  };
  if (context != nullptr)
    for (const EdgeLayer& edge : context->edge_layers) {
      const FieldSchema* kind = edge.message.which("edge");
      if (kind == nullptr || kind->name == "layer_planes") continue;
      add(edge.direction, edge.message.message(kind->name).message("edge_layer_base").u32("sys_index"),
          edge.name);
    }
  for (const Stream& stream : group.streams) add(stream.direction, stream.sys_index, stream.name);
  return out;
}

Instruction trigger_of(const ListingContext& at, const Message& trigger) {
  const FieldSchema* kind = trigger.which("trigger");
  const Message content = kind != nullptr ? trigger.message(kind->name) : Message();
  Instruction out = encode(triggers(), kind, content);
  if (kind == nullptr) return out;
  if (kind->name == "trigger_all_data_was_sent" || kind->name == "trigger_dma_idle")
    out.comment = stream_name(at, content.u32("shmifo_index"), false);
  if (kind->name == "trigger_all_data_was_received")
    out.comment = stream_name(at, content.u32("shmifo_index"), true);
  return out;
}

Instruction action_of(const ListingContext& at, const Message& action) {
  const FieldSchema* kind = action.which("action");
  const Message m = kind != nullptr ? action.message(kind->name) : Message();
  Instruction out = encode(actions(), kind, m);
  if (kind == nullptr) return out;
  const std::string_view name = kind->name;
  if (name == "write_data" || name == "write_compressed_data") {
    out.operands = fmt::format("[{:#x}],{} bytes", m.u64("address"), m.bytes("data").size());
    out.comment = first_bytes(m.bytes("data"));
  } else if (name == "write_data_ccw") {
    out.operands = fmt::format("{},{} bytes", m.u32("cfg_channel_index"), m.bytes("data").size());
    out.config_bytes = m.bytes("data").size();
    out.comment = first_bytes(m.bytes("data"));
  } else if (name == "write_data_ccw_ptr") {
    config_pointer(at, m, out);
  } else if (name == "enable_sequencer") {
    sequencer(m, out);
  } else if (name == "enable_lcu") {
    lcu_on(at, m, out);
  } else if (name == "switch_lcu_batch" || name == "enable_nms") {
    out.comment = network_name(at, m.u32("network_index"));
  } else if (name == "allow_input_dataflow") {
    input_go(at, m, out);
  } else if (name == "write_data_by_type") {
    write_by_type(at, m, out);
  } else if (name == "debug") {
    debug(m, out);
  }
  return out;
}

}  // namespace npubin::hef
