#include "formats/hef/container.h"

#include <algorithm>

#include <fmt/format.h>
#include <md5.h>
#include <xxhash.h>
#include <zlib.h>

namespace npubin::hef {
namespace {

std::uint64_t big(ByteSpan file, std::size_t offset, std::size_t size) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < size; ++i)
    value = value << 8 | std::to_integer<std::uint64_t>(file[offset + i]);
  return value;
}

void put_big(std::vector<std::byte>& out, std::size_t offset, std::uint64_t value, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i)
    out[offset + i] = static_cast<std::byte>(value >> (8 * (size - 1 - i)));
}

std::array<std::uint8_t, 16> md5_of(ByteSpan data) {
  std::array<std::uint8_t, 16> digest{};
  MD5_CTX context;
  MD5Init(&context);
  MD5Update(&context, reinterpret_cast<const std::uint8_t*>(data.data()), data.size());
  MD5Final(digest.data(), &context);
  return digest;
}

std::uint32_t crc_of(ByteSpan data) {
  return static_cast<std::uint32_t>(
      crc32_z(crc32_z(0, nullptr, 0), reinterpret_cast<const Bytef*>(data.data()), data.size()));
}

std::string hex(const std::array<std::uint8_t, 16>& digest) {
  std::string out;
  for (std::uint8_t byte : digest) out += fmt::format("{:02x}", byte);
  return out;
}

Section cut(std::uint64_t offset, std::uint64_t size, std::uint64_t file_size) {
  if (offset >= file_size) return {file_size, 0};
  return {offset, std::min(size, file_size - offset)};
}

void read_fields(Container& c, ByteSpan file) {
  Header& h = c.header;
  switch (h.version) {
    case 0:
      h.reserved[0] = big(file, 12, 4);
      for (std::size_t i = 0; i < 16; ++i) h.md5[i] = std::to_integer<std::uint8_t>(file[16 + i]);
      break;
    case 1:
      h.crc = static_cast<std::uint32_t>(big(file, 12, 4));
      h.ccws_size = big(file, 16, 8);
      h.reserved[0] = big(file, 24, 4);
      break;
    case 2:
      h.xxh3 = big(file, 12, 8);
      h.ccws_size = big(file, 20, 8);
      h.reserved[0] = big(file, 28, 8);
      h.reserved[1] = big(file, 36, 8);
      break;
    default:
      h.xxh3 = big(file, 12, 8);
      h.ccws_size = big(file, 20, 8);
      h.padding_size = static_cast<std::uint32_t>(big(file, 28, 4));
      h.additional_info_size = big(file, 32, 8);
      h.proto_xxh3 = big(file, 40, 8);
      h.reserved[0] = big(file, 48, 8);
  }
}

}  // namespace

std::uint64_t header_bytes(std::uint32_t version) {
  constexpr std::uint64_t kSizes[] = {32, 28, 44, 56};
  return version <= kLastVersion ? kSizes[version] : 0;
}

const std::vector<HeaderField>& header_fields(std::uint32_t version) {
  static const std::vector<HeaderField> kFields[] = {
      {{"magic", 0, 4}, {"version", 4, 4}, {"hef_proto_size", 8, 4}, {"reserved", 12, 4}, {"md5", 16, 16}},
      {{"magic", 0, 4},
       {"version", 4, 4},
       {"hef_proto_size", 8, 4},
       {"crc", 12, 4},
       {"ccws_size", 16, 8},
       {"reserved", 24, 4}},
      {{"magic", 0, 4},
       {"version", 4, 4},
       {"hef_proto_size", 8, 4},
       {"xxh3", 12, 8},
       {"ccws_size", 20, 8},
       {"reserved[0]", 28, 8},
       {"reserved[1]", 36, 8}},
      {{"magic", 0, 4},
       {"version", 4, 4},
       {"hef_proto_size", 8, 4},
       {"xxh3", 12, 8},
       {"ccws_size_with_padding", 20, 8},
       {"hef_padding_size", 28, 4},
       {"additional_info_size", 32, 8},
       {"proto_xxh3", 40, 8},
       {"reserved", 48, 8}},
  };
  static const std::vector<HeaderField> kNone;
  return version <= kLastVersion ? kFields[version] : kNone;
}

std::string_view to_string(HashStatus status) {
  constexpr std::string_view kNames[] = {"absent", "not verified", "ok", "mismatch"};
  return kNames[static_cast<std::size_t>(status)];
}

Container read_container(ByteSpan file) {
  Container c;
  c.file_size = file.size();
  if (file.size() < kCommonHeaderBytes) return c;
  Header& h = c.header;
  h.magic = static_cast<std::uint32_t>(big(file, 0, 4));
  h.version = static_cast<std::uint32_t>(big(file, 4, 4));
  h.proto_size = static_cast<std::uint32_t>(big(file, 8, 4));
  c.header_size = header_bytes(h.version);
  if (c.header_size == 0 || file.size() < c.header_size) return c;
  c.header_complete = true;
  read_fields(c, file);
  const auto with_ccws = checked_add(c.header_size + h.proto_size, h.ccws_size);
  if (with_ccws) c.expected_size = checked_add(*with_ccws, h.additional_info_size);
  const std::uint64_t proto_end = c.header_size + h.proto_size;
  c.zero_point = proto_end + h.padding_size;
  c.zero_point_sane = c.zero_point <= file.size();
  c.proto = cut(c.header_size, h.proto_size, file.size());
  c.padding = cut(proto_end, h.padding_size, file.size());
  c.ccws = cut(c.zero_point, c.ccws_declared(), file.size());
  const auto ccws_end = checked_add(c.zero_point, c.ccws_declared());
  c.additional = ccws_end ? cut(*ccws_end, h.additional_info_size, file.size()) : Section{file.size(), 0};
  return c;
}

