// An Ethos-U job, freed from the file it came from: a command stream, its regions, and where inputs and
// outputs lie. .npub documents and Vela-compiled .tflite files make jobs; the listing, the checker and the
// machine take them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "npubin/bytes.h"
#include "npubin/tensor.h"

namespace npubin::ethosu {

// MAC units per cycle: the accelerator configurations of the U55.
enum class Accelerator : std::uint16_t { U55_32 = 32, U55_64 = 64, U55_128 = 128, U55_256 = 256 };

struct Region {
  std::uint32_t index = 0;  // as in NPU_SET_*_REGION: BASEP<index>
  std::uint64_t size = 0;   // bytes
  Bytes initial;            // contents before the job; empty for run-time memory, else `size` bytes
  bool read_only = false;   // weights and other constants: writing there is a fault
  std::string role;         // "weights", "scratch", "scratch_fast", "input", "output", "other"
};

// A tensor of the job's interface inside a region.
struct Binding {
  std::string name;
  std::uint32_t region = 1;
  std::uint64_t offset = 0;  // bytes from the region's base
  DType type = DType::I8;
  Shape shape;  // dense, row-major
  Quantization quantization;
};

// A name for an address range, for listings.
struct NamedRange {
  std::uint32_t region = 0;
  std::uint64_t offset = 0, size = 0;  // bytes
  std::string name;
};

struct Job {
  std::string name;                        // operator or file
  std::vector<std::uint32_t> words;        // raw command words, payload framing removed
  std::uint64_t stream_offset = 0;         // file offset of words[0]
  std::optional<Accelerator> accelerator;  // as the container states it
  std::vector<Region> regions;
  std::vector<Binding> inputs, outputs;  // in the file's order; empty where the container does not say
  std::vector<NamedRange> tensors;       // known tensors, for listings; may be empty
};

}  // namespace npubin::ethosu
