// A batch of pictures through the same network input.
#include <fmt/format.h>

#include "npubin/aipp.h"

namespace npubin::aipp {

Result<Tensor> run_batch(std::span<const Settings> settings, const NetworkInput& network,
                         const OutputOptions& output, ByteSpan images) {
  if (settings.empty()) return usage_error("no settings for the pictures");
  if (settings.size() > 1 && static_cast<std::int64_t>(settings.size()) != network.n)
    return usage_error(fmt::format("{} parameter sets for a batch of {}", settings.size(), network.n));
  if (network.n <= 0) return usage_error(fmt::format("a batch of {}", network.n));
  NPUBIN_TRY(Preprocessor first, Preprocessor::compile(settings[0], network, output));
  const auto batch = static_cast<std::uint64_t>(network.n);
  if (images.size() != first.input_bytes() * batch)
    return usage_error(fmt::format("the input has {} bytes; {} picture{} of {} bytes make {}", images.size(),
                                   batch, batch == 1 ? "" : "s", first.input_bytes(),
                                   first.input_bytes() * batch));
  NPUBIN_TRY(Tensor out, Tensor::allocate(first.output_type(), first.output_shape(network.n)));
  for (std::uint64_t i = 0; i < batch; ++i) {
    Preprocessor* current = &first;
    std::optional<Preprocessor> own;
    if (i > 0 && settings.size() > 1) {
      NPUBIN_TRY(own, Preprocessor::compile(settings[i], network, output));
      current = &*own;
      if (own->output_bytes() != first.output_bytes() || own->input_bytes() != first.input_bytes())
        return usage_error(fmt::format("picture {} comes out in another size than picture 0", i));
    }
    NPUBIN_CHECK(current->run(images.subspan(i * first.input_bytes(), first.input_bytes()),
                              {out.mutable_data() + i * first.output_bytes(), first.output_bytes()}));
  }
  return out;
}

}  // namespace npubin::aipp
