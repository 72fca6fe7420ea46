#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/verb.h"

namespace {

constexpr const char* kFooter =
    "Exit codes: 0 fine; 1 check found an error, a comparison a difference, or a file that is shown is "
    "truncated;\n"
    "2 wrong usage; 3 the file cannot be opened, recognised or read, or asks for what is refused.\n"
    "With --json an error is an object on standard output: {\"schema\", \"error\": {\"kind\", \"message\", "
    "...}}.\n"
    "`npubin VERB --help` shows the options and examples of a verb.";

bool is_verb(std::string_view name) {
  for (const npubin::cli::Verb& verb : npubin::cli::verbs())
    if (verb.name == name) return true;
  return false;
}

// As far as it can be told without reading the options, which may be wrong.
npubin::cli::Invocation invocation_of(const CLI::App& app, int argc, char** argv) {
  npubin::cli::Invocation out;
  const CLI::App* at = &app;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--") break;
    out.json = out.json || word == "--json";
    if (i > 2 || out.verb.size() + 1 < static_cast<std::size_t>(i)) continue;
    for (const CLI::App* sub : at->get_subcommands(nullptr))
      if (sub->get_name() == word) {
        out.verb += fmt::format("{}{}", out.verb.empty() ? "" : ".", word);
        at = sub;
        break;
      }
  }
  return out;
}

// Single letters to change, insert, drop or exchange between two words.
std::size_t edits_between(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i)
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        cost[i][j] = i + j;
        continue;
      }
      cost[i][j] = std::min(
          {cost[i - 1][j] + 1, cost[i][j - 1] + 1, cost[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0u : 1u)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
    }
  return cost[a.size()][b.size()];
}

// What to do about a word that is no verb.
std::string meant(const std::string& word) {
  std::error_code ignored;
  if (std::filesystem::exists(word, ignored))
    return fmt::format("it is a file: npubin inspect {} shows what is in it", word);
  if (word.size() < 32)
    for (const npubin::cli::Verb& verb : npubin::cli::verbs())
      if (edits_between(word, verb.name) <= (verb.name.size() > 4 ? 2 : 1))
        return fmt::format("was {} meant? npubin --help lists them", verb.name);
  return "npubin --help lists them";
}

int usage(std::string message, std::string hint) {
  return npubin::cli::report(npubin::usage_error(std::move(message), std::move(hint)).value());
}

int run(int argc, char** argv) {
  CLI::App app{"npubin: open, check, list, write, compare and run the files of neural-network accelerators",
               "npubin"};
  app.set_version_flag("--version", std::string("npubin ") + NPUBIN_VERSION);
  app.footer(kFooter);
  app.require_subcommand(1);
  npubin::cli::Action action;
  std::vector<std::unique_ptr<npubin::cli::OptionSet>> sets;
  for (const npubin::cli::Verb& verb : npubin::cli::verbs()) {
    CLI::App* sub = app.add_subcommand(std::string(verb.name), std::string(verb.summary));
    if (!verb.examples.empty()) sub->footer("Examples:\n" + std::string(verb.examples));
    verb.define(*sets.emplace_back(std::make_unique<npubin::cli::OptionSet>(*sub)), action);
  }
  const npubin::cli::Invocation invocation = invocation_of(app, argc, argv);
  npubin::cli::set_invocation(invocation);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& done) {
    return app.exit(done);
  } catch (const CLI::ParseError& error) {
    if (argc > 1 && argv[1][0] != '-' && !is_verb(argv[1]))
      return usage(fmt::format("there is no verb '{}'", argv[1]), meant(argv[1]));
    std::string verb = invocation.verb;
    std::replace(verb.begin(), verb.end(), '.', ' ');
    return usage(error.what(),
                 fmt::format("npubin {}{}--help shows the options", verb, verb.empty() ? "" : " "));
  }
  return action ? action() : npubin::cli::kUsage;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::bad_alloc&) {
    return npubin::cli::report(npubin::refused("there is not enough memory for this").value());
  } catch (const std::exception& error) {
    return npubin::cli::report(
        npubin::refused(fmt::format("internal error: {}", error.what()), "please report it with the file")
            .value());
  }
}
