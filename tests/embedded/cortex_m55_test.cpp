// The embedded loader on an emulated Cortex-M55, over the same bytes as on the host; and as C99 and C++, with
// the headers that emit-c writes. Skipped, with a message, where the compilers or the emulator are absent.
#include <cstdlib>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "formats/npub/document.h"
#include "formats/npub/emit_c.h"
#include "npubin/embedded/npub_loader.h"
#include "support/data.h"

namespace npubin {
namespace {

namespace fs = test::fs;

fs::path source_root() {
  return test::own_data("..") / "..";
}

bool has_program(const std::string& name) {
  return std::system(("command -v " + name + " >/dev/null 2>&1").c_str()) == 0;
}

int run(const std::string& command) {
  return std::system(command.c_str());
}

struct Blob {
  std::vector<std::byte> bytes;
  std::size_t arena = 0;
};

// Whole files, each with an arena that fits, one that is a byte short, and damage in every part.
std::vector<Blob> blobs() {
  std::vector<Blob> out;
  auto add = [&out](std::vector<std::byte> bytes, std::size_t arena) {
    out.push_back({std::move(bytes), arena});
  };
  const Bytes golden = test::read_bytes(test::best_data("npub") / "addk_fake.npub");
  const std::vector<std::byte> good(golden.span().begin(), golden.span().end());
  add(good, 64);
  add(good, 63);
  for (std::size_t word = 0; word < 20; ++word)
    for (const std::uint32_t value : {0u, 9u, 0xFFFFFFFFu}) {
      std::vector<std::byte> bad = good;
      store(bad.data() + word * 4, value);
      if (word >= 8) store(bad.data() + 28, npub::fnv1a(ByteSpan(bad).subspan(32)));
      add(std::move(bad), 64);
    }
  for (const char* name : {"npub_region_count_9", "npub_baked_outside", "npub_unknown_flag", "only_stop"}) {
    const fs::path file = test::best_data("nets/invalid") / name / "x.npub";
    const Bytes bytes = test::read_bytes(file);
    add({bytes.span().begin(), bytes.span().end()}, 11648);
  }
  return out;
}

std::string host_report(const Blob& blob) {
  std::vector<std::uint8_t> arena(blob.arena + 1);
  npub_job_t job;
  const auto* data = reinterpret_cast<const std::uint8_t*>(blob.bytes.data());
  const std::uint32_t code = npub_load(data, blob.bytes.size(), arena.data(), blob.arena, &job);
  std::string out = fmt::format("code {}", code);
  if (code == NPUB_OK) {
    out += fmt::format(" arena {} regions", job.arena_used);
    for (std::uint32_t r = 0; r < job.region_count; ++r)
      out += fmt::format(
          " {}", job.region[r].baked != 0 ? job.region[r].base - data : job.region[r].base - arena.data());
  }
  return out;
}

void write_blobs(const fs::path& file, const std::vector<Blob>& list) {
  std::ofstream out(file);
  out << "#define ARENA_BYTES 12288\ntypedef struct {\n  const uint8_t *data;\n  size_t bytes;\n  size_t "
         "arena;\n} blob_t;\n";
  for (std::size_t i = 0; i < list.size(); ++i) {
    out << "static const uint8_t blob" << i << "[] = {";
    for (const std::byte b : list[i].bytes) out << static_cast<unsigned>(b) << ',';
    out << "};\n";
  }
  out << "static const blob_t blobs[] = {\n";
  for (std::size_t i = 0; i < list.size(); ++i)
    out << "  {blob" << i << ", " << list[i].bytes.size() << ", " << list[i].arena << "},\n";
  out << "};\n";
}

TEST(CortexM55, LoaderSaysWhatItSaysOnTheHost) {
  for (const char* program : {"arm-none-eabi-gcc", "qemu-system-arm"})
    if (!has_program(program))
      GTEST_SKIP() << program << " is not installed: the loader is not tested on a Cortex-M55 "
                   << "(packages gcc-arm-none-eabi, qemu-system-arm)";
  const test::TemporaryFolder folder;
  const std::vector<Blob> list = blobs();
  write_blobs(folder.path() / "blobs.h", list);
  const fs::path firmware = source_root() / "tests" / "embedded" / "firmware";
  const fs::path elf = folder.path() / "loader.elf", log = folder.path() / "log";
  ASSERT_EQ(
      run(fmt::format(
          "arm-none-eabi-gcc -std=c99 -ffreestanding -nostdlib -mcpu=cortex-m55 -mthumb -O2 -Wall -Wextra "
          "-Werror -I'{}' -I'{}' '{}' '{}' -T '{}' -lgcc -o '{}'",
          folder.path().string(), (source_root() / "include").string(), (firmware / "main.c").string(),
          (firmware / "startup.c").string(), (firmware / "mps3_an547.ld").string(), elf.string())),
      0);
  ASSERT_EQ(run(fmt::format(
                "timeout 60 qemu-system-arm -M mps3-an547 -kernel '{}' -nographic -monitor none -serial none "
                "-semihosting-config enable=on,target=native </dev/null >'{}' 2>&1",
                elf.string(), log.string())),
            0)
      << npubin::test::read_text(log);
  std::istringstream lines(npubin::test::read_text(log));
  std::string line;
  for (std::size_t i = 0; i < list.size(); ++i) {
    ASSERT_TRUE(std::getline(lines, line)) << "the device reported " << i << " of " << list.size();
    EXPECT_EQ(line, host_report(list[i])) << "blob " << i;
  }
  std::getline(lines, line);
  EXPECT_EQ(line, "end");
}

class Compiles : public testing::TestWithParam<const char*> {};

// A program that loads an emitted blob, built as C or C++, and run.
TEST_P(Compiles, LoaderAndEmittedHeader) {
  const std::string compiler = GetParam();
  const std::string program = compiler.substr(0, compiler.find(' '));
  if (!has_program(program)) GTEST_SKIP() << program << " is not installed";
  const auto document =
      npub::Document::read(test::read_bytes(test::best_data("npub") / "addk_fake.npub"), {});
  const auto header = npub::emit_c(*document, "addk");
  ASSERT_TRUE(header) << to_string(header.error());
  const test::TemporaryFolder folder;
  std::ofstream(folder.path() / "addk.h") << *header;
  std::ofstream(folder.path() / "main.src")
      << "#include \"npubin/embedded/npub_loader.h\"\n#include \"addk.h\"\n"
         "ADDK_ALIGNED static uint8_t arena[ADDK_ARENA_BYTES];\n"
         "int main(void) {\n  npub_job_t job;\n"
         "  if (npub_load(addk, sizeof addk, arena, sizeof arena, &job) != NPUB_OK) return 1;\n"
         "  if (((uintptr_t)addk & 15u) != 0u || sizeof addk != ADDK_BYTES) return 2;\n"
         "  return job.region_count == ADDK_REGIONS && job.arena_used == ADDK_ARENA_BYTES && "
         "npub_aligned(&job) == 0 ? 0 : 3;\n}\n";
  const std::string binary = (folder.path() / "main").string();
  ASSERT_EQ(run(fmt::format("{} -Wall -Wextra -Wpedantic -Wconversion -Werror -I'{}' -I'{}' '{}' -o '{}'",
                            compiler, (source_root() / "include").string(), folder.path().string(),
                            (folder.path() / "main.src").string(), binary)),
            0);
  EXPECT_EQ(run(binary), 0);
}

INSTANTIATE_TEST_SUITE_P(Languages, Compiles,
                         testing::Values("cc -std=c99 -x c", "cc -std=c11 -x c", "c++ -std=c++11 -x c++",
                                         "c++ -std=c++20 -x c++"));

}  // namespace
}  // namespace npubin
