// Runs `larder serve` as users start it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace larder::bench {

class Server {
 public:
  // Returns when the server answers.
  Server(std::string const& binary, std::filesystem::path const& directory);
  ~Server();
  Server(Server const&) = delete;
  Server& operator=(Server const&) = delete;

  // A POST with the admin key, ready to be sent.
  std::string request(std::string_view path, std::string_view body) const;
  std::uint16_t port() const { return port_; }
  int pid() const { return pid_; }

 private:
  int pid_ = -1;
  std::uint16_t port_ = 0;
  std::string token_;
};

}  // namespace larder::bench
