// npubin pack: an .npub from a Vela-compiled model, from unpacked parts, or from a descriptor.
#include <sys/stat.h>

#include <memory>

#include <fmt/format.h>

#include "cli/verb.h"
#include "convert/vela_to_npub.h"
#include "core/bounded_file.h"
#include "ethosu/accelerator.h"
#include "formats/npub/parts.h"

namespace npubin::cli {
namespace {

struct PackArguments {
  std::string input, descriptor, output, payload = "raw", format;
  std::uint32_t accel = 0;
  bool describe = false, no_sidecar = false;
};

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.find_last_of('/');
  return slash == std::string::npos ? "." : path.substr(0, slash + 1);
}

bool is_folder(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

bool ends_with(const std::string& text, std::string_view end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

// Parts, and the sidecar beside them where there is one.
Result<convert::PackedModel> from_parts(const std::string& file) {
  NPUBIN_TRY(const Bytes json, open_bounded(file));
  convert::PackedModel out;
  NPUBIN_TRY(out.parts, npub::read_parts(json.text(), file, folder_of(file)));
  const std::string sidecar = folder_of(file) + "/sidecar.json";
  struct stat status {};
  if (::stat(sidecar.c_str(), &status) == 0) {
    NPUBIN_TRY(const Bytes text, open_bounded(sidecar));
    out.sidecar = std::string(text.text());
  }
  return out;
}

Result<convert::PackedModel> from_model(const PackArguments& options) {
  FileOptions file;
  file.format = options.format;
  NPUBIN_TRY(const auto artifact, file.open(options.input));
  const auto* document = dynamic_cast<const tflite::TfliteDocument*>(artifact.get());
  if (document == nullptr)
    return usage_error(fmt::format("{} is of format {}; pack takes a Vela-compiled .tflite or unpacked parts",
                                   options.input, artifact->format()));
  convert::NpubOptions convert;
  convert.cop1 = options.payload == "cop1";
  convert.describe = options.describe;
  if (options.accel != 0) {
    convert.accelerator = ethosu::accelerator_of(options.accel);
    if (!convert.accelerator)
      return usage_error(
          fmt::format("--accel {}: the configurations are 32, 64, 128 and 256", options.accel));
  }
  convert.model_name = options.input.substr(options.input.find_last_of('/') + 1);
  return convert::to_npub(*document, convert);
}

// Parts say themselves what they are.
Result<void> refuse_with_parts(const OptionSet& given) {
  for (const std::string& name : given.given())
    if (name == "--payload" || name == "--accel" || name == "--describe" || name == "--format")
      return usage_error(
          fmt::format("{} belongs to Vela-compiled models; parts say themselves what they are", name),
          "change the parts' JSON");
  return {};
}

Result<void> pack(const PackArguments& options, const OptionSet& given) {
  if (options.input.empty() == options.descriptor.empty())
    return usage_error("give a model or a folder of parts, or --descriptor FILE");
  const bool parts =
      !options.descriptor.empty() || is_folder(options.input) || ends_with(options.input, ".json");
  if (parts) NPUBIN_CHECK(refuse_with_parts(given));
  Result<convert::PackedModel> packed;
  if (!options.descriptor.empty())
    packed = from_parts(options.descriptor);
  else if (is_folder(options.input))
    packed = from_parts(options.input + "/parts.json");
  else if (ends_with(options.input, ".json"))
    packed = from_parts(options.input);
  else
    packed = from_model(options);
  if (!packed) return Unexpected(std::move(packed).error().in_file(options.input));
  NPUBIN_TRY(const std::vector<std::byte> blob, npub::assemble_blob(packed->parts));
  NPUBIN_CHECK(write_file(options.output, ByteSpan(blob)));
  if (!packed->sidecar.empty() && !options.no_sidecar)
    NPUBIN_CHECK(write_file(options.output + ".json", std::string_view(packed->sidecar)));
  return {};
}

int run(const PackArguments& options, const OptionSet& given) {
  if (auto done = pack(options, given); !done) return report(done.error());
  return kFine;
}

void define_pack(OptionSet& app, Action& action) {
  auto options = std::make_shared<PackArguments>();
  app.add_option("FILE", options->input, "a Vela-compiled .tflite, or the folder that unpack wrote");
  app.add_option("-o,--output", options->output, "the .npub to write; the sidecar is written to FILE.json")
      ->required();
  app.add_option("--descriptor", options->descriptor,
                 "build from a JSON description of the parts (docs/npub.md)");
  app.add_option("--payload", options->payload, "raw command words, or the driver's COP1 payload")
      ->one_of({"raw", "cop1"});
  app.add_option("--accel", options->accel, "insist on this configuration: 32, 64, 128 or 256 MACs");
  app.add_flag("--describe", options->describe, "add a last region that says where inputs and outputs lie");
  app.add_flag("--no-sidecar", options->no_sidecar, "do not write FILE.json");
  app.add_option("--format", options->format, "read as this format, whatever the content looks like");
  app.callback([options, &app, &action] { action = [options, &app] { return run(*options, app); }; });
}

}  // namespace

extern const Verb kPack;
const Verb kPack{"pack", "build an .npub from a Vela-compiled model or from parts",
                 "  npubin pack model_vela.tflite -o model.npub\n"
                 "  npubin pack parts/ -o model.npub\n"
                 "  npubin pack --descriptor d.json -o job.npub",
                 define_pack};

}  // namespace npubin::cli
