// The raw listing, one line per command, and the assembler that turns it back into the same words.
//
//   0x000024: NPU_SET_IFM_HEIGHT0_M1 height_m1=0
//
// The offset is in bytes from the start of the stream. Enumerated fields carry their spelling, addresses all
// 40 bits in hexadecimal. Set bits that belong to no field follow as reserved0= (word 0) and reserved1=;
// words of no command are UNKNOWN word0=.. [word1=..]. So no bit of a stream is lost.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ethosu/commands.h"
#include "npubin/result.h"

namespace npubin::ethosu {

// One command with its fields, without the offset. Appends to `out`.
void append_command(std::string& out, const Command& command);

std::vector<std::string> raw_listing(std::span<const std::uint32_t> words);

// Words of a raw listing. Offsets are optional; where given they must be right. Empty lines and what follows
// ';' or '#' are left out; fields that are not given are 0. Error: Malformed with the line number.
Result<std::vector<std::uint32_t>> assemble(std::string_view listing);

}  // namespace npubin::ethosu
