#include "vision/reorder.h"

#include <fmt/format.h>

#include "vision/reorder_kernels.h"

namespace npubin::vision {
namespace {

using enum FrameOrder;

// What two shapes must have to do with each other.
enum class Fit : std::uint8_t {
  Pad,        // rows and columns may be padded on the device
  Features,   // rows equal, columns and features may be padded
  Columns,    // only columns may be padded
  Chroma420,  // two rows of luma to one of chroma: even width
  Packed,     // a plain copy of whole eight bytes
};

struct Row {
  FrameOrder source, target;
  Fit fit;
  KernelPair kernels;
};

// hef spec 4b, "Reorders": one line per pair of orders.
const Row kToDevice[] = {
    {Nhwc, Nhwc, Fit::Pad, kPadRows},
    {Nhwc, Nhcw, Fit::Pad, kNhwcToNhcw},
    {Nhcw, Nhcw, Fit::Pad, kPadFeatureRows},
    {Nc, Nc, Fit::Features, kPadPixels},
    {Fcr, Fcr, Fit::Features, kPadPixels},
    {Nhwc, Fcr, Fit::Features, kPadPixels},
    {F8cr, F8cr, Fit::Features, kToF8cr},
    {Nhwc, F8cr, Fit::Features, kToF8cr},
    {Bayer, Bayer, Fit::Pad, kPadRows},
    {Bayer12, Bayer12, Fit::Pad, kPadRows},
    {Nhw, Nhw, Fit::Pad, kPadRows},
    {Nhwc, Rgb888, Fit::Features, kToRgb888},
    {Nchw, Nhcw, Fit::Pad, kNchwToNhcw},
    {Yuy2, Yuy2, Fit::Packed, kPadRows},
    {Nv12, Yyuv, Fit::Chroma420, kSemiPlanarToDevice},
    {Nv21, Yyvu, Fit::Chroma420, kSemiPlanarToDevice},
    {I420, Yyyyuv, Fit::Chroma420, kPlanarToDevice},
    {Rgb4, Nhwc, Fit::Columns, kRgb4ToNhwc},
    {Rgb4, Nhcw, Fit::Pad, kRgb4ToNhcw},
};

const Row kToHost[] = {
    {Nhcw, Nhwc, Fit::Pad, kNhcwToNhwc},     {Nhcw, Nhcw, Fit::Pad, kCropFeatureRows},
    {Nhcw, Fcr, Fit::Pad, kNhcwToNhwc},      {Nhcw, Nchw, Fit::Pad, kNhcwToNchw},
    {Nc, Nc, Fit::Features, kCropPixels},    {Nhw, Nhw, Fit::Pad, kCropRows},
    {Nhw, Nchw, Fit::Pad, kCropRows},        {Bayer, Bayer, Fit::Pad, kCropRows},
    {Bayer12, Bayer12, Fit::Pad, kCropRows}, {Fcr, Fcr, Fit::Features, kCropPixels},
    {Fcr, Nhwc, Fit::Features, kCropPixels}, {Nhwc, Nhwc, Fit::Features, kCropPixels},
    {F8cr, F8cr, Fit::Features, kFromF8cr},  {F8cr, Nhwc, Fit::Features, kFromF8cr},
};

Unexpected misfit(const Layout& host, const Layout& device, std::string_view why) {
  const auto text = [](const FrameShape& s) {
    return fmt::format("{}x{}x{}", s.height, s.width, s.features);
  };
  return malformed(
      {}, fmt::format("a host frame {}({}) cannot become a device frame {}({}): {}", to_string(host.order),
                      text(host.shape), to_string(device.order), text(device.shape), why));
}

Result<void> check_fit(Fit fit, const Layout& host, const Layout& device, std::size_t element_bytes) {
  const FrameShape &h = host.shape, &d = device.shape;
  if (h.height == 0 || h.width == 0 || h.features == 0) return misfit(host, device, "it is empty");
  if (d.height < h.height || d.width < h.width || d.features < h.features)
    return misfit(host, device, "the device frame is the smaller");
  const bool features_equal = d.features == h.features;
  switch (fit) {
    case Fit::Pad:
      break;
    case Fit::Features:
      break;
    case Fit::Columns:
      if (!features_equal) return misfit(host, device, "the numbers of features must agree");
      break;
    case Fit::Packed:
      if (h != d || std::uint64_t{h.height} * h.width * h.features * element_bytes % 8 != 0)
        return misfit(host, device, "YUY2 needs equal shapes and a multiple of 8 bytes");
      break;
    case Fit::Chroma420:
      if (!features_equal || h.height != d.height || h.width % 2 != 0 || d.width % 2 != 0 ||
          std::uint64_t{h.height} * h.features % 3 != 0)
        return misfit(host, device, "4:2:0 needs an even width and rows in threes");
      break;
  }
  if (device.order == F8cr && d.features % 8 != 0)
    return misfit(host, device, "F8CR needs features in multiples of 8");
  if (device.order == Rgb888 && (h.features != 3 || d.features != 4))
    return misfit(host, device, "RGB 888 needs three features on the host and four on the device");
  if (host.order == Nchw && device.order == Nhcw && std::uint64_t{d.width} * element_bytes % 8 != 0)
    return misfit(host, device, "NCHW needs device rows of a multiple of 8 bytes");
  if (host.order == Nchw && device.order == Nhw && h.features != 1)
    return misfit(host, device, "NHW has one feature");
  return {};
}

struct Sizes {
  std::size_t host = 0, device = 0;
};

Result<Sizes> sizes_of(const Layout& host, const Layout& device, std::size_t element_bytes) {
  if (element_bytes != 1 && element_bytes != 2)
    return refused(fmt::format("elements of {} bytes; the device has 1 or 2", element_bytes));
  const auto bytes = static_cast<std::uint32_t>(element_bytes);
  const auto on_host = host_frame_bytes(host.order, host.shape, bytes);
  const auto on_device = device_frame_bytes(device.shape, bytes);
  if (!on_host || !on_device) return misfit(host, device, "a frame has more than 2^31 elements");
  return Sizes{static_cast<std::size_t>(*on_host), static_cast<std::size_t>(*on_device)};
}

Unexpected unknown_pair(const Layout& from, const Layout& to) {
  return refused(
      fmt::format("frames are not reordered from {} to {}", to_string(from.order), to_string(to.order)),
      "HailoRT refuses this pair as well (HAILO_INVALID_OPERATION)");
}

}  // namespace

Result<Reorder> Reorder::to_device(const Layout& host, const Layout& device, std::size_t element_bytes) {
  for (const Row& row : kToDevice) {
    if (row.source != host.order || row.target != device.order) continue;
    NPUBIN_TRY(Sizes sizes, sizes_of(host, device, element_bytes));
    NPUBIN_CHECK(check_fit(row.fit, host, device, element_bytes));
    return Reorder({host, device, element_bytes, sizes.host, sizes.device},
                   element_bytes == 1 ? row.kernels.u8 : row.kernels.u16);
  }
  return unknown_pair(host, device);
}

Result<Reorder> Reorder::to_host(const Layout& device, const Layout& host, std::size_t element_bytes) {
  for (const Row& row : kToHost) {
    if (row.source != device.order || row.target != host.order) continue;
    NPUBIN_TRY(Sizes sizes, sizes_of(host, device, element_bytes));
    NPUBIN_CHECK(check_fit(row.fit, host, device, element_bytes));
    return Reorder({device, host, element_bytes, sizes.device, sizes.host},
                   element_bytes == 1 ? row.kernels.u8 : row.kernels.u16);
  }
  return unknown_pair(device, host);
}

}  // namespace npubin::vision
