// Execution on random small pictures: the vector loops must give the reference's bytes, within their buffers.
#include <fuzzer/FuzzedDataProvider.h>

#include <cmath>
#include <cstdlib>
#include <cstring>

#include "npubin/aipp.h"
#include "npubin/half.h"

namespace {

namespace aipp = npubin::aipp;

aipp::Settings draw(FuzzedDataProvider& in) {
  aipp::Settings s;
  s.format = static_cast<aipp::InputFormat>(in.ConsumeIntegralInRange(-1, 21));
  s.src_w = in.ConsumeIntegralInRange(0, 80);
  s.src_h = in.ConsumeIntegralInRange(0, 6);
  s.swap_rb_uv = in.ConsumeBool();
  s.swap_ax = in.ConsumeBool();
  s.crop = in.ConsumeBool();
  for (auto* v : {&s.crop_x, &s.crop_y, &s.crop_w, &s.crop_h}) *v = in.ConsumeIntegralInRange(-1, 80);
  s.csc = in.ConsumeBool();
  for (auto& v : s.matrix) v = in.ConsumeIntegralInRange(-32768, 32767);
  for (auto& v : s.input_bias) v = in.ConsumeIntegralInRange(0, 255);
  for (auto& v : s.output_bias) v = in.ConsumeIntegralInRange(0, 255);
  s.resize = in.ConsumeIntegralInRange(0, 7) == 0;
  s.resize_w = in.ConsumeIntegralInRange(0, 40);
  s.resize_h = in.ConsumeIntegralInRange(0, 8);
  for (std::size_t c = 0; c < 4; ++c) {
    s.mean[c] = in.ConsumeIntegral<std::int16_t>();
    s.min[c] = in.ConsumeFloatingPoint<float>();
    s.var_reci[c] = in.ConsumeFloatingPoint<float>();
  }
  s.raw_n = in.ConsumeIntegralInRange(0u, 40u);
  s.padding = in.ConsumeBool();
  for (auto* v : {&s.pad_left, &s.pad_right, &s.pad_top, &s.pad_bottom})
    *v = in.ConsumeIntegralInRange(-1, 5);
  s.padding_value = in.ConsumeFloatingPoint<float>();
  return s;
}

bool same(const std::vector<std::byte>& a, const std::vector<std::byte>& b, npubin::DType type) {
  const std::size_t size = npubin::size_of(type);
  for (std::size_t i = 0; i < a.size(); i += size) {
    if (std::memcmp(a.data() + i, b.data() + i, size) == 0) continue;
    if (type == npubin::DType::U8) return false;
    const auto value = [&](const std::vector<std::byte>& v) {
      return type == npubin::DType::F16 ? npubin::half_to_float(npubin::load<std::uint16_t>(v.data() + i))
                                        : npubin::load<float>(v.data() + i);
    };
    if (!std::isnan(value(a)) || !std::isnan(value(b))) return false;
  }
  return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  FuzzedDataProvider in(data, size);
  const aipp::Settings settings = draw(in);
  const aipp::NetworkInput network{1, in.ConsumeIntegralInRange(0, 5), in.ConsumeBool() ? 0 : 6, 0};
  aipp::OutputOptions output;
  output.layout = static_cast<aipp::Layout>(in.ConsumeIntegralInRange(0, 3));
  output.type = static_cast<npubin::DType>(in.ConsumeIntegralInRange(0, 5));
  output.csc_rounding = in.ConsumeBool() ? aipp::CscRounding::Floor : aipp::CscRounding::Nearest;
  output.precision = in.ConsumeBool() ? aipp::Precision::Half : aipp::Precision::Single;
  auto fast = aipp::Preprocessor::compile(settings, network, output);
  output.vector = false;
  auto slow = aipp::Preprocessor::compile(settings, network, output);
  if (fast.has_value() != slow.has_value()) std::abort();
  if (!fast) return 0;
  // Exactly as long as promised, so that the sanitizer sees the first byte too far.
  std::vector<std::byte> image(fast->input_bytes()), a(fast->output_bytes()), b(fast->output_bytes());
  const auto rest = in.ConsumeRemainingBytes<std::uint8_t>();
  for (std::size_t i = 0; i < image.size() && !rest.empty(); ++i)
    image[i] = static_cast<std::byte>(rest[i % rest.size()] + i / rest.size());
  if (!fast->run(image, a) || !slow->run(image, b)) std::abort();
  if (!same(a, b, output.type)) std::abort();
  return 0;
}
