#include "stores/redis/connection.hpp"

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/random.hpp"
#include "stores/redis/resp.hpp"
#include "stores/redis/stream.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/write.hpp>
#include <fmt/format.h>

#include <deque>

namespace larder::redis {

namespace {

using Clock = std::chrono::steady_clock;
using Handler = asio::async_result<asio::use_awaitable_t<Executor>, void(Outcome)>::handler_type;

constexpr auto pause_min = std::chrono::milliseconds(20);
constexpr auto pause_max = std::chrono::milliseconds(1000);

struct Pending {
  enum class Kind { request, asking, wait };
  Kind kind = Kind::request;
  bool confirm = false;
  Clock::time_point sent;
  Clock::time_point deadline;
  std::optional<Handler> handler;
};

struct Held {
  Handler handler;
  Reply reply;
};

// The first commands of a connection: log in, choose the database, subscribe.
std::vector<std::vector<std::string>> commands_of(ConnectionOptions const& options) {
  std::vector<std::vector<std::string>> commands;
  if (!options.password.empty()) {
    commands.push_back(options.user.empty()
                           ? std::vector<std::string>{"AUTH", options.password}
                           : std::vector<std::string>{"AUTH", options.user, options.password});
  }
  if (options.db != 0) commands.push_back({"SELECT", std::to_string(options.db)});
  commands.insert(commands.end(), options.setup.begin(), options.setup.end());
  // The PING fails while the server is still loading its data: such a server is not ready yet.
  if (options.setup.empty()) commands.push_back({"PING"});
  return commands;
}

// Whether the same handshake may work later.
bool may_pass(std::string_view error) {
  for (std::string_view const code :
       {"LOADING", "BUSY", "MASTERDOWN", "CLUSTERDOWN", "TRYAGAIN", "ERR max number of clients"}) {
    if (error.starts_with(code)) return true;
  }
  return false;
}

}  // namespace

class Connection::Impl : public std::enable_shared_from_this<Impl> {
 public:
  Impl(asio::io_context& io, ConnectionOptions options, Metrics& metrics)
      : options_(std::move(options)),
        io_(io),
        deadline_timer_(io),
        state_timer_(io),
        seconds_(metrics.seconds("larder_redis_seconds", "Time from sending a Redis command to its answer")),
        losses_(
            metrics.counter("larder_redis_connection_losses_total", "Redis connections lost or refused")) {}

  void enqueue(std::span<std::string_view const> args, SendOptions const& options, Handler handler) {
    if (state_ == State::closed || state_ == State::pausing) {
      // A handler must not run inside the initiating call.
      asio::post(io_, [h = std::move(handler)]() mutable {
        h(Outcome{.delivery = Delivery::not_sent, .reply = {}});
      });
      return;
    }
    auto const now = Clock::now();
    auto const timeout = options.timeout.value_or(options_.timeout);
    auto const deadline = timeout.count() == 0 ? Clock::time_point::max() : now + timeout;
    if (options.asking) {
      encode(out_, std::array<std::string_view, 1>{"ASKING"});
      push({.kind = Pending::Kind::asking, .sent = now, .deadline = deadline, .handler = {}});
    }
    encode(out_, args);
    bool const confirm = options.confirm && options_.replicas_min > 0;
    confirm_ = confirm_ || confirm;
    push({.confirm = confirm, .sent = now, .deadline = deadline, .handler = std::move(handler)});
    open();
    if (state_ == State::ready && !writing_ && !flush_posted_) {
      flush_posted_ = true;
      asio::post(io_, [self = shared_from_this()] {
        self->flush_posted_ = false;
        self->flush();
      });
    }
    arm_deadline(deadline);
  }

  void open() {
    if (state_ != State::idle) return;
    state_ = State::connecting;
    asio::co_spawn(io_, run(), asio::detached);
  }

  void close() {
    if (state_ == State::closed) return;
    state_ = State::closed;
    drop_stream();
    state_timer_.cancel();
    deadline_timer_.cancel();
    // The caller of close() is in the middle of something, so no coroutine is resumed from here. The
    // requests move out of this object: their coroutines may own this connection, and the cycle would keep
    // both alive for ever.
    asio::post(io_, [over = take_all()]() mutable { end(std::move(over)); });
  }

