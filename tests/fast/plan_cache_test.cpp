// Plans kept in a folder: used when they fit, made anew when they are damaged or of something else, never
// trusted, written by several at a time.
#include <cstring>
#include <fstream>
#include <thread>

#include <gtest/gtest.h>
#include <xxhash.h>

#include "exec/fast/plan_cache.h"
#include "random_graphs.h"
#include "support/data.h"

namespace npubin::test {
namespace {

using exec::fast::PlanCache;
using graph::Op;
using graph::ValueId;

// An activation of 16 bits (a table).
GraphBuilder table_only() {
  GraphBuilder b(graph::Rules::ArmNn, 1);
  const Quantization q = Quantization::per_tensor(0.0005f, 0);
  const Shape shape{1, 40, 40, 16};
  b.output(b.node(Op::Activation, graph::ActivationAttributes{graph::Activation::Sigmoid, 0, 0, false},
                  {b.input(DType::I16, shape, q)}, DType::I16, shape, Quantization::per_tensor(0.00004f, 0)));
  return b;
}

// And a float32 convolution (weights in the library's layout).
GraphBuilder example() {
  GraphBuilder b = table_only();
  graph::ConvAttributes a;
  a.padding = {1, 1, 1, 1};
  const ValueId in = b.input(DType::F32, {1, 9, 9, 16});
  b.output(b.node(Op::Conv2d, a, {in, b.constant(DType::F32, {24, 3, 3, 16}), b.constant(DType::F32, {24})},
                  DType::F32, {1, 9, 9, 24}));
  return b;
}

struct Outcome {
  PlanCacheReport report;
  std::vector<Tensor> outputs;
};

Outcome run_with(const GraphBuilder& b, const std::string& folder, std::uint64_t hash = 1) {
  SessionOptions options;
  options.plan_cache = folder;
  options.model_hash = hash;
  auto session = Session::compile(b.graph, options);
  EXPECT_TRUE(session.has_value());
  Random random(4);
  std::vector<Tensor> inputs;
  for (const graph::Port& port : b.graph.inputs)
    inputs.push_back(random_tensor(random, b.graph.value(port.value).type, b.graph.value(port.value).shape));
  auto outputs = (*session)->run(*(*session)->new_context(), inputs);
  EXPECT_TRUE(outputs.has_value());
  return {(*session)->plan().cache, *std::move(outputs)};
}

void expect_same(const std::vector<Tensor>& a, const std::vector<Tensor>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t k = 0; k < a.size(); ++k)
    EXPECT_TRUE(std::equal(a[k].bytes().begin(), a[k].bytes().end(), b[k].bytes().begin())) << k;
}

std::size_t files_in(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

std::string content_of(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(PlanCacheFile, TheSecondTimeEverythingIsThere) {
  const TemporaryFolder temporary;
  const std::string folder = (temporary.path() / "plans").string();
  const GraphBuilder b = example();
  const Outcome without = run_with(b, ""), first = run_with(b, folder), second = run_with(b, folder);
  EXPECT_EQ(first.report.state, "new: written");
  EXPECT_EQ(first.report.found, 0u);
  EXPECT_EQ(first.report.made, 2u);
  EXPECT_EQ(second.report.state, "used");
  EXPECT_EQ(second.report.found, 2u);
  EXPECT_EQ(second.report.made, 0u);
  expect_same(without.outputs, first.outputs);
  expect_same(without.outputs, second.outputs);
  EXPECT_EQ(files_in(folder), 1u);
}

TEST(PlanCacheFile, AnotherModelHasAFileOfItsOwn) {
  const TemporaryFolder temporary;
  const std::string folder = temporary.path().string();
  const GraphBuilder b = example();
  run_with(b, folder, 1);
  EXPECT_EQ(run_with(b, folder, 2).report.state, "new: written");
  EXPECT_EQ(files_in(folder), 2u);
}

// Every byte of the header and of the list, some of the parts, and every length.
TEST(PlanCacheFile, DamageIsNoticedAndMendsItself) {
  const TemporaryFolder temporary;
  const std::string folder = temporary.path().string();
  const GraphBuilder b = example();
  const Outcome good = run_with(b, folder);
  const std::string intact = content_of(good.report.file);
  std::vector<std::string> damaged;
  for (std::size_t i = 0; i < intact.size(); i += i < 96 ? 8 : 15013) {
    damaged.push_back(intact);
    damaged.back()[i] = static_cast<char>(damaged.back()[i] ^ 0x40);
  }
  for (std::size_t length :
       {std::size_t{0}, std::size_t{1}, std::size_t{31}, std::size_t{32}, std::size_t{90}, intact.size() - 1})
    damaged.push_back(intact.substr(0, length));
  damaged.push_back(intact + "x");
  for (const std::string& content : damaged) {
    std::ofstream(good.report.file, std::ios::binary)
        .write(content.data(), static_cast<std::streamsize>(content.size()));
    const Outcome again = run_with(b, folder);
    EXPECT_EQ(again.report.state, "damaged: made anew, written again");
    expect_same(good.outputs, again.outputs);
    EXPECT_EQ(content_of(good.report.file), intact);
  }
}

// A forged file has a right hash: sizes and offsets are checked all the same, and what is in the parts is
// only numbers.
TEST(PlanCacheFile, ForgedFilesAreHarmless) {
  const TemporaryFolder temporary;
  const std::string folder = temporary.path().string();
  const GraphBuilder b = example();
  const Outcome good = run_with(b, folder);
  const std::string intact = content_of(good.report.file);
  Random random(6);
  for (int round = 0; round < 200; ++round) {
    std::string forged = intact;
    const auto put = [&](std::size_t at, std::uint64_t value) { std::memcpy(forged.data() + at, &value, 8); };
    static constexpr std::uint64_t kOdd[] = {
        0, 1, 64, 0x7fffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffc0, 1u << 20};
    if (round % 4 == 3) {
      for (std::size_t i = 128; i < forged.size(); ++i) forged[i] = static_cast<char>(random.next());
    } else {
      // The number of parts, or one word of the list.
      put(round % 4 == 0 ? 16 : 32 + 8 * static_cast<std::size_t>(random.between(0, 5)),
          kOdd[random.between(0, 6)]);
    }
    put(24, XXH3_64bits(forged.data() + 32, forged.size() - 32));
    std::ofstream(good.report.file, std::ios::binary)
        .write(forged.data(), static_cast<std::streamsize>(forged.size()));
    run_with(b, folder);
  }
}

TEST(PlanCacheFile, PartsOfAnotherSizeAreNotUsed) {
  const TemporaryFolder temporary;
  PlanCache cache(temporary.path().string(), 7);
  const std::vector<std::byte> part(100, std::byte{5});
  EXPECT_FALSE(cache.find(1, 100).has_value());
  cache.keep(1, part);
  cache.store();
  PlanCache again(temporary.path().string(), 7);
  EXPECT_FALSE(again.find(1, 99).has_value());
  EXPECT_FALSE(again.find(2, 100).has_value());
  const auto found = again.find(1, 100);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(found->data()) % 64, 0u);
  EXPECT_TRUE(std::equal(part.begin(), part.end(), found->begin()));
}

TEST(PlanCacheFile, AFolderThatCannotBeWrittenIsOnlyNoted) {
  const TemporaryFolder temporary;
  const std::string file = (temporary.path() / "file").string();
  std::ofstream(file) << "no folder";
  const GraphBuilder b = example();
  const Outcome outcome = run_with(b, file);
  EXPECT_EQ(outcome.report.state.rfind("not written: ", 0), 0u) << outcome.report.state;
  expect_same(run_with(b, "").outputs, outcome.outputs);
}

// Without the library, whose threads ThreadSanitizer cannot follow.
TEST(PlanCacheFile, SeveralWriteAtTheSameTime) {
  const TemporaryFolder temporary;
  const std::string folder = temporary.path().string();
  const GraphBuilder b = table_only();
  const Outcome alone = run_with(b, "");
  std::vector<Outcome> outcomes(6);
  std::vector<std::thread> threads;
  threads.reserve(outcomes.size());
  for (Outcome& outcome : outcomes) threads.emplace_back([&] { outcome = run_with(b, folder); });
  for (std::thread& thread : threads) thread.join();
  for (const Outcome& outcome : outcomes) expect_same(alone.outputs, outcome.outputs);
  EXPECT_EQ(run_with(b, folder).report.state, "used");
  EXPECT_EQ(files_in(folder), 1u);
}

}  // namespace
}  // namespace npubin::test
