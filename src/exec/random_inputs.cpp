#include "exec/random_inputs.h"

#include "npubin/half.h"

namespace npubin::exec {
namespace {

// SplitMix64: the standard library's distributions differ between implementations.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  float unit() {
    return static_cast<float>(static_cast<std::int64_t>(next()) >> 40) / static_cast<float>(1 << 23);
  }

 private:
  std::uint64_t state_;
};

template <class T, class Make>
void fill(Tensor& tensor, Make&& make) {
  for (T& element : tensor.as_mutable<T>()) element = static_cast<T>(make());
}

void fill_random(Tensor& tensor, Random& random) {
  const bool codes = tensor.quantization().present();
  auto bits = [&] { return codes ? random.next() >> 32 : random.next() >> 61; };
  switch (tensor.type()) {
    case DType::F32:
      fill<float>(tensor, [&] { return random.unit(); });
      break;
    case DType::F64:
      fill<double>(tensor, [&] { return random.unit(); });
      break;
    case DType::F16:
      fill<std::uint16_t>(tensor, [&] { return float_to_half(random.unit()); });
      break;
    case DType::BF16:
      fill<std::uint16_t>(tensor, [&] { return float_to_bfloat16(random.unit()); });
      break;
    case DType::Bool:
      fill<std::uint8_t>(tensor, [&] { return random.next() >> 63; });
      break;
    case DType::U8:
    case DType::I8:
      fill<std::uint8_t>(tensor, bits);
      break;
    case DType::U16:
    case DType::I16:
      fill<std::uint16_t>(tensor, bits);
      break;
    case DType::U32:
    case DType::I32:
      fill<std::uint32_t>(tensor, bits);
      break;
    case DType::I64:
      fill<std::int64_t>(tensor, bits);
      break;
  }
}

}  // namespace

Result<std::vector<Tensor>> random_inputs(const graph::Graph& graph, std::uint64_t seed) {
  Random random(seed);
  std::vector<Tensor> out;
  for (const graph::Port& port : graph.inputs) {
    const graph::Value& value = graph.value(port.value);
    NPUBIN_TRY(Tensor tensor, Tensor::allocate(value.type, value.shape, value.quantization));
    fill_random(tensor, random);
    out.push_back(std::move(tensor));
  }
  return out;
}

}  // namespace npubin::exec