std::string_view checksum_kind(std::uint32_t version) {
  return version == 0 ? "MD5" : version == 1 ? "CRC32" : "XXH3-64";
}

std::string hex64(std::uint64_t value) {
  return fmt::format("{:016x}", value);
}

std::uint64_t xxh3_of(ByteSpan data) {
  return XXH3_64bits(data.data(), data.size());
}

std::string stored_checksum(const Container& c) {
  if (c.header.version == 0) return hex(c.header.md5);
  if (c.header.version == 1) return fmt::format("{:08x}", c.header.crc);
  return hex64(c.header.xxh3);
}

std::string computed_checksum(const Container& c, ByteSpan file) {
  const ByteSpan body = file.subspan(std::min<std::size_t>(c.header_size, file.size()));
  if (c.header.version == 0) return hex(md5_of(body));
  if (c.header.version == 1) return fmt::format("{:08x}", crc_of(body));
  return hex64(xxh3_of(body));
}

std::string hef_hash(const Header& header) {
  return hex64(__builtin_bswap64(header.xxh3));
}

HashReport verify_hashes(const Container& c, ByteSpan file) {
  HashReport out;
  if (!c.header_complete) return out;
  // A file that is far longer than its header says is wrong already, and may have no end to speak of.
  constexpr std::uint64_t kWorthHashing = std::uint64_t{64} << 20;
  if (c.expected_size == c.file_size || c.file_size <= kWorthHashing) {
    out.whole_computed = computed_checksum(c, file);
    out.whole = out.whole_computed == stored_checksum(c) ? HashStatus::Ok : HashStatus::Mismatch;
  }
  if (c.header.version == 3 && c.header.proto_xxh3 != 0) {
    out.proto_computed = hex64(xxh3_of(file.subspan(c.proto.offset, c.proto.size)));
    const bool right = c.proto_complete() && out.proto_computed == hex64(c.header.proto_xxh3);
    out.proto = right ? HashStatus::Ok : HashStatus::Mismatch;
  }
  return out;
}

Result<std::vector<std::byte>> assemble(const Parts& parts) {
  const std::uint64_t head = header_bytes(parts.version);
  if (head == 0) return refused(fmt::format("there is no header version {}", parts.version));
  if (parts.proto.size() > 0x7FFFFFFFu)
    return refused(
        fmt::format("a protobuf of {} bytes passes HailoRT's limit of 2^31-1", parts.proto.size()));
  if (parts.version == 0 && !parts.ccws.empty())
    return refused("header version 0 has no section for config words");
  if (parts.version < 3 && !parts.additional.empty())
    return refused(fmt::format("header version {} has no additional info", parts.version));
  std::uint64_t padding = 0;
  if (parts.version == 3) {
    const std::uint64_t end = head + parts.proto.size();
    const std::uint64_t unit = parts.zero_point_alignment;
    padding = unit > 1 ? (unit - end % unit) % unit : parts.keep_padding;
  }
  std::vector<std::byte> out;
  out.reserve(head + parts.proto.size() + padding + parts.ccws.size() + parts.additional.size());
  out.resize(head);
  out.insert(out.end(), parts.proto.begin(), parts.proto.end());
  out.resize(out.size() + padding);
  out.insert(out.end(), parts.ccws.begin(), parts.ccws.end());
  out.insert(out.end(), parts.additional.begin(), parts.additional.end());
  const ByteSpan body = ByteSpan(out).subspan(head);
  put_big(out, 0, kMagic, 4);
  put_big(out, 4, parts.version, 4);
  put_big(out, 8, parts.proto.size(), 4);
  switch (parts.version) {
    case 0: {
      put_big(out, 12, parts.reserved[0], 4);
      const auto digest = md5_of(body);
      for (std::size_t i = 0; i < 16; ++i) out[16 + i] = static_cast<std::byte>(digest[i]);
      break;
    }
    case 1:
      put_big(out, 12, crc_of(body), 4);
      put_big(out, 16, parts.ccws.size(), 8);
      put_big(out, 24, parts.reserved[0], 4);
      break;
    case 2:
      put_big(out, 12, xxh3_of(body), 8);
      put_big(out, 20, parts.ccws.size(), 8);
      put_big(out, 28, parts.reserved[0], 8);
      put_big(out, 36, parts.reserved[1], 8);
      break;
    default:
      put_big(out, 12, xxh3_of(body), 8);
      put_big(out, 20, parts.ccws.size() + padding, 8);
      put_big(out, 28, padding, 4);
      put_big(out, 32, parts.additional.size(), 8);
      put_big(out, 40, parts.proto_hash ? xxh3_of(parts.proto) : 0, 8);
      put_big(out, 48, parts.reserved[0], 8);
  }
  return out;
}

}  // namespace npubin::hef
