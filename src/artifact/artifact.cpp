#include "npubin/artifact.h"

#include <fmt/format.h>

namespace npubin {

Result<std::vector<std::byte>> Artifact::write() const {
  return std::vector<std::byte>(bytes_.span().begin(), bytes_.span().end());
}

Result<Node> Artifact::disassemble(const DisasmOptions&) const {
  return refused(fmt::format("a file of format {} holds no program to list", format()),
                 "`npubin inspect -v` shows its contents");
}

}  // namespace npubin
