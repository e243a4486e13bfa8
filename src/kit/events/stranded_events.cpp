#include "kit/events/stranded_events.hpp"

#include "kit/events/dead_events.hpp"
#include "kit/events/event_pages.hpp"
#include "kit/events/outbox_positions.hpp"

#include <fmt/format.h>

#include <map>

namespace larder::events {

namespace {

class Search {
 public:
  Search(redis::Redis& redis, sql::Database& sql, std::function<void(StrandedEvent const&)> each)
      : redis_(redis), sql_(sql), each_(std::move(each)) {}

  // In this order, because a server may take an outbox away meanwhile.
  Task<std::int64_t> run() {
    co_await compare();
    for (auto const& [outbox, standing] : standings_) {
      if (standing.exists && !standing.good()) co_await search_outbox(outbox, standing);
    }
    for (auto const& outbox : co_await outboxes_with(redis_, {lost_suffix})) co_await search_lost(outbox);
    for (auto const& outbox : co_await outboxes_with_dead(redis_)) {
      OutboxKeys const keys(outbox);
      co_await search_dead(outbox, keys.dead, StrandedEvent::State::dead);
      co_await search_dead(outbox, keys.retry, StrandedEvent::State::retried);
    }
    co_return count_;
  }

 private:
  Task<void> compare() {
    auto const known = co_await sql_.read([](sql::Session& session) { return known_outboxes(session); });
    auto const standings = co_await compare_positions(redis_, sql_, known);
    for (std::size_t i = 0; i < known.size(); ++i) standings_[known[i]] = standings[i];
  }

  Task<void> search_outbox(std::string const& outbox, Standing const& standing) {
    auto const first = fmt::format("({}", standing.projected.str());
    count_ += co_await each_event(redis_, outbox, first, [&](Event event) {
      bool const may = sql_may_have(outbox, event);
      each_({.outbox = outbox,
             .state = StrandedEvent::State::waits,
             .event = std::move(event),
             .sql_may_have_it = may});
    });
  }

  Task<void> search_lost(std::string const& outbox) {
    count_ += co_await each_lost(redis_, outbox, [&](Event event) {
      bool const may = sql_may_have(outbox, event);
      each_({.outbox = outbox,
             .state = StrandedEvent::State::taken_away,
             .event = std::move(event),
             .sql_may_have_it = may});
    });
  }

  Task<void> search_dead(std::string const& outbox, std::string const& key, StrandedEvent::State state) {
    // In an older copy an event is dead that SQL may have taken since.
    auto const found = standings_.find(outbox);
    bool const may = found == standings_.end() || !found->second.good();
    count_ += co_await each_dead(redis_, key, [&](DeadEvent dead) {
      each_({.outbox = outbox,
             .state = state,
             .event = std::move(dead.event),
             .why = std::move(dead.why),
             .sql_may_have_it = may});
    });
  }

  // SQL has most events up to its position: those of an older copy that waited when the copy was made. And a
  // database that lacks events is not the one to ask.
  bool sql_may_have(std::string const& outbox, Event const& event) const {
    auto const found = standings_.find(outbox);
    return found == standings_.end() || !found->second.sql_lacks.empty() ||
           redis::parse_stream_id(event.id) <= found->second.in_sql;
  }

  redis::Redis& redis_;
  sql::Database& sql_;
  std::function<void(StrandedEvent const&)> each_;
  std::map<std::string, Standing> standings_;  // by outbox: those that SQL knows
  std::int64_t count_ = 0;
};

}  // namespace

Task<std::int64_t> each_stranded(redis::Redis& redis, sql::Database& sql,
                                 std::function<void(StrandedEvent const&)> each) {
  Search search(redis, sql, std::move(each));
  co_return co_await search.run();
}

}  // namespace larder::events
