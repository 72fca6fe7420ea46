#include "formats/tflite/import/operator_import.h"

#include <fmt/format.h>

#include "formats/tflite/schema.h"
#include "formats/tflite/validate.h"

namespace npubin::tflite {

using graph::Value;

const Value* OperatorImport::input(std::size_t i) const {
  if (i >= node_.inputs.size() || node_.inputs[i] == graph::kNoValue) return nullptr;
  return &graph_.value(node_.inputs[i]);
}

const Value& OperatorImport::output(std::size_t i) const {
  return graph_.value(node_.outputs[i]);
}

Location OperatorImport::where() const {
  return Location::at(op_.offset, operator_path(0, index_));
}

bool OperatorImport::error(std::string code, const std::string& message, std::string hint) const {
  findings_.error(std::move(code), where(), fmt::format("{}: {}", op_.name(), message), std::move(hint));
  return false;
}

void OperatorImport::warn(std::string code, const std::string& message, std::string hint) const {
  findings_.warn(std::move(code), where(), fmt::format("{}: {}", op_.name(), message), std::move(hint));
}

bool OperatorImport::unsupported(const std::string& reason) const {
  node_.op = graph::Op::Unsupported;
  node_.source_type = fmt::format("{} ({})", op_.name(), reason);
  findings_.info("TFL-0211", where(), fmt::format("{} cannot be run here: {}", op_.name(), reason));
  return false;
}

std::optional<std::vector<std::int64_t>> OperatorImport::constant_integers(std::size_t i,
                                                                           std::string_view what) const {
  const Value* value = input(i);
  if (value == nullptr) {
    error("TFL-0202", fmt::format("its {} (operand {}) is absent", what, i));
    return std::nullopt;
  }
  if (value->type != DType::I32 && value->type != DType::I64) {
    error("TFL-0205",
          fmt::format("its {} (operand {}) is {}, not int32 or int64", what, i, to_string(value->type)));
    return std::nullopt;
  }
  if (!value->constant) {
    unsupported(fmt::format("its {} is computed while running", what));
    return std::nullopt;
  }
  std::vector<std::int64_t> out(static_cast<std::size_t>(value->constant->count()));
  const std::byte* data = value->constant->data();
  for (std::size_t k = 0; k < out.size(); ++k)
    out[k] = value->type == DType::I32 ? load<std::int32_t>(data + 4 * k) : load<std::int64_t>(data + 8 * k);
  return out;
}

std::optional<std::int64_t> OperatorImport::constant_integer(std::size_t i, std::string_view what) const {
  const auto values = constant_integers(i, what);
  if (!values) return std::nullopt;
  if (values->size() != 1) {
    error("TFL-0204",
          fmt::format("its {} (operand {}) holds {} numbers instead of one", what, i, values->size()));
    return std::nullopt;
  }
  return values->front();
}

bool OperatorImport::fused_activation(graph::ActivationAttributes& out) const {
  const std::int64_t code = option("fused_activation_function");
  switch (code) {
    case 0:
      return true;
    case 1:
      out.function = graph::Activation::ReLu;
      return true;
    case 2:
      out = {graph::Activation::BoundedReLu, 1, -1, false};
      return true;
    case 3:
      out = {graph::Activation::BoundedReLu, 6, 0, false};
      return true;
    default:
      break;
  }
  const std::string_view name = schema::name_in("ActivationFunctionType", code);
  if (name.empty())
    return error("TFL-0204", fmt::format("its fused activation is {}, which is unknown", code));
  return error("TFL-0204", fmt::format("no kernel computes the fused activation {}", name),
               "make the activation an operator of its own");
}

bool OperatorImport::normalize_axis(std::int64_t axis, std::size_t rank, int& out) const {
  const auto r = static_cast<std::int64_t>(rank);
  if (axis < -r || axis >= r)
    return error("TFL-0204", fmt::format("axis {} of {} dimensions", axis, rank),
                 "axes count from 0, or from -1 at the end");
  out = static_cast<int>(axis < 0 ? axis + r : axis);
  return true;
}

}  // namespace npubin::tflite
