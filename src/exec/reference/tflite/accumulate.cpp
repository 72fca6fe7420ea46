#include "exec/reference/tflite/accumulate.h"

namespace npubin::exec::tflite {

// tflite spec 5: si sw_c / so in double.
std::vector<Multiplier> multipliers_of(const ProductOperands& o, std::int64_t channels) {
  const float si = o.input.quantization().scale(), so = o.output.quantization().scale();
  const Quantization& qw = o.weights.quantization();
  std::vector<Multiplier> out(static_cast<std::size_t>(channels));
  for (std::size_t c = 0; c < out.size(); ++c) {
    const float sw = qw.scale(c);
    const double product = o.narrow_scale && !qw.per_axis()
                               ? static_cast<double>(si * sw)
                               : static_cast<double>(si) * static_cast<double>(sw);
    out[c] = quantize_multiplier(product / static_cast<double>(so));
  }
  return out;
}

}  // namespace npubin::exec::tflite
