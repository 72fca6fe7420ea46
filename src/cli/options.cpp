#include "cli/options.h"

#include <cmath>
#include <cstdlib>
#include <optional>
#include <type_traits>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

namespace npubin::cli {
namespace {

// The whole text as a finite number.
std::optional<double> number_of(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || end != text.c_str() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

// What the parser would take although it means nothing: NaN and infinity for a number, -1 for a count.
template <class T>
void refuse_nonsense(CLI::Option& option) {
  if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double> ||
                std::is_same_v<T, std::vector<float>> || std::is_same_v<T, std::vector<double>>)
    option.check([](const std::string& text) -> std::string {
      return number_of(text) ? std::string() : fmt::format("{} is not a finite number", text);
    });
  if constexpr (std::is_unsigned_v<T> && !std::is_same_v<T, bool>)
    option.check([](const std::string& text) -> std::string {
      return text.find('-') == std::string::npos ? std::string() : fmt::format("{} is below 0", text);
    });
}

}  // namespace

Option* Option::required() {
  option_->required();
  return this;
}
Option* Option::range(double lowest, double highest) {
  const std::string name = fmt::format("{}..{}", lowest, highest);
  option_->check(CLI::Validator(
      [lowest, highest, name](std::string& text) -> std::string {
        const std::optional<double> value = number_of(text);
        if (value && *value >= lowest && *value <= highest) return {};
        return fmt::format("{} is not in {}", text, name);
      },
      name));
  return this;
}
Option* Option::one_of(std::initializer_list<const char*> values) {
  option_->check(CLI::IsMember(std::vector<std::string>(values.begin(), values.end())));
  return this;
}
Option* Option::delimiter(char separator) {
  option_->delimiter(separator);
  return this;
}
Option* Option::allow_extra_args(bool allow) {
  option_->allow_extra_args(allow);
  return this;
}

OptionSet::OptionSet(CLI::App& app) : app_(app) {}
OptionSet::~OptionSet() = default;

Option* OptionSet::keep(CLI::Option* option) {
  return options_.emplace_back(std::make_unique<Option>(option)).get();
}

template <class T>
Option* OptionSet::add_option(const std::string& name, T& target, const std::string& help) {
  CLI::Option* option = app_.add_option(name, target, help);
  refuse_nonsense<T>(*option);
  return keep(option);
}
template Option* OptionSet::add_option(const std::string&, std::string&, const std::string&);
template Option* OptionSet::add_option(const std::string&, bool&, const std::string&);
template Option* OptionSet::add_option(const std::string&, int&, const std::string&);
template Option* OptionSet::add_option(const std::string&, std::int64_t&, const std::string&);
template Option* OptionSet::add_option(const std::string&, std::uint32_t&, const std::string&);
template Option* OptionSet::add_option(const std::string&, std::uint64_t&, const std::string&);
template Option* OptionSet::add_option(const std::string&, float&, const std::string&);
template Option* OptionSet::add_option(const std::string&, double&, const std::string&);
template Option* OptionSet::add_option(const std::string&, std::vector<std::string>&, const std::string&);
template Option* OptionSet::add_option(const std::string&, std::vector<int>&, const std::string&);
template Option* OptionSet::add_option(const std::string&, std::vector<std::int64_t>&, const std::string&);
template Option* OptionSet::add_option(const std::string&, std::vector<float>&, const std::string&);
template Option* OptionSet::add_option(const std::string&, std::vector<double>&, const std::string&);

Option* OptionSet::add_flag(const std::string& name, bool& target, const std::string& help) {
  return keep(app_.add_flag(name, target, help));
}
Option* OptionSet::add_flag(const std::string& name, int& target, const std::string& help) {
  return keep(app_.add_flag(name, target, help));
}

Option* OptionSet::add_option_function(const std::string& name,
                                       std::function<void(const std::vector<std::string>&)> take,
                                       const std::string& help) {
  return keep(app_.add_option_function<std::vector<std::string>>(name, std::move(take), help)
                  ->allow_extra_args(false)
                  ->take_all());
}

OptionSet& OptionSet::add_group(const std::string& title) {
  return *children_.emplace_back(std::make_unique<OptionSet>(*app_.add_option_group(title)));
}

OptionSet& OptionSet::add_subcommand(const std::string& name, const std::string& summary,
                                     const std::string& footer) {
  CLI::App* sub = app_.add_subcommand(name, summary);
  if (!footer.empty()) sub->footer(footer);
  return *children_.emplace_back(std::make_unique<OptionSet>(*sub));
}

void OptionSet::require_subcommand() {
  app_.require_subcommand(1);
}
void OptionSet::callback(std::function<void()> chosen) {
  app_.callback(std::move(chosen));
}

std::vector<std::string> OptionSet::given() const {
  std::vector<std::string> out;
  for (const CLI::Option* option : app_.get_options())
    if (option->count() > 0) out.push_back(option->get_name());
  return out;
}

}  // namespace npubin::cli
