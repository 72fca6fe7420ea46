// Weight streams decode, with exactly the number of weights that the operation needs.
#include <fmt/format.h>

#include "ethosu/accelerator.h"
#include "ethosu/check_context.h"
#include "ethosu/describe_operation.h"
#include "ethosu/weight_stream.h"
#include "ethosu/weights/codec.h"

namespace npubin::ethosu {
namespace {

// A hostile stream can name the same long weights a hundred thousand times over.
constexpr std::uint64_t kBudget = 64u << 20;
constexpr std::uint32_t kScaleRecord = 10;  // bytes (ethos-u55 spec 4)

std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  hash ^= value + 0x9E3779B97F4A7C15u + (hash << 6) + (hash >> 2);
  return hash * 0xFF51AFD7ED558CCDu;
}

std::uint64_t hash_of(const Bytes& bytes, const WeightGeometry& g) {
  std::uint64_t hash = mix(reinterpret_cast<std::uintptr_t>(bytes.data()), bytes.size());
  for (std::uint64_t part :
       {g.ofm_depth, g.ifm_depth, g.kernel_height, g.kernel_width, g.dilation_y, g.dilation_x,
        g.ofm_block_depth, g.ifm_bits, g.depthwise ? 1u : 0u, g.part_kernel ? 1u : 0u})
    hash = mix(hash, part);
  return hash;
}

// Run-time memory that nothing filled before cannot hold weights.
void check_unknown_origin(CheckContext& context, const Operation& op) {
  const Region* region = context.region(op.weights.region);
  const bool inside = region != nullptr && op.weights.address <= region->size &&
                      op.weights.length <= region->size - op.weights.address;
  // Of a bare stream's memory nothing is known.
  if (inside && region->initial.size() == 0 && region->role != "unknown")
    context.error(
        op, "ETU-0313",
        fmt::format("weights at 0x{:x} of region {} ({}): no transfer of the stream has brought them there",
                    op.weights.address, region->index, region->role),
        "a transfer is missing, or its length is too short");
}

void check_scales(CheckContext& context, const Operation& op) {
  if (!op.uses_scales() || op.scales.length == 0) return;
  const std::uint64_t needed = std::uint64_t{op.ofm.depth} * kScaleRecord;
  if (op.scales.length < needed)
    context.error(op, "ETU-0401",
                  fmt::format("the scales have {} bytes where {} output channels need {}", op.scales.length,
                              op.ofm.depth, needed),
                  "SCALE_LENGTH or OFM_DEPTH is wrong");
}

}  // namespace

WeightGeometry weight_geometry(const Operation& op, Accelerator accelerator) {
  WeightGeometry g;
  g.ofm_depth = op.ofm.depth;
  g.depthwise = op.kind == OperationKind::Depthwise;
  g.ifm_depth = g.depthwise ? 1 : op.ifm.depth;
  g.kernel_height = op.kernel.height;
  g.kernel_width = op.kernel.width;
  g.dilation_y = op.kernel.dilation_y;
  g.dilation_x = op.kernel.dilation_x;
  g.part_kernel = op.kernel.part_kernel_first;
  g.ofm_block_depth = op.block_depth;
  g.ifm_bits = op.ifm.element_bits;
  g.accelerator = accelerator;
  return g;
}

void WeightCheck::check(CheckContext& context, const Operation& op) {
  if (!op.uses_weights()) return;
  check_scales(context, op);
  if (op.weights.length == 0) return;
  const auto bytes = bytes_at(context.job, context.copies, extent(op.weights));
  if (!bytes) return check_unknown_origin(context, op);
  // Without a configuration the order of the weights is not known.
  if (!context.job.accelerator) return;
  const WeightGeometry geometry = weight_geometry(op, *context.job.accelerator);
  const std::uint64_t hash = hash_of(*bytes, geometry);
  if (!seen_.insert(hash).second) return;
  const auto count = stream_elements(geometry);
  if (count && *count > kBudget - decoded_) {
    if (!told_)
      context.at(
          op.word, Severity::Info, "ETU-0403",
          fmt::format(
              "the weights from this operation on are not decoded: the stream has more than {} of them",
              kBudget));
    told_ = true;
    return;
  }
  decoded_ += count.value_or(0);
  const auto decoded = decode_weights(bytes->span(), geometry);
  if (!decoded) {
    const Error& error = decoded.error();
    context.at(op.word, Severity::Error, "ETU-0402",
               fmt::format("the weights ({} bytes at 0x{:x} of region {}) do not decode: at byte {}: {} [{}]",
                           op.weights.length, op.weights.address, op.weights.region,
                           error.where.offset.value_or(0), error.message, error.code),
               error.hint);
    return;
  }
  if (op.weights.length - decoded->bytes_consumed >= 16)
    context.error(
        op, "ETU-0404",
        fmt::format("the weights end after {} of {} bytes: WEIGHT_LENGTH reaches into what lies behind{}",
                    decoded->bytes_consumed, op.weights.length, context.written_at(Code::SET_WEIGHT_LENGTH)),
        "the hardware decodes all of WEIGHT_LENGTH");
}

}  // namespace npubin::ethosu
