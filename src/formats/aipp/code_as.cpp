#include "formats/aipp/code_as.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "formats/aipp/settings.h"
#include "formats/aipp/training_terms.h"
#include "vision/aipp/csc_standards.h"

namespace npubin::aipp {
namespace {

using Lines = std::vector<std::string>;

std::string list_of(const std::vector<double>& values) {
  std::string out;
  for (double value : values) out += fmt::format("{}{:.6g}", out.empty() ? "" : ", ", value);
  return out;
}

std::string head(const Settings& s, const FormatFacts& facts) {
  return s.src_w > 0 && s.src_h > 0 ? fmt::format("{} x {}, {}", s.src_w, s.src_h, facts.name)
                                    : fmt::format("of the network's size, {}", facts.name);
}

Result<void> needs_colours(const Settings& s, const FormatFacts& facts, std::string_view style) {
  const std::string order = channel_order(s);
  if (order == "RGB" || order == "BGR" || order == "grey") return {};
  return refused(fmt::format("{} cannot express {} reaching the network as {}", style, facts.name, order),
                 "--as numpy writes the whole arithmetic");
}

std::string conversion_note(const Settings& s, const FormatFacts& facts) {
  if (!s.csc || facts.family != PixelFamily::Yuv) return {};
  const auto match = match_csc(s.matrix, true);
  return fmt::format("# On the chip the picture comes as {} and is converted by {}.", facts.name,
                     match ? match->title() : "a matrix of its own");
}

// In training code a picture is RGB to begin with; swaps and conversions end in the network's order.
void torchvision(const Settings& s, const FormatFacts& facts, Lines& out) {
  const TrainingTerms terms = training_terms(s, channels_of(s));
  const std::string order = channel_order(s);
  out.push_back("from torchvision.transforms import functional as F");
  out.push_back("");
  out.push_back(fmt::format("def preprocess(picture):  # PIL.Image in RGB, {}", head(s, facts)));
  if (const std::string note = conversion_note(s, facts); !note.empty()) out.push_back("    " + note);
  if (order == "grey") out.push_back("    picture = F.rgb_to_grayscale(picture)");
  out.push_back("    x = F.pil_to_tensor(picture).float()  # C,H,W, 0 to 255");
  if (order == "BGR") out.push_back("    x = x[[2, 1, 0]]  # the network takes BGR");
  if (s.crop)
    out.push_back(fmt::format("    x = F.crop(x, top={}, left={}, height={}, width={})", s.crop_y, s.crop_x,
                              s.crop_h, s.crop_w));
  if (s.resize)
    out.push_back(
        fmt::format("    x = F.resize(x, [{}, {}], antialias=False)  # the chip's filter is not published",
                    s.resize_h, s.resize_w));
  if (!terms.none)
    out.push_back(fmt::format("    x = F.normalize(x / 255, mean=[{}], std=[{}])", list_of(terms.mean),
                              list_of(terms.std)));
  if (s.padding)
    out.push_back(fmt::format("    x = F.pad(x, [{}, {}, {}, {}], fill={})", s.pad_left, s.pad_top,
                              s.pad_right, s.pad_bottom, s.padding_value));
  out.push_back("    return x.unsqueeze(0)  # N,C,H,W");
}

void opencv(const Settings& s, const FormatFacts& facts, Lines& out) {
  const TrainingTerms terms = training_terms(s, channels_of(s));
  const std::string order = channel_order(s);
  out.push_back("import cv2");
  out.push_back("import numpy as np");
  out.push_back("");
  out.push_back(fmt::format("def preprocess(picture):  # as cv2.imread gives it (BGR), {}", head(s, facts)));
  if (const std::string note = conversion_note(s, facts); !note.empty()) out.push_back("    " + note);
  if (order == "RGB") out.push_back("    picture = cv2.cvtColor(picture, cv2.COLOR_BGR2RGB)");
  if (order == "grey") out.push_back("    picture = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)[:, :, None]");
  if (s.crop)
    out.push_back(fmt::format("    picture = picture[{}:{}, {}:{}]", s.crop_y, s.crop_y + s.crop_h, s.crop_x,
                              s.crop_x + s.crop_w));
  if (s.resize)
    out.push_back(
        fmt::format("    picture = cv2.resize(picture, ({}, {}))  # the chip's filter is not published",
                    s.resize_w, s.resize_h));
  out.push_back("    x = picture.astype(np.float32)");
  if (!terms.none)
    out.push_back(fmt::format("    x = (x / 255 - np.float32([{}])) / np.float32([{}])", list_of(terms.mean),
                              list_of(terms.std)));
  if (s.padding)
    out.push_back(fmt::format("    x = np.pad(x, (({}, {}), ({}, {}), (0, 0)), constant_values={})",
                              s.pad_top, s.pad_bottom, s.pad_left, s.pad_right, s.padding_value));
  out.push_back("    return x.transpose(2, 0, 1)[None]  # N,C,H,W");
}

// From raw bytes to an array of H,W,C with the bytes that the chip keeps, swaps done.
Result<void> numpy_source(const Settings& s, const FormatFacts& facts, Lines& out) {
  const std::string u = s.swap_rb_uv ? "1" : "0";
  const std::string v = s.swap_rb_uv ? "0" : "1";
  using enum InputFormat;
  switch (s.format) {
    case Yuv420Sp:
    case Yuv422Sp: {
      const bool rows = s.format == Yuv420Sp;
      out.push_back("    luma = raw[:H * W].reshape(H, W)");
      out.push_back(fmt::format("    chroma = raw[H * W:].reshape({}, W // 2, 2).repeat(2, axis=1){}",
                                rows ? "H // 2" : "H", rows ? ".repeat(2, axis=0)" : ""));
      out.push_back(fmt::format("    x = np.dstack([luma, chroma[:, :, {}], chroma[:, :, {}]])", u, v));
      return {};
    }
    case Yuyv:
      out.push_back("    pairs = raw.reshape(H, W // 2, 4)");
      out.push_back("    luma = pairs[:, :, [0, 2]].reshape(H, W)");
      out.push_back(
          fmt::format("    x = np.dstack([luma, pairs[:, :, {}].repeat(2, axis=1), pairs[:, :, "
                      "{}].repeat(2, axis=1)])",
                      s.swap_rb_uv ? 3 : 1, s.swap_rb_uv ? 1 : 3));
      return {};
    case Yuv400:
      out.push_back("    x = raw.reshape(H, W, 1)");
      return {};
    case Rgb888:
      out.push_back(fmt::format("    x = raw.reshape(H, W, 3){}", s.swap_rb_uv ? "[:, :, ::-1]" : ""));
      return {};
    case Xrgb8888:
    case Argb8888:
    case Ayuv444: {
      std::array<int, 3> order = s.swap_ax ? std::array<int, 3>{1, 2, 3} : std::array<int, 3>{0, 1, 2};
      if (s.swap_rb_uv) std::swap(order[s.format == Ayuv444 ? 1 : 0], order[2]);
      out.push_back(fmt::format("    x = raw.reshape(H, W, 4)[:, :, [{}]]", fmt::join(order, ", ")));
      return {};
    }
    default:
      return refused(fmt::format("--as numpy does not write {}", facts.name));
  }
}

Result<void> numpy(const Settings& s, const FormatFacts& facts, const NetworkInputFacts* network,
                   Lines& out) {
  const std::int64_t w = s.src_w != 0 || network == nullptr ? s.src_w : network->w;
  const std::int64_t h = s.src_h != 0 || network == nullptr ? s.src_h : network->h;
  if (w == 0 || h == 0) return usage_error("the source size is not known", "give --network-shape N,C,H,W");
  if (s.resize) return refused("the chip's resize filter is not published: --as numpy does not write it");
  out.push_back("import numpy as np");
  out.push_back("");
  out.push_back(fmt::format("def preprocess(raw):  # np.uint8, one {} picture of {} x {}", facts.name, w, h));
  out.push_back(fmt::format("    H, W = {}, {}", h, w));
  NPUBIN_CHECK(numpy_source(s, facts, out));
  if (s.crop) {
    const std::int64_t cw = s.crop_w != 0 || network == nullptr ? s.crop_w : network->w;
    const std::int64_t ch = s.crop_h != 0 || network == nullptr ? s.crop_h : network->h;
    out.push_back(fmt::format("    x = x[{}:{}, {}:{}]", s.crop_y, s.crop_y + ch, s.crop_x, s.crop_x + cw));
  }
  if (s.csc) {
    const bool yuv = facts.family == PixelFamily::Yuv;
    out.push_back(fmt::format("    matrix = np.int32([{}]).reshape(3, 3)", fmt::join(s.matrix, ", ")));
    out.push_back(
        fmt::format("    x = x.astype(np.int32){}",
                    yuv ? fmt::format(" - np.int32([{}])", fmt::join(s.input_bias, ", ")) : std::string()));
    out.push_back("    x = (x @ matrix.T) >> 8  # the chip's own rounding is not published");
    if (facts.family == PixelFamily::Rgb)
      out.push_back(fmt::format("    x = x + np.int32([{}])", fmt::join(s.output_bias, ", ")));
    out.push_back("    x = x.clip(0, 255)");
  }
  if (network != nullptr && network->c == 4)
    return refused("--as numpy does not write networks that keep the fourth channel");
  if (network != nullptr && network->c == 1 && channels_of(s) == 3)
    out.push_back("    x = x[:, :, :1]  # the network takes one channel");
  const auto n = static_cast<std::ptrdiff_t>(network != nullptr && network->c == 1 ? 1 : channels_of(s));
  out.push_back(fmt::format("    x = x.astype(np.float16) - np.float16([{}])",
                            fmt::join(s.mean.begin(), s.mean.begin() + n, ", ")));
  out.push_back(
      fmt::format("    x = x - np.float16([{}])", fmt::join(s.min.begin(), s.min.begin() + n, ", ")));
  out.push_back(fmt::format("    x = x * np.float16([{}])",
                            fmt::join(s.var_reci.begin(), s.var_reci.begin() + n, ", ")));
  if (s.padding)
    out.push_back(fmt::format("    x = np.pad(x, (({}, {}), ({}, {}), (0, 0)), constant_values={})",
                              s.pad_top, s.pad_bottom, s.pad_left, s.pad_right, s.padding_value));
  out.push_back("    return x.transpose(2, 0, 1)[None]  # N,C,H,W, float16");
  return {};
}

}  // namespace

Result<Node> code_node(const Config& config, const Surroundings& surroundings, std::string_view style) {
  if (style != "torchvision" && style != "opencv" && style != "numpy")
    return usage_error(fmt::format("--as {} is not known", style), "torchvision, opencv or numpy");
  Node root("code");
  for (std::size_t i = 0; i < config.blocks.size(); ++i) {
    const Block& block = config.blocks[i];
    if (block.is_dynamic())
      return refused("a dynamic block has no parameters of its own: they come with each run");
    const FormatFacts* facts = find_format(block.format());
    if (facts == nullptr) return refused("the block's input_format is not defined");
    const Settings s = settings_of_block(block);
    const auto rank = static_cast<std::size_t>(block.number(FieldId::related_input_rank));
    const NetworkInputFacts* network =
        surroundings.inputs && rank < surroundings.inputs->size() ? &(*surroundings.inputs)[rank] : nullptr;
    if (i > 0) root.lines.emplace_back();
    if (config.blocks.size() > 1) root.lines.push_back(fmt::format("# block {}", i));
    if (style == "numpy") {
      NPUBIN_CHECK(numpy(s, *facts, network, root.lines));
      continue;
    }
    NPUBIN_CHECK(needs_colours(s, *facts, style));
    style == "opencv" ? opencv(s, *facts, root.lines) : torchvision(s, *facts, root.lines);
  }
  return root;
}

}  // namespace npubin::aipp
