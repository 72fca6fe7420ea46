// Which chip takes which input format (aipp spec 3).
#include <algorithm>
#include <array>
#include <cctype>
#include <span>

#include "formats/aipp/surroundings.h"

namespace npubin::aipp {
namespace {

using enum InputFormat;

constexpr std::array kAscend310{Yuv420Sp, Xrgb8888, Rgb888, Yuv400, Nc1hwc0diFp16, Nc1hwc0diS8};
constexpr std::array kAscend615{Yuv420Sp, Xrgb8888, Rgb888, Yuv400, Nc1hwc0diFp16, Nc1hwc0diS8,
                                Rgb16,    Rgb20,    Rgb24,  Rgb8Ir, Rgb16Ir,       Rgb24Ir};
constexpr std::array kHi3796{Yuv420Sp, Rgb888, Xrgb8888, Argb8888, Yuyv, Yuv422Sp,
                             Ayuv444,  Yuv400, Raw10,    Raw12,    Raw16};
constexpr std::array kCurrent{Yuv420Sp, Xrgb8888, Rgb888, Yuv400};

struct Chip {
  std::string_view prefix;  // of the name in lower case, without "ascend"
  bool exact;               // the name ends there
  ChipFamily family;
};
// 310P, 910 and later go by the current table; 310, 610, 615, 710 by the tables of their time.
constexpr std::array<Chip, 9> kChips{{
    {"310", true, ChipFamily::Ascend310},
    {"610", true, ChipFamily::Ascend610},
    {"710", true, ChipFamily::Ascend710},
    {"615", true, ChipFamily::Ascend615},
    {"310p", false, ChipFamily::Current},
    {"310b", false, ChipFamily::Current},
    {"910", false, ChipFamily::Current},
    {"hi3796cv300es", true, ChipFamily::Hi3796},
    {"hi3796cv300cs", true, ChipFamily::Hi3796},
}};

std::span<const InputFormat> formats_of(ChipFamily family) {
  switch (family) {
    case ChipFamily::Ascend310:
    case ChipFamily::Ascend610:
    case ChipFamily::Ascend710:
      return kAscend310;
    case ChipFamily::Ascend615:
      return kAscend615;
    case ChipFamily::Hi3796:
      return kHi3796;
    case ChipFamily::Current:
      return kCurrent;
    case ChipFamily::Unknown:
      break;
  }
  return {};
}

}  // namespace

std::optional<ChipFamily> chip_family(std::string_view soc) {
  std::string name(soc);
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
  if (name.rfind("ascend", 0) == 0) name.erase(0, 6);
  for (const Chip& chip : kChips)
    if (chip.exact ? name == chip.prefix : name.rfind(chip.prefix, 0) == 0) return chip.family;
  return std::nullopt;
}

bool chip_takes(ChipFamily family, InputFormat format) {
  const auto known = formats_of(family);
  return std::find(known.begin(), known.end(), format) != known.end();
}

}  // namespace npubin::aipp
