// Broken files get the verdict of their case, within time and without a crash.
#include "cases.h"
#include "support/work_limit.h"

namespace npubin::test {
namespace {

// "reject", "warn" or "accept": what loading says, at the latest when the graph is asked for.
std::string verdict_of(const fs::path& file, std::string& detail) {
  auto artifact = read_armnn(file);
  if (!artifact) {
    detail = to_string(artifact.error());
    return "reject";
  }
  Diagnostics findings;
  (*artifact)->validate({}, findings);
  detail = text_of(findings);
  Diagnostics again;
  const bool graph = dynamic_cast<const graph::GraphSource&>(**artifact).graph(again).has_value();
  EXPECT_EQ(graph, !findings.has_errors()) << "check and run disagree about " << name_of(file);
  if (!graph) return "reject";
  return findings.has_warnings() ? "warn" : "accept";
}

TEST(ArmnnInvalid, EveryCaseGetsItsVerdict) {
  std::size_t seen = 0;
  for (const fs::path& file : armnn_files("invalid")) {
    SCOPED_TRACE(name_of(file));
    const auto expected = read_json(file.parent_path() / "case.json");
    const WorkLimit limit(2.0);
    std::string detail;
    const std::string verdict = verdict_of(file, detail);
    ++seen;
    if (expected["verdict"] == "any") continue;
    // What only an input can trigger is the executor's; the file itself is sound.
    std::vector<std::string> passing{expected["stage"] == "run" ? "accept"
                                                                : expected["verdict"].get<std::string>()};
    if (expected.contains("alsoAccepted"))
      for (const auto& other : expected["alsoAccepted"]) passing.push_back(other);
    EXPECT_NE(std::find(passing.begin(), passing.end(), verdict), passing.end())
        << "verdict " << verdict << ", expected " << expected["verdict"] << " (" << expected["what"] << ")\n"
        << detail;
  }
  EXPECT_GT(seen, 20u);
}

TEST(ArmnnInvalid, NoPrefixAndNoFlippedByteOfAGoodFileDoesHarm) {
  const auto files = armnn_files("layers");
  ASSERT_FALSE(files.empty());
  const Bytes good = read_bytes(files.front());
  for (std::size_t size = 0; size < good.size(); size += 3) {
    auto cut = armnn::ArmnnDocument::read(good.slice(0, size), {});
    if (!cut) continue;
    Diagnostics findings;
    (*cut)->validate({}, findings);
  }
  for (std::size_t at = 0; at < good.size(); ++at) {
    std::vector<std::byte> copy(good.span().begin(), good.span().end());
    copy[at] ^= std::byte{0xFF};
    auto changed = armnn::ArmnnDocument::read(Bytes::own(std::move(copy)), {});
    if (!changed) continue;
    Diagnostics findings;
    (*changed)->validate({}, findings);
    (void)(*changed)->describe({});
    (void)(*changed)->map();
  }
}

}  // namespace
}  // namespace npubin::test
