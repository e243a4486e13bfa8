#include "systems/economy/economy_rebuild.hpp"

#include "base/error.hpp"
#include "base/number.hpp"
#include "base/when_all.hpp"
#include "kit/events/projector.hpp"
#include "kit/presence/presence.hpp"
#include "systems/economy/economy_privacy.hpp"
#include "systems/economy/realm_catalogue.hpp"
#include "systems/economy/realm_removal.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace larder::economy {

namespace {

using Words = std::vector<std::string>;
using Position = std::pair<std::int64_t, std::int64_t>;  // ms and sequence of an event

constexpr std::int64_t rebuilt_at_once = 200;
constexpr std::int64_t states_at_once = 2000;

// The keys whose absence means that a realm is lost. Every realm has a catalogue.
Words signs_of(RealmKeys const& keys) {
  return {keys.catalogue(), keys.catalogue_data(), keys.points(), keys.items(), keys.leaderboard()};
}

// A value that told state, "<value> ... <ms>", and when it ends.
struct Lasting {
  std::string value;
  std::int64_t ends_ms = 0;
};

std::optional<Lasting> parse_lasting(std::string_view text, std::int64_t told_ms) {
  auto const cut = text.rfind(' ');
  if (cut == std::string_view::npos || cut == 0) return std::nullopt;
  auto const lives_ms = parse_int(text.substr(cut + 1));
  if (!lives_ms || *lives_ms < 0 || *lives_ms > limits::amount_max / 2) return std::nullopt;
  return Lasting{.value = std::string(text.substr(0, cut)), .ends_ms = told_ms + *lives_ms};
}

// The state of one player, or of a teller.
struct Fold {
  std::string user_id = {};
  struct Field {
    std::string value;
    ToldState at;  // without fields
  };
  std::map<std::string, Field> fields = {};
};

class RealmRebuilder {
 public:
  RealmRebuilder(redis::Redis& redis, EconomyJournal& journal, RebuildOptions const& options,
                 RebuildReport& report, std::int64_t redis_ms, RealmId realm)
      : redis_(redis),
        journal_(journal),
        options_(options),
        report_(report),
        redis_ms_(redis_ms),
        realm_(std::move(realm)),
        keys_(realm_) {}

  Task<void> run() {
    points_newest_ = co_await journal_.newest(realm_, EconomyEvent::Of::points);
    items_newest_ = co_await journal_.newest(realm_, EconomyEvent::Of::items);
    co_await write_owned();
    co_await write_states();
    co_await write_pending_bomb();
    co_await write_stream(keys_.points(), points_newest_);
    co_await write_stream(keys_.items(), items_newest_);
    // Last, because a realm with a catalogue is whole.
    co_await write_catalogue();
    co_await register_realm(redis_, realm_);
    ++report_.realms;
    options_.progress(report_);
  }

 private:
  // Sends a command whose second word is its key.
  Task<bool> send(Words words) {
    std::vector<std::string_view> const args(words.begin(), words.end());
    co_await redis_.command(redis::Use::idempotent_write, args[1], args);
    co_return true;
  }

  void report_problem(std::string_view user, std::string_view field) {
    ++report_.problems;
    options_.problem(fmt::format("realm {}: what the events of {} tell about {} cannot be read", realm_.str(),
                                 user, field));
  }

  Task<void> write_owned() {
    for (std::string after;;) {
      auto users = co_await journal_.users(realm_, after, rebuilt_at_once);
      if (users.empty()) co_return;
      after = users.back();
      std::erase_if(users, [](std::string const& user) { return !UserId::from(user); });
      auto const owned = co_await journal_.owned(realm_, users, points_newest_, items_newest_);
      Words board{"ZADD", keys_.leaderboard()};
      std::vector<Task<bool>> writes;
      for (auto const& [user, of_user] : owned) {
        if (of_user.has_points) board.insert(board.end(), {fmt::to_string(of_user.balance), user});
        Words inventory{"HSET", keys_.inventory(UserId::from(user).value())};
        for (auto const& [item, count] : of_user.inventory) {
          if (count != 0) inventory.insert(inventory.end(), {item, fmt::to_string(count)});
        }
        if (inventory.size() > 2) writes.push_back(send(std::move(inventory)));
      }
      if (board.size() > 2) writes.push_back(send(std::move(board)));
      co_await when_all(std::move(writes));
      report_.players += std::int64_t(owned.size());
      options_.progress(report_);
    }
  }

  Task<void> write_states() {
    Fold fold;
    std::optional<ToldState> last;
    for (;;) {
      auto const page = co_await journal_.states(realm_, last, states_at_once);
      for (auto const& told : page) {
        if (told.user_id != fold.user_id) co_await write(std::exchange(fold, {.user_id = told.user_id}));
        add(fold, told);
      }
      report_.states += std::int64_t(page.size());
      options_.progress(report_);
      if (page.empty()) break;
      last = page.back();
    }
    co_await write(std::move(fold));
  }

