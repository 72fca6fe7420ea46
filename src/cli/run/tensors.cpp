// Named inputs from the command line, and tensors written to a folder.
#include <filesystem>

#include <fmt/format.h>

#include "cli/run/backend.h"
#include "npubin/bytes.h"
#include "npubin/npy.h"
#include "render/json.h"

namespace npubin::cli {

NamedFile split_named_file(const std::string& argument) {
  const std::size_t equals = argument.find('=');
  std::error_code ignored;
  if (equals == std::string::npos || std::filesystem::exists(argument, ignored)) return {{}, argument};
  return {argument.substr(0, equals), argument.substr(equals + 1)};
}

Result<InputFile> load_input_file(const std::string& file) {
  InputFile out;
  NPUBIN_TRY(out.bytes, Bytes::open(file));
  if (!is_npy(out.bytes.span()) && std::filesystem::path(file).extension() != ".npy") return out;
  auto tensor = read_npy(out.bytes);
  if (!tensor) return Unexpected(std::move(tensor).error().in_file(file));
  out.tensor = std::move(*tensor);
  return out;
}

Result<void> write_tensors(const std::string& dir, const std::string& stem,
                           const std::vector<NamedTensor>& tensors) {
  std::error_code failure;
  std::filesystem::create_directories(dir, failure);
  if (failure)
    return io_error(dir, "cannot be created: " + failure.message(),
                    "-o names a folder; is there a file of that name?");
  std::vector<FileToWrite> files;
  render::Json entries = render::Json::array();
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const Tensor& tensor = tensors[i].tensor;
    const std::string file = fmt::format("{}{}.npy", stem, i);
    files.push_back({fmt::format("{}/{}", dir, file), write_npy(tensor)});
    render::Json entry{{"file", file},
                       {"name", tensors[i].name},
                       {"shape", tensor.shape()},
                       {"dtype", numpy_name(tensor.type())}};
    if (tensor.quantization().present()) {
      entry["scale"] = tensor.quantization().scale();
      entry["zero_point"] = tensor.quantization().zero_point();
    }
    entries.push_back(std::move(entry));
  }
  files.push_back({dir + "/" + stem + "puts.json",
                   render::dump({{"schema", "npubin.run/1"}, {stem + "puts", std::move(entries)}})});
  return write_files(files);
}

}  // namespace npubin::cli
