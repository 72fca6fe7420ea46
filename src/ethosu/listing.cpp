#include "ethosu/listing.h"

#include <map>
#include <optional>

#include <fmt/format.h>

#include "ethosu/accelerator.h"
#include "ethosu/copies.h"
#include "ethosu/describe_operation.h"
#include "ethosu/raw_listing.h"

namespace npubin::ethosu {
namespace {

// Far more operations than a network has; a hostile stream is all operations.
constexpr std::size_t kMostOperations = 50000;

// What each DMA moves, by its operation index: found from the operations that use what it brought.
std::map<std::size_t, std::string> moved_by_transfers(const Job& job) {
  std::map<std::size_t, std::string> out;
  Copies copies;
  const Accelerator accelerator = job.accelerator.value_or(Accelerator::U55_256);
  auto use = [&](const Extent& extent, const char* what, const Operation& op) {
    const auto origin = copies.origin(extent);
    if (!origin) return;
    std::string& name = out[origin->operation];
    // A transfer may serve many operations; the first few say enough.
    if (name.size() < 100)
      name += fmt::format("{}{} of operation {}", name.empty() ? "" : ", ", what, op.index);
  };
  OperationReader reader(job.words);
  while (const auto op = reader.next()) {
    if (op->index >= kMostOperations) break;
    if (op->kind == OperationKind::DmaStart) copies.record(op->dma, op->index);
    if (!is_kernel(op->kind)) continue;
    if (op->uses_weights()) use(extent(op->weights), "weights", *op);
    if (op->uses_scales()) use(extent(op->scales), "scales", *op);
    if (const auto table = table_extent(*op, accelerator)) use(*table, "table", *op);
    for (const Extent& tile : {extents(op->ifm).hull(), op->has_ifm2 ? extents(op->ifm2).hull() : Extent{}})
      use(tile, "feature map", *op);
  }
  return out;
}

// Words of no command, with their place; a bound keeps a hostile stream's listing readable.
void add_unknown(Node& node, const Job& job) {
  constexpr std::size_t kMost = 1000;
  std::size_t count = 0;
  Node unknown("unknown", "unknown commands");
  for (std::size_t at = 0; at < job.words.size();) {
    const Command command = decode_command(job.words, at);
    if (command.kind == nullptr || command.truncated) {
      std::string line = fmt::format("0x{:06x}: ", at * 4);
      append_command(line, command);
      if (++count <= kMost) unknown.lines.push_back(std::move(line));
    }
    at += command.words;
  }
  if (count > kMost) unknown.lines.push_back(fmt::format("and {} more", count - kMost));
  if (count > 0) node.children.push_back(std::move(unknown));
}

// As lines of text, or as nodes where values are wanted.
void add_operations(Node& node, const Job& job, bool values) {
  const auto moves = moved_by_transfers(job);
  const OperationDescriber describer(job, values);
  Node& list = node.child("operations");
  list.list = values;
  OperationReader reader(job.words);
  OperationBlock block;
  std::optional<Operation> described;  // the kernel whose state is in effect
  std::size_t writes = 0;              // registers written since
  std::size_t left_out = 0;
  static const std::string kNothing;
  while (const auto op = reader.next()) {
    if (op->index >= kMostOperations) {
      ++left_out;
      continue;
    }
    writes += reader.writes_since();
    const bool again = is_kernel(op->kind) && writes == 0 && described && described->kind == op->kind &&
                       described->param == op->param;
    if (again) {
      describer.repeated(*op, *described, block);
    } else {
      const auto moved = moves.find(op->index);
      describer.describe(*op, moved == moves.end() ? kNothing : moved->second, block);
      if (is_kernel(op->kind)) {
        described = *op;
        writes = 0;
      }
    }
    if (values)
      list.children.push_back(std::move(block).node(*op));
    else
      block.append_lines(list.lines);
  }
  if (left_out > 0)
    node.field_text("operations_left_out", left_out,
                    fmt::format("{} operations behind the first {}; --raw lists every command", left_out,
                                kMostOperations));
}

}  // namespace

Node list_job(const Job& job, const DisasmOptions& options) {
  Node node("stream", fmt::format("command stream {}", job.name));
  if (options.raw) {
    node.title.clear();
    node.lines = raw_listing(job.words);
    return node;
  }
  node.field("name", job.name, {}, Detail::JsonOnly);
  if (job.accelerator) node.field("accelerator", configuration(*job.accelerator).name);
  node.field_text("file_offset", job.stream_offset, fmt::format("0x{:06x}", job.stream_offset));
  node.field("words", job.words.size());
  if (options.summary) {
    node.children.push_back(summarize_job(job));
    return node;
  }
  add_unknown(node, job);
  add_operations(node, job, options.json);
  return node;
}

}  // namespace npubin::ethosu
