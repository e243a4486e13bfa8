// Events in SQL: each is there once, Redis keeps the newest, and verify compares the two.
#include "support/sql_databases.hpp"
#include "systems/economy/economy_test.hpp"

namespace larder::economy {
namespace {

class EconomyJournalTest : public EconomyTest {
 protected:
  // Brings all events of the streams to SQL. A Background can start only once, so each call makes another.
  void journal_all(std::int64_t keep = 10'000) {
    Background other(io, redis, sql, clock, {.stream_events = keep}, metrics);
    run(other.start());
    run(other.stop());
  }
  // "type user amount item detail", newest first.
  Lines journal(EventQuery query = {}) {
    Lines lines;
    for (auto const& event : run(background.shared().journal.events(realm(), std::move(query)))) {
      auto line = fmt::format("{} {} {}", event.type, event.user_id, event.amount);
      for (auto const& more : {event.item, event.detail}) {
        if (!more.empty()) line += " " + more;
      }
      lines.push_back(std::move(line));
    }
    return lines;
  }
  std::int64_t count_rows() {
    return sql.write_now([](sql::Session& session) {
      return session.query("SELECT COUNT(*) FROM economy_event", {}).at(0).int64(0);
    });
  }
  void execute(std::string const& statement) {
    sql.write_now([&](sql::Session& session) { session.execute(statement); });
  }
  // Afterwards 111 has 23 points and a herb, and 222 has 9 points and a herb.
  void play() {
    give("111", ":herb:", 2);
    EXPECT_EQ(told(economy.claim(move("111"), "daily")), "+32 =32");
    EXPECT_EQ(told(economy.pay(move("111"), user("222"), amount(9))), "=23 to =9");
    EXPECT_EQ(told(economy.trade(move("111"), user("222"), "herb", 1)), ":herb: =1 to =1");
  }
};

TEST_F(EconomyJournalTest, every_event_is_projected_once) {
  play();
  journal_all();
  Lines const expected{
      "payee 222 9 {\"payer_id\":\"111\"}",           "payer 111 -9 {\"payee_id\":\"222\"}",
      "timely_reward 111 32 {\"reward\":\"daily\"}",  "tradee 222 1 :herb: {\"trader_id\":\"111\"}",
      "trader 111 -1 :herb: {\"tradee_id\":\"222\"}", "opening 111 2 :herb:"};
  auto const sorted = [](Lines lines) {
    std::ranges::sort(lines);
    return lines;
  };
  EXPECT_EQ(sorted(journal()), sorted(expected));
  journal_all();  // there is nothing new
  // A projector that died after SQL and before Redis: all events are projected again.
  cli({"DEL", "ajobus:projected", "ajobus-inventory:projected"});
  journal_all();
  EXPECT_EQ(sorted(journal()), sorted(expected));
  auto const last = cli({"XREVRANGE", "ajobus", "+", "-", "COUNT", "1"});
  EXPECT_EQ(cli({"GET", "ajobus:projected"}), last.substr(0, last.find('\n')));
  EXPECT_EQ(cli({"EXISTS", "ajobus:lease", "ajobus-inventory:lease"}), "0");
}

TEST_F(EconomyJournalTest, events_are_whole_in_sql) {
  auto made = move("111");
  made.guild_id = user("900");
  run(economy.claim(made, "daily")).value();
  journal_all();
  auto const found = run(background.shared().journal.events(realm(), {}));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].of, EconomyEvent::Of::points);
  EXPECT_EQ(found[0].version, 1);
  EXPECT_EQ(found[0].guild_id, "900");
  EXPECT_EQ(fmt::format("{}-{}", found[0].ms, found[0].sequence),
            run(events::read_events(redis, "ajobus", "-", "+", 10)).back().id);
}

TEST_F(EconomyJournalTest, streams_keep_the_newest_events) {
  for (int i = 0; i < 100; ++i) run(economy.claim(move(fmt::format("p{}", i)), "daily")).value();
  journal_all(10);
  EXPECT_EQ(cli({"XLEN", "ajobus"}), "10");
  EXPECT_EQ(events("ajobus").back(),
            "version=1 type=timely_reward user_id=p99 guild_id=0 amount=32 reward=daily");
  EXPECT_EQ(count_rows(), 100);
  EXPECT_EQ(differences(), Lines{});
  run(economy.claim(move("p100"), "daily")).value();
  EXPECT_EQ(differences(), Lines{});  // some in SQL only, some in both, one in the stream only
}

