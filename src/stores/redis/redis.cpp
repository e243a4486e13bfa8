#include "stores/redis/redis.hpp"

#include "base/error.hpp"
#include "base/log.hpp"
#include "stores/redis/stream.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/ssl/context.hpp>
#include <fmt/format.h>

#include <charconv>
#include <set>

namespace larder::redis {

namespace {

using Clock = std::chrono::steady_clock;

constexpr auto retry_pause_min = std::chrono::milliseconds(5);
constexpr auto retry_pause_max = std::chrono::milliseconds(100);

std::shared_ptr<asio::ssl::context> make_tls(Options const& options) {
  return options.url.tls ? make_client_tls(options.tls_ca, "redis.tls_ca") : nullptr;
}

ConnectionOptions connection_options(Options const& options, Endpoint const& endpoint,
                                     std::shared_ptr<asio::ssl::context> tls) {
  return {.endpoint = endpoint,
          .user = options.url.user,
          .password = options.url.password,
          .db = options.url.db,
          .tls = std::move(tls),
          .timeout = options.timeout,
          .replicas_min = options.replicas_min,
          .setup = {},
          .on_push = {},
          .on_connect = {}};
}

// "MOVED 3999 127.0.0.1:6381" -> slot and address. An empty host stands for the node that was asked.
struct Redirect {
  int slot = 0;
  Endpoint endpoint;
};
std::optional<Redirect> parse_redirect(std::string_view error, Endpoint const& asked) {
  auto const first = error.find(' ');
  auto const second = error.find(' ', first + 1);
  auto const colon = error.rfind(':');
  if (first == error.npos || second == error.npos || colon == error.npos || colon < second)
    return std::nullopt;
  Redirect redirect;
  auto const slot = error.substr(first + 1, second - first - 1);
  auto const port = error.substr(colon + 1);
  if (std::from_chars(slot.data(), slot.data() + slot.size(), redirect.slot).ec != std::errc{})
    return std::nullopt;
  if (std::from_chars(port.data(), port.data() + port.size(), redirect.endpoint.port).ec != std::errc{}) {
    return std::nullopt;
  }
  redirect.endpoint.host = error.substr(second + 1, colon - second - 1);
  if (redirect.endpoint.host.empty()) redirect.endpoint.host = asked.host;
  if (redirect.slot < 0 || redirect.slot >= slot_count) return std::nullopt;
  return redirect;
}

struct SlotRange {
  std::int64_t first = 0;
  std::int64_t last = 0;
  Endpoint master;
};

std::vector<SlotRange> parse_slots(Reply const& map, Endpoint const& asked) {
  std::vector<SlotRange> ranges;
  for (std::size_t i = 0; i < map.size(); ++i) {
    auto const range = map.at(i);
    auto const master = range.at(2);
    // An empty host stands for the node that was asked.
    auto host = master.at(0).optional_text().value_or("");
    if (host.empty()) host = asked.host;
    ranges.push_back({.first = std::max<std::int64_t>(0, range.at(0).integer()),
                      .last = std::min<std::int64_t>(slot_count - 1, range.at(1).integer()),
                      .master = {std::move(host), int(master.at(1).integer())}});
  }
  return ranges;
}

// Asks all nodes for the slot map. A survey ends with the first good answer, or when all nodes have failed.
struct Survey {
  Survey(Executor const& executor, std::size_t nodes) : over(executor), running(nodes) {}
  bool open() const { return ranges.empty() && running > 0; }

