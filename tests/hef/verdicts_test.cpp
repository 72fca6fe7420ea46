// Every case gets its verdict.
#include <set>

#include <gtest/gtest.h>

#include "hef_cases.h"
#include "support/work_limit.h"

namespace npubin::hef::test {
namespace {

Diagnostics findings_of(const npubin::test::fs::path& file, const CheckOptions& options = {}) {
  Diagnostics out;
  if (auto artifact = open_file(file)) artifact->validate(options, out);
  return out;
}

std::string verdict_of(const Diagnostics& findings) {
  return findings.has_errors() ? "reject" : findings.has_warnings() ? "warn" : "accept";
}

std::string listing(const Diagnostics& findings) {
  std::string out;
  for (const Diagnostic& finding : findings.findings())
    out += std::string(to_string(finding.severity)) + " " + finding.code + " " + to_string(finding.where) +
           ": " + finding.message + "\n";
  return out;
}

TEST(Verdicts, EveryCase) {
  for (const HefCase& c : cases()) {
    SCOPED_TRACE(c.name);
    const npubin::test::WorkLimit limit(1.0);
    const Diagnostics findings = findings_of(c.folder / "model.hef");
    std::set<std::string> allowed{c.expect["verdict"]};
    if (c.expect.contains("also_accepted_verdict")) allowed.insert(c.expect["also_accepted_verdict"]);
    if (c.expect.contains("facts") &&
        !c.expect["facts"].value("hailort_5_2_refuses", nlohmann::json::array()).empty())
      allowed.insert("reject");
    EXPECT_TRUE(allowed.contains(verdict_of(findings))) << c.name << " is " << verdict_of(findings) << "\n"
                                                        << listing(findings);
  }
}

// The stage of the first error (or warning) is the stage that the case states. Depth and UTF-8 are semantic
// in the cases and found on the wire here.
TEST(Verdicts, Stage) {
  for (const HefCase& c : cases()) {
    if (!c.expect.contains("stage")) continue;
    const Diagnostics findings = findings_of(c.folder / "model.hef");
    std::set<std::string> stages;
    for (const Diagnostic& finding : findings.findings())
      if (finding.severity != Severity::Info) stages.insert(std::string(to_string(finding.stage)));
    if (stages.empty()) continue;
    const std::string stage = c.expect["stage"];
    const bool found = stages.contains(stage) || (stage == "semantic" && stages.contains("wire"));
    EXPECT_TRUE(found) << c.name << " expects " << stage << "\n" << listing(findings);
  }
}

TEST(Verdicts, RealFilesAreClean) {
  const auto files = real_files();
  if (files.empty()) GTEST_SKIP() << "the real files are not part of the project";
  for (const auto& file : files) {
    const Diagnostics findings = findings_of(file.string() + ".hef");
    EXPECT_EQ(verdict_of(findings), "accept") << file << "\n" << listing(findings);
  }
}

TEST(Verdicts, EveryCodeIsInTheTable) {
  std::set<std::string_view> known;
  std::string_view last;
  for (const DiagnosticCode& code : diagnostic_codes()) {
    EXPECT_LT(last, code.code);
    last = code.code;
    known.insert(code.code);
  }
  for (const HefCase& c : cases()) {
    const Diagnostics findings = findings_of(c.folder / "model.hef");
    for (const Diagnostic& finding : findings.findings())
      EXPECT_TRUE(known.contains(finding.code)) << finding.code;
  }
}

std::string answer(const npubin::test::fs::path& file, const std::string& target,
                   const std::string& runtime) {
  CheckOptions options;
  options.target = target;
  options.runtime = runtime;
  const Diagnostics findings = findings_of(file, options);
  return findings.findings().empty() ? "" : findings.findings().front().message;
}

TEST(Verdicts, TargetAndRuntime) {
  const auto folder = npubin::test::best_data("hef/cases");
  const auto h8 = folder / "header_v1_hailo8p__s2" / "model.hef";
  const auto h15 = folder / "header_v3_hailo1xh__s4" / "model.hef";
  const auto h8l = folder / "partial_hailo8l_coreop__s37" / "model.hef";
  EXPECT_TRUE(answer(h8, "hailo8", "").starts_with("Yes"));
  EXPECT_TRUE(answer(h8, "hailo8l", "").starts_with("No"));
  EXPECT_TRUE(answer(h8l, "hailo8", "").starts_with("Yes"));
  EXPECT_TRUE(answer(h15, "hailo10h", "").starts_with("Yes"));
  EXPECT_TRUE(answer(h15, "hailo8", "").starts_with("No"));
  EXPECT_TRUE(answer(h8, "", "4.17").starts_with("No")) << "header version 1 came with 4.18";
  EXPECT_TRUE(answer(h8, "", "4.18").starts_with("Yes"));
  EXPECT_TRUE(answer(h8, "", "5.2").starts_with("No")) << "5.x does not serve the Hailo-8 family";
  EXPECT_TRUE(answer(h15, "", "5.2").starts_with("Yes"));
  EXPECT_TRUE(answer(h15, "", "4.23").starts_with("No"));
  EXPECT_TRUE(answer(h15, "hailo10h", "5.1").starts_with("Yes"));
}

}  // namespace
}  // namespace npubin::hef::test