TEST_F(EconomyJournalTest, events_by_hand_get_what_they_lack) {
  cli({"XADD", "ajobus", "1-1", "user_id", "111", "amount", "1", "type", "farm"});
  cli({"XADD", "ajobus", "2-1", "user_id", "111", "amount", "5"});
  cli({"XADD", "ajobus", "3-1", "user_id", "111", "amount", "5", "type", "gift", "guild_id", "a b", "version",
       "x", "by", "me", "bad", "\xff"});
  cli({"XADD", "ajobus", "4-1", "user_id", "111", "amount", "lots", "type", "farm"});
  cli({"XADD", "ajobus", "5-1", "nothing", "at all"});
  cli({"XADD", "ajobus-inventory", "1-1", "user_id", "111", "item", "🍣", "quantity", "2", "type",
       "item_earned"});
  cli({"XADD", "ajobus-inventory", "2-1", "user_id", "111", "quantity", "2", "type", "item_earned"});
  cli({"ZADD", "lb", "11", "111"});
  cli({"HSET", "111:inventory", "🍣", "2"});
  open();
  journal_all();
  EXPECT_EQ(journal(), (Lines{"unreadable  0", "unreadable  0", "gift 111 5 {\"by\":\"me\"}", "unreadable  0",
                              "unknown 111 5", "item_earned 111 2 🍣", "farm 111 1"}));
  EXPECT_EQ(differences(), Lines{});
  for (auto const& event : run(background.shared().journal.events(realm(), {.user = user("111")}))) {
    EXPECT_EQ(event.version, 0);
    EXPECT_EQ(event.guild_id, "0");
  }
}

TEST_F(EconomyJournalTest, history_comes_in_pages_newest_first) {
  // Several events of points and of items within the same millisecond.
  for (int i = 0; i < 12; ++i) {
    auto const id = fmt::format("{}-{}", 5 + i / 4, i % 4);
    auto const who = i % 3 == 0 ? "222" : "111";
    cli({"XADD", "ajobus", i == 0 ? "5-1" : fmt::format("{}-{}", 5 + i / 4, i % 4 + 1), "user_id", who,
         "amount", fmt::to_string(i), "type", i % 2 ? "farm" : "gamble"});
    cli({"XADD", "ajobus-inventory", fmt::format("{}-{}", 5 + i / 4, i % 4 + 1), "user_id", who, "item", "x",
         "quantity", fmt::to_string(i), "type", "item_earned"});
  }
  open();
  journal_all();
  EventQuery const everything{.type = {}, .limit = 500};
  auto const all = run(background.shared().journal.events(realm(), everything));
  auto const name = [](EconomyEvent const& event) {
    return fmt::format("{}-{} {}", event.ms, event.sequence, event.of == EconomyEvent::Of::items ? "i" : "p");
  };
  ASSERT_GE(all.size(), 24U);
  for (std::size_t i = 1; i < all.size(); ++i) {
    auto const key = [](EconomyEvent const& event) { return std::tuple(event.ms, event.sequence, event.of); };
    EXPECT_GT(key(all[i - 1]), key(all[i]));
  }
  for (std::optional<std::string> const& type :
       {std::optional<std::string>(), std::optional<std::string>("farm")}) {
    for (std::optional<UserId> const& who : {std::optional<UserId>(), std::optional(user("111"))}) {
      Lines expected;
      for (auto const& event : all) {
        if ((!type || event.type == *type) && (!who || event.user_id == who->str()))
          expected.push_back(name(event));
      }
      for (std::int64_t const size : {1, 2, 5, 100}) {
        Lines found;
        EventQuery query{.user = who, .type = type, .limit = size};
        for (;;) {
          auto const page = run(background.shared().journal.events(realm(), query));
          if (page.empty()) break;
          for (auto const& event : page) found.push_back(name(event));
          query.before =
              EventPosition{.ms = page.back().ms, .sequence = page.back().sequence, .of = page.back().of};
        }
        EXPECT_EQ(found, expected) << size;
      }
    }
  }
}

TEST_F(EconomyJournalTest, history_shows_what_was_written_just_before) {
  run(background.start());
  for (int i = 1; i <= 20; ++i) {
    run(economy.claim(move(fmt::format("p{}", i)), "daily")).value();
    auto const found = run(economy.events(realm(), {.user = user(fmt::format("p{}", i))})).value();
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].type, "timely_reward");
  }
  EXPECT_EQ(run(economy.events(realm(), {.type = "farm"}))->size(), 0U);
  EXPECT_EQ(run(economy.events(realm(), {.limit = 7}))->size(), 7U);
  EXPECT_EQ(run(economy.events(realm("other"), {}))->size(), 0U);
  run(background.stop());
}

