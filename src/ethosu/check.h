// Checks of a command stream: encoding, state, addresses, weights, configuration, hazards.
#pragma once

#include "ethosu/job.h"
#include "npubin/diagnostics.h"

namespace npubin::ethosu {

// Adds every finding about the job's stream; where.word_offset is the operation at which a defect takes
// effect, where.offset its place in the file. Hazards assume queues of 2 kernels and 1 DMA (ethos-u55 spec
// 6).
void check_job(const Job& job, Diagnostics& out);

}  // namespace npubin::ethosu
