#include "systems/messages/message_index.hpp"

#include "base/number.hpp"
#include "base/random.hpp"
#include "stores/redis/reply_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace larder::messages {

namespace {

constexpr std::int64_t us_per_ms = 1000;
constexpr auto pause = std::chrono::milliseconds(5);
constexpr auto patience = std::chrono::seconds(8);  // with other builders, before a request's deadline
constexpr int turns_max = 50;                       // pauses while an earlier change is still missing

IndexEntry entry_of(Message const& message) {
  return {.id = message.id,
          .state = message.active ? IndexEntry::State::active : IndexEntry::State::inactive,
          .message = &message};
}

// The score in the history is epoch seconds, with decimals.
Sent sent_at(MessageId id, std::string_view score) {
  return {.message = id,
          .at = {std::llround(std::stod(std::string(score)) * 1'000'000) / us_per_ms},
          .position = std::string(score)};
}

// "building <name> <step>". Each step of an attempt changes the mark, so that others can see
// whether it makes progress.
std::string first_mark() { return fmt::format("building {} 1", random_hex(8)); }
std::string next_mark(std::string const& mark) {
  auto const space = mark.rfind(' ');
  return fmt::format("{} {}", mark.substr(0, space), parse_int(mark.substr(space + 1)).value() + 1);
}

}  // namespace

// Gives the selections of one millisecond different times, so that they have an order. If two selections have
// the same time nevertheless (from two threads, or more than a thousand in one millisecond), the script
// chooses another time, which is slower.
std::int64_t MessageIndex::distinct_us(TimeMs now) {
  in_this_ms_ = now == last_now_ ? std::min(in_this_ms_ + 1, us_per_ms - 1) : 0;
  last_now_ = now;
  return now.value * us_per_ms + in_this_ms_;
}

Task<std::variant<Selected, NoneReady, NoIndex>> MessageIndex::select(UserId user, std::uint32_t seed) {
  IndexKeys const keys(user);
  for (;;) {
    auto const now = clock_.now();
    auto const reply =
        co_await redis_.run(redis::Use::write, scripts::select_message(keys, now, distinct_us(now), seed));
    redis::ReplyReader in(reply);
    auto const outcome = in.text();
    if (outcome == "again") continue;
    if (outcome == "unknown") co_return NoIndex{};
    if (outcome == "none") co_return NoneReady{.retry_at = in.optional_time()};
    Selected selected{.id = in.integer(), .version = in.integer(), .tokens_left = in.integer()};
    selected.sent = sent_at(selected.id, in.text());
    auto const among = in.integer();
    auto const index = in.integer();
    in.end();
    if (among > 0) selected.draw = Draw{.seed = seed, .among = among, .index = index};
    co_return selected;
  }
}

Task<std::optional<std::string>> MessageIndex::put(IndexKeys const& keys, std::string const& before,
                                                   std::string const& version,
                                                   std::vector<IndexEntry> const& entries) {
  auto const reply = co_await redis_.run(redis::Use::write,
                                         scripts::put_messages(keys, before, version, clock_.now(), entries));
  co_return reply.optional_text();
}

Task<void> MessageIndex::apply(Changed const& changed) {
  for (auto const& [user, before, version] : changed.users) {
    std::vector<IndexEntry> entries;
    if (changed.is && changed.is->target == user) {
      entries.push_back(entry_of(*changed.is));
    } else {
      entries.push_back({.id = changed.was->id});
    }
    // Changes of one user arrive here in any order. Each one waits for the change before it.
    for (int turn = 1;; ++turn) {
      auto const has =
          co_await put(IndexKeys(user), fmt::to_string(before), fmt::to_string(version), entries);
      auto const number = has ? parse_int(*has) : std::nullopt;
      if (!has || (number && *number >= version)) break;
      bool const may_come = !number || (*number > 0 && *number < before);
      if (!may_come || turn == turns_max) {
        co_await rebuild(user, version);
        break;
      }
      co_await sleep_for(pause);
    }
  }
}

Task<std::string> MessageIndex::begin(IndexKeys const& keys, scripts::Beginning const& beginning) {
  auto const reply = co_await redis_.run(redis::Use::idempotent_write, scripts::begin_index(keys, beginning));
  co_return std::string(reply.text());
}

Task<bool> MessageIndex::catch_up(UserVersion user) {
  auto const mark = first_mark();
  auto const answer = co_await begin(IndexKeys(user.user), {.version = user.version, .mark = mark});
  if (answer == "begun") co_return co_await fill(user.user, mark);
  co_return answer == "done";
}

Task<void> MessageIndex::build(UserId user) { return rebuild(std::move(user), 0); }

