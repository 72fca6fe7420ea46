// Decoder of the short-range face detector (MediaPipe BlazeFace): raw network outputs to faces.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "npubin/export.h"
#include "npubin/picture.h"
#include "npubin/result.h"
#include "npubin/tensor.h"

namespace npubin::vision {

struct FacePoint {
  float x = 0;  // fraction of the picture's width
  float y = 0;  // fraction of its height
};

// Index of FaceDetection::keypoints. Left and right are the person's own.
enum FaceKeypoint : std::size_t { kRightEye, kLeftEye, kNoseTip, kMouthCentre, kRightEar, kLeftEar };
inline constexpr std::size_t kFaceKeypoints = 6;

// All coordinates are fractions of the picture that was stretched to the network's input; they may lie
// outside 0..1 where a face is cut off by the border.
struct FaceDetection {
  float score = 0;  // probability of the strongest anchor, 0..1
  float x_min = 0, y_min = 0, x_max = 0, y_max = 0;
  std::array<FacePoint, kFaceKeypoints> keypoints{};
  std::size_t anchor = 0;  // index of the strongest anchor, 0..895
  std::size_t merged = 0;  // how many anchors were averaged, itself included
};

struct FaceDetectorOptions {
  float score_threshold = 0.5f;
  float iou_threshold =
      0.3f;  // anchors that overlap the strongest one by more than this are averaged with it
};

class NPUBIN_API FaceDetector {
 public:
  static constexpr std::size_t kAnchors = 896;
  static constexpr std::uint32_t kInputSize = 128;  // the network sees kInputSize x kInputSize RGB

  explicit FaceDetector(FaceDetectorOptions options = {});

  // `regressors` holds 896 x 16 values, `classificators` 896 logits, each either F32 or I8 with its
  // quantisation. Returns the faces by descending score, valid until the next call. Error (Usage): wrong
  // counts or types, or I8 without a scale.
  Result<std::span<const FaceDetection>> decode(const Tensor& regressors, const Tensor& classificators);

 private:
  struct Candidate {
    double score = 0;
    std::size_t anchor = 0;
    std::array<double, 4> box{};                         // x_min, y_min, x_max, y_max
    std::array<double, 2 * kFaceKeypoints> keypoints{};  // x, y pairs
    bool taken = false;
  };

  void collect(const Tensor& regressors, const Tensor& classificators);
  FaceDetection merge_from(std::size_t best);

  FaceDetectorOptions options_;
  std::vector<FacePoint> anchors_;  // centres
  std::vector<Candidate> candidates_;
  std::vector<FaceDetection> faces_;
};

// The network's input made from a picture: stretched to 128 x 128 RGB by area averaging, [1,128,128,3].
// `type` F32 gives p/127.5 - 1, I8 gives p - 128. Error (Usage): another type, or an empty picture.
NPUBIN_API Result<Tensor> face_detector_input(const Picture& picture, DType type);

// Outlines of the faces and discs on their keypoints.
NPUBIN_API void draw_faces(Picture& picture, std::span<const FaceDetection> faces);

}  // namespace npubin::vision