  Endpoint const& endpoint() const { return options_.endpoint; }
  std::string const& last_error() const { return last_error_; }
  bool refused() const { return refused_; }

 private:
  enum class State { idle, connecting, ready, pausing, closed };

  void push(Pending pending) {
    queue_.push_back(std::move(pending));
    ++unsent_;
  }

  void flush() {
    if (state_ != State::ready || writing_) return;
    if (confirm_ && !waiting_) {
      // One WAIT covers all requests that came together, and there is never more than one at a time: a WAIT
      // holds up the whole connection, and does so for long if the replicas are unavailable.
      auto const replicas = std::to_string(options_.replicas_min);
      auto const ms = std::to_string(std::max<std::int64_t>(1, options_.timeout.count() / 4));
      encode(out_, std::array<std::string_view, 3>{"WAIT", replicas, ms});
      auto const now = Clock::now();
      push({.kind = Pending::Kind::wait, .sent = now, .deadline = now + options_.timeout, .handler = {}});
      confirm_ = false;
      waiting_ = true;
    }
    if (out_.empty()) return;
    written_.clear();  // an interrupted write has left its bytes behind
    written_.swap(out_);
    unsent_ = 0;
    writing_ = true;
    stream_.with([&](auto const& stream) {
      asio::async_write(
          *stream, asio::buffer(written_),
          [self = shared_from_this(), stream, g = generation_](boost::system::error_code code, std::size_t) {
            if (g != self->generation_) return;
            self->writing_ = false;
            if (code) return self->lose(code.message());
            self->flush();
          });
    });
  }

  void read_more() {
    stream_.with([&](auto const& stream) {
      stream->async_read_some(asio::buffer(chunk_), [self = shared_from_this(), stream, g = generation_](
                                                        boost::system::error_code code, std::size_t bytes) {
        if (g != self->generation_) return;
        if (code) return self->lose(code.message());
        self->reader_.feed({self->chunk_.data(), bytes});
        self->deliver_all();
        if (g == self->generation_) self->read_more();
      });
    });
  }

  void deliver_all() {
    auto const generation = generation_;
    try {
      while (generation == generation_) {
        auto reply = reader_.next();
        if (!reply) return;
        deliver(std::move(*reply));
      }
    } catch (std::exception const& error) {
      lose(error.what());
    }
  }

  void deliver(Reply reply) {
    if (options_.on_push && is_push(reply)) return options_.on_push(reply.view());
    if (queue_.size() == unsent_) throw std::runtime_error("an answer that nobody asked for");
    pause_ = pause_min;  // the connection works
    Pending pending = std::move(queue_.front());
    queue_.pop_front();
    if (!queue_.empty()) arm_deadline(queue_.front().deadline);
    switch (pending.kind) {
      case Pending::Kind::asking: return;
      case Pending::Kind::wait:
        waiting_ = false;
        release_held(reply);
        return flush();
      case Pending::Kind::request: break;
    }
    seconds_.Observe(std::chrono::duration<double>(Clock::now() - pending.sent).count());
    if (pending.confirm && !reply.is_error()) {
      held_.push_back({std::move(*pending.handler), std::move(reply)});
      return;
    }
    (*pending.handler)(Outcome{.delivery = Delivery::answered, .reply = std::move(reply)});
  }

  void release_held(Reply const& replicas) {
    bool const enough = !replicas.is_error() && replicas.integer() >= options_.replicas_min;
    auto held = std::exchange(held_, {});
    for (auto& [handler, reply] : held) {
      handler(Outcome{.delivery = enough ? Delivery::answered : Delivery::unconfirmed,
                      .reply = std::move(reply)});
    }
  }

  void lose(std::string const& why) {
    if (state_ != State::ready) return;
    losses_.Increment();
    last_error_ = why;
    log::warn("redis connection lost", {{"node", options_.endpoint.str()}, {"why", why}});
    state_ = State::connecting;
    drop_stream();
    end(take_sent());
    state_timer_.cancel();  // wakes run()
  }

