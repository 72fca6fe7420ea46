// Running an AIPP config: camera bytes or a picture in, the network's input out.
#include <algorithm>
#include <charconv>
#include <cstdio>

#include <fmt/format.h>

#include "cli/run/aipp.h"
#include "cli/run/aipp_preview.h"
#include "formats/aipp/artifact.h"
#include "formats/aipp/blocks.h"
#include "formats/aipp/rules.h"
#include "npubin/npy.h"
#include "render/json.h"
#include "vision/aipp/picture_bytes.h"

namespace npubin::cli {
namespace {

using aipp::Block;

struct AippOptions {
  std::vector<std::string> shapes;  // [K:]N,C,H,W
  std::string dtype = "float16";
  std::string rounding = "floor";
  std::string precision = "fp16";
  std::string params;
  std::string soc;
  std::string preview;
  std::string preview_order = "rgb";
  std::string standard;
  bool scalar = false;
};

// One block on its way: what goes in, what comes out.
struct Job {
  const Block* block = nullptr;
  aipp::NetworkInput network;
  std::vector<aipp::Settings> settings;
  Bytes input;
  Picture source;  // of the first picture; empty unless a preview is wanted
};

Result<DType> element_type(const std::string& name) {
  if (name == "float16" || name == "fp16") return DType::F16;
  if (name == "float32" || name == "fp32") return DType::F32;
  if (name == "uint8") return DType::U8;
  if (name == "int8") return DType::I8;
  return usage_error(fmt::format("--dtype {} is not known", name), "float16, float32 or uint8");
}

// The block that "K" or a name stands for; the only block where neither is given.
Result<std::size_t> block_of(const aipp::Config& config, const std::string& name, const std::string& option) {
  if (name.empty()) {
    if (config.blocks.size() == 1) return std::size_t{0};
    return usage_error(
        fmt::format("{} has to say which of the {} blocks it is for", option, config.blocks.size()),
        fmt::format("write {} K{}..., K from 0", option, option == "--input" ? "=" : ":"));
  }
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (error == std::errc() && end == name.data() + name.size() && number < config.blocks.size())
    return number;
  for (std::size_t i = 0; i < config.blocks.size(); ++i)
    if (aipp::input_name(config.blocks[i]) == name) return i;
  return usage_error(fmt::format("{} {}: the config has {} block{}", option, name, config.blocks.size(),
                                 config.blocks.size() == 1 ? "" : "s"),
                     "blocks are counted from 0, in the order of the file");
}

// Without a shape a block of a format with a fixed number of channels can still say what comes out.
Result<void> take_shapes(const aipp::Config& config, const AippOptions& options, std::vector<Job>& jobs) {
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    jobs[i].block = &config.blocks[i];
    const aipp::FormatFacts* facts = aipp::find_format(config.blocks[i].format());
    jobs[i].network = {1, facts != nullptr && facts->channels != 0 ? facts->channels : 3, 0, 0};
  }
  for (const std::string& text : options.shapes) {
    NPUBIN_TRY(const aipp::NetworkInputFacts shape, aipp::parse_network_shape(text));
    NPUBIN_TRY(const std::size_t index, block_of(config, shape.name, "--network-shape"));
    jobs[index].network = {static_cast<std::int32_t>(shape.n), static_cast<std::int32_t>(shape.c),
                           static_cast<std::int32_t>(shape.h), static_cast<std::int32_t>(shape.w)};
  }
  return {};
}

Result<void> take_settings(const AippOptions& options, std::vector<Job>& jobs) {
  std::optional<aipp::ParameterBlock> parameters;
  if (!options.params.empty()) {
    NPUBIN_TRY(const Bytes bytes, Bytes::open(options.params));
    auto block = aipp::read_parameters(bytes.span());
    if (!block) return Unexpected(std::move(block).error().in_file(options.params));
    parameters = std::move(*block);
  }
  for (Job& job : jobs) {
    NPUBIN_TRY(job.settings,
               aipp::settings_for_run(*job.block, job.block->is_dynamic() ? parameters : std::nullopt));
  }
  const bool used =
      std::any_of(jobs.begin(), jobs.end(), [](const Job& job) { return job.block->is_dynamic(); });
  if (parameters && !used) return usage_error("--params is for dynamic mode; the config is static");
  return {};
}

Result<const aipp::CscStandard*> standard_of(const AippOptions& options, const aipp::Settings& settings) {
  if (!options.standard.empty()) return aipp::find_csc_standard(options.standard);
  const aipp::FormatFacts* facts = aipp::find_format(settings.format);
  if (settings.csc && facts != nullptr && facts->family == aipp::PixelFamily::Yuv)
    if (const auto match = aipp::match_csc(settings.matrix, true)) return match->standard;
  return aipp::find_csc_standard("jpeg");
}

// A photograph as the camera would deliver it; says what was done to it.
Result<void> take_picture(const std::string& path, const AippOptions& options, Job& job) {
  const aipp::Settings& settings = job.settings.front();
  NPUBIN_TRY(const aipp::Geometry geometry, aipp::resolve_geometry(settings, job.network));
  NPUBIN_TRY(const aipp::CscStandard* standard, standard_of(options, settings));
  auto picture = load_picture(path);
  if (!picture) return Unexpected(std::move(picture).error().in_file(path));
  Picture rgb = to_rgb(*picture);
  const auto w = static_cast<std::uint32_t>(geometry.src_w);
  const auto h = static_cast<std::uint32_t>(geometry.src_h);
  if (rgb.width != w || rgb.height != h) {
    std::fprintf(stderr, "npubin: %s: scaled from %u x %u to the source size %u x %u\n", path.c_str(),
                 rgb.width, rgb.height, w, h);
    rgb = resize(rgb, w, h,
                 rgb.width >= w && rgb.height >= h ? ResizeFilter::AreaAverage : ResizeFilter::Bilinear);
  }
  const aipp::FormatFacts* facts = aipp::find_format(settings.format);
  const bool yuv = facts != nullptr && facts->family == aipp::PixelFamily::Yuv;
  const bool v_first = yuv && settings.swap_rb_uv;
  NPUBIN_TRY(const std::vector<std::byte> one,
             aipp::bytes_of_picture(rgb, settings.format, *standard, v_first));
  std::fprintf(stderr, "npubin: %s: fed as %s%s%s%s\n", path.c_str(), std::string(facts->name).c_str(),
               yuv ? ", converted by " : "", yuv ? std::string(standard->title).c_str() : "",
               v_first ? ", V before U as rbuv_swap_switch expects" : "");
  std::vector<std::byte> all;
  for (std::int32_t i = 0; i < job.network.n; ++i) all.insert(all.end(), one.begin(), one.end());
  job.input = Bytes::own(std::move(all));
  job.source = std::move(rgb);
  return {};
}

// All pictures of a batch are held at once. What asks for more is a slip, or wants several runs.
Result<void> check_batch(const Job& job, const aipp::OutputOptions& output) {
  constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;
  NPUBIN_TRY(const auto one, aipp::Preprocessor::compile(job.settings.front(), job.network, output));
  const std::uint64_t each = one.input_bytes() + one.output_bytes();
  const auto batch = static_cast<std::uint64_t>(job.network.n);
  if (each * batch <= kMostBytes) return {};
  return usage_error(
      fmt::format(
          "--network-shape: a batch of {} pictures of {} bytes, {} each as the network's input, takes more "
          "than {} bytes",
          batch, one.input_bytes(), one.output_bytes(), kMostBytes),
      fmt::format("run at most {} at a time: --network-shape {},{},{},{}",
                  std::max<std::uint64_t>(kMostBytes / each, 1),
                  std::max<std::uint64_t>(kMostBytes / each, 1), job.network.c, one.geometry().out_h,
                  one.geometry().out_w));
}

Result<void> take_inputs(const aipp::Config& config, const RunOptions& run, const AippOptions& options,
                         std::vector<Job>& jobs) {
  std::vector<bool> given(jobs.size(), false);
  for (const std::string& argument : run.inputs) {
    const NamedFile input = split_named_file(argument);
    NPUBIN_TRY(const std::size_t index, block_of(config, input.name, "--input"));
    NPUBIN_TRY(const InputFile file, load_input_file(input.file));
    if (file.tensor && size_of(file.tensor->type()) != 1)
      return usage_error(fmt::format("{} holds {}; a picture's bytes are uint8", input.file,
                                     numpy_name(file.tensor->type())));
    const ByteSpan bytes = file.contents();
    jobs[index].input =
        file.tensor ? Bytes::own(std::vector<std::byte>(bytes.begin(), bytes.end())) : file.bytes;
    given[index] = true;
  }
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    if (given[i]) continue;
    if (run.image.empty())
      return usage_error(fmt::format("block {} has no input", i),
                         "give --input FILE with raw bytes, or --image P.png");
    NPUBIN_CHECK(take_picture(run.image, options, jobs[i]));
  }
  return {};
}

