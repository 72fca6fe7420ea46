// The byte map: each table, vtable, vector and string under its path in the schema's own words.
#include <map>

#include <fmt/format.h>

#include "artifact/gaps.h"
#include "formats/armnn/document.h"

namespace npubin::armnn {
namespace {

class MapWalk : public WalkVisitor {
 public:
  MapWalk(const FlatBuffer& file, ByteMap& map) : file_(file), map_(map) {}

  void table(TableId id, const FlatTable& table, const std::vector<WalkStep>& path) override {
    map_.add(table.position, table.size, path.empty() ? "graph" : to_string(path),
             std::string(to_string(id)));
    // One vtable serves many tables.
    auto [found, is_new] = vtables_.try_emplace(table.vtable, Shared{table.vtable_size, id, 0});
    ++found->second.users;
  }
  void vector(const Slot&, const FlatVector& vector, std::size_t size,
              const std::vector<WalkStep>& path) override {
    map_.add(vector.position, 4 + std::uint64_t{vector.count} * size, to_string(path),
             fmt::format("{} x {} bytes", vector.count, size));
  }
  void string(const Slot&, std::uint32_t position, std::string_view text,
              const std::vector<WalkStep>& path) override {
    map_.add(position, 5 + text.size(), to_string(path), fmt::format("\"{}\"", text));
  }

  void add_rest(std::uint64_t size) {
    map_.add(0, 4, "root", "offset of the root table");
    for (const auto& [position, shared] : vtables_)
      map_.add(position, shared.size, fmt::format("vtable({})", to_string(shared.id)),
               fmt::format("of {} table{}", shared.users, shared.users == 1 ? "" : "s"));
    std::string identifier;
    if (size >= 8)
      for (std::uint32_t i = 4; i < 8; ++i) identifier += static_cast<char>(file_.at<std::uint8_t>(i));
    if (identifier == "ARMN") map_.add(4, 4, "identifier", "\"ARMN\"");
  }

 private:
  struct Shared {
    std::uint32_t size = 0;
    TableId id = TableId::None;
    std::uint32_t users = 0;
  };

  const FlatBuffer& file_;
  ByteMap& map_;
  std::map<std::uint32_t, Shared> vtables_;
};

// Gaps of a few zero bytes are alignment; everything else that nothing refers to stays unexplained.
void name_padding(const FlatBuffer& file, ByteMap& map) {
  for (const MapSpan& span : gaps_of(map.spans(), file.size())) {
    if (span.size > 7) continue;
    bool zeros = true;
    for (std::uint64_t i = 0; i < span.size; ++i)
      zeros = zeros && file.at<std::uint8_t>(span.offset + i) == 0;
    if (zeros) map.add(span.offset, span.size, "padding");
  }
}

}  // namespace

Result<ByteMap> ArmnnDocument::map() const {
  ByteMap out;
  MapWalk walker(file_, out);
  NPUBIN_CHECK(walk(file_, vote_.reading, walker));
  walker.add_rest(file_.size());
  name_padding(file_, out);
  out.finish(file_.size());
  return out;
}

}  // namespace npubin::armnn
