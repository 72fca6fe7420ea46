// PNG through libpng, JPEG through libjpeg-turbo, BMP by hand (no library, a page of code).
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>
#include <jpeglib.h>
#include <png.h>

#include "npubin/picture.h"

namespace npubin {
namespace {

constexpr std::uint32_t kMaxSide = 16384;

Result<void> check_size(std::uint64_t width, std::uint64_t height) {
  if (width == 0 || height == 0 || width > kMaxSide || height > kMaxSide)
    return malformed(
        {}, fmt::format("a picture of {}x{} pixels is outside 1..{} a side", width, height, kMaxSide));
  return {};
}

Result<Picture> read_png(ByteSpan data) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  if (png_image_begin_read_from_memory(&image, data.data(), data.size()) == 0)
    return malformed({}, fmt::format("PNG: {}", image.message));
  if (auto size = check_size(image.width, image.height); !size) {
    png_image_free(&image);
    return Unexpected(size.error());
  }
  const bool colour = (image.format & PNG_FORMAT_FLAG_COLOR) != 0,
             alpha = (image.format & PNG_FORMAT_FLAG_ALPHA) != 0;
  image.format = alpha ? PNG_FORMAT_RGBA : colour ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY;
  Picture out{image.width, image.height, alpha ? 4u : colour ? 3u : 1u, {}};
  out.pixels.resize(PNG_IMAGE_SIZE(image));
  if (png_image_finish_read(&image, nullptr, out.pixels.data(), 0, nullptr) == 0)
    return malformed({}, fmt::format("PNG: {}", image.message));
  return out;
}

// libjpeg reports faults by calling back; the jump leaves its frames, which hold nothing of C++.
struct JpegErrors {
  jpeg_error_mgr base;
  std::jmp_buf jump;
  char message[JMSG_LENGTH_MAX];
};

void jpeg_fail(j_common_ptr info) {
  auto* errors = reinterpret_cast<JpegErrors*>(info->err);
  (*info->err->format_message)(info, errors->message);
  std::longjmp(errors->jump, 1);
}
void jpeg_silent(j_common_ptr) {}

// Fills `out`; false with errors.message set on failure. No C++ object with a destructor lives in this frame.
bool decode_jpeg(ByteSpan data, jpeg_decompress_struct& info, JpegErrors& errors, Picture& out) {
  if (setjmp(errors.jump) != 0) return false;
  jpeg_create_decompress(&info);
  jpeg_mem_src(&info, reinterpret_cast<const unsigned char*>(data.data()), data.size());
  jpeg_read_header(&info, TRUE);
  if (info.image_width > kMaxSide || info.image_height > kMaxSide) {
    std::snprintf(errors.message, sizeof errors.message, "larger than %u pixels a side", kMaxSide);
    return false;
  }
  info.out_color_space = info.num_components == 1 ? JCS_GRAYSCALE : JCS_RGB;
  jpeg_start_decompress(&info);
  out.width = info.output_width;
  out.height = info.output_height;
  out.channels = static_cast<std::uint32_t>(info.output_components);
  const std::size_t stride = std::size_t{out.width} * out.channels;
  out.pixels.resize(stride * out.height);
  while (info.output_scanline < info.output_height) {
    JSAMPROW row = out.pixels.data() + stride * info.output_scanline;
    jpeg_read_scanlines(&info, &row, 1);
  }
  jpeg_finish_decompress(&info);
  return true;
}

Result<Picture> read_jpeg(ByteSpan data) {
  jpeg_decompress_struct info{};
  JpegErrors errors{};
  info.err = jpeg_std_error(&errors.base);
  errors.base.error_exit = jpeg_fail;
  errors.base.output_message = jpeg_silent;
  Picture out;
  const bool good = decode_jpeg(data, info, errors, out);
  jpeg_destroy_decompress(&info);
  if (!good) return malformed({}, fmt::format("JPEG: {}", errors.message));
  return out;
}

struct BmpHeader {
  std::uint32_t pixels_at = 0, width = 0, height = 0, bits = 0, colours = 0, palette_at = 0;
  bool bottom_up = true;
};

Result<BmpHeader> read_bmp_header(ByteReader& reader) {
  BmpHeader out;
  NPUBIN_TRY(out.pixels_at, reader.peek_at<std::uint32_t>(10, "BMP data offset"));
  NPUBIN_TRY(auto header_size, reader.peek_at<std::uint32_t>(14, "BMP header size"));
  NPUBIN_TRY(auto width, reader.peek_at<std::int32_t>(18, "BMP width"));
  NPUBIN_TRY(auto height, reader.peek_at<std::int32_t>(22, "BMP height"));
  NPUBIN_TRY(auto bits, reader.peek_at<std::uint16_t>(28, "BMP bit count"));
  NPUBIN_TRY(auto compression, reader.peek_at<std::uint32_t>(30, "BMP compression"));
  NPUBIN_TRY(out.colours, reader.peek_at<std::uint32_t>(46, "BMP colours"));
  if (header_size < 40)
    return malformed(Location::at(14), "BMP headers older than BITMAPINFOHEADER are not read");
  if (compression != 0 || (bits != 8 && bits != 24 && bits != 32))
    return refused(fmt::format("BMP with {} bits and compression {} is not read", bits, compression),
                   "convert it to PNG");
  NPUBIN_CHECK(check_size(width < 0 ? 0 : static_cast<std::uint64_t>(width),
                          static_cast<std::uint64_t>(std::abs(static_cast<std::int64_t>(height)))));
  out.width = static_cast<std::uint32_t>(width);
  out.height = static_cast<std::uint32_t>(std::abs(static_cast<std::int64_t>(height)));
  out.bottom_up = height > 0;
  out.bits = bits;
  out.palette_at = 14 + header_size;
  return out;
}

Result<Picture> read_bmp(ByteSpan data) {
  ByteReader reader(data);
  NPUBIN_TRY(BmpHeader h, read_bmp_header(reader));
  const std::uint32_t bytes = h.bits / 8;
  const std::uint64_t stride = (std::uint64_t{h.width} * bytes + 3) / 4 * 4;
  NPUBIN_TRY(ByteSpan pixels, reader.span_at(h.pixels_at, stride * h.height, "BMP pixels"));
  ByteSpan palette;
  bool grey = h.bits == 8;
  if (h.bits == 8) {
    if (h.colours > 256) return malformed(Location::at(46), "a BMP palette has at most 256 colours");
    const std::uint32_t count = h.colours == 0 ? 256 : h.colours;
    NPUBIN_TRY(palette, reader.span_at(h.palette_at, std::uint64_t{count} * 4, "BMP palette"));
    for (std::uint32_t i = 0; i < count; ++i)
      grey = grey && palette[i * 4] == palette[i * 4 + 1] && palette[i * 4] == palette[i * 4 + 2];
  }
  Picture out{h.width, h.height, grey ? 1u : 3u, {}};
  out.pixels.resize(std::size_t{h.width} * h.height * out.channels);
  for (std::uint32_t y = 0; y < h.height; ++y) {
    const std::byte* row = pixels.data() + stride * (h.bottom_up ? h.height - 1 - y : y);
    for (std::uint32_t x = 0; x < h.width; ++x) {
      const std::byte* p = row + std::size_t{x} * bytes;
      if (h.bits == 8) {
        const std::size_t entry = static_cast<std::size_t>(*p) * 4;
        if (entry + 3 >= palette.size())
          return malformed(Location::at(h.pixels_at), "a BMP pixel is outside its palette");
        p = palette.data() + entry;
      }
      for (std::uint32_t c = 0; c < out.channels; ++c)
        out.at(x, y)[c] = static_cast<std::uint8_t>(p[out.channels == 1 ? 0 : 2 - c]);
    }
  }
  return out;
}

bool begins_with(ByteSpan data, std::string_view magic) {
  return data.size() >= magic.size() && std::memcmp(data.data(), magic.data(), magic.size()) == 0;
}

}  // namespace

