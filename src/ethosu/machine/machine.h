// The Ethos-U55 as a function: executes a command stream on its regions, bit-exact (ethos-u55 spec 2 to 4).
//
// The model is sequential: an operation is complete before the next one begins, so waits have no effect, and
// a stream with a missing wait computes what its author meant. Hazards are the checker's to find.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "ethosu/job.h"
#include "ethosu/machine/memory.h"
#include "ethosu/operation.h"
#include "npubin/result.h"

namespace npubin::ethosu {

// Sees every operation before and after its execution. An error stops the run.
class MachineObserver {
 public:
  virtual ~MachineObserver() = default;
  virtual Result<void> before(const Operation& operation, const Memory& memory);
  virtual Result<void> after(const Operation& operation, const Memory& memory);
};

struct MachineOptions {
  int threads = 1;
  std::uint64_t max_operations = 10'000'000;        // more are refused: a stream that never ends
  std::uint64_t max_macs = std::uint64_t{1} << 38;  // of one operation; larger ones are refused: some seconds
  std::uint64_t stop_after = UINT64_MAX;  // operations (kernels and DMA) to execute; stopping so is no error
  bool reference = false;                 // plain 64-bit loops instead of vector instructions
  MachineObserver* observer = nullptr;
};

struct MachineRun {
  std::uint64_t operations = 0;  // commands of all kinds that were executed
  std::uint64_t executed = 0;    // kernels and DMA transfers among them
  std::uint64_t macs = 0;        // of CONV and DEPTHWISE
  bool stopped = false;          // by stop_after
};

// Executes the words up to STOP. Errors name the command and its word offset (Location::word_offset), and the
// file offset where `stream_offset` is given:
//   Malformed ETU-5002..5005: addresses outside their region, a write to read-only memory, ...
//   Malformed ETU-40xx: weights that do not decode
//   Refused ETU-501x: what the specification has no rule for
//   Malformed ETU-5006: the stream ends without STOP
Result<MachineRun> execute(std::span<const std::uint32_t> words, std::uint64_t stream_offset,
                           Accelerator accelerator, Memory& memory, const MachineOptions& options = {});

// The accelerator of a job; -256, the only one that .npub defines, where the container does not say.
Accelerator job_accelerator(const Job& job);

// "CONV", "POOL average", "ELEMENTWISE add", "DMA": for messages and traces.
std::string describe(const Operation& operation);

// What the specification has no rule for. Called by execute() before every operation.
Result<void> admit(const Operation& operation, const RegisterFile& registers);

}  // namespace npubin::ethosu
