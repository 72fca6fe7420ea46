// Attributes of element-wise operators and of normalisations along an axis. tflite spec 3 and 4.
#include <fmt/format.h>

#include "formats/tflite/import/operator_import.h"

namespace npubin::tflite {

using namespace graph;

bool import_binary(const OperatorImport& op) {
  BinaryAttributes out;
  if (!op.fused_activation(out.activation)) return false;
  op.node().attributes = out;
  return true;
}

bool import_activation(const OperatorImport& op) {
  ActivationAttributes out;
  switch (op.op().code->builtin) {
    case 14:
      out.function = Activation::Sigmoid;
      break;
    case 19:
      out.function = Activation::ReLu;
      break;
    case 20:
      out = {Activation::BoundedReLu, 1, -1, false};
      break;
    case 21:
      out = {Activation::BoundedReLu, 6, 0, false};
      break;
    case 28:
      out = {Activation::TanH, 1, 1, false};
      break;
    case 98:
      out = {Activation::LeakyReLu, op.real_option("alpha"), 0, false};
      break;
    case 111:
      out = {Activation::Elu, 1, 0, false};
      break;
    case 117:
      out.function = Activation::HardSwish;
      break;
    case 150:
      out = {Activation::Gelu, 0, 0, op.option("approximate") != 0};
      break;
    default:
      out = {Activation::BoundedReLu, 1, 0, false};
      break;
  }
  op.node().attributes = out;
  return true;
}

bool import_softmax(const OperatorImport& op) {
  SoftmaxAttributes out;
  if (op.node().op == Op::Softmax) {
    out.beta = op.real_option("beta");
    if (!(out.beta > 0) || !(out.beta < 1e30f))
      return op.error("TFL-0204", fmt::format("its beta is {}", out.beta));
  }
  op.node().attributes = out;
  return true;
}

bool import_l2_normalization(const OperatorImport& op) {
  NormalizationAttributes out;
  if (!op.fused_activation(out.activation)) return false;
  out.epsilon = 1e-6f;
  op.node().attributes = out;
  return true;
}

}  // namespace npubin::tflite
