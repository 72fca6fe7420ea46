// Every valid case's outputs: plain values exact or one unit in the last place, softmax to 1e-6, argmax and
// codes exact, detections to 2e-5 and in the same order (equal scores in any).
#include <algorithm>
#include <bit>
#include <cmath>

#include <gtest/gtest.h>

#include "host_cases.h"

namespace npubin::hef {
namespace {

std::int64_t units_apart(float a, float b) {
  const auto key = [](float x) {
    const auto bits = std::bit_cast<std::int32_t>(x);
    return bits < 0 ? std::int64_t{INT32_MIN} - bits : std::int64_t{bits};
  };
  return std::abs(key(a) - key(b));
}

// Fails once per frame, with the first element that differs.
template <class T>
void expect_exact(std::span<const T> got, std::span<const T> want, const char* what) {
  ASSERT_EQ(got.size(), want.size()) << what;
  const auto [at, other] = std::mismatch(got.begin(), got.end(), want.begin());
  ASSERT_TRUE(at == got.end()) << what << " differs first at " << at - got.begin() << ": " << +*at
                               << " instead of " << +*other;
}

template <class T>
std::span<const T> typed(ByteSpan bytes) {
  return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
}

template <class T>
std::span<const T> frame_of(const Tensor& tensor, std::size_t frame) {
  const std::size_t count = static_cast<std::size_t>(tensor.count() / tensor.dim(0));
  return tensor.as<T>().subspan(frame * count, count);
}

void expect_values(const HostOutput& output, const Tensor& want, std::size_t frame, double tolerance) {
  if (output.type() == DType::U8)
    return expect_exact(typed<std::uint8_t>(output.values()), frame_of<std::uint8_t>(want, frame), "values");
  if (output.type() == DType::U16)
    return expect_exact(typed<std::uint16_t>(output.values()), frame_of<std::uint16_t>(want, frame),
                        "values");
  const auto got = typed<float>(output.values()), expected = frame_of<float>(want, frame);
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (tolerance > 0) {
      ASSERT_NEAR(got[i], expected[i], tolerance) << "value " << i << " of frame " << frame;
    } else {
      ASSERT_LE(units_apart(got[i], expected[i]), 1)
          << got[i] << " instead of " << expected[i] << ", value " << i << " of frame " << frame;
    }
  }
}

bool same_box(const HostDetection& got, const nlohmann::json& want) {
  const auto near = [&](float value, const char* key) {
    return std::abs(value - want[key].get<float>()) <= 2e-5f;
  };
  return got.class_id == want["class"].get<std::uint32_t>() && near(got.score, "score") &&
         near(got.y_min, "y_min") && near(got.x_min, "x_min") && near(got.y_max, "y_max") &&
         near(got.x_max, "x_max");
}

void expect_mask(const HostDetection& got, const nlohmann::json& want) {
  ASSERT_EQ(got.mask_height, want["mask_height"].get<std::uint32_t>());
  ASSERT_EQ(got.mask_width, want["mask_width"].get<std::uint32_t>());
  std::vector<std::uint8_t> mask;
  std::uint8_t value = 0;
  for (std::size_t run : want["mask_rle"].get<std::vector<std::size_t>>()) {
    mask.insert(mask.end(), run, value);
    value ^= 1;
  }
  ASSERT_EQ(got.mask.size(), mask.size());
  const auto ignored = want["mask_dontcare"].get<std::vector<std::size_t>>();
  for (std::size_t i = 0; i < mask.size(); ++i)
    if (std::find(ignored.begin(), ignored.end(), i) == ignored.end()) {
      ASSERT_EQ(int{got.mask[i]}, int{mask[i]}) << "pixel " << i;
    }
}

// The same boxes in the same order; a run of equal scores within a class may be permuted.
void expect_detections(std::span<const HostDetection> got, const nlohmann::json& want) {
  ASSERT_EQ(got.size(), want.size());
  std::vector<bool> used(want.size(), false);
  for (std::size_t i = 0; i < got.size(); ++i) {
    const auto matches = [&](std::size_t k) {
      return !used[k] && std::abs(want[k]["score"].get<float>() - want[i]["score"].get<float>()) <= 2e-5f &&
             same_box(got[i], want[k]);
    };
    std::size_t k = i;
    while (k < want.size() && !matches(k)) ++k;
    if (k == want.size())
      for (k = 0; k < i && !matches(k);) ++k;
    ASSERT_TRUE(k < want.size() && matches(k))
        << "detection " << i << ": class " << got[i].class_id << " score " << got[i].score << " y_min "
        << got[i].y_min << " x_min " << got[i].x_min << ", expected " << want[i].dump().substr(0, 200);
    used[k] = true;
    if (want[k].contains("mask_rle")) expect_mask(got[i], want[k]);
  }
}

// The packed buffer up to its zero tail, equal scores aside: the counts and every box of the list.
void expect_by_class_buffer(const HostOutput& output, const Tensor& want, std::size_t frame) {
  const auto got = typed<float>(output.values()), expected = frame_of<float>(want, frame);
  ASSERT_EQ(got.size(), expected.size());
  std::size_t at = 0;
  for (std::uint32_t id = 0; id < output.classes(); ++id) {
    ASSERT_EQ(got[at], expected[at]) << "count of class " << id;
    const auto count = static_cast<std::size_t>(got[at]);
    for (std::size_t i = 0; i < count; ++i)
      ASSERT_NEAR(got[at + 5 + 5 * i], expected[at + 5 + 5 * i], 2e-5f)
          << "score " << i << " of class " << id;
    at += 1 + 5 * count;
  }
  for (; at < got.size(); ++at) ASSERT_EQ(got[at], 0.0f) << "tail";
}

double tolerance_of(const std::string& kind) {
  if (kind.find("softmax") != std::string::npos) return 1e-6;
  return kind.find("bbox_only") != std::string::npos ? 2e-5 : 0;
}

void check_output(const HostCase& host_case, const nlohmann::json& entry, bool counted) {
  SCOPED_TRACE(entry["vstream"].get<std::string>() + (counted ? " from counted buffers" : ""));
  HostOptions options;
  options.keep_raw = true;
  options.counted_nms = counted;
  auto pipeline = HostPipeline::open(*host_case.artifact, options);
  ASSERT_TRUE(pipeline.has_value()) << to_string(pipeline.error());
  auto output = pipeline->prepare_output(entry["vstream"].get<std::string>());
  ASSERT_TRUE(output.has_value()) << to_string(output.error());
  const StreamFrames data = stream_files(host_case, (*output)->streams(), counted);
  ASSERT_EQ(data.frames, entry["frames"].get<std::size_t>());
  const Tensor values = entry.contains("file") ? test::read_tensor(host_case.file(entry["file"])) : Tensor();
  const Tensor raw =
      entry.contains("raw_file") ? test::read_tensor(host_case.file(entry["raw_file"])) : Tensor();
  const auto nms =
      entry.contains("nms_file") ? test::read_json(host_case.file(entry["nms_file"])) : nlohmann::json();
  if (!values.empty()) {
    Shape framed = (*output)->shape();
    framed.insert(framed.begin(), static_cast<std::int64_t>(data.frames));
    EXPECT_EQ(framed, values.shape());
    EXPECT_EQ((*output)->type(), values.type());
  }
  run_frames(**output, data, [&](std::size_t frame) {
    SCOPED_TRACE("frame " + std::to_string(frame));
    if (!nms.is_null()) {
      expect_detections((*output)->detections(), nms[frame]);
      if (!values.empty()) expect_by_class_buffer(**output, values, frame);
    } else {
      expect_values(**output, values, frame, tolerance_of(host_case.kind()));
    }
    if (raw.empty()) return;
    ASSERT_EQ((*output)->raw_type(), raw.type());
    if (raw.type() == DType::U8)
      expect_exact(typed<std::uint8_t>((*output)->raw()), frame_of<std::uint8_t>(raw, frame), "raw");
    else
      expect_exact(typed<std::uint16_t>((*output)->raw()), frame_of<std::uint16_t>(raw, frame), "raw");
  });
}

class HostOutputs : public testing::TestWithParam<std::string> {};

TEST_P(HostOutputs, AgreeWithTheReference) {
  const HostCase host_case = open_host_case(GetParam());
  ASSERT_NE(host_case.artifact, nullptr);
  bool counted = false;
  for (const auto& entry : host_case.io["device_outputs"]) counted |= entry.contains("counted_file");
  ASSERT_FALSE(host_case.io["host_outputs"].empty());
  for (const auto& entry : host_case.io["host_outputs"]) {
    check_output(host_case, entry, false);
    if (counted) check_output(host_case, entry, true);
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, HostOutputs, testing::ValuesIn(host_case_names()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace npubin::hef
