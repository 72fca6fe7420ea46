#include "npubin/picture.h"

#include <gtest/gtest.h>

#include "support/data.h"

namespace npubin {
namespace {

Picture ramp(std::uint32_t width, std::uint32_t height, std::uint32_t channels) {
  Picture out{width, height, channels, {}};
  for (std::uint32_t i = 0; i < width * height * channels; ++i)
    out.pixels.push_back(static_cast<std::uint8_t>(i * 7));
  return out;
}

TEST(Picture, PngSurvivesTheRoundTrip) {
  for (std::uint32_t channels : {1u, 3u, 4u}) {
    const Picture picture = ramp(5, 3, channels);
    auto file = encode_png(picture);
    ASSERT_TRUE(file) << to_string(file.error());
    auto back = read_picture(Bytes::own(*file));
    ASSERT_TRUE(back) << to_string(back.error());
    EXPECT_EQ(back->channels, channels);
    EXPECT_EQ(back->pixels, picture.pixels);
  }
}

TEST(Picture, AreaAverageIsExact) {
  Picture picture{4, 2, 1, {0, 1, 10, 20, 2, 4, 30, 41}};
  const Picture half = resize(picture, 2, 1, ResizeFilter::AreaAverage);
  EXPECT_EQ(half.pixels, (std::vector<std::uint8_t>{2, 25}));  // 7/4 = 1.75 and 101/4 = 25.25, half up
  Picture three{3, 1, 1, {0, 90, 180}};
  EXPECT_EQ(resize(three, 2, 1, ResizeFilter::AreaAverage).pixels, (std::vector<std::uint8_t>{30, 150}));
}

TEST(Picture, BilinearKeepsConstantsAndEdges) {
  Picture picture{2, 1, 1, {0, 100}};
  EXPECT_EQ(resize(picture, 4, 1, ResizeFilter::Bilinear).pixels,
            (std::vector<std::uint8_t>{0, 25, 75, 100}));
}

TEST(Picture, BrokenFilesAreErrors) {
  auto file = encode_png(ramp(8, 8, 3));
  ASSERT_TRUE(file);
  file->resize(file->size() / 2);
  EXPECT_FALSE(read_picture(Bytes::own(*file)));
  EXPECT_FALSE(read_picture(Bytes::own(std::string("\xFF\xD8\xFF\xE0 no jpeg"))));
  EXPECT_FALSE(read_picture(Bytes::own(std::string("BM too short"))));
  EXPECT_EQ(read_picture(Bytes::own(std::string("GIF89a"))).error().kind, ErrorKind::Unrecognised);
}

TEST(Picture, DrawingIsClipped) {
  Picture picture = ramp(4, 4, 3);
  draw_rectangle(picture, -1e30, -5, 1e30, 2, {255, 0, 0}, 1);
  draw_rectangle(picture, 0, 0, 3, 3, {1, 2, 3}, 1);
  EXPECT_EQ(picture.at(3, 3)[2], 3);
  draw_disc(picture, 1e9, 0, 3, {0, 0, 0});
  draw_disc(picture, 1, 1, 1, {9, 9, 9});
  EXPECT_EQ(picture.at(1, 1)[0], 9);
}

TEST(Picture, FilesOfOtherProgramsAreRead) {
  const test::fs::path folder = test::best_data("pictures");
  auto jpeg = load_picture((folder / "rocket.jpg").string());
  ASSERT_TRUE(jpeg) << to_string(jpeg.error());
  EXPECT_EQ(jpeg->width, 640u);
  EXPECT_EQ(jpeg->height, 427u);
  EXPECT_EQ(jpeg->channels, 3u);
  auto bmp = load_picture((folder / "person.bmp").string());
  ASSERT_TRUE(bmp) << to_string(bmp.error());
  EXPECT_EQ(bmp->width, 96u);
  EXPECT_EQ(bmp->channels, 1u);
}

}  // namespace
}  // namespace npubin
