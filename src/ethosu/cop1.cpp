#include "ethosu/cop1.h"

#include <algorithm>

#include <fmt/format.h>

#include "ethosu/accelerator.h"

namespace npubin::ethosu {
namespace {

enum Action : std::uint32_t { kOptimizerConfig = 1, kCommandStream = 2, kNop = 5 };
constexpr std::uint32_t kArchVersion = 0x10060000;  // 1.0.6, what Vela 3.x writes
constexpr std::size_t kMaxStreamWords = 0xFFFFFF;

class PayloadReader {
 public:
  PayloadReader(ByteSpan payload, std::uint64_t base, Diagnostics& findings)
      : payload_(payload), base_(base), findings_(findings) {}

  Result<Cop1> read() {
    if (payload_.size() % 4 != 0)
      finding("ETU-0001", payload_.size() / 4 * 4,
              fmt::format("the payload is {} bytes long, no multiple of 4: the driver refuses it",
                          payload_.size()));
    for (at_ = 1; at_ < size(); ++at_) {
      const std::uint32_t word = load_word(at_);
      switch (word & 0xFFu) {
        case kNop:
          break;
        case kOptimizerConfig:
          if (!read_config()) return std::move(out_);
          break;
        case kCommandStream:
          read_stream(word);
          return std::move(out_);
        default:
          return malformed(
              Location::at(base_ + at_ * 4),
              fmt::format("payload word {} is action {}, which COP1 does not have", at_, word & 0xFFu),
              "known are 1 OPTIMIZER_CONFIG, 2 COMMAND_STREAM and 5 NOP", "ETU-0002");
      }
    }
    return malformed(Location::at(base_ + at_ * 4), "the COP1 payload holds no COMMAND_STREAM",
                     "compile the model again", "ETU-0003");
  }

 private:
  std::size_t size() const { return payload_.size() / 4; }
  std::uint32_t load_word(std::size_t at) const { return load<std::uint32_t>(payload_.data() + at * 4); }

  void finding(const char* code, std::uint64_t at_byte, std::string message, std::string hint = {}) {
    Diagnostic d;
    d.code = code;
    d.where = Location::at(base_ + at_byte);
    d.message = std::move(message);
    d.hint = std::move(hint);
    d.stage = Stage::Container;
    findings_.add(std::move(d));
  }

  bool read_config() {
    if (size() - at_ < 3) {
      finding("ETU-0004", at_ * 4, "OPTIMIZER_CONFIG is cut off by the end of the payload");
      return false;
    }
    out_.config = OptimizerConfig{load_word(at_ + 1), load_word(at_ + 2)};
    out_.config_word = at_;
    at_ += 2;
    check_config();
    return true;
  }

  void check_config() {
    const OptimizerConfig& config = *out_.config;
    const std::uint64_t at_cfg = (out_.config_word + 1) * 4;
    if (config.product() != 0)
      finding("ETU-0005", at_cfg,
              fmt::format("the stream is made for product {}, not for the U55 (0)", config.product()),
              "compile for ethos-u55");
    const auto accelerator = accelerator_of(config.macs());
    if (!accelerator) {
      finding("ETU-0006", at_cfg,
              fmt::format("OPTIMIZER_CONFIG names {} MACs; the U55 has 32, 64, 128 or 256", config.macs()));
      return;
    }
    const std::uint32_t shram = configuration(*accelerator).shram_bytes / 1024;
    if (config.shram_kib() != shram)
      finding(
          "ETU-0006", at_cfg,
          fmt::format(
              "OPTIMIZER_CONFIG (0x{:08x}) names {} MACs with {} KiB of SHRAM; that configuration has {} KiB",
              config.cfg, config.macs(), config.shram_kib(), shram),
          "the driver refuses what differs from its hardware");
    if (config.arch_major() != 1)
      finding("ETU-0007", at_cfg + 4,
              fmt::format(
                  "architecture {}.{}.{}: the U55's is 1.0.x, and the driver refuses another major version",
                  config.arch_major(), config.arch_minor(), config.arch_patch()));
  }

