// Every validation case: verdict, stage, field and line as given.
#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "npubin/artifact.h"
#include "support/data.h"

namespace npubin {
namespace {

using nlohmann::json;

struct Place {
  std::string field;
  std::uint32_t line = 0;
  bool operator==(const Place&) const = default;
};

Place place_of(const json& object) {
  Place out;
  if (object.at("field").is_string()) out.field = object.at("field");
  if (object.at("line").is_number()) out.line = object.at("line");
  return out;
}

std::vector<Place> allowed_places(const json& expected) {
  std::vector<Place> out{place_of(expected)};
  for (const json& other : expected.at("alt")) out.push_back(place_of(other));
  return out;
}

// The context is handed over as the command line does: as a file.
Diagnostics check(const test::fs::path& folder, const json& expected) {
  test::TemporaryFolder scratch;
  const std::string context = (scratch.path() / "context.json").string();
  Diagnostics out;
  EXPECT_TRUE(write_file(context, expected.at("context").dump()).has_value());
  auto artifact = open_artifact((folder / "aipp.cfg").string(), "aipp");
  if (!artifact) {
    ADD_FAILURE() << to_string(artifact.error());
    return out;
  }
  CheckOptions options;
  options.context.emplace("context", context);
  (*artifact)->validate(options, out);
  return out;
}

std::string listing(const Diagnostics& findings) {
  std::string out;
  for (const Diagnostic& d : findings.findings())
    out += fmt::format("\n    {} {} {} {} line {}: {}", to_string(d.severity), d.code, to_string(d.stage),
                       d.field, d.where.line.value_or(0), d.message);
  return out;
}

class CheckCase : public testing::TestWithParam<test::fs::path> {};

TEST_P(CheckCase, SaysWhatIsWrongAndWhere) {
  const json expected = test::read_json(GetParam() / "case.json");
  const Diagnostics findings = check(GetParam(), expected);
  const std::string verdict = findings.has_errors() ? "error" : findings.has_warnings() ? "warn" : "ok";
  const std::string wanted = expected.at("verdict");
  const json& also = expected.at("also_ok");
  EXPECT_TRUE(verdict == wanted || std::find(also.begin(), also.end(), verdict) != also.end())
      << verdict << " instead of " << wanted << listing(findings);
  if (wanted == "ok" || verdict != wanted) return;

  // The case breaks one rule: every finding of the verdict's severity has to be about it.
  const Severity severity = wanted == "error" ? Severity::Error : Severity::Warning;
  const std::vector<Place> allowed = allowed_places(expected);
  for (const Diagnostic& d : findings.findings()) {
    if (d.severity != severity) continue;
    EXPECT_EQ(to_string(d.stage), expected.at("stage").get<std::string>()) << listing(findings);
    EXPECT_NE(std::find(allowed.begin(), allowed.end(), Place{d.field, d.where.line.value_or(0)}),
              allowed.end())
        << "wanted " << allowed[0].field << " line " << allowed[0].line << listing(findings);
    if (expected.at("code").is_string()) {
      EXPECT_EQ(d.vendor.code, expected.at("code").get<std::string>());
    }
    EXPECT_FALSE(d.message.empty());
  }
}

std::string name_of(const testing::TestParamInfo<test::fs::path>& info) {
  std::string name = info.param.filename().string();
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(Validate, CheckCase,
                         testing::ValuesIn(test::case_folders(test::best_data("aipp/validate"))), name_of);

}  // namespace
}  // namespace npubin
