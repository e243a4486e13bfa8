#include "systems/ledger/type_ends.hpp"

#include "base/number.hpp"
#include "base/when_all.hpp"
#include "kit/events/projector.hpp"
#include "systems/ledger/account_reader.hpp"

#include <fmt/format.h>

namespace larder::ledger {

namespace {

constexpr int flows_per_page = 5000;
constexpr int pages_at_once = 4;
// A command has little time from the moment when it is sent.
constexpr std::size_t renewals_at_once = 1000;
constexpr auto catch_up_patience = std::chrono::milliseconds(2'000);

Task<ScoreType> type_in_sql(Journal& journal, TypeId id) {
  for (auto& type : co_await journal.types()) {
    if (type.id == id) co_return std::move(type);
  }
  throw std::runtime_error(fmt::format("there is no type {}", id));
}

bool is_to_clear(ScoreType const& type, TimeMs now) {
  return type.ends_at && !type.is_cleared && keys_expire_at(type) + clear_after_ms <= now;
}

// Where the work on a new end continues: "<flow table>" and, if work on that table has begun, the last flow
// "<uid> <ms> <sequence> <order>".
struct Cursor {
  std::int64_t table = 0;
  std::optional<FlowPosition> last = {};

  std::string str() const {
    if (!last) return fmt::to_string(table);
    return fmt::format("{} {} {} {} {}", table, last->uid.str(), last->id.ms, last->id.sequence,
                       last->order_id.str());
  }
};

Cursor parse_cursor(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t start = 0; start <= text.size();) {
    auto const space = std::min(text.find(' ', start), text.size());
    words.push_back(text.substr(start, space - start));
    start = space + 1;
  }
  Cursor cursor{.table = parse_int(words.at(0)).value()};
  if (words.size() > 1) {
    cursor.last =
        FlowPosition{.uid = UserId::from(words[1]).value(),
                     .id = {.ms = parse_int(words.at(2)).value(), .sequence = parse_int(words.at(3)).value()},
                     .order_id = OrderId::from(words.at(4)).value()};
  }
  return cursor;
}

// The work on one type, with the end that SQL had when it began.
class TypeWork {
 public:
  TypeWork(redis::Redis& redis, Shared& shared, ScoreType type)
      : redis_(redis), shared_(shared), type_(std::move(type)) {}

  // Tells the new end to all shards, and waits until the journal has all accounts.
  Task<void> begin_end() {
    auto const& shards = shared_.keys.shards();
    std::vector<Task<bool>> raises;
    for (auto const& shard : shards) raises.push_back(write(scripts::raise_revision(shard, type_)));
    co_await when_all(std::move(raises));
    std::vector<Task<bool>> waits;
    for (std::size_t i = 0; i < shards.size(); ++i) {
      shared_.wake_projector(i);
      waits.push_back(events::caught_up(redis_, shards[i].outbox, catch_up_patience));
    }
    auto const caught_up = co_await when_all(std::move(waits));
    // Otherwise the work begins again.
    if (std::ranges::all_of(caught_up, std::identity{}))
      co_await shared_.journal.move_ends_cursor(type_.id, type_.ends_revision, Cursor{}.str());
  }

  // Returns true when all accounts have the new end.
  Task<bool> carry_end_on() {
    auto cursor = parse_cursor(*type_.ends_cursor);
    for (int pages = 0; pages < pages_at_once; ++pages) {
      if (cursor.table >= shared_.journal.flow_tables()) {
        co_return co_await shared_.journal.move_ends_cursor(type_.id, type_.ends_revision, std::nullopt);
      }
      auto const page =
          co_await shared_.journal.accounts_of(type_.id, cursor.table, cursor.last, flows_per_page);
      co_await renew(page.accounts);
      cursor =
          page.last ? Cursor{.table = cursor.table, .last = page.last} : Cursor{.table = cursor.table + 1};
      bool const newest =
          co_await shared_.journal.move_ends_cursor(type_.id, type_.ends_revision, cursor.str());
      if (!newest) break;
    }
    co_return false;
  }

  // Removes what does not vanish with the keys of the accounts.
  Task<void> clear() {
    auto const id = fmt::to_string(type_.id);
    for (auto const& shard : shared_.keys.shards()) {
      co_await redis_.command(redis::Use::idempotent_write, shard.open_holds, {"HDEL", shard.open_holds, id});
      co_await clear_schedule(shard.schedule);
    }
    co_await shared_.journal.set_cleared(type_.id);
  }

 private:
  Task<bool> write(redis::ScriptCall call) {
    auto const reply = co_await redis_.run(redis::Use::idempotent_write, std::move(call));
    co_return reply.integer() != 0;
  }

  Task<void> renew(std::vector<Account> const& accounts) {
    for (std::size_t from = 0; from < accounts.size(); from += renewals_at_once) {
      std::vector<Task<bool>> renewals;
      for (auto i = from; i < std::min(from + renewals_at_once, accounts.size()); ++i)
        renewals.push_back(renew(accounts[i]));
      co_await when_all(std::move(renewals));
    }
  }

  Task<bool> renew(Account const& account) {
    auto const reply = co_await redis_.run(redis::Use::idempotent_write,
                                           scripts::renew_account(shared_.keys, account, type_));
    if (reply.integer() != 2) co_return true;
    // Orders that can be open until the type ends are remembered until then.
    auto const [state, due, revision] = co_await read_account(redis_, shared_.keys, account);
    for (auto const& [order, hold] : state.holds) {
      if (hold.expires == 0) co_await renew_order(account, "h:" + order);
    }
    for (auto const& [order, sent] : state.sent) co_await renew_order(account, "t:" + order);
    co_return true;
  }

  Task<bool> renew_order(Account const& account, std::string const& field) {
    return write(scripts::renew_order(shared_.keys, account, type_, field));
  }

  // Most members leave the schedule when they are due, but that may be years from now.
  Task<void> clear_schedule(std::string const& key) {
    auto const pattern = fmt::format("* {} *", type_.id);
    std::string cursor = "0";
    do {
      auto const found = co_await redis_.command(redis::Use::read, key,
                                                 {"ZSCAN", key, cursor, "MATCH", pattern, "COUNT", "1000"});
      cursor = found.at(0).text();
      auto const members = found.at(1);
      for (std::size_t i = 0; i < members.size(); i += 2) {
        co_await redis_.command(redis::Use::idempotent_write, key, {"ZREM", key, members.at(i).text()});
      }
    } while (cursor != "0");
  }

  redis::Redis& redis_;
  Shared& shared_;
  ScoreType type_;
};

}  // namespace

bool has_work(ScoreType const& type, TimeMs now) { return type.ends_cursor || is_to_clear(type, now); }

Task<void> schedule_type_work(redis::Redis& redis, TypeId id, TimeMs now) {
  std::string_view const key = Keys::types_due;
  co_await redis.command(
      redis::Use::idempotent_write, key,
      {"ZADD", key, "NX", fmt::to_string((now + type_work_after_ms).value), fmt::to_string(id)});
}

Task<bool> work_on_type(redis::Redis& redis, Shared& shared, TypeId id) {
  auto const type = co_await type_in_sql(shared.journal, id);
  TypeWork work(redis, shared, type);
  if (type.ends_cursor) {
    if (type.ends_cursor->empty()) {
      co_await work.begin_end();
      co_return false;
    }
    if (!co_await work.carry_end_on()) co_return false;
  }
  if (is_to_clear(type, shared.clock.now())) co_await work.clear();
  co_return true;
}

}  // namespace larder::ledger
