// Operations of a command stream with the register state in effect, decoded in full.
//
// Registers persist between operations, and a compiler omits what did not change; OperationReader walks the
// words, keeps the state, and yields one Operation at each command that starts something.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "ethosu/commands.h"

namespace npubin::ethosu {

enum class OperationKind : std::uint8_t {
  Stop,
  Irq,
  Conv,
  Depthwise,
  Pool,
  Elementwise,
  DmaStart,
  DmaWait,
  KernelWait,
  PmuMask
};
std::string_view to_string(OperationKind kind);  // "conv", "dma_start", ...
// CONV, DEPTHWISE, POOL, ELEMENTWISE: what runs on the MAC and vector units.
constexpr bool is_kernel(OperationKind kind) {
  return kind >= OperationKind::Conv && kind <= OperationKind::Elementwise;
}

enum class PoolingMode : std::uint8_t { Max = 0, Average = 1, ReduceSum = 2 };
enum class ElementwiseMode : std::uint8_t {
  Mul = 0,
  Add = 1,
  Sub = 2,
  Min = 3,
  Max = 4,
  Lrelu = 5,
  Abs = 6,
  Clz = 7,
  Shr = 8,
  Shl = 9
};
// LRELU, ABS and CLZ take one operand.
constexpr bool is_unary(ElementwiseMode mode) {
  return mode == ElementwiseMode::Lrelu || mode == ElementwiseMode::Abs || mode == ElementwiseMode::Clz;
}
enum class Layout : std::uint8_t { Nhwc = 0, Nhcwb16 = 1 };
enum class Rounding : std::uint8_t { Double = 0, Truncate = 1, Natural = 2 };
enum class Upscale : std::uint8_t { None = 0, Nearest = 1, Zeros = 2 };
enum class AccFormat : std::uint8_t { I32 = 0, I40 = 1, F16 = 2 };

// A tensor in memory, as the IFM, IFM2 or OFM registers describe it (ethos-u55 spec 3).
struct FeatureMap {
  std::uint8_t region = 0;                                // the three defined bits
  std::array<std::uint64_t, 4> base{};                    // bytes from the region's base, per tile
  std::int64_t stride_x = 0, stride_y = 0, stride_c = 0;  // bytes; signed 40-bit registers
  std::uint32_t width0 = 1, height0 = 1, height1 = 1;     // extents of the tiles
  std::uint32_t height = 0, width = 0, depth = 0;         // elements; derived for IFM and IFM2
  bool is_signed = false;
  std::uint8_t element_bits = 8;  // 8, 16, 32, 64
  Layout layout = Layout::Nhwc;
  std::int32_t zero_point = 0;

  std::uint32_t element_bytes() const { return element_bits / 8u; }
  // Byte address of an element relative to the region, modulo 2^64 where registers hold nonsense.
  std::int64_t address(std::uint32_t y, std::uint32_t x, std::uint32_t c) const;
};

struct Kernel {
  std::uint32_t height = 1, width = 1;  // taps
  std::uint32_t stride_y = 1, stride_x = 1;
  std::uint32_t dilation_y = 1, dilation_x = 1;
  std::uint32_t height_m1 = 0, width_m1 = 0;  // registers: dilation * (taps - 1)
  std::uint32_t pad_top = 0, pad_left = 0, pad_right = 0, pad_bottom = 0;
  bool part_kernel_first = false;
  bool decomposed_4x4 = false;
};

// Weights or scales: a stream of bytes.
struct Stream {
  std::uint8_t region = 0;
  std::uint64_t address = 0;  // bytes from the region's base
  std::uint32_t length = 0;   // bytes
};

struct Scale {
  std::uint32_t multiplier = 0;
  std::uint32_t shift = 0;
};

struct Activation {
  std::uint8_t function = 0;      // 0 clamp, 3 tanh, 4 sigmoid, 16 + n table n
  std::uint8_t clip_range = 0;    // 0 OFM precision, 2 uint8, 3 int8, 5 int16
  std::int32_t min = 0, max = 0;  // as signed where the OFM is signed

