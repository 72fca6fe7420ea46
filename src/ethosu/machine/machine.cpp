#include "ethosu/machine/machine.h"

#include <fmt/format.h>

#include "ethosu/describe_operation.h"
#include "ethosu/machine/step.h"

namespace npubin::ethosu {

Result<void> MachineObserver::before(const Operation&, const Memory&) {
  return {};
}
Result<void> MachineObserver::after(const Operation&, const Memory&) {
  return {};
}

Accelerator job_accelerator(const Job& job) {
  return job.accelerator.value_or(Accelerator::U55_256);
}

std::string describe(const Operation& operation) {
  constexpr std::string_view kElementwise[] = {"mul",   "add", "sub", "min", "max",
                                               "lrelu", "abs", "clz", "shr", "shl"};
  constexpr std::string_view kPool[] = {"max", "average", "reduce_sum"};
  switch (operation.kind) {
    case OperationKind::Stop:
      return "STOP";
    case OperationKind::Irq:
      return "IRQ";
    case OperationKind::Conv:
      return "CONV";
    case OperationKind::Depthwise:
      return "DEPTHWISE";
    case OperationKind::Pool: {
      const auto mode = static_cast<std::size_t>(operation.pooling);
      return fmt::format("POOL {}", mode < 3 ? kPool[mode] : "?");
    }
    case OperationKind::Elementwise: {
      const auto mode = static_cast<std::size_t>(operation.elementwise);
      return fmt::format("ELEMENTWISE {}", mode < 10 ? kElementwise[mode] : "?");
    }
    case OperationKind::DmaStart:
      return "DMA_START";
    case OperationKind::DmaWait:
      return "DMA_WAIT";
    case OperationKind::KernelWait:
      return "KERNEL_WAIT";
    case OperationKind::PmuMask:
      return "PMU_MASK";
  }
  return "?";
}

namespace {

// Adds which command it was, and where.
Error at_operation(Error error, const Operation& operation, std::uint64_t stream_offset) {
  error.message = fmt::format("operation {} ({}): {}", operation.index, describe(operation), error.message);
  error.where = Location::at(stream_offset + 4 * std::uint64_t{operation.word});
  error.where.word_offset = operation.word;
  return error;
}

class Runner {
 public:
  Runner(std::span<const std::uint32_t> words, std::uint64_t stream_offset, Accelerator accelerator,
         Memory& memory, const MachineOptions& options)
      : words_(words),
        stream_offset_(stream_offset),
        accelerator_(accelerator),
        memory_(memory),
        options_(options),
        reader_(words) {}

  Result<MachineRun> run() {
    while (true) {
      const std::size_t begin = reader_.position();
      const auto operation = reader_.next();
      NPUBIN_CHECK(known_commands(begin, operation ? operation->word : words_.size()));
      if (!operation)
        return malformed(place(words_.size()), "the stream ends without STOP",
                         "the file is cut short, or the stream's length is wrong", "ETU-5006");
      if (++run_.operations > options_.max_operations)
        return refused(fmt::format("more than {} operations", options_.max_operations), "raise --max-ops",
                       place(operation->word), "ETU-5016");
      if (auto done = one(*operation); !done)
        return Unexpected(at_operation(std::move(done).error(), *operation, stream_offset_));
      if (operation->kind == OperationKind::Stop || run_.stopped) return run_;
    }
  }

 private:
  Location place(std::size_t word) const {
    Location where = Location::at(stream_offset_ + 4 * std::uint64_t{word});
    where.word_offset = word;
    return where;
  }

  // The reader passes over what it does not know; the machine does not.
  Result<void> known_commands(std::size_t begin, std::size_t end) const {
    while (begin < end) {
      const Command command = decode_command(words_, begin);
      if (command.kind == nullptr)
        return refused(fmt::format("word {:#010x} is no command that is known", command.word0), "",
                       place(begin), "ETU-5011");
      if (command.truncated)
        return malformed(place(begin), fmt::format("{} has no second word", command.kind->name), "",
                         "ETU-5006");
      begin += command.words;
    }
    return {};
  }

  Result<void> one(const Operation& operation) {
    NPUBIN_CHECK(admit(operation, reader_.registers()));
    const bool dma = operation.kind == OperationKind::DmaStart;
    if (!dma && !is_kernel(operation.kind)) return {};
    const std::uint64_t work = work_of(operation);
    if (work > options_.max_macs)
      return refused(
          fmt::format("{} multiplications in one operation, at most {} are allowed", work, options_.max_macs),
          "", {}, "ETU-5016");
    NPUBIN_CHECK(dma ? transfer(operation) : kernel(operation));
    if (options_.observer != nullptr) NPUBIN_CHECK(options_.observer->after(operation, memory_));
    run_.macs += mac_count(operation);
    ++run_.executed;
    run_.stopped = run_.executed >= options_.stop_after;
    return {};
  }

  Result<void> announce(const Operation& operation) {
    return options_.observer == nullptr ? Result<void>() : options_.observer->before(operation, memory_);
  }

  Result<void> transfer(const Operation& operation) {
    NPUBIN_CHECK(announce(operation));
    return run_dma(operation, memory_, accelerator_);
  }

  Result<void> kernel(const Operation& operation) {
    NPUBIN_TRY(Step step,
               Step::prepare(operation, memory_, accelerator_, options_.threads, options_.reference));
    // After preparation: observers may walk over feature maps, which are known to lie in memory now.
    NPUBIN_CHECK(announce(operation));
    switch (operation.kind) {
      case OperationKind::Pool:
        return run_pool(step);
      case OperationKind::Elementwise:
        return run_elementwise(step);
      default:
        return run_convolution(step);
    }
  }

  std::span<const std::uint32_t> words_;
  std::uint64_t stream_offset_;
  Accelerator accelerator_;
  Memory& memory_;
  const MachineOptions& options_;
  OperationReader reader_;
  MachineRun run_;
};

}  // namespace

Result<MachineRun> execute(std::span<const std::uint32_t> words, std::uint64_t stream_offset,
                           Accelerator accelerator, Memory& memory, const MachineOptions& options) {
  return Runner(words, stream_offset, accelerator, memory, options).run();
}

}  // namespace npubin::ethosu
