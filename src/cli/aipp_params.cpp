// npubin aipp params: the dynamic parameter block, listed, checked or written.
#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "cli/aipp.h"
#include "formats/aipp/artifact.h"
#include "formats/aipp/parameter_report.h"
#include "formats/aipp/settings.h"
#include "formats/aipp/surroundings.h"
#include "render/json.h"

namespace npubin::cli {
namespace {

struct AippParamsArguments {
  FileOptions file;
  std::string from, write, shape;
  std::uint64_t max_src_image_size = 0;
  std::int32_t batch = 1;
  std::size_t block = 0;
};

Result<std::vector<std::byte>> block_from_config(const AippParamsArguments& o) {
  NPUBIN_TRY(const auto artifact, open_artifact(o.from, "aipp"));
  NPUBIN_TRY(const aipp::Config* config, static_cast<const aipp::AippArtifact&>(*artifact).config());
  if (o.block >= config->blocks.size())
    return usage_error(fmt::format("--block {}: the config has {}", o.block, config->blocks.size()));
  const aipp::Block& block = config->blocks[o.block];
  if (!block.is_static())
    return usage_error("a dynamic block has no values to write",
                       "give a static config of what the pictures need");
  NPUBIN_TRY(const aipp::ParameterBlock parameters,
             aipp::parameters_of(aipp::settings_of_block(block), o.batch));
  return aipp::write_parameters(parameters);
}

int write(const AippParamsArguments& o) {
  auto bytes = block_from_config(o);
  if (!bytes) return report(std::move(bytes).error().in_file(o.from));
  const auto done = write_file(o.write, ByteSpan(*bytes));
  return done ? kFine : report(done.error());
}

int list(const AippParamsArguments& o) {
  auto bytes = Bytes::open(o.file.file);
  if (!bytes) return report(bytes.error());
  const auto block = aipp::read_parameters(bytes->span());
  if (!block) {
    Error error = block.error();
    return report(std::move(error).in_file(o.file.file));
  }
  std::optional<aipp::NetworkInput> network;
  if (!o.shape.empty()) {
    const auto shape = aipp::parse_network_shape(o.shape);
    if (!shape) return report(shape.error());
    network = aipp::NetworkInput{static_cast<std::int32_t>(shape->n), static_cast<std::int32_t>(shape->c),
                                 static_cast<std::int32_t>(shape->h), static_cast<std::int32_t>(shape->w)};
  }
  Diagnostics findings;
  aipp::check_parameters(*block, network, o.max_src_image_size, findings);
  Node root = aipp::describe_parameters(*block);
  Table& table = root.table("findings", {"severity", "code", "where", "message"});
  for (const Diagnostic& d : findings.findings())
    table.rows.push_back({to_string(d.severity), d.code, to_string(d.where), d.message});
  const int printed = print_report("npubin.aipp.params/1", root, o.file.json, 0);
  return printed != kFine ? printed : findings.has_errors() ? kFound : kFine;
}

// Listing and writing have options of their own.
Result<void> refuse_others(const AippParamsArguments& o, const OptionSet& given) {
  const std::vector<std::string> names = given.given();
  const auto first_of = [&](std::initializer_list<std::string_view> list) -> std::string {
    for (const std::string& name : names)
      if (std::find(list.begin(), list.end(), name) != list.end()) return name;
    return {};
  };
  if (o.write.empty()) {
    if (const std::string name = first_of({"--batch", "--block"}); !name.empty())
      return usage_error(fmt::format("{} belongs to --write", name));
    return {};
  }
  if (!o.file.file.empty())
    return usage_error(fmt::format("{} is not read when --write is given", o.file.file),
                       "leave one of them out");
  if (const std::string name = first_of({"--network-shape", "--max-src-image-size", "--json"}); !name.empty())
    return usage_error(fmt::format("{} belongs to a block that is listed", name),
                       "list what was written afterwards");
  return {};
}

int run(const AippParamsArguments& o, const OptionSet& given) {
  if (auto fine = refuse_others(o, given); !fine) return report(fine.error());
  if (o.write.empty() != o.from.empty())
    return report(
        usage_error("--write and --from go together", "npubin aipp params --write OUT.bin --from STATIC.cfg")
            .value());
  if (!o.write.empty()) return write(o);
  if (o.file.file.empty())
    return report(usage_error("a parameter block is wanted", "npubin aipp params FILE.bin").value());
  return list(o);
}

}  // namespace

void define_aipp_params(OptionSet& parent, Action& action) {
  auto o = std::make_shared<AippParamsArguments>();
  OptionSet& app =
      parent.add_subcommand("params", "list and check a dynamic parameter block, or write one",
                            "Examples:\n"
                            "  npubin aipp params params.bin --network-shape 1,3,224,224\n"
                            "  npubin aipp params --write params.bin --from static.cfg --batch 4");
  app.add_option("FILE", o->file.file, "the block: 64 + 96 N bytes");
  o->file.add_json(app);
  app.add_option("--network-shape", o->shape, "check against N,C,H,W of the network's input");
  app.add_option("--max-src-image-size", o->max_src_image_size, "check against the config's buffer");
  app.add_option("--from", o->from, "with --write: a static config that says what to do");
  app.add_option("--write", o->write, "write a block to this file");
  app.add_option("--batch", o->batch, "with --write: for so many pictures");
  app.add_option("--block", o->block, "with --from: which block of the config, from 0");
  app.callback([o, &app, &action] { action = [o, &app] { return run(*o, app); }; });
}

}  // namespace npubin::cli