  bool uses_table() const { return function >= 16 && function <= 23; }
  std::uint32_t table() const { return function - 16u; }
};

struct Dma {
  std::uint8_t source_region = 0, destination_region = 0;
  bool source_internal = false, destination_internal = false;        // SHRAM instead of a region
  std::uint8_t source_stride_mode = 0, destination_stride_mode = 0;  // 0: one-dimensional, all U55 has
  std::uint64_t source = 0, destination = 0;                         // bytes
  std::uint64_t length = 0;                                          // bytes
};

struct Operation {
  OperationKind kind = OperationKind::Stop;
  std::size_t index = 0;    // 0-based among the operations of the stream
  std::size_t word = 0;     // of the command that starts it
  std::uint32_t param = 0;  // its parameter: STOP and IRQ mask, PMU enable
  PoolingMode pooling = PoolingMode::Max;
  ElementwiseMode elementwise = ElementwiseMode::Mul;

  FeatureMap ifm, ifm2, ofm;
  bool has_ifm2 = false;    // a second operand is read from memory
  bool has_scalar = false;  // the second operand is `scalar`
  bool swap_operands = false;
  bool broadcast_h = false, broadcast_w = false, broadcast_c = false;
  std::int32_t scalar = 0;  // as the IFM2 precision's signedness

  Kernel kernel;
  Upscale upscale = Upscale::None;
  std::uint8_t ifm_scale_mode = 0;  // 0 both operands 16 bit, 1 operand A 32 bit, 2 operand B 32 bit
  Rounding ifm_rounding = Rounding::Double, rounding = Rounding::Double;
  bool global_scale = false;  // OFM_PRECISION bit 8: OFM_SCALE instead of a record per channel
  Scale ofm_scale, opa_scale;
  std::uint32_t opb_scale = 0;
  Activation activation;

  Stream weights, scales;
  std::uint32_t block_height = 1, block_width = 1, block_depth = 1;  // OFM block
  std::uint32_t ib_end = 0, ab_start = 0, ifm2_ib_start = 0;         // SHRAM, units of 1024 bytes (banks)
  AccFormat acc_format = AccFormat::I32;
  std::uint32_t blockdep = 0;

  Dma dma;
  std::uint32_t wait = 0;  // DMA_WAIT, KERNEL_WAIT: how many may remain unfinished

  bool uses_weights() const { return kind == OperationKind::Conv || kind == OperationKind::Depthwise; }
  // Scale records are read per output channel.
  bool uses_scales() const { return uses_weights() && !global_scale; }
};

// A register's last write.
struct RegisterWrite {
  static constexpr std::uint32_t kNever = ~0u;
  std::uint32_t word = kNever;  // index of the writing command's word 0
  std::uint32_t param = 0, payload = 0;

  bool written() const { return word != kNever; }
};

class RegisterFile {
 public:
  const RegisterWrite& operator[](Code code) const { return writes_[slot(code)]; }
  void write(const Command& command);
  std::uint32_t param(Code code) const { return (*this)[code].param; }
  std::uint32_t payload(Code code) const { return (*this)[code].payload; }
  std::uint64_t address(Code code) const;  // 40 bits
  std::int64_t signed_address(Code code) const;

 private:
  static std::size_t slot(Code code);
  std::array<RegisterWrite, 0x90 + 0xA8> writes_{};
};

class OperationReader {
 public:
  // The words must outlive the reader.
  explicit OperationReader(std::span<const std::uint32_t> words) : words_(words) {}

  // The next operation, or nothing at the end of the words. Unknown commands change nothing and are passed
  // over (the checker reports them). STOP is yielded as an operation, and reading goes on behind it.
  std::optional<Operation> next();

  // The register state as of the operation that next() gave last.
  const RegisterFile& registers() const { return registers_; }
  // The index of the word that the next command begins at.
  std::size_t position() const { return position_; }
  // Register writes between the last operation and the one before it.
  std::size_t writes_since() const { return writes_; }

 private:
  std::span<const std::uint32_t> words_;
  std::size_t position_ = 0, count_ = 0, writes_ = 0;
  RegisterFile registers_;
};

// Decodes the state in effect at `command`, which must be an operation.
Operation decode_operation(const RegisterFile& registers, const Command& command);

}  // namespace npubin::ethosu
