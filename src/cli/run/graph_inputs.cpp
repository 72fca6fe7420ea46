#include "cli/run/graph_inputs.h"

#include <algorithm>
#include <cstdio>
#include <optional>

#include <fmt/format.h>

#include "cli/run/graph_picture.h"
#include "exec/real_values.h"
#include "npubin/npy.h"

namespace npubin::cli {
namespace {

using graph::Graph;
using graph::Port;
using graph::Value;

std::string describe(const Graph& graph, const Port& port) {
  const Value& value = graph.value(port.value);
  std::string text = fmt::format("'{}' {} {}", port.name, to_string(value.type), to_string(value.shape));
  if (value.quantization.present() && !is_float(value.type) && !value.quantization.per_axis())
    text += fmt::format(" (scale {}, zero point {})", value.quantization.scale(),
                        value.quantization.zero_point());
  return text;
}

// NumPy's bool and uint8 hold the same bytes for a Bool input.
bool same_type(DType given, DType wanted) {
  return given == wanted || (wanted == DType::Bool && given == DType::U8) ||
         (wanted == DType::BF16 && given == DType::F32);
}

Result<Tensor> from_npy(const std::string& file, const Tensor& tensor, const Graph& graph, const Port& port,
                        bool real) {
  const Value& value = graph.value(port.value);
  const bool as_real =
      tensor.type() == DType::F32 && value.type != DType::F32 && (real || value.type == DType::BF16);
  if (tensor.shape() != value.shape || !(as_real || same_type(tensor.type(), value.type)))
    return usage_error(fmt::format("{} holds {} {}, the input is {}", file, to_string(tensor.type()),
                                   to_string(tensor.shape()), describe(graph, port)),
                       tensor.shape() != value.shape
                           ? "give the array the shape of the input (numpy.reshape, transpose)"
                       : tensor.type() == DType::F32 ? "--float takes real numbers"
                                                     : "give the array the type of the input (numpy.astype)");
  if (as_real) return exec::from_real(tensor, value.type, value.quantization);
  Tensor out(value.type, value.shape, value.quantization);
  std::copy_n(tensor.data(), tensor.byte_size(), out.mutable_data());
  return out;
}

Result<Tensor> from_bin(const std::string& file, Bytes bytes, const Graph& graph, const Port& port,
                        bool real) {
  const Value& value = graph.value(port.value);
  const DType stored = real ? DType::F32 : value.type;
  const std::uint64_t wanted = static_cast<std::uint64_t>(count_of(value.shape)) * size_of(stored);
  if (bytes.size() != wanted)
    return usage_error(fmt::format("{} has {} bytes, the input {} takes {} ({})", file, bytes.size(),
                                   describe(graph, port), wanted, to_string(stored)));
  NPUBIN_TRY(Tensor tensor, Tensor::view(stored, value.shape, std::move(bytes)));
  return real ? exec::from_real(tensor, value.type, value.quantization) : Result<Tensor>(tensor.clone());
}

Result<Tensor> from_file(const std::string& file, const Graph& graph, const Port& port, bool real) {
  NPUBIN_TRY(InputFile given, load_input_file(file));
  return given.tensor ? from_npy(file, *given.tensor, graph, port, real)
                      : from_bin(file, std::move(given.bytes), graph, port, real);
}

// Which input each --input goes to: by name, else the first that nothing was given for.
Result<std::size_t> place_for(const Graph& graph, const NamedFile& given,
                              const std::vector<std::optional<Tensor>>& taken) {
  for (std::size_t i = 0; i < graph.inputs.size(); ++i) {
    if (given.name.empty() ? !taken[i].has_value() : graph.inputs[i].name == given.name) {
      if (taken[i]) return usage_error(fmt::format("input '{}' is given twice", given.name));
      return i;
    }
  }
  return usage_error(
      given.name.empty()
          ? fmt::format("more inputs are given than the graph has: {}", describe_inputs(graph))
          : fmt::format("the graph has no input '{}', only {}", given.name, describe_inputs(graph)));
}

}  // namespace

std::string describe_inputs(const Graph& graph) {
  std::string text;
  for (const Port& port : graph.inputs) text += (text.empty() ? "" : ", ") + describe(graph, port);
  return text.empty() ? "none" : text;
}

void add_picture_options(OptionSet& options, GraphInputOptions& input) {
  options
      .add_option(
          "--mean", input.mean,
          "with --image: subtracted from every pixel; one value, or one per channel as in 104,117,123")
      ->delimiter(',')
      ->allow_extra_args(false);
  options
      .add_option("--scale", input.scale,
                  "with --image: then multiplied; one factor, or one per channel, separated by commas")
      ->delimiter(',')
      ->allow_extra_args(false);
  options
      .add_option("--channel-order", input.channel_order,
                  "with --image: order of the channels that the network takes")
      ->one_of({"rgb", "bgr"});
}

Result<void> refuse_idle_input_options(const std::vector<std::string>& inputs, const std::string& image,
                                       const GraphInputOptions& options) {
  const char* about_pictures = !options.mean.empty()            ? "--mean"
                               : !options.scale.empty()         ? "--scale"
                               : !options.channel_order.empty() ? "--channel-order"
                                                                : nullptr;
  if (about_pictures != nullptr && image.empty())
    return usage_error(fmt::format("{} is about a picture, and none is given", about_pictures),
                       "give one with --image, or leave it out: files of --input go in as they are");
  if (options.real && inputs.empty() && image.empty())
    return usage_error("--float is about input files, and none is given",
                       "give one with --input, or leave it out");
  return {};
}

Result<std::vector<Tensor>> load_graph_inputs(const Graph& graph, const std::vector<std::string>& inputs,
                                              const std::string& image, const GraphInputOptions& options) {
  NPUBIN_CHECK(refuse_idle_input_options(inputs, image, options));
  std::vector<std::optional<Tensor>> taken(graph.inputs.size());
  std::vector<NamedFile> unnamed;
  for (const std::string& argument : inputs) {
    NamedFile given = split_named_file(argument);
    if (given.name.empty()) {
      unnamed.push_back(std::move(given));
      continue;
    }
    NPUBIN_TRY(const std::size_t at, place_for(graph, given, taken));
    NPUBIN_TRY(taken[at], from_file(given.file, graph, graph.inputs[at], options.real));
  }
  for (const NamedFile& given : unnamed) {
    NPUBIN_TRY(const std::size_t at, place_for(graph, given, taken));
    NPUBIN_TRY(taken[at], from_file(given.file, graph, graph.inputs[at], options.real));
  }
  if (!image.empty()) {
    NPUBIN_TRY(const std::size_t at, place_for(graph, {{}, image}, taken));
    const graph::Value& value = graph.value(graph.inputs[at].value);
    if (is_float(value.type) && options.mean.empty() && options.scale.empty())
      std::fputs(
          "npubin: the picture is stretched to the input's size and its values go in as 0..255; most float "
          "networks want "
          "--mean and --scale, e.g. --mean 127.5 --scale 0.00784314 for -1..1\n",
          stderr);
    NPUBIN_TRY(taken[at], tensor_of_picture(image, graph.value(graph.inputs[at].value), options));
  }
  std::vector<Tensor> tensors;
  for (std::optional<Tensor>& tensor : taken) {
    if (!tensor)
      return usage_error(
          fmt::format("{} of {} inputs given; the graph takes {}",
                      std::count_if(taken.begin(), taken.end(), [](const auto& t) { return t.has_value(); }),
                      taken.size(), describe_inputs(graph)),
          "--input [NAME=]FILE for each, or --image FILE");
    tensors.push_back(std::move(*tensor));
  }
  return tensors;
}

}  // namespace npubin::cli
