// Addresses: regions, bounds, alignment, tiles.
#include <fmt/format.h>

#include "ethosu/accelerator.h"
#include "ethosu/check_context.h"

namespace npubin::ethosu {
namespace {

struct Use {
  const char* name;
  const char* code;  // of the finding when the bytes leave the region
  bool write;
};

std::uint64_t shram_bytes(const Job& job) {
  return configuration(job.accelerator.value_or(Accelerator::U55_256)).shram_bytes;
}

void check_extent(CheckContext& context, const Operation& op, const Extent& extent, const Use& use) {
  if (extent.empty()) return;
  std::uint64_t size = 0;
  std::string where = "SHRAM";
  if (extent.space == kShramSpace) {
    size = shram_bytes(context.job);
  } else {
    const Region* region = context.region(extent.space);
    if (region == nullptr)
      return context.error(
          op, "ETU-0202",
          fmt::format("{} lies in region {}, which the job does not have", use.name, extent.space),
          "the stream belongs to another file, or the region table lost an entry");
    size = region->size;
    where = fmt::format("region {} ({})", extent.space, region->role);
    if (use.write && region->read_only)
      context.error(op, "ETU-0308", fmt::format("{} writes to {}, which holds constants", use.name, where),
                    "the region number is wrong, or the region must be run-time memory");
  }
  if (extent.begin < 0 || static_cast<std::uint64_t>(extent.end) > size)
    context.error(op, use.code,
                  fmt::format("{} takes bytes {}..{} of {}, which has {}", use.name, extent.begin, extent.end,
                              where, size),
                  extent.begin < 0 ? "a stride or an address is wrong"
                                   : "an address or an extent is wrong, or the region is too small");
}

// One map at the first tile that leaves its region; the others mostly follow from it.
void check_map_bounds(CheckContext& context, const Operation& op, const FeatureMap& map, const Use& use) {
  Extent hull = extents(map).hull();
  hull.space = map.region;
  check_extent(context, op, hull, use);
}

struct MapCodes {
  Code base0, stride_x, stride_y, stride_c, height0;
};
constexpr MapCodes kIfm{Code::SET_IFM_BASE0, Code::SET_IFM_STRIDE_X, Code::SET_IFM_STRIDE_Y,
                        Code::SET_IFM_STRIDE_C, Code::SET_IFM_HEIGHT0_M1};
constexpr MapCodes kIfm2{Code::SET_IFM2_BASE0, Code::SET_IFM2_STRIDE_X, Code::SET_IFM2_STRIDE_Y,
                         Code::SET_IFM2_STRIDE_C, Code::SET_IFM2_HEIGHT0_M1};
constexpr MapCodes kOfm{Code::SET_OFM_BASE0, Code::SET_OFM_STRIDE_X, Code::SET_OFM_STRIDE_Y,
                        Code::SET_OFM_STRIDE_C, Code::SET_OFM_HEIGHT0_M1};

std::int64_t alignment_of(const FeatureMap& map) {
  return map.layout == Layout::Nhcwb16 ? 16 : map.element_bytes();
}

void check_alignment(CheckContext& context, const Operation& op, const FeatureMap& map, const MapCodes& codes,
                     const char* name) {
  const std::int64_t unit = alignment_of(map);
  const char* layout = map.layout == Layout::Nhcwb16 ? "in bricks (NHCWB16)" : "of its elements";
  for (std::size_t tile = 0; tile < 4; ++tile) {
    const bool in_use =
        tile == 0 || (tile == 1 && map.width > map.width0) || (tile == 2 && map.height > map.height0);
    if (in_use && static_cast<std::int64_t>(map.base[tile]) % unit != 0)
      context.error(
          op, "ETU-0309",
          fmt::format("{} base {} is 0x{:x}, no multiple of {} {}{}", name, tile, map.base[tile], unit,
                      layout,
                      context.written_at(static_cast<Code>(static_cast<unsigned>(codes.base0) + tile))));
  }
  struct Stride {
    std::int64_t value;
    Code code;
    const char* axis;
    bool used;
  };
  const Stride strides[] = {
      {map.stride_y, codes.stride_y, "y", map.height > 1},
      {map.stride_x, codes.stride_x, "x", map.layout == Layout::Nhwc && map.width > 1},
      {map.stride_c, codes.stride_c, "c", map.layout == Layout::Nhcwb16 && map.depth > 16}};
  for (const Stride& stride : strides)
    if (stride.used && stride.value % unit != 0)
      context.error(op, "ETU-0310",
                    fmt::format("{} stride {} is {}, no multiple of {} {}{}", name, stride.axis, stride.value,
                                unit, layout, context.written_at(stride.code)),
                    "the hardware drops the low bits: rows would shift against each other");
}

// A map that is split by rows is a rolling buffer: the lower tile begins where the buffer does, a whole
// number of rows above the upper one.
void check_tiles(CheckContext& context, const Operation& op, const FeatureMap& map, const MapCodes& codes,
                 const char* name) {
  if (map.height <= map.height0) return;
  const auto distance = static_cast<std::int64_t>(map.base[0]) - static_cast<std::int64_t>(map.base[2]);
  const bool whole_rows = map.stride_y != 0 && distance % map.stride_y == 0;
  const Code base2 = static_cast<Code>(static_cast<unsigned>(codes.base0) + 2);
  if (whole_rows && (*context.registers)[base2].written() && map.base[2] <= map.base[0] &&
      !tiles_overlap(map))
    return;
  context.warn(op, "ETU-0311",
               fmt::format("{} has {} rows but HEIGHT0 is {}{}: the rows from there on go to tile 2 at "
                           "0x{:x}{}, which is no free place a "
                           "whole number of rows before tile 0 at 0x{:x}",
                           name, map.height, map.height0, context.written_at(codes.height0), map.base[2],
                           context.written_at(base2), map.base[0]),
               "HEIGHT0 is too small, or BASE2 is stale");
}

// Rows that overlap each other: a written map would overwrite itself.
void check_rows(CheckContext& context, const Operation& op) {
  const FeatureMap& map = op.ofm;
  if (map.height < 2) return;
  const std::int64_t row = map.layout == Layout::Nhwc ? (std::int64_t{map.width} - 1) * map.stride_x +
                                                            std::int64_t{map.depth} * map.element_bytes()
                                                      : 0;
  const std::int64_t step = map.stride_y < 0 ? -map.stride_y : map.stride_y;
  if (map.layout == Layout::Nhwc && map.stride_x >= 0 && step < row && step != 0 && map.stride_x < step) {
    context.warn(op, "ETU-0312",
                 fmt::format("OFM rows of {} bytes lie {} bytes apart: they overwrite each other{}", row,
                             map.stride_y, context.written_at(Code::SET_OFM_STRIDE_Y)));
  } else if (step == 0) {
    context.warn(op, "ETU-0312",
                 fmt::format("all {} OFM rows lie at the same place{}", map.height,
                             context.written_at(Code::SET_OFM_STRIDE_Y)));
  }
}

void check_map(CheckContext& context, const Operation& op, const FeatureMap& map, const MapCodes& codes,
               const Use& use) {
  check_map_bounds(context, op, map, use);
  check_alignment(context, op, map, codes, use.name);
  check_tiles(context, op, map, codes, use.name);
}

void check_stream(CheckContext& context, const Operation& op, const Stream& stream, const Use& use) {
  if (stream.length == 0)
    return context.error(op, "ETU-0212", fmt::format("{} have length 0", use.name),
                         "the operation needs them");
  if (stream.address % 16 != 0 || stream.length % 16 != 0)
    context.error(op, "ETU-0309",
                  fmt::format("{} of {} bytes at 0x{:x}: address and length must be multiples of 16",
                              use.name, stream.length, stream.address));
  check_extent(context, op, extent(stream), use);
}

void check_dma(CheckContext& context, const Operation& op) {
  const Dma& d = op.dma;
  check_extent(context, op, source_extent(d), {"the transfer's source", "ETU-0306", false});
  check_extent(context, op, destination_extent(d), {"the transfer's destination", "ETU-0307", true});
  if (d.source % 16 != 0 || d.destination % 16 != 0)
    context.error(op, "ETU-0309",
                  fmt::format("the transfer goes from 0x{:x} to 0x{:x}: both must be multiples of 16",
                              d.source, d.destination));
}

}  // namespace

void check_addresses(CheckContext& context, const Operation& op) {
  if (op.kind == OperationKind::DmaStart) check_dma(context, op);
  if (!is_kernel(op.kind)) return;
  check_map(context, op, op.ifm, kIfm, {"IFM", "ETU-0301", false});
  if (op.has_ifm2) check_map(context, op, op.ifm2, kIfm2, {"IFM2", "ETU-0302", false});
  check_map(context, op, op.ofm, kOfm, {"OFM", "ETU-0303", true});
  check_rows(context, op);
  if (op.uses_weights()) check_stream(context, op, op.weights, {"weights", "ETU-0304", false});
  if (op.uses_scales()) check_stream(context, op, op.scales, {"scales", "ETU-0305", false});
}

}  // namespace npubin::ethosu
