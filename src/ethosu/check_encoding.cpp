// Encoding: commands that do not exist, reserved bits, values outside enumerations, and STOP.
#include <vector>

#include <fmt/format.h>

#include "ethosu/check_context.h"
#include "ethosu/raw_listing.h"

namespace npubin::ethosu {
namespace {

// A defect of a register write takes effect at the operation that uses the register next.
enum class User : std::uint8_t { Itself, Kernel, Dma };

struct Pending {
  const char* code;
  Severity severity;
  std::string message;
  User user;
};

User user_of(Code code) {
  const auto value = static_cast<unsigned>(code);
  if (value < 0x100) return User::Itself;
  const bool dma = (value >= 0x130 && value <= 0x133) || (value >= 0x430 && value <= 0x432);
  return dma ? User::Dma : User::Kernel;
}

class EncodingCheck {
 public:
  explicit EncodingCheck(CheckContext& context) : context_(context), words_(context.job.words) {}

  void run() {
    if (words_.empty()) return context_.at(0, Severity::Error, "ETU-0109", "the command stream is empty");
    for (std::size_t at = 0; at < words_.size() && !context_.full();) {
      const Command command = decode_command(words_, at);
      at += command.words;
      if (command.kind == nullptr || command.truncated) {
        unknown(command);
        continue;
      }
      check_bits(command);
      if (command.kind->is_operation() && operation(command, at)) return;
    }
    settle_at_end();
    context_.at(words_.size() - 1, Severity::Error, "ETU-0105",
                "the stream ends without STOP: the hardware reads on behind it",
                "end the stream with STOP, mask 0xFFFF (0xffff0000)");
  }

 private:
  void unknown(const Command& command) {
    if (command.truncated)
      return context_.at(
          command.word, Severity::Error, "ETU-0102",
          fmt::format("word 0x{:08x} announces a second word, and the stream ends", command.word0),
          "the stream is cut off");
    const bool two = command.words == 2;
    context_.at(command.word, Severity::Error, "ETU-0101",
                fmt::format("{} opcode 0x{:03x} (word 0x{:08x}) is no command of the Ethos-U55",
                            two ? "two-word" : "one-word", command.word0 & 0x3FFu, command.word0),
                "the stream is for another product, or damaged");
  }

  void check_bits(const Command& command) {
    std::uint32_t known0 = 0x43FFu, known1 = 0;
    for (const CommandField& field : command.kind->fields) {
      (field.word == 0 ? known0 : known1) |= field.mask();
      check_field(command, field);
    }
    if (command.kind->extends_payload()) known0 |= 0x00FF0000u;
    // A negative stride may be sign-extended through all of the parameter.
    if (command.kind->extends_payload() && command.param() == 0xFFFFu) known0 |= 0xFF000000u;
    // The high bits of the strides go on above the ones that have names (ethos-u55 spec 3).
    if (command.is(Code::SET_KERNEL_STRIDE)) known0 |= 0x0FC00000u;
    const std::uint32_t extra0 = command.word0 & ~known0, extra1 = command.word1 & ~known1;
    if (extra0 != 0 || extra1 != 0)
      defect(command, "ETU-0103", Severity::Error,
             fmt::format("{} has reserved bits set: 0x{:08x} in word 0, 0x{:08x} in word 1",
                         command.kind->name, extra0, extra1));
  }

  void check_field(const Command& command, const CommandField& field) {
    if (field.values == nullptr) return;
    const std::uint32_t value = field.get(field.word == 0 ? command.word0 : command.word1);
    if (!field.values->spelling(value).empty()) return;
    defect(command, "ETU-0104", Severity::Error,
           fmt::format("{} {} is {}, which {} does not have", command.kind->name, field.name, value,
                       field.values->name));
  }

  void defect(const Command& command, const char* code, Severity severity, std::string message) {
    const User user = user_of(command.kind->code);
    if (user == User::Itself) return context_.at(command.word, severity, code, std::move(message));
    if (pending_.size() >= Diagnostics::kMaxFindings) return;
    pending_.push_back({code, severity, fmt::format("{}, written at word {}", message, command.word), user});
  }

  void settle(User user, std::size_t word) {
    std::vector<Pending> rest;
    for (Pending& p : pending_) {
      if (p.user != user)
        rest.push_back(std::move(p));
      else
        context_.at(word, p.severity, p.code, std::move(p.message));
    }
    pending_ = std::move(rest);
  }
  void settle_at_end() {
    for (Pending& p : pending_)
      context_.at(words_.size() - 1, p.severity, p.code, p.message + ", and no operation uses it");
    pending_.clear();
  }

  // True at STOP: nothing behind it is executed.
  bool operation(const Command& command, std::size_t behind) {
    const Code code = command.kind->code;
    if (code == Code::OP_DMA_START && !pending_.empty()) settle(User::Dma, command.word);
    const bool kernel = code == Code::OP_CONV || code == Code::OP_DEPTHWISE || code == Code::OP_POOL ||
                        code == Code::OP_ELEMENTWISE;
    if (kernel && !pending_.empty()) settle(User::Kernel, command.word);
    if (kernel || code == Code::OP_DMA_START) ++operations_;
    if (code != Code::OP_STOP) return false;
    settle_at_end();
    if (operations_ == 0)
      context_.at(command.word, Severity::Warning, "ETU-0107",
                  "the stream stops without having started any operation");
    if (command.param() != 0xFFFFu)
      context_.at(command.word, Severity::Warning, "ETU-0108",
                  fmt::format("STOP has mask 0x{:04x}; compilers write 0xffff", command.param()));
    if (behind < words_.size())
      context_.at(behind, Severity::Warning, "ETU-0106",
                  fmt::format("{} words stand behind STOP and are never executed", words_.size() - behind));
    return true;
  }

  CheckContext& context_;
  std::span<const std::uint32_t> words_;
  std::vector<Pending> pending_;
  std::size_t operations_ = 0;
};

}  // namespace

void check_encoding(CheckContext& context) {
  EncodingCheck(context).run();
}

}  // namespace npubin::ethosu
