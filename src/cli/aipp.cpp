// npubin aipp: what concerns AIPP configs alone.
#include "cli/aipp.h"

#include <charconv>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

namespace npubin::cli {

Result<std::vector<double>> parse_numbers(const std::string& text, const std::string& option) {
  std::vector<double> out;
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    double value = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + comma, value);
    if (error != std::errc() || end != rest.data() + comma || !std::isfinite(value))
      return usage_error(fmt::format("{} {}: a list of numbers is wanted", option, text),
                         "e.g. 0.485,0.456,0.406");
    out.push_back(value);
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return out;
}

Result<std::pair<std::int32_t, std::int32_t>> parse_size(const std::string& text, const std::string& option) {
  std::int32_t w = 0, h = 0;
  const char* end = text.data() + text.size();
  const auto [x, error] = std::from_chars(text.data(), end, w);
  const bool separated = error == std::errc() && x != end && (*x == 'x' || *x == 'X');
  const auto [stop, second] = separated ? std::from_chars(x + 1, end, h) : std::from_chars(end, end, h);
  if (!separated || second != std::errc() || stop != end || w <= 0 || h <= 0 || w > 65536 || h > 65536)
    return usage_error(fmt::format("{} {}: a size is wanted", option, text),
                       "width x height, e.g. 1920x1080");
  return std::pair{w, h};
}

namespace {

void define(OptionSet& app, Action& action) {
  app.require_subcommand();
  define_aipp_new(app, action);
  define_aipp_compare(app, action);
  define_aipp_params(app, action);
}

}  // namespace

extern const Verb kAipp;
const Verb kAipp{"aipp", "Ascend AIPP: write a config, hold it against training, parameter blocks",
                 "  npubin aipp new --help\n"
                 "  npubin aipp compare --help\n"
                 "  npubin aipp params --help",
                 define};

}  // namespace npubin::cli