// What the vendor's tools would refuse is worth saying; with --soc it is refused here as well.
Result<void> check_first(const aipp::Config& config, const AippOptions& options,
                         const std::vector<Job>& jobs) {
  aipp::Surroundings surroundings;
  surroundings.soc = options.soc;
  const bool shaped = std::all_of(jobs.begin(), jobs.end(), [](const Job& job) { return job.network.h > 0; });
  if (shaped) {
    surroundings.inputs.emplace(jobs.size());
    for (const Job& job : jobs) {
      const std::size_t rank = aipp::input_rank(*job.block);
      const std::string& name = job.block->of(aipp::FieldId::related_input_name).text;
      const std::size_t place = name.empty() ? rank : static_cast<std::size_t>(&job - jobs.data());
      if (place >= surroundings.inputs->size())
        surroundings.inputs->resize(std::min<std::size_t>(place + 1, 4096));
      if (place < surroundings.inputs->size())
        (*surroundings.inputs)[place] = {name,          job.network.n, job.network.c, job.network.h,
                                         job.network.w, options.dtype, std::nullopt};
    }
  }
  Diagnostics findings;
  aipp::check_config(config, surroundings, findings);
  for (const Diagnostic& d : findings.findings()) {
    if (d.severity != Severity::Error) continue;
    if (!options.soc.empty())
      return refused(d.message, d.hint.empty() ? "`npubin check` lists all findings" : d.hint, d.where,
                     d.code);
    std::fprintf(stderr, "npubin: warning: %s (the vendor's tools would refuse the config) [%s]\n",
                 d.message.c_str(), d.code.c_str());
  }
  return {};
}

