#include "edges/api/events/event_routes.hpp"

#include "edges/api/event_words.hpp"
#include "edges/api/events/event_client.hpp"
#include "edges/http/query.hpp"

#include <fmt/format.h>

#include <set>

namespace larder::api {

namespace {

using Steady = std::chrono::steady_clock;

constexpr std::size_t write_bytes = 64UL * 1024;
constexpr std::string_view last_event_id = "Last-Event-ID";
constexpr std::chrono::milliseconds keep_alive{limits::event_keep_alive_ms};
constexpr std::chrono::milliseconds retry_pause{1000};

struct Filter {
  ScopeSet systems;  // what the caller may see and asked for
  Words types;       // empty: all
  Words users;       // empty: all
  Words realms;      // empty: all, and events without a realm
  Words guilds;      // empty: all, and events without a guild

  bool lets_through(events::FeedPack::Item const& item) const {
    auto const& event = item.event;
    return systems.contains(event.system) && (types.empty() || types.contains(event.type)) &&
           (users.empty() || users.contains(event.user_id)) &&
           (realms.empty() || realms.contains(item.realm)) && (guilds.empty() || guilds.contains(item.guild));
  }
};

bool is_user(std::string_view word) { return UserId::from(word).has_value(); }

// Words separated by commas: "a,b,c".
struct WordsKind {
  bool (*is_good)(std::string_view);
  std::string expectation;

  FieldType type() const { return type::text(1, limits::header_bytes_max); }
  std::optional<Words> optional(QueryReader& in, std::string_view name) const {
    Words words;
    auto const text = in.optional_text(name, {.chars_min = 1, .chars_max = limits::header_bytes_max});
    if (!text) return std::nullopt;
    for (std::string_view rest = *text;;) {
      auto const comma = rest.find(',');
      auto const word = rest.substr(0, comma);
      if (!is_good(word)) in.problem(name, fmt::format("{}; several are separated by commas", expectation));
      words.emplace(word);
      if (comma == std::string_view::npos) break;
      rest.remove_prefix(comma + 1);
    }
    if (words.size() > limits::event_filter_values_max) {
      in.problem(name, fmt::format("must be at most {} values", limits::event_filter_values_max));
    }
    return words;
  }
};

// What the client asks for.
struct Asked {
  Words systems;
  Words types;
  Words users;
  Words realms;
  Words guilds;
};

Schema<Asked> asked_schema() {
  return Schema<Asked>()
      .optional_query(
          "system",
          WordsKind{is_system_word, fmt::format("must be one of {}", fmt::join(system_words, ", "))},
          &Asked::systems, "only events of these systems, such as ledger")
      .optional_query("type", WordsKind{is_type_word, "must be a word of A-Z a-z 0-9 _.-"}, &Asked::types,
                      "only events of these types, such as add,deduct")
      .optional_query("user_id", WordsKind{is_user, UserId::expectation()}, &Asked::users,
                      "only events of these users, such as 111,112")
      .optional_query("realm", WordsKind{is_realm_word, realm_word_expectation()}, &Asked::realms,
                      "only events of these realms of the economy, such as default")
      .optional_query("guild_id", WordsKind{is_user, UserId::expectation()}, &Asked::guilds,
                      "only events of the economy and of Discord that belong to these guilds");
}

// What the client asks for, limited to what the caller may see.
Result<Filter> make_filter(Asked asked, accounts::Caller const& caller) {
  Filter filter{.systems = {},
                .types = std::move(asked.types),
                .users = std::move(asked.users),
                .realms = std::move(asked.realms),
                .guilds = std::move(asked.guilds)};
  for (std::size_t i = 0; i < system_words.size(); ++i) {
    bool const allowed = caller.allows(Scope(i));
    bool const named = asked.systems.contains(system_words[i]);
    if (named && !allowed) {
      return refuse(errors::forbidden, fmt::format("the token lacks the scope {}", system_words[i]));
    }
    if (allowed && (named || asked.systems.empty())) filter.systems.add(Scope(i));
  }
  if (filter.systems.empty()) return refuse(errors::forbidden, "the token has no scope of a system");
  return filter;
}

void append_gap(std::string& out, std::string_view after, events::FeedPack const* next) {
  auto const first =
      next ? fmt::format("\"{}\"", next->position_of(next->items.empty() ? 0 : next->items.front().line))
           : "null";
  fmt::format_to(std::back_inserter(out), "event: gap\ndata: {{\"after\":\"{}\",\"next\":{}}}\n\n", after,
                 first);
}

// The stream of one client.
class Stream {
 public:
  Stream(EventStreams& streams, events::FeedListener& listener, Filter const& filter, Socket& socket,
         Request const& request)
      : streams_(streams),
        listener_(listener),
        filter_(filter),
        request_(request),
        client_(socket, [&listener] { listener.wake(); }) {}

  // Returns when the client leaves or is too slow, when its token becomes invalid, or when the server drains.
  Task<void> run(bool resumed) {
    out_ = "retry: 1000\n";
    if (!resumed) tell_position();  // so that the client can resume even if no event comes
    out_ += '\n';
    auto beat = Steady::now() + keep_alive;
    while (!client_.gone()) {
      co_await gather();
      if (Steady::now() >= beat) {
        if (!co_await token_is_valid()) co_return;
        out_ += ": keep-alive\n";
        // The filter may have skipped many events. With this position, a resume need not read them again.
        if (listener_.position() != told_) tell_position();
        out_ += '\n';
        beat = Steady::now() + keep_alive;
      }
      if (out_.empty()) {
        co_await listener_.wait(wait_time(beat));
      } else {
        if (!co_await client_.write(out_)) co_return;
        streams_.sent.Increment(std::exchange(events_, 0));
        out_.clear();
      }
    }
  }

