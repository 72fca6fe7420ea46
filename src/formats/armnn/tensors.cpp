#include "formats/armnn/tensors.h"

#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace npubin::armnn {
namespace {

struct CodeRange {
  std::int64_t least, most;
};

// Symmetric types have no zero point at all.
CodeRange zero_points_of(std::int32_t data_type) {
  switch (static_cast<DataType>(modern(data_type))) {
    case DataType::QAsymmU8:
      return {0, 255};
    case DataType::QAsymmS8:
      return {-128, 127};
    default:
      return {0, 0};
  }
}

bool check_shape(const TensorInfo& info, const std::string& what, const Location& at, Diagnostics& findings) {
  if (info.dimensionality == 2) return true;  // a scalar has no dimensions
  if (info.dimensionality == 0) {
    findings.error("ARM-0306", at, fmt::format("{}: its shape is declared as not specified", what),
                   "npubin needs the shapes that Arm NN leaves to be inferred");
    return false;
  }
  if (!info.has_dimensions || info.declared_rank == 0) {
    findings.error("ARM-0301", at, fmt::format("{} has no dimensions", what));
    return false;
  }
  if (info.declared_rank > kMaxRank) {
    findings.error("ARM-0302", at,
                   fmt::format("{} has {} dimensions; Arm NN's tensors have at most {}", what,
                               info.declared_rank, kMaxRank));
    return false;
  }
  for (std::int64_t d : info.shape)
    if (d == 0) {
      findings.error("ARM-0303", at,
                     fmt::format("{}: shape {} has a dimension of 0", what, to_string(info.shape)));
      return false;
    }
  if (auto count = element_count(info.shape); !count || *count > (std::int64_t{1} << 40)) {
    findings.error("ARM-0304", at,
                   fmt::format("{}: shape {} has more than 2^40 elements", what, to_string(info.shape)));
    return false;
  }
  return true;
}

bool sane_scale(float scale) {
  return std::isfinite(scale) && scale > 0;
}

void check_scalar_quantization(const TensorInfo& info, const std::string& what, const Location& at,
                               Diagnostics& findings) {
  if (!sane_scale(info.scale))
    findings.error("ARM-0310", at,
                   fmt::format("{}: scale {} of a {} tensor; it has to be positive and finite", what,
                               info.scale, enum_name(EnumId::DataType, info.data_type)));
  const CodeRange range = zero_points_of(info.data_type);
  if (info.zero_point < range.least || info.zero_point > range.most)
    findings.error(
        "ARM-0311", at,
        fmt::format("{}: zero point {} of a {} tensor; it has to be {}", what, info.zero_point,
                    enum_name(EnumId::DataType, info.data_type),
                    range.least == range.most ? "0" : fmt::format("in {} ... {}", range.least, range.most)));
}

Quantization per_axis(const FlatBuffer& file, const TensorInfo& info, const std::string& what,
                      const Location& at, Diagnostics& findings) {
  Quantization out;
  out.zero_points = {0};  // armnn spec 2, rule 5
  out.axis = static_cast<int>(std::min<std::uint32_t>(info.quantization_dim, kMaxRank));
  if (info.quantization_dim >= info.shape.size()) {
    // What TensorFlow Lite Micro's person_detect claims of its rank-1 biases (armnn spec 5): the one
    // dimension that there is must be meant.
    if (info.shape.size() == 1) {
      out.axis = 0;
      findings.warn(
          "ARM-0314", at,
          fmt::format("{}: scales belong to dimension {} of a tensor of rank 1; read as dimension 0", what,
                      info.quantization_dim));
    } else {
      findings.error("ARM-0314", at,
                     fmt::format("{}: scales belong to dimension {} of a tensor of rank {}", what,
                                 info.quantization_dim, info.shape.size()));
    }
  }
  // More scales than elements cannot be meant; this also bounds what is copied.
  const std::uint64_t most = static_cast<std::uint64_t>(count_of(info.shape));
  if (info.scales.count > most) {
    findings.error("ARM-0313", at,
                   fmt::format("{}: {} scales for {} elements", what, info.scales.count, most));
    return Quantization::per_tensor(1, 0);
  }
  out.scales.reserve(info.scales.count);
  bool said = false;
  for (std::uint32_t i = 0; i < info.scales.count; ++i) {
    const auto scale = file.at<float>(info.scales.data() + 4 * i);
    out.scales.push_back(scale);
    if (sane_scale(scale) || said) continue;
    said = true;
    findings.error(
        "ARM-0312", at,
        fmt::format("{}: scale {} of channel {}; scales have to be positive and finite", what, scale, i));
  }
  return out;
}

Quantization quantization_of(const FlatBuffer& file, const TensorInfo& info, const std::string& what,
                             const Location& at, Diagnostics& findings) {
  const bool integer =
      is_quantized(info.data_type) || info.data_type == static_cast<std::int32_t>(DataType::Signed32);
  if (!integer) return {};
  if (info.scales.count > 0) return per_axis(file, info, what, at, findings);
  if (is_quantized(info.data_type)) {
    check_scalar_quantization(info, what, at, findings);
  } else if (info.scale == 0 || std::isnan(info.scale)) {
    return {};  // Signed32 with scale 0 is plain integers (armnn spec 3)
  }
  return Quantization::per_tensor(info.scale, info.zero_point);
}

// The payload class that a type of this width is written in (armnn spec 2, rule 6).
std::uint8_t payload_type_of(DType type) {
  switch (size_of(type)) {
    case 1:
      return 1;
    case 2:
      return 2;
    case 4:
      return 3;
    default:
      return 4;
  }
}

}  // namespace

