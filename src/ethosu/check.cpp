#include "ethosu/check.h"

#include <fmt/format.h>

#include "ethosu/accelerator.h"
#include "ethosu/check_context.h"
#include "ethosu/hazards.h"

namespace npubin::ethosu {

std::string CheckContext::written_at(Code code) const {
  if (registers == nullptr || !(*registers)[code].written()) return ", never written";
  return fmt::format(", written at word {}", (*registers)[code].word);
}

void check_job(const Job& job, Diagnostics& out) {
  CheckContext context(job, out);
  check_encoding(context);
  WeightCheck weights;
  Hazards hazards(context);
  OperationReader reader(job.words);
  while (const auto op = reader.next()) {
    if (op->kind == OperationKind::Stop || context.full()) break;
    context.registers = &reader.registers();
    check_state(context, *op);
    check_addresses(context, *op);
    check_configuration(context, *op);
    weights.check(context, *op);
    hazards.step(*op);
    if (op->kind == OperationKind::DmaStart) context.copies.record(op->dma, op->index);
  }
}

}  // namespace npubin::ethosu