Task<void> MessageIndex::remake(UserId user) {
  return rebuild(std::move(user), std::numeric_limits<std::int64_t>::max());
}

Task<void> MessageIndex::rebuild(UserId user, std::int64_t version) {
  using Steady = std::chrono::steady_clock;
  IndexKeys const keys(user);
  auto const mark = first_mark();
  std::string seen;  // the last mark of another builder; `since` is when it was first seen
  auto const start = Steady::now();
  auto since = start;
  for (;;) {
    bool const dead = !seen.empty() && Steady::now() - since > dead_after_;
    auto answer = co_await begin(keys, {.version = version,
                                        .mark = mark,
                                        .dead_mark = dead ? std::string_view(seen) : "",
                                        .where_none = true});
    if (answer == "done") co_return;
    if (answer == "begun") {
      if (co_await fill(user, mark)) co_return;
      answer.clear();
    }
    if (answer != seen) since = Steady::now();
    seen = std::move(answer);
    if (Steady::now() - start > patience) {
      throw StoreError("what may be said to this user is still being looked up; ask again", false);
    }
    co_await sleep_for(pause);
  }
}

// Returns false if somebody else has taken over.
Task<bool> MessageIndex::fill(UserId const& user, std::string mark) {
  std::exception_ptr failure;
  try {
    co_return co_await fill_in(user, mark);
  } catch (...) {
    failure = std::current_exception();
  }
  // Remove the mark, so that nobody waits for this attempt.
  try {
    co_await redis_.run(redis::Use::idempotent_write, scripts::give_up_index(IndexKeys(user), mark));
  } catch (StoreError const&) {}  // Redis is also unavailable; others will see that there is no progress
  std::rethrow_exception(failure);
}

// The version is read before the messages. If a message changes in the meantime, it may already be in the
// index; then its writer puts it there once more.
Task<bool> MessageIndex::fill_in(UserId const& user, std::string& mark) {
  IndexKeys const keys(user);
  auto const version = co_await table_.version_of(user);
  std::vector<MessageId> known;
  for (MessageQuery query{.target = user, .after = 0, .limit = scripts::messages_max};;) {
    auto const page = co_await table_.list(query);
    std::vector<IndexEntry> entries;
    for (auto const& message : page) {
      entries.push_back(entry_of(message));
      known.push_back(message.id);
    }
    auto next = next_mark(mark);
    if (co_await put(keys, mark, next, entries)) co_return false;
    mark = std::move(next);
    if (std::int64_t(page.size()) < query.limit) break;
    query.after = page.back().id;
  }
  if (!co_await drop_gone(keys, mark, known)) co_return false;
  co_return !co_await put(keys, mark, fmt::to_string(version), {});
}

// `known` is sorted. All other messages that Redis has were deleted.
Task<bool> MessageIndex::drop_gone(IndexKeys const& keys, std::string& mark,
                                   std::vector<MessageId> const& known) {
  auto const count = fmt::to_string(scripts::messages_max);
  for (auto const* key : {&keys.history, &keys.index}) {
    std::string cursor = "0";
    do {
      auto const command = key == &keys.history ? "ZSCAN" : "HSCAN";
      auto const reply =
          co_await redis_.command(redis::Use::read, *key, {command, *key, cursor, "COUNT", count});
      cursor = std::string(reply.at(0).text());
      auto const& found = reply.at(1);
      std::vector<IndexEntry> entries;
      for (std::size_t i = 0; i < found.size(); i += 2) {
        auto const id = parse_int(found.at(i).text());  // nothing for the field "version"
        if (id && !std::ranges::binary_search(known, *id)) entries.push_back({.id = *id});
      }
      auto next = next_mark(mark);
      if (!entries.empty() && co_await put(keys, mark, next, entries)) co_return false;
      if (!entries.empty()) mark = std::move(next);
    } while (cursor != "0");
  }
  co_return true;
}

Task<std::vector<Sent>> MessageIndex::history(UserId user, std::optional<std::string> before,
                                              std::int64_t limit) {
  IndexKeys const keys(user);
  auto const from = before ? "(" + *before : "+inf";
  auto const count = fmt::to_string(limit);
  auto const reply = co_await redis_.command(
      redis::Use::read, keys.history,
      {"ZREVRANGEBYSCORE", keys.history, from, "-inf", "WITHSCORES", "LIMIT", "0", count});
  std::vector<Sent> sent;
  for (std::size_t i = 0; i + 1 < reply.size(); i += 2) {
    sent.push_back(sent_at(reply.at(i).integer(), reply.at(i + 1).text()));
  }
  co_return sent;
}

}  // namespace larder::messages
