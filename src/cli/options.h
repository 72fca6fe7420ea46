// Declaring options without seeing the parser behind it: its header is compiled in one place only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace npubin::cli {

// One declared option; chainable.
class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}
  Option* required();
  // Both ends belong to the range; NaN does not.
  Option* range(double lowest, double highest);
  Option* one_of(std::initializer_list<const char*> values);
  Option* delimiter(char separator);  // "1,2,3" is three values
  // false: a repeatable option takes one value at a time, so that what follows it is not swallowed.
  Option* allow_extra_args(bool allow);

 private:
  CLI::Option* option_;
};

// The options of a verb, a sub-verb or a group.
class OptionSet {
 public:
  explicit OptionSet(CLI::App& app);
  ~OptionSet();
  OptionSet(const OptionSet&) = delete;
  OptionSet& operator=(const OptionSet&) = delete;

  // "--name,-n" is an option, "NAME" a positional argument. T: std::string, bool, int, std::int64_t,
  // std::uint32_t, std::uint64_t, float, double, or a std::vector of std::string, int, std::int64_t, float,
  // double.
  template <class T>
  Option* add_option(const std::string& name, T& target, const std::string& help);
  // An int counts how often the flag is given.
  Option* add_flag(const std::string& name, bool& target, const std::string& help);
  Option* add_flag(const std::string& name, int& target, const std::string& help);
  // Called with all values given, before the verb runs.
  Option* add_option_function(const std::string& name,
                              std::function<void(const std::vector<std::string>&)> take,
                              const std::string& help);

  OptionSet& add_group(const std::string& title);
  OptionSet& add_subcommand(const std::string& name, const std::string& summary,
                            const std::string& footer = {});
  void require_subcommand();
  // Runs when the verb (or sub-verb) was chosen and its options are read.
  void callback(std::function<void()> chosen);
  // The options of this set that were given on the command line: "--region".
  std::vector<std::string> given() const;

 private:
  Option* keep(CLI::Option* option);

  CLI::App& app_;
  std::vector<std::unique_ptr<Option>> options_;
  std::vector<std::unique_ptr<OptionSet>> children_;
};

}  // namespace npubin::cli
