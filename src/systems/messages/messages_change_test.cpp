// Messages in SQL, on every kind of database, and how Redis learns about changes.
#include "systems/messages/messages_test.hpp"

namespace larder::messages {
namespace {

struct Database {
  std::string_view name;
  std::string (*url)();
};

class ChangeTest : public MessagesTest, public testing::WithParamInterface<Database> {
 protected:
  ChangeTest() : MessagesTest(GetParam().url()) {}

  // A change whose writer died before Redis learned about it.
  void change_in_sql_only(MessageId id, MessageChange change) {
    ASSERT_TRUE(run(background.shared().table.change(id, std::move(change), clock.now())));
  }
  void in_sql(std::string const& statement) {
    sql.write_now([&](sql::Session& session) { session.execute(statement); });
  }
  // How often Redis ran a command.
  std::int64_t calls_of(std::string const& command) {
    auto const stats = cli({"INFO", "commandstats"});
    auto const name = "cmdstat_" + command + ":calls=";
    auto const at = stats.find(name);
    return at == std::string::npos ? 0 : std::stoll(stats.substr(at + name.size()));
  }
  bool caught_up(std::string_view target = "ada") {
    auto const version = run(background.shared().table.version_of(user(target)));
    return version_of(target) == fmt::to_string(version);
  }
};

INSTANTIATE_TEST_SUITE_P(
    On, ChangeTest,
    testing::Values(Database{"sqlite", [] { return std::string(); }},
                    Database{"postgresql", [] { return test::postgresql_server().new_database(); }},
                    Database{"mariadb", [] { return test::mariadb_server().new_database(); }}),
    [](auto const& info) { return std::string(info.param.name); });

TEST_P(ChangeTest, a_message_is_kept_as_it_was_given) {
  std::string const text = "it's \"quoted\" \\ %s ? äöü \U0001F600\nline";
  auto const made = run(messages.create({.text = text,
                                         .author = user("author"),
                                         .target = user("ada"),
                                         .active = false,
                                         .rule = rule(5, 86'400, limiter::Refill::continuous)}))
                        .value();
  auto const found = run(messages.find(made->id)).value();
  for (auto const& message : {made, found}) {
    EXPECT_EQ(message->text, text);
    EXPECT_EQ(message->author, user("author"));
    EXPECT_EQ(message->target, user("ada"));
    EXPECT_FALSE(message->active);
    EXPECT_EQ(message->rule, rule(5, 86'400, limiter::Refill::continuous));
    EXPECT_EQ(message->created_at, clock.now());
    EXPECT_EQ(message->changed_at, clock.now());
  }
  clock.advance(5);
  run(messages.change(made->id, {.text = "other",
                                 .author = user("b"),
                                 .active = true,
                                 .tokens = 1,
                                 .seconds = 1,
                                 .refill = limiter::Refill::interval}))
      .value();
  auto const changed = run(messages.find(made->id)).value();
  EXPECT_EQ(changed->text, "other");
  EXPECT_EQ(changed->author, user("b"));
  EXPECT_TRUE(changed->active);
  EXPECT_EQ(changed->rule, rule(1, 1));
  EXPECT_EQ(changed->created_at + 5, changed->changed_at);
  EXPECT_GT(changed->version, made->version);
}

TEST_P(ChangeTest, refuses_what_is_no_message) {
  struct Case {
    NewMessage message;
    std::string_view field;
  };
  auto with_text = [&](std::string text) {
    auto message = draft(rule(1, 1));
    message.text = std::move(text);
    return message;
  };
  std::string emoji;
  for (std::size_t i = 0; i <= limits::message_text_chars_max; ++i) emoji += "\U0001F600";
  for (auto const& [message, field] :
       {Case{with_text(""), "text"}, Case{with_text(std::string(2001, 'a')), "text"},
        Case{with_text(emoji), "text"}, Case{with_text("\xff"), "text"},
        Case{with_text(std::string("a\0b", 3)), "text"}, Case{draft(rule(0, 1)), "rule.tokens"},
        Case{draft(rule(1, 0)), "rule.seconds"}, Case{draft(rule(1'000'000'001, 1)), "rule.tokens"},
        Case{draft(rule(1, 1'000'000'001)), "rule.seconds"}}) {
    auto const made = run(messages.create(message));
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().field, field);
  }
  EXPECT_TRUE(run(messages.list({})).empty());
  emoji.resize(emoji.size() - 4);  // Discord counts this as 2000
  EXPECT_TRUE(run(messages.create(with_text(emoji))));
  EXPECT_EQ(run(messages.change(999, {.active = true})).error().code, errors::message_not_found);
  EXPECT_EQ(run(messages.find(999)).error().code, errors::message_not_found);
}

TEST_P(ChangeTest, lists_those_of_a_target_page_by_page) {
  Ids of_ada;
  for (int i = 0; i < 5; ++i) {
    of_ada.push_back(add(rule(1, 1)));
    add(rule(1, 1), "bob");
  }
  Ids listed;
  for (MessageQuery query{.target = user("ada"), .limit = 2};;) {
    auto const page = run(messages.list(query));
    for (auto const& message : page) listed.push_back(message.id);
    if (page.size() < 2) break;
    query.after = page.back().id;
  }
  EXPECT_EQ(listed, of_ada);
  EXPECT_EQ(run(messages.list({})).size(), 10U);
}

TEST_P(ChangeTest, selects_and_refills) {
  auto const ids = add(3, rule(1, 60));
  auto const first = take(3);
  EXPECT_TRUE(std::ranges::is_permutation(first, ids));
  EXPECT_EQ(told(), "none till +59997");
  clock.advance(60'000);
  EXPECT_EQ(take(3), first);
}

TEST_P(ChangeTest, what_a_writer_did_not_live_to_tell_is_known_within_two_looks) {
  auto const kept = add(rule(100, 1));
  auto const silenced = add(rule(100, 1));
  auto const gone = add(rule(100, 1));
  take(3);
  change_in_sql_only(silenced, {.active = false});
  change_in_sql_only(kept, {.text = "new"});
  ASSERT_TRUE(run(background.shared().table.remove(gone, clock.now())));
  background.start();
  ASSERT_TRUE(test::eventually(io, [&] { return caught_up(); }));
  EXPECT_EQ(take(3), (Ids{kept, kept, kept}));
  EXPECT_EQ(select().message->text, "new");
  EXPECT_EQ(sent(), (Ids{kept, silenced}));
  EXPECT_FALSE(keys_of().contains(fmt::format(":{}:tokens", gone)));
  run(background.stop());
}

TEST_P(ChangeTest, a_selection_that_meets_a_deleted_message_goes_on_without_it) {
  auto const gone = add(rule(100, 1));
  ASSERT_TRUE(run(background.shared().table.remove(gone, clock.now())));
  EXPECT_EQ(told(), "none");
  EXPECT_EQ(keys_of(), std::set<std::string>{});
}

TEST_P(ChangeTest, nothing_is_kept_of_a_user_whose_messages_are_all_deleted) {
  auto const id = add(rule(1, 60));
  take(1);
  run(messages.remove(id)).value();
  background.start();
  ASSERT_TRUE(test::eventually(io, [&] {
    return sql
        .read_now([](sql::Session& session) { return session.query("SELECT user_id FROM message_user"); })
        .empty();
  }));
  run(background.stop());
  EXPECT_EQ(keys_of(), std::set<std::string>{});
  auto const again = add(rule(1, 60));
  EXPECT_EQ(take(1), Ids{again});
}

TEST_P(ChangeTest, an_index_that_is_lost_is_made_again) {
  auto const first = add(2, rule(1, 60));
  auto const order = take(2);
  auto const fresh = add(rule(1, 60));
  IndexKeys const keys(user());
  cli({"DEL", keys.line, keys.waiting, keys.index});
  EXPECT_EQ(take(1), Ids{fresh});
  EXPECT_EQ(told(), "none till +59997");
  clock.advance(59'997);
  EXPECT_EQ(take(2), order);
  cli({"FLUSHALL"});
  EXPECT_EQ(std::ranges::count(take(3), 0), 0);
}

TEST_P(ChangeTest, changes_at_the_same_time_all_arrive) {
  std::vector<Task<Result<MessagePtr>>> tasks;
  for (int i = 0; i < 40; ++i) tasks.push_back(messages.create(draft(rule(1, 3600))));
  std::set<MessageId> made;
  for (auto const& message : run(when_all(std::move(tasks)))) made.insert(message.value()->id);
  EXPECT_TRUE(caught_up());
  // Each change was applied by itself. On a busy machine, some may give up waiting for the one before them.
  EXPECT_LT(calls_of("hscan"), 20);
  auto const taken = take(40);
  EXPECT_EQ(std::set(taken.begin(), taken.end()), made);
  std::vector<Task<Result<MessagePtr>>> removals;
  for (auto const id : made) removals.push_back(messages.remove(id));
  run(when_all(std::move(removals)));
  EXPECT_EQ(keys_of(), std::set<std::string>{});
}

TEST_P(ChangeTest, an_attempt_to_make_the_index_that_died_is_given_up) {
  auto const id = add(rule(1, 60));
  cli({"HSET", IndexKeys(user()).index, "version", "building dead 3"});
  background.shared().dead_after = std::chrono::milliseconds(20);
  Messages other(redis, background.shared());
  EXPECT_EQ(run(other.select(user())).message->id, id);
}

TEST_P(ChangeTest, an_attempt_to_make_the_index_is_given_up_only_by_its_mark) {
  IndexKeys const keys(user());
  cli({"HSET", keys.index, "version", "building mine 1"});
  auto const give_up = [&](std::string_view mark) {
    return run(redis.run(redis::Use::idempotent_write, scripts::give_up_index(keys, mark))).integer();
  };
  EXPECT_EQ(give_up("building another 1"), 0);
  EXPECT_EQ(version_of(), "building mine 1");
  EXPECT_EQ(give_up("building mine 1"), 1);
  EXPECT_EQ(version_of(), "");
}

TEST_P(ChangeTest, an_attempt_to_make_the_index_that_failed_holds_nobody_up) {
  auto const id = add(rule(1, 60));
  cli({"FLUSHALL"});
  in_sql("ALTER TABLE message RENAME TO hidden");
  for (int i = 0; i < 3; ++i) EXPECT_ANY_THROW(select());
  EXPECT_EQ(version_of(), "");
  in_sql("ALTER TABLE hidden RENAME TO message");
  EXPECT_EQ(take(1), Ids{id});
}

TEST_P(ChangeTest, a_message_that_sql_has_lost_is_not_selected_for_ever) {
  auto const lost = add(rule(1000, 1));
  auto const kept = add(rule(1000, 1));
  take(2);
  cli({"HSET", IndexKeys(user()).index, fmt::to_string(lost), "1000 1000 0 1"});  // not the version in memory
  in_sql(fmt::format("DELETE FROM message WHERE id = {}", lost));
  EXPECT_EQ(take(3), (Ids{kept, kept, kept}));
  EXPECT_EQ(sent(), Ids{kept});
}

TEST_P(ChangeTest, a_database_that_was_restored_gives_no_version_again) {
  add(rule(1, 60));
  in_sql("UPDATE message_clock SET version = 1");
  in_sql("UPDATE message_user SET version = 1");
  clock.advance(1);
  auto const fresh = add(rule(1, 60));
  EXPECT_TRUE(caught_up());
  auto const taken = take(2);
  EXPECT_EQ(std::ranges::count(taken, fresh), 1);
}

TEST_P(ChangeTest, a_redis_that_was_restored_is_brought_up_to_date) {
  auto const id = add(rule(1000, 1));
  take(1);
  auto const old = version_of();
  auto const rule_text = cli({"HGET", IndexKeys(user()).index, fmt::to_string(id)});
  background.start();
  auto const seen = [&] { return cli({"GET", "{messages}:caught_up"}); };
  ASSERT_TRUE(test::eventually(io, [&] { return seen() == old; }));
  clock.advance(1);
  run(messages.change(id, {.text = "new"})).value();
  auto const version = version_of();
  ASSERT_TRUE(test::eventually(io, [&] { return seen() == version; }));
  cli({"HSET", IndexKeys(user()).index, "version", old, fmt::to_string(id), rule_text});
  cli({"SET", "{messages}:caught_up", old});
  ASSERT_TRUE(test::eventually(io, [&] { return version_of() == version; }));
  EXPECT_EQ(select().message->text, "new");
  run(background.stop());
}

TEST_P(ChangeTest, one_user_who_cannot_be_helped_holds_up_no_other) {
  auto const of_bob = add(rule(1, 60), "bob");
  auto const of_ada = add(rule(1, 60));
  cli({"DEL", IndexKeys(user("bob")).index});
  cli({"SET", IndexKeys(user("bob")).index, "not a hash"});
  change_in_sql_only(of_bob, {.text = "x"});
  change_in_sql_only(of_ada, {.active = false});
  background.start();
  EXPECT_TRUE(test::eventually(io, [&] { return caught_up("ada"); }));
  EXPECT_TRUE(run(messages.change(of_bob, {.text = "y"})));  // SQL has the change
  cli({"DEL", IndexKeys(user("bob")).index});
  EXPECT_EQ(select("bob").message->text, "y");
  run(background.stop());
}

TEST_P(ChangeTest, a_crowd_is_caught_up_but_for_those_who_cannot_be_helped) {
  constexpr int count = 230;  // more than are caught up at once
  auto const name = [](int number) { return fmt::format("user{}", number); };
  auto const is_broken = [](int number) { return number % 100 == 7; };
  for (int i = 0; i < count; ++i) {
    auto const id = add(rule(1, 60), name(i));
    if (is_broken(i)) {
      cli({"DEL", IndexKeys(user(name(i))).index});
      cli({"SET", IndexKeys(user(name(i))).index, "not a hash"});
    }
    change_in_sql_only(id, {.text = "new"});
  }
  background.start();
  for (int i = 0; i < count; ++i) {
    if (is_broken(i)) cli({"DEL", IndexKeys(user(name(i))).index});  // now the server can catch up
    EXPECT_TRUE(test::eventually(io, [&] { return is_broken(i) || caught_up(name(i)); })) << i;
  }
  EXPECT_EQ(select(name(7)).message->text, "new");
  run(background.stop());
}

TEST_P(ChangeTest, what_changes_nothing_is_no_change) {
  auto const id = add(rule(1, 60));
  auto const before = run(messages.find(id)).value();
  clock.advance(5);
  EXPECT_EQ(*run(messages.change(id, {})).value(), *before);
  EXPECT_EQ(*run(messages.change(id, {.text = "hello", .active = true})).value(), *before);
  EXPECT_EQ(*run(messages.find(id)).value(), *before);
}

TEST_P(ChangeTest, two_that_make_the_index_do_it_once) {
  add(30, rule(1, 3600));
  cli({"FLUSHALL"});
  Messages other(redis, background.shared());
  std::vector<Task<Selection>> tasks;
  for (int i = 0; i < 20; ++i) tasks.push_back((i % 2 == 0 ? messages : other).select(user()));
  std::set<MessageId> seen;
  for (auto const& selection : run(when_all(std::move(tasks)))) seen.insert(selection.message->id);
  EXPECT_EQ(seen.size(), 20U);
  EXPECT_EQ(calls_of("hscan"), 1);  // from the end of one build
}

class CacheTest : public testing::Test {
 protected:
  static MessagePtr message(MessageId id, std::int64_t version, std::size_t text_bytes = 0) {
    return std::make_shared<Message const>(
        Message{.id = id, .text = std::string(text_bytes, 'x'), .version = version});
  }
};

TEST_F(CacheTest, has_a_message_only_in_the_version_that_is_asked_for) {
  MessageCache cache(1'000'000);
  cache.put(message(1, 5));
  EXPECT_TRUE(cache.find(1, 5));
  EXPECT_FALSE(cache.find(1, 6));
  EXPECT_FALSE(cache.find(2, 5));
  cache.put(message(1, 6));
  EXPECT_TRUE(cache.find(1, 6));
  EXPECT_FALSE(cache.find(1, 5));
}

TEST_F(CacheTest, forgets_what_was_used_longest_ago_when_it_is_full) {
  MessageCache cache(50'000);
  for (MessageId id = 1; id <= 100; ++id) {
    cache.put(message(id, 1, 2'000));
    cache.find(1, 1);
    EXPECT_LE(cache.bytes(), 50'000U);
  }
  EXPECT_TRUE(cache.find(1, 1));
  EXPECT_FALSE(cache.find(2, 1));
  EXPECT_TRUE(cache.find(100, 1));
}

}  // namespace
}  // namespace larder::messages
