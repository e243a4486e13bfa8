#include "kit/backup/backup_files.hpp"

#include "base/error.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace larder::backup {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t portion_bytes = 1024 * 1024;
constexpr std::uint64_t spare_mib = 64;

[[noreturn]] void fail(std::string_view verb, fs::path const& path) {
  throw SetupError(
      fmt::format("cannot {} {}: {}", verb, path.string(), std::generic_category().message(errno)));
}

// A file descriptor that closes itself.
class File {
 public:
  File(fs::path path, int flags)
      : path_(std::move(path)), fd_(::open(path_.c_str(), flags | O_CLOEXEC, 0600)) {
    if (fd_ < 0) fail((flags & O_CREAT) != 0 ? "make" : "read", path_);
  }
  ~File() { ::close(fd_); }
  File(File const&) = delete;
  File& operator=(File const&) = delete;

  std::uint64_t size() const {
    struct ::stat info{};
    if (::fstat(fd_, &info) != 0) fail("read", path_);
    if (!S_ISREG(info.st_mode))
      throw SetupError(fmt::format("cannot read {}: it is not a file", path_.string()));
    return std::uint64_t(info.st_size);
  }

  std::size_t read(std::span<char> portion) const {
    for (;;) {
      auto const bytes = ::read(fd_, portion.data(), portion.size());
      if (bytes >= 0) return std::size_t(bytes);
      if (errno != EINTR) fail("read", path_);
    }
  }

  void write(std::string_view bytes) const {
    while (!bytes.empty()) {
      auto const written = ::write(fd_, bytes.data(), bytes.size());
      if (written < 0 && errno != EINTR) fail("write", path_);
      if (written > 0) bytes.remove_prefix(std::size_t(written));
    }
  }

  void sync() const {
    if (::fsync(fd_) != 0) fail("write", path_);
  }

 private:
  fs::path path_;
  int fd_;
};

// OpenSSL is several times as fast as libsodium with texts of this length.
class Sha256 {
 public:
  Sha256() : context_(::EVP_MD_CTX_new(), &::EVP_MD_CTX_free) {
    LARDER_ASSERT(::EVP_DigestInit_ex(context_.get(), ::EVP_sha256(), nullptr) == 1);
  }
  void add(std::string_view bytes) {
    LARDER_ASSERT(::EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()) == 1);
  }
  std::string hex() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned size = 0;
    LARDER_ASSERT(::EVP_DigestFinal_ex(context_.get(), digest.data(), &size) == 1);
    std::string hex;
    for (unsigned i = 0; i < size; ++i) hex += fmt::format("{:02x}", digest.at(i));
    return hex;
  }

 private:
  std::unique_ptr<EVP_MD_CTX, decltype(&::EVP_MD_CTX_free)> context_;
};

// Gives all bytes of the file to `each`.
template <class F>
FileSum read_all(fs::path const& path, Progress const& progress, F each) {
  File const file(path, O_RDONLY);
  auto const total = file.size();
  Sha256 sum;
  FileSum result;
  std::vector<char> portion(portion_bytes);
  for (;;) {
    auto const bytes = file.read(portion);
    if (bytes == 0) break;
    std::string_view const read(portion.data(), bytes);
    sum.add(read);
    each(read);
    result.bytes += bytes;
    if (progress) progress(result.bytes, total);
  }
  result.sha256 = sum.hex();
  return result;
}

}  // namespace

FileSum sum_of(fs::path const& file, Progress const& progress) {
  return read_all(file, progress, [](std::string_view) {});
}

FileSum copy_file(fs::path const& from, fs::path const& to, Progress const& progress) {
  File const out(to, O_WRONLY | O_CREAT | O_EXCL);
  auto sum = read_all(from, progress, [&](std::string_view bytes) { out.write(bytes); });
  out.sync();
  return sum;
}

void move_file(fs::path const& from, fs::path const& to, Progress const& progress) {
  if (::rename(from.c_str(), to.c_str()) == 0) {
    if (::chmod(to.c_str(), 0600) != 0) fail("change the mode of", to);
    sync(to);
    return;
  }
  if (errno != EXDEV) fail("move", from);
  copy_file(from, to, progress);
  if (::unlink(from.c_str()) != 0) fail("remove", from);
}

void write_file(fs::path const& path, std::string_view text) {
  File const file(path, O_WRONLY | O_CREAT | O_EXCL);
  file.write(text);
  file.sync();
}

void sync(fs::path const& path) { File(path, O_RDONLY).sync(); }

void refuse_if_full(fs::path const& directory, std::uint64_t bytes) {
  std::error_code code;
  auto const free_mib = fs::space(directory, code).available >> 20U;
  auto const needed_mib = (bytes >> 20U) + spare_mib;
  if (code || free_mib >= needed_mib) return;
  throw SetupError(fmt::format("the disk of {} has {} MiB left, and {} MiB may be needed; make room first",
                               directory.string(), free_mib, needed_mib));
}

fs::path prepare_append_only_files(fs::path const& redis_directory) {
  constexpr std::string_view base = "appendonly.aof.1.base.rdb";
  auto const directory = redis_directory / "appendonlydir";
  std::error_code code;
  fs::create_directory(directory, code);
  if (code) throw SetupError(fmt::format("cannot make {}: {}", directory.string(), code.message()));
  write_file(directory / "appendonly.aof.manifest", fmt::format("file {} seq 1 type b\n", base));
  sync(directory);
  return directory / base;
}

}  // namespace larder::backup
