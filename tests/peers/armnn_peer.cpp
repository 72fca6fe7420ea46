// Runs an .armnn file in Debian's Arm NN 20.08 (deserialiser and reference backend): the other
// implementation.
//
//   armnn_peer MODEL.armnn OUT_DIR [--repeat N] --input NAME=FILE.npy ... --output NAME ...
//
// Writes OUT_DIR/out<k>.npy in the order of --output. With --repeat it prints the median milliseconds of N
// runs. A program of its own, because the deserialiser aborts on files it does not like.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>
#include <vector>

#include <armnn/ArmNN.hpp>
#include <armnn/LayerVisitorBase.hpp>
#include <armnnDeserializer/IDeserializer.hpp>

#include "npubin/bytes.h"
#include "npubin/npy.h"

namespace {

struct Arguments {
  std::string model, out_dir;
  std::vector<std::pair<std::string, std::string>> inputs;  // name, file
  std::vector<std::string> outputs;
  int repeat = 0;
};

bool parse(int argc, char** argv, Arguments& out) {
  if (argc < 3) return false;
  out.model = argv[1];
  out.out_dir = argv[2];
  for (int i = 3; i + 1 < argc; i += 2) {
    const std::string key = argv[i], value = argv[i + 1];
    if (key == "--repeat") {
      out.repeat = std::stoi(value);
    } else if (key == "--output") {
      out.outputs.push_back(value);
    } else if (key == "--input") {
      const std::size_t equals = value.rfind('=');
      if (equals == std::string::npos) return false;
      out.inputs.emplace_back(value.substr(0, equals), value.substr(equals + 1));
    } else {
      return false;
    }
  }
  return !out.outputs.empty();
}

npubin::DType type_of(armnn::DataType type) {
  switch (type) {
    case armnn::DataType::Float16:
      return npubin::DType::F16;
    case armnn::DataType::QAsymmU8:
      return npubin::DType::U8;
    case armnn::DataType::QAsymmS8:
    case armnn::DataType::QSymmS8:
      return npubin::DType::I8;
    case armnn::DataType::QSymmS16:
      return npubin::DType::I16;
    case armnn::DataType::Signed32:
      return npubin::DType::I32;
    case armnn::DataType::Boolean:
      return npubin::DType::Bool;
    default:
      return npubin::DType::F32;
  }
}

npubin::Tensor tensor_for(const armnn::TensorInfo& info) {
  npubin::Shape shape;
  for (unsigned d = 0; d < info.GetNumDimensions(); ++d) shape.push_back(info.GetShape()[d]);
  return npubin::Tensor(type_of(info.GetDataType()), shape);
}

int run(const Arguments& arguments) {
  auto bytes = npubin::Bytes::open(arguments.model);
  if (!bytes) throw std::runtime_error(to_string(bytes.error()));
  const auto* first = reinterpret_cast<const std::uint8_t*>(bytes->data());
  auto parser = armnnDeserializer::IDeserializer::Create();
  armnn::INetworkPtr network =
      parser->CreateNetworkFromBinary(std::vector<std::uint8_t>(first, first + bytes->size()));
  armnn::IRuntimePtr runtime = armnn::IRuntime::Create(armnn::IRuntime::CreationOptions());
  std::vector<std::string> messages;
  armnn::IOptimizedNetworkPtr optimised =
      armnn::Optimize(*network, {armnn::Compute::CpuRef}, runtime->GetDeviceSpec(), armnn::OptimizerOptions(),
                      armnn::Optional<std::vector<std::string>&>(messages));
  if (!optimised) throw std::runtime_error("Optimize refused the network");
  armnn::NetworkId id = 0;
  std::string failure;
  if (runtime->LoadNetwork(id, std::move(optimised), failure) != armnn::Status::Success)
    throw std::runtime_error(failure);

  armnn::InputTensors inputs;
  std::vector<npubin::Tensor> keep;
  for (const auto& [name, file] : arguments.inputs) {
    auto tensor = npubin::load_npy(file);
    if (!tensor) throw std::runtime_error(to_string(tensor.error()));
    const auto binding = parser->GetNetworkInputBindingInfo(0, name);
    if (tensor->byte_size() != binding.m_TensorInfo.GetNumBytes())
      throw std::runtime_error(file + " has another size than " + name);
    keep.push_back(*tensor);
    inputs.emplace_back(binding.m_BindingId, armnn::ConstTensor(binding.m_TensorInfo, keep.back().data()));
  }
  armnn::OutputTensors outputs;
  std::vector<npubin::Tensor> results;
  results.reserve(arguments.outputs.size());
  for (const std::string& name : arguments.outputs) {
    const auto binding = parser->GetNetworkOutputBindingInfo(0, name);
    results.push_back(tensor_for(binding.m_TensorInfo));
    outputs.emplace_back(binding.m_BindingId,
                         armnn::Tensor(binding.m_TensorInfo, results.back().mutable_data()));
  }
  std::vector<double> times;
  for (int i = 0; i < std::max(1, arguments.repeat); ++i) {
    const auto begin = std::chrono::steady_clock::now();
    if (runtime->EnqueueWorkload(id, inputs, outputs) != armnn::Status::Success)
      throw std::runtime_error("the run failed");
    times.push_back(
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
  }
  for (std::size_t i = 0; i < results.size(); ++i)
    if (auto done = npubin::save_npy(arguments.out_dir + "/out" + std::to_string(i) + ".npy", results[i]);
        !done)
      throw std::runtime_error(to_string(done.error()));
  std::sort(times.begin(), times.end());
  if (arguments.repeat > 0) std::printf("%.6f\n", times[times.size() / 2]);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  if (!parse(argc, argv, arguments)) {
    std::fputs("usage: armnn_peer MODEL.armnn OUT_DIR [--repeat N] --input NAME=FILE ... --output NAME ...\n",
               stderr);
    return 2;
  }
  try {
    return run(arguments);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "armnn_peer: %s\n", error.what());
    return 3;
  }
}
