#include <cstdio>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include "cli/verb.h"

namespace {

constexpr const char* kFooter =
    "Exit codes: 0 fine; 1 check found an error, or a comparison a difference; 2 wrong usage; 3 the file "
    "cannot be\n"
    "opened, recognised or read, or asks for what is refused.\n"
    "`npubin VERB --help` shows the options and examples of a verb.";

bool is_verb(std::string_view name) {
  for (const npubin::cli::Verb& verb : npubin::cli::verbs())
    if (verb.name == name) return true;
  return false;
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
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& done) {
    return app.exit(done);
  } catch (const CLI::ParseError& error) {
    if (argc > 1 && argv[1][0] != '-' && !is_verb(argv[1])) {
      std::fprintf(stderr, "npubin: there is no verb '%s'\nRun npubin --help for the list.\n",
                   npubin::render::printable(argv[1]).c_str());
      return npubin::cli::kUsage;
    }
    std::fprintf(stderr, "npubin: %s\nRun npubin --help, or npubin VERB --help.\n", error.what());
    return npubin::cli::kUsage;
  }
  return action ? action() : npubin::cli::kUsage;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::bad_alloc&) {
    std::fputs("npubin: out of memory\n", stderr);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "npubin: internal error: %s; please report it with the file\n", error.what());
  }
  return npubin::cli::kFailed;
}