  void add(Fold& fold, ToldState const& told) {
    if (told.user_id == catalogue_teller) return;  // the newest catalogue is read by itself
    ToldState const at{.user_id = told.user_id, .ms = told.ms, .sequence = told.sequence};
    for (auto const& [name, value] : told.fields) {
      if (name == forgotten_state) continue;
      if (name == ".bomb") {
        note_bomb(value, {told.ms, told.sequence});
      } else if (value.empty() && name != ".lb") {
        fold.fields.erase(name);  // so all roulettes that ever were do not gather in memory
      } else {
        fold.fields[name] = {value, at};
      }
    }
  }

  void note_bomb(std::string const& value, Position at) {
    auto& newest = value.empty() ? gone_at_ : armed_at_;
    if (at < newest) return;
    newest = at;
    if (!value.empty()) armed_ = value;
  }

  Task<void> write(Fold fold) {
    std::vector<Task<bool>> writes;
    auto const user = UserId::from(fold.user_id);
    for (auto& [name, field] : fold.fields) {
      auto write = fold.user_id == roulette_teller ? write_roulette(name, field)
                   : user                          ? write_of_player(*user, name, field)
                                                   : std::nullopt;
      if (write)
        writes.push_back(std::move(*write));
      else
        report_problem(fold.user_id, name);
    }
    co_await when_all(std::move(writes));
  }

  static Task<bool> nothing() { co_return true; }

  std::optional<Task<bool>> write_of_player(UserId const& player, std::string const& name,
                                            Fold::Field const& field) {
    if (name == ".") return send({"SET", keys_.name(player), field.value});
    if (name == ".lb") return leave_board(field.at);
    if (name == ".imported") return send({"SADD", keys_.imported(), player.str()});
    if (name == ".bombs") {
      auto const due = parse_int(field.value);
      return due ? std::optional(write_bomb(player.str(), field.value)) : std::nullopt;
    }
    if (!name.starts_with(".:") || name == ".:inventory") return std::nullopt;
    auto const lasting = parse_lasting(field.value, field.at.ms);
    if (!lasting) return std::nullopt;
    if (lasting->ends_ms <= redis_ms_) return nothing();
    return send({"SET", keys_.name(player) + name.substr(1), lasting->value, "PXAT",
                 fmt::to_string(lasting->ends_ms)});
  }

  std::optional<Task<bool>> write_roulette(std::string const& name, Fold::Field const& field) {
    constexpr std::string_view head = ".roulette:";
    auto const id = name.starts_with(head) ? RouletteId::from(name.substr(head.size())) : std::nullopt;
    auto const lasting = parse_lasting(field.value, field.at.ms);
    if (!id || !lasting) return std::nullopt;
    auto const& value = lasting->value;
    auto const first = value.find(' ');
    auto const second = value.find(' ', first + 1);
    if (first == std::string::npos || second == std::string::npos) return std::nullopt;
    if (lasting->ends_ms <= redis_ms_) return nothing();
    return write_hash(keys_.roulette(*id),
                      {"left", value.substr(0, first), "drawn", value.substr(first + 1, second - first - 1),
                       "seed", value.substr(second + 1)},
                      lasting->ends_ms);
  }

  Task<bool> write_hash(std::string key, Words fields, std::int64_t ends_ms) {
    fields.insert(fields.begin(), {"HSET", key});
    co_await send(std::move(fields));
    co_return co_await send({"PEXPIREAT", key, fmt::to_string(ends_ms)});
  }

  Task<bool> write_bomb(std::string player, std::string due) {
    co_await send({"ZADD", keys_.bombs(), due, player});
    co_return co_await send({"ZADD", keys_.bombs_schedule(), due, player});
  }

  // A shot player is on the leaderboard again with the next event of points.
  Task<bool> leave_board(ToldState shot) {
    if (co_await journal_.has_points_after(realm_, shot)) co_return true;
    co_return co_await send({"ZREM", keys_.leaderboard(), shot.user_id});
  }

  Task<void> write_pending_bomb() {
    if (armed_.empty()) co_return;
    auto const cut = armed_.find(' ');
    if (cut == std::string::npos) co_return report_problem(armed_, ".bomb");
    co_await send({"SET", keys_.bomb_due(), armed_.substr(cut + 1)});
    if (armed_at_ > gone_at_) co_await send({"SET", keys_.bomb(), armed_.substr(0, cut)});
  }

  // The ids continue behind the last event, whatever the clock of this Redis says. Nothing waits for the
  // projector.
  Task<void> write_stream(std::string stream, std::string newest) {
    return events::restore_outbox(redis_, journal_.database(), std::move(stream),
                                  redis::parse_stream_id(newest));
  }

