#include "kit/events/projector.hpp"

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/random.hpp"
#include "base/when_all.hpp"
#include "kit/events/dead_events.hpp"

namespace larder::events {

namespace {

constexpr std::size_t streams_per_round = 64;
constexpr int events_per_round = 4000;  // a transaction must end well before the leases do
constexpr double busy_events = 100;
constexpr int busy_factor = 5;
constexpr auto poll_pause = std::chrono::milliseconds(4);
// With any number of streams, looking at them costs at most a thousand small commands a second.
constexpr std::size_t looks_at_once = 256;
constexpr auto look_pause = std::chrono::milliseconds(250);
// The log repeats the same reason only after this time.
constexpr auto told_again = std::chrono::minutes(1);
constexpr std::string_view nothing_projected = "0-0";

struct Look {
  std::string oldest;  // the id of the oldest event that is not projected yet; empty: none
  std::int64_t dead = 0;
  std::int64_t to_retry = 0;
  bool exists = false;
};

// `last` is the last event to look at, or "+".
Task<Look> look_at(redis::Redis& redis, OutboxKeys const& keys, std::string_view last) {
  auto const reply = co_await redis.run(redis::Use::read, scripts::outbox_look(keys, last));
  co_return Look{.oldest = std::string(reply.at(0).text()),
                 .dead = reply.at(1).integer(),
                 .to_retry = reply.at(2).integer(),
                 .exists = reply.at(3).integer() == 1};
}

}  // namespace

Projector::Projector(asio::io_context& io, redis::Redis& redis, sql::Database& sql, Clock const& clock,
                     ProjectorOptions options, Apply apply, Metrics& metrics)
    : io_(io),
      redis_(redis),
      sql_(sql),
      clock_(clock),
      options_(std::move(options)),
      apply_(std::move(apply)),
      feed_(redis),
      owner_(random_hex(8)),
      tasks_(io),
      woken_timer_(io),
      projected_(metrics.counter("larder_projected_events_total", "Events moved from an outbox into SQL",
                                 {{"outbox", options_.name}})),
      failures_(metrics.counter("larder_projector_failures_total", "Attempts to project that failed",
                                {{"outbox", options_.name}})),
      lag_seconds_(metrics.gauge("larder_outbox_lag_seconds", "Age of the oldest event not yet projected",
                                 {{"outbox", options_.name}})),
      dead_(metrics.gauge("larder_outbox_dead", "Events that SQL refuses and that wait for a person",
                          {{"outbox", options_.name}})),
      lost_(metrics.gauge("larder_outbox_lost", "Outboxes of which Redis or SQL has lost a part",
                          {{"outbox", options_.name}})) {
  for (auto const& stream : options_.streams) add(stream);
}

Projector::~Projector() = default;

std::size_t Projector::add(std::string stream) {
  auto const index = streams_.size();
  streams_.push_back({.index = index, .keys = OutboxKeys(std::move(stream))});
  std::lock_guard const lock(mutex_);
  is_woken_.push_back(false);
  return index;
}

Task<void> Projector::open() {
  std::vector<std::string> names;
  for (auto const& stream : streams_) names.push_back(stream.keys.stream);
  co_await open_outboxes_or_refuse(redis_, sql_, std::move(names));
  for (auto& stream : streams_) stream.state = Stream::State::open;
}

void Projector::start() {
  tasks_.spawn(work());
  tasks_.spawn(watch());
}

void Projector::wake(std::size_t stream) {
  {
    std::lock_guard const lock(mutex_);
    LARDER_ASSERT(stream < is_woken_.size());
    if (is_woken_[stream]) return;
    is_woken_[stream] = true;
    woken_.push_back(stream);
    if (woken_.size() > 1) return;  // the first one has woken work() already
  }
  asio::post(io_, [this] { woken_timer_.cancel(); });
}

Task<void> Projector::stop() { return tasks_.stop(); }

std::vector<Projector::Stream*> Projector::take_woken() {
  std::lock_guard const lock(mutex_);
  std::vector<Stream*> taken;
  while (!woken_.empty() && taken.size() < streams_per_round) {
    is_woken_[woken_.front()] = false;
    streams_[woken_.front()].waits = true;
    if (auto& state = streams_[woken_.front()].state; state == Stream::State::gone)
      state = Stream::State::unopened;
    taken.push_back(&streams_[woken_.front()]);
    woken_.pop_front();
  }
  return taken;
}

bool Projector::any_woken() {
  std::lock_guard const lock(mutex_);
  return !woken_.empty();
}

Task<void> Projector::work() {
  auto pause = options_.linger;
  for (bool last_round = false; !last_round;) {
    last_round = tasks_.stopping();
    try {
      if (last_round) co_await look();
      auto const before = projected_.Value();
      while (co_await project_woken()) {}
      // Under load, let more events gather: fewer commits leave the disk to the fsyncs of Redis.
      bool const busy = projected_.Value() - before > busy_events;
      pause = busy ? options_.linger * busy_factor : options_.linger;
      if (!any_woken()) co_await tasks_.sleep_on(woken_timer_, options_.sweep);
    } catch (std::exception const& error) {
      // The woken streams are no longer marked as woken; watch() finds them again.
      report(error.what());
      pause = std::clamp(pause * 2, std::chrono::milliseconds(50), options_.retry_max);
    }
    co_await tasks_.sleep(pause);
  }
}

// A task of its own, and it asks SQL last, so that the lag is correct even while SQL hangs.
Task<void> Projector::watch() {
  while (!tasks_.stopping()) {
    auto const begin = std::chrono::steady_clock::now();
    try {
      co_await look();
    } catch (std::exception const& error) {
      report(error.what());
    }
    co_await tasks_.sleep_until(begin, options_.sweep);
  }
}

void Projector::report(std::string_view why) {
  failures_.Increment();
  auto const now = std::chrono::steady_clock::now();
  if (why == told_why_ && now < told_at_ + told_again) return;
  told_why_ = why;
  told_at_ = now;
  log::warn("events wait in the outbox", {{"outbox", options_.name}, {"why", why}});
}

// Projects some events of each woken stream, all in one transaction: a commit costs the same for one event
// and for thousands. Returns true if there is more to do at once.
Task<bool> Projector::project_woken() {
  auto streams = take_woken();
  if (streams.empty()) co_return false;
  bool const all_taken = streams.size() == streams_per_round;
  auto const is_open = [](Stream const* stream) { return stream->state == Stream::State::open; };
  if (!std::ranges::all_of(streams, is_open)) co_await open_streams();
  std::erase_if(streams, std::not_fn(is_open));
  for (auto* const stream : streams) {
    if (std::exchange(stream->has_retries, false)) co_await retry(*stream);
  }
  auto const count = std::clamp(events_per_round / std::max(int(streams.size()), 1), 1, options_.batch);
  std::vector<Task<Batch>> reads;
  for (auto* const stream : streams) reads.push_back(read(*stream, count));
  auto batches = co_await when_all(std::move(reads));

  for (auto const& batch : batches) {
    // The other projector may have read the stream before our event came, so look again.
    if (batch.held_by_another && !tasks_.stopping()) wake(batch.stream->index);
  }
  auto const failed = std::ranges::find_if(batches, [](auto const& batch) { return !batch.failure.empty(); });
  if (failed != batches.end()) report(failed->failure);
  // While a Redis is unavailable, each round waits for it. That is too long for a shutdown.
  bool const give_up = tasks_.stopping() && failed != batches.end();
  std::erase_if(batches, [](Batch const& batch) { return batch.events.empty(); });
  bool more = all_taken && !give_up;
  if (!batches.empty()) co_await project(batches);
  for (auto const& batch : batches) {
    // Events that could not be written wait for the next look: an immediate retry would fail again.
    if (!batch.written || !batch.full) continue;
    wake(batch.stream->index);
    more = !give_up;
  }
  co_return more;
}

Task<void> Projector::project(std::span<Batch> batches) {
  std::string broken;
  bool differ = false;
  try {
    auto const refused = co_await refusal([&](sql::Session& session) { differ = !write(session, batches); });
    for (auto& batch : batches) batch.last_written = batch.events.back().id;
    if (refused) {
      report(*refused);
      // A refused event must not hold up the others.
      for (auto& batch : batches) {
        batch.last_written = co_await write_what_sql_takes(*batch.stream, batch.events);
      }
    }
  } catch (sql::StatementError const& error) {
    broken = error.what();
  }
  if (differ) co_return co_await look_for_losses(batches);
  if (!broken.empty()) {
    report(broken);
    // Maybe only one table is wrong. Write each batch on its own, so that it holds up no other.
    if (batches.size() > 1) {
      for (auto& batch : batches) co_await project(std::span(&batch, 1));
    }
    co_return;
  }
  if (options_.to_feed) co_await tell(batches);
  std::vector<Task<bool>> trims;
  for (auto& batch : batches) trims.push_back(forget(batch));
  co_await when_all(std::move(trims));
}

// A job of SQL: the events, and how far the outboxes have reached. Writes nothing and returns false if the
// positions of the two stores differ: then one of them may have lost data.
bool Projector::write(sql::Session& session, std::span<Batch const> batches) {
  std::vector<std::string> names;
  for (auto const& batch : batches) names.push_back(batch.stream->keys.stream);
  auto const in_sql = read_positions(session, names);
  Positions reached;
  for (auto const& batch : batches) {
    auto const& name = batch.stream->keys.stream;
    auto const found = in_sql.find(name);
    if (found == in_sql.end() || found->second < batch.projected) return false;
    auto const newest = found->second;
    // If a projector died after its commit, the outbox still has the event.
    bool const has_newest = newest == batch.projected || newest == batch.seen ||
                            std::ranges::find(batch.events, newest.str(), &Event::id) != batch.events.end();
    if (!has_newest) return false;
    reached[name] = redis::parse_stream_id(batch.events.back().id);
  }
  for (auto const& batch : batches) apply_(session, batch.stream->keys.stream, batch.events);
  raise_positions(session, reached);
  return true;
}

Task<void> Projector::tell(std::span<Batch const> batches) {
  std::vector<Feed::Batch> told;
  told.reserve(batches.size());
  for (auto const& batch : batches) told.push_back({batch.stream->keys.stream, batch.events});
  co_await feed_.append(told, options_.to_feed);
}

// Reads the oldest events of a stream that wait, if they are ours to project. Does not throw: a Redis that is
// unavailable holds up only its own streams.
Task<Projector::Batch> Projector::read(Stream& stream, int count) {
  // Only once: by the next time, an older copy of Redis may be in its place.
  Batch batch{.stream = &stream, .seen = std::exchange(stream.seen, {})};
  try {
    auto const first = co_await place_to_read(stream);
    auto const most = std::to_string(count);
    auto const entries = co_await redis_.command(redis::Use::read, stream.keys.stream,
                                                 {"XRANGE", stream.keys.stream, first, "+", "COUNT", most});
    if (entries.size() == 0) {
      if (stream.held) co_await settle(stream, std::string(nothing_projected), Lease::give_back);
      co_return batch;
    }
    stream.had_events = true;
    // False also if the event is gone: another projector or a failover came in between. The next
    // look finds out.
    batch.held_by_another = !co_await confirm(batch, entries.at(entries.size() - 1).at(0).text());
    if (batch.held_by_another) co_return batch;
    stream.held = true;
    batch.full = entries.size() == std::size_t(count);
    batch.events.reserve(entries.size());
    for (std::size_t i = 0; i < entries.size(); ++i) batch.events.push_back(parse_event(entries.at(i)));
  } catch (std::exception const& error) {
    batch.events.clear();
    batch.failure = error.what();
  }
  co_return batch;
}

Task<std::string> Projector::place_to_read(Stream const& stream) {
  if (options_.keep == 0) co_return "-";
  // Asks each time, because another projector may have moved the position.
  auto const projected =
      co_await redis_.command(redis::Use::read, stream.keys.stream, {"GET", stream.keys.projected});
  co_return projected.is_nil() ? "-" : fmt::format("({}", projected.text());
}

Task<bool> Projector::confirm(Batch& batch, std::string_view last) {
  auto const confirmed =
      co_await redis_.run(redis::Use::idempotent_write,
                          scripts::outbox_confirm(batch.stream->keys, owner_, options_.lease, last));
  if (confirmed.at(0).integer() != 1) co_return false;
  batch.projected = redis::parse_stream_id(confirmed.at(1).text());
  co_return true;
}

Task<bool> Projector::forget(Batch& batch) {
  // Events that SQL refused are no longer in the outbox.
  auto const& last = batch.last_written;
  co_await settle(*batch.stream, last.empty() ? std::string(nothing_projected) : last,
                  batch.full ? Lease::keep : Lease::give_back);
  projected_.Increment(double(batch.events.size()));
  batch.written = true;
  co_return true;
}

Task<void> Projector::settle(Stream& stream, std::string projected, Lease lease) {
  auto const forget_max = 2 * options_.batch;  // more than one batch adds
  co_await redis_.run(redis::Use::idempotent_write,
                      options_.keep > 0 ? scripts::outbox_keep(stream.keys, owner_, projected, lease,
                                                               options_.keep, forget_max)
                                        : scripts::outbox_trim(stream.keys, owner_, projected, lease));
  if (lease == Lease::give_back) stream.held = false;
}

// Finds the events that a dead server has left, and measures the lag.
Task<void> Projector::look() {
  std::int64_t lag_ms = 0;
  std::int64_t dead = 0;
  bool away = false;
  std::vector<std::size_t> looked;
  for (std::size_t i = 0; i < streams_.size(); ++i) {
    if (streams_[i].waits || !options_.looks_at || options_.looks_at(i)) looked.push_back(i);
  }
  for (std::size_t first = 0; first < looked.size(); first += looks_at_once) {
    if (first > 0) co_await tasks_.sleep(look_pause);
    if (tasks_.stopping() && away) break;  // further rounds would wait too long for a shutdown
    std::vector<Task<std::optional<TimeMs>>> lookups;
    auto const end = std::min(first + looks_at_once, looked.size());
    for (auto i = first; i < end; ++i) lookups.push_back(oldest_event(streams_[looked[i]], away));
    auto const oldest = co_await when_all(std::move(lookups));
    for (std::size_t i = 0; i < oldest.size(); ++i) {
      auto const& stream = streams_[looked[first + i]];
      dead += stream.dead;
      if (oldest[i]) lag_ms = std::max(lag_ms, clock_.unchecked() - *oldest[i]);
      if (oldest[i] || stream.has_retries) wake(stream.index);
    }
  }
  dead_.Set(double(dead));
  if (clock_.problem().empty()) lag_seconds_.Set(double(lag_ms) / 1000.0);
  co_await open_streams();  // last, because it needs SQL
}

// The time of the oldest event that waits. Returns nothing if no event waits, or if the Redis is unavailable:
// then a later look finds the event.
Task<std::optional<TimeMs>> Projector::oldest_event(Stream& stream, bool& away) {
  stream.waits = false;  // set before Redis is asked: the stream may be woken meanwhile
  try {
    auto const found = co_await look_at(redis_, stream.keys, "+");
    if (!found.exists && stream.state == Stream::State::open) stream.state = Stream::State::missing;
    stream.dead = found.dead + found.to_retry;
    stream.has_retries = found.to_retry > 0;
    bool const has_events = stream.dead > 0 || !found.oldest.empty();
    stream.waits = stream.waits || has_events;
    stream.had_events = stream.had_events || has_events;
    if (!found.oldest.empty()) co_return time_of(found.oldest);
  } catch (std::exception const&) {
    stream.waits = true;
    away = true;
  }
  co_return std::nullopt;
}

std::string projected_key(std::string_view stream) { return fmt::format("{}:projected", stream); }

Task<bool> caught_up(redis::Redis& redis, std::string const& stream, std::chrono::milliseconds patience) {
  auto const newest =
      co_await redis.command(redis::Use::read, stream, {"XREVRANGE", stream, "+", "-", "COUNT", "1"});
  if (newest.size() == 0) co_return true;
  std::string const last(newest.at(0).at(0).text());
  OutboxKeys const keys(stream);
  auto const deadline = std::chrono::steady_clock::now() + patience;
  while (std::chrono::steady_clock::now() < deadline) {
    if ((co_await look_at(redis, keys, last)).oldest.empty()) co_return true;
    co_await sleep_for(poll_pause);
  }
  co_return false;
}

Task<std::optional<TimeMs>> oldest_waiting(redis::Redis& redis, std::string stream) {
  auto const found = co_await look_at(redis, OutboxKeys(std::move(stream)), "+");
  if (found.oldest.empty()) co_return std::nullopt;
  co_return time_of(found.oldest);
}

Task<std::vector<Event>> read_events(redis::Redis& redis, std::string const& stream, std::string const& first,
                                     std::string const& last, int count) {
  auto const limit = fmt::to_string(count);
  auto const reply =
      co_await redis.command(redis::Use::read, stream, {"XRANGE", stream, first, last, "COUNT", limit});
  std::vector<Event> events;
  events.reserve(reply.size());
  for (std::size_t i = 0; i < reply.size(); ++i) events.push_back(parse_event(reply.at(i)));
  co_return events;
}

}  // namespace larder::events
