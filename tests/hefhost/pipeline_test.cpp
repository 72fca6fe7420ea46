// What the pipeline promises beyond the reference's numbers: no allocation per frame, other thresholds at run
// time, refusals by name, and no harm from invalid files.
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>

#include <gtest/gtest.h>

#include "host_cases.h"

namespace {
std::atomic<std::size_t> allocations{0};
}

// Counts what the program allocates with new.
void* operator new(std::size_t size) {
  ++allocations;
  if (void* out = std::malloc(size != 0 ? size : 1)) return out;
  throw std::bad_alloc();
}
// The sanitizers have one of their own, whose memory the operators below could not free.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++allocations;
  return std::malloc(size != 0 ? size : 1);
}
void operator delete(void* pointer) noexcept {
  std::free(pointer);
}
void operator delete(void* pointer, std::size_t) noexcept {
  std::free(pointer);
}

namespace npubin::hef {
namespace {

// The case's output with its operator, prepared and run over all frames.
template <class Each>
void run_case(const std::string& name, const HostOptions& options, const Each& each) {
  const HostCase host_case = open_host_case(name);
  ASSERT_NE(host_case.artifact, nullptr);
  auto pipeline = HostPipeline::open(*host_case.artifact, options);
  ASSERT_TRUE(pipeline.has_value()) << to_string(pipeline.error());
  auto output = pipeline->prepare_output(pipeline->output_names().front());
  ASSERT_TRUE(output.has_value()) << to_string(output.error());
  run_frames(**output, stream_files(host_case, (*output)->streams(), false),
             [&](std::size_t frame) { each(**output, frame); });
}

TEST(HostPipeline, RunAllocatesNothing) {
  for (const std::string& name : host_case_names()) {
    SCOPED_TRACE(name);
    const HostCase host_case = open_host_case(name);
    ASSERT_NE(host_case.artifact, nullptr);
    auto pipeline = HostPipeline::open(*host_case.artifact);
    ASSERT_TRUE(pipeline.has_value());
    for (const std::string& output_name : pipeline->output_names()) {
      auto output = pipeline->prepare_output(output_name);
      ASSERT_TRUE(output.has_value()) << to_string(output.error());
      const StreamFrames data = stream_files(host_case, (*output)->streams(), false);
      std::vector<ByteSpan> frames;
      for (std::size_t i = 0; i < data.files.size(); ++i) {
        auto length = (*output)->frame_length(i, data.files[i].span());
        ASSERT_TRUE(length.has_value()) << to_string(length.error());
        frames.push_back(data.files[i].span().first(*length));
      }
      const std::size_t before = allocations;
      const bool done = (*output)->run(frames).has_value();
      EXPECT_EQ(allocations - before, 0u) << output_name;
      EXPECT_TRUE(done);
    }
    for (const std::string& input_name : pipeline->input_names()) {
      auto input = pipeline->prepare_input(input_name);
      ASSERT_TRUE(input.has_value()) << to_string(input.error());
      const std::vector<float> frame((*input)->elements(), 1.0f);
      const std::size_t before = allocations;
      const bool done = (*input)->run(frame).has_value();
      EXPECT_EQ(allocations - before, 0u) << input_name;
      EXPECT_TRUE(done);
    }
  }
}

TEST(HostPipeline, ThresholdsCanBeReplaced) {
  std::vector<std::size_t> with_file, with_score, with_maximum;
  const auto count = [](std::vector<std::size_t>& to) {
    return [&to](const HostOutput& output, std::size_t) { to.push_back(output.detections().size()); };
  };
  run_case("op_yolov8_u8__s82", {}, count(with_file));
  HostOptions score;
  score.score_threshold = 0.6f;
  run_case("op_yolov8_u8__s82", score, [&](const HostOutput& output, std::size_t) {
    with_score.push_back(output.detections().size());
    for (const HostDetection& d : output.detections()) EXPECT_GE(d.score, 0.6f);
  });
  HostOptions maximum;
  maximum.max_proposals_per_class = 3;
  run_case("op_yolov8_u8__s82", maximum, [&](const HostOutput& output, std::size_t) {
    with_maximum.push_back(output.detections().size());
    EXPECT_EQ(output.shape(), (Shape{3 * (1 + 5 * 3)}));  // the maximum changes the buffer
  });
  ASSERT_EQ(with_file.size(), with_score.size());
  EXPECT_LT(with_score[0], with_file[0]);
  for (std::size_t frames : with_maximum) EXPECT_LE(frames, 9u);
}

TEST(HostPipeline, ByScoreIsSortedOverAllClasses) {
  HostOptions options;
  options.nms_buffer = NmsBuffer::ByScore;
  options.max_proposals_total = 10;
  std::size_t most = 0, most_of_hailort = 0;
  run_case("op_yolov5_u8__s79", options, [&](const HostOutput& output, std::size_t) {
    const auto found = output.detections();
    most = std::max(most, found.size());
    for (std::size_t i = 1; i < found.size(); ++i) EXPECT_GE(found[i - 1].score, found[i].score);
    EXPECT_EQ(load<std::uint16_t>(output.values().data()), found.size());
    if (!found.empty()) {
      EXPECT_EQ(load<float>(output.values().data() + 2), found[0].y_min);
    }
  });
  options.like_hailort = true;
  run_case("op_yolov5_u8__s79", options, [&](const HostOutput& output, std::size_t) {
    most_of_hailort = std::max(most_of_hailort, output.detections().size());
  });
  EXPECT_EQ(most, 10u);
  EXPECT_EQ(most_of_hailort, 11u);  // hef spec 5b
}

TEST(HostPipeline, MasksStopWhereTheBufferEnds) {
  HostOptions options;
  options.max_accumulated_mask = 64;
  options.max_proposals_total = 1;
  bool truncated = false;
  run_case("op_yolov5seg_u8__s81", options, [&](const HostOutput& output, std::size_t) {
    truncated |= output.truncated();
    EXPECT_LE(output.detections().size(), 1u);
  });
  EXPECT_TRUE(truncated);
}

TEST(HostPipeline, OnChipThresholdsAreRefused) {
  const HostCase host_case = open_host_case("nms_chip_h8_bbox__s94");
  ASSERT_NE(host_case.artifact, nullptr);
  HostOptions options;
  options.score_threshold = 0.5f;
  auto pipeline = HostPipeline::open(*host_case.artifact, options);
  ASSERT_TRUE(pipeline.has_value());
  auto output = pipeline->prepare_output(pipeline->output_names().front());
  ASSERT_FALSE(output.has_value());
  EXPECT_EQ(output.error().kind, ErrorKind::Refused);
}

TEST(HostPipeline, WrongSizesAndNamesAreUsageErrors) {
  const HostCase host_case = open_host_case("op_softmax_nc_u8__s107");
  ASSERT_NE(host_case.artifact, nullptr);
  auto pipeline = HostPipeline::open(*host_case.artifact);
  ASSERT_TRUE(pipeline.has_value());
  EXPECT_EQ(pipeline->prepare_output("nowhere").error().kind, ErrorKind::Usage);
  auto input = pipeline->prepare_input(pipeline->input_names().front());
  ASSERT_TRUE(input.has_value());
  EXPECT_EQ((*input)->run(std::vector<float>(3)).error().kind, ErrorKind::Usage);
  const std::vector<std::byte> wide((*input)->elements() * 2);
  EXPECT_EQ((*input)->run_codes(wide, DType::U16).error().kind, ErrorKind::Usage);
  auto output = pipeline->prepare_output(pipeline->output_names().front());
  ASSERT_TRUE(output.has_value());
  EXPECT_EQ((*output)->run({}).error().kind, ErrorKind::Usage);
  const ByteSpan frame = ByteSpan(wide).first(8);
  EXPECT_EQ((*output)->run(std::span(&frame, 1)).error().kind, ErrorKind::Usage);
  HostOptions options;
  options.network_group = "nowhere";
  EXPECT_EQ(HostPipeline::open(*host_case.artifact, options).error().kind, ErrorKind::Usage);
}

// Preparing inputs and outputs of invalid files gives errors at most.
TEST(HostPipeline, InvalidFilesDoNoHarm) {
  std::size_t files = 0;
  for (const auto& folder : test::case_folders(test::best_data("hef/cases"))) {
    if (folder.filename().string().substr(0, 4) != "bad_") continue;
    auto artifact = open_artifact((folder / "model.hef").string(), "hef");
    ++files;
    if (!artifact) continue;
    HostOptions options;
    options.max_buffer_bytes = 1 << 24;
    auto pipeline = HostPipeline::open(**artifact, options);
    if (!pipeline) continue;
    for (const std::string& name : pipeline->input_names()) {
      if (auto input = pipeline->prepare_input(name); !input) {
        EXPECT_FALSE(input.error().message.empty()) << folder;
      }
    }
    for (const std::string& name : pipeline->output_names()) {
      if (auto output = pipeline->prepare_output(name); !output) {
        EXPECT_FALSE(output.error().message.empty()) << folder;
      }
    }
  }
  EXPECT_GT(files, 100u);
}

}  // namespace
}  // namespace npubin::hef
