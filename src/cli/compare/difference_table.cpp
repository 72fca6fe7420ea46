#include "cli/compare/difference_table.h"

#include <cmath>

namespace npubin::cli {
namespace {

Datum number_or_text(double value) {
  return std::isfinite(value) ? Datum(value) : Datum(value > 0 ? "inf" : "-inf");
}

}  // namespace

void add_difference_table(Node& node, const std::string& key,
                          const std::vector<exec::Difference>& differences, Detail detail) {
  Table& table =
      node.table(key, {"name", "shape", "differing", "largest", "relative", "mean", "snr_db"}, detail);
  for (const exec::Difference& d : differences)
    table.rows.push_back({d.name, Datum::array_of(d.shape), d.differing, number_or_text(d.largest),
                          number_or_text(d.relative()), d.mean, number_or_text(d.signal_to_noise)});
}

}  // namespace npubin::cli
