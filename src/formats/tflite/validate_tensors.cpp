// Tensors one by one: type, shape, constant, quantisation. tflite spec 1 and 2.
#include <cmath>

#include <fmt/format.h>

#include "formats/tflite/schema.h"
#include "formats/tflite/validate.h"

namespace npubin::tflite {
namespace {

struct CodeRange {
  std::int64_t low, high;
};

std::optional<CodeRange> codes_of(std::int32_t tensor_type) {
  switch (tensor_type) {
    case 3:
      return CodeRange{0, 255};
    case 7:
      return CodeRange{-32768, 32767};
    case 9:
    case kInt4:
      return CodeRange{-128, 127};
    case 2:
      return CodeRange{INT32_MIN, INT32_MAX};
    default:
      return std::nullopt;
  }
}

class TensorCheck {
 public:
  TensorCheck(const TfliteDocument& document, std::size_t subgraph, std::size_t index, Diagnostics& out)
      : document_(document),
        tensor_(document.subgraphs()[subgraph].tensors[index]),
        out_(out),
        where_(Location::at(tensor_.offset, tensor_path(subgraph, index))) {}

  void run() {
    if (!type()) return;
    const auto count = shape();
    if (count) constant(*count);
    quantization();
  }

 private:
  void error(std::string code, const std::string& message, std::string hint = {}) {
    out_.error(std::move(code), where_, fmt::format("tensor {:?}: {}", tensor_.name, message),
               std::move(hint));
  }

  bool type() {
    const std::string_view type_name = schema::name_in("TensorType", tensor_.type);
    if (!tensor_.dtype)
      error(
          "TFL-0106",
          fmt::format("its type is {}", type_name.empty() ? fmt::format("{}, which is unknown", tensor_.type)
                                                          : std::string(type_name)),
          "tensors of this type are not computed here");
    if (tensor_.sparse) error("TFL-0109", "it is sparse", "densify the model before conversion");
    if (tensor_.variant) error("TFL-0109", "it is a variant tensor");
    if (tensor_.external_buffer != 0)
      error("TFL-0109", fmt::format("its data lies in external buffer {}", tensor_.external_buffer),
            "put the weights into the file itself");
    return tensor_.dtype.has_value();
  }

  std::optional<std::uint64_t> shape() {
    if (tensor_.shape.size() > kLargestRank) {
      error("TFL-0107", fmt::format("it has {} dimensions", tensor_.shape.size()),
            fmt::format("at most {} are computed", kLargestRank));
      return std::nullopt;
    }
    auto count = element_count(shape_of(tensor_));
    if (!count) {
      error("TFL-0107", fmt::format("its shape is {}", to_string(shape_of(tensor_))),
            "dimensions must be 0 or more, and their product must be one that can be stored");
      return std::nullopt;
    }
    return static_cast<std::uint64_t>(*count);
  }

  void constant(std::uint64_t count) {
    if (tensor_.buffer >= document_.buffers().size() && tensor_.buffer != 0) {
      error("TFL-0105", fmt::format("it names buffer {} of {}", tensor_.buffer, document_.buffers().size()));
      return;
    }
    const ByteSpan data = tensor_.buffer == 0 ? ByteSpan() : document_.constant_bytes(tensor_);
    if (data.empty()) return;
    if (tensor_.is_variable)
      error("TFL-0110", "it is variable and has constant data as well",
            "variables start at zero; drop the data");
    const std::uint64_t need = stored_size(tensor_.type, count);
    if (data.size() != need)
      error("TFL-0105",
            fmt::format("its shape {} of {} takes {} bytes; buffer {} holds {}", to_string(shape_of(tensor_)),
                        schema::name_in("TensorType", tensor_.type), need, tensor_.buffer, data.size()),
            "shape and constant must agree");
  }

  void quantization() {
    const QuantizationView& q = tensor_.quantization;
    if (q.details != 0)
      error("TFL-0108",
            fmt::format("its quantisation is of kind {}", q.details < schema::unions()[0].members.size()
                                                              ? schema::unions()[0].members[q.details].name
                                                              : std::string_view("unknown")),
            "only per-tensor and per-channel scales are computed");
    if (q.scale.empty()) return;
    scales();
    zero_points();
    if (q.scale.size() > 1) per_channel();
  }

  void scales() {
    const Numbers<float>& scale = tensor_.quantization.scale;
    for (std::size_t i = 0; i < scale.size(); ++i)
      if (!std::isfinite(scale[i]) || !(scale[i] > 0)) {
        error("TFL-0108", fmt::format("scale {} is {}", i, scale[i]), "scales must be finite and above 0");
        return;
      }
  }

  void zero_points() {
    const QuantizationView& q = tensor_.quantization;
    if (!q.zero_point.empty() && q.zero_point.size() != q.scale.size())
      error("TFL-0108",
            fmt::format("it has {} scales and {} zero points", q.scale.size(), q.zero_point.size()),
            "there must be one zero point per scale");
    const auto range = codes_of(tensor_.type);
    for (std::size_t i = 0; i < q.zero_point.size(); ++i) {
      const std::int64_t zero_point = q.zero_point[i];
      if (range && (zero_point < range->low || zero_point > range->high)) {
        error("TFL-0108",
              fmt::format("zero point {} is {}, outside {} to {}", i, zero_point, range->low, range->high));
        return;
      }
      if (q.scale.size() > 1 && zero_point != 0) {
        error("TFL-0108", fmt::format("channel {} has zero point {}", i, zero_point),
              "per-channel quantisation has zero points of 0");
        return;
      }
    }
  }

  void per_channel() {
    const QuantizationView& q = tensor_.quantization;
    const auto rank = static_cast<std::int32_t>(tensor_.shape.size());
    // Older converters give biases the dimension of their weights; a vector has only one.
    const std::int32_t dimension = rank == 1 ? 0 : q.quantized_dimension;
    if (q.quantized_dimension < 0 || dimension >= rank) {
      error("TFL-0108", fmt::format("quantized_dimension is {} of {}", q.quantized_dimension, rank));
      return;
    }
    const std::int32_t channels = tensor_.shape[static_cast<std::size_t>(dimension)];
    if (q.scale.size() != static_cast<std::size_t>(channels))
      error("TFL-0108", fmt::format("it has {} scales; dimension {} has {} channels", q.scale.size(),
                                    q.quantized_dimension, channels));
  }

  const TfliteDocument& document_;
  const TensorView& tensor_;
  Diagnostics& out_;
  Location where_;
};

}  // namespace

void validate_tensors(const TfliteDocument& document, std::size_t subgraph, Diagnostics& out) {
  for (std::size_t i = 0; i < document.subgraphs()[subgraph].tensors.size(); ++i)
    TensorCheck(document, subgraph, i, out).run();
}

}  // namespace npubin::tflite
