// The byte map: a name for every byte of a file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "npubin/export.h"

namespace npubin {

struct MapSpan {
  std::uint64_t offset = 0;  // bytes from the start of the file
  std::uint64_t size = 0;    // bytes
  std::string name;          // path-like: "header.magic", "layers[3].weights"
  std::string note;          // checksum, type, or what else helps; may be empty
  bool unexplained = false;  // no rule of the format accounts for these bytes
};

// Spans in file order. Nested spans are allowed while building; finish() sorts, and fills the gaps with
// "unexplained" spans so that every byte of [0, file_size) lies in at least one span.
class NPUBIN_API ByteMap {
 public:
  void add(std::uint64_t offset, std::uint64_t size, std::string name, std::string note = {});
  void finish(std::uint64_t file_size);

  const std::vector<MapSpan>& spans() const { return spans_; }
  std::uint64_t unexplained_bytes() const;

 private:
  std::vector<MapSpan> spans_;
};

}  // namespace npubin
