// The extension of a file's name.
#pragma once

#include <string>

namespace npubin {

// ".hef" of "a/model.HEF": from the last dot of the last path component, in lower case; empty where there is
// none.
std::string file_extension(const std::string& file_name);

}  // namespace npubin
