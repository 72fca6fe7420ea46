// Opens a .tflite, compiles it with the reference kernels and runs it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "npubin/result.h"
#include "npubin/session.h"
#include "npubin/tensor.h"
#include "support/data.h"

namespace npubin::test {

// Error: whatever refused the file, at whichever stage.
Result<std::unique_ptr<Session>> compile_tflite(const fs::path& file, ExecMode mode = ExecMode::Reference);
Result<std::vector<Tensor>> run_tflite(const fs::path& file, const std::vector<Tensor>& inputs,
                                       ExecMode mode = ExecMode::Reference);

// in0.npy, in1.npy, ... of a folder (`stem` "in" or "out"), with a number as many as `count`.
std::vector<Tensor> numbered(const fs::path& folder, const std::string& stem, std::size_t count);

// How two tensors differ; empty where equal. NaN equals NaN, -0 equals 0.
struct Difference {
  std::size_t count = 0;
  double largest = 0;
  std::string what;  // types or shapes that differ
};
Difference difference(const Tensor& found, const Tensor& expected);

}  // namespace npubin::test
