// npubin aipp new: a config from training terms, checked by our own checker.
#include <cstdio>
#include <memory>

#include <fmt/format.h>

#include "cli/aipp.h"
#include "formats/aipp/new_config.h"
#include "formats/aipp/rules.h"
#include "npubin/bytes.h"

namespace npubin::cli {
namespace {

struct AippNewArguments {
  aipp::TrainingPipeline pipeline;
  std::string src, to, crop, mean, std, soc, out;
};

Result<void> take(AippNewArguments& o) {
  NPUBIN_CHECK(aipp::check_soc(o.soc, "--soc"));
  aipp::TrainingPipeline& p = o.pipeline;
  NPUBIN_TRY(const auto src, parse_size(o.src, "--src"));
  p.src_w = src.first;
  p.src_h = src.second;
  NPUBIN_TRY(const auto to, parse_size(o.to.empty() ? o.src : o.to, "--to"));
  p.net_w = to.first;
  p.net_h = to.second;
  NPUBIN_TRY(p.mean, parse_numbers(o.mean, "--mean"));
  NPUBIN_TRY(p.std, parse_numbers(o.std, "--std"));
  if (o.crop.empty()) return {};
  if (o.crop == "center" || o.crop == "centre") {
    p.crop_center = true;
    return {};
  }
  NPUBIN_TRY(const std::vector<double> crop, parse_numbers(o.crop, "--crop"));
  if (crop.size() != 4) return usage_error(fmt::format("--crop {}: center, or X,Y,W,H", o.crop));
  p.crop.emplace();
  for (std::size_t i = 0; i < 4; ++i) {
    if (crop[i] < 0 || crop[i] > 65536) return usage_error(fmt::format("--crop {}: out of range", o.crop));
    (*p.crop)[i] = static_cast<std::int32_t>(crop[i]);
  }
  return {};
}

// Our own checker has the last word: what it refuses is not written.
Result<void> check(const aipp::WrittenConfig& written, const AippNewArguments& o) {
  const aipp::Parsed parsed = aipp::parse_text(written.text);
  if (parsed.fault)
    return malformed(parsed.fault->where, parsed.fault->message, parsed.fault->hint, parsed.fault->code);
  aipp::Surroundings surroundings;
  surroundings.soc = o.soc;
  surroundings.inputs.emplace();
  const aipp::NetworkInput& n = written.network;
  surroundings.inputs->push_back({{}, n.n, n.c, n.h, n.w, "float16", std::nullopt});
  Diagnostics findings;
  aipp::check_config(parsed.config, surroundings, findings);
  for (const Diagnostic& d : findings.findings()) {
    if (d.severity == Severity::Error)
      return refused(fmt::format("the chip would refuse this: {}", d.message), d.hint, {}, d.code);
    if (d.severity == Severity::Warning)
      std::fprintf(stderr, "npubin: warning: %s [%s]\n", d.message.c_str(), d.code.c_str());
  }
  return {};
}

int run(AippNewArguments& o) {
  if (auto taken = take(o); !taken) return report(taken.error());
  auto written = aipp::write_config(o.pipeline);
  if (!written) return report(written.error());
  if (auto checked = check(*written, o); !checked) return report(checked.error());
  const auto done = o.out.empty() ? print(written->text) : write_file(o.out, std::string_view(written->text));
  return done ? kFine : report(done.error());
}

}  // namespace

void define_aipp_new(OptionSet& parent, Action& action) {
  auto o = std::make_shared<AippNewArguments>();
  OptionSet& app = parent.add_subcommand(
      "new", "write a commented config from training terms",
      "Examples:\n"
      "  npubin aipp new --input nv12 --src 1920x1080 --crop center --to 224x224 --order rgb \\\n"
      "      --standard bt601-narrow --mean 0.485,0.456,0.406 --std 0.229,0.224,0.225 -o aipp.cfg\n"
      "  npubin aipp new --input rgb --src 416x416 --order bgr --soc Ascend310P");
  app.add_option("--input", o->pipeline.input,
                 "the camera's bytes: nv12, nv21, rgb, bgr, xrgb, rgbx, xbgr, bgrx, yuyv, grey")
      ->required();
  app.add_option("--src", o->src, "the camera's picture: WxH")->required();
  app.add_option("--to", o->to, "the network's picture: WxH (default: as --src)");
  app.add_option("--crop", o->crop, "center, or X,Y,W,H in the source; what is missing to --to is padded");
  app.add_option("--order", o->pipeline.order, "the network's channels: rgb, bgr or grey");
  app.add_option("--standard", o->pipeline.standard,
                 "YUV inputs: bt601-narrow, jpeg, bt709-narrow or bt709-full");
  app.add_option("--mean", o->mean, "per channel in the network's order, of pixels scaled to 0..1");
  app.add_option("--std", o->std, "likewise");
  app.add_option("--pad-value", o->pipeline.padding_value, "the border's value, in the network's own units");
  app.add_option("--soc", o->soc, "check against this chip as well");
  app.add_option("-o,--output", o->out, "write to this file instead of standard output");
  app.callback([o, &action] { action = [o] { return run(*o); }; });
}

}  // namespace npubin::cli
