#include "monitor.hpp"

#include "support/run.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>

namespace larder::economy {

void Monitors::start(std::vector<test::RedisServer const*> servers, test::TempDir const& dir) {
  servers_ = std::move(servers);
  for (auto const* server : servers_) {
    files_.push_back(dir.file(fmt::format("monitor{}", files_.size())));
    processes_.push_back(std::make_unique<test::Process>(test::Process::Options{
        .command = {"redis-cli", "-s", server->socket(), "MONITOR"}, .output = files_.back()}));
    ASSERT_TRUE(test::eventually([&] { return server->stat("connected_clients") >= 2; }));
  }
  for (auto const& file : files_) {
    ASSERT_TRUE(test::eventually([&] { return std::ifstream(file).peek() == 'O'; }));
  }
}

void Monitors::stop() {
  // When this command is in the file of a monitor, everything before it is there, too.
  for (std::size_t i = 0; i < servers_.size(); ++i) {
    servers_[i]->cli({"PING", "the-end"});
    ASSERT_TRUE(test::eventually([&] {
      std::ifstream in(files_[i], std::ios::ate);
      auto const size = in.tellg();
      in.seekg(std::max<std::streamoff>(0, std::streamoff(size) - 4096));
      std::string const tail{std::istreambuf_iterator<char>(in), {}};
      return tail.find("the-end") != std::string::npos;
    }));
    processes_[i]->kill();
  }
}

std::vector<Seen> Monitors::calls(std::size_t server) const {
  std::vector<Seen> calls;
  std::ifstream in(files_[server]);
  for (std::string line; std::getline(in, line);) {
    auto const at = line.find("\"EVALSHA\"");
    if (at == std::string::npos || line.find(" lua]") != std::string::npos) continue;
    std::vector<std::string> words;
    for (auto i = at; i < line.size(); ++i) {
      if (line[i] != '"') continue;
      std::string word;
      for (++i; i < line.size() && line[i] != '"'; ++i) {
        if (line[i] == '\\') ++i;
        word += line[i];
      }
      words.push_back(std::move(word));
    }
    calls.push_back({.sha = words.at(1), .words = {words.begin() + 3, words.end()}});
  }
  return calls;
}

}  // namespace larder::economy
