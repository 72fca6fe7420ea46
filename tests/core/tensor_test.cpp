#include "npubin/tensor.h"

#include <gtest/gtest.h>

namespace npubin {
namespace {

TEST(Shape, ProductsThatOverflowAreRefused) {
  EXPECT_EQ(*element_count({2, 3, 4}), 24);
  EXPECT_EQ(*element_count({}), 1);
  EXPECT_EQ(*element_count({5, 0}), 0);
  EXPECT_FALSE(element_count({-1}));
  EXPECT_FALSE(element_count({std::int64_t{1} << 40, std::int64_t{1} << 40}));
}

TEST(Tensor, CopiesShareAndClonesDoNot) {
  Tensor a(DType::I32, {2});
  Tensor shared = a, copy = a.clone();
  a.as_mutable<std::int32_t>()[0] = 7;
  EXPECT_EQ(shared.as<std::int32_t>()[0], 7);
  EXPECT_EQ(copy.as<std::int32_t>()[0], 0);
}

TEST(Tensor, UnalignedViewsAreCopied) {
  const Bytes bytes = Bytes::own(std::string("x\x01\x00\x00\x00", 5));
  auto tensor = Tensor::view(DType::I32, {1}, bytes.slice(1, 4));
  ASSERT_TRUE(tensor);
  EXPECT_EQ(tensor->as<std::int32_t>()[0], 1);
  EXPECT_FALSE(Tensor::view(DType::I32, {2}, bytes.slice(1, 4)));
}

TEST(Tensor, AllocationIsBounded) {
  EXPECT_FALSE(Tensor::allocate(DType::F32, {1 << 30, 1 << 30}));
}

TEST(Tensor, RealDecodesPerAxis) {
  Tensor tensor(DType::I8, {2, 2}, Quantization{{0.5f, 2.0f}, {0, 1}, 0});
  const std::int8_t codes[] = {2, -2, 3, 1};
  std::copy(codes, codes + 4, tensor.as_mutable<std::int8_t>().begin());
  EXPECT_EQ(tensor.real(0), 1.0);
  EXPECT_EQ(tensor.real(1), -1.0);
  EXPECT_EQ(tensor.real(2), 4.0);
  EXPECT_EQ(tensor.real(3), 0.0);
}

}  // namespace
}  // namespace npubin
