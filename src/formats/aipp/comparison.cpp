#include "formats/aipp/comparison.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "formats/aipp/settings.h"
#include "npubin/half.h"
#include "vision/aipp/picture_bytes.h"

namespace npubin::aipp {
namespace {

// Inner pixels, channel by channel.
struct Planes {
  std::vector<std::vector<float>> channels;
};

struct Setting {
  Settings settings;  // padding off
  NetworkInput network;
  Geometry geometry;
  Picture source;  // RGB, of the source size
};

// Without padding the inner part is the whole output.
Result<Setting> prepare(const Block& block, const NetworkInput& network, const Picture& picture) {
  Setting out{settings_of_block(block), network, {}, {}};
  NPUBIN_TRY(const Geometry padded, resolve_geometry(out.settings, network));
  out.settings.src_w = padded.src_w;
  out.settings.src_h = padded.src_h;
  out.settings.crop_w = padded.crop_w;
  out.settings.crop_h = padded.crop_h;
  out.settings.padding = false;
  out.network.n = 1;
  out.network.w = padded.scaled_w;
  out.network.h = padded.scaled_h;
  NPUBIN_TRY(out.geometry, resolve_geometry(out.settings, out.network));
  out.source = to_rgb(picture);
  const auto w = static_cast<std::uint32_t>(out.geometry.src_w);
  const auto h = static_cast<std::uint32_t>(out.geometry.src_h);
  if (out.source.width != w || out.source.height != h)
    out.source = resize(
        out.source, w, h,
        out.source.width >= w && out.source.height >= h ? ResizeFilter::AreaAverage : ResizeFilter::Bilinear);
  return out;
}

Result<Planes> by_config(const Setting& s, const Settings& settings, ByteSpan bytes) {
  OutputOptions output;
  output.type = DType::F32;
  NPUBIN_TRY(const Tensor out, run_batch({&settings, 1}, s.network, output, bytes));
  Planes planes;
  const auto values = out.as<float>();
  const auto channels = static_cast<std::size_t>(out.dim(1));
  const std::size_t size = values.size() / channels;
  for (std::size_t c = 0; c < channels; ++c)
    planes.channels.emplace_back(values.begin() + static_cast<std::ptrdiff_t>(c * size),
                                 values.begin() + static_cast<std::ptrdiff_t>((c + 1) * size));
  return planes;
}

double pick(const std::vector<double>& values, std::size_t c, double otherwise) {
  return values.empty() ? otherwise : values[values.size() == 1 ? 0 : std::min(c, values.size() - 1)];
}

// The picture as training sees it: crop, order, (x/255 - mean) / std.
Planes by_training(const Setting& s, const Picture& scaled, const TrainingTarget& target) {
  Planes out;
  const bool grey = target.order == "grey";
  const std::size_t channels = grey ? 1 : 3;
  const Geometry& g = s.geometry;
  const bool resized = s.settings.resize;
  for (std::size_t c = 0; c < channels; ++c) {
    std::vector<float> plane;
    const double mean = pick(target.mean, c, 0), std = pick(target.std, c, 1 / 255.0);
    for (std::int32_t y = 0; y < g.scaled_h; ++y)
      for (std::int32_t x = 0; x < g.scaled_w; ++x) {
        const std::uint8_t* rgb =
            resized ? scaled.at(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y))
                    : s.source.at(static_cast<std::uint32_t>(g.crop_x + x),
                                  static_cast<std::uint32_t>(g.crop_y + y));
        const double pixel = grey ? std::floor(0.299 * rgb[0] + 0.587 * rgb[1] + 0.114 * rgb[2] + 0.5)
                                  : rgb[target.order == "bgr" ? 2 - c : c];
        plane.push_back(static_cast<float>((pixel / 255 - mean) / std));
      }
    out.channels.push_back(std::move(plane));
  }
  return out;
}

Picture cropped_and_scaled(const Setting& s) {
  if (!s.settings.resize) return {};
  const Geometry& g = s.geometry;
  Picture crop;
  crop.width = static_cast<std::uint32_t>(g.crop_w);
  crop.height = static_cast<std::uint32_t>(g.crop_h);
  crop.pixels.resize(std::size_t{crop.width} * crop.height * 3);
  for (std::uint32_t y = 0; y < crop.height; ++y)
    std::copy_n(s.source.at(static_cast<std::uint32_t>(g.crop_x), static_cast<std::uint32_t>(g.crop_y) + y),
                std::size_t{crop.width} * 3, crop.at(0, y));
  return resize(crop, static_cast<std::uint32_t>(g.scaled_w), static_cast<std::uint32_t>(g.scaled_h),
                ResizeFilter::Bilinear);
}

Comparison difference(const Planes& a, const Planes& b, const TrainingTarget& target) {
  Comparison out;
  for (std::size_t c = 0; c < b.channels.size(); ++c) {
    ChannelDifference d;
    const std::size_t count = b.channels[c].size();
    for (std::size_t i = 0; i < count; ++i) {
      const double delta = std::abs(double{a.channels[c][i]} - double{b.channels[c][i]});
      d.largest = std::max(d.largest, delta);
      d.mean += delta / static_cast<double>(count);
    }
    const double levels = 255 * std::abs(pick(target.std, c, 1 / 255.0));
    d.largest_levels = d.largest * levels;
    d.mean_levels = d.mean * levels;
    out.mean_levels += d.mean_levels / static_cast<double>(b.channels.size());
    out.channels.push_back(d);
  }
  return out;
}

void swap_rows(Settings& s) {
  for (std::size_t i = 0; i < 3; ++i) std::swap(s.matrix[i], s.matrix[6 + i]);
}

void take_training_normalisation(Settings& s, const TrainingTarget& target) {
  for (std::size_t c = 0; c < 4; ++c) {
    s.mean[c] = 0;
    s.min[c] = static_cast<float>(pick(target.mean, c, 0) * 255);
    s.var_reci[c] = static_cast<float>(1 / (255 * pick(target.std, c, 1 / 255.0)));
  }
}

struct Suspect {
  std::string cause;
  Settings settings;
};

// Single changes that would explain a difference, the likelier first.
std::vector<Suspect> suspects(const Settings& s, const TrainingTarget& target) {
  const FormatFacts* facts = find_format(s.format);
  const bool yuv = facts != nullptr && facts->family == PixelFamily::Yuv;
  std::vector<Suspect> out;
  const auto add = [&](std::string cause, const std::function<void(Settings&)>& change) {
    out.push_back({std::move(cause), s});
    change(out.back().settings);
  };
  const auto normalised = [&](Settings& x) { take_training_normalisation(x, target); };
  const auto exchanged = [&](Settings& x) {
    yuv&& x.csc ? swap_rows(x) : void(x.swap_rb_uv = !x.swap_rb_uv);
  };
  add("mean and std: min_chn should be 255 x mean, var_reci_chn 1 / (255 x std), in the order of the "
      "network's channels",
      normalised);
  add("the channel order: the config feeds the network with red and blue exchanged", exchanged);
  add("the channel order, and with it mean and std: red and blue are exchanged", [&](Settings& x) {
    exchanged(x);
    normalised(x);
  });
  if (!yuv) return out;
  add("U and V are exchanged: rbuv_swap_switch", [](Settings& x) { x.swap_rb_uv = !x.swap_rb_uv; });
  const auto with_standard = [&](const CscStandard& standard) {
    return [&](Settings& x) {
      x.csc = true;
      x.matrix = standard.to_rgb;
      x.input_bias = standard.input_bias;
      if (target.order == "bgr") swap_rows(x);
    };
  };
  for (const CscStandard& standard : csc_standards()) {
    add(fmt::format("the colour conversion: the picture is {}, the config says otherwise", standard.title),
        with_standard(standard));
    add(fmt::format("the colour conversion ({} is wanted), and mean and std as well", standard.title),
        [&, change = with_standard(standard)](Settings& x) {
          change(x);
          normalised(x);
        });
  }
  return out;
}

std::string cause_of(const Setting& s, ByteSpan bytes, const Planes& wanted, const TrainingTarget& target,
                     double mean_levels) {
  std::string best;
  double best_levels = mean_levels / 2;
  for (const Suspect& suspect : suspects(s.settings, target)) {
    const auto planes = by_config(s, suspect.settings, bytes);
    if (!planes || planes->channels.size() != wanted.channels.size()) continue;
    const double levels = difference(*planes, wanted, target).mean_levels;
    // A simpler cause is kept unless a later one is clearly better.
    if (levels < best_levels && (best.empty() || levels < best_levels / 2)) {
      best = suspect.cause;
      best_levels = levels;
    }
  }
  return best;
}

}  // namespace

