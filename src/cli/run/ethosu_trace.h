// What a run shows of every operation: --trace, --dump-all, --watch, --check-memory, the cost estimate.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/run/ethosu_regions.h"
#include "ethosu/job.h"
#include "ethosu/machine/cost.h"
#include "ethosu/machine/machine.h"
#include "ethosu/machine/memory_check.h"
#include "npubin/describe.h"
#include "npubin/diagnostics.h"

namespace npubin::cli {

struct TraceOptions {
  bool trace = false;
  bool check_memory = false;
  std::string dump_all;  // folder; empty: none
  std::vector<RegionPlace> watches;
};

class EthosUTrace final : public ethosu::MachineObserver {
 public:
  explicit EthosUTrace(TraceOptions options) : options_(std::move(options)) {}

  // Creates the dump folder.
  Result<void> open();
  // A job begins; its inputs are in place.
  void begin(const ethosu::Job& job, const ethosu::Memory& memory);

  Result<void> before(const ethosu::Operation& operation, const ethosu::Memory& memory) override;
  Result<void> after(const ethosu::Operation& operation, const ethosu::Memory& memory) override;

  // Operations, totals and findings of all jobs.
  void report(Node& node) const;
  const Diagnostics& findings() const { return findings_; }

 private:
  std::vector<Datum> trace_row(const ethosu::Operation& operation, const ethosu::OperationCost& cost,
                               const ethosu::Memory& memory) const;
  void watch(const ethosu::Operation& operation);
  Result<void> dump(const ethosu::Operation& operation, const ethosu::Memory& memory) const;

  TraceOptions options_;
  ethosu::Accelerator accelerator_ = ethosu::Accelerator::U55_256;
  std::size_t jobs_ = 0;
  std::optional<ethosu::MemoryCheck> check_;
  Diagnostics findings_;
  std::vector<std::vector<Datum>> rows_, watched_;
  ethosu::OperationCost total_;
  std::uint64_t kernels_ = 0, transfers_ = 0;
  std::uint64_t array_macs_ = 0, offered_ = 0;  // of the MAC array: that count, and that its cycles offer
};

// Where each region's bytes pass, for tables: "0:4400 1:123".
std::string bytes_by_region(const std::array<std::uint64_t, 9>& bytes);

}  // namespace npubin::cli
