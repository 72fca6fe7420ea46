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

TEST(ArmNN2008, RunsLayersThatNpubinWrote) {
  convert_and_run("layers", 10);
}
TEST(ArmNN2008, RunsSeedAgeGraphsThatNpubinUpgraded) {
  convert_and_run("seed_age", 5);
}

}  // namespace
}  // namespace npubin::test