std::optional<graph::Value> value_of(const FlatBuffer& file, const TensorInfo& info, const std::string& what,
                                     const std::string& path, Diagnostics& findings) {
  const Location at = Location::at(info.offset, path);
  const auto type = element_type(info.data_type);
  if (!type) {
    findings.error("ARM-0305", at,
                   fmt::format("{}: data type {} is in no known release", what, info.data_type));
    return std::nullopt;
  }
  if (!check_shape(info, what, at, findings)) return std::nullopt;
  graph::Value out;
  out.type = *type;
  if (info.dimensionality != 2) out.shape = info.shape;
  out.quantization = quantization_of(file, info, what, at, findings);
  return out;
}

std::optional<graph::Value> constant_of(const Bytes& bytes, const FlatBuffer& file, const ConstTensor& tensor,
                                        const std::string& what, const std::string& path,
                                        Diagnostics& findings) {
  const Location at = Location::at(tensor.offset, path);
  if (!tensor.info) {
    findings.error("ARM-0321", at, fmt::format("{} has no tensor info", what));
    return std::nullopt;
  }
  auto value = value_of(file, *tensor.info, what, path + ".info", findings);
  if (!value) return std::nullopt;
  if (!tensor.has_payload) {
    findings.error("ARM-0322", at, fmt::format("{} has no data", what));
    return std::nullopt;
  }
  if (tensor.payload_type == 0 && size_of(value->type) == 1) {
    findings.warn(
        "ARM-0120", at,
        fmt::format("{}: the type of its data is missing; read as the bytes that they are", what),
        "Arm NN 20.08's writer drops the type of QAsymmS8 constants; `npubin convert` repairs the file");
  } else if (tensor.payload_type != payload_type_of(value->type)) {
    findings.error(
        "ARM-0324", at,
        fmt::format("{}: data of class {} for elements of {} bytes", what,
                    tensor.payload_type == 0 ? "NONE" : to_string(payload_table(tensor.payload_type)),
                    size_of(value->type)));
    return std::nullopt;
  }
  const std::uint64_t need = static_cast<std::uint64_t>(count_of(value->shape)) * size_of(value->type);
  if (tensor.payload_bytes != need) {
    findings.error("ARM-0323", Location::at(tensor.payload_offset, path + ".data"),
                   fmt::format("{}: {} bytes of data for {} {}, which are {}", what, tensor.payload_bytes,
                               to_string(value->shape), to_string(value->type), need));
    return std::nullopt;
  }
  auto view =
      Tensor::view(value->type, value->shape,
                   bytes.slice(tensor.payload_offset, static_cast<std::size_t>(need)), value->quantization);
  if (!view) {
    findings.add(view.error(), Stage::Semantic);
    return std::nullopt;
  }
  value->constant = *std::move(view);
  return value;
}

}  // namespace npubin::armnn
