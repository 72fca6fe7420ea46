#include "artifact/content_diff.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "npubin/half.h"

namespace npubin {
namespace {

double element(const std::byte* at, DType type) {
  switch (type) {
    case DType::F32:
      return load<float>(at);
    case DType::F16:
      return half_to_float(load<std::uint16_t>(at));
    case DType::BF16:
      return bfloat16_to_float(load<std::uint16_t>(at));
    case DType::F64:
      return load<double>(at);
    case DType::U8:
    case DType::Bool:
      return load<std::uint8_t>(at);
    case DType::I8:
      return load<std::int8_t>(at);
    case DType::U16:
      return load<std::uint16_t>(at);
    case DType::I16:
      return load<std::int16_t>(at);
    case DType::U32:
      return load<std::uint32_t>(at);
    case DType::I32:
      return load<std::int32_t>(at);
    case DType::I64:
      return static_cast<double>(load<std::int64_t>(at));
  }
  return 0;
}

std::string element_text(const std::byte* at, DType type) {
  if (type == DType::I64) return fmt::format("{}", load<std::int64_t>(at));
  if (type == DType::Bool) return load<std::uint8_t>(at) != 0 ? "yes" : "no";
  if (type == DType::F64) return fmt::format("{}", load<double>(at));
  if (is_float(type)) return fmt::format("{}", static_cast<float>(element(at, type)));
  return fmt::format("{:.0f}", element(at, type));
}

void compare_elements(const ContentPart& a, const ContentPart& b, ContentDifference& out) {
  const std::size_t size = size_of(*a.type);
  out.type = a.type;
  out.elements = a.bytes.size() / size;
  for (std::size_t at = 0; at + size <= a.bytes.size(); at += size) {
    if (std::memcmp(a.bytes.data() + at, b.bytes.data() + at, size) == 0) continue;
    ++out.differing_elements;
    const double change =
        std::fabs(element(a.bytes.data() + at, *a.type) - element(b.bytes.data() + at, *a.type));
    if (!(change <= out.largest_change)) out.largest_change = change;
  }
  if (out.elements != 1) return;
  out.left_text = element_text(a.bytes.data(), *a.type);
  out.right_text = element_text(b.bytes.data(), *a.type);
}

ContentDifference compare(const ContentPart& a, const ContentPart& b) {
  ContentDifference out;
  out.name = a.name;
  out.constant = a.constant;
  out.left_bytes = a.bytes.size();
  out.right_bytes = b.bytes.size();
  const std::size_t common = std::min(a.bytes.size(), b.bytes.size());
  const std::byte *left = a.bytes.data(), *right = b.bytes.data();
  const std::size_t first = static_cast<std::size_t>(std::mismatch(left, left + common, right).first - left);
  out.first = first;
  for (std::size_t i = first; i < common; ++i) out.differing_bytes += left[i] != right[i] ? 1 : 0;
  out.differing_bytes += std::max(a.bytes.size(), b.bytes.size()) - common;
  if (a.type && a.type == b.type && a.bytes.size() == b.bytes.size()) compare_elements(a, b, out);
  return out;
}

bool same(const ContentPart& a, const ContentPart& b) {
  return a.bytes.size() == b.bytes.size() &&
         (a.bytes.size() == 0 || std::memcmp(a.bytes.data(), b.bytes.data(), a.bytes.size()) == 0);
}

ContentDifference one_sided(const ContentPart& part, bool left) {
  ContentDifference out;
  out.name = part.name;
  out.constant = part.constant;
  (left ? out.only_left : out.only_right) = true;
  (left ? out.left_bytes : out.right_bytes) = part.bytes.size();
  out.differing_bytes = part.bytes.size();
  if (part.type && part.bytes.size() == size_of(*part.type))
    (left ? out.left_text : out.right_text) = element_text(part.bytes.data(), *part.type);
  return out;
}

}  // namespace

std::vector<ContentDifference> diff_contents(const std::vector<ContentPart>& left,
                                             const std::vector<ContentPart>& right) {
  struct Same {
    std::vector<const ContentPart*> parts;
    std::size_t taken = 0;
  };
  std::map<std::string_view, Same> others;
  for (const ContentPart& part : right) others[part.name].parts.push_back(&part);
  std::vector<ContentDifference> out;
  for (const ContentPart& part : left) {
    const auto found = others.find(part.name);
    if (found == others.end() || found->second.taken == found->second.parts.size()) {
      out.push_back(one_sided(part, true));
      continue;
    }
    const ContentPart& other = *found->second.parts[found->second.taken++];
    if (!same(part, other)) out.push_back(compare(part, other));
  }
  std::map<std::string_view, std::size_t> seen;
  for (const ContentPart& part : right)
    if (seen[part.name]++ >= others[part.name].taken) out.push_back(one_sided(part, false));
  return out;
}

std::string to_text(const ContentDifference& d) {
  if (d.only_left || d.only_right) {
    const std::string& value = d.only_left ? d.left_text : d.right_text;
    return value.empty() ? fmt::format("{} bytes", d.only_left ? d.left_bytes : d.right_bytes) : value;
  }
  if (!d.left_text.empty()) return fmt::format("{} -> {}", d.left_text, d.right_text);
  if (d.left_bytes != d.right_bytes)
    return fmt::format("{} bytes -> {} bytes, which part at +0x{:x}", d.left_bytes, d.right_bytes, d.first);
  std::string out =
      fmt::format("{} of {} bytes differ, the first at +0x{:x}", d.differing_bytes, d.left_bytes, d.first);
  if (d.type)
    out += fmt::format(" ({} of {} {}, by at most {})", d.differing_elements, d.elements, to_string(*d.type),
                       is_float(*d.type) ? fmt::format("{:.6g}", d.largest_change)
                                         : fmt::format("{:.0f}", d.largest_change));
  return out;
}

}  // namespace npubin
