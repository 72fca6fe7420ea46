// Command streams written by hand.
#pragma once

#include <cstdint>
#include <vector>

#include "ethosu/command_codes.h"

namespace npubin::ethosu {

class StreamBuilder {
 public:
  StreamBuilder& set(Code code, std::uint32_t param) {
    words_.push_back(static_cast<std::uint32_t>(code) | param << 16);
    return *this;
  }
  StreamBuilder& set_long(Code code, std::uint32_t payload, std::uint32_t param = 0) {
    words_.push_back((static_cast<std::uint32_t>(code) & 0x3FFu) | 1u << 14 | param << 16);
    words_.push_back(payload);
    return *this;
  }
  StreamBuilder& operation(Code code, std::uint32_t param = 0) { return set(code, param); }
  StreamBuilder& stop() { return set(Code::OP_STOP, 0xFFFF); }

  // An NHWC map of `bits` elements without a second tile, densely packed at `base` of region 1.
  StreamBuilder& ifm(std::uint32_t base, std::uint32_t width, std::uint32_t depth, std::uint32_t precision) {
    const std::uint32_t bytes = 1u << (precision >> 2 & 3);
    set(Code::SET_IFM_REGION, 1).set_long(Code::SET_IFM_BASE0, base);
    set_long(Code::SET_IFM_STRIDE_X, depth * bytes).set_long(Code::SET_IFM_STRIDE_Y, width * depth * bytes);
    set(Code::SET_IFM_WIDTH0_M1, 0xFFFF)
        .set(Code::SET_IFM_HEIGHT0_M1, 0xFFFF)
        .set(Code::SET_IFM_HEIGHT1_M1, 0xFFFF);
    return set(Code::SET_IFM_DEPTH_M1, depth - 1).set(Code::SET_IFM_PRECISION, precision);
  }
  StreamBuilder& ifm2(std::uint32_t base, std::uint32_t width, std::uint32_t depth, std::uint32_t precision) {
    const std::uint32_t bytes = 1u << (precision >> 2 & 3);
    set(Code::SET_IFM2_REGION, 1).set_long(Code::SET_IFM2_BASE0, base);
    set_long(Code::SET_IFM2_STRIDE_X, depth * bytes).set_long(Code::SET_IFM2_STRIDE_Y, width * depth * bytes);
    set(Code::SET_IFM2_WIDTH0_M1, 0xFFFF).set(Code::SET_IFM2_HEIGHT0_M1, 0xFFFF);
    return set(Code::SET_IFM2_HEIGHT1_M1, 0xFFFF).set(Code::SET_IFM2_PRECISION, precision);
  }
  StreamBuilder& ofm(std::uint32_t base, std::uint32_t height, std::uint32_t width, std::uint32_t depth,
                     std::uint32_t precision) {
    const std::uint32_t bytes = 1u << (precision >> 1 & 3);
    set(Code::SET_OFM_REGION, 1).set_long(Code::SET_OFM_BASE0, base);
    set_long(Code::SET_OFM_STRIDE_X, depth * bytes).set_long(Code::SET_OFM_STRIDE_Y, width * depth * bytes);
    set(Code::SET_OFM_WIDTH0_M1, 0xFFFF)
        .set(Code::SET_OFM_HEIGHT0_M1, 0xFFFF)
        .set(Code::SET_OFM_HEIGHT1_M1, 0xFFFF);
    set(Code::SET_OFM_HEIGHT_M1, height - 1)
        .set(Code::SET_OFM_WIDTH_M1, width - 1)
        .set(Code::SET_OFM_DEPTH_M1, depth - 1);
    return set(Code::SET_OFM_PRECISION, precision);
  }
  StreamBuilder& clamp(std::int32_t minimum, std::int32_t maximum) {
    set(Code::SET_ACTIVATION_MIN, static_cast<std::uint32_t>(minimum) & 0xFFFFu);
    return set(Code::SET_ACTIVATION_MAX, static_cast<std::uint32_t>(maximum) & 0xFFFFu);
  }

  const std::vector<std::uint32_t>& words() const { return words_; }
  std::size_t size() const { return words_.size(); }

 private:
  std::vector<std::uint32_t> words_;
};

// IFM, IFM2 precision registers: signed bit 0, size bits 3:2. OFM: signed bit 0, size bits 2:1, global scale
// bit 8.
inline constexpr std::uint32_t kIfmInt8 = 0x1, kIfmInt16 = 0x5, kIfmInt32 = 0x9;
inline constexpr std::uint32_t kOfmInt8 = 0x1, kOfmInt16 = 0x3, kOfmInt32 = 0x5;
inline constexpr std::uint32_t kGlobalScale = 0x100;

}  // namespace npubin::ethosu
