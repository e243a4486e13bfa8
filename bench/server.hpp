// Runs `larder serve` as users start it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace larder::bench {

class Server {
 public:
  // Returns when the server answers.
  Server(std::string const& binary, std::filesystem::path const& directory,
         std::vector<std::string> const& settings = {});
  ~Server();
  Server(Server const&) = delete;
  Server& operator=(Server const&) = delete;

  // A POST with the admin key, ready to be sent.
  std::string request(std::string_view path, std::string_view body,
                      std::string_view content_type = "application/json") const;
  std::uint16_t port() const { return port_; }
  int pid() const { return pid_; }
  std::string const& token() const { return token_; }  // the admin key
  std::string redis_socket() const { return (directory_ / "data" / "redis" / "redis.sock").string(); }

 private:
  std::filesystem::path directory_;
  int pid_ = -1;
  std::uint16_t port_ = 0;
  std::string token_;
};

}  // namespace larder::bench