  void drop_stream() {
    ++generation_;
    writing_ = false;
    stream_.close();
  }

  // Requests that will not be answered any more.
  struct Over {
    std::vector<Held> held;
    std::vector<Pending> sent;
    std::deque<Pending> unsent;
  };

  // Leaves the requests that have not been sent yet: they go out on the next connection.
  Over take_sent() {
    Over over{.held = std::exchange(held_, {}), .sent = {}, .unsent = {}};
    for (auto rest = queue_.size() - unsent_; rest > 0; --rest) {
      over.sent.push_back(std::move(queue_.front()));
      queue_.pop_front();
    }
    waiting_ = false;
    confirm_ = std::ranges::any_of(queue_, &Pending::confirm);
    return over;
  }

  Over take_all() {
    auto over = take_sent();
    over.unsent = std::exchange(queue_, {});
    unsent_ = 0;
    out_.clear();
    confirm_ = false;
    return over;
  }

  // Works on requests that were moved out of the object, because resumed coroutines may make new
  // requests meanwhile.
  static void end(Over over) {
    for (auto& [handler, reply] : over.held) handler(Outcome{.delivery = Delivery::unknown, .reply = {}});
    for (auto& pending : over.sent) {
      if (pending.handler) (*pending.handler)(Outcome{.delivery = Delivery::unknown, .reply = {}});
    }
    for (auto& pending : over.unsent) {
      if (pending.handler) (*pending.handler)(Outcome{.delivery = Delivery::not_sent, .reply = {}});
    }
  }

  // Answers come in order, so the deadline of the oldest request is the only one to watch.
  void arm_deadline(Clock::time_point deadline) {
    if (deadline >= deadline_armed_) return;
    deadline_armed_ = deadline;
    deadline_timer_.expires_at(deadline);
    deadline_timer_.async_wait([self = shared_from_this()](boost::system::error_code code) {
      if (code) return;  // the timer was set to an earlier time, or cancelled
      self->deadline_armed_ = Clock::time_point::max();
      if (self->queue_.empty()) return;
      auto const next = self->queue_.front().deadline;
      if (next > Clock::now()) return self->arm_deadline(next);
      if (self->state_ == State::ready) return self->lose("no answer in time");
      self->arm_deadline(Clock::now() + self->options_.timeout);  // connecting has its own limit
    });
  }

  Task<void> run() {
    auto const self = shared_from_this();
    while (state_ != State::closed) {
      std::string why;
      try {
        co_await connect();
      } catch (std::exception const& error) {
        why = error.what();
      }
      if (state_ == State::closed) co_return;
      boost::system::error_code code;
      if (why.empty()) {
        state_ = State::ready;
        if (!std::exchange(last_error_, "").empty()) {
          log::info("redis is back", {{"node", options_.endpoint.str()}});
        }
        if (options_.on_connect) options_.on_connect();
        deliver_all();
        if (state_ == State::ready) {
          read_more();
          flush();
        }
        if (state_ == State::ready) {
          state_timer_.expires_at(Clock::time_point::max());
          co_await state_timer_.async_wait(asio::redirect_error(use_task, code));
        }
        if (state_ == State::closed) co_return;
      } else {
        if (why != last_error_) {
          log::warn("redis cannot be reached", {{"node", options_.endpoint.str()}, {"why", why}});
        }
        last_error_ = why;
        losses_.Increment();
        drop_stream();
      }
      // The pause grows even if connecting worked: a server that accepts and hangs up must not make us spin.
      state_ = why.empty() ? State::connecting : State::pausing;
      if (state_ == State::pausing) end(take_all());
      auto const jitter = std::chrono::milliseconds(random_.below(std::uint64_t(pause_.count())));
      state_timer_.expires_after(why.empty() ? pause_ - pause_min : pause_ / 2 + jitter);
      pause_ = std::min(pause_ * 2, pause_max);
      co_await state_timer_.async_wait(asio::redirect_error(use_task, code));
      if (state_ == State::pausing) state_ = State::connecting;
    }
  }

