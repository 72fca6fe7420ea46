// Frames of leaves out of frames of device streams.
#include <algorithm>

#include <fmt/format.h>

#include "formats/hef/host_stages.h"

namespace npubin::hef {
namespace {

bool carries(const Stream& stream, std::string_view leaf, std::size_t depth) {
  if (!stream.is_mux) return stream.name == leaf;
  if (depth > vision::Demux::kMaxDepth) return false;
  return std::any_of(stream.predecessors.begin(), stream.predecessors.end(),
                     [&](const Stream& from) { return carries(from, leaf, depth + 1); });
}

vision::MuxNode mux_node(const Stream& stream, std::size_t depth) {
  vision::MuxNode out;
  out.device_shape = frame_shape(stream.hw_shape);
  out.rows_gcd = stream.height_gcd;
  out.height_ratios = stream.height_ratios;
  if (depth <= vision::Demux::kMaxDepth)
    for (const Stream& from : stream.predecessors) out.predecessors.push_back(mux_node(from, depth + 1));
  return out;
}

// Predecessors in the order in which Demux counts its leaves.
void leaves_of(const Stream& stream, std::size_t depth, std::vector<const Stream*>& out) {
  if (stream.predecessors.empty() || depth > vision::Demux::kMaxDepth) {
    out.push_back(&stream);
    return;
  }
  for (const Stream& from : stream.predecessors) leaves_of(from, depth + 1, out);
}

}  // namespace

const Stream* carrier_of(const NetworkGroup& group, std::string_view leaf) {
  for (const Stream& stream : group.streams)
    if (carries(stream, leaf, 0)) return &stream;
  return nullptr;
}

Result<LeafSources> LeafSources::prepare(const HostContext& context,
                                         const std::vector<const Stream*>& leaves) {
  LeafSources out;
  std::vector<const Stream*> carriers;
  for (const Stream* leaf : leaves) {
    const Stream* carrier = carrier_of(context.group, leaf->name);
    if (carrier == nullptr) return malformed({}, fmt::format("no stream carries {}", leaf->name));
    const auto known = std::find(carriers.begin(), carriers.end(), carrier);
    out.leaf_stream_.push_back(static_cast<std::size_t>(known - carriers.begin()));
    out.direct_.push_back(!carrier->is_mux);
    if (known != carriers.end()) continue;
    carriers.push_back(carrier);
    const std::uint64_t bytes = carrier->nms ? 0 : hw_frame_size(*carrier);
    if (!carrier->nms && bytes == 0)
      return malformed({}, fmt::format("a frame of stream {} has an impossible size", carrier->name));
    out.streams_.push_back({carrier->name, bytes});
  }
  out.frames_.assign(leaves.size(), nullptr);
  for (std::size_t stream = 0; stream < carriers.size(); ++stream) {
    if (!carriers[stream]->is_mux) continue;
    NPUBIN_TRY(std::size_t element_bytes, element_bytes_of(*carriers[stream]));
    NPUBIN_TRY(vision::Demux demux, vision::Demux::prepare(mux_node(*carriers[stream], 0), element_bytes));
    std::vector<const Stream*> order;
    leaves_of(*carriers[stream], 0, order);
    Mux mux{stream, std::move(demux), {}, std::vector<std::byte*>(order.size(), nullptr)};
    mux.buffers.resize(order.size());
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      const auto at =
          static_cast<std::size_t>(std::find(order.begin(), order.end(), leaves[i]) - order.begin());
      if (out.leaf_stream_[i] != stream || at == order.size()) continue;
      // Frames are padded to eight bytes, as a stream of its own would be.
      const std::uint64_t bytes = (mux.demux.leaf_bytes(at) + 7) / 8 * 8;
      NPUBIN_TRY(mux.buffers[at], make_buffer(context, bytes, leaves[i]->name));
      mux.targets[at] = mux.buffers[at].data();
      out.frames_[i] = mux.targets[at];
    }
    out.muxes_.push_back(std::move(mux));
  }
  return out;
}

Result<void> LeafSources::load(std::span<const ByteSpan> frames) {
  if (frames.size() != streams_.size())
    return usage_error(fmt::format("{} streams are needed, {} given", streams_.size(), frames.size()));
  for (std::size_t i = 0; i < streams_.size(); ++i)
    if (streams_[i].frame_bytes != 0 && frames[i].size() != streams_[i].frame_bytes)
      return usage_error(fmt::format("a frame of {} has {} bytes, not {}", streams_[i].name,
                                     streams_[i].frame_bytes, frames[i].size()));
  for (const ByteSpan& frame : frames)
    if (reinterpret_cast<std::uintptr_t>(frame.data()) % 2 != 0)
      return usage_error("frames must be aligned to two bytes");
  for (const Mux& mux : muxes_) mux.demux.run(frames[mux.stream].data(), mux.targets);
  for (std::size_t leaf = 0; leaf < frames_.size(); ++leaf)
    if (direct_[leaf]) frames_[leaf] = frames[leaf_stream_[leaf]].data();
  return {};
}

}  // namespace npubin::hef
