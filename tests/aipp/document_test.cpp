// Messages for the grammar faults, both forms, edits, new configs, parameter blocks, comparison with
// training.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "formats/aipp/artifact.h"
#include "formats/aipp/comparison.h"
#include "formats/aipp/edit.h"
#include "formats/aipp/new_config.h"
#include "formats/aipp/parameter_report.h"
#include "formats/aipp/rules.h"
#include "formats/aipp/settings.h"
#include "support/data.h"

namespace npubin::aipp {
namespace {

using testing::HasSubstr;

constexpr std::string_view kPlain =
    "# made for ResNet\n"
    "aipp_op {\n"
    "  aipp_mode: static   # not dynamic\n"
    "\tinput_format : RGB888_U8\n"
    "  src_image_size_w: 224; src_image_size_h: 224\n"
    "  related_input_name: 'a' \"b\"\n"
    "  min_chn_0: - 1\n"
    "  var_reci_chn_0: [ 0.5 ]\n"
    "}\n";

ParseFault fault_of(std::string_view line) {
  const Parsed parsed = parse_text("aipp_op {\n  aipp_mode: static\n" + std::string(line) + "\n}\n");
  return parsed.fault.value_or(ParseFault{});
}

struct Fault {
  std::string_view line, field, says, advises;
};
constexpr Fault kFaults[] = {
    {"  mean_chn_0: 123.675", "mean_chn_0", "takes an integer, not `123.675`", "min_chn_0"},
    {"  // a comment", "", "`/`", "`#`"},
    {"  crop\xEF\xBC\x9A true", "", "full-width colon", "ASCII colon"},
    {"  rotation_angle: 90", "rotation_angle", "no field named", "not supported"},
    {"  input_format: \"RGB888_U8\"", "input_format", "bare name", "without quotes"},
    {"  input_format: RGB888", "input_format", "`RGB888` is no value", "RGB888_U8"},
    {"  crop: TRUE", "crop", "`TRUE` is no value", "true or false"},
    {"  crop: true crop: false", "crop", "second time", "delete one"},
    {"  related_input_rank: -1", "related_input_rank", "not `-`", "negative"},
    {"  mean_ch_0: 1", "mean_ch_0", "no field named", "mean_chn_0"},
    {"  src_image_size_w 224", "src_image_size_w", "colon is missing", "name: value"},
    {"  var_reci_chn_0: 1/255", "", "`/`", "0.00392157"},
};

TEST(AippText, FaultsSayWhatToWriteInstead) {
  for (const Fault& fault : kFaults) {
    const ParseFault got = fault_of(fault.line);
    EXPECT_EQ(got.field, fault.field) << fault.line;
    EXPECT_THAT(got.message, HasSubstr(std::string(fault.says))) << fault.line;
    EXPECT_THAT(got.message, HasSubstr(std::string(fault.line.substr(2, 4)))) << "the line's text";
    EXPECT_THAT(got.hint, HasSubstr(std::string(fault.advises))) << fault.line;
    EXPECT_GE(got.where.line.value_or(0), 3u) << fault.line;
    EXPECT_GE(got.where.column.value_or(0), 1u);
  }
}

TEST(AippText, FalseAfterFalseIsNoSecondValue) {
  EXPECT_TRUE(fault_of("  crop: false crop: false").message.empty());
}

TEST(AippText, PositionsCountTabsAsOneByte) {
  const Parsed parsed = parse_text(kPlain);
  ASSERT_FALSE(parsed.fault.has_value());
  const Occurrence& where = parsed.config.blocks[0].of(FieldId::input_format).where.at(0);
  EXPECT_EQ(where.line, 4u);
  EXPECT_EQ(where.column, 2u);
  EXPECT_EQ(kPlain.substr(where.offset, 12), "input_format");
  EXPECT_EQ(parsed.config.blocks[0].of(FieldId::related_input_name).text, "ab");
}

TEST(AippText, TooManyBlocksAreRefusedBeforeTheyCostAnything) {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += "aipp_op{}";
  EXPECT_TRUE(parse_text(text).fault.has_value());
}

TEST(AippEdit, ChangesOneValueAndNothingElse) {
  struct Row {
    Change change;
    std::string_view from, to;
  };
  const Row rows[] = {
      {{"src_image_size_w", "256"}, "src_image_size_w: 224;", "src_image_size_w: 256;"},
      {{"input_format", "YUV400_U8"}, ": RGB888_U8", ": YUV400_U8"},
      {{"related_input_name", "\"x y\""}, "'a' \"b\"", "\"x y\""},
      {{"min_chn_0", "123.675"}, "- 1", "123.675"},
      {{"aipp_op[0].var_reci_chn_0", "0.25"}, "[ 0.5 ]", "0.25"},
      {{"crop", "false"}, "}\n", "  crop: false\n}\n"},
      {{"var_reci_chn_0", ""}, "  var_reci_chn_0: [ 0.5 ]\n", ""},
      {{"src_image_size_h", ""}, "; src_image_size_h: 224\n", "; \n"},
  };
  for (const Row& row : rows) {
    std::string wanted(kPlain);
    wanted.replace(wanted.find(row.from), row.from.size(), row.to);
    const auto got = edit_text(kPlain, {row.change});
    ASSERT_TRUE(got.has_value()) << row.change.path << ": " << to_string(got.error());
    EXPECT_EQ(*got, wanted) << row.change.path;
  }
}

TEST(AippEdit, RefusesWhatWouldNotParseOrSmugglesMore) {
  for (const Change& change : {Change{"src_image_size_w", "wide"}, Change{"crop", "true csc_switch: true"},
                               Change{"crop", "true # off"}, Change{"crop", "true\ncsc_switch: true"},
                               Change{"corp", "true"}, Change{"aipp_op[1].crop", "true"},
                               Change{"aipp_op[x].crop", "1"}, Change{"crop", "}"}, Change{"mean_chn_0", ""}})
    EXPECT_FALSE(edit_text(kPlain, {change}).has_value()) << change.path << " = " << change.value;
}

TEST(AippBinary, HoldsTheSameValues) {
  const Parsed parsed = parse_text(kPlain);
  const auto binary = to_binary(parsed.config);
  ASSERT_TRUE(binary.has_value());
  EXPECT_TRUE(looks_binary(*binary));
  const auto back = parse_binary(*binary);
  ASSERT_TRUE(back.has_value());
  for (const FieldInfo& field : fields()) {
    EXPECT_EQ(back->blocks[0].number(field.id, -7), parsed.config.blocks[0].number(field.id, -7))
        << field.name;
    EXPECT_EQ(back->blocks[0].of(field.id).text, parsed.config.blocks[0].of(field.id).text);
  }
  const Parsed again = parse_text(to_text(*back));
  EXPECT_EQ(*to_binary(again.config), *binary);
  const auto edited = edit(*binary, {{"src_image_size_w", "300"}});
  ASSERT_TRUE(edited.has_value());
  EXPECT_EQ(parse_binary(*edited)->blocks[0].integer(FieldId::src_image_size_w), 300);
}

TEST(AippBinary, DamageIsAnErrorWithItsOffset) {
  auto binary = to_binary(parse_text(kPlain).config).value();
  binary.back() = std::byte{0xFF};
  binary.resize(binary.size() - 1);
  const auto damaged = parse_binary(binary);
  ASSERT_FALSE(damaged.has_value());
  EXPECT_TRUE(damaged.error().where.offset.has_value());
  EXPECT_FALSE(looks_binary(binary));
}

TrainingPipeline camera() {
  TrainingPipeline p;
  p.input = "nv12";
  p.src_w = 1920;
  p.src_h = 1080;
  p.net_w = 224;
  p.net_h = 224;
  p.crop_center = true;
  p.standard = "bt601-narrow";
  p.mean = {0.485, 0.456, 0.406};
  p.std = {0.229, 0.224, 0.225};
  return p;
}

Diagnostics checked(const WrittenConfig& written, const std::string& soc) {
  const Parsed parsed = parse_text(written.text);
  EXPECT_FALSE(parsed.fault.has_value()) << parsed.fault->message << "\n" << written.text;
  Surroundings surroundings;
  surroundings.soc = soc;
  const NetworkInput& n = written.network;
  surroundings.inputs = std::vector<NetworkInputFacts>{{{}, n.n, n.c, n.h, n.w, "float16", {}}};
  Diagnostics out;
  check_config(parsed.config, surroundings, out);
  return out;
}

TEST(AippNew, PassesOurOwnCheckForEveryInput) {
  for (const char* input : {"nv12", "nv21", "rgb", "bgr", "xrgb", "rgbx", "xbgr", "bgrx", "yuyv", "grey"})
    for (const char* order : {"rgb", "bgr", "grey"}) {
      TrainingPipeline p = camera();
      p.input = input;
      p.order = order;
      if (std::string(order) == "grey" || std::string(input) == "grey") p.mean = p.std = {0.5};
      const auto written = write_config(p);
      ASSERT_TRUE(written.has_value()) << input << " " << order << ": " << to_string(written.error());
      const Diagnostics findings =
          checked(*written, std::string(input) == "yuyv" ? "Hi3796CV300CS" : "Ascend310");
      EXPECT_FALSE(findings.has_errors() || findings.has_warnings())
          << input << " " << order << ": " << findings.findings()[0].message << "\n"
          << written->text;
    }
}

TEST(AippNew, RefusesInTheTermsOfItsOptions) {
  TrainingPipeline p = camera();
  p.standard.clear();
  EXPECT_THAT(to_string(write_config(p).error()), HasSubstr("--standard"));
  p = camera();
  p.crop_center = false;
  EXPECT_THAT(to_string(write_config(p).error()), HasSubstr("do not scale"));
  p = camera();
  p.mean = {123.675, 116.28, 103.53};
  EXPECT_THAT(to_string(write_config(p).error()), HasSubstr("0..1"));
  p = camera();
  p.net_w = 2200;
  EXPECT_THAT(to_string(write_config(p).error()), HasSubstr("padding"));
}

// A picture of smooth colours, so that shared chroma hardly matters.
Picture gradient() {
  Picture out;
  out.width = 320;
  out.height = 240;
  out.pixels.resize(320 * 240 * 3);
  for (std::uint32_t y = 0; y < out.height; ++y)
    for (std::uint32_t x = 0; x < out.width; ++x) {
      out.at(x, y)[0] = static_cast<std::uint8_t>(60 + x / 2);
      out.at(x, y)[1] = static_cast<std::uint8_t>(40 + y / 2);
      out.at(x, y)[2] = static_cast<std::uint8_t>(200 - x / 4 - y / 4);
    }
  return out;
}

Comparison compared(const TrainingPipeline& written_for, const TrainingTarget& target) {
  const auto written = write_config(written_for);
  EXPECT_TRUE(written.has_value()) << to_string(written.error());
  const Parsed parsed = parse_text(written->text);
  const auto out = compare_with_training(parsed.config.blocks[0], written->network, gradient(), target);
  EXPECT_TRUE(out.has_value()) << to_string(out.error());
  return *out;
}

TEST(AippCompare, AgreesWithItselfAndNamesTheCauseOfADifference) {
  TrainingPipeline p = camera();
  p.src_w = 320;
  p.src_h = 240;
  TrainingTarget target{p.mean, p.std, "rgb", *find_csc_standard("bt601-narrow")};
  EXPECT_TRUE(compared(p, target).alike);
  EXPECT_LT(compared(p, target).mean_levels, 2);

  TrainingPipeline bgr = p;
  bgr.order = "bgr";
  EXPECT_THAT(compared(bgr, target).likely_cause, HasSubstr("channel order"));
  TrainingPipeline wrong_std = p;
  wrong_std.std = {0.5, 0.5, 0.5};
  EXPECT_THAT(compared(wrong_std, target).likely_cause, HasSubstr("mean and std"));
  TrainingPipeline full = p;
  full.standard = "jpeg";
  const Comparison colours = compared(full, target);
  EXPECT_FALSE(colours.alike);
  EXPECT_THAT(colours.likely_cause, HasSubstr("BT.601 narrow"));
}

TEST(AippParameters, SurviveWritingAndReading) {
  const Parsed parsed = parse_text(write_config(camera())->text);
  const auto block = parameters_of(settings_of_block(parsed.config.blocks[0]), 3);
  ASSERT_TRUE(block.has_value());
  const auto bytes = write_parameters(*block);
  EXPECT_EQ(bytes.size(), 64u + 3 * 96);
  const auto back = read_parameters(bytes);
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(write_parameters(*back), bytes);
  Diagnostics findings;
  check_parameters(*back, NetworkInput{3, 3, 224, 224}, 0, findings);
  EXPECT_TRUE(findings.findings().empty());
  check_parameters(*back, NetworkInput{2, 3, 224, 224}, 3110400, findings);
  EXPECT_EQ(findings.count(Severity::Error), 2u) << "another batch, and pictures too large for the buffer";
}

TEST(AippParameters, CasesOfTheCollectionAreWrittenBackByteForByte) {
  for (const auto& folder : test::case_folders(test::best_data("aipp/exec"))) {
    if (!test::fs::exists(folder / "params.bin")) continue;
    const Bytes bytes = test::read_bytes(folder / "params.bin");
    const auto block = read_parameters(bytes.span());
    if (!block) {
      EXPECT_THAT(folder.filename().string(), HasSubstr("refuse"));
      EXPECT_TRUE(block.error().where.offset.has_value());
      continue;
    }
    const auto written = write_parameters(*block);
    EXPECT_TRUE(std::equal(written.begin(), written.end(), bytes.span().begin(), bytes.span().end()))
        << folder;
  }
}

TEST(AippFindings, TableAndTextsAgreeAndAreSorted) {
  ASSERT_EQ(finding_table().size(), finding_texts().size());
  for (std::size_t i = 0; i < finding_table().size(); ++i) {
    EXPECT_EQ(finding_table()[i].code, finding_texts()[i].code);
    EXPECT_FALSE(finding_texts()[i].remedy.empty());
    if (i > 0) {
      EXPECT_LT(finding_table()[i - 1].code, finding_table()[i].code);
    }
  }
}

TEST(AippRun, RefusesShortBuffers) {
  Settings s;
  s.format = InputFormat::Rgb888;
  s.src_w = 4;
  s.src_h = 2;
  auto pre = Preprocessor::compile(s, {1, 3, 2, 4}, {});
  ASSERT_TRUE(pre.has_value());
  std::vector<std::byte> image(23), out(48);
  EXPECT_FALSE(pre->run(image, out).has_value());
  image.resize(24);
  EXPECT_TRUE(pre->run(image, out).has_value());
  EXPECT_FALSE(pre->run(image, std::span(out).first(47)).has_value());
}

}  // namespace
}  // namespace npubin::aipp
