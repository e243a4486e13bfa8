// See economy_privacy.hpp. The steps in each realm, each of which finds out what is left to do:
//
//   1 waiting events reach SQL
//   2 one script: everything belongs to the pseudonym from then on, and an event says so
//   3 that event reaches SQL
//   4 earlier events and states are moved to the pseudonym, without names and the reasons of operators
//   5 events of others that name the player name the pseudonym
//   6 the events that both streams keep, events that were set aside, and stored answers
#include "kit/events/privacy/traces.hpp"
#include "systems/economy/economy_privacy.hpp"
#include "systems/economy/economy_scripts.hpp"
#include "systems/economy/forgotten_events.hpp"
#include "systems/economy/player_keys.hpp"

#include <fmt/format.h>

namespace larder::economy {

namespace {

// Answers of moves are lines, and some are numbers.
bool may_be_number(std::string const& id) {
  return id.size() <= 16 && id.find_first_not_of("0123456789") == std::string::npos;
}

// Replaces the lines that are the id.
std::optional<std::string> without_id(std::string const& answer, privacy::Subject const& subject) {
  std::string out;
  bool changed = false;
  for (std::size_t begin = 0; begin <= answer.size();) {
    auto const end = std::min(answer.find('\n', begin), answer.size());
    auto const line = std::string_view(answer).substr(begin, end - begin);
    bool const is_id = line == subject.user.str();
    if (begin > 0) out += '\n';
    out += is_id ? std::string_view(subject.pseudonym.str()) : line;
    changed = changed || is_id;
    begin = end + 1;
  }
  return changed ? std::optional(out) : std::nullopt;
}

class RealmForgetting {
 public:
  RealmForgetting(redis::Redis& redis, EconomyJournal& journal, RealmId realm,
                  privacy::Subject const& subject)
      : redis_(redis), journal_(journal), realm_(std::move(realm)), keys_(realm_), subject_(subject) {}

  Task<void> run() {
    co_await privacy::journal_all(redis_, keys_.points());
    co_await privacy::journal_all(redis_, keys_.items());
    auto mark = co_await forgotten_mark(journal_, realm_, subject_.pseudonym);
    if (!mark && co_await has_anything()) {
      co_await take_player();
      // Items may have changed hands until the script ran.
      co_await privacy::journal_all(redis_, keys_.points());
      co_await privacy::journal_all(redis_, keys_.items());
      mark = co_await forgotten_mark(journal_, realm_, subject_.pseudonym);
      if (!mark) throw StoreError("the event of a forgotten player is not in SQL yet", false);
    }
    if (mark) {
      co_await move_events(journal_, realm_, subject_, *mark);
      co_await move_states(journal_, realm_, subject_, *mark);
      co_await drop_reasons(journal_, realm_, subject_.pseudonym);
    }
    co_await rename_in_events(journal_, realm_, subject_, mark);
    co_await clean_redis(mark);
  }

 private:
  Task<bool> has_anything() {
    std::string const player = subject_.user.str();
    std::vector<std::string> const sets{keys_.leaderboard(), keys_.bombs(), keys_.bombs_schedule()};
    for (auto const& set : sets) {
      if (!(co_await redis_.command(redis::Use::read, set, {"ZSCORE", set, player})).is_nil()) co_return true;
    }
    auto const name = keys_.name(subject_.user);
    if ((co_await redis_.command(redis::Use::read, name, {"EXISTS", name})).integer() == 1) co_return true;
    auto const bomb = keys_.bomb();
    if ((co_await redis_.command(redis::Use::read, bomb, {"GET", bomb})).optional_text() == player)
      co_return true;
    if (!(co_await player_key_ends(redis_, keys_, subject_.user)).empty()) co_return true;
    co_return co_await has_events(journal_, realm_, subject_.user);
  }

  Task<void> take_player() {
    auto ends = co_await player_key_ends(redis_, keys_, subject_.user);
    // A move may make these keys between the scan and the script.
    for (auto& end : usual_key_ends(keys_, subject_.user)) {
      if (std::ranges::find(ends, end) == ends.end()) ends.push_back(std::move(end));
    }
    // Servers look at the outboxes of idle realms only now and then.
    co_await redis_.command(redis::Use::idempotent_write, busy_key,
                            {"ZADD", busy_key, "NX", "0", realm_.str()});
    co_await redis_.run(redis::Use::write,
                        scripts::forget_player(keys_, subject_.user, subject_.pseudonym, ends));
  }

  // An event that both streams keep is in SQL, so it can go.
  Task<void> clean_redis(std::optional<ForgottenMark> mark) {
    auto const names_player = [this](events::Event const& event) {
      return std::ranges::any_of(event.fields,
                                 [this](auto const& field) { return names(field.first, field.second); });
    };
    auto const rewrite = [this](events::Event& event) { return rewrite_event(event); };
    std::vector<std::string> const outboxes{keys_.points(), keys_.items()};
    for (auto const& outbox : outboxes) {
      auto const last = !mark ? "9999999999999-0" : outbox == keys_.points() ? mark->points : mark->items;
      co_await privacy::erase_kept(redis_, outbox, last, names_player);
      co_await privacy::rewrite_set_aside(redis_, outbox, rewrite);
    }
    // Larder cannot tell such an id from a number. The answer is kept for a day only.
    if (may_be_number(subject_.user.str())) co_return;
    co_await privacy::change_texts(redis_, keys_.prefix() + "once:*", [this](std::string const& answer) {
      return without_id(answer, subject_);
    });
  }

  bool names(std::string_view field, std::string const& value) const {
    auto const& id = subject_.user.str();
    return (is_player_field(field) && value == id) || (field == bomb_field && value.starts_with(id + " "));
  }

  bool rewrite_event(events::Event& event) const {
    bool changed = false;
    bool const own = event.find("user_id") && *event.find("user_id") == subject_.user.str();
    for (auto& [name, value] : event.fields) {
      if (names(name, value)) {
        value.replace(0, subject_.user.str().size(), subject_.pseudonym.str());
        changed = true;
      } else if (own && (name == "." || name == "reason")) {
        value.clear();
        changed = true;
      }
    }
    return changed;
  }

  redis::Redis& redis_;
  EconomyJournal& journal_;
  RealmId realm_;
  RealmKeys keys_;
  privacy::Subject subject_;
};

}  // namespace

Task<void> forget_user(redis::Redis& redis, EconomyJournal& journal, privacy::Subject subject) {
  // Nobody can play with such an id: what looks like the keys of this player belongs to a realm or to another
  // system.
  if (problem_of_player(subject.user)) co_return;
  for (auto const& realm : co_await realms_of_both(redis, journal)) {
    RealmForgetting forgetting(redis, journal, realm, subject);
    co_await forgetting.run();
  }
}

}  // namespace larder::economy
