// The host pipeline of a HEF: the input is a HEF, followed by device bytes. Every input and output that can
// be prepared is run over those bytes.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "npubin/artifact.h"
#include "npubin/hef_host.h"

using namespace npubin;

namespace {

constexpr std::uint64_t kMaxBuffer = std::uint64_t{1} << 20;

// Device bytes that repeat the tail of the fuzzed data.
std::vector<std::byte> device_bytes(ByteSpan data, std::size_t size) {
  std::vector<std::byte> out(size);
  if (data.empty()) return out;
  for (std::size_t i = 0; i < size; ++i) out[i] = data[data.size() - 1 - i % data.size()];
  return out;
}

void run_output(const hef::HostPipeline& pipeline, const std::string& name, ByteSpan data) {
  auto output = pipeline.prepare_output(name);
  if (!output) return;
  std::vector<std::vector<std::byte>> storage;
  std::vector<ByteSpan> frames;
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < (*output)->streams().size(); ++i) {
    const std::uint64_t bytes = (*output)->streams()[i].frame_bytes;
    total += bytes;
    if (total > 8 * kMaxBuffer) return;
    storage.push_back(device_bytes(data, bytes != 0 ? static_cast<std::size_t>(bytes) : 4096));
    auto length = (*output)->frame_length(i, storage.back());
    if (!length) return;
    frames.push_back(ByteSpan(storage.back()).first(*length));
  }
  for (int frame = 0; frame < 2; ++frame) {
    if (!(*output)->run(frames)) return;
    std::uint64_t sum = (*output)->values().size() + (*output)->raw().size();
    for (const hef::HostDetection& d : (*output)->detections())
      sum += d.class_id + std::count(d.mask.begin(), d.mask.end(), std::uint8_t{1});
    volatile std::uint64_t keep = sum;
    (void)keep;
  }
}

void run_input(const hef::HostPipeline& pipeline, const std::string& name, ByteSpan data) {
  auto input = pipeline.prepare_input(name);
  if (!input) return;
  const auto codes = device_bytes(data, (*input)->elements() * size_of((*input)->native_type()));
  if (!(*input)->run_codes(codes, (*input)->native_type())) return;
  std::vector<float> reals((*input)->elements());
  const auto raw = device_bytes(data, reals.size() * sizeof(float));
  std::memcpy(reals.data(), raw.data(), raw.size());
  if (!(*input)->run(reals)) return;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const ByteSpan bytes{reinterpret_cast<const std::byte*>(data), size};
  const Format* format = find_format("hef");
  if (format == nullptr) return 0;
  ReadOptions read;
  read.file_name = "fuzz.hef";
  auto artifact = format->read(Bytes::borrow(bytes), read);
  if (!artifact) return 0;
  hef::HostOptions options;
  options.max_buffer_bytes = kMaxBuffer;
  options.like_hailort = size % 2 == 1;
  options.keep_raw = size % 4 < 2;
  options.counted_nms = size % 8 < 4;
  if (size % 16 == 3) options.nms_buffer = hef::NmsBuffer::ByScore;
  auto pipeline = hef::HostPipeline::open(**artifact, options);
  if (!pipeline) return 0;
  std::size_t budget = 8;
  for (const std::string& name : pipeline->input_names())
    if (budget-- > 0)
      run_input(*pipeline, name, bytes);
    else
      break;
  budget = 8;
  for (const std::string& name : pipeline->output_names())
    if (budget-- > 0)
      run_output(*pipeline, name, bytes);
    else
      break;
  return 0;
}