Result<aipp::OutputOptions> output_options(const RunOptions& run, const AippOptions& options) {
  aipp::OutputOptions out;
  if (!run.file.layout.empty()) {
    NPUBIN_TRY(out.layout, aipp::parse_layout(run.file.layout));
  }
  NPUBIN_TRY(out.type, element_type(options.dtype));
  out.csc_rounding = options.rounding == "nearest" ? aipp::CscRounding::Nearest : aipp::CscRounding::Floor;
  out.precision = options.precision == "fp32" ? aipp::Precision::Single : aipp::Precision::Half;
  out.threads = run.threads;
  out.vector = !options.scalar;
  return out;
}

Result<void> write_preview(const AippOptions& options, const aipp::OutputOptions& output, Job& job) {
  const aipp::Settings& settings = job.settings.front();
  NPUBIN_TRY(const aipp::Geometry geometry, aipp::resolve_geometry(settings, job.network));
  NPUBIN_TRY(const std::uint64_t bytes, aipp::image_bytes(settings.format, geometry.src_w, geometry.src_h));
  if (job.source.width == 0) {
    NPUBIN_TRY(const aipp::CscStandard* standard, standard_of(options, settings));
    const aipp::FormatFacts* facts = aipp::find_format(settings.format);
    const bool v_first = facts->family == aipp::PixelFamily::Yuv && settings.swap_rb_uv;
    NPUBIN_TRY(job.source, aipp::picture_of_bytes(job.input.span().first(bytes), settings.format,
                                                  geometry.src_w, geometry.src_h, *standard, v_first));
  }
  NPUBIN_TRY(const Picture preview, aipp_preview(settings, job.network, output, job.input.span().first(bytes),
                                                 job.source, options.preview_order == "bgr"));
  return save_png(options.preview, preview);
}

std::string json_report(const std::vector<NamedTensor>& outputs, const aipp::OutputOptions& options) {
  render::Json list = render::Json::array();
  for (const NamedTensor& output : outputs)
    list.push_back({{"name", output.name},
                    {"shape", output.tensor.shape()},
                    {"dtype", numpy_name(output.tensor.type())}});
  return render::dump(
      {{"schema", "npubin.run/1"}, {"rules", aipp::rules_text(options)}, {"outputs", std::move(list)}});
}

