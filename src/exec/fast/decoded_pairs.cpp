// Two operands of codes by Arm NN's rules (armnn spec 3): decoded to float32, computed, encoded, a few
// elements at a time, so that the numbers stay in the nearest cache.
#include <algorithm>

#include "exec/fast/kernels_convert.h"
#include "exec/fast/kernels_f32.h"
#include "exec/fast/pair_kernels.h"
#include "exec/fast/step.h"

namespace npubin::exec::fast {
namespace {

constexpr std::size_t kChunk = 512;

struct Codes {
  DType type = DType::I8;
  float scale = 1;
  std::int32_t zero_point = 0;

  void decode(const std::byte* from, std::size_t count, float* to) const {
    decode_elements(from, type, scale, zero_point, count, to);
  }
  float real(std::int32_t code) const { return static_cast<float>(code - zero_point) * scale; }
};

// A scale that decoding and encoding stay within float32's normal numbers with.
bool is_codes(const graph::Value& value) {
  const Quantization& q = value.quantization;
  return (value.type == DType::I8 || value.type == DType::U8 || value.type == DType::I16) && q.present() &&
         !q.per_axis() && q.scale() > 1e-30f && q.scale() < 1e30f;
}

Codes codes_of(const graph::Value& value) {
  return {value.type, value.quantization.scale(), static_cast<std::int32_t>(value.quantization.zero_point())};
}

struct DecodedPair {
  Binary op;
  Codes a, b, out;
  graph::ActivationAttributes cut;  // what a range of codes is in numbers

  void operator()(const Run& r) const {
    float left[kChunk], right[kChunk];
    if (r.a_stays) a.decode(r.a, 1, left);
    if (r.b_stays) b.decode(r.b, 1, right);
    const std::size_t size_a = size_of(a.type), size_b = size_of(b.type), size_out = size_of(out.type);
    for (std::size_t i = 0; i < r.count; i += kChunk) {
      const std::size_t here = std::min(kChunk, r.count - i);
      float result[kChunk];
      if (!r.a_stays) a.decode(r.a + i * size_a, here, left);
      if (!r.b_stays) b.decode(r.b + i * size_b, here, right);
      binary(op, left, r.a_stays ? 1 : here, right, r.b_stays ? 1 : here, result, here);
      if (cut.function != graph::Activation::None) activate(cut, result, result, here);
      encode_elements(result, out.type, out.scale, out.zero_point, here, r.out + i * size_out);
    }
  }
};

}  // namespace

RunKernel decoded_pair_kernel(const Draft& draft, const DraftNode& entry) {
  const graph::Node& node = entry.node;
  const auto op = float_binary(node.op);
  if (!op || node.rules != graph::Rules::ArmNn || node.inputs.size() != 2 || node.outputs.size() != 1 ||
      !entry.post.empty())
    return nullptr;
  const auto value = [&](graph::ValueId id) -> const graph::Value& { return draft.value(id); };
  for (graph::ValueId id : {node.inputs[0], node.inputs[1], node.outputs[0]})
    if (id == graph::kNoValue || !is_codes(value(id)) || value(id).variable) return nullptr;
  DecodedPair pair{*op,
                   codes_of(value(node.inputs[0])),
                   codes_of(value(node.inputs[1])),
                   codes_of(value(node.outputs[0])),
                   {}};
  if (entry.code_range)
    pair.cut = {graph::Activation::BoundedReLu, pair.out.real(entry.code_range->second),
                pair.out.real(entry.code_range->first), false};
  return pair;
}

}  // namespace npubin::exec::fast
