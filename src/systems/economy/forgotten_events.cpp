#include "systems/economy/forgotten_events.hpp"

#include "base/json.hpp"
#include "kit/events/privacy/mentions.hpp"
#include "systems/economy/economy_privacy.hpp"

#include <fmt/format.h>

namespace larder::economy {

namespace {

constexpr int moved_at_once = 1000;
constexpr int looked_at_at_once = 5000;
constexpr std::string_view reason_field = "reason";
constexpr std::string_view is_until = "(event_ms < ? OR (event_ms = ? AND event_seq <= ?))";

// Moves a portion of the events of one kind. Returns whether there is more.
bool move_some(sql::Session& session, RealmId const& realm, privacy::Subject const& subject, bool items,
               std::string const& last) {
  auto const [ms, sequence] = events::parse_id(last);
  auto const of_player = fmt::format("realm = ? AND user_id = ? AND of_items = ? AND {}", is_until);
  sql::Values params{realm.str(), subject.user.str(), std::int64_t(items), ms, ms, sequence};
  auto const end = session.query(
      fmt::format("SELECT event_ms FROM economy_event WHERE {} ORDER BY event_ms LIMIT 1 OFFSET {}",
                  of_player, moved_at_once),
      params);
  params.insert(params.begin(), subject.pseudonym.str());
  params.emplace_back(end.empty() ? ms : end[0].int64(0));
  session.execute(fmt::format("UPDATE economy_event SET user_id = ? WHERE {} AND event_ms <= ?", of_player),
                  params);
  return !end.empty();
}

// The state of a forgotten player: without the name, and with the pseudonym in what is told of a bomb.
std::string without_player(std::string const& text, privacy::Subject const& subject) {
  auto parsed = parse_json(text);
  if (!parsed || !parsed->is_object()) return "{}";
  auto& fields = parsed->get_object();
  fields.erase(".");
  if (auto* const bomb = fields.if_contains(bomb_field); bomb && bomb->is_string()) {
    std::string words(bomb->get_string());
    if (words.starts_with(subject.user.str() + " "))
      *bomb = words.replace(0, subject.user.str().size(), subject.pseudonym.str());
  }
  return json::serialize(fields);
}

std::string without_reason(std::string const& detail) {
  auto parsed = parse_json(detail);
  if (!parsed || !parsed->is_object()) return "{}";
  parsed->get_object().erase(reason_field);
  return json::serialize(*parsed);
}

struct Told {
  std::string user;
  std::int64_t ms = 0;
  std::int64_t sequence = 0;
  std::int64_t items = 0;
  std::string detail;
};

struct Page {
  std::vector<Told> told;         // whose detail may name the player
  std::optional<Told> last = {};  // the last one that was looked at; none: there are no more
};

// Events behind `after`, oldest first. Looks at so many, whatever they say: so the time that this takes does
// not depend on how many name the player.
Page read_told(sql::Session& session, RealmId const& realm, UserId const& user, Told const& after) {
  auto const rows = session.query(
      fmt::format(
          "SELECT user_id, event_ms, event_seq, of_items, detail FROM economy_event WHERE realm = ? AND "
          "(event_ms > ? OR (event_ms = ? AND (event_seq > ? OR (event_seq = ? AND of_items > ?)))) "
          "ORDER BY event_ms, event_seq, of_items LIMIT {}",
          looked_at_at_once),
      {realm.str(), after.ms, after.ms, after.sequence, after.sequence, after.items});
  auto const name = fmt::format("\"{}\"", user.str());
  Page page;
  for (auto const& row : rows) {
    Told told{row.text(0), row.int64(1), row.int64(2), row.int64(3), row.optional_text(4).value_or("")};
    bool const may_name = told.detail.contains(name);
    page.last = told;
    if (may_name) page.told.push_back(std::move(told));
  }
  return page;
}

void rename_in_event(sql::Session& session, RealmId const& realm, privacy::Subject const& subject,
                     Told told) {
  auto parsed = parse_json(told.detail);
  if (!parsed || !parsed->is_object()) return;
  bool changed = false;
  for (auto& field : parsed->get_object()) {
    if (is_player_field(field.key()))
      changed =
          privacy::replace_strings(field.value(), subject.user.str(), subject.pseudonym.str()) || changed;
  }
  if (!changed) return;
  session.execute(
      "UPDATE economy_event SET detail = ? WHERE realm = ? AND user_id = ? AND event_ms = ? AND event_seq = "
      "? "
      "AND of_items = ?",
      {json::serialize(*parsed), realm.str(), told.user, told.ms, told.sequence, told.items});
}

bool is_later(Told const& told, std::optional<ForgottenMark> const& mark) {
  if (!mark) return false;
  return std::pair(told.ms, told.sequence) > events::parse_id(told.items == 1 ? mark->items : mark->points);
}

}  // namespace

bool is_player_field(std::string_view name) {
  static constexpr std::string_view names[] = {"user_id",   "payee_id", "payer_id",  "target_id",
                                               "source_id", "owner_id", "tradee_id", "trader_id"};
  return std::ranges::find(names, name) != std::ranges::end(names);
}

Task<std::optional<ForgottenMark>> forgotten_mark(EconomyJournal& journal, RealmId realm, UserId pseudonym) {
  auto const rows = co_await journal.database().read([realm, pseudonym](sql::Session& session) {
    return session.query(
        "SELECT event_ms, event_seq, state FROM economy_state WHERE realm = ? AND user_id = ? AND state LIKE "
        "? "
        "ORDER BY event_ms, event_seq LIMIT 1",
        {realm.str(), pseudonym.str(), fmt::format("%\"{}\"%", forgotten_state)});
  });
  if (rows.empty()) co_return std::nullopt;
  auto const state = parse_json(rows[0].text(2)).value();
  co_return ForgottenMark{.points = fmt::format("{}-{}", rows[0].int64(0), rows[0].int64(1)),
                          .items = std::string(state.at(forgotten_state).as_string())};
}

Task<bool> has_events(EconomyJournal& journal, RealmId realm, UserId user) {
  co_return co_await journal.database().read([realm, user](sql::Session& session) {
    for (std::string_view const table : {"economy_event", "economy_state"}) {
      if (!session
               .query(fmt::format("SELECT 1 FROM {} WHERE realm = ? AND user_id = ? LIMIT 1", table),
                      {realm.str(), user.str()})
               .empty())
        return true;
    }
    return false;
  });
}

Task<void> move_events(EconomyJournal& journal, RealmId realm, privacy::Subject subject, ForgottenMark mark) {
  for (bool const items : {false, true}) {
    for (bool more = true; more;) {
      more = co_await journal.database().write(
          [realm, subject, items, last = items ? mark.items : mark.points](sql::Session& session) {
            return move_some(session, realm, subject, items, last);
          });
    }
  }
}

Task<void> move_states(EconomyJournal& journal, RealmId realm, privacy::Subject subject, ForgottenMark mark) {
  for (bool more = true; more;) {
    more = co_await journal.database().write([realm, subject, mark](sql::Session& session) {
      auto const [ms, sequence] = events::parse_id(mark.points);
      auto const rows = session.query(
          fmt::format(
              "SELECT event_ms, event_seq, state FROM economy_state WHERE realm = ? AND user_id = ? AND "
              "{} ORDER BY event_ms, event_seq LIMIT {}",
              is_until, moved_at_once),
          {realm.str(), subject.user.str(), ms, ms, sequence});
      for (auto const& row : rows) {
        session.execute(
            "UPDATE economy_state SET user_id = ?, state = ? WHERE realm = ? AND user_id = ? AND event_ms = "
            "? "
            "AND event_seq = ?",
            {subject.pseudonym.str(), without_player(row.text(2), subject), realm.str(), subject.user.str(),
             row.int64(0), row.int64(1)});
      }
      return !rows.empty();
    });
  }
  // The list of players has the name, too.
  co_await journal.database().write(
      [realm, user = subject.user](sql::Session& session) { renew_player(session, realm, user); });
}

Task<void> drop_reasons(EconomyJournal& journal, RealmId realm, UserId pseudonym) {
  for (bool more = true; more;) {
    more = co_await journal.database().write([realm, pseudonym](sql::Session& session) {
      auto const rows = session.query(
          fmt::format("SELECT event_ms, event_seq, of_items, detail FROM economy_event WHERE realm = ? AND "
                      "user_id = ? AND detail LIKE ? LIMIT {}",
                      moved_at_once),
          {realm.str(), pseudonym.str(), "%\"reason\":%"});
      for (auto const& row : rows) {
        session.execute(
            "UPDATE economy_event SET detail = ? WHERE realm = ? AND user_id = ? AND event_ms = ? AND "
            "event_seq = ? AND of_items = ?",
            {without_reason(row.text(3)), realm.str(), pseudonym.str(), row.int64(0), row.int64(1),
             row.int64(2)});
      }
      return !rows.empty();
    });
  }
}

Task<void> rename_in_events(EconomyJournal& journal, RealmId realm, privacy::Subject subject,
                            std::optional<ForgottenMark> mark) {
  for (Told after;;) {
    auto const page =
        co_await journal.database().read([realm, user = subject.user, after](sql::Session& session) {
          return read_told(session, realm, user, after);
        });
    if (!page.last) co_return;
    after = *page.last;
    if (page.told.empty()) continue;
    co_await journal.database().write([realm, subject, told = page.told, mark](sql::Session& session) {
      for (auto const& each : told) {
        if (!is_later(each, mark)) rename_in_event(session, realm, subject, each);
      }
    });
  }
}

}  // namespace larder::economy
