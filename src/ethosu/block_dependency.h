// BLOCKDEP: by how many blocks a kernel may overlap the one before it.
#pragma once

#include <cstdint>

#include "ethosu/operation.h"

namespace npubin::ethosu {

constexpr std::uint32_t kMaxBlockDependency = 3;

// The largest BLOCKDEP with which `op` reads nothing that `previous` has not written. The kernels work block
// by block, depth first, then columns, then rows; with BLOCKDEP n the j-th job of `op` may start while the
// last n - j blocks of `previous` are unfinished.
std::uint32_t safe_block_dependency(const Operation& previous, const Operation& op);

}  // namespace npubin::ethosu
