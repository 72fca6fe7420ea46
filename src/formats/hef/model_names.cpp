// Names of the model's enumerations, as HailoRT spells them, and the tables of orders.
#include "formats/hef/model.h"

namespace npubin::hef {
namespace {

struct OrderRow {
  Order order;
  std::string_view name;
  int format;  // edge_layer_base.format; -1: not a device order
  Order host;  // default host order
};

constexpr OrderRow kOrders[] = {
    {Order::Unknown, "UNKNOWN", -1, Order::Unknown},
    {Order::Nhwc, "NHWC", 0, Order::Nhwc},
    {Order::Nhcw, "NHCW", 1, Order::Nhwc},
    {Order::Nc, "NC", 2, Order::Nc},
    {Order::Fcr, "FCR", 3, Order::Fcr},
    {Order::F8cr, "F8CR", 7, Order::F8cr},
    {Order::Nhw, "NHW", 5, Order::Nhw},
    {Order::BayerRgb, "BAYER RGB", 4, Order::BayerRgb},
    {Order::Bayer12Bit, "12 BIT BAYER RGB", -1, Order::Bayer12Bit},
    {Order::Rgb888, "RGB 888", 8, Order::Nhwc},
    {Order::Rgb4, "RGB4", -1, Order::Rgb4},
    {Order::Nchw, "NCHW", -1, Order::Nchw},
    {Order::Yuy2, "YUY2", 11, Order::Yuy2},
    {Order::Nv12, "NV12", -1, Order::Nv12},
    {Order::Nv21, "NV21", -1, Order::Nv21},
    {Order::I420, "I420", -1, Order::I420},
    {Order::Yyuv, "YYUV", 14, Order::Nv12},
    {Order::Yyvu, "YYVU", 15, Order::Nv21},
    {Order::Yyyyuv, "YYYYUV", 16, Order::I420},
    {Order::NmsOnChip, "HAILO NMS ON CHIP", 6, Order::NmsByClass},
    {Order::NmsByClass, "HAILO NMS BY CLASS", -1, Order::NmsByClass},
    {Order::NmsByScore, "HAILO NMS BY SCORE", -1, Order::NmsByScore},
    {Order::NmsByteMask, "HAILO NMS WITH BYTE MASK", -1, Order::NmsByteMask},
};

const OrderRow& row_of(Order order) {
  for (const OrderRow& row : kOrders)
    if (row.order == order) return row;
  return kOrders[0];
}

}  // namespace

std::string_view to_string(Direction direction) {
  return direction == Direction::HostToDevice ? "H2D" : "D2H";
}

std::string_view to_string(EdgeKind kind) {
  constexpr std::string_view kNames[] = {"info", "mux", "planes"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::string_view to_string(Connection connection) {
  constexpr std::string_view kNames[] = {"BOUNDARY", "INTERMEDIATE", "DDR", "CACHE", "UNKNOWN"};
  return kNames[static_cast<std::size_t>(connection)];
}

std::string_view to_string(BurstType type) {
  constexpr std::string_view kNames[] = {"H8_BBOX",       "H15_BBOX",      "H8_PER_CLASS",
                                         "H15_PER_CLASS", "H15_PER_FRAME", "UNKNOWN"};
  return kNames[static_cast<std::size_t>(type)];
}

std::string_view to_string(ElementType type) {
  constexpr std::string_view kNames[] = {"UNKNOWN", "UINT8", "UINT16", "FLOAT32"};
  return kNames[static_cast<std::size_t>(type)];
}

std::string_view to_string(OpType type) {
  constexpr std::string_view kNames[] = {"UNKNOWN", "YOLOV5", "YOLOV5SEG", "YOLOV8", "YOLOX",
                                         "SSD",     "IOU",    "SOFTMAX",   "ARGMAX"};
  return kNames[static_cast<std::size_t>(type)];
}

std::uint32_t bytes_of(ElementType type) {
  constexpr std::uint32_t kSizes[] = {0, 1, 2, 4};
  return kSizes[static_cast<std::size_t>(type)];
}

std::string_view to_string(Order order) {
  return row_of(order).name;
}

Order device_order(std::uint32_t format) {
  if (format == 13) return Order::Nhwc;  // a second number for the same order
  for (const OrderRow& row : kOrders)
    if (row.format >= 0 && static_cast<std::uint32_t>(row.format) == format) return row.order;
  return Order::Unknown;
}

Order default_host_order(Order device) {
  return row_of(device).host;
}

bool is_nms(Order order) {
  return order == Order::NmsOnChip || order == Order::NmsByClass || order == Order::NmsByScore ||
         order == Order::NmsByteMask;
}

}  // namespace npubin::hef
