// The broken streams of nets/invalid: verdict and word offset of each.
#include "streams.h"

namespace npubin::test {
namespace {

TEST(Invalid, VerdictAndWordOffset) {
  std::size_t count = 0;
  for (const auto& folder : case_folders(best_data("nets/invalid"))) {
    const auto expected = read_json(folder / "case.json");
    const auto artifact = open(folder / expected["file"].get<std::string>());
    ASSERT_TRUE(artifact);
    Diagnostics findings;
    artifact->validate({}, findings);
    const bool error = expected["verdict"] == "error";
    std::string all;
    bool placed = expected["word_offset"].is_null();
    for (const Diagnostic& f : findings.findings()) {
      all += "  " + to_string(Error{ErrorKind::Malformed, f.code, {}, f.where, f.message, {}}) + "\n";
      const bool severe = f.severity == (error ? Severity::Error : Severity::Warning);
      if (!placed && severe && f.where.word_offset == expected["word_offset"].get<std::uint64_t>())
        placed = true;
    }
    EXPECT_EQ(findings.has_errors(), error) << folder << "\n" << all;
    EXPECT_TRUE(error || findings.has_warnings()) << folder << "\n" << all;
    EXPECT_TRUE(placed) << folder << " wants word " << expected["word_offset"].dump() << "\n" << all;
    ++count;
  }
  EXPECT_GE(count, 20u);
}

}  // namespace
}  // namespace npubin::test
