#include "cli/compare/golden.h"

#include <filesystem>
#include <map>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "npubin/bytes.h"
#include "npubin/npy.h"

namespace npubin::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

struct Entry {
  std::string file, name;
  Quantization quantization;
};

// What outputs.json says; empty where there is none.
Result<std::vector<Entry>> listed(const std::string& folder) {
  const std::string file = folder + "/outputs.json";
  std::vector<Entry> out;
  if (std::error_code ignored; !fs::exists(file, ignored)) return out;
  NPUBIN_TRY(const Bytes bytes, Bytes::open(file));
  const auto* text = reinterpret_cast<const char*>(bytes.data());
  const Json json = Json::parse(text, text + bytes.size(), nullptr, false);
  const Json* outputs = json.is_object() && json.contains("outputs") ? &json["outputs"] : nullptr;
  if (outputs == nullptr || !outputs->is_array())
    return malformed({}, file + " does not list outputs", "`npubin run -o` writes such a file; or remove it");
  for (const Json& entry : *outputs) {
    if (!entry.is_object()) return malformed({}, file + " lists something that is no output");
    Entry known;
    if (entry.contains("file") && entry["file"].is_string()) known.file = entry["file"].get<std::string>();
    if (entry.contains("name") && entry["name"].is_string()) known.name = entry["name"].get<std::string>();
    if (entry.contains("scale") && entry["scale"].is_number()) {
      const bool zero = entry.contains("zero_point") && entry["zero_point"].is_number_integer();
      known.quantization = Quantization::per_tensor(entry["scale"].get<float>(),
                                                    zero ? entry["zero_point"].get<std::int64_t>() : 0);
    }
    if (known.file.empty() || known.file.find('/') != std::string::npos)
      return malformed({}, fmt::format("{} names no file beside it for output '{}'", file, known.name));
    out.push_back(std::move(known));
  }
  return out;
}

bool same_names(const std::vector<Entry>& entries, const std::vector<NamedTensor>& like) {
  std::map<std::string, int> count;
  for (const Entry& entry : entries) ++count[entry.name];
  for (const NamedTensor& output : like)
    if (count[output.name] != 1) return false;
  return true;
}

}  // namespace

Result<std::vector<NamedTensor>> golden_outputs(const std::string& folder,
                                                const std::vector<NamedTensor>& like) {
  if (std::error_code ignored; !fs::is_directory(folder, ignored))
    return usage_error(fmt::format("--golden {} is no folder", folder),
                       "give a folder with out0.npy, out1.npy, ...");
  NPUBIN_TRY(std::vector<Entry> entries, listed(folder));
  const bool described = !entries.empty();
  if (!described)
    for (std::size_t k = 0; k < like.size(); ++k)
      entries.push_back({fmt::format("out{}.npy", k), like[k].name, {}});
  if (entries.size() != like.size())
    return usage_error(
        fmt::format("--golden {} holds {} outputs, the model has {}", folder, entries.size(), like.size()));
  const std::string beyond = fmt::format("{}/out{}.npy", folder, like.size());
  if (std::error_code ignored; !described && fs::exists(beyond, ignored))
    return usage_error(
        fmt::format("--golden {} holds more outputs than the {} of the model", folder, like.size()));
  const bool by_name = described && same_names(entries, like);
  std::vector<NamedTensor> out;
  for (std::size_t k = 0; k < like.size(); ++k) {
    const Entry* entry = &entries[k];
    if (by_name)
      for (const Entry& other : entries)
        if (other.name == like[k].name) entry = &other;
    NPUBIN_TRY(Tensor tensor, load_npy(folder + "/" + entry->file));
    if (!is_float(tensor.type())) {
      if (entry->quantization.present())
        tensor.set_quantization(entry->quantization);
      else if (!described && tensor.type() == like[k].tensor.type())
        tensor.set_quantization(like[k].tensor.quantization());
    }
    out.push_back({like[k].name, std::move(tensor)});
  }
  return out;
}

}  // namespace npubin::cli
