#include "vision/face_detector.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace npubin::vision {
namespace {

constexpr std::size_t kValuesPerAnchor = 4 + 2 * kFaceKeypoints;

// Two feature maps: 16 x 16 cells of two anchors, then 8 x 8 cells of six. All anchors have size 1, so only
// their centres count.
std::vector<FacePoint> anchor_centres() {
  std::vector<FacePoint> out;
  out.reserve(FaceDetector::kAnchors);
  for (auto [cells, per_cell] : {std::pair{16, 2}, std::pair{8, 6}}) {
    const float size = static_cast<float>(cells);
    for (int y = 0; y < cells; ++y)
      for (int x = 0; x < cells; ++x)
        out.insert(out.end(), static_cast<std::size_t>(per_cell),
                   {(static_cast<float>(x) + 0.5f) / size, (static_cast<float>(y) + 0.5f) / size});
  }
  return out;
}

double overlap(const std::array<double, 4>& a, const std::array<double, 4>& b) {
  const double width = std::max(0.0, std::min(a[2], b[2]) - std::max(a[0], b[0]));
  const double height = std::max(0.0, std::min(a[3], b[3]) - std::max(a[1], b[1]));
  const double both = width * height;
  const double either = (a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - both;
  return either > 0 ? both / either : 0;
}

Result<void> expect(const Tensor& tensor, std::size_t count, const char* name) {
  if (tensor.empty() || static_cast<std::size_t>(tensor.count()) != count)
    return usage_error(fmt::format("{} has the shape {}; the face detector gives {} values", name,
                                   npubin::to_string(tensor.shape()), count));
  if (tensor.type() != DType::F32 && tensor.type() != DType::I8)
    return usage_error(
        fmt::format("{} is {}; the face detector gives f32 or i8", name, to_string(tensor.type())));
  if (tensor.type() == DType::I8 && !tensor.quantization().present())
    return usage_error(fmt::format("{} is i8 without scale and zero point", name),
                       "take them from the model's output");
  return {};
}

}  // namespace

FaceDetector::FaceDetector(FaceDetectorOptions options) : options_(options), anchors_(anchor_centres()) {
  candidates_.reserve(kAnchors);
  faces_.reserve(kAnchors);
}

void FaceDetector::collect(const Tensor& regressors, const Tensor& classificators) {
  candidates_.clear();
  for (std::size_t i = 0; i < kAnchors; ++i) {
    const double logit = std::clamp(classificators.real(static_cast<std::int64_t>(i)), -100.0, 100.0);
    const double score = 1 / (1 + std::exp(-logit));
    // Written so that a NaN is left out.
    if (!(score >= static_cast<double>(options_.score_threshold))) continue;
    const auto row = static_cast<std::int64_t>(i * kValuesPerAnchor);
    const auto value = [&](std::int64_t k) { return regressors.real(row + k) / kInputSize; };
    const auto centre = std::array<double, 2>{anchors_[i].x, anchors_[i].y};
    const double x = value(0) + centre[0], y = value(1) + centre[1], width = value(2), height = value(3);
    Candidate candidate;
    candidate.score = score;
    candidate.anchor = i;
    candidate.box = {x - width / 2, y - height / 2, x + width / 2, y + height / 2};
    for (std::size_t k = 0; k < candidate.keypoints.size(); ++k)
      candidate.keypoints[k] = value(static_cast<std::int64_t>(4 + k)) + centre[k % 2];
    candidates_.push_back(candidate);
  }
  // Anchors break ties, so that the order is that of a stable sort without its allocation.
  std::sort(candidates_.begin(), candidates_.end(), [](const Candidate& a, const Candidate& b) {
    return a.score != b.score ? a.score > b.score : a.anchor < b.anchor;
  });
}

// Weighted non-maximum suppression: everything that overlaps the best is averaged with it, by score.
FaceDetection FaceDetector::merge_from(std::size_t best) {
  const Candidate& top = candidates_[best];
  std::array<double, 4> box{};
  std::array<double, 2 * kFaceKeypoints> keypoints{};
  double weight = 0;
  FaceDetection out;
  for (std::size_t i = best; i < candidates_.size(); ++i) {
    Candidate& other = candidates_[i];
    if (other.taken ||
        (i != best && !(overlap(top.box, other.box) > static_cast<double>(options_.iou_threshold))))
      continue;
    other.taken = true;
    ++out.merged;
    weight += other.score;
    for (std::size_t k = 0; k < box.size(); ++k) box[k] += other.box[k] * other.score;
    for (std::size_t k = 0; k < keypoints.size(); ++k) keypoints[k] += other.keypoints[k] * other.score;
  }
  const auto mean = [weight](double sum) { return static_cast<float>(sum / weight); };
  out.score = static_cast<float>(top.score);
  out.anchor = top.anchor;
  out.x_min = mean(box[0]);
  out.y_min = mean(box[1]);
  out.x_max = mean(box[2]);
  out.y_max = mean(box[3]);
  for (std::size_t k = 0; k < kFaceKeypoints; ++k)
    out.keypoints[k] = {mean(keypoints[2 * k]), mean(keypoints[2 * k + 1])};
  return out;
}

Result<std::span<const FaceDetection>> FaceDetector::decode(const Tensor& regressors,
                                                            const Tensor& classificators) {
  NPUBIN_CHECK(expect(regressors, kAnchors * kValuesPerAnchor, "regressors"));
  NPUBIN_CHECK(expect(classificators, kAnchors, "classificators"));
  collect(regressors, classificators);
  faces_.clear();
  for (std::size_t i = 0; i < candidates_.size(); ++i)
    if (!candidates_[i].taken) faces_.push_back(merge_from(i));
  return std::span<const FaceDetection>(faces_);
}

Result<Tensor> face_detector_input(const Picture& picture, DType type) {
  if (type != DType::F32 && type != DType::I8)
    return usage_error(fmt::format("the face detector takes f32 or i8, not {}", to_string(type)));
  if (picture.width == 0 || picture.height == 0) return usage_error("the picture is empty");
  constexpr std::uint32_t kSize = FaceDetector::kInputSize;
  const Picture small = resize(to_rgb(picture), kSize, kSize, ResizeFilter::AreaAverage);
  Tensor out(type, {1, kSize, kSize, 3},
             type == DType::I8 ? Quantization::per_tensor(2.0f / 255.0f, -1) : Quantization{});
  for (std::size_t i = 0; i < small.pixels.size(); ++i) {
    if (type == DType::F32)
      out.as_mutable<float>()[i] = static_cast<float>(small.pixels[i] / 127.5 - 1.0);
    else
      out.as_mutable<std::int8_t>()[i] = static_cast<std::int8_t>(small.pixels[i] - 128);
  }
  return out;
}

void draw_faces(Picture& picture, std::span<const FaceDetection> faces) {
  const double width = picture.width, height = picture.height;
  const double radius = std::max(1.5, std::min(width, height) / 160);
  for (const FaceDetection& face : faces) {
    draw_rectangle(picture, face.x_min * width, face.y_min * height, face.x_max * width, face.y_max * height,
                   {40, 220, 90}, std::max(2, static_cast<int>(radius)));
    for (const FacePoint& point : face.keypoints)
      draw_disc(picture, point.x * width, point.y * height, radius, {255, 70, 60});
  }
}

}  // namespace npubin::vision
