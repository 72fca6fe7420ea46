// Text in pictures: every character is told from every other, and is legible on whatever lies behind it.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "vision/draw_detections.h"
#include "vision/draw_text.h"

namespace npubin::vision {
namespace {

Picture canvas(std::uint32_t width, std::uint32_t height, Colour colour) {
  Picture out{width, height, 3, {}};
  for (std::uint32_t i = 0; i < width * height; ++i)
    out.pixels.insert(out.pixels.end(), {colour.r, colour.g, colour.b});
  return out;
}

// A field of noise, the worst there is to read on.
Picture noise(std::uint32_t width, std::uint32_t height) {
  Picture out = canvas(width, height, {});
  std::uint32_t state = 1;
  for (std::uint8_t& value : out.pixels)
    value = static_cast<std::uint8_t>((state = state * 1664525u + 1013904223u) >> 24);
  return out;
}

int luma(const std::uint8_t* pixel) {
  return (299 * pixel[0] + 587 * pixel[1] + 114 * pixel[2]) / 1000;
}

std::string rows_of(const Picture& picture) {
  std::string out;
  for (std::uint32_t y = 0; y < picture.height; ++y) {
    for (std::uint32_t x = 0; x < picture.width; ++x) out += picture.at(x, y)[0] != 0 ? '#' : '.';
    out += '\n';
  }
  return out;
}

std::string drawn(const std::string& text) {
  const TextSize size = text_size(text, 1);
  Picture picture =
      canvas(static_cast<std::uint32_t>(size.width), static_cast<std::uint32_t>(size.height), {});
  draw_text(picture, 0, 0, text, {255, 255, 255}, 1);
  return rows_of(picture);
}

TEST(DrawText, LettersHaveTheirShapes) {
  EXPECT_EQ(drawn("Fa"),
            "#####......\n"
            "#..........\n"
            "#......###.\n"
            "####......#\n"
            "#......####\n"
            "#.....#...#\n"
            "#......####\n");
}

TEST(DrawText, EveryCharacterIsToldFromEveryOther) {
  std::set<std::string> seen;
  for (char c = ' '; c <= '~'; ++c) {
    const std::string shape = drawn(std::string(1, c));
    EXPECT_TRUE(seen.insert(shape).second) << "another character looks like " << c;
    EXPECT_EQ(shape.find('#') == std::string::npos, c == ' ') << c;
  }
}

TEST(DrawText, WhatIsNotAsciiIsOneQuestionMark) {
  EXPECT_EQ(drawn("\xc3\xa9"), drawn("?"));
  EXPECT_EQ(drawn("\n"), drawn("?"));
}

TEST(DrawText, ScaleEnlargesEveryPixel) {
  EXPECT_EQ(text_size("abc", 3).width, 3 * text_size("abc", 1).width);
  EXPECT_EQ(text_size("abc", 1).width, 17);
  EXPECT_EQ(text_size("", 1).width, 0);
}

TEST(DrawText, LabelsStandOutOnAnyBackground) {
  const std::string text = "face 0.87";
  for (std::uint32_t id = 0; id < 12; ++id)
    for (Picture picture : {canvas(80, 20, {0, 0, 0}), canvas(80, 20, {255, 255, 255}), noise(80, 20)}) {
      const Colour field = class_colour(id);
      draw_label(picture, 4, 4, text, field, 1);
      const TextSize size = text_size(text, 1);
      int letters = 0;
      const int behind = luma(std::array<std::uint8_t, 3>{field.r, field.g, field.b}.data());
      for (std::int64_t y = 4; y < 4 + label_height(1); ++y)
        for (std::int64_t x = 4; x < 4 + size.width + 2; ++x) {
          const std::uint8_t* pixel =
              picture.at(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y));
          if (pixel[0] == field.r && pixel[1] == field.g && pixel[2] == field.b) continue;
          ++letters;
          EXPECT_GE(std::abs(luma(pixel) - behind), 100) << "class " << id << " at " << x << "," << y;
        }
      const std::string shape = drawn(text);
      EXPECT_EQ(letters, std::count(shape.begin(), shape.end(), '#'));
    }
}

TEST(DrawText, LabelsAreMovedIntoThePicture) {
  const Colour field{10, 20, 30};
  for (const auto& [x, y] : {std::pair{-50, -50}, std::pair{1000, 1000}, std::pair{75, -3}}) {
    Picture picture = canvas(80, 20, {200, 200, 200});
    draw_label(picture, x, y, "a", field, 1);
    int seen = 0;
    for (std::uint32_t i = 0; i < 80 * 20; ++i) seen += picture.pixels[3 * i] == field.r ? 1 : 0;
    const std::string letter = drawn("a");
    EXPECT_EQ(seen, 7 * 9 - std::count(letter.begin(), letter.end(), '#')) << x << "," << y;
  }
}

TEST(DrawText, DetectionsCarryNameAndScore) {
  const Detection box{0.5f, 0.25f, 0.75f, 0.5f, 0.87f, 1, 0};
  Picture bare = canvas(200, 200, {0, 0, 0});
  draw_detections(bare, {&box, 1});
  Picture named = canvas(200, 200, {0, 0, 0});
  const std::vector<std::string> labels{"background", "face"};
  draw_detections(named, {&box, 1}, labels);
  Picture wanted = canvas(200, 200, {0, 0, 0});
  draw_label(wanted, 50, 100 - label_height(1), "face 0.87", class_colour(1), 1);
  EXPECT_EQ(std::vector(named.pixels.begin(), named.pixels.begin() + 3 * 200 * 100),
            std::vector(wanted.pixels.begin(), wanted.pixels.begin() + 3 * 200 * 100));
  Picture numbered = canvas(200, 200, {0, 0, 0});
  draw_label(numbered, 50, 100 - label_height(1), "class 1 0.87", class_colour(1), 1);
  EXPECT_EQ(std::vector(bare.pixels.begin(), bare.pixels.begin() + 3 * 200 * 100),
            std::vector(numbered.pixels.begin(), numbered.pixels.begin() + 3 * 200 * 100));
}

}  // namespace
}  // namespace npubin::vision
