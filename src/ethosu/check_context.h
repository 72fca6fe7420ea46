// What the parts of the checker share: the job, the state, and how a finding is placed.
#pragma once

#include <string>
#include <unordered_set>

#include "ethosu/copies.h"
#include "ethosu/job.h"
#include "ethosu/operation.h"
#include "npubin/diagnostics.h"

namespace npubin::ethosu {

class CheckContext {
 public:
  CheckContext(const Job& job, Diagnostics& out) : job(job), out_(out) {}

  // A finding at a word of the stream.
  void at(std::size_t word, Severity severity, const char* code, std::string message, std::string hint = {}) {
    Diagnostic d;
    d.severity = severity;
    d.code = code;
    d.where.offset = job.stream_offset + word * 4;
    d.where.word_offset = word;
    d.message = std::move(message);
    d.hint = std::move(hint);
    d.stage = Stage::Stream;
    out_.add(std::move(d));
  }
  void error(const Operation& op, const char* code, std::string message, std::string hint = {}) {
    at(op.word, Severity::Error, code, std::move(message), std::move(hint));
  }
  void warn(const Operation& op, const char* code, std::string message, std::string hint = {}) {
    at(op.word, Severity::Warning, code, std::move(message), std::move(hint));
  }
  const Region* region(std::uint32_t index) const {
    for (const Region& known : job.regions)
      if (known.index == index) return &known;
    return nullptr;
  }
  // More findings are only counted: whoever makes them one by one may stop.
  bool full() const { return out_.dropped() > 0; }
  // ", written at word 82": the register that an operation's defect comes from.
  std::string written_at(Code code) const;

  const Job& job;
  const RegisterFile* registers = nullptr;  // as of the operation being checked
  Copies copies;                            // transfers so far

 private:
  Diagnostics& out_;
};

// ---- the parts, each given one operation with its state ----

// Words on their own: unknown commands, reserved bits, values outside enumerations, STOP.
void check_encoding(CheckContext& context);
// Values that contradict each other or the machine's limits.
void check_state(CheckContext& context, const Operation& op);
// Every address against its region; alignment; tiles.
void check_addresses(CheckContext& context, const Operation& op);
// The layout of the internal memory and the blocks against the accelerator.
void check_configuration(CheckContext& context, const Operation& op);

// Weight streams are decoded; each once.
class WeightCheck {
 public:
  void check(CheckContext& context, const Operation& op);

 private:
  std::unordered_set<std::uint64_t> seen_;  // hashes of bytes and geometry
  std::uint64_t decoded_ = 0;               // weights so far: a bound on the time a hostile stream can take
  bool told_ = false;
};

}  // namespace npubin::ethosu
