#include "formats/npub/interface.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace npubin::npub {
namespace {

using Json = nlohmann::ordered_json;

constexpr char kTag[9] = "NPUB-IO1";
constexpr std::size_t kTagBytes = 8;
constexpr std::size_t kMaxRank = 8;

class Reader {
 public:
  Reader(const Json& root, const std::string& source) : root_(root), source_(source) {}

  Result<Interface> read() {
    Interface out;
    out.source = source_;
    if (!root_.is_object()) return bad("", "is no JSON object");
    out.model = text(root_, "model");
    out.compiler = text(root_, "compiler");
    NPUBIN_TRY(default_region_, number(root_, "", "region_of_io", 1));
    NPUBIN_TRY(out.inputs, bindings("inputs"));
    NPUBIN_TRY(out.outputs, bindings("outputs"));
    return out;
  }

 private:
  Unexpected bad(const std::string& path, const std::string& what) const {
    return Unexpected(Error{ErrorKind::Malformed, "NPB-0301", source_, Location::at_path(path), what,
                            "docs/npub.md describes the schema"});
  }
  static std::string text(const Json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
  }
  Result<std::int64_t> number(const Json& object, const std::string& path, const char* key,
                              std::optional<std::int64_t> fallback) const {
    const auto found = object.find(key);
    if (found == object.end() && fallback) return *fallback;
    const bool fits = found != object.end() && found->is_number_integer() &&
                      (!found->is_number_unsigned() || found->get<std::uint64_t>() <= 0x7FFFFFFFFFFFFFFFu);
    if (!fits) return bad(path + key, "is missing, or no integer");
    return found->get<std::int64_t>();
  }

  Result<std::vector<ethosu::Binding>> bindings(const char* key) const {
    std::vector<ethosu::Binding> out;
    const auto list = root_.find(key);
    if (list == root_.end() || !list->is_array()) return bad(key, "is missing, or no array");
    for (std::size_t i = 0; i < list->size(); ++i) {
      NPUBIN_TRY(ethosu::Binding one, binding((*list)[i], fmt::format("{}[{}].", key, i)));
      out.push_back(std::move(one));
    }
    return out;
  }

  Result<ethosu::Binding> binding(const Json& object, const std::string& path) const {
    if (!object.is_object()) return bad(path, "is no object");
    ethosu::Binding out;
    out.name = text(object, "name");
    NPUBIN_TRY(const std::int64_t region, number(object, path, "region", default_region_));
    NPUBIN_TRY(const std::int64_t offset, number(object, path, "offset", std::nullopt));
    if (region < 0 || region > 7)
      return bad(path + "region", fmt::format("is {}; regions are 0 to 7", region));
    if (offset < 0) return bad(path + "offset", fmt::format("is {}, below 0", offset));
    out.region = static_cast<std::uint32_t>(region);
    out.offset = static_cast<std::uint64_t>(offset);
    NPUBIN_TRY(out.shape, shape(object, path));
    NPUBIN_TRY(out.type, type(object, path));
    NPUBIN_TRY(out.quantization, quantization(object, path));
    return out;
  }

  Result<Shape> shape(const Json& object, const std::string& path) const {
    const auto found = object.find("shape");
    if (found == object.end() || !found->is_array() || found->size() > kMaxRank)
      return bad(path + "shape",
                 fmt::format("is missing, no array, or has more than {} dimensions", kMaxRank));
    Shape out;
    for (const Json& extent : *found) {
      if (!extent.is_number_integer() || extent.get<std::int64_t>() < 0)
        return bad(path + "shape", "holds something else than extents from 0 up");
      out.push_back(extent.get<std::int64_t>());
    }
    if (!element_count(out)) return bad(path + "shape", "has too many elements");
    return out;
  }

  Result<DType> type(const Json& object, const std::string& path) const {
    const std::string name = text(object, "dtype");
    if (name.empty()) return DType::I8;  // what every Vela network without the member has
    for (DType known : {DType::I8, DType::U8, DType::I16, DType::U16, DType::I32, DType::U32})
      if (numpy_name(known) == name || to_string(known) == name) return known;
    return bad(path + "dtype", fmt::format("is {}, which no Ethos-U tensor has", name));
  }

  Result<Quantization> quantization(const Json& object, const std::string& path) const {
    Quantization out;
    const auto scale = object.find("scale");
    if (scale == object.end() || scale->is_null()) return out;
    if (!scale->is_number()) return bad(path + "scale", "is no number");
    NPUBIN_TRY(const std::int64_t zero_point, number(object, path, "zero_point", 0));
    return Quantization::per_tensor(scale->get<float>(), zero_point);
  }

  const Json& root_;
  const std::string& source_;
  std::int64_t default_region_ = 1;
};

Json to_json(const std::vector<ethosu::Binding>& bindings) {
  Json out = Json::array();
  for (const ethosu::Binding& b : bindings) {
    Json one{{"name", b.name},
             {"region", b.region},
             {"offset", b.offset},
             {"shape", b.shape},
             {"dtype", numpy_name(b.type)}};
    if (b.quantization.present()) {
      // Through text, so that a float's shortest digits are kept and not those of a double.
      one["scale"] = Json::parse(fmt::format("{}", b.quantization.scale()), nullptr, false);
      one["zero_point"] = b.quantization.zero_point();
    }
    out.push_back(std::move(one));
  }
  return out;
}

}  // namespace

Result<Interface> read_interface(std::string_view json, const std::string& source) {
  const Json root = Json::parse(json.begin(), json.end(), nullptr, false);
  if (root.is_discarded())
    return Unexpected(Error{ErrorKind::Malformed,
                            "NPB-0301",
                            source,
                            {},
                            "the description of inputs and outputs is no JSON",
                            "docs/npub.md describes the schema"});
  return Reader(root, source).read();
}

std::string write_interface(const Interface& interface, const SidecarFacts& facts) {
  Json root{{"schema", "npubin.npub/1"}};
  if (!interface.model.empty()) root["model"] = interface.model;
  if (!interface.compiler.empty()) root["compiler"] = interface.compiler;
  root["accelerator"] = facts.accelerator;
  root["payload"] = facts.payload;
  root["regions"] = Json::array();
  for (const SidecarFacts::Region& r : facts.regions)
    root["regions"].push_back({{"index", r.index}, {"role", r.role}, {"baked", r.baked}, {"size", r.size}});
  root["inputs"] = to_json(interface.inputs);
  root["outputs"] = to_json(interface.outputs);
  return root.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::vector<std::byte> to_trailing_region(const std::string& json) {
  const std::size_t used = kTagBytes + 4 + json.size();
  std::vector<std::byte> out((used + 15) / 16 * 16);
  std::memcpy(out.data(), kTag, kTagBytes);
  store(out.data() + kTagBytes, static_cast<std::uint32_t>(json.size()));
  std::memcpy(out.data() + kTagBytes + 4, json.data(), json.size());
  return out;
}

std::optional<std::string_view> from_trailing_region(const Bytes& region) {
  if (region.size() < kTagBytes + 4 || std::memcmp(region.data(), kTag, kTagBytes) != 0) return std::nullopt;
  const auto length = load<std::uint32_t>(region.data() + kTagBytes);
  if (length > region.size() - kTagBytes - 4) return std::nullopt;
  return region.text().substr(kTagBytes + 4, length);
}

}  // namespace npubin::npub
