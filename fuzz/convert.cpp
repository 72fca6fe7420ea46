// Import and conversion: a .tflite or .armnn becomes everything that `npubin convert` knows from there. What
// comes out has to be read, has to pass `check` and has to import again; a conversion either refuses or is
// right.
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "convert/conversions.h"
#include "formats/armnn/document.h"
#include "formats/tflite/document.h"
#include "npubin/graph.h"
#include "schema/onnx.pb.h"

namespace {

using namespace npubin;

[[noreturn]] void fail(const convert::Conversion& row, const std::string& schema, const std::string& what) {
  std::fprintf(stderr, "%.*s to %.*s %s: %s\n", static_cast<int>(row.from.size()), row.from.data(),
               static_cast<int>(row.to.size()), row.to.data(), schema.c_str(), what.c_str());
  __builtin_trap();
}

Result<std::unique_ptr<Artifact>> read(std::string_view extension, Bytes bytes) {
  return extension == ".tflite" ? tflite::TfliteDocument::read(std::move(bytes), {})
                                : armnn::ArmnnDocument::read(std::move(bytes), {});
}

void accept(const convert::Conversion& row, const std::string& schema, std::vector<std::byte> bytes) {
  if (row.to == ".onnx") {
    onnx::ModelProto model;
    if (!model.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())))
      fail(row, schema, "is no ONNX model");
    return;
  }
  auto again = read(row.to, Bytes::own(std::move(bytes)));
  if (!again) fail(row, schema, to_string(again.error()));
  Diagnostics findings;
  (*again)->validate({}, findings);
  for (const Diagnostic& finding : findings.findings())
    if (finding.severity == Severity::Error) fail(row, schema, finding.code + ": " + finding.message);
  Diagnostics more;
  auto graph = dynamic_cast<const graph::GraphSource&>(**again).graph(more);
  if (!graph) fail(row, schema, to_string(graph.error()));
}

void convert_as(const convert::Conversion& row, const Artifact& source,
                const convert::ConvertOptions& options) {
  if (auto done = row.convert(source, options)) accept(row, options.schema, std::move(done->bytes));
}

void convert_all(const Artifact& source) {
  for (const convert::Conversion& row : convert::conversions()) {
    if (row.from != source.format()) continue;
    convert::ConvertOptions options;
    options.approximate = true;
    options.dequantize = row.from == row.to.substr(1) && row.to == ".tflite";
    if (row.to == ".armnn")
      for (const char* schema : {"20.08", "seed"}) {
        options.schema = schema;
        convert_as(row, source, options);
      }
    else
      convert_as(row, source, options);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const ByteSpan bytes{reinterpret_cast<const std::byte*>(data), size};
  for (const char* extension : {".tflite", ".armnn"})
    if (auto artifact = read(extension, Bytes::borrow(bytes))) convert_all(**artifact);
  return 0;
}
