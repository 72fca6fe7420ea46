// npubin aipp compare: does a config equal the training pre-processing?
#include <memory>

#include <fmt/format.h>

#include "cli/aipp.h"
#include "formats/aipp/artifact.h"
#include "formats/aipp/comparison.h"
#include "formats/aipp/surroundings.h"
#include "formats/aipp/training_terms.h"

namespace npubin::cli {
namespace {

struct AippCompareArguments {
  FileOptions file;
  std::string mean, std, order = "rgb", image, shape, standard;
  std::size_t block = 0;
};

Result<aipp::NetworkInput> network_of(const AippCompareArguments& o, const aipp::Block& block) {
  const aipp::FormatFacts* facts = aipp::find_format(block.format());
  if (o.shape.empty()) {
    const int channels = o.order == "grey"                          ? 1
                         : facts != nullptr && facts->channels != 0 ? facts->channels
                                                                    : 3;
    return aipp::NetworkInput{1, channels, 0, 0};
  }
  NPUBIN_TRY(const aipp::NetworkInputFacts shape, aipp::parse_network_shape(o.shape));
  return aipp::NetworkInput{1, static_cast<std::int32_t>(shape.c), static_cast<std::int32_t>(shape.h),
                            static_cast<std::int32_t>(shape.w)};
}

Result<aipp::Comparison> compare(const AippCompareArguments& o) {
  NPUBIN_TRY(const auto artifact, o.file.open());
  if (artifact->format() != "aipp")
    return usage_error(fmt::format("the file is of format {}, not an AIPP config", artifact->format()));
  NPUBIN_TRY(const aipp::Config* config, static_cast<const aipp::AippArtifact&>(*artifact).config());
  if (o.block >= config->blocks.size())
    return usage_error(fmt::format("--block {}: the config has {}", o.block, config->blocks.size()));
  aipp::TrainingTarget target;
  target.order = o.order;
  NPUBIN_TRY(target.mean, parse_numbers(o.mean, "--mean"));
  NPUBIN_TRY(target.std, parse_numbers(o.std, "--std"));
  if (!o.mean.empty() && o.std.empty()) target.std = {1};
  NPUBIN_CHECK(aipp::check_training_values(target.mean, target.std, o.order == "grey" ? 1 : 3));
  if (!o.standard.empty()) {
    NPUBIN_TRY(target.camera, aipp::find_csc_standard(o.standard));
  }
  const aipp::Block& block = config->blocks[o.block];
  NPUBIN_TRY(const aipp::NetworkInput network, network_of(o, block));
  NPUBIN_TRY(const Picture picture, load_picture(o.image));
  return aipp::compare_with_training(block, network, picture, target);
}

Node tree(const aipp::Comparison& c) {
  Node root("comparison", c.alike ? "the config agrees with training" : "the config differs from training");
  root.field("alike", c.alike, {}, Detail::JsonOnly);
  root.field("fed_as", c.fed_as);
  root.field("mean_difference_levels", c.mean_levels, "levels of 0 to 255");
  if (!c.likely_cause.empty()) root.field("likely_cause", c.likely_cause);
  if (!c.alike && c.likely_cause.empty())
    root.field_text("likely_cause", nullptr,
                    "no single change of order, colours or normalisation explains it");
  Table& table = root.table("channels", {"channel", "largest", "mean", "largest_levels", "mean_levels"});
  for (std::size_t i = 0; i < c.channels.size(); ++i)
    table.rows.push_back({i, c.channels[i].largest, c.channels[i].mean, c.channels[i].largest_levels,
                          c.channels[i].mean_levels});
  return root;
}

int run(const AippCompareArguments& o) {
  auto comparison = compare(o);
  if (!comparison) return report(std::move(comparison).error().in_file(o.file.file));
  const int printed = print_report("npubin.aipp.compare/1", tree(*comparison), o.file.json, 0);
  return printed != kFine ? printed : comparison->alike ? kFine : kFound;
}

}  // namespace

void define_aipp_compare(OptionSet& parent, Action& action) {
  auto o = std::make_shared<AippCompareArguments>();
  OptionSet& app = parent.add_subcommand(
      "compare", "hold a config against the training pipeline, on a picture",
      "Examples:\n"
      "  npubin aipp compare aipp.cfg --mean 0.485,0.456,0.406 --std 0.229,0.224,0.225 \\\n"
      "      --order rgb --image photo.jpg");
  app.add_option("FILE", o->file.file, "the config")->required();
  app.add_option("--format", o->file.format, "read as this format, whatever the content looks like");
  o->file.add_json(app);
  app.add_option("--image", o->image, "a PNG, JPEG or BMP picture")->required();
  app.add_option("--mean", o->mean,
                 "of training, per channel in the network's order, of pixels scaled to 0..1");
  app.add_option("--std", o->std, "likewise; without --mean and --std training takes pixels of 0 to 255");
  app.add_option("--order", o->order, "the channels that training feeds: rgb, bgr or grey")
      ->one_of({"rgb", "bgr", "grey"});
  app.add_option("--network-shape", o->shape, "N,C,H,W of the network's input");
  app.add_option(
      "--standard", o->standard,
      "how the camera makes YUV: bt601-narrow, jpeg, bt709-narrow, bt709-full (default: as the config says)");
  app.add_option("--block", o->block, "which block of the config, from 0");
  app.callback([o, &action] { action = [o] { return run(*o); }; });
}

}  // namespace npubin::cli
