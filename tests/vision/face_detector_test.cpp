#include "vision/face_detector.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "support/data.h"

namespace npubin::vision {
namespace {

// The quantisation of the int8 model's outputs (data/face/README.md).
const Quantization kRegressors = Quantization::per_tensor(0.7450980544090271f, -39);
const Quantization kClassificators = Quantization::per_tensor(0.06862745434045792f, 47);

Tensor zero_regressors() {
  return Tensor(DType::F32, {1, 896, 16});
}
Tensor logits(float value) {
  Tensor out(DType::F32, {1, 896, 1});
  std::fill(out.as_mutable<float>().begin(), out.as_mutable<float>().end(), value);
  return out;
}

void expect_face(const FaceDetection& face, const nlohmann::json& expected) {
  EXPECT_NEAR(face.score, expected["score"].get<double>(), 2e-6);
  EXPECT_EQ(face.anchor, expected["anchor"].get<std::size_t>());
  EXPECT_EQ(face.merged, expected["merged"].get<std::size_t>());
  const float box[] = {face.x_min, face.y_min, face.x_max, face.y_max};
  for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(box[k], expected["box"][k].get<double>(), 2e-6) << k;
  for (std::size_t k = 0; k < kFaceKeypoints; ++k) {
    EXPECT_NEAR(face.keypoints[k].x, expected["keypoints"][k][0].get<double>(), 2e-6) << k;
    EXPECT_NEAR(face.keypoints[k].y, expected["keypoints"][k][1].get<double>(), 2e-6) << k;
  }
}

TEST(FaceDetector, AgreesWithTheReferenceOnEveryPicture) {
  const auto folder = test::best_data("face");
  const auto expected = test::read_json(folder / "expected.json");
  FaceDetector detector;
  int decoded = 0;
  for (const auto& [picture, models] : expected["pictures"].items()) {
    for (const auto& [kind, name] : {std::pair{"f32", "float"}, std::pair{"int8", "int8"}}) {
      const std::string stem = picture.substr(0, picture.find('.')) + "_" + kind;
      const auto file = [&](const char* output) {
        return folder / "outputs" / (stem + "_" + output + ".npy");
      };
      if (!test::fs::exists(file("regressors"))) continue;  // the project's own selection is smaller
      SCOPED_TRACE(stem);
      Tensor regressors = test::read_tensor(file("regressors"));
      Tensor classificators = test::read_tensor(file("classificators"));
      if (regressors.type() == DType::I8) {
        regressors.set_quantization(kRegressors);
        classificators.set_quantization(kClassificators);
      }
      auto faces = detector.decode(regressors, classificators);
      ASSERT_TRUE(faces.has_value()) << to_string(faces.error());
      const auto& wanted = models[name]["detections"];
      ASSERT_EQ(faces->size(), wanted.size());
      for (std::size_t i = 0; i < wanted.size(); ++i) expect_face((*faces)[i], wanted[i]);
      ++decoded;
    }
  }
  EXPECT_GE(decoded, 6);
}

TEST(FaceDetector, BoxesThatDoNotOverlapStayApart) {
  Tensor regressors = zero_regressors(), scores = logits(-50);
  // Anchor 0 at (1/32, 1/32) and anchor 511 at (31/32, 31/32), each 16 pixels large.
  for (std::size_t anchor : {0, 511}) {
    regressors.as_mutable<float>()[anchor * 16 + 2] = 16;
    regressors.as_mutable<float>()[anchor * 16 + 3] = 16;
  }
  scores.as_mutable<float>()[0] = 1;
  scores.as_mutable<float>()[511] = 2;
  FaceDetector detector;
  auto faces = detector.decode(regressors, scores);
  ASSERT_TRUE(faces.has_value());
  ASSERT_EQ(faces->size(), 2u);
  EXPECT_EQ((*faces)[0].anchor, 511u);
  EXPECT_EQ((*faces)[1].anchor, 0u);
  EXPECT_FLOAT_EQ((*faces)[1].x_min, 1.0f / 32 - 1.0f / 16);
  EXPECT_FLOAT_EQ((*faces)[0].keypoints[kNoseTip].x, 31.0f / 32);
}

TEST(FaceDetector, LogitsBeyondAHundredAreClippedAndNotANumberIsIgnored) {
  FaceDetector detector;
  auto faces = detector.decode(zero_regressors(), logits(1e30f));
  ASSERT_TRUE(faces.has_value());
  // Boxes of no size overlap nothing: every anchor is a face of its own.
  EXPECT_EQ(faces->size(), FaceDetector::kAnchors);
  EXPECT_FLOAT_EQ(faces->front().score, 1.0f);
  faces = detector.decode(zero_regressors(), logits(NAN));
  ASSERT_TRUE(faces.has_value());
  EXPECT_TRUE(faces->empty());
}

TEST(FaceDetector, RefusesOutputsOfAnotherNetwork) {
  FaceDetector detector;
  EXPECT_EQ(detector.decode(Tensor(DType::F32, {1, 896, 15}), logits(0)).error().kind, ErrorKind::Usage);
  EXPECT_EQ(detector.decode(zero_regressors(), Tensor(DType::F32, {2254})).error().kind, ErrorKind::Usage);
  EXPECT_EQ(detector.decode(zero_regressors(), Tensor(DType::U8, {896})).error().kind, ErrorKind::Usage);
  // int8 without scale and zero point cannot be decoded.
  EXPECT_EQ(detector.decode(zero_regressors(), Tensor(DType::I8, {896})).error().kind, ErrorKind::Usage);
  EXPECT_EQ(detector.decode(Tensor(), Tensor()).error().kind, ErrorKind::Usage);
}

TEST(FaceDetector, InputOfASolidPicture) {
  Picture picture{256, 192, 3, {}};
  picture.pixels.assign(256 * 192 * 3, 255);
  auto real = face_detector_input(picture, DType::F32);
  ASSERT_TRUE(real.has_value());
  EXPECT_EQ(real->shape(), (Shape{1, 128, 128, 3}));
  for (float value : real->as<float>()) ASSERT_EQ(value, 1.0f);
  auto quantised = face_detector_input(picture, DType::I8);
  ASSERT_TRUE(quantised.has_value());
  for (std::int8_t value : quantised->as<std::int8_t>()) ASSERT_EQ(value, 127);
  EXPECT_FALSE(face_detector_input(picture, DType::U8).has_value());
  EXPECT_FALSE(face_detector_input(Picture{}, DType::F32).has_value());
}

// Where the pictures and their inputs are at hand, the input is theirs.
TEST(FaceDetector, InputOfAPhotograph) {
  const auto inputs = test::full_data("face/inputs"), pictures = test::full_data("pictures");
  if (inputs.empty() || pictures.empty()) GTEST_SKIP() << "the full collection is not here";
  auto picture = load_picture((pictures / "astronaut.png").string());
  ASSERT_TRUE(picture.has_value());
  auto got = face_detector_input(*picture, DType::I8);
  ASSERT_TRUE(got.has_value());
  const Tensor want = test::read_tensor(inputs / "astronaut_int8.npy");
  ASSERT_EQ(got->byte_size(), want.byte_size());
  EXPECT_TRUE(std::equal(want.bytes().begin(), want.bytes().end(), got->bytes().begin()));
}

TEST(FaceDetector, DrawsOverThePicture) {
  Picture picture{64, 64, 3, {}};
  picture.pixels.assign(64 * 64 * 3, 0);
  FaceDetection face;
  face.x_min = face.y_min = 0.25f;
  face.x_max = face.y_max = 0.75f;
  for (auto& point : face.keypoints) point = {0.5f, 0.5f};
  draw_faces(picture, std::array{face});
  EXPECT_EQ(picture.at(16, 32)[1], 220);
  EXPECT_EQ(picture.at(32, 32)[0], 255);
  EXPECT_EQ(picture.at(4, 4)[0], 0);
}

}  // namespace
}  // namespace npubin::vision
