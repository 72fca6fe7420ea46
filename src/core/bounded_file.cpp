#include "core/bounded_file.h"

#include <fmt/format.h>

namespace npubin {

Result<Bytes> open_bounded(const std::string& path, std::uint64_t most) {
  // A file is mapped, whatever its size: nothing of it has been read yet.
  NPUBIN_TRY(Bytes bytes, Bytes::open(path));
  if (bytes.size() <= most) return bytes;
  return io_error(path == "-" ? "standard input" : path,
                  fmt::format("has {} bytes; at most {} are read of such a file", bytes.size(), most),
                  "is it the right file?");
}

}  // namespace npubin
