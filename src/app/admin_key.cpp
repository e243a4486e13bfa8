#include "app/admin_key.hpp"

#include "base/error.hpp"
#include "kit/accounts/service_key_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fcntl.h>
#include <fstream>
#include <unistd.h>

namespace larder {

namespace {

constexpr std::string_view how = "`larder key create --name NAME --scope admin` makes one";

void write_secret(std::filesystem::path const& file, std::string const& text) {
  std::filesystem::remove(file);  // others may be able to read an older file
  int const fd = ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  auto const line = text + "\n";
  bool const written =
      fd >= 0 && ::write(fd, line.data(), line.size()) == ssize_t(line.size()) && ::fsync(fd) == 0;
  if (fd >= 0) ::close(fd);
  if (!written) throw SetupError(fmt::format("cannot write {}", file.string()));
}

bool has_valid_key(sql::Database& sql, TimeMs now, std::filesystem::path const& file) {
  std::string token;
  std::getline(std::ifstream(file), token);
  auto const keys = sql.read_now(accounts::list_service_keys);
  return std::ranges::any_of(keys, [&](accounts::ServiceKey const& key) {
    return key.is_valid(now) && key.terms.scopes.contains(Scope::admin) && accounts::opens(token, key, now);
  });
}

}  // namespace

// The token is on disk before the key becomes valid. The file gets its final name after that.
std::string keep_admin_key(sql::Database& sql, TimeMs now, std::filesystem::path const& file) {
  auto const draft = std::filesystem::path(file).concat(".new");
  accounts::create_first_admin_key(
      sql, now, [&](accounts::NewServiceKey const& made) { write_secret(draft, made.token); });
  if (std::filesystem::exists(draft)) std::filesystem::rename(draft, file);
  if (!std::filesystem::exists(file)) return fmt::format("not here; {}", how);
  if (has_valid_key(sql, now, file)) return file.string();
  return fmt::format("the one in {} is no longer valid; {}", file.string(), how);
}

}  // namespace larder
