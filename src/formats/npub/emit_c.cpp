#include "formats/npub/emit_c.h"

#include <algorithm>
#include <cctype>
#include <iterator>

#include <fmt/format.h>

#include "ethosu/accelerator.h"

namespace npubin::npub {
namespace {

bool is_identifier(const std::string& text) {
  auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  if (text.empty() || !letter(text[0])) return false;
  return std::all_of(text.begin(), text.end(), [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

// A name from a model in a comment: nothing that could end it.
std::string comment_safe(const std::string& text) {
  std::string out;
  for (const char c : text) out += (c >= ' ' && c <= '~' && c != '*' && c != '/' && c != '\\') ? c : '_';
  return out;
}

void append_bindings(std::string& out, const std::string& prefix, const char* kind,
                     const std::vector<ethosu::Binding>& bindings) {
  for (std::size_t i = 0; i < bindings.size(); ++i) {
    const ethosu::Binding& b = bindings[i];
    const std::string name = fmt::format("{}_{}{}", prefix, kind, i);
    out += fmt::format("/* {}: {} {} */\n", comment_safe(b.name), numpy_name(b.type),
                       npubin::to_string(b.shape));
    out += fmt::format("#define {}_REGION {}u\n#define {}_OFFSET {}u\n#define {}_BYTES {}u\n", name, b.region,
                       name, b.offset, name, static_cast<std::uint64_t>(count_of(b.shape)) * size_of(b.type));
  }
}

void append_array(std::string& out, const std::string& symbol, const std::string& prefix, ByteSpan bytes) {
  out += fmt::format("{}_ALIGNED static const uint8_t {}[{}_BYTES] = {{", prefix, symbol, prefix);
  out.reserve(out.size() + bytes.size() * 5 + 64);
  constexpr char kDigits[] = "0123456789abcdef";
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    out += i % 16 == 0 ? "\n  0x" : " 0x";
    const auto value = static_cast<unsigned>(bytes[i]);
    out += kDigits[value >> 4];
    out += kDigits[value & 15u];
    out += ',';
  }
  out += "\n};\n";
}

}  // namespace

std::string symbol_from(const std::string& file_name) {
  std::string out = file_name.substr(file_name.find_last_of('/') + 1);
  for (char& c : out)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  if (out.empty() || (out[0] >= '0' && out[0] <= '9')) out.insert(0, "npu_");
  return out;
}

Result<std::string> emit_c(const Document& document, const std::string& symbol, const std::string& io_file) {
  if (!is_identifier(symbol))
    return usage_error(fmt::format("\"{}\" is no C identifier", symbol), "give --symbol NAME");
  if (const LoaderVerdict verdict = run_loader(document.bytes().span()); verdict.status != LoaderStatus::Ok)
    return malformed(Location::at(verdict.offset, verdict.field), verdict.message, verdict.hint,
                     verdict.code);
  const Header& header = *document.header();
  const std::string prefix = upper(symbol);
  const ByteSpan bytes = document.bytes().span().first(header.total_bytes);
  std::string out =
      fmt::format("/* {}: an Ethos-U55 job (.npub), made by npubin emit-c. */\n", comment_safe(symbol));
  out += fmt::format("#ifndef {0}_H\n#define {0}_H\n\n#include <stdint.h>\n\n", prefix);
  out += fmt::format("#define {}_BYTES {}u\n#define {}_ACCEL_MACS {}u\n#define {}_REGIONS {}u\n", prefix,
                     bytes.size(), prefix, header.accel, prefix, header.region_count);
  out += fmt::format(
      "/* Run-time memory to provide, padding included, and the alignment of its base. */\n"
      "#define {}_ARENA_BYTES {}u\n#define {}_ARENA_ALIGN {}u\n",
      prefix, document.arena_bytes(), prefix, kArenaAlign);
  for (const ArenaPlace& place : document.arena())
    out += fmt::format("#define {0}_REGION{1}_ARENA_OFFSET {2}u\n#define {0}_REGION{1}_BYTES {3}u\n", prefix,
                       place.region, place.offset, place.size);
  const auto interface = document.interface(io_file);
  if (!interface && interface.error().kind != ErrorKind::Refused) return Unexpected(interface.error());
  if (interface) {
    out += "\n";
    append_bindings(out, prefix, "INPUT", interface->inputs);
    append_bindings(out, prefix, "OUTPUT", interface->outputs);
  }
  out += fmt::format(
      "\n#if defined(__cplusplus) && __cplusplus >= 201103L\n#define {0}_ALIGNED alignas(16)\n"
      "#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L\n#define {0}_ALIGNED _Alignas(16)\n"
      "#elif defined(__GNUC__)\n#define {0}_ALIGNED __attribute__((aligned(16)))\n"
      "#elif defined(__ICCARM__)\n#define {0}_ALIGNED _Pragma(\"data_alignment=16\")\n"
      "#else\n#error \"the array must be 16-aligned: define {0}_ALIGNED for this compiler\"\n#endif\n\n",
      prefix);
  append_array(out, symbol, prefix, bytes);
  out += fmt::format("\n#endif /* {}_H */\n", prefix);
  return out;
}

}  // namespace npubin::npub
