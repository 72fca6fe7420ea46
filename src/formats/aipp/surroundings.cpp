#include "formats/aipp/surroundings.h"

#include <algorithm>
#include <cctype>
#include <charconv>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/bounded_file.h"
#include "npubin/bytes.h"

namespace npubin::aipp {
namespace {

using Json = nlohmann::json;

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

std::optional<std::int64_t> integer(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

Result<std::vector<std::int64_t>> integers(std::string_view text, const std::string& option) {
  std::vector<std::int64_t> out;
  while (!text.empty() || out.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const auto value = integer(text.substr(0, comma));
    if (!value) return usage_error(fmt::format("--{}: `{}` is no list of integers", option, text));
    out.push_back(*value);
    if (comma == text.size()) break;
    text.remove_prefix(comma + 1);
  }
  return out;
}

Unexpected bad_context(const std::string& what) {
  return usage_error("--context: " + what,
                     "it holds {\"soc\", \"framework\", \"inputs\": [{\"name\", \"n\", \"c\", \"h\", \"w\", "
                     "\"dtype\", \"out_edges\"}], \"dynamic_image_size\", \"input_fp16_nodes\", "
                     "\"dynamic_image\": {\"format\", \"w\", \"h\"}}");
}

// A member of the wanted type, nothing where absent or null; a wrong type is an error.
Result<std::optional<std::int64_t>> integer_member(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || found->is_null()) return std::optional<std::int64_t>();
  if (!found->is_number_integer()) return bad_context(fmt::format("{} is not an integer", key));
  return std::optional<std::int64_t>(found->get<std::int64_t>());
}
Result<std::string> text_member(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || found->is_null()) return std::string();
  if (!found->is_string()) return bad_context(fmt::format("{} is not a string", key));
  return found->get<std::string>();
}

Result<NetworkInputFacts> input_of(const Json& json) {
  if (!json.is_object()) return bad_context("an entry of inputs is not an object");
  NetworkInputFacts out;
  NPUBIN_TRY(out.name, text_member(json, "name"));
  NPUBIN_TRY(out.dtype, text_member(json, "dtype"));
  NPUBIN_TRY(out.out_edges, integer_member(json, "out_edges"));
  NPUBIN_TRY(const auto n, integer_member(json, "n"));
  NPUBIN_TRY(const auto c, integer_member(json, "c"));
  NPUBIN_TRY(const auto h, integer_member(json, "h"));
  NPUBIN_TRY(const auto w, integer_member(json, "w"));
  if (!c || !h || !w) return bad_context("an input needs c, h and w");
  out.n = n.value_or(1);
  out.c = *c;
  out.h = *h;
  out.w = *w;
  return out;
}

Result<DynamicImage> dynamic_image_of(const Json& json) {
  if (!json.is_object()) return bad_context("dynamic_image is not an object");
  DynamicImage out;
  NPUBIN_TRY(const std::string name, text_member(json, "format"));
  for (const FormatFacts& facts : all_formats())
    if (facts.name == name) out.format = facts.format;
  if (out.format == InputFormat::Undefined)
    return bad_context(fmt::format("dynamic_image: `{}` is no input format", name));
  NPUBIN_TRY(const auto w, integer_member(json, "w"));
  NPUBIN_TRY(const auto h, integer_member(json, "h"));
  out.w = w.value_or(0);
  out.h = h.value_or(0);
  return out;
}

Result<void> apply_lists(const Json& json, Surroundings& out) {
  if (const auto inputs = json.find("inputs"); inputs != json.end() && !inputs->is_null()) {
    if (!inputs->is_array()) return bad_context("inputs is not an array");
    out.inputs.emplace();
    for (const Json& entry : *inputs) {
      NPUBIN_TRY(NetworkInputFacts input, input_of(entry));
      out.inputs->push_back(std::move(input));
    }
  }
  if (const auto nodes = json.find("input_fp16_nodes"); nodes != json.end() && !nodes->is_null()) {
    if (!nodes->is_array()) return bad_context("input_fp16_nodes is not an array");
    for (const Json& node : *nodes) {
      if (!node.is_string()) return bad_context("input_fp16_nodes holds something other than names");
      out.input_fp16_nodes.push_back(node.get<std::string>());
    }
  }
  return {};
}

// ATC's --framework, by its number and by its name.
Result<std::string> framework_of(const std::string& text, const char* option) {
  static constexpr std::string_view kKnown[] = {"caffe",      "0", "mindspore", "1",
                                                "tensorflow", "3", "onnx",      "5"};
  std::string name = lower(text);
  if (name.empty() || std::find(std::begin(kKnown), std::end(kKnown), name) != std::end(kKnown)) return name;
  return usage_error(fmt::format("{} {} is not a framework of ATC", option, text),
                     "caffe (0), mindspore (1), tensorflow (3) or onnx (5)");
}

Result<std::string> dtype_of(const std::string& text) {
  static constexpr std::string_view kKnown[] = {"float16", "float32", "uint8",  "int8", "int16",
                                                "int32",   "uint16",  "uint32", "int64"};
  std::string name = lower(text);
  if (name == "fp16") name = "float16";
  if (name == "fp32" || name == "float") name = "float32";
  if (std::find(std::begin(kKnown), std::end(kKnown), name) != std::end(kKnown)) return name;
  return usage_error(fmt::format("--network-dtype {} is not an element type", text),
                     "for example float16, float32, uint8 or int8");
}

// Values of the single options; those of the network's inputs come in the order of the inputs.
Result<void> apply_options(const std::multimap<std::string, std::string>& options, Surroundings& out) {
  const auto all = [&](const char* name) { return options.equal_range(name); };
  if (const auto [begin, end] = all("network-shape"); begin != end) {
    out.inputs.emplace();
    for (auto it = begin; it != end; ++it) {
      NPUBIN_TRY(NetworkInputFacts input, parse_network_shape(it->second));
      out.inputs->push_back(std::move(input));
    }
  }
  const auto [dtype_begin, dtype_end] = all("network-dtype");
  if (dtype_begin != dtype_end) {
    if (!out.inputs || out.inputs->empty())
      return usage_error("--network-dtype says nothing without the inputs it is for", "give --network-shape");
    auto it = dtype_begin;
    for (NetworkInputFacts& input : *out.inputs) {
      NPUBIN_TRY(input.dtype, dtype_of(it->second));
      if (std::next(it) != dtype_end) ++it;
    }
  }
  for (auto [it, end] = all("soc"); it != end; ++it) {
    NPUBIN_CHECK(check_soc(it->second, "--soc"));
    out.soc = it->second;
  }
  for (auto [it, end] = all("framework"); it != end; ++it) {
    NPUBIN_TRY(out.framework, framework_of(it->second, "--framework"));
  }
  for (auto [it, end] = all("dynamic-image-size"); it != end; ++it)
    out.dynamic_image_size = !it->second.empty();
  for (auto [it, end] = all("batch-list"); it != end; ++it) {
    NPUBIN_TRY(out.batch_list, integers(it->second, "batch-list"));
  }
  return {};
}

}  // namespace

