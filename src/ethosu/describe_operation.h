// One operation as a block of a listing.
#pragma once

#include <string>
#include <vector>

#include "ethosu/job.h"
#include "ethosu/operation.h"
#include "npubin/describe.h"

namespace npubin::ethosu {

class OperationDescriber {
 public:
  // `values`: JSON is wanted; without it only texts are made, which is several times faster.
  OperationDescriber(const Job& job, bool values) : job_(job), values_(values) {}

  // `moves`: what a DMA moves, where that is known; may be empty.
  Node describe(const Operation& op, const std::string& moves) const;
  // A kernel that runs once more with the state of an earlier one.
  Node repeated(const Operation& op, const Operation& earlier) const;

 private:
  Node head(const Operation& op) const;
  void add_map(Node& node, const char* key, const FeatureMap& map) const;
  void add_second_operand(Node& node, const Operation& op) const;
  void add_kernel(Node& node, const Operation& op) const;
  void add_weights(Node& node, const Operation& op) const;
  void add_scaling(Node& node, const Operation& op) const;
  void add_activation(Node& node, const Operation& op) const;
  void add_block(Node& node, const Operation& op) const;
  void add_dma(Node& node, const Operation& op, const std::string& moves) const;
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
