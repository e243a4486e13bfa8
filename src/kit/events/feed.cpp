#include "kit/events/feed.hpp"

#include "base/ids.hpp"
#include "base/limits.hpp"
#include "base/log.hpp"
#include "kit/events/events_scripts.hpp"
#include "stores/redis/reply_reader.hpp"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace larder::events {

namespace {

constexpr std::chrono::seconds follower_patience{10};
constexpr std::chrono::milliseconds follower_pause{50};

bool is_above(Event const& event, std::string_view seen) {
  return seen.empty() || parse_id(event.id) > parse_id(seen);
}

// The first member with this name, if it is a text without escapes. Within a text, a quote has a backslash
// before it, so this cannot find the content of a text.
std::string_view member_of(std::string_view data, std::string_view quoted_name) {
  auto const name = data.find(quoted_name);
  if (name == std::string_view::npos) return {};
  data.remove_prefix(name + quoted_name.size());
  if (!data.starts_with('"')) return {};
  data.remove_prefix(1);
  auto const value = data.substr(0, data.find('"'));
  return value.find('\\') == std::string_view::npos ? value : std::string_view();
}

}  // namespace

// Writers of these events put the member before all objects, so the first one is not a member of another
// object.
std::string_view realm_of(FeedEvent const& event) {
  return event.system == Scope::economy ? member_of(event.data, R"(,"realm":)") : std::string_view();
}

std::string_view guild_of(FeedEvent const& event) {
  bool const has_one = event.system == Scope::economy || event.system == Scope::discord;
  return has_one ? member_of(event.data, R"(,"guild_id":)") : std::string_view();
}

// "ledger add 111 1700000000000 {...}": the fields that listeners filter by can be read
// without a JSON parser.
std::string to_line(FeedEvent const& event) {
  bool const fits = !event.type.empty() && all_in_charset(event.type, "_.-") &&
                    (event.user_id.empty() || UserId::from(event.user_id)) &&
                    event.data.find('\n') == std::string::npos;
  if (!fits) throw std::runtime_error("an event that cannot be a line of the feed");
  return fmt::format(FMT_COMPILE("{} {} {} {} {}"), scope_name(event.system), event.type, event.user_id,
                     event.at.value, event.data);
}

std::optional<FeedEvent> parse_line(std::string_view line) {
  std::array<std::string_view, 4> words;
  for (auto& word : words) {
    auto const space = line.find(' ');
    if (space == std::string_view::npos) return std::nullopt;
    word = line.substr(0, space);
    line.remove_prefix(space + 1);
  }
  auto const& [system, type, user_id, at] = words;
  auto const known = std::ranges::find(scope_names, system);
  if (known == scope_names.end()) return std::nullopt;
  FeedEvent event{.system = Scope(known - scope_names.begin()),
                  .type = std::string(type),
                  .user_id = std::string(user_id),
                  .at = {},
                  .data = std::string(line)};
  std::from_chars(at.data(), at.data() + at.size(), event.at.value);
  return event;
}

std::string to_json(FeedEvent const& event) {
  auto const user = event.user_id.empty() ? "null" : fmt::format("\"{}\"", event.user_id);
  return fmt::format(FMT_COMPILE(R"({{"system":"{}","type":"{}","user_id":{},"at":"{}","data":{}}})"),
                     scope_name(event.system), event.type, user, to_rfc3339(event.at), event.data);
}

struct Feed::Call {
  std::vector<FeedPlace> outboxes;
  std::vector<std::string> packs;
  std::size_t lines = 0;

  void add(std::string const& line) {
    if (lines++ % limits::feed_pack_events_max == 0) {
      packs.push_back(line);
    } else {
      packs.back().append("\n").append(line);
    }
  }
};

Feed::Call Feed::prepare(std::span<Batch const> batches, ToFeed const& to_feed) const {
  Call call;
  for (auto const& [outbox, events] : batches) {
    auto const known = seen_.find(outbox);
    auto const seen = known == seen_.end() ? std::string() : known->second;
    if (events.empty() || !is_above(events.back(), seen)) continue;
    call.outboxes.push_back({.outbox = outbox, .before = seen, .after = events.back().id});
    for (auto const& event : events) {
      if (!is_above(event, seen)) continue;
      try {
        auto const told = to_feed(outbox, event);
        if (!told.type.empty()) call.add(to_line(told));
      } catch (std::exception const& error) {
        log::error("an event is not in the feed",
                   {{"outbox", outbox}, {"event", event.id}, {"why", error.what()}});
      }
    }
  }
  return call;
}

Task<redis::Reply> Feed::run(Call const& call) {
  // The script does not append events of outboxes twice, so such a call is idempotent.
  auto const use =
      call.outboxes.empty() && !call.packs.empty() ? redis::Use::write : redis::Use::idempotent_write;
  auto reply = co_await redis_.run(use, scripts::feed_append(call.outboxes, call.packs));
  wanted_ = !reply.is_nil();
  co_return reply;
}

Task<void> Feed::tell(std::vector<FeedEvent> events) {
  if (events.empty()) co_return;
  if (!wanted_) co_await run({});
  if (!wanted_) co_return;
  Call call;
  for (auto const& event : events) {
    try {
      call.add(to_line(event));
    } catch (std::exception const& error) {
      log::error("an event is not in the feed", {{"type", event.type}, {"why", error.what()}});
    }
  }
  if (!call.packs.empty()) co_await run(call);
}

Task<void> Feed::append(std::span<Batch const> batches, ToFeed const& to_feed) {
  for (;;) {
    auto const call = wanted_ ? prepare(batches, to_feed) : Call{};
    if (wanted_ && call.outboxes.empty()) co_return;
    bool const was_wanted = wanted_;
    auto const answer = co_await run(call);
    if (!wanted_) co_return;
    if (!was_wanted) continue;  // the call only asked whether the feed is wanted
    // The next attempt leaves out the events that others have appended, or an attempt of ours whose
    // answer was lost.
    redis::ReplyReader in(answer);
    bool const appended = in.at_end();
    for (auto const& [outbox, before, after] : call.outboxes) seen_[outbox] = appended ? after : in.text();
    if (appended) co_return;
  }
}

Task<void> forget_feed(redis::Redis& redis) {
  auto const deadline = std::chrono::steady_clock::now() + follower_patience;
  for (std::string last;;) {
    auto const reply = co_await redis.run(redis::Use::idempotent_write, scripts::feed_forget(last));
    last = reply.text();
    if (last.empty()) co_return;
    if (std::chrono::steady_clock::now() > deadline)
      throw StoreError("a follower of the feed does not have all events yet", false);
    co_await sleep_for(follower_pause);
  }
}

}  // namespace larder::events
