// Real Redis servers for tests, in temporary directories and on free ports.
#pragma once

#include "support/key_watch.hpp"
#include "support/process.hpp"
#include "support/redis_cli.hpp"
#include "support/temp_dir.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace larder::test {

// A port on 127.0.0.1 that is free now, below the ports that outgoing connections get.
int free_port();

// One redis-server on a unix socket. Its data stays in its directory between stop and start.
//
// The process outlives the object. The next RedisServer with the same options gets the process, empty and
// without the clients, scripts and statistics from before. So the cases of a test share one process, one
// after the other. A process is not handed on if it was stopped, killed or paused, or if its settings or
// users have changed. Use it on the main thread only.
//
// A KeyWatch watches the server. The test fails if a script has touched a key that it was not given. It fails
// when the server stops or when this object is destroyed.
class RedisServer {
 public:
  struct Options {
    bool tcp = false;                            // also listens on 127.0.0.1
    std::vector<std::string> settings = {};      // redis.conf lines: "appendonly yes"
    std::string password = {};                   // every client needs it
    bool hand_on = true;                         // false: the process ends with this object
    bool check_keys = true;                      // false: no KeyWatch, for tests with very many commands
    std::vector<DerivedKeys> derived_keys = {};  // keys that scripts may name themselves

    bool operator==(Options const&) const = default;
  };

  RedisServer();  // starts the server
  explicit RedisServer(Options options);
  ~RedisServer();
  RedisServer(RedisServer const&) = delete;
  RedisServer& operator=(RedisServer const&) = delete;

  void start();   // returns when the server answers
  void launch();  // returns at once
  void stop();    // SIGTERM, then waits
  void kill();    // SIGKILL, then waits
  void pause();   // SIGSTOP: accepts connections, but does not answer
  void resume();

  // What redis-cli prints, without the last newline.
  std::string cli(std::vector<std::string> const& words) const;
  std::string cli(RedisLogin const& as, std::vector<std::string> const& words) const;
  std::int64_t stat(std::string_view name) const;  // a number from INFO

  std::string socket() const { return place_->dir.file("redis.sock"); }
  std::string url() const { return "unix:" + socket(); }
  int port() const { return place_->port; }
  std::string log() const;
  std::string directory() const { return place_->dir.path().string(); }
  bool answers() const;
  bool running() const { return place_->process != nullptr && !paused_; }
  pid_t pid() const { return place_->process->pid(); }

 private:
  // What is handed on.
  struct Place {
    Options options;
    TempDir dir = {};
    int port = 0;
    std::unique_ptr<Process> process = {};
    std::string setup = {};  // settings and users after the start
  };
  static std::vector<std::unique_ptr<Place>>& idle_places();
  bool take_over();  // takes an idle process
  std::string setup() const;
  void watch();
  void finish_watch();

  std::unique_ptr<Place> place_;
  std::unique_ptr<KeyWatch> watch_;  // of the running process
  bool paused_ = false;
  bool disturbed_ = false;  // then nobody else gets this process
};

// Three masters (nodes 0 to 2), each with a replica (nodes 3 to 5).
class RedisCluster {
 public:
  static constexpr std::size_t masters = 3;
  static constexpr std::size_t nodes = 6;

  struct Options {
    bool check_keys = true;  // see RedisServer
    std::vector<DerivedKeys> derived_keys = {};
  };

  // Returns when every node sees the whole cluster and every replica has caught up.
  RedisCluster();
  explicit RedisCluster(Options const& options);

  RedisServer& node(std::size_t index) { return *nodes_.at(index); }
  std::string url() const;
  std::string id_of(std::size_t node) const;

  // The node that most running nodes see as the master of the slot.
  std::size_t master_of(int slot) const;
  // The node that replicates `master` when the cluster is new.
  static std::size_t replica_of(std::size_t master) { return master + masters; }

  void wait_for_new_master(int slot, std::size_t old_master) const;
  void wait_until_whole() const;  // among the running nodes

 private:
  std::vector<std::unique_ptr<RedisServer>> nodes_;
  std::vector<std::string> ids_;
};

// A certificate authority and a server certificate for 127.0.0.1 and redis.test.
struct Certificates {
  explicit Certificates(TempDir const& dir, std::string_view name = "ca");
  std::string ca;
  std::string certificate;
  std::string key;
};

}  // namespace larder::test
