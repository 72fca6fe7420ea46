// The rules of a config (aipp spec 1 to 3 and 7), in tables of functions: one function, one subject.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "formats/aipp/config.h"
#include "formats/aipp/findings.h"
#include "formats/aipp/surroundings.h"
#include "npubin/diagnostics.h"
#include "vision/aipp/csc_standards.h"

namespace npubin::aipp {

// One block with all that a rule may ask.
struct BlockCase {
  const Config& config;
  const Block& block;
  std::size_t index;
  const Surroundings& surroundings;
  const NetworkInputFacts* input = nullptr;  // nullptr: not known
  const FormatFacts* format = nullptr;       // nullptr: undefined or not in the schema
  std::optional<ChipFamily> chip;

  // Pixels of the source: the block's, or the network's where it says 0. nullopt: not known.
  std::optional<std::int64_t> source(bool horizontal) const;
  // What goes into resize, padding or the network. nullopt: not known.
  std::optional<std::int64_t> cropped(bool horizontal) const;
  std::optional<std::int64_t> network(bool horizontal) const;
  bool is_static() const { return !block.is_dynamic(); }
  bool fixed_size() const { return !surroundings.dynamic_image_size; }
};

class Report {
 public:
  Report(const BlockCase& block_case, Diagnostics& out) : case_(block_case), out_(out) {}
  void add(std::string_view code, FieldId field, std::string message, std::string hint = {});
  // At another occurrence than the field's last one.
  void add_at(std::string_view code, FieldId field, const Occurrence& where, std::string message,
              std::string hint = {});

 private:
  const BlockCase& case_;
  Diagnostics& out_;
};

using BlockRule = void (*)(const BlockCase& block_case, Report& report);
std::span<const BlockRule> ge_rules();
std::span<const BlockRule> op_size_rules();
std::span<const BlockRule> op_value_rules();
std::span<const BlockRule> lint_rules();

// All rules over all blocks, in the order in which the vendor's tools would get to them.
void check_config(const Config& config, const Surroundings& surroundings, Diagnostics& out);

}  // namespace npubin::aipp
