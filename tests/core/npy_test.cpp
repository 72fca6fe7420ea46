#include "npubin/npy.h"

#include <gtest/gtest.h>

namespace npubin {
namespace {

Bytes file_with(std::string header, std::string data, char major = 1) {
  std::string out = "\x93NUMPY";
  out += major;
  out += '\0';
  out += static_cast<char>(header.size() & 0xFF);
  out += static_cast<char>(header.size() >> 8);
  if (major > 1) out += std::string(2, '\0');
  return Bytes::own(out + header + data);
}

TEST(Npy, EveryTypeSurvivesTheRoundTrip) {
  for (DType type : {DType::F32, DType::F16, DType::F64, DType::U8, DType::I8, DType::U16, DType::I16,
                     DType::U32, DType::I32, DType::I64, DType::Bool})
    for (const Shape& shape : {Shape{}, Shape{3}, Shape{2, 3}, Shape{0, 4}, Shape{1, 2, 3, 4}}) {
      Tensor tensor(type, shape);
      for (std::size_t i = 0; i < tensor.byte_size(); ++i)
        tensor.mutable_data()[i] = static_cast<std::byte>(i % 2);
      const std::string file = write_npy(tensor);
      EXPECT_EQ((file.size() - tensor.byte_size()) % 64, 0u);
      auto back = read_npy(Bytes::own(file));
      ASSERT_TRUE(back) << to_string(back.error());
      EXPECT_EQ(back->type(), type);
      EXPECT_EQ(back->shape(), shape);
      EXPECT_TRUE(std::equal(back->bytes().begin(), back->bytes().end(), tensor.bytes().begin()));
    }
}

TEST(Npy, BigEndianFortranAndLaterVersions) {
  const std::string big("\x00\x01\x00\x02\x00\x03\x00\x04", 8);
  for (char version : {'\x01', '\x02', '\x03'}) {
    auto tensor =
        read_npy(file_with("{'descr': '>i2', 'fortran_order': True, 'shape': (2, 2), }\n", big, version));
    ASSERT_TRUE(tensor) << to_string(tensor.error());
    const auto values = tensor->as<std::int16_t>();
    EXPECT_EQ(std::vector<std::int16_t>(values.begin(), values.end()),
              (std::vector<std::int16_t>{1, 3, 2, 4}));
  }
}

TEST(Npy, FaultsAreNamed) {
  const auto error = [](const Bytes& bytes) {
    auto tensor = read_npy(bytes);
    return tensor ? std::string("accepted") : to_string(tensor.error());
  };
  EXPECT_NE(error(Bytes::own(std::string("hello, world"))).find("no .npy file"), std::string::npos);
  EXPECT_NE(error(Bytes::own(std::string("\x93NUM"))).find("truncated"), std::string::npos);
  EXPECT_NE(error(file_with("{'descr': '<c8', 'fortran_order': False, 'shape': (1,), }", "")).find("'<c8'"),
            std::string::npos);
  EXPECT_NE(error(file_with("{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }", "abcd"))
                .find("needs 12 bytes"),
            std::string::npos);
  EXPECT_NE(
      error(
          file_with(
              "{'descr': '<f4', 'fortran_order': False, 'shape': (9999999999999999,9999999999999999), }", ""))
          .find("overflows"),
      std::string::npos);
  EXPECT_NE(error(file_with("{'descr': '<f4', 'fortran_order': False, 'shape': (-1,), }", ""))
                .find("bad dimension"),
            std::string::npos);
  EXPECT_NE(error(file_with("{'fortran_order': False, 'shape': (1,), }", "")).find("lacks descr"),
            std::string::npos);
}

}  // namespace
}  // namespace npubin
