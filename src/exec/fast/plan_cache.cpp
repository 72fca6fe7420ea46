#include "exec/fast/plan_cache.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>
#include <xxhash.h>

namespace npubin::exec::fast {
namespace {

// Layout, all little-endian 64-bit: magic, key, number of parts, hash of everything behind the header; then
// {name, offset, size} of every part; then the parts, each aligned to 64.
constexpr std::uint64_t kMagic = 0x314e414c5042504e;  // "NPBPLAN1"
constexpr std::size_t kHeader = 32, kEntry = 24, kAlignment = 64;
constexpr std::uint64_t kLargestFile = std::uint64_t{1} << 32;

std::uint64_t word(const std::byte* at) {
  std::uint64_t value;
  std::memcpy(&value, at, sizeof(value));
  return value;
}
void put(std::byte* at, std::uint64_t value) {
  std::memcpy(at, &value, sizeof(value));
}
std::size_t aligned(std::size_t n) {
  return (n + kAlignment - 1) / kAlignment * kAlignment;
}

// A file that is closed at the end.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }
  explicit operator bool() const { return number_ >= 0; }

 private:
  int number_;
};

bool read_all(int file, std::byte* to, std::size_t size) {
  while (size > 0) {
    const ssize_t n = ::read(file, to, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    to += n;
    size -= static_cast<std::size_t>(n);
  }
  return true;
}

bool write_all(int file, const std::byte* from, std::size_t size) {
  while (size > 0) {
    const ssize_t n = ::write(file, from, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    from += n;
    size -= static_cast<std::size_t>(n);
  }
  return true;
}

}  // namespace

PlanCache::PlanCache(std::string folder, std::uint64_t key) : folder_(std::move(folder)), key_(key) {
  if (folder_.empty()) return;
  path_ = fmt::format("{}/{:016x}.npbplan", folder_, key_);
  report_.file = path_;
  load();
}

// Read, not mapped: a file that shrinks under the reader would end the program.
void PlanCache::load() {
  const Descriptor file(::open(path_.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat status {};
  if (!file) {
    report_.state = errno == ENOENT ? "new" : fmt::format("not readable: {}", std::strerror(errno));
    return;
  }
  if (::fstat(file.number(), &status) != 0 || !S_ISREG(status.st_mode) ||
      status.st_size < static_cast<off_t>(kHeader) ||
      static_cast<std::uint64_t>(status.st_size) > kLargestFile) {
    report_.state = "damaged: made anew";
    return;
  }
  Tensor content(DType::U8, {status.st_size});
  if (!read_all(file.number(), content.mutable_data(), content.byte_size()) || !read_parts(content)) {
    parts_.clear();
    report_.state = "damaged: made anew";
    return;
  }
  file_ = std::move(content);
  report_.state = "used";
}

bool PlanCache::read_parts(const Tensor& file) {
  const std::byte* const data = file.data();
  const std::uint64_t size = file.byte_size();
  if (word(data) != kMagic || word(data + 8) != key_) return false;
  const std::uint64_t count = word(data + 16);
  if (count > (size - kHeader) / kEntry || word(data + 24) != XXH3_64bits(data + kHeader, size - kHeader))
    return false;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::byte* const entry = data + kHeader + i * kEntry;
    const std::uint64_t offset = word(entry + 8), bytes = word(entry + 16);
    if (offset % kAlignment != 0 || offset > size || bytes > size - offset) return false;
    parts_[word(entry)] = ByteSpan(data + offset, bytes);
  }
  return true;
}

std::optional<ByteSpan> PlanCache::find(std::uint64_t part, std::size_t bytes) {
  const auto found = parts_.find(part);
  if (found == parts_.end() || found->second.size() != bytes) {
    ++report_.made;
    return std::nullopt;
  }
  ++report_.found;
  return found->second;
}

void PlanCache::keep(std::uint64_t part, ByteSpan data) {
  if (!active()) return;
  Tensor copy(DType::U8, {static_cast<std::int64_t>(data.size())});
  if (!data.empty()) std::memcpy(copy.mutable_data(), data.data(), data.size());
  parts_[part] = copy.bytes();
  kept_.push_back(std::move(copy));
}

std::vector<std::byte> PlanCache::serialised() const {
  std::size_t at = aligned(kHeader + parts_.size() * kEntry), entry = kHeader;
  std::size_t total = at;
  for (const auto& part : parts_) total += aligned(part.second.size());
  std::vector<std::byte> out(total);
  for (const auto& [name, bytes] : parts_) {
    put(out.data() + entry, name);
    put(out.data() + entry + 8, at);
    put(out.data() + entry + 16, bytes.size());
    if (!bytes.empty()) std::memcpy(out.data() + at, bytes.data(), bytes.size());
    at += aligned(bytes.size());
    entry += kEntry;
  }
  put(out.data(), kMagic);
  put(out.data() + 8, key_);
  put(out.data() + 16, parts_.size());
  put(out.data() + 24, XXH3_64bits(out.data() + kHeader, out.size() - kHeader));
  return out;
}

void PlanCache::store() {
  if (!active()) return;
  if (kept_.empty()) {
    if (report_.state == "new") report_.state = "nothing to keep";
    return;
  }
  static std::atomic<unsigned> serial{0};
  const std::string beside = fmt::format("{}.{}.{}", path_, ::getpid(), serial++);
  const auto note = [this](std::string_view what) {
    report_.state = fmt::format("not written: {}: {}", what, std::strerror(errno));
  };
  if (::mkdir(folder_.c_str(), 0777) != 0 && errno != EEXIST) return note(folder_);
  const std::vector<std::byte> content = serialised();
  {
    const Descriptor file(::open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
    if (!file) return note(beside);
    if (!write_all(file.number(), content.data(), content.size())) {
      note(beside);
      ::unlink(beside.c_str());
      return;
    }
  }
  if (::rename(beside.c_str(), path_.c_str()) != 0) {
    note(path_);
    ::unlink(beside.c_str());
    return;
  }
  report_.state += report_.state == "new" ? ": written" : ", written again";
}

std::uint64_t part_name(std::string_view kind, std::int32_t value, ByteSpan form) {
  const std::uint64_t start =
      XXH3_64bits_withSeed(kind.data(), kind.size(), static_cast<std::uint64_t>(value));
  return XXH3_64bits_withSeed(form.data(), form.size(), start);
}

}  // namespace npubin::exec::fast
