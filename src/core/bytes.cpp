#include "npubin/bytes.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <utility>

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

constexpr std::uint64_t kMostFromPipe = std::uint64_t{256} << 20;
constexpr std::uint64_t kMostFromDevice = std::uint64_t{64} << 20;

// An anonymous map, so that memory is taken only as it is filled.
struct Mapped {
  void* data = MAP_FAILED;
  std::size_t size = 0;
  ~Mapped() {
    if (data != MAP_FAILED) ::munmap(data, size);
  }
  std::shared_ptr<const void> release() {
    std::shared_ptr<const void> out(std::exchange(data, MAP_FAILED),
                                    [size = size](const void* p) { ::munmap(const_cast<void*>(p), size); });
    return out;
  }
};

// Pipes and devices have no size to map; they are read to their end, which a device may not have.
Result<std::size_t> read_to_end(int fd, const std::string& name, bool device, const Mapped& room) {
  std::size_t used = 0;
  for (;;) {
    const ssize_t got = ::read(fd, static_cast<char*>(room.data) + used, room.size - used);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return io_error(name, "cannot be read: " + system_reason(errno));
    if (got == 0) return used;
    used += static_cast<std::size_t>(got);
    if (used == room.size)
      return io_error(name, fmt::format("gives more than {} MiB", (room.size - 1) >> 20),
                      device ? "a device without an end is no model; copy what is meant into a file"
                             : "save it to a file, which is mapped and not copied");
  }
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
  if (S_ISDIR(info.st_mode)) return io_error(path, "is a folder, not a file", "name a file in it");
  FileDescriptor file{::open(path.c_str(), O_WRONLY | O_CLOEXEC)};
  if (file.fd < 0) return io_error(path, "cannot be opened for writing: " + system_reason(errno));
  if (!write_all(file.fd, data)) return io_error(path, "cannot be written: " + system_reason(errno));
  return {};
}

}  // namespace

Result<Bytes> Bytes::open(const std::string& path) {
  const bool standard = path == "-";
  const std::string name = standard ? "standard input" : path;
  FileDescriptor file{standard ? ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
                               : ::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (file.fd < 0) {
    const int why = errno;
    return io_error(name, "cannot be opened: " + system_reason(why),
                    why == ENOENT   ? "is the path right, seen from this folder?"
                    : why == EACCES ? "this user may not read it"
                                    : "");
  }
  struct stat info {};
  if (::fstat(file.fd, &info) != 0) return io_error(name, "cannot be examined: " + system_reason(errno));
  if (S_ISDIR(info.st_mode)) return io_error(name, "is a folder, not a file", "name a file in it");
  const bool mapped = S_ISREG(info.st_mode) && (!standard || ::lseek(file.fd, 0, SEEK_CUR) == 0);
  Bytes out;
  Mapped room;
  std::size_t size = 0;
  if (mapped) {
    if (info.st_size == 0) return out;
    size = room.size = static_cast<std::size_t>(info.st_size);
    room.data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.fd, 0);
    if (room.data == MAP_FAILED) return io_error(name, "cannot be mapped: " + system_reason(errno));
  } else {
    const bool device = S_ISCHR(info.st_mode) || S_ISBLK(info.st_mode);
    // One byte more than allowed tells that there is more.
    room.size = static_cast<std::size_t>(device ? kMostFromDevice : kMostFromPipe) + 1;
    room.data = ::mmap(nullptr, room.size, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room.data == MAP_FAILED) return io_error(name, "no memory to read it into");
    NPUBIN_TRY(size, read_to_end(file.fd, name, device, room));
    if (size == 0) return out;
  }
  out.span_ = {static_cast<const std::byte*>(room.data), size};
  out.keep_ = room.release();
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

namespace {

// A file that is complete under a temporary name beside its own; removed unless it is moved into place.
class StagedFile {
 public:
  StagedFile() = default;
  StagedFile(StagedFile&& other) noexcept { *this = std::move(other); }
  StagedFile& operator=(StagedFile&& other) noexcept {
    std::swap(path_, other.path_);
    std::swap(target_, other.target_);
    std::swap(temporary_, other.temporary_);
    return *this;
  }
  ~StagedFile() {
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
  }

  static Result<StagedFile> write(const std::string& path, const std::string& target, ByteSpan data) {
    StagedFile out;
    std::string temporary = target + ".XXXXXX";
    FileDescriptor file{::mkstemp(temporary.data())};
    if (file.fd < 0)
      return io_error(path, "cannot be created: " + system_reason(errno),
                      "does the folder exist and is it writable?");
    out.path_ = path;
    out.target_ = target;
    out.temporary_ = std::move(temporary);
    if (!write_all(file.fd, data)) return out.failure("written");
    const mode_t mask = ::umask(0);
    ::umask(mask);
    if (::fchmod(file.fd, 0666 & ~mask) != 0) return out.failure("given its permissions");
    return out;
  }
  Result<void> move_into_place() {
    if (::rename(temporary_.c_str(), target_.c_str()) != 0) return failure("moved into place");
    temporary_.clear();
    return {};
  }

 private:
  Unexpected failure(const char* what) const {
    return io_error(path_, fmt::format("cannot be {}: {}", what, system_reason(errno)),
                    "is the disk full, or the folder not writable?");
  }
  std::string path_, target_, temporary_;
};

// Where a file lies in truth: a link is followed.
std::string place_of(const std::string& path) {
  std::error_code ignored;
  const std::filesystem::path real = std::filesystem::weakly_canonical(path, ignored);
  return ignored || real.empty() ? path : real.string();
}

}  // namespace

Result<void> write_file(const std::string& path, ByteSpan data) {
  if (path == "-") {
    if (std::fwrite(data.data(), 1, data.size(), stdout) != data.size() || std::fflush(stdout) != 0)
      return io_error("standard output", "cannot be written: " + system_reason(errno));
    return {};
  }
  const std::string target = place_of(path);
  // A device or pipe is written to, never replaced.
  struct stat existing {};
  if (::stat(target.c_str(), &existing) == 0 && !S_ISREG(existing.st_mode))
    return write_in_place(path, existing, data);
  NPUBIN_TRY(StagedFile staged, StagedFile::write(path, target, data));
  return staged.move_into_place();
}

Result<void> write_files(const std::vector<FileToWrite>& files) {
  std::vector<StagedFile> staged;
  for (const FileToWrite& file : files) {
    const std::string target = place_of(file.path);
    struct stat existing {};
    if (::stat(target.c_str(), &existing) == 0 && !S_ISREG(existing.st_mode))
      return io_error(file.path, "is there and is no file", "name another folder");
    const auto* first = reinterpret_cast<const std::byte*>(file.contents.data());
    NPUBIN_TRY(StagedFile one, StagedFile::write(file.path, target, {first, file.contents.size()}));
    staged.push_back(std::move(one));
  }
  for (StagedFile& file : staged) NPUBIN_CHECK(file.move_into_place());
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
