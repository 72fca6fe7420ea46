// The driver payload "COP1" around a command stream (ethos-u55 spec 1).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ethosu/job.h"
#include "npubin/bytes.h"
#include "npubin/diagnostics.h"
#include "npubin/result.h"

namespace npubin::ethosu {

constexpr std::uint32_t kCop1 = 0x31504F43;  // bytes "COP1"
constexpr std::uint32_t kCop2 = 0x32504F43;  // bytes "COP2"

// OPTIMIZER_CONFIG's two words.
struct OptimizerConfig {
  std::uint32_t cfg = 0, id = 0;

  std::uint32_t macs() const { return 1u << (cfg & 15u); }
  std::uint32_t stream_version() const { return cfg >> 4 & 15u; }
  std::uint32_t shram_kib() const { return cfg >> 8 & 255u; }
  bool custom_dma() const { return (cfg >> 27 & 1u) != 0; }
  std::uint32_t product() const { return cfg >> 28; }  // 0 U55, 1 U65
  std::uint32_t arch_major() const { return id >> 28; }
  std::uint32_t arch_minor() const { return id >> 20 & 255u; }
  std::uint32_t arch_patch() const { return id >> 16 & 15u; }
};

struct Cop1 {
  std::optional<OptimizerConfig> config;
  std::size_t config_word = 0;       // index of the first word of OPTIMIZER_CONFIG in the payload
  std::size_t stream_word = 0;       // index of the first command word in the payload
  std::vector<std::uint32_t> words;  // the command stream; shortened where the payload is
  std::size_t announced = 0;         // words that COMMAND_STREAM announces
};

bool is_cop1(ByteSpan payload);
// COP2 is another, undescribed payload (Vela 4.2 and later).
bool is_cop2(ByteSpan payload);

// Reads a payload tolerantly; what the driver would refuse goes into `findings` with file offsets
// (`base` = file offset of the payload). Error: not COP1 at all; COP2 (Refused); no COMMAND_STREAM.
Result<Cop1> read_cop1(ByteSpan payload, std::uint64_t base, Diagnostics& findings);

// fourcc, OPTIMIZER_CONFIG, NOPs so that the stream begins 16-aligned, COMMAND_STREAM. Architecture 1.0.6.
// Error (Refused): more words than the 24-bit length can hold.
Result<std::vector<std::byte>> write_cop1(std::span<const std::uint32_t> words, Accelerator accelerator);

// The most that is taken for a command stream: real ones have kilobytes, and a listing of one takes fifty
// times its size.
constexpr std::uint64_t kMostStreamBytes = std::uint64_t{4} << 20;
// Error (Refused): more bytes than kMostStreamBytes. `base`: file offset of the bytes.
Result<void> check_stream_size(std::uint64_t bytes, std::uint64_t base);

// Words of a little-endian byte run; up to three bytes behind the last word are left out.
std::vector<std::uint32_t> words_of(ByteSpan bytes);
std::vector<std::byte> bytes_of(std::span<const std::uint32_t> words);

}  // namespace npubin::ethosu