Result<Comparison> compare_with_training(const Block& block, const NetworkInput& network,
                                         const Picture& picture, const TrainingTarget& target) {
  if (block.is_dynamic())
    return refused("a dynamic block has no normalisation of its own: it comes with each run's parameters");
  NPUBIN_TRY(const Setting s, prepare(block, network, picture));
  const FormatFacts* facts = find_format(s.settings.format);
  if (facts == nullptr || !facts->executable || facts->family == PixelFamily::Raw)
    return refused("a photograph cannot be held against this input format");
  const CscStandard* camera = target.camera;
  if (camera == nullptr) {
    const auto match = s.settings.csc ? match_csc(s.settings.matrix, true) : std::nullopt;
    camera = match ? match->standard : &csc_standards().front();
  }
  const bool yuv = facts->family == PixelFamily::Yuv;
  NPUBIN_TRY(const std::vector<std::byte> bytes,
             bytes_of_picture(s.source, s.settings.format, *camera, yuv && s.settings.swap_rb_uv));
  NPUBIN_TRY(const Planes got, by_config(s, s.settings, bytes));
  const Planes wanted = by_training(s, cropped_and_scaled(s), target);
  if (got.channels.size() < wanted.channels.size())
    return usage_error(fmt::format("the config gives {} channels, --order {} has {}", got.channels.size(),
                                   target.order, wanted.channels.size()));
  Comparison out = difference(got, wanted, target);
  out.fed_as =
      yuv ? fmt::format("{}, converted by {}", facts->name, camera->title) : std::string(facts->name);
  if (out.mean_levels > kAlikeLevels) out.likely_cause = cause_of(s, bytes, wanted, target, out.mean_levels);
  out.alike =
      out.mean_levels <= kAlikeLevels || (out.mean_levels <= kUnexplainedLevels && out.likely_cause.empty());
  return out;
}

}  // namespace npubin::aipp