 private:
  // Collects the events that are available now, up to a good size for one write.
  Task<void> gather() {
    failed_ = false;
    try {
      while (out_.size() < write_bytes) {
        auto const pack = co_await listener_.next();
        if (auto const after = listener_.take_gap()) append_gap(out_, *after, pack.get());
        if (!pack) break;
        for (auto const& item : pack->items) {
          if (!filter_.lets_through(item)) continue;
          told_ = pack->position_of(item.line);
          fmt::format_to(std::back_inserter(out_), "id: {}\nevent: {}.{}\ndata: {}\n\n", told_,
                         scope_name(item.event.system), item.event.type, item.json);
          ++events_;
        }
      }
    } catch (StoreError const&) {
      failed_ = true;  // the client keeps its position until Redis is back
    }
  }
  void tell_position() {
    told_ = listener_.position();
    fmt::format_to(std::back_inserter(out_), "id: {}\n", told_);
  }
  std::chrono::milliseconds wait_time(Steady::time_point beat) const {
    auto const time = std::chrono::ceil<std::chrono::milliseconds>(beat - Steady::now());
    return failed_ ? std::min(time, retry_pause) : time;
  }
  // If the key was revoked, or what it may do was changed, the client must connect again.
  Task<bool> token_is_valid() {
    try {
      auto const caller =
          co_await streams_.authenticator.authenticate({.authorization = request_.header("authorization")});
      co_return caller && caller->scopes == request_.caller->scopes && caller->realms.empty();
    } catch (StoreError const&) {
      co_return true;
    }
  }

  EventStreams& streams_;
  events::FeedListener& listener_;
  Filter const& filter_;
  Request const& request_;
  EventClient client_;
  std::string out_;
  std::string told_;  // the last id that the client got
  int events_ = 0;    // number of events in out_
  bool failed_ = false;
};

// A key that could hold all listeners could lock the others out.
Error share_is_used_up() {
  return {
      .code = events::errors::too_many_listeners,
      .detail = fmt::format("this key has {} listeners already, as many as one key may have on this server",
                            limits::event_listeners_per_key_max),
      .more = {{"retry_after_s", 5}}};
}

Answering get_events(EventStreams& streams, Asked asked, Request const& request) {
  CO_TRY_DO(check_types("type", asked.types, streams.types, "; several are separated by commas"));
  CO_TRY(auto filter, make_filter(std::move(asked), *request.caller));
  std::optional<events::FeedPosition> after;
  if (auto const id = request.header(last_event_id); !id.empty()) {
    after = events::parse_position(id);
    if (!after) {
      co_return invalid(
          std::string(last_event_id),
          fmt::format("{} must be the id of an event, such as 1700000000000-0.0", last_event_id));
    }
  }
  auto const place = streams.shares.take(request.caller->id);
  if (!place) co_return std::unexpected(share_is_used_up());
  CO_TRY(auto const listener, co_await streams.feed->listen(after));
  co_return Response{
      .content_type = "text/event-stream",
      .headers = {{"X-Accel-Buffering", "no"}},
      .takeover = [&streams, place, resumed = after.has_value(), listener, filter = std::move(filter)](
                      Socket& socket, Request const& answered, std::string_view) -> Task<void> {
        co_await Stream(streams, *listener, filter, socket, answered).run(resumed);
      }};
}

}  // namespace

EventStreams::EventStreams(IoThread const& thread, std::set<std::string_view> const& event_types,
                           Shares& listeners)
    : feed(std::make_shared<events::FeedReader>(thread.io, thread.redis, thread.metrics)),
      authenticator(thread.authenticator),
      sent(thread.metrics.counter("larder_events_sent_total", "Events sent to listeners of /v1/events")),
      types(event_types),
      shares(listeners) {}

Task<std::string> EventsSystem::forget_user(UserStores const& at, privacy::Subject /*subject*/) {
  co_await events::forget_feed(at.redis);
  co_return std::string();
}

Part EventsSystem::part(IoThread const& thread) {
  return Part(std::make_shared<EventStreams>(thread, types_, shares_));
}

Api EventsSystem::api() const {
  static Route const routes[] = {
      {Method::get,
       "/v1/events",
       Access::any_token(),
       handle(asked_schema(), &get_events),
       {.id = "get_events",
        .summary = "Sends events as they happen (server-sent events)",
        .description =
            "Each event has an id, the name <system>.<type>, and the data {system, type, user_id (or null), "
            "at, data}. Each system defines the inner data. If the inner data has a detail, all values in "
            "detail are strings: numbers are decimal digits, and times are milliseconds since 1970. A caller "
            "sees the systems for which its token has the scope. Without Last-Event-ID the stream begins "
            "now. With Last-Event-ID it continues after that event. If the server no longer has all events "
            "since then, it first sends an event named gap: {after, next}. Each filter takes several values, "
            "separated by commas.",
        .headers = {optional(last_event_id, type::text(1, 64),
                             "the id of the last event that the client received")},
        .media = "text/event-stream",
        .refusals = {events::errors::too_many_listeners}}},
  };
  return {.tables = {routes}, .tags = {{"events", "Everything that happens, as it happens"}}};
}

}  // namespace larder::api
