// Writes a .tflite from nothing: tensors, operators, inputs and outputs.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "npubin/bytes.h"
#include "npubin/result.h"
#include "npubin/tensor.h"

namespace npubin::tflite {

struct BuildTensor {
  std::string name;
  DType type = DType::F32;
  Shape shape;
  Quantization quantization;
  Bytes constant;  // row-major elements; empty: computed at run time
};

// Options by the field names of the schema.
struct OptionValue : std::variant<double, std::vector<std::int32_t>> {
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
  OptionValue(T number) : variant(static_cast<double>(number)) {}
  OptionValue(std::vector<std::int32_t> list) : variant(std::move(list)) {}
};

struct BuildOperator {
  std::string builtin;        // name in BuiltinOperator: "CONV_2D"
  std::string options_table;  // member of BuiltinOptions: "Conv2DOptions"; empty: none
  std::vector<std::pair<std::string, OptionValue>> options;
  std::vector<std::int32_t> inputs, outputs;  // into BuildModel::tensors; -1: optional operand absent
  std::int32_t version = 1;
};

struct BuildModel {
  std::string description;
  std::string name = "main";
  std::vector<BuildTensor> tensors;
  std::vector<BuildOperator> operators;  // in order of execution
  std::vector<std::int32_t> inputs, outputs;
};

// The file. Errors (Refused): a type that .tflite has no code for; (Malformed): a name that the schema lacks.
Result<std::vector<std::byte>> build(const BuildModel& model);

}  // namespace npubin::tflite
