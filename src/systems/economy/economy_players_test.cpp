// Players and their names in SQL.
#include "support/sql_databases.hpp"
#include "systems/economy/economy_test.hpp"

namespace larder::economy {
namespace {

class PlayerTable : public test::OnEachDatabase {
 protected:
  PlayerTable() { journal.migrate_now(); }

  // An event that gives the player a name, unless it is "-".
  static events::Event event(std::string id, std::string user, std::string const& name = "-") {
    events::Event made{.id = std::move(id),
                       .fields = {{"type", "farm"}, {"user_id", std::move(user)}, {"amount", "0"}}};
    if (name != "-") made.fields.emplace_back(".", name);
    return made;
  }
  void write(std::string const& into, std::vector<events::Event> const& told) {
    sql.write_now([&](sql::Session& session) {
      EconomyJournal::write_events(session, RealmId::from(into).value(), EconomyEvent::Of::points, told);
    });
  }
  static std::string line(PlayerLine const& player) {
    return fmt::format("{}/{}/{}", player.realm, player.id, player.name.value_or("-"));
  }
  // All pages of this size.
  Lines players(std::string const& of, std::string const& prefix = "", std::int64_t limit = 2) {
    Lines lines;
    for (PlayersQuery query{.prefix = prefix, .after = {}, .limit = limit};;) {
      auto const page = test::run(io, journal.players(RealmId::from(of).value(), query));
      if (page.empty()) return lines;
      for (auto const& player : page) lines.push_back(line(player));
      query.after = page.back().id;
    }
  }
  Lines found(std::string const& text, std::int64_t limit = 10) {
    Lines lines;
    for (auto const& player : test::run(io, journal.find_players(text, limit))) lines.push_back(line(player));
    return lines;
  }

