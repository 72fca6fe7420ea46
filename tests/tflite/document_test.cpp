// The document: every model of the collections opens, checks clean and is explained to the last byte.
#include "formats/tflite/document.h"

#include <gtest/gtest.h>

#include "support/data.h"

namespace npubin::tflite {
namespace {

std::vector<test::fs::path> all_models() {
  std::vector<test::fs::path> out;
  for (const char* sub : {"tflite/cases", "nets/cases", "ethos", "face", "mobilenet_v2", "armnn/models"}) {
    const test::fs::path folder = test::best_data(sub);
    if (!test::fs::exists(folder)) continue;
    for (const auto& entry : test::fs::recursive_directory_iterator(folder))
      if (entry.path().extension() == ".tflite") out.push_back(entry.path());
  }
  std::sort(out.begin(), out.end());
  return out;
}

const TfliteDocument& as_document(const Artifact& artifact) {
  return dynamic_cast<const TfliteDocument&>(artifact);
}

TEST(TfliteDocument, EveryModelOpensChecksCleanAndIsMappedToTheLastByte) {
  const auto models = all_models();
  ASSERT_FALSE(models.empty());
  for (const auto& file : models) {
    SCOPED_TRACE(file.string());
    auto artifact = open_artifact(file.string());
    ASSERT_TRUE(artifact) << to_string(artifact.error());
    EXPECT_EQ((*artifact)->format(), "tflite");
    Diagnostics findings;
    (*artifact)->validate({}, findings);
    for (const Diagnostic& finding : findings.findings())
      EXPECT_NE(finding.severity, Severity::Error) << finding.code << ": " << finding.message;
    auto map = (*artifact)->map();
    ASSERT_TRUE(map) << to_string(map.error());
    // This one holds an operator code (18 bytes at 0x9418) that no vector refers to.
    const bool orphan = file.parent_path().filename() == "armnn_mock_model";
    EXPECT_EQ(map->unexplained_bytes(), orphan ? 18u : 0u);
    EXPECT_TRUE((*artifact)->describe({}));
    auto written = (*artifact)->write();
    ASSERT_TRUE(written);
    EXPECT_TRUE(std::equal(written->begin(), written->end(), (*artifact)->bytes().span().begin(),
                           (*artifact)->bytes().span().end()));
  }
  std::printf("[   DATA   ] %zu models\n", models.size());
}

TEST(TfliteDocument, EthosUOperatorsAreFoundWithTheirOperands) {
  auto artifact = open_artifact((test::best_data("ethos/op_add8") / "u55-256.tflite").string());
  ASSERT_TRUE(artifact) << to_string(artifact.error());
  const TfliteDocument& document = as_document(**artifact);
  ASSERT_EQ(document.subgraphs().size(), 1u);
  const SubgraphView& graph = document.subgraphs()[0];
  ASSERT_EQ(graph.operators.size(), 1u);
  const OperatorView& op = graph.operators[0];
  ASSERT_TRUE(op.code->is_custom("ethos-u"));
  ASSERT_GE(op.inputs.size(), 5u);
  const TensorView& stream = graph.tensors[static_cast<std::size_t>(op.inputs[0])];
  const ByteSpan payload = document.constant_bytes(stream);
  ASSERT_GE(payload.size(), 4u);
  EXPECT_EQ(load<std::uint32_t>(payload.data()), 0x31504f43u);  // "COP1"
  EXPECT_EQ(document.buffers()[stream.buffer].offset + 0,
            static_cast<std::uint64_t>(payload.data() - document.bytes().data()));
  ASSERT_TRUE(document.metadata_bytes("OfflineMemoryAllocation"));
  EXPECT_TRUE(document.metadata_bytes("vela_version"));
  EXPECT_FALSE(document.metadata_bytes("no such entry"));
  EXPECT_EQ(document.description(), "Vela 3.10.0 Optimised");
}

TEST(TfliteDocument, BuffersBehindTheFlatBufferAreConstantsLikeOthers) {
  auto artifact =
      open_artifact((test::best_data("tflite/cases") / "container_offset_buffers/model.tflite").string());
  ASSERT_TRUE(artifact) << to_string(artifact.error());
  const TfliteDocument& document = as_document(**artifact);
  std::size_t behind = 0;
  for (const BufferView& buffer : document.buffers()) {
    if (!buffer.behind_flatbuffer) continue;
    ++behind;
    EXPECT_EQ(buffer.data.data(), document.bytes().data() + buffer.offset);
  }
  EXPECT_GT(behind, 0u);
}

TEST(TfliteDocument, CutAtAnyPlaceIsRefusedOrReportedNeverRead) {
  const Bytes whole = test::read_bytes(test::best_data("tflite/cases") / "add_i8_ratio/model.tflite");
  for (std::size_t size = 0; size < whole.size(); ++size) {
    std::vector<std::byte> cut(whole.span().begin(),
                               whole.span().begin() + static_cast<std::ptrdiff_t>(size));
    auto artifact = TfliteDocument::read(Bytes::own(std::move(cut)), {});
    if (!artifact) {
      EXPECT_FALSE(artifact.error().code.empty());
      continue;
    }
    Diagnostics findings;
    (*artifact)->validate({}, findings);
    (void)(*artifact)->describe({});
    (void)(*artifact)->map();
  }
}

}  // namespace
}  // namespace npubin::tflite
