#include "vision/instance_masks.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "npubin/bytes.h"
#include "vision/operator_checks.h"

namespace npubin::vision {

void TriangleResampling::prepare(std::uint32_t source_size, std::uint32_t target_size) {
  taps_.clear();
  begin_.assign(1, 0);
  const double scale = static_cast<double>(source_size) / target_size;
  const double reach = std::max(1.0, scale);  // of the triangle, in source pixels
  for (std::uint32_t target = 0; target < target_size; ++target) {
    const double centre = (target + 0.5) * scale - 0.5;
    const auto first = static_cast<std::int64_t>(std::floor(centre - reach)) + 1;
    const auto last = static_cast<std::int64_t>(std::ceil(centre + reach)) - 1;
    double sum = 0;
    const auto weight = [&](std::int64_t i) {
      return std::max(0.0, 1.0 - std::abs(static_cast<double>(i) - centre) / reach);
    };
    for (std::int64_t i = first; i <= last; ++i) sum += weight(i);
    for (std::int64_t i = first; i <= last; ++i) {
      const auto clamped = static_cast<std::uint32_t>(std::clamp<std::int64_t>(i, 0, source_size - 1));
      const auto share = static_cast<float>(weight(i) / sum);
      if (taps_.size() > begin_.back() && taps_.back().source == clamped)
        taps_.back().weight += share;
      else
        taps_.push_back({clamped, share});
    }
    begin_.push_back(taps_.size());
  }
}

Result<MaskMaker> MaskMaker::prepare(const FeatureMap& prototypes, float image_height, float image_width,
                                     float mask_threshold) {
  NPUBIN_CHECK(check_map(prototypes, kMaskCoefficients, "the layer of mask prototypes"));
  constexpr float kMaxSide = 16384;
  if (!(image_height >= 1) || !(image_width >= 1) || image_height > kMaxSide || image_width > kMaxSide)
    return refused(
        fmt::format("masks for a picture of {} x {}; 1 to 16384 are possible", image_height, image_width));
  MaskMaker out;
  out.map_ = prototypes;
  out.image_height_ = static_cast<std::uint32_t>(image_height);
  out.image_width_ = static_cast<std::uint32_t>(image_width);
  out.threshold_ = mask_threshold;
  out.rows_.prepare(prototypes.height, out.image_height_);
  out.columns_.prepare(prototypes.width, out.image_width_);
  const std::size_t area = std::size_t{prototypes.height} * prototypes.width;
  out.prototypes_.resize(area * kMaskCoefficients);
  out.mask_.resize(area);
  out.line_.resize(prototypes.width);
  return out;
}

MaskSize MaskMaker::size(const Detection& d) const {
  const auto pixels = [](float extent, std::uint32_t side) -> std::uint32_t {
    const float exact = std::ceil(extent * static_cast<float>(side));
    if (!(exact > 0)) return 0;
    return static_cast<std::uint32_t>(std::min(exact, static_cast<float>(side) + 1));
  };
  return {pixels(d.y_max - d.y_min, image_height_), pixels(d.x_max - d.x_min, image_width_)};
}

void MaskMaker::load(const std::byte* prototypes) {
  const std::size_t area = std::size_t{map_.height} * map_.width;
  for (std::size_t k = 0; k < kMaskCoefficients; ++k)
    for (std::size_t y = 0; y < map_.height; ++y) {
      float* to = prototypes_.data() + k * area + y * map_.width;
      if (map_.wide)
        dequantize(std::span(MapReader<std::uint16_t>(map_, prototypes).row(y, k), map_.width), to,
                   map_.quantization);
      else
        dequantize(std::span(MapReader<std::uint8_t>(map_, prototypes).row(y, k), map_.width), to,
                   map_.quantization);
    }
}

// sigmoid(coefficients . prototypes) for rows [begin, end).
void MaskMaker::prototype_rows(std::size_t begin, std::size_t end, std::span<const float> coefficients) {
  const std::size_t area = std::size_t{map_.height} * map_.width;
  const std::size_t first = begin * map_.width, last = end * map_.width;
  std::fill(mask_.begin() + static_cast<std::ptrdiff_t>(first),
            mask_.begin() + static_cast<std::ptrdiff_t>(last), 0.0f);
  for (std::size_t k = 0; k < kMaskCoefficients; ++k) {
    const float* plane = prototypes_.data() + k * area;
    const float coefficient = coefficients[k];
    for (std::size_t i = first; i < last; ++i) mask_[i] += coefficient * plane[i];
  }
  for (std::size_t i = first; i < last; ++i) mask_[i] = 1.0f / (1.0f + std::exp(-mask_[i]));
}

void MaskMaker::draw(const Detection& detection, std::span<const float> coefficients,
                     std::span<std::uint8_t> out) {
  const MaskSize box = size(detection);
  std::fill(out.begin(), out.end(), std::uint8_t{0});
  const auto first_pixel = [](float low, std::uint32_t side) -> std::size_t {
    const float exact = std::ceil(low * static_cast<float>(side));
    return exact > 0 ? static_cast<std::size_t>(std::min(exact, static_cast<float>(side))) : 0;
  };
  const std::size_t x0 = first_pixel(detection.x_min, image_width_);
  const std::size_t y0 = first_pixel(detection.y_min, image_height_);
  const std::size_t x1 = std::min<std::size_t>(x0 + box.width, image_width_);
  const std::size_t y1 = std::min<std::size_t>(y0 + box.height, image_height_);
  if (x0 >= x1 || y0 >= y1) return;
  prototype_rows(rows_.taps(y0).front().source, rows_.taps(y1 - 1).back().source + std::size_t{1},
                 coefficients);
  for (std::size_t y = y0; y < y1; ++y) {
    std::fill(line_.begin(), line_.end(), 0.0f);
    for (const auto& tap : rows_.taps(y))
      for (std::size_t x = 0; x < map_.width; ++x)
        line_[x] += tap.weight * mask_[std::size_t{tap.source} * map_.width + x];
    for (std::size_t x = x0; x < x1; ++x) {
      float value = 0;
      for (const auto& tap : columns_.taps(x)) value += tap.weight * line_[tap.source];
      out[(y - y0) * box.width + (x - x0)] = value > threshold_ ? 1 : 0;
    }
  }
}

ByteMaskWriter::ByteMaskWriter(std::span<std::byte> out) : out_(out) {
  std::fill(out_.begin(), out_.end(), std::byte{0});
}

ByteMaskWriter::Place ByteMaskWriter::add(const Detection& d, std::uint64_t mask_bytes) {
  // HailoRT asks for strictly more room than the record takes.
  if (count_ == 0xFFFF || out_.size() < at_ || out_.size() - at_ <= kMaskRecordBytes ||
      out_.size() - at_ - kMaskRecordBytes <= mask_bytes)
    return {};
  std::byte* to = out_.data() + at_;
  const float values[] = {d.y_min, d.x_min, d.y_max, d.x_max, d.score};
  for (std::size_t k = 0; k < 5; ++k) store(to + 4 * k, values[k]);
  store(to + 20, static_cast<std::uint16_t>(d.class_id));
  store(to + 22, mask_bytes);
  store(to + 30, std::uint64_t{0});
  store(to + 38, static_cast<std::uint64_t>(at_ + kMaskRecordBytes));
  at_ += kMaskRecordBytes;
  Place place{true,
              {reinterpret_cast<std::uint8_t*>(out_.data()) + at_, static_cast<std::size_t>(mask_bytes)}};
  at_ += static_cast<std::size_t>(mask_bytes);
  store(out_.data(), static_cast<std::uint16_t>(++count_));
  return place;
}

}  // namespace npubin::vision
