// Command streams executed on small regions: never out of bounds, never without end, and the fast ways give
// what the plain loops give.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "ethosu/cop1.h"
#include "ethosu/machine/cost.h"
#include "ethosu/machine/machine.h"
#include "ethosu/machine/memory_check.h"
#include "ethosu/machine/results.h"

namespace {

using namespace npubin;
using namespace npubin::ethosu;

// Looks at everything that reports look at.
class Curious final : public MachineObserver {
 public:
  Curious(MemoryCheck& check, Accelerator accelerator) : check_(check), accelerator_(accelerator) {}
  Result<void> before(const Operation& operation, const Memory& memory) override {
    (void)describe(operation);
    (void)estimate(operation, accelerator_);
    return check_.before(operation, memory);
  }
  Result<void> after(const Operation& operation, const Memory& memory) override {
    NPUBIN_CHECK(check_.after(operation, memory));
    if (!is_kernel(operation.kind)) return {};
    NPUBIN_CHECK(ofm_statistics(operation, memory));
    NPUBIN_CHECK(read_feature_map(operation.ofm, memory));
    return {};
  }

 private:
  MemoryCheck& check_;
  Accelerator accelerator_;
};

// Registers of a small operation in effect before the fuzzed words, so that they need not be found one by
// one.
std::vector<std::uint32_t> prologue() {
  const auto set = [](Code code, std::uint32_t param) {
    return static_cast<std::uint32_t>(code) | param << 16;
  };
  std::vector<std::uint32_t> out;
  const auto set_long = [&out](Code code, std::uint32_t payload) {
    out.push_back((static_cast<std::uint32_t>(code) & 0x3FFu) | 1u << 14);
    out.push_back(payload);
  };
  for (const auto& [code, param] : {std::pair{Code::SET_IFM_REGION, 1u},
                                    {Code::SET_OFM_REGION, 1u},
                                    {Code::SET_IFM2_REGION, 1u},
                                    {Code::SET_IFM_PRECISION, 1u},
                                    {Code::SET_IFM2_PRECISION, 1u},
                                    {Code::SET_OFM_PRECISION, 1u},
                                    {Code::SET_IFM_DEPTH_M1, 7u},
                                    {Code::SET_OFM_DEPTH_M1, 7u},
                                    {Code::SET_OFM_WIDTH_M1, 3u},
                                    {Code::SET_OFM_HEIGHT_M1, 3u},
                                    {Code::SET_IFM_WIDTH0_M1, 0xFFFFu},
                                    {Code::SET_IFM_HEIGHT0_M1, 0xFFFFu},
                                    {Code::SET_IFM2_WIDTH0_M1, 0xFFFFu},
                                    {Code::SET_IFM2_HEIGHT0_M1, 0xFFFFu},
                                    {Code::SET_OFM_WIDTH0_M1, 0xFFFFu},
                                    {Code::SET_OFM_HEIGHT0_M1, 0xFFFFu},
                                    {Code::SET_OFM_BLK_DEPTH_M1, 7u},
                                    {Code::SET_ACTIVATION_MIN, 0xFF80u},
                                    {Code::SET_ACTIVATION_MAX, 0x7Fu}})
    out.push_back(set(code, param));
  for (const Code code : {Code::SET_IFM_STRIDE_X, Code::SET_OFM_STRIDE_X, Code::SET_IFM2_STRIDE_X})
    set_long(code, 8);
  for (const Code code : {Code::SET_IFM_STRIDE_Y, Code::SET_OFM_STRIDE_Y, Code::SET_IFM2_STRIDE_Y})
    set_long(code, 64);
  set_long(Code::SET_OFM_BASE0, 1024);
  set_long(Code::SET_WEIGHT_LENGTH, 64);
  set_long(Code::SET_SCALE_LENGTH, 80);
  return out;
}

struct Outcome {
  std::string code;
  std::vector<std::byte> arena;
};

Outcome run(const std::vector<std::uint32_t>& words, const std::vector<Region>& regions,
            Accelerator accelerator, bool reference, int threads) {
  auto memory = Memory::create(regions);
  if (!memory) std::abort();
  const ByteSpan seed = regions[0].initial.span();
  const auto arena = memory->writable_region(1);
  for (std::size_t i = 0; i < arena.size() && !seed.empty(); ++i) arena[i] = seed[i % seed.size()];
  Diagnostics findings;
  MemoryCheck check(*memory, regions, accelerator, 0, findings);
  Curious curious(check, accelerator);
  MachineOptions options;
  options.max_operations = 32;
  options.max_macs = 1 << 16;
  options.reference = reference;
  options.threads = threads;
  options.observer = &curious;
  const auto done = execute(words, 0, accelerator, *memory, options);
  const ByteSpan bytes = memory->region(1);
  return {done ? "" : done.error().code, {bytes.begin(), bytes.end()}};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 1 || size > 4096) return 0;
  constexpr Accelerator kAll[] = {Accelerator::U55_32, Accelerator::U55_64, Accelerator::U55_128,
                                  Accelerator::U55_256};
  const Accelerator accelerator = kAll[data[0] & 3];
  const ByteSpan bytes{reinterpret_cast<const std::byte*>(data) + 1, size - 1};
  std::vector<std::uint32_t> words = (data[0] & 4) != 0 ? prologue() : std::vector<std::uint32_t>();
  const std::vector<std::uint32_t> given = words_of(bytes);
  words.insert(words.end(), given.begin(), given.end());
  const std::vector<Region> regions{{0, bytes.size(), Bytes::borrow(bytes), true, "weights"},
                                    {1, 4096, {}, false, "scratch"}};
  const Outcome plain = run(words, regions, accelerator, true, 1);
  const Outcome fast = run(words, regions, accelerator, false, 1);
  // Where an operation is refused half-way, what it left is nobody's business; the refusal must be the same.
  if (plain.code != fast.code || (plain.code.empty() && plain.arena != fast.arena)) std::abort();
  return 0;
}
