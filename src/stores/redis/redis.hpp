// Redis as the rest of Larder sees it: one server or a cluster, commands and scripts by key.
#pragma once

#include "base/metrics.hpp"
#include "base/single_flight.hpp"
#include "stores/redis/connection.hpp"
#include "stores/redis/script_call.hpp"
#include "stores/redis/slot.hpp"
#include "stores/redis/url.hpp"

#include <array>
#include <chrono>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace larder::redis {

struct Options {
  Url url;
  std::chrono::milliseconds timeout{2000};  // of one attempt; none begins after that time
  int replicas_min = 0;
  std::string tls_ca;
};

// What a command does, and so what may be done when its outcome is unknown.
enum class Use {
  read,              // repeated freely
  write,             // never repeated
  idempotent_write,  // repeated: a second run gives the first one's answer
};

// Thread-compatible: one per io thread; must outlive its tasks, unless its io_context runs no more. Throws
// StoreError when Redis is away or the outcome is unknown,
// ReplyError when it refuses a command. Follows MOVED, ASK, TRYAGAIN, CLUSTERDOWN and failovers until the
// timeout is over.
class Redis {
 public:
  Redis(asio::io_context& io, Options options, Metrics& metrics);
  ~Redis();

  // Routed by `key`, which must be the slot of all keys in `args`. The views must live until the task is
  // done.
  Task<Reply> command(Use use, std::string_view key, std::span<std::string_view const> args);
  Task<Reply> command(Use use, std::string_view key, std::initializer_list<std::string_view> args) {
    return command(use, key, std::span(args.begin(), args.size()));
  }

  // Runs a script. The call must have a key; the first one routes it. EVALSHA, and EVAL once where the server
  // does not know the script yet.
  Task<Reply> run(Use use, ScriptCall call);

  // Whether Redis answers: every master of a cluster.
  Task<void> ping();

  // Gives every key that matches the pattern to `each`, some at a time, over all masters of a cluster. A key
  // may come twice; one that comes or goes meanwhile, or moves to another master, may be missed.
  Task<void> scan(std::string pattern, std::function<Task<void>(std::vector<std::string>)> each);

  bool is_cluster() const { return options_.url.cluster; }
  Options const& options() const { return options_; }

 private:
  Task<Reply> execute(Use use, std::string_view key, std::span<std::string_view const> args,
                      bool maybe_done = false);
  std::shared_ptr<Connection> const& node(Endpoint const& endpoint);
  std::shared_ptr<Connection> const& node_of(int slot);
  Task<void> refresh_slots();
  Task<void> ask_all_for_slots();
  Task<std::vector<std::shared_ptr<Connection>>> masters();

  asio::io_context& io_;
  Options options_;
  Metrics& metrics_;
  std::shared_ptr<asio::ssl::context> tls_;
  std::map<Endpoint, std::shared_ptr<Connection>> nodes_;
  std::vector<std::shared_ptr<Connection>> slots_;  // empty without a cluster
  SingleFlight refreshing_;
  prometheus::Counter& retries_;
  prometheus::Counter& redirects_;
};

// Listens to channels on a connection of its own, from now until it is destroyed, and connects again by
// itself. What was published while it was away is gone: `on_connect` tells, the first time included, that
// messages may have been missed before. The handlers run on the io_context's thread.
class Subscription {
 public:
  struct Handlers {
    std::function<void(std::string_view channel, std::string_view message)> on_message;
    std::function<void()> on_connect;
  };
  Subscription(asio::io_context& io, Options const& options, Metrics& metrics,
               std::vector<std::string> const& channels, Handlers handlers);

 private:
  std::unique_ptr<Connection> connection_;
};

// A dedicated connection for reads that block; not for a cluster, where a connection belongs to a node.
std::unique_ptr<Connection> dedicated(asio::io_context& io, Options const& options, Metrics& metrics);

}  // namespace larder::redis
