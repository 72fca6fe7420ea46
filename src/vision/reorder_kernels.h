// The kernels behind Reorder, one pair (8-bit, 16-bit elements) per rule of hef spec 4b.
#pragma once

#include "vision/reorder.h"

namespace npubin::vision {

template <class T>
const T* elements(const std::byte* data) {
  return reinterpret_cast<const T*>(data);
}
template <class T>
T* elements(std::byte* data) {
  return reinterpret_cast<T*>(data);
}

struct KernelPair {
  Reorder::Kernel u8, u16;
};

// Host to device; everything that the host does not fill is zero.
extern const KernelPair kPadRows;         // a row is copied, its end padded
extern const KernelPair kPadFeatureRows;  // NHCW: each feature's row padded
extern const KernelPair kPadPixels;       // each pixel's features padded
extern const KernelPair kNhwcToNhcw;
extern const KernelPair kNchwToNhcw;
extern const KernelPair kToF8cr;
extern const KernelPair kToRgb888;
extern const KernelPair kSemiPlanarToDevice;  // NV12, NV21
extern const KernelPair kPlanarToDevice;      // I420
extern const KernelPair kRgb4ToNhwc;
extern const KernelPair kRgb4ToNhcw;

// Device to host; padding is left behind.
extern const KernelPair kCropRows;
extern const KernelPair kCropFeatureRows;
extern const KernelPair kCropPixels;
extern const KernelPair kNhcwToNhwc;
extern const KernelPair kNhcwToNchw;
extern const KernelPair kFromF8cr;

}  // namespace npubin::vision
