// The host side of a HEF: YOLOv8 at 640 x 640, and NHCW codes to NHWC reals against the speed of memory. Each
// with a straightforward scalar loop over the same data.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <random>
#include <vector>

#include <benchmark/benchmark.h>

#include "npubin/tensor.h"
#include "vision/detection_operator.h"
#include "vision/host_quantization.h"

namespace npubin::vision {
namespace {

constexpr std::uint32_t kClasses = 80;
constexpr float kScore = 0.25f, kIou = 0.7f;

FeatureMap map_of(std::uint32_t cells, std::uint32_t features, float scale, float zero_point) {
  FeatureMap out;
  out.height = out.width = out.padded_width = cells;
  out.features = out.padded_features = features;
  out.quantization = {zero_point, scale, -100, 100};
  return out;
}

// Typical scores: nearly all classes of nearly all cells below 0.05; some forty objects, each seen by a
// handful of neighbouring cells: a few hundred candidates.
struct Scene {
  std::vector<YoloV8Layer> layers;
  std::vector<std::vector<std::byte>> frames;
  std::vector<const std::byte*> pointers;

  Scene() {
    std::mt19937 random(7);
    for (std::uint32_t stride : {8u, 16u, 32u}) {
      const std::uint32_t cells = 640 / stride;
      YoloV8Layer layer{map_of(cells, 64, 0.0627451f, 128), map_of(cells, kClasses, 1.0f / 255, 0), stride};
      std::vector<std::byte> regression(layer.regression.bytes()), classes(layer.classes.bytes());
      for (std::byte& code : regression) code = static_cast<std::byte>(random() % 256);
      for (std::byte& code : classes) code = static_cast<std::byte>(random() % 13);
      const int objects = stride == 8 ? 24 : stride == 16 ? 12 : 6;
      for (int i = 0; i < objects; ++i) {
        const std::size_t y = random() % (cells - 2), x = random() % (cells - 2), id = random() % kClasses;
        for (std::size_t k = 0; k < 9; ++k)
          classes[(y + k / 3) * layer.classes.row_stride() + id * cells + x + k % 3] =
              static_cast<std::byte>(70 + random() % 170);
      }
      layers.push_back(layer);
      frames.push_back(std::move(regression));
      frames.push_back(std::move(classes));
    }
    for (const auto& frame : frames) pointers.push_back(frame.data());
  }
};

void BM_YoloV8(benchmark::State& state) {
  const Scene scene;
  OperatorConfig config;
  config.classes = kClasses;
  config.score_threshold = kScore;
  config.iou_threshold = kIou;
  config.max_per_class = 100;
  config.image_height = config.image_width = 640;
  auto op = make_yolov8(scene.layers, config);
  DetectionFrame frame;
  if (!op || !frame.prepare((*op)->capacity())) return state.SkipWithError("not prepared");
  std::vector<float> buffer(static_cast<std::size_t>(*by_class_floats(kClasses, 100)));
  std::size_t kept = 0;
  for (auto _ : state) {
    frame.clear();
    (*op)->decode(scene.pointers, frame);
    frame.suppress({kIou, 100});
    write_by_class(frame.by_class(), kClasses, buffer);
    kept = frame.by_class().size();
    benchmark::DoNotOptimize(buffer.data());
  }
  state.counters["detections"] = static_cast<double>(kept);
}
BENCHMARK(BM_YoloV8)->Unit(benchmark::kMicrosecond);

// As one writes it down: de-quantise every score, compare, decode with exp, sort, suppress each pair.
void BM_YoloV8Scalar(benchmark::State& state) {
  const Scene scene;
  std::vector<Detection> found;
  std::size_t kept = 0;
  for (auto _ : state) {
    found.clear();
    for (std::size_t i = 0; i < scene.layers.size(); ++i) {
      const YoloV8Layer& layer = scene.layers[i];
      const auto* regression = reinterpret_cast<const std::uint8_t*>(scene.pointers[2 * i]);
      const auto* classes = reinterpret_cast<const std::uint8_t*>(scene.pointers[2 * i + 1]);
      const auto stride = static_cast<float>(layer.stride);
      for (std::size_t row = 0; row < layer.classes.height; ++row)
        for (std::size_t column = 0; column < layer.classes.width; ++column)
          for (std::uint32_t id = 0; id < kClasses; ++id) {
            const float score = dequantize(
                classes[row * layer.classes.row_stride() + id * layer.classes.padded_width + column],
                layer.classes.quantization);
            if (!(score >= kScore)) continue;
            float d[4];
            for (std::size_t side = 0; side < 4; ++side) {
              float sum = 0, weighted = 0;
              for (std::size_t k = 0; k < 16; ++k) {
                const float weight =
                    std::exp(dequantize(regression[row * layer.regression.row_stride() +
                                                   (side * 16 + k) * layer.regression.padded_width + column],
                                        layer.regression.quantization));
                sum += weight;
                weighted += static_cast<float>(k) * weight;
              }
              d[side] = weighted / sum;
            }
            const float x = (static_cast<float>(column) + 0.5f) * stride / 640;
            const float y = (static_cast<float>(row) + 0.5f) * stride / 640;
            found.push_back({y - d[1] * stride / 640, x - d[0] * stride / 640, y + d[3] * stride / 640,
                             x + d[2] * stride / 640, score, id, 0});
          }
    }
    std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.score > b.score; });
    kept = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (found[i].score == 0) continue;
      ++kept;
      for (std::size_t k = i + 1; k < found.size(); ++k)
        if (found[k].score != 0 && found[i].class_id == found[k].class_id &&
            intersection_over_union(found[i], found[k]) >= kIou)
          found[k].score = 0;
    }
    benchmark::DoNotOptimize(found.data());
  }
  state.counters["detections"] = static_cast<double>(kept);
}
BENCHMARK(BM_YoloV8Scalar)->Unit(benchmark::kMicrosecond);

