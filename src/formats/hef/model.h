// What a HEF means, derived as HailoRT derives it (hef spec 3): groups, contexts, streams, virtual streams,
// operators. Values are those of the file; where the file is at odds with itself the model holds what could
// be made of it, and validation says so.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/hef/chips.h"
#include "formats/hef/wire.h"

namespace npubin::hef {

enum class Direction : std::uint8_t { HostToDevice, DeviceToHost };
enum class EdgeKind : std::uint8_t { Info, Mux, Planes };
enum class Connection : std::uint8_t { Boundary, Intermediate, Ddr, Cache, Unknown };
enum class PlanesFormat : std::uint8_t { Nv12, Nv21, I420, Unknown };
enum class BurstType : std::uint8_t { H8Bbox, H15Bbox, H8PerClass, H15PerClass, H15PerFrame, Unknown };

// Orders of elements in memory, on the device and on the host.
enum class Order : std::uint8_t {
  Unknown,
  Nhwc,
  Nhcw,
  Nc,
  Fcr,
  F8cr,
  Nhw,
  BayerRgb,
  Bayer12Bit,
  Rgb888,
  Rgb4,
  Nchw,
  Yuy2,
  Nv12,
  Nv21,
  I420,
  Yyuv,
  Yyvu,
  Yyyyuv,
  NmsOnChip,
  NmsByClass,
  NmsByScore,
  NmsByteMask,
};
enum class ElementType : std::uint8_t { Unknown, U8, U16, F32 };

// As HailoRT spells them: "NHCW", "HAILO NMS ON CHIP", "H2D", "UINT8", "BOUNDARY", ...
std::string_view to_string(Direction direction);
std::string_view to_string(EdgeKind kind);
std::string_view to_string(Connection connection);
std::string_view to_string(BurstType type);
std::string_view to_string(Order order);
std::string_view to_string(ElementType type);
std::uint32_t bytes_of(ElementType type);  // 1, 2, 4; 0 for Unknown
// The order of edge_layer_base.format; Unknown where HailoRT knows none.
Order device_order(std::uint32_t format);
// The order in which a user gets or gives a device order by default.
Order default_host_order(Order device);
bool is_nms(Order order);

struct Shape3 {
  std::uint32_t height = 0, width = 0, features = 0;
  bool operator==(const Shape3&) const = default;
};

// real = (q - zp) * scale, in float32.
struct QuantInfo {
  float zp = 0, scale = 0;
  float limvals_min = 0, limvals_max = 0;
  bool per_feature = false;        // extension 25, outputs only
  std::vector<float> zps, scales;  // per feature; broadcast from the scalar where the file has none
};

struct NmsInfo {
  std::uint32_t classes = 0;
  std::uint32_t max_bboxes_per_class = 0;
  std::uint32_t bbox_size = 0;         // bytes
  std::uint32_t chunks_per_frame = 1;  // the division factor; 0 in the file means 1
  std::uint32_t burst_size = 1;        // boxes; 1 where there are no bursts
  BurstType burst_type = BurstType::Unknown;
  bool is_defused = false;
  std::uint32_t class_group_index = 0;
  std::string original_name;  // the fused layer's name
};

// A device-side stream, or a predecessor inside a mux.
struct Stream {
  std::string name;
  Direction direction = Direction::HostToDevice;
  ElementType type = ElementType::Unknown;
  Order order = Order::Unknown;
  std::uint32_t sys_index = 0;
  std::uint32_t engine_id = 0;
  bool core_hw_padding = false;     // hw_shape = shape, the host pads (hef spec 3)
  std::uint64_t hw_frame_size = 0;  // bytes that the device moves per frame; 0 where they pass 2^64
  Shape3 shape;                     // after the transposition swap
  Shape3 hw_shape;                  // padded, never swapped; of the device's buffers
  bool transposed = false;
  QuantInfo quant;
  std::optional<NmsInfo> nms;
  std::vector<std::string> original_names;
  std::uint32_t network_index = 0;
  std::optional<std::uint32_t> pad_index;  // output (or input) pad of the core op

  bool is_mux = false;
  std::uint32_t height_gcd = 0;
  std::vector<std::uint32_t> height_ratios;
  std::vector<Stream> predecessors;