  void read_stream(std::uint32_t word) {
    out_.stream_word = at_ + 1;
    out_.announced = std::size_t{word >> 8 & 0xFFu} << 16 | word >> 16;
    const std::size_t available = size() - out_.stream_word;
    if (out_.announced > available)
      finding("ETU-0008", at_ * 4,
              fmt::format("COMMAND_STREAM announces {} words where {} remain in the payload", out_.announced,
                          available),
              "the file is cut off, or its length was edited");
    if ((base_ + out_.stream_word * 4) % 16 != base_ % 16)
      finding(
          "ETU-0009", out_.stream_word * 4,
          fmt::format("the stream starts {} bytes into the payload, no multiple of 16: the driver refuses it",
                      out_.stream_word * 4),
          "put NOP words (0x00000005) before COMMAND_STREAM");
    const std::size_t count = std::min(out_.announced, available);
    out_.words.reserve(count);
    for (std::size_t i = 0; i < count; ++i) out_.words.push_back(load_word(out_.stream_word + i));
  }

  ByteSpan payload_;
  std::uint64_t base_;
  Diagnostics& findings_;
  std::size_t at_ = 0;
  Cop1 out_;
};

bool starts_with(ByteSpan payload, std::uint32_t fourcc) {
  return payload.size() >= 4 && load<std::uint32_t>(payload.data()) == fourcc;
}

}  // namespace

bool is_cop1(ByteSpan payload) {
  return starts_with(payload, kCop1);
}
bool is_cop2(ByteSpan payload) {
  return starts_with(payload, kCop2);
}

Result<Cop1> read_cop1(ByteSpan payload, std::uint64_t base, Diagnostics& findings) {
  if (is_cop2(payload))
    return refused(
        "the command stream is wrapped in a COP2 payload (Vela 4.2 and later), whose actions npubin does not "
        "read",
        "compile with --cop-format COP1", Location::at(base), "ETU-0011");
  if (!is_cop1(payload))
    return malformed(Location::at(base), "the payload does not begin with COP1",
                     "a driver payload begins with the bytes 43 4f 50 31", "ETU-0012");
  NPUBIN_CHECK(check_stream_size(payload.size(), base));
  return PayloadReader(payload, base, findings).read();
}

Result<std::vector<std::byte>> write_cop1(std::span<const std::uint32_t> words, Accelerator accelerator) {
  if (words.size() > kMaxStreamWords)
    return refused(fmt::format("{} command words exceed the {} that COMMAND_STREAM can announce",
                               words.size(), kMaxStreamWords),
                   "keep raw words", {}, "ETU-0008");
  const auto count = static_cast<std::uint32_t>(words.size());
  // OPTIMIZER_CONFIG's parameter is 16 in all payloads seen.
  std::vector<std::uint32_t> out = {kCop1,
                                    kOptimizerConfig | 16u << 16,
                                    configuration(accelerator).cop1_cfg,
                                    kArchVersion,
                                    kNop,
                                    kNop,
                                    kNop,
                                    kCommandStream | (count >> 16) << 8 | (count & 0xFFFFu) << 16};
  out.insert(out.end(), words.begin(), words.end());
  return bytes_of(out);
}

Result<void> check_stream_size(std::uint64_t bytes, std::uint64_t base) {
  if (bytes <= kMostStreamBytes) return {};
  return refused(fmt::format("a command stream of {} bytes; at most {} are read", bytes, kMostStreamBytes),
                 "real streams have kilobytes: is it the right file, and the right --format?",
                 Location::at(base));
}

std::vector<std::uint32_t> words_of(ByteSpan bytes) {
  std::vector<std::uint32_t> out(bytes.size() / 4);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = load<std::uint32_t>(bytes.data() + i * 4);
  return out;
}

std::vector<std::byte> bytes_of(std::span<const std::uint32_t> words) {
  std::vector<std::byte> out(words.size() * 4);
  for (std::size_t i = 0; i < words.size(); ++i) store(out.data() + i * 4, words[i]);
  return out;
}

}  // namespace npubin::ethosu