constexpr std::size_t kSide = 640, kFeatures = 32, kCount = kSide * kSide * kFeatures;

struct Frame {
  std::vector<std::uint8_t> codes = std::vector<std::uint8_t>(kCount);
  Tensor reals{DType::F32, {static_cast<std::int64_t>(kCount)}};
  FeatureQuantization quantization{std::vector<float>(kFeatures, 12.0f),
                                   std::vector<float>(kFeatures, 0.03f)};
  NhcwToReal shape{kSide, kSide, kFeatures, kSide, kFeatures, true};

  Frame() {
    std::mt19937 random(9);
    for (auto& code : codes) code = static_cast<std::uint8_t>(random());
  }
  float* out() { return reals.as_mutable<float>().data(); }
};

void count_bytes(benchmark::State& state) {
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * kCount * 5));
}

void BM_NhcwToReal(benchmark::State& state) {
  Frame frame;
  for (auto _ : state) {
    nhcw_to_real(frame.shape, frame.codes.data(), frame.out(), frame.quantization);
    benchmark::ClobberMemory();
  }
  count_bytes(state);
}
BENCHMARK(BM_NhcwToReal)->Unit(benchmark::kMillisecond);

void BM_NhcwToRealScalar(benchmark::State& state) {
  Frame frame;
  for (auto _ : state) {
    float* to = frame.out();
    for (std::size_t row = 0; row < kSide; ++row)
      for (std::size_t x = 0; x < kSide; ++x)
        for (std::size_t f = 0; f < kFeatures; ++f)
          *to++ = (static_cast<float>(frame.codes[(row * kFeatures + f) * kSide + x]) - 12.0f) * 0.03f;
    benchmark::ClobberMemory();
  }
  count_bytes(state);
}
BENCHMARK(BM_NhcwToRealScalar)->Unit(benchmark::kMillisecond);

// The speed of memory for the same traffic: one byte read for four written, by the C library's memcpy and
// memset (which write past the caches at this size).
void BM_MemoryTraffic(benchmark::State& state) {
  Frame frame;
  auto* to = reinterpret_cast<std::byte*>(frame.out());
  for (auto _ : state) {
    std::memcpy(to, frame.codes.data(), kCount);
    std::memset(to + kCount, 1, 3 * kCount);
    benchmark::ClobberMemory();
  }
  count_bytes(state);
}
BENCHMARK(BM_MemoryTraffic)->Unit(benchmark::kMillisecond);

void BM_MemoryCopy(benchmark::State& state) {
  std::vector<std::byte> from(kCount * 5 / 2, std::byte{1}), to(from.size());
  for (auto _ : state) {
    std::memcpy(to.data(), from.data(), from.size());
    benchmark::ClobberMemory();
  }
  count_bytes(state);
}
BENCHMARK(BM_MemoryCopy)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace npubin::vision
