// Layers that move elements without computing.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "formats/armnn/layer_import.h"

namespace npubin::armnn::importers {
namespace {

using namespace npubin::graph;

std::vector<std::vector<std::uint32_t>> uint_vectors(const TableView& table, std::string_view name) {
  std::vector<std::vector<std::uint32_t>> out;
  const Slot* row = table.row(name);
  const FlatVector vector = table.vector(name);
  for (std::uint32_t i = 0; i < vector.count; ++i)
    if (auto entry = table.element(*row, vector, i)) out.push_back(entry->u32s("data"));
  return out;
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs(LayerImport& at, std::string_view field) {
  const std::vector<std::uint32_t> flat = at.descriptor.u32s(field);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> out;
  if (flat.size() % 2 != 0)
    at.error("ARM-0403", field,
             fmt::format("{} has {} entries; it holds pairs of before and after", field, flat.size()));
  if (std::any_of(flat.begin(), flat.end(), [](std::uint32_t v) { return v > (1u << 24); }))
    at.error("ARM-0403", field, fmt::format("{} [{}] is out of all proportion", field, fmt::join(flat, ",")));
  for (std::size_t i = 0; i + 1 < flat.size(); i += 2) out.emplace_back(flat[i], flat[i + 1]);
  return out;
}

// numViews and numDimensions repeat what the origins say themselves.
void check_origins(LayerImport& at, const TableView& origins, std::size_t views,
                   const std::vector<std::vector<std::uint32_t>>& found) {
  if (origins.u32("numViews") != views || found.size() != views)
    at.error("ARM-0403", "descriptor",
             fmt::format("numViews is {} and there are {} origins for {} connected views",
                         origins.u32("numViews"), found.size(), views));
  for (const auto& origin : found)
    if (origin.size() != origins.u32("numDimensions")) {
      at.error(
          "ARM-0403", "descriptor",
          fmt::format("numDimensions is {}, an origin has {}", origins.u32("numDimensions"), origin.size()));
      break;
    }
}

// Arm NN: dimension i of the input goes to mapping[i]. NumPy: dimension i of the result comes from
// permutation[i] (armnn spec 3, Permute).
void transpose_by(LayerImport& at, bool is_permute) {
  const std::vector<std::uint32_t> mapping = at.descriptor.u32s("dimMappings");
  TransposeAttributes out;
  out.permutation.assign(mapping.size(), -1);
  std::vector<bool> used(mapping.size());
  for (std::size_t i = 0; i < mapping.size(); ++i) {
    if (mapping[i] >= mapping.size() || used[mapping[i]]) {
      at.error("ARM-0403", "dimMappings",
               fmt::format("dimMappings [{}] is no permutation", fmt::join(mapping, ",")));
      return;
    }
    used[mapping[i]] = true;
    if (is_permute)
      out.permutation[mapping[i]] = static_cast<std::int32_t>(i);
    else
      out.permutation[i] = static_cast<std::int32_t>(mapping[i]);
  }
  at.node.op = Op::Transpose;
  at.node.attributes = std::move(out);
}

}  // namespace

void reshape(LayerImport& at) {
  at.node.op = Op::Reshape;
  ReshapeAttributes out;
  const Value* input = at.input(0);
  const std::vector<std::uint32_t> target = at.descriptor.u32s("targetShape");
  std::int64_t known = 1;
  std::optional<std::size_t> inferred;
  bool broken = target.empty() || target.size() > kMaxStoredRank;
  for (std::size_t i = 0; i < target.size() && !broken; ++i) {
    out.shape.push_back(target[i]);
    if (target[i] != 0xFFFFFFFFu) {
      auto product = checked_mul(known, std::int64_t{target[i]});
      broken = !product || target[i] == 0;
      if (product) known = *product;
    } else if (inferred) {
      broken = true;
    } else {
      inferred = i;
    }
  }
  if (broken) {
    at.error("ARM-0403", "targetShape",
             fmt::format("targetShape [{}] is no shape; one entry at most may be -1",
                         fmt::join(at.descriptor.i32s("targetShape"), ",")));
  } else if (input != nullptr) {
    const std::int64_t count = count_of(input->shape);
    if (inferred && count % known == 0) out.shape[*inferred] = count / known;
    if ((inferred && count % known != 0) || count_of(out.shape) != count)
      at.error("ARM-0404", "targetShape",
               fmt::format("the input {} has {} elements, which do not fill [{}]", to_string(input->shape),
                           count, fmt::join(at.descriptor.i32s("targetShape"), ",")));
  }
  // The result is the input's bytes: its type and quantisation are the input's whatever is stored.
  if (Value* output = at.output(0); output != nullptr && input != nullptr) {
    if (output->type != input->type)
      at.error("ARM-0406", "targetShape",
               fmt::format("the result is stored as {}, the input is {}", to_string(output->type),
                           to_string(input->type)));
    else if (output->quantization != input->quantization)
      at.warn("ARM-0410", "targetShape",
              "the result's stored quantisation differs from the input's, which counts",
              "Reshape copies the codes as they are");
    output->quantization = input->quantization;
  }
  at.node.attributes = std::move(out);
}

void permute(LayerImport& at) {
  transpose_by(at, true);
}
void transpose(LayerImport& at) {
  transpose_by(at, false);
}

void concat(LayerImport& at) {
  ConcatAttributes out;
  out.axis = static_cast<int>(at.descriptor.u32("concatAxis"));
  out.view_origins = uint_vectors(at.descriptor, "viewOrigins");
  check_origins(at, at.descriptor, at.node.inputs.size(), out.view_origins);
  at.node.op = Op::Concat;
  at.node.attributes = std::move(out);
}

void splitter(LayerImport& at) {
  SplitAttributes out;
  const auto origins = at.descriptor.child("origins");
  if (!origins) {
    at.error("ARM-0401", "origins", "it has no view origins");
    return;
  }
  out.view_origins = uint_vectors(*origins, "viewOrigins");
  check_origins(at, *origins, at.node.outputs.size(), out.view_origins);
  const auto sizes = uint_vectors(at.descriptor, "viewSizes");
  if (sizes.size() != out.view_origins.size()) {
    at.error("ARM-0403", "viewSizes",
             fmt::format("{} view sizes for {} origins", sizes.size(), out.view_origins.size()));
    return;
  }
  // The axis is the first along which the views do not take all of the input.
  const Value* input = at.input(0);
  std::size_t axis = 0;
  if (input != nullptr)
    for (; axis + 1 < input->shape.size(); ++axis)
      if (std::any_of(sizes.begin(), sizes.end(), [&](const std::vector<std::uint32_t>& size) {
            return axis < size.size() && size[axis] != input->shape[axis];
          }))
        break;
  out.axis = static_cast<int>(axis);
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    out.sizes.push_back(axis < sizes[i].size() ? sizes[i][axis] : 0);
    const Value* output = at.output(i);
    if (output == nullptr) continue;
    if (!std::equal(sizes[i].begin(), sizes[i].end(), output->shape.begin(), output->shape.end(),
                    [](std::uint32_t a, std::int64_t b) { return a == b; }))
      at.error("ARM-0405", "viewSizes",
               fmt::format("output {} is stored as {}, its view has size [{}]", i, to_string(output->shape),
                           fmt::join(sizes[i], ",")));
  }
  at.node.op = Op::Split;
  at.node.attributes = std::move(out);
}

void slice(LayerImport& at) {
  SliceAttributes out;
  for (std::uint32_t v : at.descriptor.u32s("begin")) out.begin.push_back(v);
  for (std::uint32_t v : at.descriptor.u32s("size")) out.size.push_back(v);
  at.node.op = Op::Slice;
  at.node.attributes = std::move(out);
}

void strided_slice(LayerImport& at) {
  const TableView& d = at.descriptor;
  StridedSliceAttributes out;
  out.begin = d.i32s("begin");
  out.end = d.i32s("end");
  out.stride = d.i32s("stride");
  out.begin_mask = static_cast<std::uint32_t>(d.i32("beginMask"));
  out.end_mask = static_cast<std::uint32_t>(d.i32("endMask"));
  out.shrink_axis_mask = static_cast<std::uint32_t>(d.i32("shrinkAxisMask"));
  out.ellipsis_mask = static_cast<std::uint32_t>(d.i32("ellipsisMask"));
  out.new_axis_mask = static_cast<std::uint32_t>(d.i32("newAxisMask"));
  out.layout = at.data_layout();
  if (out.ellipsis_mask != 0 || out.new_axis_mask != 0)
    at.warn("ARM-0411", "ellipsisMask", "ellipsisMask and newAxisMask are set, which Arm NN ignores");
  at.node.op = Op::StridedSlice;
  at.node.attributes = std::move(out);
}

void pad(LayerImport& at) {
  PadAttributes out;
  out.pads = pairs(at, "padList");
  out.value = at.descriptor.f32("padValue");
  constexpr PadMode kModes[] = {PadMode::Constant, PadMode::Reflect, PadMode::Symmetric};
  if (const std::int32_t mode = at.descriptor.enumeration("paddingMode"); mode >= 0 && mode < 3)
    out.mode = kModes[mode];
  at.node.op = Op::Pad;
  at.node.attributes = std::move(out);
}

void gather(LayerImport& at) {
  // Before 20.08 there is no descriptor: axis 0.
  at.node.op = Op::Gather;
  at.node.attributes = GatherAttributes{at.descriptor.i32("axis"), 0};
}

void stack(LayerImport& at) {
  if (at.descriptor.u32("numInputs") != at.node.inputs.size())
    at.error("ARM-0403", "numInputs",
             fmt::format("numInputs is {}, {} are connected", at.descriptor.u32("numInputs"),
                         at.node.inputs.size()));
  at.node.op = Op::Stack;
  at.node.attributes = StackAttributes{static_cast<int>(at.descriptor.u32("axis"))};
}

namespace {

ResizeAttributes resize_attributes(LayerImport& at) {
  ResizeAttributes out;
  out.height = at.descriptor.u32("targetHeight");
  out.width = at.descriptor.u32("targetWidth");
  out.align_corners = at.descriptor.flag("alignCorners");
  out.half_pixel_centers = at.descriptor.flag("halfPixelCenters");
  out.layout = at.data_layout();
  if (out.align_corners && out.half_pixel_centers)
    at.error("ARM-0403", "alignCorners", "alignCorners and halfPixelCenters exclude each other");
  return out;
}

SpaceBatchAttributes space_batch(LayerImport& at, std::string_view pads_field) {
  SpaceBatchAttributes out;
  out.block = at.descriptor.u32s("blockShape");
  out.pads = pairs(at, pads_field);
  out.layout = at.data_layout();
  if (std::any_of(out.block.begin(), out.block.end(), [](std::uint32_t v) { return v == 0 || v > 4096; }))
    at.error("ARM-0403", "blockShape",
             fmt::format("blockShape [{}] has an entry outside of 1 ... 4096", fmt::join(out.block, ",")));
  if (out.block.size() != 2 || out.pads.size() != 2)
    at.error("ARM-0403", "blockShape",
             fmt::format("blockShape has {} entries and {} {} pairs; two each are needed (height, width)",
                         out.block.size(), pads_field, out.pads.size()));
  return out;
}

SpaceDepthAttributes space_depth(LayerImport& at) {
  SpaceDepthAttributes out{at.descriptor.u32("blockSize"), at.data_layout()};
  if (out.block == 0 || out.block > 4096)
    at.error("ARM-0403", "blockSize", fmt::format("blockSize is {}, outside of 1 ... 4096", out.block));
  return out;
}

}  // namespace

void resize(LayerImport& at) {
  ResizeAttributes out = resize_attributes(at);
  out.method =
      at.descriptor.enumeration("method") == 1 ? ResizeMethod::Bilinear : ResizeMethod::NearestNeighbor;
  at.node.op = Op::Resize;
  at.node.attributes = out;
}
void resize_bilinear(LayerImport& at) {
  at.node.op = Op::Resize;
  at.node.attributes = resize_attributes(at);
}
void space_to_batch(LayerImport& at) {
  at.node.op = Op::SpaceToBatchNd;
  at.node.attributes = space_batch(at, "padList");
}
void batch_to_space(LayerImport& at) {
  at.node.op = Op::BatchToSpaceNd;
  at.node.attributes = space_batch(at, "crops");
}
void space_to_depth(LayerImport& at) {
  at.node.op = Op::SpaceToDepth;
  at.node.attributes = space_depth(at);
}
void depth_to_space(LayerImport& at) {
  at.node.op = Op::DepthToSpace;
  at.node.attributes = space_depth(at);
}
void tile(LayerImport& at) {
  TileAttributes out;
  for (std::uint32_t v : at.descriptor.u32s("multiples")) out.multiples.push_back(v);
  at.node.op = Op::Tile;
  at.node.attributes = std::move(out);
}

}  // namespace npubin::armnn::importers
