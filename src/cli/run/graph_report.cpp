#include "cli/run/graph_report.h"
#include "core/bounded_file.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>

#include <fmt/format.h>

namespace npubin::cli {
namespace {

struct Statistics {
  double least = 0, most = 0, sum = 0;
  std::int64_t numbers = 0, nans = 0;
};

Statistics statistics_of(const Tensor& tensor) {
  Statistics s;
  for (std::int64_t i = 0; i < tensor.count(); ++i) {
    const double value = tensor.real(i);
    if (std::isnan(value)) {
      ++s.nans;
      continue;
    }
    s.least = s.numbers == 0 ? value : std::min(s.least, value);
    s.most = s.numbers == 0 ? value : std::max(s.most, value);
    s.sum += value;
    ++s.numbers;
  }
  return s;
}

Datum number(double value) {
  return static_cast<float>(value);
}

// The classes with the largest values; NaN last, equal values by index.
void report_top(Node& node, std::size_t index, const NamedTensor& output, const TopOptions& top) {
  const Tensor& tensor = output.tensor;
  std::vector<std::int64_t> order(static_cast<std::size_t>(tensor.count()));
  std::iota(order.begin(), order.end(), 0);
  const auto shown = std::min(order.size(), static_cast<std::size_t>(top.count));
  const auto value = [&](std::int64_t i) {
    const double real = tensor.real(i);
    return std::isnan(real) ? -INFINITY : real;
  };
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(shown), order.end(),
                    [&](std::int64_t a, std::int64_t b) {
                      const double va = value(a), vb = value(b);
                      return va != vb ? va > vb : a < b;
                    });
  if (!top.labels.empty() && top.labels.size() < order.size())
    std::fputs(fmt::format("npubin: --labels names {} classes where {} has {} values: those from {} on stay "
                           "without a name\n",
                           top.labels.size(), render::printable(output.name), order.size(), top.labels.size())
                   .c_str(),
               stderr);
  Table& table = node.table(fmt::format("top{}", index), {"class", "label", "value"});
  table.title = fmt::format("best of {}", output.name);
  for (std::size_t k = 0; k < shown; ++k) {
    const auto at = static_cast<std::size_t>(order[k]);
    table.rows.push_back({order[k], at < top.labels.size() ? Datum(top.labels[at]) : Datum(""),
                          number(tensor.real(order[k]))});
  }
}

}  // namespace

Result<std::vector<std::string>> load_labels(const std::string& file) {
  NPUBIN_TRY(const Bytes bytes, open_bounded(file));
  std::vector<std::string> labels;
  std::string_view text = bytes.text();
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    labels.emplace_back(line);
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  if (labels.empty())
    return usage_error(fmt::format("--labels {}: the file is empty", file), "one name a line");
  return labels;
}

Result<void> take_labels(const std::string& file, TopOptions& top) {
  if (file.empty()) return {};
  if (top.count == 0)
    return usage_error("--labels names the classes that --top shows, and --top is not given",
                       "add --top N, e.g. --top 5");
  NPUBIN_TRY(top.labels, load_labels(file));
  return {};
}

void report_outputs(Node& node, const std::vector<NamedTensor>& outputs, const TopOptions& top) {
  Table& table = node.table("outputs", {"name", "dtype", "shape", "min", "max", "mean", "nan"});
  for (const NamedTensor& output : outputs) {
    const Statistics s = statistics_of(output.tensor);
    const auto of_numbers = [&](double value) { return s.numbers == 0 ? Datum() : number(value); };
    table.rows.push_back({output.name, std::string(to_string(output.tensor.type())),
                          Datum::array_of(output.tensor.shape()), of_numbers(s.least), of_numbers(s.most),
                          of_numbers(s.sum / static_cast<double>(std::max<std::int64_t>(s.numbers, 1))),
                          s.nans});
  }
  if (top.count > 0)
    for (std::size_t i = 0; i < outputs.size(); ++i) report_top(node, i, outputs[i], top);
}

}  // namespace npubin::cli
