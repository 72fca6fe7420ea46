// The vendor's streams: every one decodes to its last weight, and is coded again in no more than 110 % of its
// size.
#include <gtest/gtest.h>

#include "ethosu/machine/machine.h"
#include "ethosu/weight_stream.h"
#include "ethosu/weights/codec.h"
#include "formats/tflite/document.h"
#include "formats/tflite/vela.h"
#include "support/data.h"

namespace npubin::test {
namespace {

using namespace ethosu;

struct Totals {
  std::uint64_t streams = 0, vendor = 0, ours = 0, weights = 0;
};

// Looks at the weights of every operation at the moment that the machine reaches it.
class WeightObserver final : public MachineObserver {
 public:
  WeightObserver(Accelerator accelerator, Totals& totals) : accelerator_(accelerator), totals_(totals) {}

  Result<void> before(const Operation& operation, const Memory& memory) override {
    if (!operation.uses_weights()) return {};
    NPUBIN_TRY(const ByteSpan stream, memory.read(operation.weights.region, operation.weights.address,
                                                  operation.weights.length, "weights"));
    const WeightGeometry geometry = weight_geometry(operation, accelerator_);
    NPUBIN_TRY(const DecodedWeights decoded, decode_weights(stream, geometry));
    EXPECT_EQ((decoded.bytes_consumed + 15) / 16 * 16, stream.size()) << "operation " << operation.index;
    NPUBIN_TRY(const auto again, encode_weights(decoded.values, geometry));
    NPUBIN_TRY(const DecodedWeights back, decode_weights(again, geometry));
    EXPECT_EQ(back.values, decoded.values) << "operation " << operation.index;
    EXPECT_LE(static_cast<double>(again.size()), 1.1 * static_cast<double>(stream.size()))
        << "operation " << operation.index;
    ++totals_.streams;
    totals_.vendor += stream.size();
    totals_.ours += again.size();
    totals_.weights += decoded.values.size();
    return {};
  }

 private:
  Accelerator accelerator_;
  Totals& totals_;
};

TEST(VendorStreams, DecodeToTheLastWeightAndEncodeAgain) {
  Totals totals;
  for (const std::string set : {"ethos", "nets/cases", "face"})
    for (const auto& entry : fs::recursive_directory_iterator(best_data(set))) {
      const std::string name = entry.path().filename().string();
      if (entry.path().extension() != ".tflite" || name.find("u55-") == std::string::npos) continue;
      const auto artifact = open_artifact(entry.path().string());
      ASSERT_TRUE(artifact) << entry.path();
      Diagnostics findings;
      const auto model = tflite::read_vela(dynamic_cast<const tflite::TfliteDocument&>(**artifact), findings);
      ASSERT_TRUE(model) << entry.path();
      for (const tflite::VelaOperator& op : model->operators) {
        auto memory = Memory::create(op.job.regions);
        ASSERT_TRUE(memory);
        WeightObserver observer(job_accelerator(op.job), totals);
        const auto run = execute(op.job.words, 0, job_accelerator(op.job), *memory, {.observer = &observer});
        EXPECT_TRUE(run) << entry.path() << to_string(run.error());
      }
    }
  std::printf("[ STREAMS  ] %llu with %llu weights: %llu bytes by the vendor, %llu by npubin\n",
              static_cast<unsigned long long>(totals.streams),
              static_cast<unsigned long long>(totals.weights), static_cast<unsigned long long>(totals.vendor),
              static_cast<unsigned long long>(totals.ours));
  EXPECT_GT(totals.streams, 0u);
  EXPECT_LE(totals.ours, totals.vendor);
}

}  // namespace
}  // namespace npubin::test