Result<void> check_soc(const std::string& soc, const char* option) {
  if (soc.empty() || chip_family(soc)) return {};
  return usage_error(fmt::format("{} {} is no chip that is known here", option, soc),
                     fmt::format("known: {}", kKnownChips));
}

Result<NetworkInputFacts> parse_network_shape(const std::string& text) {
  NetworkInputFacts out;
  std::string_view numbers = text;
  if (const std::size_t colon = text.rfind(':'); colon != std::string::npos) {
    out.name = text.substr(0, colon);
    numbers.remove_prefix(colon + 1);
  }
  NPUBIN_TRY(const std::vector<std::int64_t> shape, integers(numbers, "network-shape"));
  constexpr std::int64_t kMost = 65536;  // of each: what is larger is a slip
  const bool four =
      shape.size() == 4 && std::all_of(shape.begin(), shape.end(), [](std::int64_t v) { return v > 0; });
  if (four && std::any_of(shape.begin(), shape.end(), [](std::int64_t v) { return v > kMost; }))
    return usage_error(fmt::format("--network-shape {}: each of N, C, H and W is at most {}", text, kMost),
                       "give the shape of one run's input, for example 1,3,224,224");
  if (!four)
    return usage_error(fmt::format("--network-shape {}: four positive numbers N,C,H,W are wanted", text),
                       "for example --network-shape 1,3,224,224 or data:1,3,224,224");
  out.n = shape[0];
  out.c = shape[1];
  out.h = shape[2];
  out.w = shape[3];
  return out;
}

Result<Surroundings> surroundings_of_json(const std::string& text) {
  const Json json = Json::parse(text, nullptr, false, true);
  if (!json.is_object()) return bad_context("not a JSON object");
  Surroundings out;
  NPUBIN_TRY(out.soc, text_member(json, "soc"));
  NPUBIN_CHECK(check_soc(out.soc, "--context: soc"));
  NPUBIN_TRY(const std::string framework, text_member(json, "framework"));
  NPUBIN_TRY(out.framework, framework_of(framework, "--context: framework"));
  NPUBIN_CHECK(apply_lists(json, out));
  if (const auto flag = json.find("dynamic_image_size"); flag != json.end() && !flag->is_null()) {
    // A flag, or ATC's own value: the sizes as text.
    if (flag->is_boolean())
      out.dynamic_image_size = flag->get<bool>();
    else if (flag->is_string())
      out.dynamic_image_size = !flag->get<std::string>().empty();
    else if (flag->is_array())
      out.dynamic_image_size = !flag->empty();
    else
      return bad_context("dynamic_image_size is neither a flag nor a list of sizes");
  }
  if (const auto image = json.find("dynamic_image"); image != json.end() && !image->is_null()) {
    NPUBIN_TRY(out.dynamic_image, dynamic_image_of(*image));
  }
  return out;
}

Result<Surroundings> surroundings_of(const std::multimap<std::string, std::string>& options) {
  Surroundings out;
  for (auto [it, end] = options.equal_range("context"); it != end; ++it) {
    NPUBIN_TRY(const Bytes bytes, open_bounded(it->second));
    NPUBIN_TRY(out, surroundings_of_json(std::string(bytes.text())));
  }
  NPUBIN_CHECK(apply_options(options, out));
  return out;
}

}  // namespace npubin::aipp