Result<void> run_config(const aipp::AippArtifact& artifact, const RunOptions& run,
                        const AippOptions& options) {
  NPUBIN_TRY(const aipp::Config* config, artifact.config());
  if (config->blocks.empty()) return refused("the config holds no aipp_op block: there is nothing to run");
  NPUBIN_TRY(const aipp::OutputOptions output, output_options(run, options));
  std::vector<Job> jobs(config->blocks.size());
  NPUBIN_CHECK(take_shapes(*config, options, jobs));
  NPUBIN_CHECK(check_first(*config, options, jobs));
  NPUBIN_CHECK(take_settings(options, jobs));
  for (const Job& job : jobs) NPUBIN_CHECK(check_batch(job, output));
  NPUBIN_CHECK(take_inputs(*config, run, options, jobs));
  std::vector<NamedTensor> outputs;
  for (const Job& job : jobs) {
    NPUBIN_CHECK(aipp::check_buffer(*job.block, job.input.size()));
    NPUBIN_TRY(Tensor out, aipp::run_batch(job.settings, job.network, output, job.input.span()));
    outputs.push_back({aipp::input_name(*job.block), std::move(out)});
  }
  const bool resized =
      std::any_of(jobs.begin(), jobs.end(), [](const Job& job) { return job.settings[0].resize; });
  std::fprintf(
      stderr, "npubin: rules: %s%s\n", aipp::rules_text(output).c_str(),
      resized
          ? "; resize is bilinear on an align-corners grid, not bit-exact: the chip's filter is not published"
          : "");
  if (!run.out_dir.empty()) NPUBIN_CHECK(write_tensors(run.out_dir, "out", outputs));
  if (!options.preview.empty()) NPUBIN_CHECK(write_preview(options, output, jobs.front()));
  if (run.file.json) return print(json_report(outputs, output));
  if (!run.out_dir.empty() || !options.preview.empty()) return {};
  std::string text;
  for (std::size_t i = 0; i < outputs.size(); ++i)
    text += fmt::format("out{}: {} {} {}\n", i, outputs[i].name, numpy_name(outputs[i].tensor.type()),
                        to_string(outputs[i].tensor.shape()));
  return print(text);
}

class AippBackend final : public RunBackend {
 public:
  std::string_view name() const override { return "AIPP configs"; }

  void add_options(OptionSet& group) override {
    group.add_option("--network-shape", options_.shapes, "[K:]N,C,H,W of the network's input, for block K")
        ->allow_extra_args(false);
    group.add_option("--dtype", options_.dtype, "of the network's input: float16, float32 or uint8");
    group
        .add_option("--csc-rounding", options_.rounding,
                    "the remainder of the colour conversion: floor or nearest")
        ->one_of({"floor", "nearest"});
    group.add_option("--precision", options_.precision, "of the steps of the normalisation: fp16 or fp32")
        ->one_of({"fp16", "fp32"});
    group.add_option("--params", options_.params, "dynamic mode: the parameter block");
    group.add_option("--soc", options_.soc, "refuse what this chip would refuse, e.g. Ascend310P");
    group.add_option("--preview", options_.preview,
                     "PNG: the source with the crop beside what the network sees");
    group.add_option("--preview-order", options_.preview_order, "show channel 0 as red (rgb) or blue (bgr)")
        ->one_of({"rgb", "bgr"});
    group.add_option("--standard", options_.standard,
                     "how --image becomes YUV: jpeg, bt601-narrow, bt709-narrow, bt709-full");
    group.add_flag("--scalar", options_.scalar,
                   "compute value by value, as the vector loops are checked against");
  }

  bool accepts(const Artifact& artifact) const override { return artifact.format() == "aipp"; }

  int run(Artifact& artifact, const RunOptions& options) override {
    const auto done = run_config(static_cast<const aipp::AippArtifact&>(artifact), options, options_);
    if (done) return kFine;
    Error error = done.error();
    return report(std::move(error).in_file(artifact.file_name()));
  }

 private:
  AippOptions options_;
};

}  // namespace

std::unique_ptr<RunBackend> aipp_backend() {
  return std::make_unique<AippBackend>();
}

}  // namespace npubin::cli
