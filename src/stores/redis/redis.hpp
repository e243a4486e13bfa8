// The Redis client of the rest of Larder: commands and scripts, routed by key, for one server or a cluster.
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
  std::chrono::milliseconds timeout{2000};  // of one attempt; no attempt begins later than this
  int replicas_min = 0;
  std::string tls_ca;
};

// What a command does. This decides what happens when its outcome is unknown.
enum class Use {
  read,              // repeated freely
  write,             // never repeated
  idempotent_write,  // repeated: a second run gives the answer of the first
};

// Thread-compatible: each io thread has its own. A Redis must outlive its tasks, unless its io_context no
// longer runs. Throws StoreError if Redis is unavailable or the outcome is unknown (UnusableError if a node
// refuses every connection, as with a wrong password; LostError if a script fails with LOST), and ReplyError
// if Redis refuses a command. On a cluster, commands follow MOVED, ASK, TRYAGAIN, CLUSTERDOWN and failovers
// until the timeout is over.
class Redis {
 public:
  Redis(asio::io_context& io, Options options, Metrics& metrics);
  ~Redis();

  // Sends a command to the node that has `key`. All keys in `args` must be in the slot of `key`. The views
  // must stay valid until the task is done.
  Task<Reply> command(Use use, std::string_view key, std::span<std::string_view const> args);
  Task<Reply> command(Use use, std::string_view key, std::initializer_list<std::string_view> args) {
    return command(use, key, std::span(args.begin(), args.size()));
  }

  // Runs a script. The call must have at least one key; the first key routes it. Sends EVALSHA, and then EVAL
  // if the server does not know the script yet.
  Task<Reply> run(Use use, ScriptCall call);

  // Throws StoreError if Redis does not answer. On a cluster, every master must answer.
  Task<void> ping();

  // Sends a command that has no key to every master of the cluster, one after the other; without a cluster,
  // to the only server. Gives each answer to `each`. Throws StoreError if one does not answer or cannot run
  // the command now, and ReplyError if one refuses it.
  Task<void> ask_masters(std::vector<std::string_view> args,
                         std::function<void(Endpoint const&, ReplyView)> each);

  // Gives every key that matches the pattern to `each`, in portions. On a cluster, scans all masters. A key
  // may come twice. A key that is created, deleted or moved to another master meanwhile may be missed.
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
  [[noreturn]] void fail(std::string const& why, bool maybe_done) const;
  std::string store_name() const;

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

// Listens to channels on its own connection until it is destroyed, and reconnects by itself. Messages that
// were published while it was not connected are lost. `on_connect` is called after every connect, including
// the first: messages may have been missed before it. The handlers run on the thread of the io_context.
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

// A separate connection for reads that block. Not for a cluster, where a connection belongs to one node.
std::unique_ptr<Connection> dedicated(asio::io_context& io, Options const& options, Metrics& metrics);

}  // namespace larder::redis
