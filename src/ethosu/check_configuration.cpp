// The layout of the internal memory and the block sizes against the accelerator.
//
// From the start: input buffers up to IB_END (the second operand's from IFM2_IB_START), accumulators from
// AB_START, and look-up tables at the end: always on the -128 and -256, on the smaller ones when a table is
// used.
#include <fmt/format.h>

#include "ethosu/accelerator.h"
#include "ethosu/check_context.h"

namespace npubin::ethosu {
namespace {

constexpr std::uint32_t kBank = 1024;  // bytes
constexpr std::uint32_t kTableBanks = 2;

std::uint32_t accumulator_banks(const Operation& op, const Configuration& c) {
  const std::uint32_t depth = (op.block_depth + c.ofm_depth - 1) / c.ofm_depth * c.ofm_depth;
  const std::uint32_t bytes = op.acc_format == AccFormat::I40 ? 5 : op.acc_format == AccFormat::I32 ? 4 : 2;
  return (op.block_height * op.block_width * depth * bytes + kBank - 1) / kBank;
}

void check_buffers(CheckContext& context, const Operation& op, const Configuration& c) {
  const std::uint32_t banks = c.shram_bytes / kBank;
  const bool tables_in_the_way = op.activation.uses_table() && c.buffer_end == banks;
  const std::uint32_t end = tables_in_the_way ? banks - kTableBanks : c.buffer_end;
  const bool accumulates = op.kind != OperationKind::Elementwise;
  const std::uint32_t used = accumulates ? op.ab_start + accumulator_banks(op, c) : op.ib_end;
  if (op.ib_end <= end && used <= end) return;
  context.error(
      op, "ETU-0501",
      fmt::format("the layout of the internal memory is not that of {} ({} KiB, {} for buffers{}): input up "
                  "to {} KiB{}{}",
                  c.name, banks, end, tables_in_the_way ? ", a table behind them" : "", op.ib_end,
                  accumulates ? fmt::format(", accumulators from {} to {} KiB", op.ab_start, used) : "",
                  context.written_at(Code::SET_IFM_IB_END)),
      "the stream is compiled for another configuration, or the container names a wrong one");
}

void check_order(CheckContext& context, const Operation& op) {
  if (op.kind != OperationKind::Elementwise && op.ab_start < op.ib_end)
    context.error(op, "ETU-0503",
                  fmt::format("accumulators begin at bank {}, inside the input buffers, which end at {}{}",
                              op.ab_start, op.ib_end, context.written_at(Code::SET_AB_START)));
  if (op.has_ifm2 && op.ifm2_ib_start > op.ib_end)
    context.error(
        op, "ETU-0503",
        fmt::format(
            "the second operand's buffer begins at bank {}, behind the end of the input buffers at {}{}",
            op.ifm2_ib_start, op.ib_end, context.written_at(Code::SET_IFM2_IB_START)));
}

}  // namespace

void check_configuration(CheckContext& context, const Operation& op) {
  if (!is_kernel(op.kind)) return;
  check_order(context, op);
  if (!context.job.accelerator) return;
  const Configuration& c = configuration(*context.job.accelerator);
  check_buffers(context, op, c);
  if (op.block_height % c.block_height != 0 || op.block_width % c.block_width != 0 ||
      op.block_depth % c.ofm_depth != 0)
    context.error(
        op, "ETU-0502",
        fmt::format(
            "the OFM block {}x{}x{} (height, width, depth) is no multiple of {}x{}x{}, the micro-block of {}",
            op.block_height, op.block_width, op.block_depth, c.block_height, c.block_width, c.ofm_depth,
            c.name),
        "the stream is compiled for another configuration, or the container names a wrong one");
}

}  // namespace npubin::ethosu
