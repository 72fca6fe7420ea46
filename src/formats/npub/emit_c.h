// A blob as a C header: an aligned array, its sizes, and where inputs and outputs lie.
#pragma once

#include <string>

#include "formats/npub/document.h"
#include "npubin/result.h"

namespace npubin::npub {

// `symbol`: the array's name; its upper case is the prefix of the constants. C99 and C++. Error: Malformed
// where the device's loader would refuse the blob; Usage where `symbol` is no C identifier.
Result<std::string> emit_c(const Document& document, const std::string& symbol,
                           const std::string& io_file = {});
// An identifier from a file name: "my-model.npub" gives "my_model_npub".
std::string symbol_from(const std::string& file_name);

}  // namespace npubin::npub
