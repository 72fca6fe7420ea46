// The fast ways against plain loops in 64 bits, on the streams of compiled files and with several threads.
#include <cstring>

#include <gtest/gtest.h>

#include "ethosu/machine/machine.h"
#include "formats/tflite/document.h"
#include "formats/tflite/vela.h"
#include "support/data.h"

namespace npubin::test {
namespace {

std::vector<std::byte> contents(const ethosu::Memory& memory) {
  const ByteSpan bytes = memory.region(1);
  return {bytes.begin(), bytes.end()};
}

TEST(Reference, FastKernelsLeaveTheSameBytesInTheArena) {
  int jobs = 0;
  for (const std::string set : {"ethos", "nets/cases"})
    for (const fs::path& folder : case_folders(best_data(set)))
      for (const auto& entry : fs::directory_iterator(folder)) {
        const std::string name = entry.path().filename().string();
        if (name != "u55-128.tflite" && name != "u55-32.tflite") continue;
        const auto artifact = open_artifact(entry.path().string());
        ASSERT_TRUE(artifact);
        const auto& document = dynamic_cast<const tflite::TfliteDocument&>(**artifact);
        Diagnostics findings;
        const auto model = tflite::read_vela(document, findings);
        ASSERT_TRUE(model);
        for (const tflite::VelaOperator& op : model->operators) {
          // Any bytes will do as inputs.
          const auto run = [&op](ethosu::MachineOptions options) {
            auto memory = ethosu::Memory::create(op.job.regions);
            EXPECT_TRUE(memory);
            std::uint32_t state = 1;
            for (std::byte& byte : memory->writable_region(1))
              byte = static_cast<std::byte>((state = state * 1664525u + 1013904223u) >> 24);
            const auto done =
                ethosu::execute(op.job.words, 0, ethosu::job_accelerator(op.job), *memory, options);
            // Shifts by data may be refused with such inputs; both ways must refuse alike.
            return done ? contents(*memory)
                        : std::vector<std::byte>(
                              1, static_cast<std::byte>(done.error().where.word_offset.value_or(0)));
          };
          const auto wanted = run({.reference = true});
          EXPECT_EQ(run({.threads = 1}), wanted) << entry.path();
          EXPECT_EQ(run({.threads = 3}), wanted) << entry.path() << " with three threads";
          ++jobs;
        }
      }
  std::printf("[   JOBS   ] %d\n", jobs);
  EXPECT_GT(jobs, 0);
}

}  // namespace
}  // namespace npubin::test