  std::string planes_name;  // the planes layer this stream belongs to; empty: none
  Message edge;             // where it stands in the file
};

struct NmsShape {
  std::uint32_t classes = 0;
  std::uint32_t max_bboxes_per_class = 0;         // BY_CLASS
  std::optional<std::uint64_t> max_bboxes_total;  // BY_SCORE, BYTE_MASK
  std::uint64_t max_accumulated_mask_size = 0;    // BYTE_MASK, bytes
};

// What a user of HailoRT reads or writes.
struct VStream {
  std::string name;
  Direction direction = Direction::HostToDevice;
  ElementType type = ElementType::Unknown;  // the default type
  Order order = Order::Unknown;             // the default host order
  std::optional<Shape3> shape;              // absent for NMS orders
  std::optional<NmsShape> nms;
  std::uint64_t frame_size = 0;  // bytes of one frame in the default type and order
  std::vector<std::string> planes;
  std::vector<std::string> defused_from;  // streams, by class group
  std::string network;
  std::uint32_t network_index = 0;
  std::optional<std::size_t> op;     // index into NetworkGroup::ops
  std::vector<std::string> streams;  // names of the leaves (Stream, mux predecessors) it is made from
  QuantInfo quant;                   // of its only leaf; meaningless where there are several
};

enum class OpType : std::uint8_t {
  Unknown,
  YoloV5,
  YoloV5Seg,
  YoloV8,
  YoloX,
  Ssd,
  Iou,
  Softmax,
  Argmax,
};
std::string_view to_string(OpType type);

struct Decoder {
  std::string stream;                              // YOLOv5, seg
  std::string reg, cls, obj;                       // the others
  std::vector<std::pair<double, double>> anchors;  // width, height: pixels (YOLOv5) or fractions (SSD)
  std::uint32_t stride = 0;
};

struct Op {
  std::string name;
  OpType type = OpType::Unknown;
  bool bbox_decoding_only = false;
  std::vector<std::string> input_streams;  // leaves, in pad order; empty name where a pad is not connected
  std::vector<std::uint32_t> input_pads;
  std::string output_vstream;
  // NMS operators
  float score_threshold = 0, iou_threshold = 0;
  std::uint32_t max_proposals_per_class = 0;
  std::uint32_t classes = 0;
  bool background_removal = false;
  std::uint32_t background_removal_index = 0;
  float image_height = 0, image_width = 0;
  std::vector<Decoder> decoders;
  std::uint32_t input_division_factor = 0;
  std::uint32_t regression_length = 0;
  std::uint32_t centers_scale_factor = 0, bbox_dimensions_scale_factor = 0;
  std::array<std::uint32_t, 4> ty_tx_th_tw{};
  float mask_threshold = 0;
  std::string proto_layer;
  std::uint32_t proto_number = 0, proto_stride = 0;
  // Output pad
  Order output_order = Order::Unknown;
  ElementType output_type = ElementType::Unknown;
  Shape3 output_shape;

  bool is_nms_op() const {
    return type != OpType::Softmax && type != OpType::Argmax && type != OpType::Unknown;
  }
  Message message;  // ProtoHEFOp
};

struct EdgeLayer {
  std::string name;
  Direction direction = Direction::HostToDevice;
  EdgeKind kind = EdgeKind::Info;
  Connection connection = Connection::Boundary;
  std::uint32_t network_index = 0;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> connected;  // context, sys_index
  std::uint32_t buffers = 0;                                       // DDR
  std::int32_t cache_id = 0;                                       // CACHE
  std::uint64_t frame_size = 0;  // core_bytes_per_buffer * core_buffers_per_frame
  Message message;               // ProtoHEFEdgeLayer
};

// How often each kind of trigger and action occurs, in order of first occurrence.
struct ProgramCounts {
  std::uint64_t operations = 0;
  std::vector<std::pair<std::string, std::uint64_t>> triggers, actions;
  std::uint64_t ccw_bytes = 0, ccw_writes = 0;  // config words, inline or by pointer
};

struct Context {
  std::uint32_t index = 0;
  std::string name;
  std::vector<EdgeLayer> edge_layers;
  ProgramCounts counts;
  std::uint64_t estimated_ns = 0;  // sum of trigger_order estimates; 0: not stated
  Message message;                 // ProtoHEFContext
};

struct NetworkGroup {
  std::string name;
  std::uint32_t index = 0;
  std::vector<std::string> networks;
  bool transposed_net = false;
  double bottleneck_fps = 0, latency = 0;
  std::uint64_t computational_ops = 0;
  std::uint32_t cfg_channels_count = 0;
  std::vector<std::string> sorted_outputs;
  bool sorted_outputs_found = false;
  std::vector<std::uint32_t> partial_layouts;  // bitmaps, ascending
  std::uint32_t chosen_layout = 0;
  std::vector<Context> contexts;
  ProgramCounts preliminary;
  std::vector<Stream> streams;    // inputs then outputs, in edge order
  std::vector<VStream> vstreams;  // inputs in edge order, outputs in sorted order
  std::vector<Op> ops;            // without the core op
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pad_edges;  // source, destination

