#include "npubin/bytes.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <cstdio>
#include <filesystem>

#include <fmt/format.h>

namespace npubin {
namespace {

struct FileDescriptor {
  int fd = -1;
  ~FileDescriptor() {
    if (fd >= 0) ::close(fd);
  }
};

std::string system_reason(int error_number) {
  return std::error_code(error_number, std::generic_category()).message();
}

// Pipes and standard input have no size to map; they are read to their end.
Result<Bytes> read_to_end(int fd, const std::string& name) {
  std::vector<std::byte> data;
  std::size_t used = 0;
  for (;;) {
    if (data.size() - used < 65536) data.resize(std::max<std::size_t>(data.size() * 2, 1 << 17));
    ssize_t got = ::read(fd, data.data() + used, data.size() - used);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return io_error(name, "cannot be read: " + system_reason(errno));
    if (got == 0) break;
    used += static_cast<std::size_t>(got);
  }
  data.resize(used);
  return Bytes::own(std::move(data));
}

// False with errno set where the bytes cannot all be written.
bool write_all(int fd, ByteSpan data) {
  while (!data.empty()) {
    const ssize_t put = ::write(fd, data.data(), data.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return false;
    data = data.subspan(static_cast<std::size_t>(put));
  }
  return true;
}

Result<void> write_in_place(const std::string& path, const struct stat& info, ByteSpan data) {
  if (S_ISDIR(info.st_mode)) return io_error(path, "is a folder, not a file");
  FileDescriptor file{::open(path.c_str(), O_WRONLY | O_CLOEXEC)};
  if (file.fd < 0) return io_error(path, "cannot be opened for writing: " + system_reason(errno));
  if (!write_all(file.fd, data)) return io_error(path, "cannot be written: " + system_reason(errno));
  return {};
}

}  // namespace

Result<Bytes> Bytes::open(const std::string& path) {
  if (path == "-") return read_to_end(STDIN_FILENO, "standard input");
  FileDescriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (file.fd < 0) return io_error(path, "cannot be opened: " + system_reason(errno));
  struct stat info {};
  if (::fstat(file.fd, &info) != 0) return io_error(path, "cannot be examined: " + system_reason(errno));
  if (S_ISDIR(info.st_mode)) return io_error(path, "is a folder, not a file");
  if (!S_ISREG(info.st_mode)) return read_to_end(file.fd, path);
  Bytes out;
  if (info.st_size == 0) return out;
  const auto size = static_cast<std::size_t>(info.st_size);
  void* map = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.fd, 0);
  if (map == MAP_FAILED) return io_error(path, "cannot be mapped: " + system_reason(errno));
  out.keep_ =
      std::shared_ptr<const void>(map, [size](const void* p) { ::munmap(const_cast<void*>(p), size); });
  out.span_ = {static_cast<const std::byte*>(map), size};
  return out;
}

Bytes Bytes::own(std::vector<std::byte> data) {
  auto keep = std::make_shared<std::vector<std::byte>>(std::move(data));
  Bytes out;
  out.span_ = *keep;
  out.keep_ = std::move(keep);
  return out;
}

Bytes Bytes::own(std::string_view data) {
  const auto* first = reinterpret_cast<const std::byte*>(data.data());
  return own(std::vector<std::byte>(first, first + data.size()));
}

Bytes Bytes::borrow(ByteSpan data) {
  Bytes out;
  out.span_ = data;
  return out;
}

Bytes Bytes::slice(std::size_t offset, std::size_t size) const {
  Bytes out = *this;
  out.span_ = span_.subspan(offset, size);
  return out;
}

Result<void> write_file(const std::string& path, ByteSpan data) {
  if (path == "-") {
    if (std::fwrite(data.data(), 1, data.size(), stdout) != data.size() || std::fflush(stdout) != 0)
      return io_error("standard output", "cannot be written: " + system_reason(errno));
    return {};
  }
  // A link is followed; a device or pipe is written to, never replaced.
  std::error_code ignored;
  const std::filesystem::path real = std::filesystem::weakly_canonical(path, ignored);
  const std::string target = ignored || real.empty() ? path : real.string();
  struct stat existing {};
  if (::stat(target.c_str(), &existing) == 0 && !S_ISREG(existing.st_mode))
    return write_in_place(path, existing, data);
  std::string temporary = target + ".XXXXXX";
  FileDescriptor file{::mkstemp(temporary.data())};
  if (file.fd < 0)
    return io_error(path, "cannot be created: " + system_reason(errno),
                    "does the folder exist and is it writable?");
  auto give_up = [&](const char* what) -> Result<void> {
    std::string reason = system_reason(errno);
    ::unlink(temporary.c_str());
    return io_error(path, fmt::format("cannot be {}: {}", what, reason));
  };
  if (!write_all(file.fd, data)) return give_up("written");
  const mode_t mask = ::umask(0);
  ::umask(mask);
  if (::fchmod(file.fd, 0666 & ~mask) != 0) return give_up("given its permissions");
  if (::rename(temporary.c_str(), target.c_str()) != 0) return give_up("moved into place");
  return {};
}

Result<void> write_file(const std::string& path, std::string_view text) {
  return write_file(path, ByteSpan(reinterpret_cast<const std::byte*>(text.data()), text.size()));
}

Result<ByteSpan> ByteReader::take(std::uint64_t size, std::string_view what) {
  if (size > remaining()) return truncated(what, size);
  ByteSpan out = data_.subspan(position_, static_cast<std::size_t>(size));
  position_ += static_cast<std::size_t>(size);
  return out;
}

Result<void> ByteReader::skip(std::uint64_t size, std::string_view what) {
  if (size > remaining()) return truncated(what, size);
  position_ += static_cast<std::size_t>(size);
  return {};
}

Result<void> ByteReader::seek(std::uint64_t position, std::string_view what) {
  if (position > data_.size())
    return truncated_at(static_cast<std::size_t>(data_.size()), what, position - data_.size());
  position_ = static_cast<std::size_t>(position);
  return {};
}

Result<ByteSpan> ByteReader::span_at(std::uint64_t position, std::uint64_t size,
                                     std::string_view what) const {
  if (position > data_.size() || size > data_.size() - position) return truncated_at(position, what, size);
  return data_.subspan(static_cast<std::size_t>(position), static_cast<std::size_t>(size));
}

Unexpected ByteReader::truncated(std::string_view what, std::uint64_t need) const {
  return truncated_at(position_, what, need);
}

Unexpected ByteReader::truncated_at(std::uint64_t position, std::string_view what, std::uint64_t need) const {
  const std::uint64_t left = position > data_.size() ? 0 : data_.size() - position;
  return malformed(Location::at(base_ + position),
                   fmt::format("{} needs {} bytes, but only {} are left", what, need, left),
                   "the file is truncated, or a size or offset before this is wrong");
}

}  // namespace npubin
