#include "cli/run/ethosu_trace.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "ethosu/check.h"
#include "ethosu/extent.h"
#include "ethosu/machine/results.h"
#include "npubin/npy.h"

namespace npubin::cli {
namespace {

std::string file_name(std::string text) {
  std::replace(text.begin(), text.end(), ' ', '_');
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

bool touches(const ethosu::Extent& extent, const RegionPlace& place) {
  const auto begin = static_cast<std::int64_t>(place.offset);
  const auto end = begin + static_cast<std::int64_t>(place.size.value_or(0));
  return extent.overlaps({static_cast<std::uint8_t>(place.region), begin, end});
}

}  // namespace

std::string bytes_by_region(const std::array<std::uint64_t, 9>& bytes) {
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (bytes[i] == 0) continue;
    out += fmt::format("{}{}:{}", out.empty() ? "" : " ", i == 8 ? "shram" : std::to_string(i), bytes[i]);
  }
  return out;
}

Result<void> EthosUTrace::open() {
  if (options_.dump_all.empty()) return {};
  std::error_code failure;
  std::filesystem::create_directories(options_.dump_all, failure);
  if (failure) return io_error(options_.dump_all, "cannot be created: " + failure.message());
  return {};
}

void EthosUTrace::begin(const ethosu::Job& job, const ethosu::Memory& memory) {
  accelerator_ = ethosu::job_accelerator(job);
  ++jobs_;
  if (!options_.check_memory) return;
  // Hazards first: the checker knows the queues, which this sequential model has not.
  Diagnostics stream;
  ethosu::check_job(job, stream);
  for (const Diagnostic& finding : stream.findings())
    if (finding.severity != Severity::Info) findings_.add(finding);
  check_.emplace(memory, job.regions, accelerator_, job.stream_offset, findings_);
  for (const ethosu::Binding& input : job.inputs)
    check_->written(input.region, input.offset,
                    static_cast<std::uint64_t>(count_of(input.shape)) * size_of(input.type));
}

Result<void> EthosUTrace::before(const ethosu::Operation& operation, const ethosu::Memory& memory) {
  return check_ ? check_->before(operation, memory) : Result<void>();
}

Result<void> EthosUTrace::after(const ethosu::Operation& operation, const ethosu::Memory& memory) {
  if (check_) NPUBIN_CHECK(check_->after(operation, memory));
  const ethosu::OperationCost cost = ethosu::estimate(operation, accelerator_);
  total_.macs += cost.macs;
  total_.cycles += cost.cycles;
  for (std::size_t i = 0; i < cost.read.size(); ++i) {
    total_.read[i] += cost.read[i];
    total_.written[i] += cost.written[i];
  }
  (operation.kind == ethosu::OperationKind::DmaStart ? transfers_ : kernels_) += 1;
  if (operation.kind != ethosu::OperationKind::Elementwise) {
    array_macs_ += cost.macs;
    offered_ += cost.cycles * static_cast<std::uint64_t>(accelerator_);
  }
  if (options_.trace) rows_.push_back(trace_row(operation, cost, memory));
  watch(operation);
  return dump(operation, memory);
}

std::vector<Datum> EthosUTrace::trace_row(const ethosu::Operation& operation,
                                          const ethosu::OperationCost& cost,
                                          const ethosu::Memory& memory) const {
  std::vector<Datum> row{std::uint64_t{operation.index}, fmt::format("0x{:06x}", operation.word * 4),
                         ethosu::describe(operation)};
  if (ethosu::is_kernel(operation.kind)) {
    const ethosu::FeatureMap& ofm = operation.ofm;
    row.emplace_back(fmt::format("{}x{}x{}", ofm.height, ofm.width, ofm.depth));
    if (const auto seen = ethosu::ofm_statistics(operation, memory)) {
      row.emplace_back(std::int64_t{seen->minimum});
      row.emplace_back(std::int64_t{seen->maximum});
      row.emplace_back(std::uint64_t{seen->zeros});
      row.emplace_back(std::uint64_t{seen->saturated});
    }
  }
  row.resize(8);
  row.emplace_back(std::uint64_t{cost.macs});
  row.emplace_back(std::uint64_t{cost.cycles});
  row.emplace_back(fmt::format("{:.0f} %", cost.utilisation * 100));
  row.emplace_back(bytes_by_region(cost.read));
  row.emplace_back(bytes_by_region(cost.written));
  return row;
}

void EthosUTrace::watch(const ethosu::Operation& operation) {
  for (const RegionPlace& place : options_.watches) {
    bool hit = false;
    if (operation.kind == ethosu::OperationKind::DmaStart) {
      hit = touches(ethosu::destination_extent(operation.dma), place);
    } else {
      const ethosu::MapExtents tiles = ethosu::extents(operation.ofm);
      for (std::size_t i = 0; i < tiles.count; ++i) hit = hit || touches(tiles.tiles[i], place);
    }
    if (hit)
      watched_.push_back(
          {fmt::format("{}@0x{:x}:0x{:x}", place.region, place.offset, place.offset + *place.size),
           std::uint64_t{operation.index}, fmt::format("0x{:06x}", operation.word * 4),
           ethosu::describe(operation)});
  }
}

Result<void> EthosUTrace::dump(const ethosu::Operation& operation, const ethosu::Memory& memory) const {
  if (options_.dump_all.empty() || !ethosu::is_kernel(operation.kind)) return {};
  NPUBIN_TRY(const Tensor tensor, ethosu::read_feature_map(operation.ofm, memory));
  const std::string job = jobs_ > 1 ? fmt::format("job{}_", jobs_ - 1) : "";
  return save_npy(fmt::format("{}/{}{:04}_{}.npy", options_.dump_all, job, operation.index,
                              file_name(ethosu::describe(operation))),
                  tensor);
}

void EthosUTrace::report(Node& node) const {
  Node& cost = node.child("estimate", "estimate (cycles of busy units and bytes of ports; no simulation)");
  cost.field("kernels", kernels_);
  cost.field("transfers", transfers_);
  cost.field("macs", total_.macs);
  cost.field("busy_cycles", total_.cycles, "cycles");
  if (offered_ > 0)
    cost.field("mac_utilisation", static_cast<double>(array_macs_) / static_cast<double>(offered_));
  cost.field("bytes_read", bytes_by_region(total_.read));
  cost.field("bytes_written", bytes_by_region(total_.written));
  if (!rows_.empty()) {
    Table& table = node.table("operations", {"index", "offset", "operation", "ofm", "min", "max", "zeros",
                                             "saturated", "macs", "cycles", "busy", "read", "written"});
    table.rows = rows_;
  }
  if (!options_.watches.empty()) {
    Table& table = node.table("writes", {"watched", "index", "offset", "operation"});
    table.title = "writes to watched addresses";
    table.rows = watched_;
  }
}

}  // namespace npubin::cli