  Message message;               // ProtoHEFNetworkGroup
  Message core;                  // the message with contexts and preliminary config: group or core op
  Message outer_core;            // as `core`, before a partial layout was chosen
  bool net_flow = false;         // operators and pads are in force
  bool core_op_missing = false;  // net-flow without a core op
};

struct Extension {
  std::uint32_t type_index = 0;
  std::string name;
};

struct ExternalResource {
  std::string name;
  std::uint64_t offset = 0;  // from the zero point
  std::uint64_t size = 0;
  std::uint64_t xxhash = 0;  // 0: none
};

struct CcwTotals {
  std::uint64_t write_actions = 0;
  std::uint64_t bytes = 0;
  std::uint64_t max_end = 0;  // from the zero point; 0 for inline words
};

struct Model {
  std::uint32_t hw_arch = 0;
  const Architecture* architecture = nullptr;  // nullptr: unknown number
  std::string sdk_version;                     // "5.2.0"
  std::array<std::uint32_t, 3> sdk{};
  std::string sdk_version_str;
  std::uint64_t proto_header_version = 0;
  std::uint64_t timestamp = 0;  // as in the file; milliseconds since 1970
  std::optional<std::array<std::uint32_t, 3>> strict_runtime_min_version;
  std::vector<Extension> extensions, optional_extensions;
  std::vector<std::string> included_features;
  std::vector<ExternalResource> external_resources;
  ByteSpan mapping;
  std::uint64_t mapping_offset = 0;
  CcwTotals ccws;
  std::vector<NetworkGroup> groups;  // by name

  // Whether a mandatory extension is in force. Documents of version 0 have no authoritative list: there the
  // included features stand for extensions 0 to 6, and nothing stands for the others, nor for optional ones
  // (hef spec 3).
  bool has_extension(std::uint32_t index) const;
  bool has_optional_extension(std::uint32_t index) const;
  ChipFamily family() const { return architecture != nullptr ? architecture->family : ChipFamily::Unknown; }
};

// More than these cannot be addressed on any chip (stream indices are bytes); a hostile file's surplus is
// left out of the model, and validation says so.
constexpr std::size_t kMaxStreams = 4096;
constexpr std::size_t kMaxOps = 256;

// Total: every document gives a model. `layout`: bitmap of the partial layout; lowest when absent.
Model derive_model(const Message& document, std::optional<std::uint32_t> layout);

// The stream or mux predecessor of that name; nullptr: none.
const Stream* find_leaf(const NetworkGroup& group, std::string_view name);
// Leaves of a stream: itself, or the predecessors of a mux, recursively.
void append_leaves(const Stream& stream, std::vector<const Stream*>& out);
// Bytes of one frame as the device moves it (hef spec 4a, 4b): rows padded, rounded up to 8. 0: over 2^64.
std::uint64_t hw_frame_size(const Stream& stream);
// Bytes of one frame on the host in a type and order. 0: over 2^64.
std::uint64_t host_frame_size(const Shape3& shape, Order order, ElementType type);
std::uint64_t nms_frame_size(const NmsShape& shape, Order order);

}  // namespace npubin::hef
