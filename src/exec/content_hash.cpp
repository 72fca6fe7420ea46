#include "exec/content_hash.h"

#include <xxhash.h>

namespace npubin::exec {

std::uint64_t content_hash(ByteSpan file) {
  return XXH3_64bits(file.data(), file.size());
}

}  // namespace npubin::exec
