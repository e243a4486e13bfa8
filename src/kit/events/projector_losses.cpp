// What a projector does about stores that have lost data.
#include "base/log.hpp"
#include "kit/events/projector.hpp"

namespace larder::events {

namespace {

constexpr auto save_patience = std::chrono::seconds(20);  // without progress; longer than a lease
constexpr auto save_pause = std::chrono::milliseconds(100);

}  // namespace

// Looks whether outboxes were lost, have come back, or were deleted, and creates those that are new.
Task<void> Projector::open_streams() {
  for (bool const creates : {false, true}) {
    if (creates) co_await renew_streams();
    auto const concerns = [&](Stream const& stream) {
      if (stream.state == Stream::State::open || stream.state == Stream::State::gone) return false;
      // An outbox that was there once is not new.
      return creates == (stream.state == Stream::State::unopened && options_.creates);
    };
    std::vector<Stream*> streams;
    std::vector<std::string> names;
    for (auto& stream : streams_) {
      if (!concerns(stream)) continue;
      streams.push_back(&stream);
      names.push_back(stream.keys.stream);
    }
    if (streams.empty()) continue;
    auto const standings = creates ? co_await open_outboxes(redis_, sql_, std::move(names))
                                   : co_await compare_positions(redis_, sql_, std::move(names));
    for (std::size_t i = 0; i < streams.size(); ++i) {
      // work() and watch() both come here: the other one may have been faster.
      if (concerns(*streams[i])) co_await judge(*streams[i], standings[i]);
    }
  }
  lost_.Set(double(std::ranges::count(streams_, Stream::State::lost, &Stream::state)));
}

// If SQL has no event of an outbox, and nobody has seen one in Redis, then a Redis without that outbox has
// lost nothing of it: it is as new as at the first start, and writes may go on. An event that came in the
// moments before the loss, and that nobody has seen, is lost anyway; a restart would create the outbox, too.
// But if anything else is lost, people may give the servers the newest Redis. Then SQL must have nothing that
// was written to this one.
Task<void> Projector::renew_streams() {
  if (!options_.creates || std::ranges::count(streams_, Stream::State::missing, &Stream::state) == 0)
    co_return;
  std::vector<std::string> names;
  for (auto const& stream : streams_) names.push_back(stream.keys.stream);
  auto const standings = co_await compare_positions(redis_, sql_, std::move(names));
  for (std::size_t i = 0; i < standings.size(); ++i) {
    bool const had_events = !standings[i].exists && streams_[i].had_events;
    if (!standings[i].good() || had_events || streams_[i].state == Stream::State::lost) co_return;
  }
  // Other projectors, perhaps of other servers, have the other outboxes of this Redis.
  auto const all = co_await compare_positions(redis_, sql_, co_await sql_.read(known_outboxes));
  if (!std::ranges::all_of(all, &Standing::good)) co_return;
  for (std::size_t i = 0; i < standings.size(); ++i) {
    if (standings[i].exists || streams_[i].state != Stream::State::missing) continue;
    streams_[i].state = Stream::State::unopened;
    log::warn("Redis has lost an outbox that never had an event: it is created again",
              {{"outbox", streams_[i].keys.stream}});
  }
}

// If Redis lacks something, its balances are wrong. So nobody may write until a person has repaired it.
Task<void> Projector::judge(Stream& stream, Standing standing) {
  bool const known = stream.state == Stream::State::lost;
  stream.seen = {};
  if (standing.good() && !standing.exists && options_.creates) {
    if (!known && !stream.had_events) {
      stream.state = Stream::State::missing;  // see renew_streams()
      co_return;
    }
    standing.redis_lacks =
        fmt::format("{} is missing, with events that SQL does not have", stream.keys.stream);
  }
  if (standing.good()) {
    if (known && standing.exists) log::info("what was lost is back", {{"outbox", stream.keys.stream}});
    stream.state = standing.exists ? Stream::State::open : Stream::State::gone;
    co_return;
  }
  stream.state = Stream::State::lost;
  if (!known) {
    log::error(
        standing.redis_lacks.empty()
            ? "SQL has lost events: give the servers the newest database; until then, events wait in Redis"
            : "Redis has lost data: give the servers the newest Redis, or empty it and run `larder rebuild`; "
              "until then, writes get 503",
        {{"outbox", stream.keys.stream}, {"why", standing.why()}});
  }
  if (standing.redis_lacks.empty() || !standing.exists) co_return;
  // Again each time: another copy may have been put back, with its outbox.
  auto const moved = co_await fence_outbox(redis_, stream.keys, standing);
  if (moved > 0) {
    log::error("events were written after Redis had lost data: look at them before you repair it",
               {{"stream", stream.keys.lost}, {"events", moved}});
  }
}

Task<void> Projector::look_for_losses(std::span<Batch const> batches) {
  std::vector<std::string> names;
  for (auto const& batch : batches) names.push_back(batch.stream->keys.stream);
  auto const in_sql =
      co_await sql_.read([names](sql::Session& session) { return read_positions(session, names); });
  auto const standings = co_await compare_positions(redis_, sql_, names);
  for (std::size_t i = 0; i < batches.size(); ++i) {
    auto& stream = *batches[i].stream;
    co_await judge(stream, standings[i]);
    // Remembers that the outbox has the event, which may be behind the batch.
    bool const open = stream.state == Stream::State::open;
    if (auto const found = in_sql.find(names[i]); open && found != in_sql.end()) {
      stream.seen = found->second;
      wake(stream.index);
    }
  }
  lost_.Set(double(std::ranges::count(streams_, Stream::State::lost, &Stream::state)));
}

// Those with events that wait, or with dead events that somebody wants to be tried again.
Task<std::vector<Projector::Stream*>> Projector::waiting(std::span<Stream* const> among) {
  std::vector<Stream*> found;
  for (auto* const stream : among) {
    bool away = false;
    auto const oldest = co_await oldest_event(*stream, away);
    if (oldest || away || stream->has_retries) found.push_back(stream);
  }
  co_return found;
}

// Returns those whose events still wait when there is no more progress.
Task<std::vector<Projector::Stream*>> Projector::bring_to_sql(std::vector<Stream*> left) {
  auto const done = [this] { return projected_.Value() + double(retried_); };
  auto deadline = std::chrono::steady_clock::now() + save_patience;
  while (!left.empty() && std::chrono::steady_clock::now() < deadline) {
    auto const before = done();
    try {
      for (auto* const stream : left) wake(stream->index);
      while (co_await project_woken()) {}
    } catch (std::exception const& error) {
      report(error.what());
    }
    // A server that was killed may still have the lease.
    if (done() == before)
      co_await sleep_for(save_pause);
    else
      deadline = std::chrono::steady_clock::now() + save_patience;
    left = co_await waiting(left);
  }
  co_return left;
}

Task<UnsavedEvents> Projector::unsaved(std::span<Standing const> standings, std::span<Stream* const> left) {
  UnsavedEvents found;
  for (auto const* const stream : left) found.waiting.push_back(stream->keys.stream);
  for (std::size_t i = 0; i < standings.size(); ++i) {
    auto& stream = streams_[i];
    auto const& name = stream.keys.stream;
    bool away = false;
    bool const waits = (co_await oldest_event(stream, away)).has_value() || away;
    bool const kept =
        (co_await redis_.command(redis::Use::read, stream.keys.lost, {"EXISTS", stream.keys.lost}))
            .integer() == 1;
    if (waits && standings[i].exists && !standings[i].sql_lacks.empty()) found.waiting.push_back(name);
    if (kept || (waits && standings[i].exists && !standings[i].redis_lacks.empty()))
      found.stranded.push_back(name);
    if (stream.dead > 0) found.dead.push_back(name);
  }
  co_return found;
}

Task<UnsavedEvents> Projector::save() {
  while (!take_woken().empty()) {}
  std::vector<std::string> names;
  for (auto const& stream : streams_) names.push_back(stream.keys.stream);
  auto const standings = co_await compare_positions(redis_, sql_, names);
  std::vector<Stream*> good;
  for (std::size_t i = 0; i < standings.size(); ++i) {
    streams_[i].state = standings[i].good() ? Stream::State::open : Stream::State::lost;
    if (standings[i].good() && standings[i].exists) good.push_back(&streams_[i]);
  }
  auto left = co_await waiting(good);
  auto const lacks_nothing = [](Standing const& standing) { return standing.sql_lacks.empty(); };
  if (std::ranges::all_of(standings, lacks_nothing)) left = co_await bring_to_sql(std::move(left));
  co_return co_await unsaved(standings, left);
}

}  // namespace larder::events