  asio::io_context io;
  Metrics metrics;
  sql::Database sql{url, 2, metrics};
  EconomyJournal journal{sql};
};
LARDER_ON_EACH_DATABASE(PlayerTable);

TEST_P(PlayerTable, players_come_by_id_or_by_the_beginning_of_their_name) {
  write("a", {event("1-0", "111", "Anna"), event("2-0", "Zoe", "ANNE"), event("3-0", "222"),
              event("4-0", "_x", "Bob"), event("5-0", "abc", "an_na"), event("6-0", "abd", "Ärger"),
              event("7-0", "abe", "🍕")});
  write("b", {event("1-0", "111", "Anna")});
  EXPECT_EQ(players("a"), (Lines{"a/111/Anna", "a/222/-", "a/Zoe/ANNE", "a/_x/Bob", "a/abc/an_na",
                                 "a/abd/Ärger", "a/abe/🍕"}));
  EXPECT_EQ(players("a", "an"), (Lines{"a/abc/an_na", "a/111/Anna", "a/Zoe/ANNE"}));
  EXPECT_EQ(players("a", "ANN", 1), (Lines{"a/111/Anna", "a/Zoe/ANNE"}));
  EXPECT_EQ(players("a", "an_"), Lines{"a/abc/an_na"}) << "an underscore is no wildcard";
  EXPECT_EQ(players("a", "Ä"), Lines{"a/abd/Ärger"});
  EXPECT_EQ(players("a", "🍕"), Lines{"a/abe/🍕"});
  EXPECT_EQ(players("a", "%"), Lines{});
  EXPECT_EQ(players("none"), Lines{});
  EXPECT_EQ(found("111"), (Lines{"a/111/Anna", "b/111/Anna"}));
  EXPECT_EQ(found("ann").size(), 3U);
  EXPECT_EQ(found("ann", 2).size(), 2U);
  EXPECT_EQ(found("nobody"), Lines{});
  EXPECT_EQ(found("'; --"), Lines{});
}

TEST_P(PlayerTable, same_names_have_pages_too) {
  std::vector<events::Event> told;
  for (int i = 0; i < 5; ++i)
    told.push_back(event(fmt::format("{}-0", i + 1), fmt::format("p{}", i), "Same"));
  write("a", told);
  EXPECT_EQ(players("a", "same", 2), players("a", "same", 100));
  EXPECT_EQ(players("a", "same", 2).size(), 5U);
}

TEST_P(PlayerTable, an_event_that_comes_again_does_not_bring_an_older_name_back) {
  write("a", {event("1-0", "111", "old")});
  write("a", {event("2-0", "111", "new")});
  write("a", {event("1-0", "111", "old")});
  EXPECT_EQ(players("a"), Lines{"a/111/new"});
  write("a", {event("3-0", "111", "")});
  EXPECT_EQ(players("a"), Lines{"a/111/-"}) << "an empty name is no name";
  write("a", {event("4-0", "catalogue"), event("5-0", "not a user")});
  EXPECT_EQ(players("a"), Lines{"a/111/-"}) << "words of the realm itself are no players";
}

TEST_P(PlayerTable, a_database_of_an_earlier_version_gets_its_players_and_names) {
  std::vector<events::Event> told;
  for (int i = 0; i < 1200; ++i)
    told.push_back(event(fmt::format("{}-1", i + 1), fmt::format("p{:04}", i), fmt::format("name {}", i)));
  told.push_back(event("5000-0", "p0000", "newer"));
  told.push_back(event("5001-0", "quiet"));
  write("a", told);
  sql.write_now([](sql::Session& session) {
    session.execute("DROP TABLE economy_player");
    session.execute("DELETE FROM schema_migration WHERE component = 'economy_names'");
    session.execute("DELETE FROM schema_migration WHERE component = 'economy' AND version = 3");
  });
  for (int i = 0; i < 2; ++i) journal.migrate_now();
  EXPECT_EQ(players("a", "", 500).size(), 1201U);
  EXPECT_EQ(players("a", "newer"), Lines{"a/p0000/newer"});
  EXPECT_EQ(players("a", "name 1199"), Lines{"a/p1199/name 1199"});
  EXPECT_EQ(players("a", "quiet"), Lines{});
  EXPECT_EQ(found("quiet"), Lines{"a/quiet/-"});
}

TEST_P(PlayerTable, a_deleted_realm_has_no_players_but_one_that_began_anew_keeps_its_own) {
  std::vector<events::Event> told;
  for (int i = 0; i < 2100; ++i)
    told.push_back(event(fmt::format("{}-0", 10 + i / 3), fmt::format("p{}", i), "x"));
  told.push_back(event("9000-0", "late", "Late"));
  write("a", told);
  write("b", {event("1-0", "111", "Anna")});
  while (test::run(io, journal.forget_some(RealmId::from("a").value(), 8999))) {}
  EXPECT_EQ(players("a"), Lines{"a/late/Late"});
  EXPECT_EQ(players("b"), Lines{"b/111/Anna"});
}

TEST_P(PlayerTable, a_player_whose_events_were_taken_away_is_gone_and_a_fresh_one_has_no_old_name) {
  write("a", {event("1-0", "111", "Anna"), event("2-0", "222", "Bob"), event("3-0", "222")});
  sql.write_now([](sql::Session& session) {
    session.execute("DELETE FROM economy_event WHERE event_ms < 3");
    session.execute("DELETE FROM economy_state WHERE event_ms < 3");
    for (std::string_view const user : {"111", "222", "nobody"})
      renew_player(session, RealmId::from("a").value(), UserId::from(user).value());
  });
  EXPECT_EQ(players("a"), Lines{"a/222/-"});
  write("a", {event("4-0", "222", "Bea")});
  sql.write_now([](sql::Session& session) {
    renew_player(session, RealmId::from("a").value(), UserId::from("222").value());
  });
  EXPECT_EQ(players("a"), Lines{"a/222/Bea"});
}

}  // namespace
}  // namespace larder::economy