  Task<void> connect() {
    refused_ = false;
    reader_ = RespReader();
    stream_ = Stream();
    // When the time is up, the timer closes the stream, which ends whatever the coroutine waits for.
    auto const generation = ++generation_;
    Timer limit(io_);
    limit.expires_after(options_.timeout);
    limit.async_wait([self = shared_from_this(), generation](boost::system::error_code code) {
      if (!code && generation == self->generation_) self->drop_stream();
    });
    try {
      co_await stream_.open(io_, options_.endpoint, options_.tls.get(),
                            [&] { return generation == generation_; });
      if (auto const tls = stream_.tls()) {
        co_await handshake(*tls);
      } else {
        co_await handshake(*stream_.plain());
      }
    } catch (boost::system::system_error const& error) {
      if (generation != generation_) throw std::runtime_error("no connection in time");
      throw std::runtime_error(error.code().message());
    }
    if (generation != generation_) throw std::runtime_error("no connection in time");
    ++generation_;  // the limit no longer applies, even if its timer has already fired
  }

  // Sends the commands that come before the first request, and reads their answers.
  Task<void> handshake(auto& stream) {
    auto const commands = commands_of(options_);
    std::string out;
    for (auto const& command : commands) encode(out, command);
    co_await asio::async_write(stream, asio::buffer(out), use_task);
    for (std::size_t answered = 0; answered < commands.size();) {
      auto reply = reader_.next();
      if (!reply) {
        auto const bytes = co_await stream.async_read_some(asio::buffer(chunk_), use_task);
        reader_.feed({chunk_.data(), bytes});
        continue;
      }
      if (reply->is_error()) {
        refused_ = !may_pass(reply->text());
        throw std::runtime_error(std::string(reply->text()));
      }
      if (options_.on_push && is_push(*reply)) {
        options_.on_push(reply->view());  // from a channel that is already subscribed
      } else {
        ++answered;
      }
    }
  }

  ConnectionOptions options_;
  asio::io_context& io_;
  State state_ = State::idle;
  std::uint64_t generation_ = 0;  // of the stream; callbacks of an older one are ignored
  Stream stream_;
  RespReader reader_;
  std::array<char, 64 * 1024> chunk_;

  std::deque<Pending> queue_;
  std::size_t unsent_ = 0;  // the last `unsent_` of queue_ are still in out_
  std::vector<Held> held_;  // answered, waiting for their replicas
  std::string out_;
  std::string written_;
  bool writing_ = false;
  bool flush_posted_ = false;
  bool confirm_ = false;  // a request needs a WAIT, but no WAIT covers it yet
  bool waiting_ = false;  // a WAIT is in flight

  Timer deadline_timer_;
  Clock::time_point deadline_armed_ = Clock::time_point::max();
  Timer state_timer_;  // times the pause before a reconnect; while ready, lose() cancels it
  std::chrono::milliseconds pause_ = pause_min;
  Random random_{random_seed()};
  std::string last_error_;
  bool refused_ = false;

  prometheus::Histogram& seconds_;
  prometheus::Counter& losses_;
};

Connection::Connection(asio::io_context& io, ConnectionOptions options, Metrics& metrics)
    : impl_(std::make_shared<Impl>(io, std::move(options), metrics)) {}

Connection::~Connection() { close(); }

void Connection::open() { impl_->open(); }
void Connection::close() { impl_->close(); }

Task<Outcome> Connection::send(std::span<std::string_view const> args, SendOptions options) {
  return asio::async_initiate<asio::use_awaitable_t<Executor> const, void(Outcome)>(
      [impl = impl_, args, options](Handler handler) { impl->enqueue(args, options, std::move(handler)); },
      use_task);
}

Endpoint const& Connection::endpoint() const { return impl_->endpoint(); }
std::string const& Connection::last_error() const { return impl_->last_error(); }
bool Connection::refused() const { return impl_->refused(); }

}  // namespace larder::redis
