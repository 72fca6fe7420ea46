// npubin compare: where two models, or a model and stored outputs, part.
#include <algorithm>
#include <memory>
#include <unordered_map>

#include <fmt/format.h>

#include "cli/compare/difference_table.h"
#include "cli/compare/golden.h"
#include "cli/compare/layer_match.h"
#include "cli/compare/model_run.h"
#include "cli/run/graph_inputs.h"
#include "exec/difference.h"
#include "exec/random_inputs.h"
#include "npubin/npy.h"

namespace npubin::cli {
namespace {

using exec::Difference;

struct CompareArguments {
  FileOptions file;
  std::string second, golden, image, io, modes = "fast,fast";
  std::vector<std::string> inputs;
  GraphInputOptions input;
  double tolerance = 0;
  int threads = 1;

  bool random() const { return inputs.empty() && image.empty(); }
};

struct LayerDifference {
  Difference difference;
  std::string first;  // the first model's name for it
  bool by_name = false;
};

struct Comparison {
  std::vector<LayerDifference> layers;   // in the second model's order of execution
  std::vector<Difference> outputs;       // in the first model's order
  std::vector<std::string> input_notes;  // how the second model was given what the first one was
  std::size_t fused = 0;                 // layers of the second model whose partner is inside a fused one
  std::size_t unmatched = 0;             // layers of the second model without a partner in the first

