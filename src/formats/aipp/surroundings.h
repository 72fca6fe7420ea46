// What a check has to know beside the config: the chip, the network's inputs, ATC's other options.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "npubin/aipp.h"
#include "npubin/result.h"

namespace npubin::aipp {

struct NetworkInputFacts {
  std::string name;
  std::int64_t n = 1, c = 0, h = 0, w = 0;
  std::string dtype;                      // "float16", "uint8", "int8", ...; empty: not known
  std::optional<std::int64_t> out_edges;  // consumers of the input
};

struct DynamicImage {
  InputFormat format = InputFormat::Undefined;
  std::int64_t w = 0, h = 0;
};

struct Surroundings {
  std::string soc;        // as given; empty: not known
  std::string framework;  // lower case; empty: not known
  std::optional<std::vector<NetworkInputFacts>> inputs;
  bool dynamic_image_size = false;
  std::vector<std::string> input_fp16_nodes;
  std::optional<DynamicImage> dynamic_image;
  std::vector<std::int64_t> batch_list;  // --dynamic_batch_size
};

// From the command line's options by name ("soc", "network-shape", "context", ...). "context" names a JSON
// file, the rest are single values that override it. Error: Usage, or Io for the file.
Result<Surroundings> surroundings_of(const std::multimap<std::string, std::string>& options);
// The JSON of --context.
Result<Surroundings> surroundings_of_json(const std::string& json);

// "[NAME:]N,C,H,W"
Result<NetworkInputFacts> parse_network_shape(const std::string& text);

// The chips of aipp spec 3, by family.
enum class ChipFamily : std::uint8_t { Unknown, Ascend310, Ascend610, Ascend710, Ascend615, Hi3796, Current };
// By name in any case: "Ascend310", "ascend310P3", "Hi3796CV300ES", "910B". nullopt: not known.
std::optional<ChipFamily> chip_family(std::string_view soc);
// Their names, for messages.
inline constexpr std::string_view kKnownChips =
    "Ascend310, 310P, 310B, 610, 615, 710, 910, 910B, Hi3796CV300ES, Hi3796CV300CS";
// Error (Usage): the chip is not known; `option` is where the name was given. Empty names are fine.
Result<void> check_soc(const std::string& soc, const char* option);
bool chip_takes(ChipFamily family, InputFormat format);

}  // namespace npubin::aipp
