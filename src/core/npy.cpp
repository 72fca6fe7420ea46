#include "npubin/npy.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstring>
#include <optional>

#include <fmt/format.h>

#include "npubin/half.h"

namespace npubin {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kMaxHeader = 64 * 1024;

struct TypeCode {
  std::string_view code;  // without the byte-order mark
  DType type;
};
constexpr std::array<TypeCode, 11> kCodes{{{"f4", DType::F32},
                                           {"f2", DType::F16},
                                           {"f8", DType::F64},
                                           {"u1", DType::U8},
                                           {"i1", DType::I8},
                                           {"u2", DType::U16},
                                           {"i2", DType::I16},
                                           {"u4", DType::U32},
                                           {"i4", DType::I32},
                                           {"i8", DType::I64},
                                           {"b1", DType::Bool}}};

struct Header {
  DType type = DType::F32;
  bool big_endian = false;
  bool fortran = false;
  Shape shape;
};

// The text after `'key':` with blanks skipped; nothing where the key is absent.
std::optional<std::string_view> after_key(std::string_view header, std::string_view key) {
  for (char quote : {'\'', '"'}) {
    const std::string quoted = fmt::format("{}{}{}", quote, key, quote);
    std::size_t at = header.find(quoted);
    if (at == std::string_view::npos) continue;
    at = header.find(':', at + quoted.size());
    if (at == std::string_view::npos) return std::nullopt;
    at = header.find_first_not_of(" \t", at + 1);
    return at == std::string_view::npos ? std::nullopt : std::optional(header.substr(at));
  }
  return std::nullopt;
}

Unexpected bad_header(std::uint64_t offset, std::string what) {
  return malformed(Location::at(offset), "the .npy header " + std::move(what));
}

Result<void> parse_type(std::string_view text, Header& out, std::uint64_t offset) {
  if (text.size() < 2 || (text[0] != '\'' && text[0] != '"'))
    return refused("structured .npy types are not tensors", {}, Location::at(offset));
  const std::size_t close = text.find(text[0], 1);
  if (close == std::string_view::npos) return bad_header(offset, "has an unterminated type string");
  std::string_view code = text.substr(1, close - 1);
  std::string_view bare = code;
  if (!bare.empty() && (bare[0] == '<' || bare[0] == '>' || bare[0] == '|' || bare[0] == '=')) {
    out.big_endian = bare[0] == '>';
    bare.remove_prefix(1);
  }
  for (const TypeCode& row : kCodes)
    if (row.code == bare) {
      out.type = row.type;
      return {};
    }
  return refused(fmt::format(".npy type '{}' is not supported", code),
                 "use f2 f4 f8 u1 i1 u2 i2 u4 i4 i8 or b1", Location::at(offset));
}

Result<void> parse_shape(std::string_view text, Header& out, std::uint64_t offset) {
  const std::size_t close = text.find(')');
  if (text.empty() || text[0] != '(' || close == std::string_view::npos)
    return bad_header(offset, "has no shape tuple");
  const char* at = text.data() + 1;
  const char* end = text.data() + close;
  while (at < end) {
    if (*at == ' ' || *at == ',' || *at == 'L') {
      ++at;
      continue;
    }
    std::int64_t dimension = 0;
    auto [next, failure] = std::from_chars(at, end, dimension);
    if (failure != std::errc() || dimension < 0) return bad_header(offset, "has a bad dimension");
    if (out.shape.size() >= 32) return bad_header(offset, "has more than 32 dimensions");
    out.shape.push_back(dimension);
    at = next;
  }
  return {};
}

Result<Header> parse_header(std::string_view text, std::uint64_t offset) {
  Header out;
  auto type = after_key(text, "descr");
  auto order = after_key(text, "fortran_order");
  auto shape = after_key(text, "shape");
  if (!type || !order || !shape) return bad_header(offset, "lacks descr, fortran_order or shape");
  NPUBIN_CHECK(parse_type(*type, out, offset));
  out.fortran = order->substr(0, 4) == "True";
  if (!out.fortran && order->substr(0, 5) != "False") return bad_header(offset, "has a bad fortran_order");
  NPUBIN_CHECK(parse_shape(*shape, out, offset));
  return out;
}

void swap_bytes(std::byte* data, std::size_t size, std::size_t element) {
  for (std::size_t i = 0; i + element <= size; i += element) std::reverse(data + i, data + i + element);
}

// Element (i0, i1, ...) of a Fortran-order array lies at i0 + i1*d0 + i2*d0*d1 ...
void fortran_to_c(const std::byte* from, std::byte* to, const Shape& shape, std::size_t element) {
  const std::int64_t count = count_of(shape);
  std::vector<std::int64_t> index(shape.size(), 0);
  for (std::int64_t i = 0; i < count; ++i) {
    std::int64_t source = 0, stride = 1;
    for (std::size_t d = 0; d < shape.size(); ++d) {
      source += index[d] * stride;
      stride *= shape[d];
    }
    std::memcpy(to + static_cast<std::size_t>(i) * element, from + static_cast<std::size_t>(source) * element,
                element);
    for (std::size_t d = shape.size(); d-- > 0;) {
      if (++index[d] < shape[d]) break;
      index[d] = 0;
    }
  }
}

Result<std::string_view> header_text(ByteReader& reader) {
  NPUBIN_TRY(ByteSpan magic, reader.take(6, "the .npy signature"));
  if (std::memcmp(magic.data(), kMagic.data(), 6) != 0)
    return malformed(Location::at(0), "this is no .npy file: it does not begin with \\x93NUMPY",
                     "write it with numpy.save");
  NPUBIN_TRY(auto major, reader.u8("the .npy version"));
  NPUBIN_CHECK(reader.u8("the .npy version"));
  if (major < 1 || major > 3)
    return refused(fmt::format(".npy version {} is unknown", major), {}, Location::at(6));
  std::uint64_t size = 0;
  if (major == 1) {
    NPUBIN_TRY(size, reader.u16("the header length"));
  } else {
    NPUBIN_TRY(size, reader.u32("the header length"));
  }
  if (size > kMaxHeader)
    return bad_header(8, fmt::format("claims {} bytes; at most {} are read", size, kMaxHeader));
  NPUBIN_TRY(ByteSpan header, reader.take(size, "the .npy header"));
  return std::string_view(reinterpret_cast<const char*>(header.data()), header.size());
}

std::string_view code_of(DType type) {
  for (const TypeCode& row : kCodes)
    if (row.type == type) return row.code;
  return "f4";
}

}  // namespace

