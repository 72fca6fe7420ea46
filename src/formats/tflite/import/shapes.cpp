// Attributes of operators that give elements another shape. tflite spec 6.
#include <algorithm>

#include <fmt/format.h>

#include "formats/tflite/import/operator_import.h"

namespace npubin::tflite {
namespace {

using namespace graph;

// The product of the known dimensions decides the one that is -1.
bool resolve_shape(const OperatorImport& op, std::vector<std::int64_t> asked, Shape& out) {
  const std::int64_t count = count_of(op.input(0)->shape);
  std::int64_t known = 1;
  std::size_t open = asked.size();
  for (std::size_t i = 0; i < asked.size(); ++i) {
    if (asked[i] == -1) {
      if (open != asked.size())
        return op.error("TFL-0204", fmt::format("the shape {} has two dimensions of -1", to_string(asked)),
                        "only one dimension can follow from the others");
      open = i;
      continue;
    }
    const auto product = asked[i] < 0 ? std::nullopt : checked_mul(known, asked[i]);
    if (!product) return op.error("TFL-0204", fmt::format("the shape {} is impossible", to_string(asked)));
    known = *product;
  }
  if (open != asked.size()) {
    if (known == 0 || count % known != 0)
      return op.error("TFL-0206",
                      fmt::format("{} elements do not divide into the shape {}", count, to_string(asked)));
    asked[open] = count / known;
    known = count;
  }
  if (known != count)
    return op.error("TFL-0206", fmt::format("the shape {} has {} elements, the input {} has {}",
                                            to_string(asked), known, to_string(op.input(0)->shape), count));
  out = std::move(asked);
  return true;
}

}  // namespace

// The operand wins over the option; where the operand is computed while running, the declared output counts.
bool import_reshape(const OperatorImport& op) {
  ReshapeAttributes out;
  const Value* operand = op.input(1);
  const Numbers<std::int32_t> option = op.op().options.numbers<std::int32_t>("new_shape");
  if (operand != nullptr && operand->constant) {
    const auto asked = op.constant_integers(1, "shape");
    if (!asked || !resolve_shape(op, *asked, out.shape)) return false;
  } else if (operand == nullptr && option.present()) {
    if (option.size() > 8)
      return op.error("TFL-0204", fmt::format("new_shape has {} dimensions", option.size()));
    if (!resolve_shape(op, option.to_vector<std::int64_t>(), out.shape)) return false;
  } else if (operand == nullptr) {
    return op.error("TFL-0202", "neither its operand nor its option gives a shape");
  } else {
    out.shape = op.output(0).shape;
  }
  op.node().attributes = std::move(out);
  return true;
}

bool import_squeeze(const OperatorImport& op) {
  const Shape& in = op.input(0)->shape;
  const Numbers<std::int32_t> dims = op.op().options.numbers<std::int32_t>("squeeze_dims");
  std::vector<bool> gone(in.size(), false);
  for (std::size_t i = 0; i < in.size(); ++i) gone[i] = dims.empty() && in[i] == 1;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    int axis = 0;
    if (!op.normalize_axis(dims[i], in.size(), axis)) return false;
    if (in[static_cast<std::size_t>(axis)] != 1)
      return op.error("TFL-0206", fmt::format("dimension {} of {} is not 1", axis, to_string(in)));
    gone[static_cast<std::size_t>(axis)] = true;
  }
  ReshapeAttributes out;
  for (std::size_t i = 0; i < in.size(); ++i)
    if (!gone[i]) out.shape.push_back(in[i]);
  op.node().attributes = std::move(out);
  return true;
}

bool import_expand_dims(const OperatorImport& op) {
  const auto asked = op.constant_integer(1, "axis");
  int axis = 0;
  if (!asked || !op.normalize_axis(*asked, op.input(0)->shape.size() + 1, axis)) return false;
  ReshapeAttributes out{op.input(0)->shape};
  out.shape.insert(out.shape.begin() + axis, 1);
  op.node().attributes = std::move(out);
  return true;
}

