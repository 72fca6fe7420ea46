#include "formats/hef/chips.h"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

namespace npubin::hef {
namespace {

constexpr ChipFamily k8 = ChipFamily::Hailo8;
constexpr ChipFamily k15 = ChipFamily::Hailo15;

const std::vector<Architecture>& architectures() {
  static const std::vector<Architecture> kTable{
      {0, "HAILO8", k8, {"HAILO8"}, false},
      {1, "HAILO8P", k8, {"HAILO8"}, false},
      {2, "HAILO8R", k8, {"HAILO8"}, false},
      {3, "HAILO8L", k8, {"HAILO8L", "HAILO8"}, true},
      {4, "HAILO15M", k15, {"HAILO15M", "HAILO15H", "HAILO10H"}, true},
      {6, "HAILO15L", k15, {"HAILO15L"}, false},
      {100, "SAGE_A0", k8, {"HAILO8_A0"}, false},
      {101, "SAGE_B0", k8, {"HAILO8"}, false},
      {102, "PAPRIKA_B0", k8, {"HAILO8"}, false},
      {103, "HAILO1XH", k15, {"HAILO15H", "HAILO10H"}, false},
      {104, "GINGER", k15, {"HAILO15H", "HAILO10H"}, false},
      {105, "LAVENDER", k15, {"HAILO15H", "HAILO10H"}, false},
      {106, "PLUTO", k15, {"HAILO15L"}, false},
      {108, "MARS", k15, {"HAILO12L"}, false},
  };
  return kTable;
}

constexpr std::array kTargets{
    Target{"hailo8", "Hailo-8", "HAILO8", k8},        Target{"hailo8l", "Hailo-8L", "HAILO8L", k8},
    Target{"hailo8r", "Hailo-8R", "HAILO8", k8},      Target{"hailo15h", "Hailo-15H", "HAILO15H", k15},
    Target{"hailo15m", "Hailo-15M", "HAILO15M", k15}, Target{"hailo15l", "Hailo-15L", "HAILO15L", k15},
    Target{"hailo10h", "Hailo-10H", "HAILO10H", k15}, Target{"hailo12l", "Hailo-12L", "HAILO12L", k15},
};

// Releases by the history of the schema (hef spec 2); 5.0 stands for the 5 line's beginning.
constexpr std::array kReleases{
    Release{4, 17}, Release{4, 18}, Release{4, 19}, Release{4, 20}, Release{4, 21},
    Release{4, 22}, Release{4, 23}, Release{5, 0},  Release{5, 1},  Release{5, 2},
};

constexpr Release kAlways{0, 0};
constexpr std::array kExtensions{
    ExtensionInfo{0, "ABBALE", "internal debugging aid", kAlways, true},
    ExtensionInfo{1, "POSTED_WRITES", "posted writes on the configuration bus", kAlways, true},
    ExtensionInfo{2, "DDR", "intermediate results buffered in host memory", kAlways, true},
    ExtensionInfo{3, "PADDED_DDR_BUFFERS", "padded intermediate buffers in host memory", kAlways, true},
    ExtensionInfo{4, "IS_MULTI_CONTEXTS", "the network is split into contexts that take turns on the chip",
                  kAlways, true},
    ExtensionInfo{5, "COMPRESSED_PARAMS", "compressed parameters", kAlways, true},
    ExtensionInfo{6, "TRANSPOSE_COMPONENT", "height and width are swapped on the host", kAlways, true},
    ExtensionInfo{7, "TEST_ONE", "the vendor's test value; no release accepts it as mandatory", kAlways,
                  false},
    ExtensionInfo{8, "MULTI_NETWORK_VARIABLE_BATCH_SIZE", "several networks with a batch size each", kAlways,
                  false},
    ExtensionInfo{9, "IS_NMS_MULTI_CONTEXT", "non-maximum suppression over several contexts", kAlways, true},
    ExtensionInfo{10, "OFFLOAD_ARGMAX", "argmax on the host (deprecated)", kAlways, true},
    ExtensionInfo{11, "HW_PADDING", "the compiler states padded shapes itself", {4, 7}, true},
    ExtensionInfo{12, "KO_RUN_ASAP", "contexts start as early as possible", {4, 7}, true},
    ExtensionInfo{
        13, "HAILO_NET_FLOW", "operators and pads describe what runs behind the chip", {4, 12}, true},
    ExtensionInfo{14, "HAILO_NET_FLOW_YOLOV5_NMS", "YOLOv5 post-processing on the host", {4, 12}, true},
    ExtensionInfo{15, "HAILO_NET_FLOW_YOLOX_NMS", "YOLOX post-processing on the host", {4, 14}, true},
    ExtensionInfo{16, "HAILO_NET_FLOW_SSD_NMS", "SSD post-processing on the host", {4, 13}, true},
    ExtensionInfo{17, "HAILO_NET_FLOW_IOU_NMS", "overlap suppression on the host", {4, 13}, true},
    ExtensionInfo{
        18, "WRITE_DATA_BY_TYPE", "configuration writes that depend on the batch size", {4, 14}, true},
    ExtensionInfo{19, "NMS_OUTPUT_BURST", "on-chip detections arrive in bursts", {4, 14}, true},
    ExtensionInfo{20, "DUAL_DIRECTION_STREAM_INDEX", "stream indices count per direction", {4, 14}, true},
    ExtensionInfo{21, "HAILO_NET_FLOW_ARGMAX", "argmax on the host", {4, 14}, true},
    ExtensionInfo{22, "HAILO_NET_FLOW_SOFTMAX", "softmax on the host", {4, 14}, true},
    ExtensionInfo{23, "ALIGNED_FORMAT_TYPE", "pads state their element type", {4, 14}, true},
    ExtensionInfo{24, "HAILO_NET_FLOW_YOLOV5_SEG_NMS", "YOLOv5 segmentation on the host", {4, 15}, true},
    ExtensionInfo{
        25, "OUTPUT_SCALE_PER_FEATURE", "outputs have a scale and zero point per channel", {4, 14}, true},
    ExtensionInfo{26,
                  "PERIPH_CALCULATION_IN_HAILORT",
                  "the host computes the transfer parameters; current releases insist on it",
                  {4, 14},
                  true},
    ExtensionInfo{27, "HAILO_NET_FLOW_YOLOV8_NMS", "YOLOv8 post-processing on the host", {4, 16}, true},
    ExtensionInfo{28, "BATCH_REGISTER_CONFIG", "registers are written in batches", {4, 16}, true},
    ExtensionInfo{29,
                  "HAILO_NET_FLOW_BBOX_DECODING",
                  "boxes are decoded on the host without suppression",
                  {4, 16},
                  true},
    ExtensionInfo{
        30, "CCW_PTR_SQUEEZE", "config words are stored once and referenced repeatedly", {4, 21}, true},
    ExtensionInfo{31, "EXTERNAL_RESOURCES", "further data behind the config words", {4, 21}, true},
    ExtensionInfo{32, "SHARED_CONFIG", "networks share their configuration", {4, 21}, true},
    ExtensionInfo{33, "CSM_CRC", "configuration streams carry a CRC", {5, 0}, true},
    ExtensionInfo{
        34, "ENABLE_CONFIG_CHANNELS", "configuration channels are switched by the program", {5, 0}, true},
    ExtensionInfo{35,
                  "STRICT_RUNTIME_VERSIONING",
                  "HailoRT's major.minor must equal the compiler's when the network is configured",
                  {5, 0},
                  true},
};

}  // namespace

const Architecture* find_architecture(std::uint32_t number) {
  for (const Architecture& known : architectures())
    if (known.number == number) return &known;
  return nullptr;
}

std::span<const Target> targets() {
  return kTargets;
}

const Target* find_target(std::string_view name) {
  std::string key;
  for (char c : name)
    if (c != '-' && c != '_') key += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  for (const Target& target : kTargets)
    if (target.name == key) return &target;
  return nullptr;
}

std::string_view title_of_device(std::string_view device) {
  if (device == "HAILO8_A0") return "Hailo-8 (A0)";
  for (const Target& target : kTargets)
    if (target.device == device) return target.title;
  return device;
}

std::string to_string(const Release& release) {
  return fmt::format("{}.{}", release.major_number, release.minor_number);
}

std::optional<Release> parse_release(std::string_view text) {
  Release out;
  const char* end = text.data() + text.size();
  auto [after_major, bad_major] = std::from_chars(text.data(), end, out.major_number);
  if (bad_major != std::errc() || after_major == end || *after_major != '.') return std::nullopt;
  auto [after_minor, bad_minor] = std::from_chars(after_major + 1, end, out.minor_number);
  if (bad_minor != std::errc() || (after_minor != end && *after_minor != '.')) return std::nullopt;
  if (std::find(kReleases.begin(), kReleases.end(), out) == kReleases.end()) return std::nullopt;
  return out;
}

std::string known_releases() {
  return fmt::format("{} ... 4.23, 5.0 ... {}", to_string(kReleases.front()), to_string(kReleases.back()));
}

std::vector<Release> releases_of(ChipFamily family) {
  std::vector<Release> out;
  for (const Release& release : kReleases)
    if ((family == ChipFamily::Hailo15) == (release.major_number == 5)) out.push_back(release);
  return out;
}

Release first_release_of_header(std::uint32_t version) {
  constexpr Release kFirst[] = {{4, 0}, {4, 18}, {4, 20}, {4, 21}};
  return version <= 3 ? kFirst[version] : Release{99, 0};
}

const ExtensionInfo* find_extension(std::uint32_t index) {
  for (const ExtensionInfo& known : kExtensions)
    if (known.index == index) return &known;
  return nullptr;
}

}  // namespace npubin::hef
