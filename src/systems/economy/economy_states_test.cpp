// What events tell about state, in SQL.
#include "support/sql_databases.hpp"
#include "systems/economy/economy_test.hpp"

namespace larder::economy {
namespace {

class StateTables : public test::OnEachDatabase {
 protected:
  StateTables() { journal.migrate_now(); }

  static events::Event event(std::string id, std::string type, std::string user,
                             std::vector<std::pair<std::string, std::string>> const& state = {}) {
    std::string const amount = type == "farm" ? "1" : "0";
    events::Event made{
        .id = std::move(id),
        .fields = {{"type", std::move(type)}, {"user_id", std::move(user)}, {"amount", amount}}};
    made.fields.insert(made.fields.end(), state.begin(), state.end());
    return made;
  }
  void write(RealmId const& into, std::vector<events::Event> const& told) {
    sql.write_now([&](sql::Session& session) {
      EconomyJournal::write_events(session, into, EconomyEvent::Of::points, told);
    });
  }
  // "user ms-sequence field=value ...", in pages of this size.
  Lines states(std::int64_t at_once) {
    Lines lines;
    for (std::optional<ToldState> last;;) {
      auto const page = test::run(io, journal.states(realm, last, at_once));
      if (page.empty()) return lines;
      for (auto const& told : page) {
        auto line = fmt::format("{} {}-{}", told.user_id, told.ms, told.sequence);
        for (auto const& [name, value] : told.fields) line += fmt::format(" {}={}", name, value);
        lines.push_back(std::move(line));
      }
      last = page.back();
    }
  }

  RealmId const realm = RealmId::from("Guild").value();
  asio::io_context io;
  Metrics metrics;
  sql::Database sql{url, 2, metrics};
  EconomyJournal journal{sql};
};

TEST_P(StateTables, keep_what_events_tell_apart_from_the_history) {
  std::vector<events::Event> const told{
      event("5-1", "farm", "alice", {{".", "Al \"🍕\"\n ice"}, {".:vampire", "2 1000"}, {"why", "x"}}),
      event("5-2", "state", "bob", {{".bombs", "77"}}),
      event("5-3", "state", "alice", {{".:vampire", ""}}),
      event("6-0", "farm", "alice"),
      event("6-1", "state", "catalogue", {{".catalogue-data", std::string(100'000, 'c')}}),
      event("7-1", "state", "catalogue", {{".catalogue-data", "new"}, {".catalogue-source", "command"}}),
      event("7-2", "state", "nobody")};
  for (int i = 0; i < 2; ++i) write(realm, told);
  write(RealmId::from("other").value(), {event("5-1", "state", "alice", {{".", "x"}})});

  auto const history = test::run(io, journal.events(realm, {}));
  ASSERT_EQ(history.size(), 2U);
  EXPECT_EQ(history[1].detail, R"({"why":"x"})");
  for (std::int64_t const at_once : {1, 2, 100}) {
    auto found = states(at_once);
    ASSERT_EQ(found.size(), 5U);
    EXPECT_EQ(found[0], "alice 5-1 .=Al \"🍕\"\n ice .:vampire=2 1000");
    EXPECT_EQ(found[1], "alice 5-3 .:vampire=");
    EXPECT_EQ(found[2], "bob 5-2 .bombs=77");
    EXPECT_EQ(found[3].size(), std::string_view("catalogue 6-1 .catalogue-data=").size() + 100'000);
  }
  auto const catalogue = test::run(io, journal.catalogue(realm)).value();
  EXPECT_EQ(catalogue.data + " " + catalogue.source, "new command");
  EXPECT_FALSE(test::run(io, journal.catalogue(RealmId::from("other").value())));
  EXPECT_EQ(test::run(io, journal.newest(realm, EconomyEvent::Of::points)), "7-1");
  EXPECT_EQ(test::run(io, journal.realms()), (std::vector{realm, RealmId::from("other").value()}));
  EXPECT_EQ(test::run(io, journal.users(realm, "alice", 10, EconomyJournal::Users::with_state)),
            (Lines{"bob", "catalogue"}));
  ToldState const shot{.user_id = "alice", .ms = 5, .sequence = 3};
  EXPECT_TRUE(test::run(io, journal.has_points_after(realm, shot)));
  EXPECT_FALSE(test::run(io, journal.has_points_after(realm, {.user_id = "alice", .ms = 6, .sequence = 0})));
}

TEST_P(StateTables, an_event_without_points_gives_nobody_a_place_on_the_leaderboard) {
  write(realm,
        {event("5-1", "farm", "alice"), event("5-2", "adjust", "alice"), event("5-1", "adjust", "bob")});
  EXPECT_TRUE(test::run(io, journal.has_points_after(realm, {.user_id = "alice", .ms = 5, .sequence = 0})));
  EXPECT_FALSE(test::run(io, journal.has_points_after(realm, {.user_id = "alice", .ms = 5, .sequence = 1})));
  auto const owned = test::run(io, journal.owned(realm, {"alice", "bob"}, "9-0", "9-0"));
  EXPECT_TRUE(owned.at("alice").has_points);
  EXPECT_FALSE(owned.at("bob").has_points);
}

TEST_P(StateTables, forget_a_realm_up_to_a_moment) {
  std::vector<events::Event> events;
  for (int i = 0; i < 2500; ++i) {
    events.push_back(event(fmt::format("{}-0", 10 + i / 3), "farm", fmt::format("p{}", i), {{".", "x"}}));
  }
  events.push_back(event("9000-0", "farm", "late", {{".", "x"}}));
  write(realm, events);
  auto const other = RealmId::from("other").value();
  write(other, {event("5-1", "farm", "alice", {{".", "x"}})});
  int portions = 1;
  while (test::run(io, journal.forget_some(realm, 8999))) ++portions;
  EXPECT_GT(portions, 4);  // of two tables
  EXPECT_EQ(test::run(io, journal.events(realm, {.limit = 10})).size(), 1U);
  EXPECT_EQ(states(10), Lines{"late 9000-0 .=x"});
  EXPECT_FALSE(test::run(io, journal.forget_some(realm, 9000)));
  EXPECT_EQ(test::run(io, journal.realms()), std::vector{other});
}

LARDER_ON_EACH_DATABASE(StateTables);

}  // namespace
}  // namespace larder::economy
