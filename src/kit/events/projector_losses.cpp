// What a projector does about stores that have lost data.
#include "base/log.hpp"
#include "kit/events/projector.hpp"

namespace larder::events {

// The outboxes that Redis no longer has, and whose positions SQL has forgotten: somebody has deleted them.
Task<void> Projector::find_gone() {
  std::vector<std::string> names;
  for (auto const& stream : streams_) {
    if (stream.state == Stream::State::missing) names.push_back(stream.keys.stream);
  }
  if (names.empty()) co_return;
  auto const known =
      co_await sql_.read([names](sql::Session& session) { return read_positions(session, names); });
  for (auto& stream : streams_) {
    if (stream.state == Stream::State::missing && !known.contains(stream.keys.stream)) {
      stream.state = Stream::State::gone;
    }
  }
}

// Opens outboxes that are new, and those that were lost and may have come back.
Task<void> Projector::open_streams() {
  co_await find_gone();
  std::vector<Stream*> streams;
  std::vector<std::string> names;
  for (auto& stream : streams_) {
    if (stream.state == Stream::State::open || stream.state == Stream::State::gone) continue;
    streams.push_back(&stream);
    names.push_back(stream.keys.stream);
  }
  if (streams.empty()) co_return;
  auto const standings = co_await open_outboxes(redis_, sql_, std::move(names));
  for (std::size_t i = 0; i < streams.size(); ++i) co_await judge(*streams[i], standings[i]);
  lost_.Set(double(std::ranges::count(streams_, Stream::State::lost, &Stream::state)));
}

// If Redis lacks something, its balances are wrong. So nobody may write until a person has repaired it.
Task<void> Projector::judge(Stream& stream, Standing const& standing) {
  bool const known = stream.state == Stream::State::lost;
  if (standing.good()) {
    if (known) log::info("what was lost is back", {{"outbox", stream.keys.stream}});
    stream.state = Stream::State::open;
    co_return;
  }
  stream.state = Stream::State::lost;
  if (known) co_return;
  log::error(
      standing.redis_lacks.empty()
          ? "SQL has lost events: give the servers the newest database; until then, events wait in Redis"
          : "Redis has lost data: give the servers the newest Redis, or empty it and run `larder rebuild`; "
            "until then, writes get 503",
      {{"outbox", stream.keys.stream}, {"why", standing.why()}});
  if (standing.redis_lacks.empty()) co_return;
  auto const moved = co_await fence_outbox(redis_, stream.keys);
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
    if (auto const found = in_sql.find(names[i]); standings[i].good() && found != in_sql.end()) {
      stream.seen = found->second;
      wake(stream.index);
    }
  }
  lost_.Set(double(std::ranges::count(streams_, Stream::State::lost, &Stream::state)));
}

}  // namespace larder::events
