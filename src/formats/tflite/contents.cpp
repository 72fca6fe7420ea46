// The values of a .tflite file, without the offsets that tie them together: what `diff` compares.
#include <array>
#include <map>

#include <fmt/format.h>

#include "formats/tflite/document.h"
#include "formats/tflite/flat_verifier.h"

namespace npubin::tflite {
namespace {

using schema::Kind;

std::optional<DType> element_type(Kind kind) {
  switch (kind) {
    case Kind::Bool:
      return DType::Bool;
    case Kind::I8:
      return DType::I8;
    case Kind::U8:
    case Kind::UnionTag:
      return DType::U8;
    case Kind::I16:
      return DType::I16;
    case Kind::U16:
      return DType::U16;
    case Kind::I32:
      return DType::I32;
    case Kind::U32:
      return DType::U32;
    case Kind::I64:
      return DType::I64;
    case Kind::F32:
      return DType::F32;
    default:
      return std::nullopt;  // strings; U64 has no tensors either
  }
}

// Places of constants behind the FlatBuffer are layout, not values.
bool is_place(std::string_view path) {
  constexpr std::array<std::string_view, 3> kPlaces = {".large_custom_options_offset", "].offset", "].size"};
  for (std::string_view place : kPlaces)
    if (path.ends_with(place) && (place.front() == '.' || path.starts_with("buffers["))) return true;
  return false;
}

// What the tensors say about the buffers: the element type, and the name of the first that uses it.
struct Use {
  std::optional<DType> type;
  std::string name;
};
std::map<std::uint32_t, Use> uses_of(const TfliteDocument& document) {
  std::map<std::uint32_t, Use> out;
  for (const SubgraphView& graph : document.subgraphs())
    for (const TensorView& tensor : graph.tensors) {
      const bool packed = tensor.type == kInt4;
      out.try_emplace(tensor.buffer, Use{packed ? std::nullopt : tensor.dtype, std::string(tensor.name)});
    }
  return out;
}

}  // namespace

Result<std::vector<ContentPart>> TfliteDocument::contents() const {
  std::vector<ContentPart> out;
  NPUBIN_CHECK(verify_flatbuffer(
      bytes_.span(), nullptr,
      [&](WalkedSpan span) {
        if (span.value == nullptr || is_place(span.path)) return;
        const bool string = span.value->kind == Kind::String;
        const bool counted = span.value->vector || string;
        // Constants come below, under the names of their tensors.
        if (span.path.starts_with("buffers[")) return;
        const std::uint64_t head = counted ? 4 : 0, tail = string ? 1 : 0;
        out.push_back({std::move(span.path), span.offset + head,
                       bytes_.slice(span.offset + head, span.size - head - tail),
                       element_type(span.value->kind), false});
      },
      true));
  const std::map<std::uint32_t, Use> uses = uses_of(*this);
  for (std::size_t i = 0; i < buffers_.size(); ++i) {
    if (buffers_[i].data.empty()) continue;
    const auto use = uses.find(static_cast<std::uint32_t>(i));
    std::string name = fmt::format("buffers[{}]", i);
    std::optional<DType> type;
    if (use != uses.end()) {
      if (!use->second.name.empty()) name += fmt::format(" ({})", use->second.name);
      type = use->second.type;
    }
    if (type && buffers_[i].data.size() % size_of(*type) != 0) type.reset();
    out.push_back({std::move(name), buffers_[i].offset,
                   bytes_.slice(buffers_[i].offset, buffers_[i].data.size()), type, true});
  }
  for (std::size_t s = 0; s < subgraphs_.size(); ++s)
    for (std::size_t i = 0; i < subgraphs_[s].operators.size(); ++i)
      if (const OperatorView& op = subgraphs_[s].operators[i]; op.custom_options_behind)
        out.push_back({fmt::format("subgraphs[{}].operators[{}].large_custom_options", s, i),
                       op.custom_options_offset,
                       bytes_.slice(op.custom_options_offset, op.custom_options.size()), std::nullopt, true});
  return out;
}

}  // namespace npubin::tflite