  Task<void> write_catalogue() {
    auto const told = co_await journal_.catalogue(realm_);
    auto parsed = told ? parse_catalogue(told->data) : Result<Catalogue>(*options_.catalogue);
    if (!parsed) {
      report_problem(catalogue_teller, ".catalogue-data");
      parsed = *options_.catalogue;
    }
    co_await restore_catalogue(
        redis_, keys_, std::make_shared<Catalogue const>(std::move(*parsed)),
        told && told->source == "command" ? CatalogueSource::command : CatalogueSource::start);
  }

  redis::Redis& redis_;
  EconomyJournal& journal_;
  RebuildOptions const& options_;
  RebuildReport& report_;
  std::int64_t redis_ms_;  // the time of Redis, which decides what has expired
  RealmId realm_;
  RealmKeys keys_;
  std::string points_newest_, items_newest_;
  std::string armed_;  // who planted the bomb that was pending last, and when it was due
  Position armed_at_, gone_at_;
};

Task<std::int64_t> time_of_redis(redis::Redis& redis) {
  std::int64_t earliest = std::numeric_limits<std::int64_t>::max();
  co_await redis.ask_masters({"TIME"}, [&](redis::Endpoint const&, redis::ReplyView time) {
    earliest = std::min(earliest, time.at(0).integer() * 1000 + time.at(1).integer() / 1000);
  });
  co_return earliest;
}

// Whether this Redis has realms, but has lost none. Throws if it has only parts of one, or an older one: also
// if it has lost others, so that nobody takes it for a whole Redis after their rebuild.
Task<bool> needs_no_rebuild(redis::Redis& redis, EconomyJournal& journal) {
  bool any = !(co_await all_realms(redis)).empty();
  bool any_lost = false;
  std::vector<std::string> outboxes;
  for (auto const& realm : co_await possible_realms(redis, journal)) {
    switch (co_await kept(redis, realm)) {
      case Kept::lost: any_lost = true; break;
      case Kept::whole: {
        any = true;
        RealmKeys const keys(realm);
        if (co_await is_closed(redis, keys)) break;  // it is being deleted
        outboxes.insert(outboxes.end(), {keys.points(), keys.items()});
        break;
      }
      case Kept::damaged:
        throw SetupError(
            fmt::format("this Redis has only parts of the realm {}; a rebuild fills realms that are lost "
                        "completely, so that nothing newer than the events is overwritten",
                        realm.str()));
    }
  }
  co_await events::compare_positions_or_refuse(redis, journal.database(), std::move(outboxes));
  co_return any && !any_lost;
}

}  // namespace

Task<Kept> kept(redis::Redis& redis, RealmId realm) {
  auto const signs = signs_of(RealmKeys(realm));
  std::vector<std::string_view> command{"EXISTS"};
  command.insert(command.end(), signs.begin(), signs.end());
  auto const found = (co_await redis.command(redis::Use::read, signs[0], command)).integer();
  if (found == 0) co_return Kept::lost;
  auto const version = co_await redis.command(redis::Use::read, signs[0], {"EXISTS", signs[0], signs[1]});
  co_return version.integer() == 2 ? Kept::whole : Kept::damaged;
}

// A cluster cannot have the default realm. If SQL has one, it is from a time before the cluster.
Task<std::vector<RealmId>> possible_realms(redis::Redis& redis, EconomyJournal& journal) {
  auto realms = co_await journal.realms();
  if (redis.is_cluster()) std::erase(realms, RealmId::from(default_realm).value());
  co_return realms;
}

Task<std::vector<RealmId>> lost_realms(redis::Redis& redis, EconomyJournal& journal) {
  std::vector<RealmId> lost;
  for (auto const& realm : co_await possible_realms(redis, journal)) {
    if (co_await kept(redis, realm) == Kept::lost) lost.push_back(realm);
  }
  co_return lost;
}

Task<RebuildReport> rebuild(redis::Redis& redis, EconomyJournal& journal, RebuildOptions options) {
  co_await presence::close_for_rebuild(redis, "economy", [&] { return needs_no_rebuild(redis, journal); });
  RebuildReport report;
  auto const redis_ms = co_await time_of_redis(redis);
  for (auto const& realm : co_await possible_realms(redis, journal)) {
    if (co_await kept(redis, realm) == Kept::whole) {
      co_await register_realm(redis, realm);  // the key with the names of all realms may be lost, too
      continue;
    }
    RealmRebuilder rebuilder(redis, journal, options, report, redis_ms, realm);
    co_await rebuilder.run();
  }
  co_await presence::open(redis);
  co_return report;
}

}  // namespace larder::economy
