// Golden tests of the command line: a folder per case in tests/cli/cases with
//   cmd      the arguments; a line "cd DIR" first changes to tests/data/DIR; $OUT is an empty folder
//   stdout   what is printed exactly ("<version>" stands for the version)
//   stderr   likewise (absent: nothing)
//   code     the exit code (absent: 0)
// NPUBIN_UPDATE=1 rewrites the expectations; review the diff.
#include <sys/wait.h>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "support/data.h"

namespace npubin::test {
namespace {

void spill(const fs::path& file, const std::string& text) {
  if (text.empty()) {
    fs::remove(file);
    return;
  }
  std::ofstream(file, std::ios::binary) << text;
}

std::string replace_all(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; !from.empty() && (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

struct Outcome {
  std::string out, err;
  int code = 0;
};

Outcome run_case(const fs::path& folder) {
  TemporaryFolder scratch;
  std::string command = read_text(folder / "cmd");
  fs::path directory = folder;
  if (command.rfind("cd ", 0) == 0) {
    const std::size_t end = command.find('\n');
    directory = own_data(command.substr(3, end - 3));
    command = command.substr(end + 1);
  }
  command = replace_all(command, "npubin", NPUBIN_PROGRAM);
  const fs::path out = scratch.path() / "stdout", err = scratch.path() / "stderr";
  fs::create_directory(scratch.path() / "out");
  const std::string shell = "cd '" + directory.string() + "' && export OUT='" +
                            (scratch.path() / "out").string() + "' NO_COLOR=1 && { " + command + "\n} >'" +
                            out.string() + "' 2>'" + err.string() + "'";
  const int status = std::system(shell.c_str());
  auto clean = [&](const fs::path& file) {
    return replace_all(replace_all(read_text(file), (scratch.path() / "out").string(), "$OUT"),
                       NPUBIN_VERSION_TEXT, "<version>");
  };
  return {clean(out), clean(err), WIFEXITED(status) ? WEXITSTATUS(status) : -1};
}

class Golden : public testing::TestWithParam<fs::path> {};

TEST_P(Golden, CommandLine) {
  const fs::path folder = GetParam();
  const Outcome outcome = run_case(folder);
  if (std::getenv("NPUBIN_UPDATE") != nullptr) {
    spill(folder / "stdout", outcome.out);
    spill(folder / "stderr", outcome.err);
    spill(folder / "code", outcome.code == 0 ? "" : std::to_string(outcome.code) + "\n");
    return;
  }
  const std::string code = read_text(folder / "code");
  EXPECT_EQ(outcome.out, read_text(folder / "stdout"));
  EXPECT_EQ(outcome.err, read_text(folder / "stderr"));
  EXPECT_EQ(outcome.code, code.empty() ? 0 : std::stoi(code));
}

std::string name_of(const testing::TestParamInfo<fs::path>& info) {
  std::string name = info.param.filename().string();
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Cases, Golden, testing::ValuesIn(case_folders(fs::path(NPUBIN_CLI_CASES))), name_of);

}  // namespace
}  // namespace npubin::test
