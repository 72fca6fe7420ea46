// Running a compiled file on tensors, as the command line does.
#pragma once

#include <cmath>
#include <cstring>

#include <gtest/gtest.h>

#include "npubin/artifact.h"
#include "npubin/graph.h"
#include "npubin/session.h"
#include "support/data.h"

namespace npubin::test {

class CompiledFile {
 public:
  explicit CompiledFile(const fs::path& file) {
    auto artifact = open_artifact(file.string());
    EXPECT_TRUE(artifact) << (artifact ? "" : to_string(artifact.error()));
    if (!artifact) return;
    const auto* source = dynamic_cast<const graph::GraphSource*>(artifact->get());
    EXPECT_NE(source, nullptr) << file;
    if (source == nullptr) return;
    Diagnostics findings;
    auto graph = source->graph(findings);
    EXPECT_TRUE(graph) << file << (graph ? "" : to_string(graph.error()));
    if (!graph) return;
    use(*std::move(graph), file.string());
    artifact_ = std::move(*artifact);
  }
  CompiledFile(graph::Graph graph, const std::string& name) { use(std::move(graph), name); }

  bool good() const { return session_ != nullptr; }
  const graph::Graph& graph() const { return session_->graph(); }

  // Tensors of the right count take the shape of the graph's input.
  std::vector<Tensor> run(const std::vector<fs::path>& inputs) const {
    std::vector<Tensor> tensors;
    for (std::size_t i = 0; i < inputs.size() && i < graph().inputs.size(); ++i)
      tensors.push_back(read_tensor(inputs[i]).reshaped(graph().value(graph().inputs[i].value).shape));
    return run(tensors);
  }
  std::vector<Tensor> run(const std::vector<Tensor>& tensors) const {
    const auto context = session_->new_context();
    auto outputs = session_->run(*context, tensors);
    EXPECT_TRUE(outputs) << (outputs ? "" : to_string(outputs.error()));
    if (!outputs) return {};
    std::vector<Tensor> copies;
    for (const Tensor& tensor : *outputs) copies.push_back(tensor.clone());
    return copies;
  }

 private:
  void use(graph::Graph graph, const std::string& name) {
    auto session = Session::compile(std::move(graph));
    EXPECT_TRUE(session) << name << (session ? "" : to_string(session.error()));
    if (session) session_ = *std::move(session);
  }
  std::unique_ptr<Artifact> artifact_;
  std::unique_ptr<Session> session_;
};

// Elements that are not the same; `largest` becomes the largest difference.
inline std::int64_t differing(const Tensor& got, const fs::path& wanted_file, double& largest) {
  const Tensor wanted = read_tensor(wanted_file);
  EXPECT_EQ(got.count(), wanted.count()) << wanted_file;
  EXPECT_EQ(got.type(), wanted.type()) << wanted_file;
  if (got.count() != wanted.count() || got.type() != wanted.type()) return -1;
  const std::size_t bytes = size_of(got.type());
  Tensor codes = got;
  codes.set_quantization({});
  std::int64_t count = 0;
  largest = 0;
  for (std::int64_t i = 0; i < got.count(); ++i) {
    const std::size_t at = static_cast<std::size_t>(i) * bytes;
    if (std::memcmp(got.data() + at, wanted.data() + at, bytes) == 0) continue;
    ++count;
    largest = std::max(largest, std::abs(codes.real(i) - wanted.real(i)));
  }
  return count;
}

// "in0.npy", "in1.npy", ... as far as they are there.
inline std::vector<fs::path> numbered(const fs::path& folder, const std::string& stem) {
  std::vector<fs::path> out;
  for (int i = 0; fs::exists(folder / (stem + std::to_string(i) + ".npy")); ++i)
    out.push_back(folder / (stem + std::to_string(i) + ".npy"));
  return out;
}

}  // namespace npubin::test