bool import_transpose(const OperatorImport& op) {
  const auto asked = op.constant_integers(1, "permutation");
  if (!asked) return false;
  const std::size_t rank = op.input(0)->shape.size();
  TransposeAttributes out;
  std::vector<bool> seen(rank, false);
  for (std::int64_t dim : *asked) {
    int axis = 0;
    if (!op.normalize_axis(dim, rank, axis)) return false;
    if (seen[static_cast<std::size_t>(axis)])
      return op.error("TFL-0204",
                      fmt::format("the permutation {} names dimension {} twice", to_string(*asked), axis));
    seen[static_cast<std::size_t>(axis)] = true;
    out.permutation.push_back(axis);
  }
  if (out.permutation.size() != rank)
    return op.error("TFL-0204",
                    fmt::format("the permutation has {} entries for {} dimensions", asked->size(), rank));
  op.node().attributes = std::move(out);
  return true;
}

bool import_concat(const OperatorImport& op) {
  ConcatAttributes out;
  if (!op.normalize_axis(op.option("axis"), op.input(0)->shape.size(), out.axis)) return false;
  if (!op.fused_activation(out.activation)) return false;
  if (out.activation.function != Activation::None) return op.unsupported("a fused activation");
  op.node().attributes = std::move(out);
  return true;
}

// SPLIT (axis, input); SPLIT_V (input, sizes, axis), one size may be -1.
bool import_split(const OperatorImport& op) {
  const bool uneven = op.op().code->builtin == 102;
  const std::size_t data = uneven ? 0 : 1;
  const auto axis = op.constant_integer(uneven ? 2 : 0, "axis");
  SplitAttributes out;
  if (!axis || !op.normalize_axis(*axis, op.input(data)->shape.size(), out.axis)) return false;
  const std::int64_t length = op.input(data)->shape[static_cast<std::size_t>(out.axis)];
  const auto parts = static_cast<std::int64_t>(op.output_count());
  const std::int64_t stated = op.option("num_splits");
  if (stated != 0 && stated != parts)
    return op.error("TFL-0204", fmt::format("num_splits is {}; it has {} outputs", stated, parts));
  if (!uneven) {
    if (parts == 0 || length % parts != 0)
      return op.error("TFL-0204",
                      fmt::format("a dimension of {} does not split into {} equal parts", length, parts));
    out.sizes.assign(static_cast<std::size_t>(parts), length / parts);
  } else {
    auto sizes = op.constant_integers(1, "sizes");
    if (!sizes) return false;
    std::int64_t sum = 0, open = 0;
    for (std::int64_t size : *sizes) {
      if (size < -1 || size > length)
        return op.error("TFL-0204", fmt::format("its sizes are {}", to_string(*sizes)));
      size == -1 ? ++open : sum += size;
    }
    for (std::int64_t& size : *sizes)
      if (size == -1) size = length - sum;
    if (static_cast<std::int64_t>(sizes->size()) != parts || open > 1 || (open == 0 && sum != length) ||
        sum > length)
      return op.error("TFL-0204", fmt::format("the sizes {} do not make up a dimension of {} in {} parts",
                                              to_string(*sizes), length, parts));
    out.sizes = std::move(*sizes);
  }
  op.node().attributes = std::move(out);
  return true;
}

bool import_stack(const OperatorImport& op) {
  StackAttributes out;
  const bool pack = op.node().op == Op::Stack;
  if (!op.normalize_axis(op.option("axis"), op.input(0)->shape.size() + (pack ? 1 : 0), out.axis))
    return false;
  const std::int64_t stated = op.option(pack ? "values_count" : "num");
  const std::size_t count = pack ? op.input_count() : op.output_count();
  if (stated != 0 && stated != static_cast<std::int64_t>(count))
    return op.error("TFL-0204", fmt::format("its option says {} tensors; it has {}", stated, count));
  op.node().attributes = out;
  return true;
}

}  // namespace npubin::tflite
