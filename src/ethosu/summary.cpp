// Totals of a job: operations, MACs, traffic, memory, weights.
#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "ethosu/describe_operation.h"
#include "ethosu/extent.h"
#include "ethosu/listing.h"

namespace npubin::ethosu {
namespace {

std::uint64_t saturating_add(std::uint64_t a, std::uint64_t b) {
  return a + b < a ? ~std::uint64_t{0} : a + b;
}

struct Traffic {
  std::uint64_t read = 0, written = 0;
  std::int64_t highest = 0;  // first byte behind all that is touched
};

struct Totals {
  std::map<std::string, std::uint64_t> operations;
  std::uint64_t macs = 0, weights = 0, weight_bytes = 0, scale_bytes = 0, commands = 0, unknown = 0;
  std::array<Traffic, kShramSpace + 1> spaces{};

  void touch(const Extent& extent, std::uint64_t bytes, bool write) {
    Traffic& traffic = spaces[extent.space];
    std::uint64_t& sum = write ? traffic.written : traffic.read;
    sum = saturating_add(sum, bytes);
    traffic.highest = std::max(traffic.highest, extent.end);
  }
  // Every element once, whatever the blocks read again.
  void touch(const FeatureMap& map, bool write) {
    const std::uint64_t bytes = std::uint64_t{map.height} * map.width * map.depth * map.element_bytes();
    Extent hull = extents(map).hull();
    hull.space = map.region;
    touch(hull, bytes, write);
  }
};

void add_kernel(Totals& totals, const Operation& op) {
  totals.macs = saturating_add(totals.macs, mac_count(op));
  totals.touch(op.ifm, false);
  if (op.has_ifm2) totals.touch(op.ifm2, false);
  totals.touch(op.ofm, true);
  if (op.uses_weights()) {
    totals.weights = saturating_add(totals.weights, weight_count(op));
    totals.weight_bytes += op.weights.length;
    totals.touch(extent(op.weights), op.weights.length, false);
  }
  if (op.uses_scales()) {
    totals.scale_bytes += op.scales.length;
    totals.touch(extent(op.scales), op.scales.length, false);
  }
}

Totals collect(const Job& job) {
  Totals totals;
  OperationReader reader(job.words);
  while (const auto op = reader.next()) {
    std::string name(to_string(op->kind));
    if (op->kind == OperationKind::Pool || op->kind == OperationKind::Elementwise) {
      name = operation_name(*op);
      name = name.substr(0, name.find(' ', name.find(' ') + 1));
    }
    ++totals.operations[name];
    if (is_kernel(op->kind)) add_kernel(totals, *op);
    if (op->kind == OperationKind::DmaStart) {
      totals.touch(source_extent(op->dma), op->dma.length, false);
      totals.touch(destination_extent(op->dma), op->dma.length, true);
    }
  }
  for (std::size_t at = 0; at < job.words.size();) {
    const Command command = decode_command(job.words, at);
    ++totals.commands;
    totals.unknown += command.kind == nullptr || command.truncated ? 1 : 0;
    at += command.words;
  }
  return totals;
}

std::string space_name(std::size_t space) {
  return space == kShramSpace ? "shram" : fmt::format("{}", space);
}

const Region* find_region(const Job& job, std::size_t index) {
  for (const Region& region : job.regions)
    if (region.index == index) return &region;
  return nullptr;
}

}  // namespace

std::uint64_t job_macs(const Job& job) {
  std::uint64_t macs = 0;
  OperationReader reader(job.words);
  while (const auto operation = reader.next()) {
    if (operation->kind == OperationKind::Stop) break;
    if (is_kernel(operation->kind)) macs = saturating_add(macs, mac_count(*operation));
  }
  return macs;
}

Node summarize_job(const Job& job) {
  const Totals totals = collect(job);
  Node node("summary", "totals");
  node.field("words", job.words.size());
  node.field("commands", totals.commands);
  if (totals.unknown > 0) node.field("unknown_commands", totals.unknown);
  node.field("macs", totals.macs);
  if (totals.weights > 0) {
    node.field("weights", totals.weights);
    node.field("weight_bytes", totals.weight_bytes, "bytes");
    node.field("scale_bytes", totals.scale_bytes, "bytes");
    if (totals.weight_bytes > 0) {
      const double ratio = static_cast<double>(totals.weights) / static_cast<double>(totals.weight_bytes);
      node.field_text("weight_compression", ratio, fmt::format("{:.2f} to 1 byte a weight", ratio));
    }
  }
  std::int64_t peak = 0;
  for (const Region& region : job.regions)
    if (region.initial.size() == 0 && region.index < kShramSpace)
      peak = std::max(peak, totals.spaces[region.index].highest);
  node.field("peak_arena", static_cast<long long>(peak), "bytes");
  Table& kinds = node.table("operations", {"operation", "count"});
  for (const auto& [name, count] : totals.operations) kinds.rows.push_back({name, count});
  Table& traffic =
      node.table("memory", {"region", "role", "size", "bytes_read", "bytes_written", "highest_address"});
  traffic.title = "bytes moved per region (each tensor once per operation)";
  for (std::size_t space = 0; space <= kShramSpace; ++space) {
    const Traffic& t = totals.spaces[space];
    const Region* region = space == kShramSpace ? nullptr : find_region(job, space);
    const bool known = region != nullptr && region->role != "unknown";
    if (t.read == 0 && t.written == 0 && !known) continue;
    traffic.rows.push_back({space_name(space), region == nullptr ? Datum() : Datum(region->role),
                            known ? Datum(region->size) : Datum(), t.read, t.written,
                            static_cast<long long>(t.highest)});
  }
  return node;
}

}  // namespace npubin::ethosu
