// 1920 x 1080 NV12 to RGB, normalised, fp16 planes: one thread, ours against libyuv with a separate
// vectorised normalising pass, and against OpenCV. memcpy of the same amount of output says what memory
// allows.
#include <benchmark/benchmark.h>

#include <cstring>
#include <random>
#include <vector>

#include "npubin/aipp.h"
#include "vision/aipp/csc_standards.h"
#include "vision/aipp/plan.h"
#include "vision/aipp/row_kernels.h"
#ifdef NPUBIN_BENCH_LIBYUV
#include <libyuv.h>
#endif
#ifdef NPUBIN_BENCH_OPENCV
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>
#endif

namespace npubin::aipp {
namespace {

constexpr int kWidth = 1920;
constexpr int kHeight = 1080;
constexpr std::size_t kPixels = std::size_t{kWidth} * kHeight;
constexpr std::int64_t kTouched =
    static_cast<std::int64_t>(kPixels * 3 / 2 + kPixels * 3 * 2);  // read + written

std::vector<std::byte> camera_picture() {
  std::vector<std::byte> out(kPixels * 3 / 2);
  std::mt19937 random(7);
  for (std::byte& b : out) b = static_cast<std::byte>(random() & 255u);
  return out;
}

Settings imagenet() {
  Settings s;
  s.format = InputFormat::Yuv420Sp;
  s.src_w = kWidth;
  s.src_h = kHeight;
  s.csc = true;
  const CscStandard& standard = **find_csc_standard("bt601-narrow");
  s.matrix = standard.to_rgb;
  s.input_bias = standard.input_bias;
  s.min = {123.675f, 116.28f, 103.53f, 0};
  s.var_reci = {1 / 58.395f, 1 / 57.12f, 1 / 57.375f, 1};
  return s;
}

void finish(benchmark::State& state) {
  state.SetBytesProcessed(state.iterations() * kTouched);
  state.counters["frames"] =
      benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

// {type, layout}
void fused(benchmark::State& state, DType type, Layout layout) {
  const auto picture = camera_picture();
  OutputOptions output;
  output.type = type;
  output.layout = layout;
  auto pre = Preprocessor::compile(imagenet(), {1, 3, kHeight, kWidth}, output);
  Tensor out(type, pre->output_shape(1));
  for (auto _ : state) {
    benchmark::DoNotOptimize(pre->run(picture, {out.mutable_data(), out.byte_size()}).has_value());
    benchmark::ClobberMemory();
  }
  finish(state);
}
BENCHMARK_CAPTURE(fused, fp16_nchw, DType::F16, Layout::Nchw)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(fused, fp32_nchw, DType::F32, Layout::Nchw)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(fused, fp16_nhwc, DType::F16, Layout::Nhwc)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(fused, uint8_nhwc, DType::U8, Layout::Nhwc)->Unit(benchmark::kMillisecond);

// What memory allows: as many bytes read and written as a frame, half of each.
void memory_copy(benchmark::State& state) {
  std::vector<std::byte> from(kTouched / 2, std::byte{1}), to(kTouched / 2);
  for (auto _ : state) {
    std::memcpy(to.data(), from.data(), from.size());
    benchmark::ClobberMemory();
  }
  finish(state);
}
BENCHMARK(memory_copy)->Unit(benchmark::kMillisecond);

#ifdef NPUBIN_BENCH_LIBYUV
// libyuv to interleaved RGB, then our own vector loops over that picture.
void libyuv_and_normalise(benchmark::State& state) {
  const auto picture = camera_picture();
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(picture.data());
  std::vector<std::uint8_t> rgb(kPixels * 3);
  std::vector<std::uint16_t> out(kPixels * 3);
  OutputOptions output;
  const auto plan = make_plan(imagenet(), {1, 3, kHeight, kWidth}, output);
  std::vector<std::uint8_t> row(3 * (kWidth + 64));
  for (auto _ : state) {
    libyuv::NV12ToRAW(bytes, kWidth, bytes + kPixels, kWidth, rgb.data(), kWidth * 3, kWidth, kHeight);
    for (std::size_t y = 0; y < kHeight; ++y) {
      std::uint8_t* planes[3] = {row.data(), row.data() + kWidth + 64, row.data() + 2 * (kWidth + 64)};
      split_pixels3(rgb.data() + 3 * y * kWidth, kWidth, planes);
      for (std::size_t c = 0; c < 3; ++c)
        normalise_to_half(plan->normalisation[c], plan->half_tables[c], planes[c], kWidth,
                          out.data() + c * kPixels + y * kWidth, false);
    }
    benchmark::ClobberMemory();
  }
  finish(state);
}
BENCHMARK(libyuv_and_normalise)->Unit(benchmark::kMillisecond);
#endif

#ifdef NPUBIN_BENCH_OPENCV
// As people write it; stops at float planes, so that the step to fp16 is given to OpenCV for nothing.
void opencv(benchmark::State& state) {
  cv::setNumThreads(1);
  auto picture = camera_picture();
  const cv::Mat nv12(kHeight * 3 / 2, kWidth, CV_8UC1, picture.data());
  cv::Mat rgb, real;
  std::vector<cv::Mat> planes(3);
  for (auto _ : state) {
    cv::cvtColor(nv12, rgb, cv::COLOR_YUV2RGB_NV12);
    rgb.convertTo(real, CV_32F, 1 / 255.0);
    cv::split(real, planes);
    const double mean[3] = {0.485, 0.456, 0.406}, std[3] = {0.229, 0.224, 0.225};
    for (int c = 0; c < 3; ++c)
      planes[static_cast<std::size_t>(c)].convertTo(planes[static_cast<std::size_t>(c)], -1, 1 / std[c],
                                                    -mean[c] / std[c]);
    benchmark::ClobberMemory();
  }
  finish(state);
}
BENCHMARK(opencv)->Unit(benchmark::kMillisecond);

// The quickest way through OpenCV that we found: split while still bytes, normalise plane by plane.
void opencv_split_first(benchmark::State& state) {
  cv::setNumThreads(1);
  auto picture = camera_picture();
  const cv::Mat nv12(kHeight * 3 / 2, kWidth, CV_8UC1, picture.data());
  cv::Mat rgb;
  std::vector<cv::Mat> bytes(3), planes(3);
  for (auto _ : state) {
    cv::cvtColor(nv12, rgb, cv::COLOR_YUV2RGB_NV12);
    cv::split(rgb, bytes);
    const double min[3] = {123.675, 116.28, 103.53}, var[3] = {1 / 58.395, 1 / 57.12, 1 / 57.375};
    for (int c = 0; c < 3; ++c)
      bytes[static_cast<std::size_t>(c)].convertTo(planes[static_cast<std::size_t>(c)], CV_32F, var[c],
                                                   -min[c] * var[c]);
    benchmark::ClobberMemory();
  }
  finish(state);
}
BENCHMARK(opencv_split_first)->Unit(benchmark::kMillisecond);
#endif

}  // namespace
}  // namespace npubin::aipp
