// The sub-commands of `npubin aipp`, one file each.
#pragma once

#include "cli/verb.h"

namespace npubin::cli {

void define_aipp_new(OptionSet& parent, Action& action);
void define_aipp_compare(OptionSet& parent, Action& action);
void define_aipp_params(OptionSet& parent, Action& action);

// "1920x1080": width and height. Error: Usage, naming the option.
Result<std::pair<std::int32_t, std::int32_t>> parse_size(const std::string& text, const std::string& option);
// "0.485,0.456,0.406". Error: Usage, naming the option.
Result<std::vector<double>> parse_numbers(const std::string& text, const std::string& option);

}  // namespace npubin::cli
