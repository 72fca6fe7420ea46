// Files whose inputs decide: runs that must be refused, and valid giants that must not overflow anything.
#include <cmath>
#include <cstring>

#include <gtest/gtest.h>

#include "npubin/session.h"
#include "support/data.h"
#include "support/graphs.h"
#include "support/work_limit.h"

namespace npubin {
namespace {

using test::fs::path;

Result<std::vector<Tensor>> execute(const path& folder, std::size_t inputs, ExecMode mode) {
  NPUBIN_TRY(graph::Graph graph, test::read_graph(folder / "model.armnn"));
  std::vector<Tensor> tensors;
  for (std::size_t k = 0; k < inputs; ++k)
    tensors.push_back(test::read_tensor(folder / ("in" + std::to_string(k) + ".npy")));
  SessionOptions options;
  options.mode = mode;
  NPUBIN_TRY(const auto session, Session::compile(std::move(graph), options));
  const auto context = session->new_context();
  return session->run(*context, tensors);
}

TEST(RunStage, RefusedOrRightWithinTwoSeconds) {
  std::size_t cases = 0;
  for (const path& folder : test::case_folders(test::best_data("armnn/invalid"))) {
    const auto entry = test::read_json(folder / "case.json");
    if (entry["stage"] != "run") continue;
    for (ExecMode mode : {ExecMode::Reference, ExecMode::Fast}) {
      SCOPED_TRACE(folder.filename().string() + (mode == ExecMode::Fast ? " fast" : " reference"));
      std::size_t inputs = 0;
      while (test::fs::exists(folder / ("in" + std::to_string(inputs) + ".npy"))) ++inputs;
      const test::WorkLimit limit(2.0);
      const auto outputs = execute(folder, inputs, mode);
      ++cases;
      if (entry["verdict"] == "reject") {
        ASSERT_FALSE(outputs.has_value());
        EXPECT_FALSE(outputs.error().message.empty());
        continue;
      }
      ASSERT_TRUE(outputs.has_value()) << to_string(outputs.error());
      const Tensor want = test::read_tensor(folder / "out0.npy");
      for (std::int64_t i = 0; i < want.count(); ++i)
        EXPECT_NEAR((*outputs)[0].real(i), want.real(i), 1e-5 * std::fabs(want.real(i)));
    }
  }
  EXPECT_GT(cases, 0u);
}

}  // namespace
}  // namespace npubin
