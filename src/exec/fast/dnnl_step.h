// What convolutions and products through oneDNN have in common.
#pragma once

#include <optional>
#include <vector>

#include <oneapi/dnnl/dnnl.hpp>

#include "exec/fast/step.h"

namespace npubin::exec::fast {

// The process's one CPU engine.
const dnnl::engine& cpu_engine();

// Post-operations as oneDNN's; nullopt where one has no counterpart. `result` is the layout of the result,
// which every addend shares.
std::optional<dnnl::post_ops> post_operations(const DraftNode& node, const dnnl::memory::desc& result);

// A constant brought into the layout that the primitive wants.
dnnl::memory prepacked(const void* data, const dnnl::memory::desc& from, const dnnl::memory::desc& to);

// Runs one primitive: source, weights, bias, post-operation addends, destination.
class DnnlStep : public Step {
 public:
  struct Constants {
    dnnl::memory weights;
    std::optional<dnnl::memory> bias;
  };
  DnnlStep(const DraftNode& node, dnnl::primitive primitive, Constants constants,
           const dnnl::memory::desc& source, const dnnl::memory::desc& destination,
           const dnnl::memory::desc& scratch, std::string kernel, bool post_apart = false);

  std::string kernel() const override { return kernel_; }
  std::size_t scratch_bytes() const override { return scratch_.get_size(); }
  std::shared_ptr<void> new_state() const override;
  Result<void> run(const Frame& frame) const override;

 private:
  struct State;
  const DraftNode& node_;
  dnnl::primitive primitive_;
  Constants constants_;
  dnnl::memory::desc source_, destination_, scratch_;
  std::string kernel_;
  bool post_apart_;  // post-operations follow in a pass of their own
};

}  // namespace npubin::exec::fast
