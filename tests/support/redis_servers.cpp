#include "support/redis_servers.hpp"

#include "base/random.hpp"
#include "support/run.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <arpa/inet.h>
#include <csignal>
#include <fstream>
#include <map>
#include <netinet/in.h>
#include <ranges>
#include <sstream>
#include <stdexcept>
#include <sys/socket.h>
#include <unistd.h>

namespace larder::test {

namespace {

std::string read_file(std::string const& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

void wait_for(std::string_view what, auto condition) {
  if (!eventually(condition)) throw std::runtime_error(fmt::format("waited in vain: {}", what));
}

bool is_free(int port) {
  int const fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(std::uint16_t(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  bool const bound = ::bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
  ::close(fd);
  return bound;
}

}  // namespace

int free_port() {
  static Random random(random_seed());
  for (;;) {
    int const port = 10'000 + int(random.below(22'000));
    if (is_free(port)) return port;
  }
}

RedisServer::RedisServer() : RedisServer(Options{}) {}

RedisServer::RedisServer(Options options) {
  place_ = std::make_unique<Place>(std::move(options));
  if (take_over()) {
    watch();
    return;
  }
  if (place_->options.tcp) place_->port = free_port();
  start();
  place_->setup = setup();
}

RedisServer::~RedisServer() {
  finish_watch();
  bool const usable = place_->process && place_->process->running() && !disturbed_;
  if (usable && place_->options.hand_on) idle_places().push_back(std::move(place_));
}

std::vector<std::unique_ptr<RedisServer::Place>>& RedisServer::idle_places() {
  static std::vector<std::unique_ptr<Place>> places;
  return places;
}

bool RedisServer::take_over() {
  auto& idle = idle_places();
  auto const found =
      std::ranges::find_if(idle, [&](auto const& place) { return place->options == place_->options; });
  if (found == idle.end()) return false;
  auto fresh = std::exchange(place_, std::move(*found));
  idle.erase(found);
  // Clients first: a client that died may have left a request that Redis has not read yet.
  std::vector<std::vector<std::string>> const commands = {
      {"CLIENT", "UNPAUSE"}, {"CLIENT", "KILL", "SKIPME", "yes"},
      {"FLUSHALL"},          {"SCRIPT", "FLUSH", "SYNC"},
      {"FUNCTION", "FLUSH"}, {"CONFIG", "RESETSTAT"}};
  bool const emptied = place_->process->running() && std::ranges::all_of(commands, [&](auto const& command) {
                         auto const answer = cli(command);
                         return answer == "OK" || command[1] == "KILL";
                       });
  if (emptied && setup() == place_->setup) return true;
  place_ = std::move(fresh);
  return false;
}

std::string RedisServer::setup() const { return cli({"CONFIG", "GET", "*"}) + "\n" + cli({"ACL", "LIST"}); }

void RedisServer::launch() {
  auto& [options, dir, port, process, setup] = *place_;
  if (process) return resume();
  std::vector<std::string> command = {
      "redis-server",       "--dir",  dir.path().string(), "--unixsocket", socket(), "--port",
      std::to_string(port), "--bind", "127.0.0.1",         "--save",       ""};
  if (!options.password.empty()) command.insert(command.end(), {"--requirepass", options.password});
  for (auto const& setting : options.settings) {
    auto const space = setting.find(' ');
    command.push_back("--" + setting.substr(0, space));
    std::istringstream values(setting.substr(space + 1));
    for (std::string value; values >> value;) command.push_back(value == "\"\"" ? "" : value);
  }
  process = std::make_unique<Process>(Process::Options{.command = command, .output = dir.file("log")});
}

void RedisServer::start() {
  launch();
  wait_for("redis-server answers", [&] {
    if (!place_->process->running()) throw std::runtime_error("redis-server did not start: " + log());
    return answers();
  });
  watch();
}

void RedisServer::watch() {
  auto const& options = place_->options;
  if (!options.check_keys || watch_) return;
  watch_ =
      std::make_unique<KeyWatch>(socket(), RedisLogin{.password = options.password}, options.derived_keys);
}

void RedisServer::finish_watch() {
  if (!watch_) return;
  bool const answers = running() && place_->process->running();
  auto const found = watch_->finish(answers);
  constexpr std::size_t told_max = 10;
  for (auto const& text : found | std::views::take(told_max)) ADD_FAILURE() << text;
  if (found.size() > told_max) ADD_FAILURE() << "and " << found.size() - told_max << " more";
  watch_.reset();
}

void RedisServer::stop() {
  disturbed_ = true;
  if (!place_->process) return;
  resume();
  finish_watch();
  place_->process->signal(SIGTERM);
  place_->process->wait();
  place_->process.reset();
}

void RedisServer::kill() {
  disturbed_ = true;
  if (place_->process) place_->process->kill();
  finish_watch();
  place_->process.reset();
  paused_ = false;
}

void RedisServer::pause() {
  disturbed_ = true;
  place_->process->signal(SIGSTOP);
  paused_ = true;
}

void RedisServer::resume() {
  place_->process->signal(SIGCONT);
  paused_ = false;
}

std::string RedisServer::cli(std::vector<std::string> const& words) const {
  return cli({.password = place_->options.password}, words);
}

std::string RedisServer::cli(RedisLogin const& as, std::vector<std::string> const& words) const {
  auto text = redis_cli(socket(), as, words);
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

std::int64_t RedisServer::stat(std::string_view name) const {
  auto const info = cli({"INFO"});
  auto const at = info.find(fmt::format("\n{}:", name));
  if (at == info.npos) throw std::runtime_error(fmt::format("INFO has no {}", name));
  return std::stoll(info.substr(at + name.size() + 2));
}

std::string RedisServer::log() const { return read_file(place_->dir.file("log")); }

bool RedisServer::answers() const { return cli({"PING"}) == "PONG"; }

namespace {

RedisServer::Options cluster_node(int bus_port, RedisCluster::Options const& options) {
  return {.tcp = true,
          .settings = {"cluster-enabled yes", fmt::format("cluster-port {}", bus_port),
                       "cluster-node-timeout 1500", "cluster-replica-validity-factor 0",
                       "repl-diskless-sync yes", "repl-diskless-sync-delay 0", "repl-ping-replica-period 1",
                       "appendonly yes", "appendfsync everysec"},
          .hand_on = false,
          .check_keys = options.check_keys,
          .derived_keys = options.derived_keys};
}

}  // namespace

RedisCluster::RedisCluster() : RedisCluster(Options{}) {}

RedisCluster::RedisCluster(Options const& options) {
  std::vector<int> bus_ports;
  for (int failures = 0; nodes_.size() < nodes;) {
    int const bus_port = free_port();
    try {
      nodes_.push_back(std::make_unique<RedisServer>(cluster_node(bus_port, options)));
      bus_ports.push_back(bus_port);
    } catch (std::exception const&) {
      if (++failures > 5) throw;  // another test may have taken the port meanwhile
    }
  }
  for (auto const& node : nodes_) ids_.push_back(node->cli({"CLUSTER", "MYID"}));
  constexpr int slots = 16384;
  for (std::size_t i = 0; i < masters; ++i) {
    int const first = int(i) * slots / int(masters);
    int const last = (int(i) + 1) * slots / int(masters) - 1;
    node(i).cli({"CLUSTER", "ADDSLOTSRANGE", std::to_string(first), std::to_string(last)});
    node(i).cli({"CLUSTER", "SET-CONFIG-EPOCH", std::to_string(i + 1)});
  }
  // Every node meets every other node, because gossip alone takes seconds.
  for (std::size_t i = 0; i < nodes; ++i) {
    for (std::size_t j = i + 1; j < nodes; ++j) {
      node(i).cli(
          {"CLUSTER", "MEET", "127.0.0.1", std::to_string(node(j).port()), std::to_string(bus_ports[j])});
    }
  }
  for (std::size_t i = 0; i < masters; ++i) {
    wait_for("a replica follows its master",
             [&] { return node(replica_of(i)).cli({"CLUSTER", "REPLICATE", ids_[i]}) == "OK"; });
  }
  wait_until_whole();
}

std::string RedisCluster::url() const {
  std::vector<std::string> addresses;
  for (auto const& node : nodes_) addresses.push_back(fmt::format("127.0.0.1:{}", node->port()));
  return fmt::format("redis+cluster://{}", fmt::join(addresses, ","));
}

std::string RedisCluster::id_of(std::size_t node) const { return ids_.at(node); }

namespace {

// The words of the lines of CLUSTER NODES: id, address, flags, master, ..., slots.
using Lines = std::vector<std::vector<std::string>>;

Lines cluster_nodes(RedisServer const& server) {
  Lines lines;
  std::istringstream text(server.cli({"CLUSTER", "NODES"}));
  for (std::string line; std::getline(text, line);) {
    std::istringstream in(line);
    std::vector<std::string> words;
    for (std::string word; in >> word;) words.push_back(word);
    if (words.size() >= 8) lines.push_back(std::move(words));
  }
  return lines;
}

bool serves(std::vector<std::string> const& line, int slot) {
  if (line[2].find("master") == std::string::npos || line[2].find("fail") != std::string::npos) return false;
  for (std::size_t i = 8; i < line.size(); ++i) {
    if (line[i].starts_with('[')) continue;  // a slot that is moving
    auto const dash = line[i].find('-');
    int const first = std::stoi(line[i]);
    int const last = dash == std::string::npos ? first : std::stoi(line[i].substr(dash + 1));
    if (slot >= first && slot <= last) return true;
  }
  return false;
}

}  // namespace

std::size_t RedisCluster::master_of(int slot) const {
  std::map<std::string, int> votes;
  for (auto const& node : nodes_) {
    if (!node->running()) continue;
    for (auto const& line : cluster_nodes(*node)) {
      if (serves(line, slot)) ++votes[line[0]];
    }
  }
  auto const most = std::ranges::max_element(votes, {}, &std::pair<std::string const, int>::second);
  if (most == votes.end()) return nodes;
  return std::size_t(std::ranges::find(ids_, most->first) - ids_.begin());
}

void RedisCluster::wait_for_new_master(int slot, std::size_t old_master) const {
  wait_for("the slot has a new master", [&] {
    auto const master = master_of(slot);
    return master != nodes && master != old_master;
  });
}

void RedisCluster::wait_until_whole() const {
  for (auto const& node : nodes_) {
    if (!node->running()) continue;
    wait_for("the cluster is whole", [&] {
      auto const info = node->cli({"CLUSTER", "INFO"});
      if (info.find("cluster_state:ok") == info.npos) return false;
      if (info.find(fmt::format("cluster_known_nodes:{}", nodes)) == info.npos) return false;
      if (info.find("cluster_slots_ok:16384") == info.npos) return false;
      auto const replication = node->cli({"INFO", "replication"});
      return replication.find("role:master") != replication.npos ||
             replication.find("master_link_status:up") != replication.npos;
    });
  }
  // A master may not know yet that a replica follows it.
  for (auto const& node : nodes_) {
    if (!node->running()) continue;
    wait_for("replicas are in sync", [&] {
      auto const lines = cluster_nodes(*node);
      std::size_t replicas = 0;
      for (auto const& line : lines) {
        if (line[2] == "slave" || line[2] == "myself,slave") ++replicas;
      }
      std::size_t running = 0;
      for (auto const& other : nodes_) running += other->running() ? 1 : 0;
      return running < nodes || replicas == nodes - masters;
    });
  }
}

Certificates::Certificates(TempDir const& dir, std::string_view name)
    : ca(dir.file(fmt::format("{}.crt", name))),
      certificate(dir.file(fmt::format("{}-server.crt", name))),
      key(dir.file(fmt::format("{}-server.key", name))) {
  auto const file = [&](std::string_view suffix) { return dir.file(fmt::format("{}{}", name, suffix)); };
  auto const openssl = [&](std::vector<std::string> words) {
    words.insert(words.begin(), "openssl");
    run_or_throw({.command = std::move(words), .output = file(".log")});
  };
  auto const new_key = [&](std::string const& path) {
    openssl({"ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", path});
  };
  std::ofstream(file(".ext")) << "subjectAltName=IP:127.0.0.1,DNS:redis.test\n";
  new_key(file(".key"));
  openssl({"req", "-x509", "-new", "-key", file(".key"), "-days", "2", "-subj",
           fmt::format("/CN=test authority {}", name), "-out", ca});
  new_key(key);
  openssl({"req", "-new", "-key", key, "-subj", "/CN=redis.test", "-out", file(".csr")});
  openssl({"x509", "-req", "-in", file(".csr"), "-CA", ca, "-CAkey", file(".key"), "-CAcreateserial", "-days",
           "2", "-extfile", file(".ext"), "-out", certificate});
}

}  // namespace larder::test
