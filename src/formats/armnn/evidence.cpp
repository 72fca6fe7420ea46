// The age of a file from what is set in it: each field, value and layer type has a first release, and what
// newer releases always write is missing from older files.
#include <array>
#include <string>

#include <fmt/format.h>

#include "formats/armnn/recognise.h"
#include "formats/armnn/table_view.h"

namespace npubin::armnn {
namespace {

// Rows that only renamed or re-typed a slot (activationFunction in 19.11, the ids in 20.02) are the same
// bytes as the rows before them and say nothing about the age.
bool changes_meaning(const Slot& row) {
  return row.table != TableId::ActivationDescriptor && row.table != TableId::SerializedGraph;
}

class Dating : public WalkVisitor {
 public:
  Dating(const FlatBuffer& file, const Reading& reading) : file_(file), reading_(reading) {}

  void table(TableId id, const FlatTable& table, const std::vector<WalkStep>&) override {
    const Age age = reading_.slot_age(id);
    if (id == TableId::AnyLayer) member(file_.scalar<std::uint8_t>(table, 0, 0));
    for (const Slot& row : slots_of(id)) {
      if (!row.stands_at(age) || file_.entry(table, row.slot) == 0) continue;
      if (changes_meaning(row)) {
        not_before(row.first, [&] { return fmt::format("{}.{} is set", to_string(id), row.name); });
        not_after(row.last,
                  [&] { return fmt::format("{}.{} is set in its old slot", to_string(id), row.name); });
      }
      if (row.kind == SlotKind::Enum8) value(row, file_.scalar<std::int8_t>(table, row.slot, 0));
    }
  }

  template <class Text>
  void not_before(Age age, Text text) {
    if (age <= range.first) return;
    range.first = age;
    first_text = text();
  }
  template <class Text>
  void not_after(Age age, Text text) {
    if (age >= range.last) return;
    range.last = age;
    last_text = text();
  }

  AgeRange range;
  std::string first_text, last_text;

 private:
  void member(std::uint8_t number) {
    const UnionMember* found = layer_member(number, reading_.union_age);
    if (found == nullptr) return;
    // The oldest age in which the layer's table exists at all.
    Age first = found->first;
    for (const UnionMember& row : layer_union())
      if (row.table == found->table) first = std::min(first, row.first);
    not_before(first, [&] { return fmt::format("a {} stands in it", to_string(found->table)); });
  }
  void value(const Slot& row, std::int32_t number) {
    const EnumValue* found = enum_value(row.enumeration, number);
    if (found == nullptr) return;
    not_before(found->first,
               [&] { return fmt::format("{} {} is used", to_string(row.enumeration), found->name); });
  }

  const FlatBuffer& file_;
  const Reading& reading_;
};

// What the layer union's numbers say: its order changed twice.
void date_by_numbering(const NumberingVote& vote, bool shifted_seen, Dating& dating) {
  if (vote.reading.union_age == Age::V1902) {
    dating.not_after(Age::V1902, [] { return std::string("layer types are numbered as in 19.02"); });
    return;
  }
  if (vote.distinguishes_1902)
    dating.not_before(Age::Seed, [] { return std::string("layer types are not numbered as in 19.02"); });
  if (vote.reading.union_age == Age::V1905)
    dating.not_after(Age::V1905,
                     [] { return std::string("layer types are numbered as before QuantizedLstm (19.08)"); });
  else if (shifted_seen)
    dating.not_before(Age::V1908,
                      [] { return std::string("layer types are numbered as since QuantizedLstm (19.08)"); });
}

// Releases from 20.02 on always write which scheme their ids, and later their weights, follow.
void date_by_versions(const TableView& graph, Dating& dating) {
  const auto versions = graph.child("featureVersions");
  if (!versions) {
    dating.not_after(Age::V1911, [] { return std::string("there are no featureVersions"); });
    return;
  }
  if (versions->u32("weightsLayoutScheme") == 0)
    dating.not_after(Age::V2105, [] { return std::string("weightsLayoutScheme is 0"); });
}

// Members whose number differs between 19.05 and 19.08.
class ShiftedMembers : public WalkVisitor {
 public:
  explicit ShiftedMembers(const FlatBuffer& file) : file_(file) {}
  void table(TableId id, const FlatTable& table, const std::vector<WalkStep>&) override {
    if (id != TableId::AnyLayer) return;
    const auto number = file_.scalar<std::uint8_t>(table, 0, 0);
    seen = seen || (number >= 37 && number <= 40);
  }
  bool seen = false;

 private:
  const FlatBuffer& file_;
};

}  // namespace

AgeEvidence date_file(const FlatBuffer& file, const NumberingVote& vote) {
  Dating dating(file, vote.reading);
  ShiftedMembers shifted(file);
  (void)walk(file, vote.reading, dating);
  (void)walk(file, vote.reading, shifted);
  date_by_numbering(vote, shifted.seen, dating);
  if (auto root = file.root())
    date_by_versions(TableView(file, vote.reading, TableId::SerializedGraph, *root), dating);
  // Builds between the seed and 19.05 knew the layers of 19.05 before they knew dilation.
  if (vote.old_convolution_seen && dating.range.first == Age::V1905 && dating.range.last == Age::Seed)
    dating.range.last = Age::V1905;
  AgeEvidence out{dating.range, {}};
  if (!dating.first_text.empty())
    out.evidence.push_back(fmt::format("{}: {} or later", dating.first_text, to_string(dating.range.first)));
  if (!dating.last_text.empty())
    out.evidence.push_back(fmt::format("{}: {} or earlier", dating.last_text, to_string(dating.range.last)));
  if (vote.old_convolution_seen)
    out.evidence.push_back("convolution descriptors have no dilation: before 2019-05-13");
  else if (vote.new_convolution_seen)
    out.evidence.push_back("convolution descriptors have the slots of 19.05 or later");
  return out;
}

}  // namespace npubin::armnn
