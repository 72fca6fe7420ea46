// Attributes of operators that pick, repeat or pad elements. tflite spec 6.
#include <algorithm>

#include <fmt/format.h>

#include "formats/tflite/import/operator_import.h"

namespace npubin::tflite {
namespace {

using namespace graph;

constexpr std::int64_t kLargestCount = std::int64_t{1} << 31;

// Pairs (before, after), one per dimension of an operand [n, 2].
bool read_pairs(const OperatorImport& op, std::size_t operand, std::string_view what, std::size_t expected,
                std::vector<std::pair<std::uint32_t, std::uint32_t>>& out) {
  const auto values = op.constant_integers(operand, what);
  if (!values) return false;
  if (values->size() != 2 * expected)
    return op.error("TFL-0204",
                    fmt::format("its {} have {} numbers for {} dimensions", what, values->size(), expected));
  for (std::size_t i = 0; i < values->size(); i += 2) {
    if ((*values)[i] < 0 || (*values)[i + 1] < 0 || (*values)[i] > kLargestCount ||
        (*values)[i + 1] > kLargestCount)
      return op.error("TFL-0204", fmt::format("its {} are {}", what, to_string(*values)),
                      "they must be 0 or more");
    out.emplace_back(static_cast<std::uint32_t>((*values)[i]), static_cast<std::uint32_t>((*values)[i + 1]));
  }
  return true;
}

std::vector<std::int32_t> narrow(const std::vector<std::int64_t>& values) {
  std::vector<std::int32_t> out;
  for (std::int64_t v : values)
    out.push_back(static_cast<std::int32_t>(std::clamp<std::int64_t>(v, INT32_MIN, INT32_MAX)));
  return out;
}

}  // namespace

bool import_slice(const OperatorImport& op) {
  const auto begin = op.constant_integers(1, "begin");
  if (!begin) return false;
  const auto size = op.constant_integers(2, "size");
  if (!size) return false;
  const Shape& in = op.input(0)->shape;
  if (begin->size() != in.size() || size->size() != in.size())
    return op.error("TFL-0204", fmt::format("begin {} and size {} do not fit the input {}", to_string(*begin),
                                            to_string(*size), to_string(in)));
  SliceAttributes out{*begin, *size};
  for (std::size_t i = 0; i < in.size(); ++i) {
    if (out.size[i] == -1) out.size[i] = in[i] - out.begin[i];
    if (out.begin[i] < 0 || out.size[i] < 0 || out.begin[i] > in[i] || out.size[i] > in[i] - out.begin[i])
      return op.error("TFL-0206", fmt::format("begin {} and size {} leave the input {}", to_string(*begin),
                                              to_string(*size), to_string(in)));
  }
  op.node().attributes = std::move(out);
  return true;
}

bool import_strided_slice(const OperatorImport& op) {
  if (op.option("offset") != 0) return op.unsupported("ends given as offsets");
  StridedSliceAttributes out;
  out.begin_mask = static_cast<std::uint32_t>(op.option("begin_mask"));
  out.end_mask = static_cast<std::uint32_t>(op.option("end_mask"));
  out.shrink_axis_mask = static_cast<std::uint32_t>(op.option("shrink_axis_mask"));
  out.ellipsis_mask = static_cast<std::uint32_t>(op.option("ellipsis_mask"));
  out.new_axis_mask = static_cast<std::uint32_t>(op.option("new_axis_mask"));
  if (out.ellipsis_mask != 0 || out.new_axis_mask != 0) return op.unsupported("an ellipsis or new-axis mask");
  std::vector<std::int32_t>* lists[] = {&out.begin, &out.end, &out.stride};
  constexpr std::string_view kNames[] = {"begin", "end", "strides"};
  const std::size_t rank = op.input(0)->shape.size();
  for (std::size_t i = 0; i < 3; ++i) {
    const auto values = op.constant_integers(i + 1, kNames[i]);
    if (!values) return false;
    if (values->size() > rank)
      return op.error("TFL-0204", fmt::format("its {} have {} numbers for {} dimensions", kNames[i],
                                              values->size(), rank));
    *lists[i] = narrow(*values);
  }
  if (out.begin.size() != out.end.size() || out.begin.size() != out.stride.size())
    return op.error("TFL-0204", "begin, end and strides have different lengths");
  if (std::count(out.stride.begin(), out.stride.end(), 0) > 0) return op.error("TFL-0204", "a stride is 0");
  // What the operands leave out is taken whole.
  for (std::size_t i = out.begin.size(); i < rank; ++i) {
    out.begin.push_back(0);
    out.end.push_back(0);
    out.stride.push_back(1);
    out.begin_mask |= 1u << i;
    out.end_mask |= 1u << i;
  }
  op.node().attributes = std::move(out);
  return true;
}

bool import_pad(const OperatorImport& op) {
  PadAttributes out;
  const Shape& in = op.input(0)->shape;
  if (!read_pairs(op, 1, "paddings", in.size(), out.pads)) return false;
  if (op.op().code->builtin == 100) {
    const std::int64_t mode = op.option("mode");
    if (mode != 0 && mode != 1) return op.error("TFL-0204", fmt::format("its mode is {}", mode));
    out.mode = mode == 0 ? PadMode::Reflect : PadMode::Symmetric;
  }
  op.node().attributes = std::move(out);
  return true;
}

bool import_tile(const OperatorImport& op) {
  const auto multiples = op.constant_integers(1, "multiples");
  if (!multiples) return false;
  if (multiples->size() != op.input(0)->shape.size())
    return op.error("TFL-0204", fmt::format("{} multiples for {} dimensions", multiples->size(),
                                            op.input(0)->shape.size()));
  for (std::int64_t m : *multiples)
    if (m < 0 || m > kLargestCount)
      return op.error("TFL-0204", fmt::format("its multiples are {}", to_string(*multiples)));
  op.node().attributes = TileAttributes{*multiples};
  return true;
}

bool import_gather(const OperatorImport& op) {
  GatherAttributes out;
  if (!op.normalize_axis(op.option("axis"), op.input(0)->shape.size(), out.axis)) return false;
  const std::int64_t batch = op.option("batch_dims");
  const auto indices_rank = static_cast<std::int64_t>(op.input(1)->shape.size());
  out.batch_dims = static_cast<int>(batch < 0 ? batch + indices_rank : batch);
  if (out.batch_dims < 0 || out.batch_dims > out.axis || out.batch_dims > indices_rank)
    return op.error("TFL-0204", fmt::format("batch_dims is {} with axis {} and indices of {} dimensions",
                                            batch, out.axis, indices_rank));
  op.node().attributes = out;
  return true;
}

bool import_fill(const OperatorImport& op) {
  if (op.input(0)->constant) {
    const auto dims = op.constant_integers(0, "dimensions");
    if (!dims) return false;
    if (*dims != op.output(0).shape)
      return op.error("TFL-0208", fmt::format("its operand asks for {}; the output is declared as {}",
                                              to_string(*dims), to_string(op.output(0).shape)));
  }
  op.node().attributes = FillAttributes{};
  return true;
}

bool import_space_batch(const OperatorImport& op) {
  const auto block = op.constant_integers(1, "block shape");
  if (!block) return false;
  SpaceBatchAttributes out;
  for (std::int64_t b : *block) {
    if (b < 1 || b > kLargestCount)
      return op.error("TFL-0204", fmt::format("its block is {}", to_string(*block)));
    out.block.push_back(static_cast<std::uint32_t>(b));
  }
  if (!read_pairs(op, 2, op.node().op == Op::SpaceToBatchNd ? "paddings" : "crops", block->size(), out.pads))
    return false;
  op.node().attributes = std::move(out);
  return true;
}

bool import_space_depth(const OperatorImport& op) {
  const std::int64_t block = op.option("block_size");
  if (block < 1 || block > 1 << 15) return op.error("TFL-0204", fmt::format("its block size is {}", block));
  op.node().attributes = SpaceDepthAttributes{static_cast<std::uint32_t>(block), DataLayout::Nhwc};
  return true;
}

}  // namespace npubin::tflite
