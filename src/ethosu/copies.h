// Where bytes came from: the DMA transfers of a stream as a map from destinations to sources.
//
// A compiler moves weights and tables into fast memory before use; who wants to decode them, or to say what a
// transfer moves, follows the copies back.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

#include "ethosu/extent.h"
#include "ethosu/job.h"
#include "npubin/bytes.h"

namespace npubin::ethosu {

class Copies {
 public:
  struct Origin {
    Extent bytes;               // in the space they were first copied from
    std::size_t operation = 0;  // index of the DMA that brought them last
  };

  // Records a transfer; what it overwrites is forgotten.
  void record(const Dma& dma, std::size_t operation);
  // The origin of a whole range; nothing where no single transfer brought all of it.
  std::optional<Origin> origin(const Extent& wanted) const;

 private:
  struct Copy {
    std::int64_t end = 0;
    std::uint8_t source_space = 0;
    std::int64_t source_begin = 0;
    std::size_t operation = 0;
  };
  std::array<std::map<std::int64_t, Copy>, kShramSpace + 1> spaces_;  // by the first byte of the destination
};

// The bytes at an extent, if the file holds them: in a region with contents, or copied from one.
std::optional<Bytes> bytes_at(const Job& job, const Copies& copies, const Extent& wanted);

}  // namespace npubin::ethosu
