// Writing a HEF from nothing. The tests use it; so can a tool that needs a small, valid file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "formats/hef/container.h"
#include "formats/hef/model.h"

namespace npubin::hef {

// Encodes one message: fields in the order of the calls, by the numbers of schema/hef.proto.
class MessageWriter {
 public:
  MessageWriter& number(std::uint32_t field, std::uint64_t value);
  MessageWriter& real32(std::uint32_t field, float value);
  MessageWriter& real64(std::uint32_t field, double value);
  MessageWriter& text(std::uint32_t field, std::string_view value);
  MessageWriter& bytes(std::uint32_t field, ByteSpan value);
  MessageWriter& message(std::uint32_t field, const MessageWriter& inner);
  const std::vector<std::byte>& data() const { return data_; }

 private:
  std::vector<std::byte> data_;
};

// A boundary stream of the network.
struct StreamSpec {
  std::string name;
  Direction direction = Direction::HostToDevice;
  Shape3 shape;
  Shape3 padded;             // all 0: as `shape`
  std::uint32_t format = 0;  // edge_layer_base.format
  std::uint32_t data_bytes = 1;
  std::uint32_t sys_index = 0;
  float scale = 1, zero_point = 0, limvals_min = 0, limvals_max = 255;
};

// A YOLOv8 operator over pairs of outputs.
struct YoloV8Spec {
  std::string name = "yolov8", output;
  std::uint32_t classes = 0, max_proposals_per_class = 0;
  double score_threshold = 0.3, iou_threshold = 0.5, image_height = 0, image_width = 0;
  struct Level {
    std::string reg, cls;  // names of streams
    std::uint32_t stride = 0;
  };
  std::vector<Level> levels;
};

class HefBuilder {
 public:
  HefBuilder& header_version(std::uint32_t version);
  HefBuilder& architecture(std::uint32_t hw_arch);
  HefBuilder& compiler(std::uint32_t major_number, std::uint32_t minor_number, std::uint32_t revision);
  HefBuilder& extension(std::uint32_t index);
  HefBuilder& optional_extension(std::uint32_t index);
  HefBuilder& network(std::string name);
  HefBuilder& stream(StreamSpec spec);
  HefBuilder& post_processing(YoloV8Spec spec);
  // Config words, written by the preliminary configuration in actions of at most 1024 bytes.
  HefBuilder& config_words(std::vector<std::byte> words);

  // Error (Refused): config words in header version 0; (Usage): an operator over streams that do not exist.
  Result<std::vector<std::byte>> build() const;

 private:
  MessageWriter core() const;
  MessageWriter context() const;
  MessageWriter preliminary() const;
  Result<MessageWriter> post_processing_op(MessageWriter& group) const;
  std::optional<std::uint32_t> pad_of(const std::string& name) const;

  std::uint32_t header_version_ = 3, hw_arch_ = 103;
  std::uint32_t sdk_[3] = {5, 2, 0};
  std::vector<std::uint32_t> extensions_{kExtPeriphInHailort}, optional_{kOptionalHwPadding};
  std::string name_ = "net";
  std::vector<StreamSpec> streams_;
  std::optional<YoloV8Spec> op_;
  std::vector<std::byte> words_;
};

}  // namespace npubin::hef
