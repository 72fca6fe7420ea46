// One stream: slices into weights.
#pragma once

#include <vector>

#include "ethosu/weights/bit_reader.h"
#include "ethosu/weights/codec.h"
#include "ethosu/weights/slice.h"

namespace npubin::ethosu {

class SliceDecoder {
 public:
  SliceDecoder(ByteSpan stream, std::uint64_t count, std::uint64_t file_offset)
      : bits_(stream), count_(count), file_offset_(file_offset) {}

  Result<RawWeights> run();

 private:
  Result<void> slice(SliceHead head);
  void read_palette();
  Result<void> read_chunks(const SliceHead& head);
  Result<void> emit(const SliceHead& head);
  void finish_statistics();
  Location here() const { return Location::at(file_offset_ + bits_.bit_position() / 8); }
  Unexpected ends_early(const char* where) const;
  Unexpected too_many() const;

  BitReader bits_;
  std::uint64_t count_;
  std::uint64_t file_offset_;
  Palette palette_;
  bool have_palette_ = false;
  // Of the current slice, and reused by the next.
  std::vector<std::uint32_t> indices_, runs_;
  RawWeights out_;
};

}  // namespace npubin::ethosu
