// Small files that would be endless to read: objects and vectors shared over and over.
#include <gtest/gtest.h>

#include "formats/tflite/document.h"
#include "support/work_limit.h"

namespace npubin::tflite {
namespace {

// Writes a FlatBuffer by hand: tables whose vtables stand just before them.
class Assembler {
 public:
  Assembler() {
    word(0);
    word(0x334c4654);  // "TFL3"
  }
  std::uint32_t here() const { return static_cast<std::uint32_t>(bytes_.size()); }
  void word(std::uint32_t value) {
    bytes_.resize(bytes_.size() + 4);
    store<std::uint32_t>(bytes_.data() + bytes_.size() - 4, value);
  }
  void half(std::uint16_t value) {
    bytes_.resize(bytes_.size() + 2);
    store<std::uint16_t>(bytes_.data() + bytes_.size() - 2, value);
  }
  // A table whose only field is an offset in `slot`; gives the place of the field, to be set by point().
  std::uint32_t table_with(std::uint16_t slot) {
    const auto size = static_cast<std::uint16_t>(4 + 2 * (slot + 1));
    const std::uint32_t vtable = here();
    half(size);
    half(8);
    for (std::uint16_t i = 0; i < slot; ++i) half(0);
    half(4);
    if (here() % 4 != 0) half(0);
    const std::uint32_t table = here();
    word(table - vtable);
    word(0);
    last_table_ = table;
    return table + 4;
  }
  std::uint32_t last_table() const { return last_table_; }
  void point(std::uint32_t from, std::uint32_t to) { store<std::uint32_t>(bytes_.data() + from, to - from); }
  // A vector of offsets that all lead to the table that is written next.
  std::vector<std::uint32_t> vector_of(std::uint32_t count) {
    std::vector<std::uint32_t> places;
    word(count);
    for (std::uint32_t i = 0; i < count; ++i) {
      places.push_back(here());
      word(0);
    }
    return places;
  }
  Result<std::unique_ptr<Artifact>> read() { return TfliteDocument::read(Bytes::own(std::move(bytes_)), {}); }

 private:
  std::vector<std::byte> bytes_;
  std::uint32_t last_table_ = 0;
};

constexpr std::uint16_t kSubgraphs = 2, kTensors = 0, kShape = 0;

void expect_refused_at_once(Assembler& file) {
  const test::WorkLimit limit(1.0);
  const auto artifact = file.read();
  ASSERT_FALSE(artifact);
  EXPECT_EQ(artifact.error().code, "TFL-0007") << to_string(artifact.error());
}

TEST(TfliteHostile, TablesSharedByManyVectorsAreRefused) {
  constexpr std::uint32_t kCount = 20000;
  Assembler file;
  const std::uint32_t subgraphs = file.table_with(kSubgraphs);
  file.point(0, file.last_table());
  file.point(subgraphs, file.here());
  const auto to_subgraph = file.vector_of(kCount);
  const std::uint32_t tensors = file.table_with(kTensors);
  for (std::uint32_t place : to_subgraph) file.point(place, file.last_table());
  file.point(tensors, file.here());
  const auto to_tensor = file.vector_of(kCount);
  const std::uint32_t shape = file.table_with(kShape);
  for (std::uint32_t place : to_tensor) file.point(place, file.last_table());
  file.point(shape, file.here());
  file.word(0);
  expect_refused_at_once(file);
}

TEST(TfliteHostile, AVectorSharedByManyTablesIsRefused) {
  constexpr std::uint32_t kCount = 20000;
  Assembler file;
  const std::uint32_t subgraphs = file.table_with(kSubgraphs);
  file.point(0, file.last_table());
  file.point(subgraphs, file.here());
  const auto to_subgraph = file.vector_of(1);
  const std::uint32_t tensors = file.table_with(kTensors);
  file.point(to_subgraph[0], file.last_table());
  file.point(tensors, file.here());
  const auto to_tensor = file.vector_of(kCount);
  const std::uint32_t shape = file.table_with(kShape);
  for (std::uint32_t place : to_tensor) file.point(place, file.last_table());
  file.point(shape, file.here());
  file.word(kCount);
  for (std::uint32_t i = 0; i < kCount; ++i) file.word(1);
  expect_refused_at_once(file);
}

}  // namespace
}  // namespace npubin::tflite