TEST_F(EconomyJournalTest, an_event_is_told_to_listeners_with_all_it_says) {
  events::Event const points{.id = "5-1",
                             .fields = {{"version", "1"},
                                        {"type", "payer"},
                                        {"user_id", "111"},
                                        {"guild_id", "9"},
                                        {"amount", "-4"},
                                        {"payee_id", "222"}}};
  auto const told_points = to_feed(realm("r"), EconomyEvent::Of::points, points);
  EXPECT_EQ(told_points.type, "payer");
  EXPECT_EQ(told_points.user_id, "111");
  EXPECT_EQ(told_points.at.value, 5);
  EXPECT_EQ(told_points.data,
            R"({"id":"5-1","realm":"r","guild_id":"9","amount":-4,"detail":{"payee_id":"222"}})");
  events::Event const items{
      .id = "5-1",
      .fields = {{"type", "item_earned"}, {"user_id", "111"}, {"item", "\"🍣\""}, {"quantity", "1"}}};
  EXPECT_EQ(to_feed(realm("r"), EconomyEvent::Of::items, items).data,
            R"({"id":"5-1-i","realm":"r","guild_id":"0","item":"\"🍣\"","quantity":1})");
}

class JournalTables : public test::OnEachDatabase {
 protected:
  JournalTables() { journal.migrate_now(); }

  void write(EconomyEvent::Of of, std::vector<events::Event> const& events) {
    sql.write_now([&](sql::Session& session) { EconomyJournal::write_events(session, realm, of, events); });
  }
  static events::Event points(std::string id, std::string user, std::int64_t amount) {
    return {.id = std::move(id),
            .fields = {{"type", "farm"}, {"user_id", std::move(user)}, {"amount", fmt::to_string(amount)}}};
  }
  static events::Event item(std::string id, std::string user, std::string item, std::int64_t quantity) {
    return {.id = std::move(id),
            .fields = {{"type", "item_earned"},
                       {"user_id", std::move(user)},
                       {"item", std::move(item)},
                       {"quantity", fmt::to_string(quantity)},
                       {"why", "it's \\ \"so\" 🍕"}}};
  }

  RealmId const realm = RealmId::from("Guild").value();
  asio::io_context io;
  Metrics metrics;
  sql::Database sql{url, 2, metrics};
  EconomyJournal journal{sql};
};

