#include "app/admin_key.hpp"

#include "base/error.hpp"
#include "kit/accounts/service_keys.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <unistd.h>

namespace larder {

namespace {

void write_secret(std::filesystem::path const& file, std::string const& text) {
  std::filesystem::remove(file);  // others may be able to read an older file
  int const fd = ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  auto const line = text + "\n";
  bool const written =
      fd >= 0 && ::write(fd, line.data(), line.size()) == ssize_t(line.size()) && ::fsync(fd) == 0;
  if (fd >= 0) ::close(fd);
  if (!written) throw SetupError(fmt::format("cannot write {}", file.string()));
}

}  // namespace

// The token is on disk before the key becomes valid. The file gets its final name after that.
void keep_admin_key(sql::Database& sql, TimeMs now, std::filesystem::path const& file) {
  auto const draft = std::filesystem::path(file).concat(".new");
  accounts::create_admin_key_if_none(
      sql, now, [&](accounts::NewServiceKey const& key) { write_secret(draft, key.token); });
  if (std::filesystem::exists(draft)) std::filesystem::rename(draft, file);
}

std::string admin_key_hint(std::filesystem::path const& file) {
  if (std::filesystem::exists(file)) return file.string();
  return "not here; `larder key create --name NAME --scope admin` makes one";
}

}  // namespace larder
