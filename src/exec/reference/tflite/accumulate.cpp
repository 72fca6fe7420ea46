#include "exec/reference/tflite/accumulate.h"

namespace npubin::exec::tflite {

// tflite spec 5: si sw_c / so in double.
void find_multipliers(const ProductOperands& o, std::span<Multiplier> out) {
  const float si = o.input.quantization().scale(), so = o.output.quantization().scale();
  const Quantization& qw = o.weights.quantization();
  for (std::size_t c = 0; c < out.size(); ++c) {
    const float sw = qw.scale(c);
    const double product = o.narrow_scale && !qw.per_axis()
                               ? static_cast<double>(si * sw)
                               : static_cast<double>(si) * static_cast<double>(sw);
    out[c] = quantize_multiplier(product / static_cast<double>(so));
  }
}

std::vector<Multiplier> multipliers_of(const ProductOperands& operands, std::int64_t channels) {
  std::vector<Multiplier> out(static_cast<std::size_t>(channels));
  find_multipliers(operands, out);
  return out;
}

}  // namespace npubin::exec::tflite
