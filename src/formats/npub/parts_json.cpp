// parts.json: reading and writing.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "formats/npub/parts.h"

namespace npubin::npub {
namespace {

using Json = nlohmann::ordered_json;

std::string hex_of(ByteSpan bytes) {
  std::string out;
  for (const std::byte b : bytes) out += fmt::format("{:02x}", static_cast<unsigned>(b));
  return out;
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

class PartsReader {
 public:
  PartsReader(const std::string& source, const std::string& folder) : source_(source), folder_(folder) {}

  Result<Parts> read(const Json& root) {
    if (!root.is_object()) return bad("", "is no JSON object");
    Parts out;
    NPUBIN_TRY(out.accel, number(root, "", "accel", 256));
    NPUBIN_TRY(out.alignment, number(root, "", "align", 16));
    if (const auto stream = root.find("command_stream"); stream == root.end() || !stream->is_object())
      return bad("command_stream", "is missing, or no object");
    NPUBIN_TRY(out.stream, stream_of(root["command_stream"]));
    NPUBIN_TRY(out.stream_offset, optional_number(root["command_stream"], "command_stream.", "offset"));
    NPUBIN_TRY(out.total_bytes, optional_number(root, "", "total_bytes"));
    const auto regions = root.find("regions");
    if (regions == root.end() || !regions->is_array()) return bad("regions", "is missing, or no array");
    for (std::size_t i = 0; i < regions->size(); ++i) {
      NPUBIN_TRY(RegionPart part, region((*regions)[i], fmt::format("regions[{}].", i)));
      out.regions.push_back(std::move(part));
    }
    NPUBIN_CHECK(read_fills(root, out));
    return out;
  }

 private:
  Unexpected bad(const std::string& path, const std::string& what) const {
    return Unexpected(Error{ErrorKind::Malformed, "NPB-0304", source_, Location::at_path(path), what,
                            "docs/npub.md describes the schema"});
  }

  Result<std::optional<std::uint32_t>> optional_number(const Json& object, const std::string& path,
                                                       const char* key) const {
    const auto found = object.find(key);
    if (found == object.end()) return std::optional<std::uint32_t>();
    if (!found->is_number_unsigned() || found->get<std::uint64_t>() > 0xFFFFFFFFu)
      return bad(path + key, "is no number from 0 to 2^32 - 1");
    return std::optional<std::uint32_t>(found->get<std::uint32_t>());
  }
  Result<std::uint32_t> number(const Json& object, const std::string& path, const char* key,
                               std::optional<std::uint32_t> fallback = std::nullopt) const {
    NPUBIN_TRY(const auto given, optional_number(object, path, key));
    if (!given && !fallback) return bad(path + key, "is missing");
    return given.value_or(fallback.value_or(0));
  }

  Result<std::vector<std::byte>> from_hex(const std::string& text, const std::string& path) const {
    std::vector<std::byte> out;
    int high = -1;
    for (const char c : text) {
      if (c == ' ') continue;
      const int digit = hex_digit(c);
      if (digit < 0) return bad(path, fmt::format("holds '{}', which is no hexadecimal digit", c));
      if (high < 0) {
        high = digit;
      } else {
        out.push_back(static_cast<std::byte>(high * 16 + digit));
        high = -1;
      }
    }
    if (high >= 0) return bad(path, "has an odd number of digits");
    return out;
  }

  // "file", "hex" or "bytes"; nothing where none is given.
  Result<std::optional<Bytes>> contents(const Json& object, const std::string& path) const {
    if (const auto file = object.find("file"); file != object.end()) {
      if (!file->is_string()) return bad(path + "file", "is no string");
      const std::string name = file->get<std::string>();
      NPUBIN_TRY(Bytes bytes, Bytes::open(name.empty() || name[0] == '/' ? name : folder_ + "/" + name));
      return std::optional<Bytes>(std::move(bytes));
    }
    if (const auto hex = object.find("hex"); hex != object.end()) {
      if (!hex->is_string()) return bad(path + "hex", "is no string");
      NPUBIN_TRY(std::vector<std::byte> bytes, from_hex(hex->get<std::string>(), path + "hex"));
      return std::optional<Bytes>(Bytes::own(std::move(bytes)));
    }
    if (const auto list = object.find("bytes"); list != object.end()) {
      if (!list->is_array()) return bad(path + "bytes", "is no array");
      std::vector<std::byte> bytes;
      for (const Json& one : *list) {
        if (!one.is_number_unsigned() || one.get<std::uint64_t>() > 255)
          return bad(path + "bytes", "holds something else than 0 to 255");
        bytes.push_back(static_cast<std::byte>(one.get<std::uint32_t>()));
      }
      return std::optional<Bytes>(Bytes::own(std::move(bytes)));
    }
    return std::optional<Bytes>();
  }

  Result<Bytes> stream_of(const Json& object) const {
    if (const auto stand_in = object.find("stand_in"); stand_in != object.end())
      return stand_in_words(*stand_in);
    if (const auto words = object.find("words"); words != object.end()) {
      std::vector<std::uint32_t> out;
      if (!words->is_array()) return bad("command_stream.words", "is no array");
      for (const Json& one : *words) {
        if (!one.is_number_unsigned() || one.get<std::uint64_t>() > 0xFFFFFFFFu)
          return bad("command_stream.words", "holds something else than 32-bit numbers");
        out.push_back(one.get<std::uint32_t>());
      }
      return Bytes::own(ethosu::bytes_of(out));
    }
    NPUBIN_TRY(const auto bytes, contents(object, "command_stream."));
    if (!bytes) return bad("command_stream", "has none of file, hex, bytes, words and stand_in");
    return *bytes;
  }

  Result<Bytes> stand_in_words(const Json& object) const {
    const std::string path = "command_stream.stand_in.";
    if (!object.is_object()) return bad(path, "is no object");
    const auto kind = object.find("kind");
    const bool add = kind != object.end() && *kind == "add";
    if (!add && (kind == object.end() || *kind != "copy"))
      return bad(path + "kind", "is neither \"copy\" nor \"add\"");
    NPUBIN_TRY(const std::uint32_t source, number(object, path, "source"));
    NPUBIN_TRY(const std::uint32_t destination, number(object, path, "destination"));
    NPUBIN_TRY(const std::uint32_t count, number(object, path, "count"));
    NPUBIN_TRY(const std::uint32_t constant, number(object, path, "constant", 0));
    const std::uint32_t words[] = {add ? 0x5E550002u : 0x5E550001u, source, destination, count, constant};
    return Bytes::own(ethosu::bytes_of(words));
  }

  Result<std::uint32_t> role(const Json& object, const std::string& path) const {
    const auto found = object.find("role");
    if (found != object.end() && found->is_string())
      for (std::uint32_t known = 0; known <= kOther; ++known)
        if (*found == role_name(known)) return known;
    if (found != object.end() && found->is_string())
      return bad(path + "role", "is none of weights, scratch, input, output, other");
    return number(object, path, "role");
  }

  Result<RegionPart> region(const Json& object, const std::string& path) const {
    if (!object.is_object()) return bad(path, "is no object");
    RegionPart out;
    NPUBIN_TRY(out.role, role(object, path));
    NPUBIN_TRY(out.data_offset, optional_number(object, path, "offset"));
    NPUBIN_TRY(const auto data, contents(object, path));
    NPUBIN_TRY(out.flags, number(object, path, "flags", data ? kFlagBaked : 0u));
    NPUBIN_TRY(out.size,
               number(object, path, "size",
                      data ? std::optional(static_cast<std::uint32_t>(data->size())) : std::nullopt));
    if (((out.flags & kFlagBaked) != 0) != data.has_value())
      return bad(path + "flags",
                 data ? "say run-time, and contents are given" : "say baked, and no contents are given");
    if (data && data->size() != out.size)
      return bad(path + "size", fmt::format("is {}, and the contents have {} bytes", out.size, data->size()));
    if (data) out.data = *data;
    return out;
  }

  Result<void> read_fills(const Json& root, Parts& out) const {
    const auto list = root.find("fills");
    if (list == root.end()) return {};
    if (!list->is_array()) return bad("fills", "is no array");
    for (const Json& one : *list) {
      if (!one.is_object()) return bad("fills", "holds something else than objects");
      NPUBIN_TRY(const std::uint32_t offset, number(one, "fills.", "offset"));
      NPUBIN_TRY(const auto bytes, contents(one, "fills."));
      if (!bytes) return bad("fills", "has an entry without contents");
      out.fills.push_back({offset, {bytes->span().begin(), bytes->span().end()}});
    }
    return {};
  }

  const std::string& source_;
  const std::string& folder_;
};

}  // namespace

Result<Parts> read_parts(std::string_view json, const std::string& source, const std::string& folder) {
  const Json root = Json::parse(json.begin(), json.end(), nullptr, false);
  if (root.is_discarded())
    return Unexpected(Error{ErrorKind::Malformed,
                            "NPB-0304",
                            source,
                            {},
                            "the description of the parts is no JSON",
                            "docs/npub.md describes the schema"});
  return PartsReader(source, folder).read(root);
}

Result<std::vector<NamedBytes>> take_apart(const Document& document) {
  if (const LoaderVerdict verdict = run_loader(document.bytes().span()); verdict.status != LoaderStatus::Ok)
    return malformed(Location::at(verdict.offset, verdict.field), verdict.message, verdict.hint,
                     verdict.code);
  const Header& header = *document.header();
  std::vector<NamedBytes> out;
  Json root{{"schema", "npubin.parts/1"}, {"accel", header.accel}, {"total_bytes", header.total_bytes}};
  root["command_stream"] = {{"file", "stream.bin"}, {"offset", header.cmd_offset}};
  root["regions"] = Json::array();
  out.push_back({"stream.bin", document.stream_bytes()});
  for (std::size_t i = 0; i < document.regions().size(); ++i) {
    const RegionDescriptor& region = document.regions()[i];
    Json one{{"role", region.role},
             {"flags", region.flags},
             {"size", region.size},
             {"offset", region.data_offset}};
    if (region.role <= kOther) one["role"] = role_name(region.role);
    if (region.baked()) {
      one["file"] = fmt::format("region{}.bin", i);
      out.push_back({one["file"].get<std::string>(), document.region_bytes(i)});
    }
    root["regions"].push_back(std::move(one));
  }
  // Bytes of no part are kept where they are not the zeros that come out anyway.
  NPUBIN_TRY(const ByteMap map, document.map());
  Json fills = Json::array();
  for (const MapSpan& span : map.spans()) {
    const bool last = span.name == "padding" && span.offset + span.size == document.bytes().size();
    if (!span.unexplained && !last) continue;
    const Bytes bytes = document.bytes().slice(span.offset, span.size);
    fills.push_back({{"offset", span.offset}, {"hex", hex_of(bytes.span())}});
  }
  if (!fills.empty()) root["fills"] = std::move(fills);
  out.push_back({"parts.json", Bytes::own(root.dump(1) + "\n")});
  return out;
}

}  // namespace npubin::npub
