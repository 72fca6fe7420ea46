// Muxes (several layers in one stream) and planes (one picture in several streams), hef spec 3 and 4b.
#include <fmt/format.h>

#include "formats/hef/findings.h"

namespace npubin::hef {
namespace {

constexpr std::size_t kMaxPredecessors = 32;

std::uint64_t padded_bytes(const Message& base) {
  std::optional<std::uint64_t> out = base.u32("data_bytes");
  for (const char* field : {"padded_height", "padded_width", "padded_features"})
    if (out) out = checked_mul<std::uint64_t>(*out, base.u32(field));
  return out.value_or(0);
}

void check_mux_data(Findings& f, const Message& mux, std::size_t predecessors) {
  const Message data = mux.message("mux_data");
  const std::size_t ratios = data.integers("height_ratios_list").size();
  if (predecessors > kMaxPredecessors)
    f.error("HEF-0530", mux, "predecessors",
            fmt::format("{} predecessors; at most {} are allowed", predecessors, kMaxPredecessors),
            status::kInvalidHef, "HailoRT 5.2 crashes on such a file");
  if (data.u32("number_of_predecessors") != predecessors)
    f.error("HEF-0531", data, "number_of_predecessors",
            fmt::format("number_of_predecessors is {}, but {} are listed", data.u32("number_of_predecessors"),
                        predecessors),
            status::kInvalidHef, "HailoRT drops or invents a stream");
  if (ratios < predecessors)
    f.error("HEF-0532", data, "height_ratios_list",
            fmt::format("{} height ratios for {} predecessors", ratios, predecessors), status::kInvalidHef);
  if (data.u32("height_gcd") == 0)
    f.error("HEF-0533", data, "height_gcd", "height_gcd is 0: taking the stream apart divides by it",
            status::kNone, "HailoRT opens the file");
}

}  // namespace

void check_mux(Findings& f, const Message& top) {
  std::vector<Message> todo{top};
  while (!todo.empty()) {
    const Message mux = todo.back();
    todo.pop_back();
    const auto predecessors = mux.messages("predecessors");
    check_mux_data(f, mux, predecessors.size());
    std::uint64_t sum = 0;
    bool complete = true;
    for (const Message& edge : predecessors) {
      const FieldSchema* kind = edge.which("edge");
      if (kind == nullptr || kind->name == "layer_planes") {
        f.error("HEF-0534", edge, {}, "a mux's predecessor is neither an info layer nor a mux",
                status::kInvalidHef);
        complete = false;
        continue;
      }
      const Message layer = edge.message(kind->name);
      check_layer(f, layer, Direction::DeviceToHost, true);
      sum += padded_bytes(layer.message("edge_layer_base"));
      if (kind->name == "layer_mux") todo.push_back(layer);
    }
    const std::uint64_t own = padded_bytes(mux.message("edge_layer_base"));
    if (complete && sum != own)
      f.error("HEF-0535", mux, {},
              fmt::format("the mux carries {} bytes a frame, its predecessors {}", own, sum), status::kNone,
              "HailoRT fails only when it takes a frame apart");
  }
}

void check_planes(Findings& f, const Message& layer) {
  const auto planes = layer.messages("planes");
  if (planes.empty())
    f.error("HEF-0540", layer, "planes", "a planes layer without planes", status::kInvalidHef,
            "HailoRT 5.2 crashes on such a file");
  if (layer.u32("planes_format") > 2)
    f.error("HEF-0541", layer, "planes_format",
            fmt::format("planes format {} does not exist", layer.u32("planes_format")), status::kInvalidHef);
  std::optional<std::uint32_t> bytes;
  for (const Message& plane : planes) {
    const FieldSchema* kind = plane.which("edge");
    if (kind == nullptr || kind->name != "layer_info") {
      f.error("HEF-0542", plane, {}, "a plane is not an info layer", status::kInvalidHef);
      continue;
    }
    const Message info = plane.message("layer_info");
    check_layer(f, info, Direction::HostToDevice, true);
    const std::uint32_t own = info.message("edge_layer_base").u32("data_bytes");
    if (bytes && *bytes != own)
      f.error("HEF-0543", info.message("edge_layer_base"), "data_bytes",
              fmt::format("planes of {} and {} bytes per element in one picture", *bytes, own),
              status::kInvalidHef);
    bytes = own;
  }
}

}  // namespace npubin::hef
