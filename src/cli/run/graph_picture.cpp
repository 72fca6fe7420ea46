#include "cli/run/graph_picture.h"

#include <fmt/format.h>

#include "exec/real_values.h"
#include "npubin/picture.h"

namespace npubin::cli {
namespace {

struct PictureShape {
  std::uint32_t height = 0, width = 0, channels = 0;
  bool channels_last = true;
};

bool is_channels(std::int64_t d) {
  return d == 1 || d == 3;
}

Result<PictureShape> picture_shape(const Shape& shape) {
  constexpr std::int64_t kLargest = 16384, kMostPixels = std::int64_t{1} << 26;
  if (shape.size() == 4 && shape[0] == 1 && (is_channels(shape[3]) || is_channels(shape[1]))) {
    const bool last = is_channels(shape[3]);
    const std::int64_t height = shape[last ? 1 : 2], width = shape[last ? 2 : 3];
    if (height > 0 && width > 0 && height <= kLargest && width <= kLargest && height * width <= kMostPixels)
      return PictureShape{static_cast<std::uint32_t>(height), static_cast<std::uint32_t>(width),
                          static_cast<std::uint32_t>(shape[last ? 3 : 1]), last};
  }
  return usage_error(fmt::format("a picture does not fit the input's shape {}", to_string(shape)),
                     "--image takes inputs of [1,H,W,C] or [1,C,H,W] with 1 or 3 channels");
}

Result<float> per_channel(const std::vector<float>& values, float otherwise, std::size_t channel,
                          std::uint32_t channels, std::string_view option) {
  if (values.empty()) return otherwise;
  if (values.size() == 1) return values[0];
  if (values.size() == channels) return values[channel];
  return usage_error(fmt::format("{} has {} values for {} channels", option, values.size(), channels),
                     "give one value, or one per channel, separated by commas");
}

// Picture channel that feeds channel c of the tensor.
std::uint32_t source_channel(std::uint32_t c, const PictureShape& shape, const GraphInputOptions& options) {
  return options.channel_order == "bgr" && shape.channels == 3 ? 2 - c : c;
}

}  // namespace

Result<Tensor> tensor_of_picture(const std::string& file, const graph::Value& input,
                                 const GraphInputOptions& options) {
  NPUBIN_TRY(const PictureShape shape, picture_shape(input.shape));
  NPUBIN_TRY(Picture picture, load_picture(file));
  picture = shape.channels == 1 ? to_grey(picture) : to_rgb(picture);
  picture = resize(picture, shape.width, shape.height, ResizeFilter::Bilinear);
  const bool as_codes = options.mean.empty() && options.scale.empty() && !options.real &&
                        (input.type == DType::U8 || input.type == DType::I8);
  Tensor real(DType::F32, input.shape);
  auto out = real.as_mutable<float>();
  const std::size_t area = std::size_t{shape.height} * shape.width;
  for (std::uint32_t c = 0; c < shape.channels; ++c) {
    NPUBIN_TRY(const float mean, per_channel(options.mean, 0, c, shape.channels, "--mean"));
    NPUBIN_TRY(const float scale, per_channel(options.scale, 1, c, shape.channels, "--scale"));
    const std::uint32_t from = source_channel(c, shape, options);
    const float shift = as_codes && input.type == DType::I8 ? 128.0f : mean;
    for (std::size_t i = 0; i < area; ++i) {
      const float pixel = picture.pixels[i * shape.channels + from];
      out[shape.channels_last ? i * shape.channels + c : c * area + i] = (pixel - shift) * scale;
    }
  }
  NPUBIN_TRY(Tensor stored,
             exec::from_real(real, input.type, as_codes ? Quantization() : input.quantization));
  stored.set_quantization(input.quantization);
  return stored;
}

}  // namespace npubin::cli
