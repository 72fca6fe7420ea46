// docs/diagnostics.md, the tables of findings and the codes used in the source must agree.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <regex>
#include <set>

#include <gtest/gtest.h>

#include "npubin/artifact.h"
#include "support/data.h"

namespace npubin::test {
namespace {

const fs::path kSource = fs::path(NPUBIN_CLI_CASES) / ".." / ".." / "..";

std::set<std::string> documented() {
  std::set<std::string> out;
  for (const CodeTable& table : code_tables())
    for (const DiagnosticCode& row : table.codes) {
      EXPECT_TRUE(out.emplace(row.code).second) << row.code << " stands twice";
      EXPECT_FALSE(row.title.empty() || row.why.empty() || row.remedy.empty())
          << row.code << " says too little";
      EXPECT_NE(row.title.back(), '.') << row.code << ": the title ends with a full stop";
    }
  return out;
}

TEST(Diagnostics, EveryCodeInTheSourceIsInATable) {
  const std::set<std::string> known = documented();
  const std::regex pattern("\"((?:HEF|ARM|AIP|NPB|ETU|TFL|GEN)-[0-9]{4})\"");
  for (const auto& entry : fs::recursive_directory_iterator(kSource / "src")) {
    if (entry.path().extension() != ".cpp" && entry.path().extension() != ".h") continue;
    const std::string text = read_text(entry.path());
    for (std::sregex_iterator it(text.begin(), text.end(), pattern), end; it != end; ++it)
      EXPECT_EQ(known.count((*it)[1]), 1u)
          << (*it)[1] << " in " << entry.path().filename() << " has no row in a table";
  }
}

TEST(Diagnostics, DocumentationIsThatOfTheTables) {
  const fs::path page = kSource / "docs" / "diagnostics.md";
  TemporaryFolder scratch;
  const fs::path made = scratch.path() / "diagnostics.md";
  ASSERT_EQ(std::system(("'" NPUBIN_PROGRAM "' explain --markdown >'" + made.string() + "'").c_str()), 0);
  if (std::getenv("NPUBIN_UPDATE") != nullptr)
    fs::copy_file(made, page, fs::copy_options::overwrite_existing);
  EXPECT_EQ(read_text(page), read_text(made)) << "run with NPUBIN_UPDATE=1 and review the difference";
}

}  // namespace
}  // namespace npubin::test