  Timer over;
  std::size_t running;
  std::vector<SlotRange> ranges;
};

Task<std::vector<SlotRange>> slots_as_seen_by(Connection& node, std::chrono::milliseconds timeout) {
  std::array<std::string_view, 2> const info_args{"CLUSTER", "INFO"};
  std::array<std::string_view, 2> const slots_args{"CLUSTER", "SLOTS"};
  // A node that is cut off from the majority still answers CLUSTER SLOTS, but with an outdated map.
  auto const info = co_await node.send(info_args, {.timeout = timeout});
  if (info.delivery != Delivery::answered || info.reply.is_error()) co_return std::vector<SlotRange>{};
  if (info.reply.text().find("cluster_state:ok") == std::string_view::npos)
    co_return std::vector<SlotRange>{};
  auto const map = co_await node.send(slots_args, {.timeout = timeout});
  if (map.delivery != Delivery::answered || map.reply.is_error()) co_return std::vector<SlotRange>{};
  co_return parse_slots(map.reply, node.endpoint());
}

Task<void> ask_for_slots(std::shared_ptr<Connection> node, std::chrono::milliseconds timeout,
                         std::shared_ptr<Survey> survey) {
  std::vector<SlotRange> ranges;
  try {
    ranges = co_await slots_as_seen_by(*node, timeout);
  } catch (ReplyError const& error) {
    log::warn("redis node gave no slot map", {{"node", node->endpoint().str()}, {"why", error.what()}});
  }
  --survey->running;
  if (survey->ranges.empty()) survey->ranges = std::move(ranges);
  if (!survey->open()) survey->over.cancel();
}

// True if the server did not run the command but may run it soon: the server is loading, failing over, moving
// a slot, or cannot write.
bool is_passing(std::string_view error) {
  for (std::string_view const code : {"TRYAGAIN", "CLUSTERDOWN", "LOADING", "MASTERDOWN", "READONLY",
                                      "MISCONF", "BUSY ", "NOREPLICAS", "OOM"}) {
    if (error.starts_with(code)) return true;
  }
  return false;
}

}  // namespace

Redis::Redis(asio::io_context& io, Options options, Metrics& metrics)
    : io_(io),
      options_(std::move(options)),
      metrics_(metrics),
      tls_(make_tls(options_)),
      retries_(metrics.counter("larder_redis_retries_total", "Redis commands sent again")),
      redirects_(
          metrics.counter("larder_redis_redirects_total", "MOVED and ASK answers of a Redis Cluster")) {
  LARDER_ASSERT(!options_.url.endpoints.empty());
  if (is_cluster()) slots_.assign(slot_count, nullptr);
}

Redis::~Redis() {
  for (auto const& [endpoint, connection] : nodes_) connection->close();
}

std::shared_ptr<Connection> const& Redis::node(Endpoint const& endpoint) {
  auto& connection = nodes_[endpoint];
  if (!connection) {
    connection = std::make_shared<Connection>(io_, connection_options(options_, endpoint, tls_), metrics_);
  }
  return connection;
}

std::shared_ptr<Connection> const& Redis::node_of(int slot) {
  return is_cluster() ? slots_[std::size_t(slot)] : node(options_.url.endpoints.front());
}

Task<Reply> Redis::command(Use use, std::string_view key, std::span<std::string_view const> args) {
  auto reply = co_await execute(use, key, args);
  if (reply.is_error()) throw ReplyError(std::string(reply.text()));
  co_return reply;
}

Task<Reply> Redis::run(Use use, ScriptCall call) {
  LARDER_ASSERT(call.key_count() > 0);
  auto const& script = call.script();
  auto const key_count = std::to_string(call.key_count());
  std::vector<std::string_view> words{"EVALSHA", script.sha(), key_count};
  call.append_words(words);
  auto const first_key = words[3];
  auto reply = co_await execute(use, first_key, words);
  if (reply.is_error() && reply.text().starts_with("NOSCRIPT")) {
    words[0] = "EVAL";
    words[1] = script.text();
    reply = co_await execute(use, first_key, words, reply.repeated());
  }
  if (reply.is_error()) {
    auto why = fmt::format("{}: {}", script.name(), reply.text());
    if (reply.text().starts_with("LOST ")) throw LostError(why);
    throw ReplyError(why);
  }
  reply.set_script(script.name());
  co_return reply;
}

// Sends the command until there is a final answer or the time is over. `maybe_done` means that an earlier
// attempt may have taken effect: then the outcome stays unknown even if a later attempt was not sent.
Task<Reply> Redis::execute(Use use, std::string_view key, std::span<std::string_view const> args,
                           bool maybe_done) {
  auto const deadline = Clock::now() + options_.timeout;
  auto const slot = is_cluster() ? slot_of(key) : 0;
  SendOptions send{.confirm = use != Use::read};
  std::shared_ptr<Connection> asked;  // the node named by an ASK, for one attempt
  auto pause = retry_pause_min;
  for (;;) {
    send.asking = asked != nullptr;
    auto const target = asked ? std::exchange(asked, nullptr) : node_of(slot);
    std::string why;
    bool again = is_cluster();
    if (target) {
      auto outcome = co_await target->send(args, send);
      if (outcome.delivery == Delivery::answered) {
        outcome.reply.set_repeated(maybe_done);
        if (!outcome.reply.is_error()) co_return std::move(outcome.reply);
        auto const error = outcome.reply.text();
        if (error.starts_with("MOVED ") && is_cluster()) {
          redirects_.Increment();
          auto const redirect = parse_redirect(error, target->endpoint());
          if (redirect) slots_[std::size_t(redirect->slot)] = node(redirect->endpoint);
          if (redirect && Clock::now() < deadline) continue;
        } else if (error.starts_with("ASK ") && is_cluster()) {
          redirects_.Increment();
          auto const redirect = parse_redirect(error, target->endpoint());
          if (redirect) asked = node(redirect->endpoint);
          if (asked && Clock::now() < deadline) continue;
        } else if (!is_passing(error)) {
          co_return std::move(outcome.reply);
        }
        why = error;
      } else if (outcome.delivery == Delivery::not_sent) {
        why = fmt::format("Redis at {} is away: {}", target->endpoint().str(), target->last_error());
        again = again || maybe_done;
      } else {
        maybe_done = use != Use::read;
        again = use != Use::write;
        why = outcome.delivery == Delivery::unconfirmed ? "too few replicas have it"
                                                        : "the connection to Redis broke before the answer";
      }
    } else {
      why = "no node serves this part of the cluster";
    }
    if (!again || Clock::now() + pause >= deadline) fail(why, maybe_done);
    retries_.Increment();
    co_await sleep_for(pause);
    pause = std::min(pause * 2, retry_pause_max);
    if (is_cluster()) co_await refresh_slots();
  }
}

// All nodes of a cluster are one store.
std::string Redis::store_name() const {
  return fmt::format("Redis at {}", options_.url.endpoints.front().str());
}

// If a node refuses this server for good, that is the reason, whatever else happened.
void Redis::fail(std::string const& why, bool maybe_done) const {
  for (auto const& [endpoint, connection] : nodes_) {
    if (maybe_done || !connection->refused()) continue;
    throw UnusableError(
        fmt::format("Redis at {} refuses the connection: {}", endpoint.str(), connection->last_error()),
        store_name());
  }
  throw StoreError(why, maybe_done, store_name());
}

// If another coroutine is already refreshing, this one waits for it instead.
Task<void> Redis::refresh_slots() {
  co_await refreshing_.run([this] { return ask_all_for_slots(); });
}

Task<void> Redis::ask_all_for_slots() {
  auto endpoints = options_.url.endpoints;
  for (auto const& [endpoint, connection] : nodes_) {
    if (std::ranges::find(endpoints, endpoint) == endpoints.end()) endpoints.push_back(endpoint);
  }
  // All nodes are asked at once, because some may be gone or hang. The first good answer counts.
  auto const survey = std::make_shared<Survey>(io_.get_executor(), endpoints.size());
  survey->over.expires_after(options_.timeout / 2);
  for (auto const& endpoint : endpoints) {
    asio::co_spawn(io_, ask_for_slots(node(endpoint), options_.timeout / 2, survey), asio::detached);
  }
  if (survey->open()) {
    boost::system::error_code code;
    co_await survey->over.async_wait(asio::redirect_error(use_task, code));
  }
  for (auto const& [first, last, master] : survey->ranges) {
    auto const& owner = node(master);
    for (auto slot = first; slot <= last; ++slot) slots_[std::size_t(slot)] = owner;
  }
  // Drops the connections to nodes that have left the cluster, once nobody uses them.
  std::erase_if(nodes_, [&](auto const& entry) {
    return entry.second.use_count() == 1 &&
           std::ranges::find(options_.url.endpoints, entry.first) == options_.url.endpoints.end();
  });
}

// The current masters of the cluster; without a cluster, the only server.
Task<std::vector<std::shared_ptr<Connection>>> Redis::masters() {
  if (!is_cluster()) co_return std::vector{node_of(0)};
  co_await refresh_slots();
  std::set<std::shared_ptr<Connection>> const found(slots_.begin(), slots_.end());
  if (found.contains(nullptr)) fail("a part of the Redis Cluster has no node", false);
  co_return std::vector(found.begin(), found.end());
}

Task<void> Redis::ping() {
  return ask_masters({"PING"}, [](Endpoint const&, ReplyView) {});
}

Task<void> Redis::ask_masters(std::vector<std::string_view> args,
                              std::function<void(Endpoint const&, ReplyView)> each) {
  if (!is_cluster()) {
    auto const reply = co_await command(Use::read, "", args);
    each(options_.url.endpoints.front(), reply.view());
    co_return;
  }
  for (auto const& master : co_await masters()) {
    auto const outcome = co_await master->send(args, {});
    if (outcome.delivery != Delivery::answered) {
      throw StoreError(fmt::format("Redis at {} does not answer", master->endpoint().str()), false,
                       store_name());
    }
    auto const& reply = outcome.reply;
    if (reply.is_error() && is_passing(reply.text()))
      throw StoreError(std::string(reply.text()), false, store_name());
    if (reply.is_error()) throw ReplyError(std::string(reply.text()));
    each(master->endpoint(), reply.view());
  }
}

Task<void> Redis::scan(std::string pattern, std::function<Task<void>(std::vector<std::string>)> each) {
  for (auto const& master : co_await masters()) {
    std::string cursor = "0";
    do {
      std::array<std::string_view, 6> const args{"SCAN", cursor, "MATCH", pattern, "COUNT", "1000"};
      auto const outcome = co_await master->send(args, {});
      if (outcome.delivery != Delivery::answered) {
        throw StoreError(fmt::format("Redis at {} does not answer", master->endpoint().str()), false,
                         store_name());
      }
      if (outcome.reply.is_error()) throw ReplyError(std::string(outcome.reply.text()));
      auto const found = outcome.reply.at(1);
      std::vector<std::string> keys;
      for (std::size_t i = 0; i < found.size(); ++i) keys.emplace_back(found.at(i).text());
      cursor = outcome.reply.at(0).text();
      if (!keys.empty()) co_await each(std::move(keys));
    } while (cursor != "0");
  }
}

Subscription::Subscription(asio::io_context& io, Options const& options, Metrics& metrics,
                           std::vector<std::string> const& channels, Handlers handlers) {
  auto settings = connection_options(options, options.url.endpoints.front(), make_tls(options));
  for (auto const& channel : channels) settings.setup.push_back({"SUBSCRIBE", channel});
  settings.on_push = [on_message = std::move(handlers.on_message)](ReplyView message) {
    on_message(message.at(message.size() - 2).text(), message.at(message.size() - 1).text());
  };
  settings.on_connect = std::move(handlers.on_connect);
  connection_ = std::make_unique<Connection>(io, std::move(settings), metrics);
  connection_->open();
}

std::unique_ptr<Connection> dedicated(asio::io_context& io, Options const& options, Metrics& metrics) {
  LARDER_ASSERT(!options.url.cluster);
  return std::make_unique<Connection>(
      io, connection_options(options, options.url.endpoints.front(), make_tls(options)), metrics);
}

}  // namespace larder::redis
