// What there is to say about a config: values, steps, colours, training terms, code.
#pragma once

#include <string>
#include <string_view>

#include "formats/aipp/config.h"
#include "formats/aipp/surroundings.h"
#include "npubin/artifact.h"
#include "npubin/describe.h"

namespace npubin::aipp {

Result<Node> describe_config(const Config& config, const Surroundings& surroundings,
                             const DescribeOptions& options);

// A span for each block, field value and comment.
void add_text_spans(const Config& config, std::string_view text, ByteMap& out);

}  // namespace npubin::aipp
