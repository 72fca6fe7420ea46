#include "formats/tflite/validate.h"

#include <fmt/format.h>

#include "formats/tflite/import/import.h"
#include "formats/tflite/schema.h"
#include "formats/tflite/vela.h"

namespace npubin::tflite {
namespace {

// The cases hold versions 1 to 12; anything above this is no version that a converter writes.
constexpr std::int32_t kLargestOperatorVersion = 64;

void validate_operator_codes(const TfliteDocument& document, Diagnostics& out) {
  const auto& codes = document.operator_codes();
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const Location where = Location::at(codes[i].offset, fmt::format("operator_codes[{}]", i));
    if (codes[i].builtin == kCustom) {
      if (codes[i].custom_code.empty())
        out.error("TFL-0015", where, "a custom operator has no name", "its writer must set custom_code");
    } else if (codes[i].name.empty()) {
      out.error("TFL-0014", where,
                codes[i].builtin == kPlaceholder
                    ? "the operator code is 127, which only stands for a newer code"
                : codes[i].builtin < 0 ? "the operator code is negative"
                                       : fmt::format("{} is no operator code known here", codes[i].builtin),
                "the file is damaged, or newer than this program");
    }
    if (codes[i].version < 1 || codes[i].version > kLargestOperatorVersion)
      out.warn("TFL-0016", where, fmt::format("{} has version {}", codes[i].name, codes[i].version),
               "versions count from 1; the version is not taken into account");
  }
}

void validate_signatures(const TfliteDocument& document, Diagnostics& out) {
  for (std::size_t i = 0; i < document.signatures().size(); ++i) {
    const SignatureView& signature = document.signatures()[i];
    const Location where = Location::at(signature.offset, fmt::format("signature_defs[{}]", i));
    if (signature.subgraph >= document.subgraphs().size()) {
      out.warn("TFL-0018", where,
               fmt::format("the signature {:?} names subgraph {} of {}", signature.key, signature.subgraph,
                           document.subgraphs().size()),
               "the signature is ignored");
      continue;
    }
    const std::size_t tensors = document.subgraphs()[signature.subgraph].tensors.size();
    for (const auto* side : {&signature.inputs, &signature.outputs})
      for (const SignatureView::Entry& entry : *side)
        if (entry.tensor >= tensors)
          out.warn("TFL-0018", where,
                   fmt::format("the signature {:?} gives {:?} to tensor {} of {}", signature.key, entry.name,
                               entry.tensor, tensors),
                   "the signature is ignored");
  }
}

// tflite spec 1: stock runtimes load a model only where they know every operator.
void validate_custom_operators(const TfliteDocument& document, Diagnostics& out) {
  for (std::size_t i = 0; i < document.operator_codes().size(); ++i) {
    const OperatorCodeView& code = document.operator_codes()[i];
    if (code.builtin != kCustom || code.custom_code.empty() || code.is_custom("ethos-u") ||
        code.is_custom("TFLite_Detection_PostProcess"))
      continue;
    out.error(
        "TFL-0020", Location::at(code.offset, fmt::format("operator_codes[{}]", i)),
        fmt::format("the custom operator {:?} has no kernel here or in a stock runtime", code.custom_code),
        "a runtime needs that operator's own kernel, registered under this name, to load the model");
  }
}

}  // namespace

std::string tensor_path(std::size_t subgraph, std::size_t tensor) {
  return fmt::format("subgraphs[{}].tensors[{}]", subgraph, tensor);
}
std::string operator_path(std::size_t subgraph, std::size_t op) {
  return fmt::format("subgraphs[{}].operators[{}]", subgraph, op);
}

void validate_model(const TfliteDocument& document, Diagnostics& out) {
  const Location root = Location::at(document.model().offset(), "root");
  if (document.version() != 3)
    out.error("TFL-0011", root, fmt::format("the schema version is {}", document.version()),
              "only version 3 is known; every converter since 2018 writes it");
  if (document.subgraphs().empty())
    out.error("TFL-0012", root, "the model has no subgraphs", "there is nothing in it to run");
  if (document.operator_codes().empty() && !document.subgraphs().empty() &&
      !document.subgraphs()[0].operators.empty())
    out.error("TFL-0012", root, "the model has operators and no operator_codes", "the file is damaged");
  if (!document.buffer_bytes(0).empty())
    out.warn("TFL-0017", Location::at(document.buffers()[0].offset, "buffers[0]"),
             fmt::format("buffer 0 holds {} bytes; it stands for \"no constant\" and must be empty",
                         document.buffer_bytes(0).size()),
             "the bytes are ignored");
  for (std::size_t i = 0; i < document.metadata().size(); ++i)
    if (const MetadataView& entry = document.metadata()[i]; entry.buffer >= document.buffers().size())
      out.warn("TFL-0018", Location::at(entry.offset, fmt::format("metadata[{}]", i)),
               fmt::format("the metadata {:?} names buffer {} of {}", entry.name, entry.buffer,
                           document.buffers().size()),
               "the entry is ignored");
  validate_operator_codes(document, out);
  validate_signatures(document, out);
}

void TfliteDocument::validate(const CheckOptions&, Diagnostics& out) const {
  (void)import_graph(*this, out, Constants::Parameters);
  validate_custom_operators(*this, out);
  validate_vela(*this, out);
}

Result<graph::Graph> TfliteDocument::graph(Diagnostics& findings) const {
  return import_graph(*this, findings);
}

}  // namespace npubin::tflite
