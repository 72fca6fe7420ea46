#include "npubin/bytes.h"

#include <fstream>

#include <gtest/gtest.h>

#include "core/bounded_file.h"
#include "support/data.h"

namespace npubin {
namespace {

TEST(ByteReader, ReadsBothOrdersAndReportsOffsets) {
  const Bytes bytes = Bytes::own(std::string("\x01\x02\x03\x04\x05", 5));
  ByteReader reader(bytes.span(), 100);
  EXPECT_EQ(*reader.u16(), 0x0201);
  EXPECT_EQ(reader.offset(), 102u);
  auto missing = reader.u32be("length");
  ASSERT_FALSE(missing);
  EXPECT_EQ(*missing.error().where.offset, 102u);
  EXPECT_NE(missing.error().message.find("length needs 4 bytes, but only 3"), std::string::npos);
  EXPECT_FALSE(reader.take(~std::uint64_t{0}));
  EXPECT_FALSE(reader.span_at(~std::uint64_t{0}, 2));
  EXPECT_FALSE(reader.span_at(4, ~std::uint64_t{0}));
  EXPECT_FALSE(reader.seek(6));
  EXPECT_EQ((*reader.take(3)).size(), 3u);
  EXPECT_TRUE(reader.at_end());
}

TEST(WriteFile, ReplacesWholeOrNotAtAll) {
  test::TemporaryFolder folder;
  const std::string path = (folder.path() / "a.bin").string();
  ASSERT_TRUE(write_file(path, std::string_view("first")));
  ASSERT_TRUE(write_file(path, std::string_view("second")));
  EXPECT_EQ(Bytes::open(path)->text(), "second");
  auto failed = write_file((folder.path() / "none" / "a.bin").string(), std::string_view("x"));
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().kind, ErrorKind::Io);
  std::size_t files = 0;
  for (const auto& entry : test::fs::directory_iterator(folder.path()))
    files += entry.is_regular_file() ? 1 : 0;
  EXPECT_EQ(files, 1u) << "a temporary file was left behind";
}

TEST(Bytes, FoldersAndMissingFilesAreErrors) {
  EXPECT_FALSE(Bytes::open("/"));
  EXPECT_FALSE(Bytes::open("/no/such/file"));
  EXPECT_EQ(Bytes::open("/dev/null")->size(), 0u);
}

TEST(Bytes, DevicesAndLargeFilesAreNotReadWithoutEnd) {
  const auto endless = Bytes::open("/dev/zero");
  ASSERT_FALSE(endless.has_value());
  EXPECT_EQ(endless.error().kind, ErrorKind::Io);
  EXPECT_NE(endless.error().message.find("more than 64 MiB"), std::string::npos);
  const auto none = Bytes::open("/dev/null");
  ASSERT_TRUE(none.has_value());
  EXPECT_EQ(none->size(), 0u);
}

TEST(Bytes, MostIsTheMostThatIsRead) {
  const test::TemporaryFolder folder;
  const std::string file = (folder.path() / "x").string();
  ASSERT_TRUE(write_file(file, std::string_view("0123456789")).has_value());
  EXPECT_TRUE(open_bounded(file, 10).has_value());
  const auto refused = open_bounded(file, 9);
  ASSERT_FALSE(refused.has_value());
  EXPECT_NE(refused.error().message.find("has 10 bytes; at most 9"), std::string::npos);
}

}  // namespace
}  // namespace npubin
