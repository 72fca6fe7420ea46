// The container of a HEF: header of versions 0 to 3, sections, checksums (hef spec 1).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "npubin/bytes.h"

namespace npubin::hef {

constexpr std::uint32_t kMagic = 0x01484546;
constexpr std::uint32_t kLastVersion = 3;
constexpr std::uint64_t kCommonHeaderBytes = 12;

struct HeaderField {
  const char* name;
  std::uint8_t offset;
  std::uint8_t size;
};
// Size of a version's header; 0 for a version that does not exist.
std::uint64_t header_bytes(std::uint32_t version);
// The fields of a version's header, in file order.
const std::vector<HeaderField>& header_fields(std::uint32_t version);

// The header as it stands in the file; fields that a version does not have are 0.
struct Header {
  std::uint32_t magic = 0;
  std::uint32_t version = 0;
  std::uint32_t proto_size = 0;
  std::array<std::uint8_t, 16> md5{};       // version 0
  std::uint32_t crc = 0;                    // version 1
  std::uint64_t xxh3 = 0;                   // versions 2 and 3
  std::uint64_t ccws_size = 0;              // versions 1 and 2: config words; 3: with the padding
  std::uint32_t padding_size = 0;           // version 3
  std::uint64_t additional_info_size = 0;   // version 3
  std::uint64_t proto_xxh3 = 0;             // version 3; 0: absent
  std::array<std::uint64_t, 3> reserved{};  // in file order
};

struct Section {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  std::uint64_t end() const { return offset + size; }
};

enum class HashStatus : std::uint8_t { Absent, NotVerified, Ok, Mismatch };
std::string_view to_string(HashStatus status);

// The parts of the file, cut to what is there.
struct Container {
  std::uint64_t file_size = 0;
  bool header_complete = false;  // every byte of the version's header is there; all below is 0 otherwise
  Header header;
  std::uint64_t header_size = 0;
  // header + protobuf + config words + additional info, by the header; empty: the sum passes 2^64.
  std::optional<std::uint64_t> expected_size;
  std::uint64_t zero_point = 0;  // config pointers and external resources count from here (versions 1 to 3)
  bool zero_point_sane = false;  // it lies inside the file
  Section proto, padding, ccws, additional;

  bool proto_complete() const { return header_complete && proto.size == header.proto_size; }
  // Config words by the header, without the padding; 0 where the padding is larger.
  std::uint64_t ccws_declared() const {
    return header.ccws_size >= header.padding_size ? header.ccws_size - header.padding_size : 0;
  }
};

// Never fails: a short or foreign file gives an incomplete container.
Container read_container(ByteSpan file);

// "MD5", "CRC32", "XXH3-64"
std::string_view checksum_kind(std::uint32_t version);
// The checksum of the header in hexadecimal, and what the bytes give.
std::string stored_checksum(const Container& container);
std::string computed_checksum(const Container& container, ByteSpan file);
// HailoRT's Hef::hash: the header's xxh3 as it lies in little-endian memory. Version 3 only.
std::string hef_hash(const Header& header);
std::uint64_t xxh3_of(ByteSpan data);
std::string hex64(std::uint64_t value);

struct HashReport {
  HashStatus whole = HashStatus::NotVerified;
  HashStatus proto = HashStatus::Absent;
  std::string whole_computed, proto_computed;  // hexadecimal, where verified
};
HashReport verify_hashes(const Container& container, ByteSpan file);

// The parts of a file to be written. `zero_point_alignment` applies to version 3 only.
struct Parts {
  std::uint32_t version = 3;
  std::vector<std::byte> proto;
  ByteSpan ccws;        // without padding
  ByteSpan additional;  // version 3
  bool proto_hash = true;
  std::uint64_t zero_point_alignment = 4096;  // 1: keep_padding
  std::uint32_t keep_padding = 0;
  std::array<std::uint64_t, 3> reserved{};
};
// Header with lengths and hashes, then the parts. Error: the parts do not fit the version's fields.
Result<std::vector<std::byte>> assemble(const Parts& parts);

}  // namespace npubin::hef