Result<Tensor> read_npy(const Bytes& bytes) {
  ByteReader reader(bytes.span());
  NPUBIN_TRY(std::string_view text, header_text(reader));
  const std::uint64_t header_end = reader.offset();
  NPUBIN_TRY(Header header, parse_header(text, header_end - text.size()));
  auto count = element_count(header.shape);
  if (!count) return bad_header(header_end - text.size(), "has a shape that overflows");
  const std::size_t element = size_of(header.type);
  auto size = checked_mul<std::uint64_t>(static_cast<std::uint64_t>(*count), element);
  if (!size || *size != reader.remaining())
    return malformed(Location::at(header_end),
                     fmt::format("shape {} of {} needs {} bytes, the file has {}", to_string(header.shape),
                                 numpy_name(header.type), size.value_or(0), reader.remaining()));
  const bool swap = header.big_endian && element > 1;
  if (!swap && !header.fortran)
    return Tensor::view(header.type, header.shape,
                        bytes.slice(static_cast<std::size_t>(header_end), reader.remaining()));
  NPUBIN_TRY(Tensor out, Tensor::allocate(header.type, header.shape));
  if (header.fortran)
    fortran_to_c(bytes.data() + header_end, out.mutable_data(), header.shape, element);
  else
    std::memcpy(out.mutable_data(), bytes.data() + header_end, out.byte_size());
  if (swap) swap_bytes(out.mutable_data(), out.byte_size(), element);
  return out;
}

bool is_npy(ByteSpan bytes) {
  return bytes.size() >= kMagic.size() && std::memcmp(bytes.data(), kMagic.data(), kMagic.size()) == 0;
}

Result<Tensor> load_npy(const std::string& path) {
  NPUBIN_TRY(Bytes bytes, Bytes::open(path));
  auto tensor = read_npy(bytes);
  if (!tensor) return Unexpected(std::move(tensor).error().in_file(path));
  return tensor;
}

std::string write_npy(const Tensor& tensor) {
  const bool widen = tensor.type() == DType::BF16;
  const DType type = widen ? DType::F32 : tensor.type();
  std::string shape;
  for (std::int64_t d : tensor.shape()) shape += fmt::format("{}, ", d);
  if (shape.size() > 2 && tensor.rank() > 1) shape.resize(shape.size() - 2);
  if (tensor.rank() == 1) shape.resize(shape.size() - 1);
  std::string header = fmt::format("{{'descr': '{}{}', 'fortran_order': False, 'shape': ({}), }}",
                                   size_of(type) > 1 ? '<' : '|', code_of(type), shape);
  // The header with its length ends on a multiple of 64, with a newline last.
  header.append((64 - (10 + header.size() + 1) % 64) % 64, ' ');
  header.push_back('\n');
  std::string out(kMagic);
  out += '\x01';
  out += '\x00';
  out += static_cast<char>(header.size() & 0xFF);
  out += static_cast<char>(header.size() >> 8);
  out += header;
  if (!widen) {
    out.append(reinterpret_cast<const char*>(tensor.data()), tensor.byte_size());
    return out;
  }
  for (std::uint16_t bits : tensor.as<std::uint16_t>()) {
    char raw[4];
    store(raw, bfloat16_to_float(bits));
    out.append(raw, 4);
  }
  return out;
}

Result<void> save_npy(const std::string& path, const Tensor& tensor) {
  return write_file(path, write_npy(tensor));
}

}  // namespace npubin
