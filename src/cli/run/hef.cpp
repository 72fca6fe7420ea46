// Running the host's side of a HEF: what comes before the chip and after it.
#include "cli/run/hef.h"

#include <filesystem>
#include <limits>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "cli/options.h"
#include "cli/run/graph_report.h"
#include "cli/run/hef_frames.h"

namespace npubin::cli {
namespace {

struct Options {
  std::vector<std::string> streams;
  std::string draw, nms_buffer, network_group;
  bool like_hailort = false, counted = false;
  // One value each; empty: not given.
  std::vector<double> score_threshold, iou_threshold;
  std::vector<std::int64_t> max_per_class, max_total, max_mask;
};

Result<void> take(const std::vector<double>& from, std::optional<float>& to) {
  if (!from.empty()) to = static_cast<float>(from.back());
  return {};
}

template <class T>
Result<void> take(const std::vector<std::int64_t>& from, std::optional<T>& to) {
  if (from.empty()) return {};
  if (from.back() < 0 || static_cast<std::uint64_t>(from.back()) > std::numeric_limits<T>::max())
    return usage_error(fmt::format("a maximum of {} is not possible", from.back()));
  to = static_cast<T>(from.back());
  return {};
}

Result<hef::HostOptions> host_options(const Options& from) {
  static const std::map<std::string, hef::NmsBuffer> kBuffers{{"", hef::NmsBuffer::Default},
                                                              {"by-class", hef::NmsBuffer::ByClass},
                                                              {"by-score", hef::NmsBuffer::ByScore},
                                                              {"byte-mask", hef::NmsBuffer::ByteMask}};
  hef::HostOptions out;
  out.nms_buffer = kBuffers.at(from.nms_buffer);
  out.network_group = from.network_group;
  out.like_hailort = from.like_hailort;
  out.counted_nms = from.counted;
  out.keep_raw = true;
  NPUBIN_CHECK(take(from.score_threshold, out.score_threshold));
  NPUBIN_CHECK(take(from.iou_threshold, out.iou_threshold));
  NPUBIN_CHECK(take(from.max_per_class, out.max_proposals_per_class));
  NPUBIN_CHECK(take(from.max_total, out.max_proposals_total));
  NPUBIN_CHECK(take(from.max_mask, out.max_accumulated_mask));
  return out;
}

Result<void> make_folder(const std::string& dir) {
  std::error_code failure;
  std::filesystem::create_directories(dir, failure);
  if (failure) return io_error(dir, "cannot be created: " + failure.message());
  return {};
}

Result<void> write_index(const std::string& dir, const std::string& key,
                         const std::vector<HostReport>& reports) {
  if (dir.empty() || reports.empty()) return {};
  render::Json entries = render::Json::array();
  for (const HostReport& report : reports) entries.push_back(report.entry);
  return write_file(dir + "/" + key + ".json",
                    render::dump({{"schema", "npubin.run/1"}, {key, std::move(entries)}}));
}

class HefBackend final : public RunBackend {
 public:
  std::string_view name() const override { return "the host side of a HEF"; }
  bool accepts(const Artifact& artifact) const override { return artifact.format() == "hef"; }

  void add_options(OptionSet& group) override {
    group
        .add_option(
            "--stream", options_.streams,
            "NAME=FILE: frames of a device stream, one after another, as the chip gave them; repeatable")
        ->allow_extra_args(false);
    group.add_option("--score-threshold", options_.score_threshold, "instead of the file's")
        ->range(0, 1)
        ->allow_extra_args(false);
    group.add_option("--iou-threshold", options_.iou_threshold, "instead of the file's")
        ->range(0, 1)
        ->allow_extra_args(false);
    group.add_option("--max-proposals-per-class", options_.max_per_class, "instead of the file's")
        ->range(0, 65535)
        ->allow_extra_args(false);
    group.add_option("--max-proposals-total", options_.max_total, "for --nms-buffer by-score and byte-mask")
        ->range(0, 65535)
        ->allow_extra_args(false);
    group.add_option("--max-mask-bytes", options_.max_mask, "for --nms-buffer byte-mask")
        ->range(0, 1 << 30)
        ->allow_extra_args(false);
    group.add_option("--nms-buffer", options_.nms_buffer, "by-class (default), by-score or byte-mask")
        ->one_of({"by-class", "by-score", "byte-mask"});
    group.add_flag("--counted", options_.counted, "on-chip NMS streams are HailoRT's raw buffers");
    group.add_flag("--like-hailort", options_.like_hailort, "HailoRT's result, its defects included");
    group.add_option("--draw", options_.draw, "draw the first frame's detections over --image into this PNG");
    group.add_option("--network-group", options_.network_group, "only this one, where the file has several");
  }

  int run(Artifact& artifact, const RunOptions& run_options) override {
    auto done = execute(artifact, run_options);
    if (!done) return report(std::move(done).error().in_file(artifact.file_name()));
    return kFine;
  }

 private:
  Result<void> execute(const Artifact& artifact, const RunOptions& run_options) {
    const bool picture_in = !run_options.image.empty() && options_.draw.empty();
    if (run_options.inputs.empty() && options_.streams.empty() && !picture_in)
      return usage_error(
          "the chip's part cannot be run; give --input for what comes before it, --stream for "
          "what comes after",
          "npubin inspect lists the streams");
    NPUBIN_TRY(auto host, host_options(options_));
    NPUBIN_TRY(auto pipeline, hef::HostPipeline::open(artifact, host));
    const std::string& dir = run_options.out_dir;
    if (!dir.empty()) NPUBIN_CHECK(make_folder(dir));
    std::vector<HostReport> inputs, outputs;
    NPUBIN_CHECK(run_host_inputs(pipeline, run_options.inputs, dir, inputs));
    if (picture_in) NPUBIN_CHECK(run_host_picture(pipeline, run_options.image, dir, inputs));
    HostOutputFiles files{options_.streams, dir, run_options.image, options_.draw, {}};
    if (!run_options.labels.empty()) {
      NPUBIN_TRY(files.labels, load_labels(run_options.labels));
    }
    NPUBIN_CHECK(run_host_outputs(pipeline, files, outputs));
    NPUBIN_CHECK(write_index(dir, "inputs", inputs));
    NPUBIN_CHECK(write_index(dir, "outputs", outputs));
    return print_all(inputs, outputs, run_options.file.json);
  }

  static Result<void> print_all(const std::vector<HostReport>& inputs, const std::vector<HostReport>& outputs,
                                bool json) {
    std::string text;
    render::Json document{{"schema", "npubin.run/1"}};
    for (const auto& [key, reports] : {std::pair{"inputs", &inputs}, std::pair{"outputs", &outputs}})
      for (const HostReport& report : *reports) {
        text += render::printable(report.line) + "\n";
        document[key].push_back(report.entry);
      }
    return print(json ? render::dump(document) : text);
  }

  Options options_;
};

}  // namespace

std::unique_ptr<RunBackend> hef_backend() {
  return std::make_unique<HefBackend>();
}

}  // namespace npubin::cli
