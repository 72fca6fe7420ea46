// --input and --image: host frames into device frames.
#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "cli/run/hef_frames.h"
#include "npubin/npy.h"
#include "npubin/picture.h"

namespace npubin::cli {
namespace {

// Dimensions other than 1: what a shape says apart from its spelling.
Shape squeezed(const Shape& shape, std::size_t from) {
  Shape out;
  for (std::size_t i = from; i < shape.size(); ++i)
    if (shape[i] != 1) out.push_back(shape[i]);
  return out;
}

// How many frames a tensor has: its shape is that of a frame, with or without an axis of frames before it; a
// frame may also be flat (YUV, planes).
Result<std::size_t> frames_of(const Shape& shape, const hef::HostInput& input) {
  const Shape flat = input.elements() == 1 ? Shape{} : Shape{static_cast<std::int64_t>(input.elements())};
  const Shape frame = squeezed(input.shape(), 0);
  for (const Shape& form : {frame, flat}) {
    if (squeezed(shape, 0) == form && count_of(shape) == static_cast<std::int64_t>(input.elements()))
      return std::size_t{1};
    if (!shape.empty() && squeezed(shape, 1) == form &&
        count_of(shape) == shape[0] * static_cast<std::int64_t>(input.elements()))
      return static_cast<std::size_t>(shape[0]);
  }
  return usage_error(fmt::format("input {} takes frames of {} ({} values), given is {}", input.name(),
                                 to_string(input.shape()), input.elements(), to_string(shape)),
                     "an axis of frames may come first");
}

struct HostFrames {
  Tensor tensor;
  std::size_t frames = 0;
};

Result<HostFrames> load_frames(const std::string& file, const hef::HostInput& input) {
  HostFrames out;
  NPUBIN_TRY(InputFile given, load_input_file(file));
  if (given.tensor) {
    out.tensor = std::move(*given.tensor);
    NPUBIN_TRY(out.frames, frames_of(out.tensor.shape(), input));
    return out;
  }
  const Bytes& bytes = given.bytes;
  const std::size_t frame_bytes = input.elements() * size_of(input.native_type());
  if (bytes.size() == 0 || bytes.size() % frame_bytes != 0)
    return usage_error(
        fmt::format("{} has {} bytes; frames of {} have {}", file, bytes.size(), input.name(), frame_bytes));
  out.frames = bytes.size() / frame_bytes;
  NPUBIN_TRY(out.tensor, Tensor::view(input.native_type(),
                                      {static_cast<std::int64_t>(out.frames),
                                       static_cast<std::int64_t>(input.elements())},
                                      bytes));
  return out;
}

Result<void> run_frame(hef::HostInput& input, const Tensor& tensor, std::size_t frame) {
  const std::size_t count = input.elements();
  if (tensor.type() == DType::F32) return input.run(tensor.as<float>().subspan(frame * count, count));
  const std::size_t bytes = count * size_of(tensor.type());
  return input.run_codes(tensor.bytes().subspan(frame * bytes, bytes), tensor.type());
}

Result<void> run_input(hef::HostInput& input, const HostFrames& host, const std::string& dir,
                       std::vector<HostReport>& reports) {
  std::vector<std::string> device(input.streams().size());
  for (std::size_t frame = 0; frame < host.frames; ++frame) {
    NPUBIN_CHECK(run_frame(input, host.tensor, frame));
    for (std::size_t i = 0; i < device.size(); ++i) {
      const ByteSpan bytes = input.device_frame(i);
      device[i].append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    }
  }
  for (std::size_t i = 0; i < device.size(); ++i) {
    const hef::DeviceStream& stream = input.streams()[i];
    const std::string file = fmt::format("in{}.bin", reports.size());
    if (!dir.empty()) NPUBIN_CHECK(write_file(fmt::format("{}/{}", dir, file), device[i]));
    HostReport report;
    if (!dir.empty()) report.entry["file"] = file;
    report.entry.update(render::Json{{"name", stream.name},
                                     {"input", input.name()},
                                     {"shape", {host.frames, stream.frame_bytes}},
                                     {"dtype", "uint8"},
                                     {"element_bytes", size_of(input.native_type())},
                                     {"scale", input.quantization().scale()},
                                     {"zero_point", input.quantization().zero_point()}});
    report.line = fmt::format("{}  {}  {} frame{} of {} bytes", dir.empty() ? "input" : file, stream.name,
                              host.frames, host.frames == 1 ? "" : "s", stream.frame_bytes);
    reports.push_back(std::move(report));
  }
  return {};
}

Result<std::string> only_input(const hef::HostPipeline& pipeline) {
  const auto& names = pipeline.input_names();
  if (names.size() == 1) return names.front();
  return usage_error(fmt::format("the file has {} inputs", names.size()),
                     fmt::format("write NAME=FILE with one of: {}", fmt::join(names, ", ")));
}

}  // namespace

Result<void> run_host_inputs(const hef::HostPipeline& pipeline, const std::vector<std::string>& files,
                             const std::string& dir, std::vector<HostReport>& reports) {
  for (const std::string& argument : files) {
    NamedFile named = split_named_file(argument);
    if (named.name.empty()) {
      NPUBIN_TRY(named.name, only_input(pipeline));
    }
    NPUBIN_TRY(auto input, pipeline.prepare_input(named.name));
    NPUBIN_TRY(HostFrames host, load_frames(named.file, *input));
    NPUBIN_CHECK(run_input(*input, host, dir, reports));
  }
  return {};
}

Result<void> run_host_picture(const hef::HostPipeline& pipeline, const std::string& image,
                              const std::string& dir, std::vector<HostReport>& reports) {
  NPUBIN_TRY(std::string name, only_input(pipeline));
  NPUBIN_TRY(auto input, pipeline.prepare_input(name));
  const Shape& shape = input->shape();
  if (input->order() != "NHWC" || shape.size() != 3 || (shape[2] != 3 && shape[2] != 1))
    return refused(fmt::format("a picture for an input of {} {}", input->order(), to_string(shape)),
                   "give its frames with --input");
  NPUBIN_TRY(Picture picture, load_picture(image));
  const Picture small =
      resize(shape[2] == 3 ? to_rgb(picture) : to_grey(picture), static_cast<std::uint32_t>(shape[1]),
             static_cast<std::uint32_t>(shape[0]), ResizeFilter::Bilinear);
  HostFrames host;
  host.frames = 1;
  host.tensor = Tensor(DType::F32, shape);
  std::copy(small.pixels.begin(), small.pixels.end(), host.tensor.as_mutable<float>().begin());
  return run_input(*input, host, dir, reports);
}

}  // namespace npubin::cli