  std::size_t by_name() const {
    return static_cast<std::size_t>(
        std::count_if(layers.begin(), layers.end(), [](const LayerDifference& d) { return d.by_name; }));
  }
};

// Runs both; the first model's layers that have a partner are kept until that one comes by.
Result<Comparison> compare_models(const CompareArguments& options, ModelRun& first, ModelRun* second,
                                  const std::vector<Tensor>& inputs) {
  struct Kept {
    std::string name;
    Tensor tensor;
    bool by_name = false;
  };
  std::unordered_map<graph::ValueId, LayerMatch> partner;  // by the second's value
  std::unordered_map<graph::ValueId, Kept> kept;           // by the first's value
  if (second != nullptr)
    for (const LayerMatch& match : match_layers(first.network(), second->network())) {
      partner.emplace(match.second, match);
      if (match.first != graph::kNoValue) kept.emplace(match.first, Kept{});
    }
  LayerObserver keep;
  if (second != nullptr)
    keep = [&](graph::ValueId value, const std::string& name, const Tensor& tensor) {
      const auto wanted = kept.find(value);
      if (wanted != kept.end()) wanted->second = Kept{name, tensor.clone()};
    };
  NPUBIN_TRY(auto left, first.run(inputs, keep));
  for (NamedTensor& tensor : left) tensor.tensor = tensor.tensor.clone();
  Comparison out;
  std::vector<NamedTensor> right;
  if (second == nullptr) {
    NPUBIN_TRY(right, golden_outputs(options.golden, left));
  } else {
    NPUBIN_TRY(auto translated, translate_inputs(inputs, second->interface(), &out.input_notes));
    NPUBIN_TRY(right,
               second->run(translated, [&](graph::ValueId value, const std::string& name, const Tensor& t) {
                 const auto match = partner.find(value);
                 const auto seen = match == partner.end() ? kept.end() : kept.find(match->second.first);
                 // A layer that is part of another, in the file or in the plan, is not seen.
                 if (match == partner.end()) {
                   ++out.unmatched;
                 } else if (seen == kept.end() || seen->second.tensor.empty()) {
                   ++out.fused;
                 } else if (auto d = exec::difference(name, seen->second.tensor, t)) {
                   out.layers.push_back({std::move(*d), seen->second.name, match->second.by_name});
                 }
               }));
  }
  NPUBIN_TRY(out.outputs, compare_outputs(left, right));
  return out;
}

void add_histogram(Node& node, const std::vector<Difference>& outputs) {
  std::vector<std::string> columns{"name"};
  for (std::size_t b = 0; b < Difference::kBounds.size() + 2; ++b)
    columns.push_back(exec::histogram_label(b));
  Table& table = node.table("histogram", columns);
  table.title = "elements by difference relative to the range";
  for (const Difference& d : outputs) {
    std::vector<Datum> row{d.name};
    for (std::int64_t n : d.histogram) row.emplace_back(n);
    table.rows.push_back(std::move(row));
  }
}

// The differences are small enough where none exceeds tolerance x range of its output.
bool within(const CompareArguments& options, const std::vector<Difference>& outputs) {
  for (const Difference& d : outputs)
    if (!(d.relative() <= options.tolerance)) return false;
  return true;
}

std::string matched(const Comparison& comparison) {
  const std::size_t all = comparison.layers.size(), named = comparison.by_name();
  if (all == 0) return "0: no layers of one kind and shape, only outputs are compared";
  if (named == all) return std::to_string(all);
  return fmt::format("{}: {} by name, {} by kind, shape and order", all, named, all - named);
}

void add_layers(Node& node, const CompareArguments& options, const Comparison& comparison) {
  node.field_text("layers_matched", comparison.layers.size(), matched(comparison));
  node.field("layers_matched_by_name", comparison.by_name()).detail = Detail::JsonOnly;
  if (comparison.fused != 0) node.field("layers_inside_fused_ones", comparison.fused);
  node.field("layers_unmatched", comparison.unmatched);
  std::vector<Difference> differences;
  for (const LayerDifference& layer : comparison.layers) differences.push_back(layer.difference);
  for (const Difference& d : differences)
    if (d.relative() > options.tolerance) {
      node.field_text(
          "first_differing_layer", d.name,
          fmt::format("{} {}: {} of {} elements, largest {:g} (element {}: {:g} against {:g})", d.name,
                      to_string(d.shape), d.differing, d.count, d.largest, d.largest_at, d.left, d.right));
      break;
    }
  add_difference_table(node, "layers", differences, Detail::Verbose);
  Table& table = node.tables.back();
  table.columns.emplace_back("first_model");
  table.columns.emplace_back("matched_by");
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    table.rows[i].emplace_back(comparison.layers[i].first);
    table.rows[i].emplace_back(comparison.layers[i].by_name ? "name" : "order");
  }
}

Node describe(const CompareArguments& options, const Comparison& comparison) {
  Node node;
  const bool same = within(options, comparison.outputs);
  node.field("first", options.file.file);
  node.field("second", options.golden.empty() ? options.second : options.golden);
  node.field("input", options.random()        ? "seeded random numbers"
                      : options.image.empty() ? "the files given"
                                              : options.image);
  for (const std::string& note : comparison.input_notes) node.field("input_of_second", note);
  node.field("tolerance", options.tolerance, "of the range");
  node.field("verdict", same ? "within the tolerance" : "differs");
  if (options.golden.empty()) {
    add_layers(node, options, comparison);
  }
  add_difference_table(node, "outputs", comparison.outputs, Detail::Normal);
  add_histogram(node, comparison.outputs);
  return node;
}

Result<ExecMode> mode_of(const std::string& name) {
  if (name == "fast") return ExecMode::Fast;
  if (name == "reference") return ExecMode::Reference;
  return usage_error(fmt::format("--exec {}: a mode is fast or reference", name),
                     "two modes, as in reference,fast, apply to A and B");
}

Result<int> compare(CompareArguments& options) {
  if (options.golden.empty() == options.second.empty())
    return usage_error("give a second model, or --golden DIR, and not both");
  if (options.random() && !options.golden.empty())
    return usage_error("--golden holds what the model gave for some input, and none is given",
                       "give that input with --input or --image");
  const std::size_t comma = options.modes.find(',');
  NPUBIN_TRY(const ExecMode first_mode, mode_of(options.modes.substr(0, comma)));
  NPUBIN_TRY(const ExecMode second_mode,
             mode_of(comma == std::string::npos ? options.modes : options.modes.substr(comma + 1)));
  NPUBIN_CHECK(refuse_idle_input_options(options.inputs, options.image, options.input));
  NPUBIN_TRY(auto first_file, options.file.open());
  std::unique_ptr<Artifact> second_file;
  if (!options.second.empty()) {
    NPUBIN_TRY(second_file, options.file.open(options.second));
  }
  if (!options.io.empty() && first_file->format() != "npub" &&
      (second_file == nullptr || second_file->format() != "npub"))
    return usage_error("--io belongs to .npub files, and neither file is one", "leave it out");
  NPUBIN_TRY(auto first, model_run(*first_file, {first_mode, options.threads, {}}, options.io));
  std::unique_ptr<ModelRun> second;
  if (second_file != nullptr) {
    NPUBIN_TRY(second, model_run(*second_file, {second_mode, options.threads, {}}, options.io));
  }
  Result<std::vector<Tensor>> inputs =
      options.random() ? exec::random_inputs(first->interface(), 1)
                       : load_graph_inputs(first->interface(), options.inputs, options.image, options.input);
  if (!inputs) return Unexpected(std::move(inputs).error());
  NPUBIN_TRY(Comparison comparison, compare_models(options, *first, second.get(), *inputs));
  const int printed = print_report("npubin.compare/1", describe(options, comparison), options.file.json,
                                   options.file.verbosity);
  if (printed != kFine) return printed;
  return within(options, comparison.outputs) ? kFine : kFound;
}

void define_compare(OptionSet& app, Action& action) {
  auto options = std::make_shared<CompareArguments>();
  app.add_option("A", options->file.file, "the first model")->required();
  app.add_option("B", options->second, "the second model");
  app.add_option("--golden", options->golden, "instead of B: a folder with out0.npy, out1.npy, ...");
  app.add_option("--input", options->inputs,
                 "[NAME=]FILE: an input as .npy or raw .bin; repeatable (default: seeded random numbers)")
      ->allow_extra_args(false);
  app.add_option("--image", options->image, "a picture as input");
  app.add_flag("--float", options->input.real, "input files hold real numbers for quantised inputs");
  add_picture_options(app, options->input);
  app.add_option("--tolerance", options->tolerance,
                 "largest difference that passes, as a fraction of the output's range (default 0)")
      ->range(0, 1e30);
  app.add_option("--exec", options->modes, "fast or reference, or one for each as in reference,fast");
  app.add_option("--threads", options->threads, "threads to use")->range(1, 256);
  app.add_option("--io", options->io, ".npub without a sidecar: where inputs and outputs lie");
  options->file.add_json(app);
  options->file.add_verbosity(app);
  app.callback([options, &action] {
    action = [options] {
      auto done = compare(*options);
      return done ? *done : report(done.error());
    };
  });
}

}  // namespace

extern const Verb kCompare;
const Verb kCompare{"compare", "run two models, or one against stored outputs, and show where they part",
                    "  npubin compare model.tflite model.armnn\n"
                    "  npubin compare model.tflite model.npub --image photo.png -v\n"
                    "  npubin compare model.tflite --golden results --input x.npy\n"
                    "  npubin compare model.tflite model.tflite --exec reference,fast",
                    define_compare};

}  // namespace npubin::cli
