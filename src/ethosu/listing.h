// The structured listing of a job: one block per operation with the state in effect; the raw listing; totals.
#pragma once

#include "ethosu/job.h"
#include "ethosu/operation.h"
#include "npubin/artifact.h"
#include "npubin/describe.h"

namespace npubin::ethosu {

// "shared by disasm of .npub and .tflite": a node with the stream's head, and per options the raw lines, the
// operations, or the totals.
Node list_job(const Job& job, const DisasmOptions& options);

// Totals of a job; also part of inspect.
Node summarize_job(const Job& job);
// Multiply-accumulates of all operations up to STOP.
std::uint64_t job_macs(const Job& job);

// What an operation is, in a word or two: "conv 3x3", "pool max 2x2", "elementwise add", "dma_wait 0".
std::string operation_name(const Operation& op);

}  // namespace npubin::ethosu
