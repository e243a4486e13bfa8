#include "server.hpp"

#include <fmt/format.h>

#include <chrono>
#include <fcntl.h>
#include <fstream>
#include <signal.h>
#include <stdexcept>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace larder::bench {

Server::Server(std::string const& binary, std::filesystem::path const& directory,
               std::vector<std::string> const& settings)
    : directory_(directory) {
  std::filesystem::create_directories(directory);
  auto const out = (directory / "out").string();
  auto const err = (directory / "log").string();
  auto const data = (directory / "data").string();
  std::vector<std::string> words = {binary, "serve", "--data", data, "--listen", "127.0.0.1:0"};
  for (auto const& setting : settings) words.insert(words.end(), {"--set", setting});
  std::vector<char*> arguments;
  for (auto& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_ = ::fork();
  if (pid_ == 0) {
    ::dup2(::open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDOUT_FILENO);
    ::dup2(::open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDERR_FILENO);
    ::execv(binary.c_str(), arguments.data());
    ::_exit(127);
  }
  for (int i = 0; i < 500 && port_ == 0; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    std::ifstream in(out);
    std::string const text{std::istreambuf_iterator<char>(in), {}};
    constexpr std::string_view mark = "http://127.0.0.1:";
    if (auto const at = text.find(mark); at != std::string::npos)
      port_ = std::uint16_t(std::stoi(text.substr(at + mark.size())));
  }
  if (port_ == 0) throw std::runtime_error("the server did not start; see " + err);
  std::ifstream(directory / "data" / "admin.key") >> token_;
}

Server::~Server() {
  ::kill(pid_, SIGTERM);
  ::waitpid(pid_, nullptr, 0);
}

std::string Server::request(std::string_view path, std::string_view body,
                            std::string_view content_type) const {
  return fmt::format(
      "POST {} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {}\r\nContent-Type: {}\r\n"
      "Content-Length: {}\r\n\r\n{}",
      path, token_, content_type, body.size(), body);
}

}  // namespace larder::bench
