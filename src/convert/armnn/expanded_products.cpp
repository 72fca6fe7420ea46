// Batched matrix products, which Arm NN 20.08 has no layer for, by layers it has.
#include <algorithm>

#include "convert/armnn/rewrite.h"

namespace npubin::convert {
namespace {

using namespace graph;

// How the batches of two operands lie beside each other: neighbouring dimensions that both have, or that one
// of them repeats, are merged.
struct Batches {
  Shape left, right, both;
};

Batches batches_of(const Shape& l, const Shape& r) {
  Batches out;
  const std::size_t rank = std::max(l.size(), r.size());
  const auto at = [rank](const Shape& shape, std::size_t d) {
    const std::size_t missing = rank - shape.size();
    return d < missing ? std::int64_t{1} : shape[d - missing];
  };
  for (std::size_t d = 0; d + 2 < rank; ++d) {
    const std::int64_t a = at(l, d), b = at(r, d);
    if (a == 1 && b == 1) continue;
    const bool merged =
        !out.both.empty() && ((a == b && out.left.back() == out.right.back()) ||
                              (a == 1 && out.left.back() == 1) || (b == 1 && out.right.back() == 1));
    if (merged) {
      out.left.back() *= a;
      out.right.back() *= b;
      out.both.back() *= std::max(a, b);
    } else {
      out.left.push_back(a);
      out.right.push_back(b);
      out.both.push_back(std::max(a, b));
    }
  }
  return out;
}

// The last two dimensions swapped.
ValueId turned(ArmnnRewrite& out, ValueId id) {
  const Shape shape = out.value(id).shape;
  const std::int64_t rows = shape[shape.size() - 2], columns = shape.back();
  const std::int64_t batches = count_of(shape) / std::max<std::int64_t>(1, rows * columns);
  const ValueId flat = out.reshaped(id, {batches, rows, columns});
  const ValueId to = out.temporary(id, {batches, columns, rows});
  out.add(Op::Transpose, TransposeAttributes{{0, 2, 1}}, {flat}, {to});
  return to;
}

// A product with one constant matrix is a fully connected layer.
void by_layer(ArmnnRewrite& out, const graph::Node& node, std::int64_t length, std::int64_t columns) {
  const ValueId right = node.inputs[1], to = node.outputs[0];
  const Shape r = out.value(right).shape, result = out.value(to).shape;
  const std::int64_t rows = count_of(out.value(node.inputs[0]).shape) / std::max<std::int64_t>(1, length);
  const ValueId in = out.reshaped(node.inputs[0], {rows, length});
  const ValueId weights = out.reshaped(right, {r[r.size() - 2], r.back()});
  const ValueId flat = out.temporary(to, {rows, columns});
  FullyConnectedAttributes plain;
  plain.weights_transposed = node.attr<BatchMatMulAttributes>().transpose_y;
  out.add(Op::FullyConnected, plain, {in, weights, kNoValue}, {flat});
  out.add(Op::Reshape, ReshapeAttributes{result}, {flat}, {to});
}

}  // namespace

// Others are multiplied out, [B,M,1,K] times [B,1,N,K], and averaged over K, times K; in float32, as every
// layer of Arm NN computes.
std::string rewrite_batch_matmul(ArmnnRewrite& out, const graph::Node& node) {
  const auto& a = node.attr<BatchMatMulAttributes>();
  ValueId left = node.inputs[0], right = node.inputs[1];
  const ValueId to = node.outputs[0];
  const Shape l = out.value(left).shape, r = out.value(right).shape, result = out.value(to).shape;
  if (l.size() < 2 || r.size() < 2 || result.size() < 2) return "of vectors";
  const std::int64_t rows = result[result.size() - 2], columns = result.back();
  const std::int64_t length = a.transpose_x ? l[l.size() - 2] : l.back();
  if (out.value(right).constant && count_of(r) == length * columns && !a.transpose_x &&
      out.value(left).type == out.value(right).type) {
    by_layer(out, node, length, columns);
    return {};
  }
  const Batches batches = batches_of(l, r);
  if (batches.both.size() > 2) return "batches that are repeated along more than two dimensions";
  const std::int64_t products = count_of(result);
  if (length == 0 || products == 0 || products > kLargestExpansion / length) return "of so many products";
  left = out.decoded(left);
  right = out.decoded(right);
  if (a.transpose_x) left = turned(out, left);
  if (!a.transpose_y) right = turned(out, right);
  const auto with = [](Shape shape, std::initializer_list<std::int64_t> more) {
    shape.insert(shape.end(), more);
    return shape;
  };
  const ValueId x = out.reshaped(left, with(batches.left, {rows, 1, length}));
  const ValueId y = out.reshaped(right, with(batches.right, {1, columns, length}));
  const ValueId each = out.binary(Op::Mul, x, y, with(batches.both, {rows, columns, length}));
  const ValueId flat = out.reshaped(each, {products, length}), mean = out.temporary(each, {products});
  out.add(Op::Reduce, ReduceAttributes{ReduceOperation::Mean, {1}, false}, {flat}, {mean});
  ValueId total = out.activated(mean, Activation::Linear, static_cast<float>(length), 0);
  if (out.is_code(to)) {
    const ValueId codes = out.temporary(to, {products});
    out.add(Op::Quantize, {}, {total}, {codes});
    total = codes;
  }
  out.add(Op::Reshape, ReshapeAttributes{result}, {total}, {to});
  return {};
}

}  // namespace npubin::convert