TEST_P(JournalTables, keep_every_event_once_and_sum_them) {
  EconomyJournal(sql).migrate_now();  // a second start
  std::string long_item;
  for (int i = 0; i < 64; ++i) long_item += "🍕";
  std::vector<events::Event> const of_points{points("5-1", "alice", most), points("5-2", "alice", -most),
                                             points("5-3", "Alice", 7), points("6-1", "alice", 3),
                                             points("7-1", "", 3)};
  std::vector<events::Event> const of_items{item("5-1", "alice", long_item, 2), item("5-2", "alice", "x", 1),
                                            item("6-1", "alice", "x", 5), item("6-2", "alice", "X", 1)};
  for (int i = 0; i < 3; ++i) {
    write(EconomyEvent::Of::points, of_points);
    write(EconomyEvent::Of::items, of_items);
  }
  auto const all = test::run(io, journal.events(realm, {.limit = 100}));
  EXPECT_EQ(all.size(), 9U);
  EXPECT_EQ(all.at(0).type, "unreadable");
  EXPECT_EQ(all.at(1).detail, R"({"why":"it's \\ \"so\" 🍕"})");
  EXPECT_EQ(all.back().amount, most);
  auto const hers = test::run(io, journal.events(realm, {.user = UserId::from("Alice").value()}));
  EXPECT_EQ(hers.size(), 1U);  // names that differ in case are different
  EXPECT_EQ(test::run(io, journal.events(RealmId::from("guild").value(), {})).size(), 0U);

  auto const owned = test::run(io, journal.owned(realm, {"alice", "Alice", "bob"}, "6-1", "6-1"));
  EXPECT_EQ(owned.size(), 2U);
  EXPECT_EQ(owned.at("alice").balance, 3);
  EXPECT_EQ(owned.at("alice").inventory, (Inventory{{long_item, 2}, {"x", 6}}));
  EXPECT_EQ(owned.at("Alice").balance, 7);
  EXPECT_EQ(test::run(io, journal.owned(realm, {"alice"}, "5-1", "0-0")).at("alice").balance, most);
  EXPECT_EQ(test::run(io, journal.newest(realm, EconomyEvent::Of::points)), "7-1");
  EXPECT_EQ(test::run(io, journal.newest(realm, EconomyEvent::Of::items)), "6-2");
  EXPECT_EQ(test::run(io, journal.newest(RealmId::from("none").value(), EconomyEvent::Of::items)), "0-0");
  // Which of them is first, the database decides.
  auto users = test::run(io, journal.users(realm, "", 1));
  ASSERT_EQ(users.size(), 1U);
  std::ranges::copy(test::run(io, journal.users(realm, users[0], 10)), std::back_inserter(users));
  std::ranges::sort(users);
  EXPECT_EQ(users, (Lines{"Alice", "alice"}));
  using Names = std::set<std::string>;
  EXPECT_EQ(test::run(io, journal.known(realm, {"alice", "bob"}, "7-1", "0-0")), Names{"alice"});
  EXPECT_EQ(test::run(io, journal.known(realm, {"alice", "Alice"}, "5-2", "0-0")), Names{"alice"});
  EXPECT_EQ(test::run(io, journal.known(realm, {"alice", "Alice"}, "0-0", "5-1")), Names{"alice"});
  EXPECT_EQ(test::run(io, journal.known(realm, {"alice"}, "4-9", "0-0")), Names{});
}

LARDER_ON_EACH_DATABASE(JournalTables);

class EconomyVerify : public EconomyJournalTest {
 protected:
  void SetUp() override {
    play();
    EXPECT_EQ(differences(), Lines{});  // all events are still in the streams
    journal_all();
    EXPECT_EQ(differences(), Lines{});
  }
  static std::string line(std::string_view player, std::string_view told, std::string_view stored) {
    return fmt::format("realm default, player {}: the events say {}, Redis has {}", player, told, stored);
  }
};

TEST_F(EconomyVerify, counts_what_it_looked_at) {
  VerifyReport last;
  auto const report = run(verify(
      redis, background.shared().journal, {realm(), realm("empty")},
      {.difference = [](std::string const&) {}, .progress = [&](VerifyReport const& now) { last = now; }}));
  EXPECT_EQ(std::tuple(report.realms, report.players, report.differences), std::tuple(2, 2, 0));
  EXPECT_EQ(last.players, 2);
}

TEST_F(EconomyVerify, finds_a_changed_balance) {
  cli({"ZINCRBY", "lb", "1", "111"});
  EXPECT_EQ(differences(), Lines{line("111", "23 points", "24")});
  cli({"ZREM", "lb", "111"});
  EXPECT_EQ(differences(), Lines{line("111", "23 points", "0")});
  cli({"ZADD", "lb", "23.5", "111"});
  EXPECT_EQ(differences(), Lines{line("111", "23 points", "23.5")});
}

TEST_F(EconomyVerify, finds_a_changed_stack) {
  cli({"HINCRBY", "222:inventory", ":herb:", "1"});
  EXPECT_EQ(differences(), Lines{line("222", "1 :herb:", "2")});
  cli({"DEL", "222:inventory"});
  EXPECT_EQ(differences(), Lines{line("222", "1 :herb:", "0")});
  cli({"HSET", "222:inventory", ":herb:", "1", ":bone:", "4"});
  EXPECT_EQ(differences(), Lines{line("222", "0 :bone:", "4")});
}

TEST_F(EconomyVerify, finds_a_deleted_event) {
  execute("DELETE FROM economy_event WHERE type = 'payee'");
  EXPECT_EQ(differences(), Lines{line("222", "0 points", "9")});
  execute("DELETE FROM economy_event WHERE type = 'tradee'");
  EXPECT_EQ(differences(), (Lines{line("222", "0 points", "9"), line("222", "0 :herb:", "1")}));
}

TEST_F(EconomyVerify, finds_a_doubled_event) {
  execute(
      "INSERT INTO economy_event SELECT realm, user_id, event_ms, event_seq + 1000, of_items, version, type, "
      "guild_id, item, amount, detail FROM economy_event WHERE type IN ('payee', 'trader')");
  auto const found = differences();  // newer than the last event in Redis: nobody wrote these
  ASSERT_EQ(found.size(), 2U);
  EXPECT_TRUE(found[0].starts_with("realm default: SQL has events of ajobus up to ")) << found[0];
  execute("UPDATE economy_event SET event_ms = 1 WHERE event_seq >= 1000");
  EXPECT_EQ(differences(), (Lines{line("111", "0 :herb:", "1"), line("222", "18 points", "9")}));
}

TEST_F(EconomyVerify, finds_players_who_are_in_redis_only) {
  cli({"ZADD", "lb", "5", "333", "0", "444"});
  cli({"HSET", "333:inventory", ":herb:", "1"});
  cli({"HSET", "555:inventory", ":bone:", "2"});
  auto found = differences();
  std::ranges::sort(found);
  EXPECT_EQ(found, (Lines{line("333", "0 :herb:", "1"), line("333", "0 points", "5"),
                          line("555", "0 :bone:", "2")}));
}

TEST_F(EconomyVerify, compares_those_whose_first_event_comes_to_sql_meanwhile_once) {
  cli({"ZADD", "lb", "5", "000", "6", "333"});  // before and after the players who have events
  Lines found;
  auto const to_sql = [&, once = true](VerifyReport const&) mutable {
    if (!std::exchange(once, false)) return;
    for (auto const* const player : {"000", "333"}) {
      execute(
          fmt::format("INSERT INTO economy_event SELECT realm, '{}', event_ms + 1000, event_seq, of_items, "
                      "version, type, guild_id, item, amount, detail FROM economy_event WHERE type = 'payee' "
                      "AND user_id = '222'",
                      player));
    }
  };
  run(verify(redis, background.shared().journal, {realm()},
             {.difference = [&](std::string const& line) { found.push_back(line); }, .progress = to_sql}));
  std::ranges::sort(found);
  EXPECT_EQ(found, (Lines{line("000", "0 points", "5"), line("333", "0 points", "6")}));
}

TEST_F(EconomyVerify, finds_a_redis_that_has_lost_events) {
  cli({"FLUSHALL"});
  EXPECT_EQ(differences(),
            Lines{"realm default: Redis has lost it; `larder economy rebuild` brings it back"});
  // A running server does not put an empty realm in its place.
  EXPECT_EQ(told(economy.claim(move("111"), "daily")), "realm_lost");
  EXPECT_EQ(run(economy.create(realm())).error().code, errors::realm_lost);
  EXPECT_EQ(keys(), std::set<std::string>{});
  // As an earlier version did, whose scripts made the outboxes.
  for (auto const* const outbox : {"ajobus", "ajobus-inventory"})
    cli({"XADD", outbox, "MAXLEN", "0", "0-1", "created", "1"});
  run(load_catalogue(redis, RealmKeys(realm()), ajo_catalogue(), CatalogueSource::command));
  auto const found = differences();
  ASSERT_GT(found.size(), 1U);
  EXPECT_TRUE(found[0].starts_with("realm default: SQL has events of ajobus-inventory up to ")) << found[0];
  EXPECT_TRUE(found[0].ends_with(", Redis has none behind 0-1")) << found[0];
}

// Players farm, pay, trade and claim while events are projected, trimmed and compared.
TEST_F(EconomyJournalTest, verify_finds_nothing_while_moves_go_on) {
  Background busy(io, redis, sql, clock, {.stream_events = 20}, metrics);
  Economy there(redis, busy.shared());
  run(busy.start());
  bool over = false;
  int players = 0;
  auto const play_on = [&](int first) -> Task<void> {
    ++players;
    for (int i = 0;; ++i) {
      if (over) break;
      auto const me = fmt::format("p{}", first + i % 50);
      auto const other = user(fmt::format("q{}", first + i % 30));
      co_await there.farm(move(me), "n");
      co_await there.claim(move(me), "daily");
      co_await there.pay(move(me), other, amount(1));
      co_await there.craft(move(me), "gear");
      co_await there.trade(move(me), other, "gear", 1);
    }
    --players;
  };
  for (int i = 0; i < 8; ++i) asio::co_spawn(io, play_on(i * 50), asio::detached);
  constexpr int many_rows = 1000;
  for (int i = 0; i < 12 || (i < 1000 && count_rows() <= many_rows); ++i) EXPECT_EQ(differences(), Lines{});
  over = true;
  EXPECT_TRUE(test::eventually(io, [&] { return players == 0; }));
  run(busy.stop());
  EXPECT_EQ(differences(), Lines{});
  EXPECT_GT(count_rows(), many_rows);
  EXPECT_LE(std::stoi(cli({"XLEN", "ajobus"})), 23);
}

TEST_F(EconomyJournalTest, another_server_takes_over_what_a_dead_one_left) {
  {
    // This server dies: it is never stopped, and its io stands still.
    asio::io_context its_io;
    redis::Redis its_redis{
        its_io, {.url = redis::parse_url(server.url()), .timeout = 5000ms, .tls_ca = {}}, metrics};
    Background dead(its_io, its_redis, sql, clock, {}, metrics);
    Economy its(its_redis, dead.shared());
    auto made = move("111");
    made.realm = realm("guild");
    test::run(its_io, its.claim(made, "daily")).value();
  }
  EXPECT_EQ(count_rows(), 0);
  journal_all();
  EXPECT_EQ(count_rows(), 1);
  EXPECT_EQ(differences("guild"), Lines{});
}

}  // namespace
}  // namespace larder::economy
