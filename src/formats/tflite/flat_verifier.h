// Walks a whole FlatBuffer by the schema: nothing is read through a view before this has passed.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "formats/tflite/schema.h"
#include "npubin/bytes.h"
#include "npubin/diagnostics.h"
#include "npubin/result.h"

namespace npubin::tflite {

// A run of bytes that the walk accounts for. `path` is built on demand only.
struct WalkedSpan {
  std::uint64_t offset = 0, size = 0;  // bytes
  std::string path;                    // "subgraphs[0].tensors[3].shape"
  std::string note;                    // "[int] x 4", "table Tensor", "vtable"
  // The field whose value this is: of vectors of numbers and strings, and of scalars that are not the
  // default.
  const schema::FieldSchema* value = nullptr;
};
using SpanSink = std::function<void(WalkedSpan)>;

// Checks every table, vector and string that is reachable from the root: inside the file, aligned, vtables
// sane, offsets forward without wrapping, and not more objects than the file has room for. `notes` receives
// what is odd but harmless (slots unknown to the schema). `sink`, where given, receives every span, and with
// `scalars` those of single numbers inside tables as well.
// Error: Malformed with the offset and the path of the fault.
Result<void> verify_flatbuffer(ByteSpan file, Diagnostics* notes, const SpanSink& sink = {},
                               bool scalars = false);

}  // namespace npubin::tflite
