// check, inspect and disasm of what Vela put into a .tflite.
#include <fmt/format.h>

#include "ethosu/accelerator.h"
#include "ethosu/check.h"
#include "ethosu/listing.h"
#include "formats/tflite/vela.h"

namespace npubin::tflite {

void validate_vela(const TfliteDocument& document, Diagnostics& out) {
  if (!is_vela(document)) return;
  const auto model = read_vela(document, out);
  if (!model) return out.add(model.error(), Stage::Container);
  for (const VelaOperator& op : model->operators) ethosu::check_job(op.job, out);
}

void describe_vela(const TfliteDocument& document, Node& root) {
  if (!is_vela(document)) return;
  Node& node = root.child("ethos_u", "compiled for Ethos-U");
  Diagnostics ignored;
  const auto model = read_vela(document, ignored);
  if (!model) {
    node.field("unreadable", to_string(model.error()));
    return;
  }
  if (!model->version.empty()) node.field("vela_version", model->version);
  Table& table = node.table("jobs", {"operator", "accelerator", "architecture", "words", "constants",
                                     "scratch", "scratch_fast", "dedicated"});
  for (const VelaOperator& op : model->operators) {
    const auto& c = op.config;
    table.rows.push_back(
        {op.index, op.job.accelerator ? Datum(ethosu::configuration(*op.job.accelerator).name) : Datum(),
         c ? Datum(fmt::format("{}.{}.{}", c->arch_major(), c->arch_minor(), c->arch_patch())) : Datum(),
         op.job.words.size(), op.job.regions[0].size, op.job.regions[1].size, op.job.regions[2].size,
         op.dedicated_fast_memory});
  }
  Table& places = node.table("tensors_in_scratch", {"operator", "direction", "name", "offset"});
  for (const VelaOperator& op : model->operators) {
    for (const ethosu::Binding& b : op.job.inputs) places.rows.push_back({op.index, "in", b.name, b.offset});
    for (const ethosu::Binding& b : op.job.outputs)
      places.rows.push_back({op.index, "out", b.name, b.offset});
  }
  Table& cpu = node.table("cpu_operators", {"index", "operator"});
  cpu.title = "operators left on the CPU";
  for (const CpuOperator& op : model->cpu_operators) cpu.rows.push_back({op.index, op.name});
  Node& list = node.child("streams");
  list.list = true;
  for (const VelaOperator& op : model->operators) {
    Node summary = ethosu::summarize_job(op.job);
    summary.title = fmt::format("totals of operator {}", op.index);
    list.children.push_back(std::move(summary));
  }
}

Result<Node> TfliteDocument::disassemble(const DisasmOptions& options) const {
  if (!is_vela(*this))
    return refused("the model holds no ethos-u operator, so there is no program to list",
                   "compile it with Vela; `npubin inspect -v` shows its operators");
  Diagnostics ignored;
  NPUBIN_TRY(const VelaModel model, read_vela(*this, ignored));
  Node node("disasm");
  if (!options.raw && !model.version.empty()) node.field("vela_version", model.version);
  Node& streams = node.child("streams");
  streams.list = true;
  for (const VelaOperator& op : model.operators)
    streams.children.push_back(ethosu::list_job(op.job, options));
  return node;
}

}  // namespace npubin::tflite
