#include "artifact/file_extension.h"

#include <algorithm>
#include <cctype>

namespace npubin {

std::string file_extension(const std::string& file_name) {
  const std::size_t slash = file_name.find_last_of('/');
  const std::size_t dot = file_name.find_last_of('.');
  if (dot == std::string::npos || (slash != std::string::npos && dot < slash)) return {};
  std::string out = file_name.substr(dot);
  std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return std::tolower(c); });
  return out;
}

}  // namespace npubin
