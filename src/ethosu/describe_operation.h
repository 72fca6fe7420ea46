// One operation as a block of a listing.
#pragma once

#include <string>
#include <vector>

#include "ethosu/job.h"
#include "ethosu/operation.h"
#include "npubin/describe.h"

namespace npubin::ethosu {

// The block of one operation, before it becomes lines of text or a node for JSON.
struct OperationBlock {
  struct Row {
    const char* key;
    Datum value;
    std::string text;
  };
  std::string title;
  std::vector<Row> rows;

  void add(const char* key, Datum value, std::string text) {
    rows.push_back({key, std::move(value), std::move(text)});
  }
  Node node(const Operation& op) &&;
  void append_lines(std::vector<std::string>& lines) const;
};

class OperationDescriber {
 public:
  // `values`: JSON is wanted; without it only texts are made, which is several times faster.
  OperationDescriber(const Job& job, bool values) : job_(job), values_(values) {}

  // Fills `block` anew. `moves`: what a DMA moves, where that is known; may be empty.
  void describe(const Operation& op, const std::string& moves, OperationBlock& block) const;
  // A kernel that runs once more with the state of an earlier one.
  void repeated(const Operation& op, const Operation& earlier, OperationBlock& block) const;

 private:
  void add_map(OperationBlock& block, const char* key, const FeatureMap& map) const;
  void add_second_operand(OperationBlock& block, const Operation& op) const;
  void add_kernel(OperationBlock& block, const Operation& op) const;
  void add_weights(OperationBlock& block, const Operation& op) const;
  void add_scaling(OperationBlock& block, const Operation& op) const;
  void add_activation(OperationBlock& block, const Operation& op) const;
  void add_block(OperationBlock& block, const Operation& op) const;
  void add_dma(OperationBlock& block, const Operation& op, const std::string& moves) const;
  // "region 1 0x001f40" with the tensor's name where one begins there.
  std::string place(std::uint8_t region, std::uint64_t address) const;
  const std::string* tensor_name(std::uint32_t region, std::uint64_t offset, std::uint64_t size) const;

  const Job& job_;
  bool values_;
};

// Weights of CONV and DEPTHWISE by the shapes of the operation; saturates.
std::uint64_t weight_count(const Operation& op);
// Multiply-accumulates of CONV and DEPTHWISE; saturates; 0 for all else.
std::uint64_t mac_count(const Operation& op);

}  // namespace npubin::ethosu