Result<Picture> read_picture(const Bytes& bytes) {
  const ByteSpan data = bytes.span();
  if (begins_with(data, "\x89PNG\r\n\x1a\n")) return read_png(data);
  if (begins_with(data, "\xFF\xD8\xFF")) return read_jpeg(data);
  if (begins_with(data, "BM")) return read_bmp(data);
  return Unexpected(
      Error{ErrorKind::Unrecognised, {}, {}, {}, "this is no PNG, JPEG or BMP picture", "convert it to PNG"});
}

Result<Picture> load_picture(const std::string& path) {
  NPUBIN_TRY(Bytes bytes, Bytes::open(path));
  auto picture = read_picture(bytes);
  if (!picture) return Unexpected(std::move(picture).error().in_file(path));
  return picture;
}

Result<std::vector<std::byte>> encode_png(const Picture& picture) {
  NPUBIN_CHECK(check_size(picture.width, picture.height));
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = picture.width;
  image.height = picture.height;
  image.format = picture.channels == 4   ? PNG_FORMAT_RGBA
                 : picture.channels == 3 ? PNG_FORMAT_RGB
                                         : PNG_FORMAT_GRAY;
  png_alloc_size_t size = 0;
  if (png_image_write_to_memory(&image, nullptr, &size, 0, picture.pixels.data(), 0, nullptr) == 0)
    return malformed({}, fmt::format("PNG: {}", image.message));
  std::vector<std::byte> out(size);
  if (png_image_write_to_memory(&image, out.data(), &size, 0, picture.pixels.data(), 0, nullptr) == 0)
    return malformed({}, fmt::format("PNG: {}", image.message));
  out.resize(size);
  return out;
}

Result<void> save_png(const std::string& path, const Picture& picture) {
  NPUBIN_TRY(auto data, encode_png(picture));
  return write_file(path, data);
}

}  // namespace npubin
