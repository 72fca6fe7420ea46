// Files that npubin writes must load in Debian's Arm NN 20.08 and answer there as they should.
#include <cstdio>
#include <cstdlib>
#include <set>

#include <gtest/gtest.h>

#include "npubin/npy.h"
#include "support/compare.h"
#include "support/data.h"

namespace npubin::test {
namespace {

int shell(const std::string& command) {
  const int status = std::system(command.c_str());
  return status < 0 ? -1 : status;
}

std::string quoted(const fs::path& path) {
  return "'" + path.string() + "'";
}

// Runs a model in the peer with the inputs of a case; outputs land in `folder` as out<k>.npy.
bool run_peer(const fs::path& model, const nlohmann::json& description, const fs::path& inputs,
              const fs::path& folder) {
  std::string command = std::string(NPUBIN_ARMNN_PEER) + " " + quoted(model) + " " + quoted(folder);
  for (std::size_t k = 0; k < description["inputs"].size(); ++k)
    command += " --input '" + description["inputs"][k]["name"].get<std::string>() + "=" +
               (inputs / ("in" + std::to_string(k) + ".npy")).string() + "'";
  for (const auto& output : description["outputs"])
    command += " --output '" + output["name"].get<std::string>() + "'";
  return shell(command + " >" + quoted(folder / "log") + " 2>&1") == 0;
}

bool loads_in_peer(const nlohmann::json& description) {
  return description.contains("peer2008") && description["peer2008"] == "same";
}

// Converts every case of a folder to the 20.08 schema and runs the result in Arm NN.
void convert_and_run(const std::string& kind, std::size_t at_least) {
  std::size_t ran = 0;
  for (const fs::path& folder : case_folders(best_data("armnn/" + kind))) {
    const nlohmann::json description = read_json(folder / "case.json");
    const fs::path layer = folder.parent_path().parent_path() / "layers" /
                           description.value("origin", folder.filename().string());
    const nlohmann::json origin =
        fs::exists(layer / "case.json") ? read_json(layer / "case.json") : description;
    if (!loads_in_peer(origin) || !fs::exists(folder / "out0.npy")) continue;
    TemporaryFolder scratch;
    const fs::path written = scratch.path() / "written.armnn";
    ASSERT_EQ(shell(std::string(NPUBIN_PROGRAM) + " convert --schema 20.08 " +
                    quoted(folder / "model.armnn") + " " + quoted(written) + " >/dev/null"),
              0)
        << folder;
    ASSERT_TRUE(run_peer(written, description, folder, scratch.path()))
        << folder << ": Arm NN does not run what npubin wrote";
    for (std::size_t k = 0; k < description["outputs"].size(); ++k) {
      const std::string file = "out" + std::to_string(k) + ".npy";
      EXPECT_EQ(difference(read_tensor(scratch.path() / file), read_tensor(folder / file), Tolerance{}), "")
          << folder;
    }
    ++ran;
  }
  std::printf("[  PEER    ] %s: %zu files written by npubin ran in Arm NN 20.08 with the expected outputs\n",
              kind.c_str(), ran);
  EXPECT_GE(ran, at_least);
}

// Defects and limits of Arm NN 20.08 (armnn spec 1 and 5), by the cases that meet them. A case that is not
// here must run.
const std::set<std::string> kPeerLimits{
    "exp_f32_v",
    "neg_f32_v",
    "sqrt_f32_v",           // D10: ElementwiseUnary is unreadable
    "l2_pool_2d_f32_same",  // D9: L2 pooling asserts
    "unpack_f32_ax1",
    "unpack_i8_ax1",          // D1: several outputs
    "gather_f32_scalar_idx",  // no scalar indices: infers another shape
    "conv_2d_i16_mult_gt1",
    "conv_2d_i16_nobias",
    "conv_2d_i16_s2_relu",
    "conv_2d_i16_same",
    "depthwise_conv_2d_i16_mult2",
    "depthwise_conv_2d_i16_s2_relu6",
    "fully_connected_i16_nobias",
    "fully_connected_i16_per_channel",
    "fully_connected_i16_v",
    "transpose_conv_i16_same",  // Optimize refuses int16 beside int8 weights
    "shape_f32i32_v",           // a constant result: the runtime wants no input then
    "logical_and_bool_bc",      // no booleans in a Reshape
    "log_softmax_i8_all",
    "log_softmax_i8_narrow",
    "log_softmax_i8_wide",
    "pack_i32_ax0",
    "slice_bool_v",
    "strided_slice_bool_v",
    "transpose_conv_i8_batch2_k5",  // asserts on more than one batch
    "pack_i16_ax0",                 // answers with bytes of its own
};

// What npubin says that the converted file computes is what Arm NN computes.
TEST(ArmNN2008, RunsTensorFlowLiteModelsThatNpubinConverted) {
  std::size_t ran = 0, refused = 0, limits = 0;
  for (const fs::path& folder : case_folders(best_data("tflite/cases"))) {
    const nlohmann::json description = read_json(folder / "case.json");
    TemporaryFolder scratch;
    const fs::path written = scratch.path() / "written.armnn", own = scratch.path() / "own";
    const std::string quiet = " >/dev/null 2>&1";
    if (shell(std::string(NPUBIN_PROGRAM) + " convert " + quoted(folder / "model.tflite") + " " +
              quoted(written) + quiet) != 0) {
      ++refused;
      continue;
    }
    std::string run =
        std::string(NPUBIN_PROGRAM) + " run --exec reference " + quoted(written) + " -o " + quoted(own);
    for (std::size_t k = 0; k < description["inputs"].size(); ++k)
      run += " --input " + quoted(folder / ("in" + std::to_string(k) + ".npy"));
    if (shell(run + quiet) != 0) continue;  // a type that the reference backend has no kernel of
    const bool limited = kPeerLimits.count(folder.filename().string()) == 1;
    if (!run_peer(written, description, folder, scratch.path())) {
      EXPECT_TRUE(limited) << folder << ": Arm NN does not run what npubin wrote";
      ++limits;
      continue;
    }
    for (std::size_t k = 0; k < description["outputs"].size() && !limited; ++k) {
      const std::string file = "out" + std::to_string(k) + ".npy";
      EXPECT_EQ(difference(read_tensor(own / file), read_tensor(scratch.path() / file), Tolerance{}), "")
          << folder;
    }
    ++ran;
  }
  std::printf(
      "[  PEER    ] %zu converted models run alike in Arm NN 20.08; %zu cannot be expressed; %zu meet its "
      "defects\n",
      ran, refused, limits);
  EXPECT_GE(ran, 20u);
}

TEST(ArmNN2008, RunsLayersThatNpubinWrote) {
  convert_and_run("layers", 10);
}
TEST(ArmNN2008, RunsSeedAgeGraphsThatNpubinUpgraded) {
  convert_and_run("seed_age", 5);
}

}  // namespace
}  // namespace npubin::test
