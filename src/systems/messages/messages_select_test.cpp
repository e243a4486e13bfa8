// Which message is selected, while the clock moves.
#include "base/hash.hpp"
#include "systems/messages/messages_test.hpp"

#include <algorithm>

namespace larder::messages {
namespace {

using limiter::Refill;

class SelectTest : public MessagesTest {
 protected:
  static Ids as_redis_sorts(Ids ids) {
    std::ranges::sort(ids, {}, [](MessageId id) { return fmt::to_string(id); });
    return ids;
  }
  // Makes a message look as if it had never been sent.
  void forget_sending(MessageId id) {
    IndexKeys const keys(user());
    auto const text = fmt::to_string(id);
    auto const tokens = keys.tokens(id);
    for (std::vector<std::string_view> const& command :
         {std::vector<std::string_view>{"ZREM", keys.history, text},
          {"ZREM", keys.waiting, text},
          {"ZADD", keys.line, "0", text},
          {"DEL", tokens}}) {
      run(redis.command(redis::Use::write, keys.history, command));
    }
  }
};

TEST_F(SelectTest, says_nothing_to_a_user_without_messages) {
  EXPECT_EQ(told(), "none");
  EXPECT_EQ(told(), "none");
  add(rule(1, 60), "bob");
  EXPECT_EQ(told(), "none");
  EXPECT_EQ(keys_of(), std::set<std::string>{});
}

TEST_F(SelectTest, sends_each_once_before_any_twice_and_then_the_least_recent_one) {
  auto const ids = add(12, rule(1'000, 1));
  auto const first = take(12);
  EXPECT_TRUE(std::ranges::is_permutation(first, ids)) << fmt::format("{}", fmt::join(first, " "));
  EXPECT_NE(first, ids);  // wrong once in 12! runs
  for (int round = 0; round < 3; ++round) EXPECT_EQ(take(12), first);
}

TEST_F(SelectTest, draws_the_same_with_the_same_seed) {
  add(50, rule(1, 60));
  auto const one = select("ada", 7);
  EXPECT_EQ(one.draw->seed, 7U);
  EXPECT_EQ(one.draw->among, 50);
  for (std::string_view const other : {"bob", "eve"}) {
    Ids ids;
    for (int i = 0; i < 50; ++i) ids.push_back(add(rule(1, 60), other));
    auto const selection = select(other, 7);
    EXPECT_EQ(selection.draw->index, one.draw->index);
    EXPECT_EQ(selection.message->id, as_redis_sorts(ids)[std::size_t(one.draw->index)]);
  }
}

// The seeds are fixed, so the draws are the same in every run. The bounds were taken from one run.
TEST_F(SelectTest, draws_evenly) {
  constexpr int among = 5;
  constexpr std::uint32_t draws = 2000;
  auto const ids = add(among, rule(1, 60));
  std::map<std::int64_t, int> drawn;
  for (std::uint32_t seed = 1; seed <= draws; ++seed) {
    auto const selection = select("ada", seed * 7919U);
    ++drawn[selection.draw->index];
    EXPECT_EQ(selection.message->id, as_redis_sorts(ids)[std::size_t(selection.draw->index)]);
    forget_sending(selection.message->id);
  }
  EXPECT_EQ(drawn.size(), std::size_t(among));
  for (auto const& [index, count] : drawn) EXPECT_NEAR(count, draws / among, 80) << index;
}

TEST_F(SelectTest, skips_a_message_without_tokens) {
  auto const rare = add(rule(1, 60));
  EXPECT_EQ(take(1), Ids{rare});
  auto const often = add(rule(100, 60));
  EXPECT_EQ(take(4), (Ids{often, often, often, often}));
  EXPECT_EQ(sent(), (Ids{often, rare}));
  clock.advance(60'000);
  EXPECT_EQ(take(3), (Ids{rare, often, often}));
}

TEST_F(SelectTest, refills_at_exactly_the_interval_since_the_last_reset) {
  auto const id = add(rule(3, 60));
  EXPECT_EQ(select().tokens_left, 2);  // the bucket begins here
  clock.advance(50'000);
  EXPECT_EQ(select().tokens_left, 1);
  EXPECT_EQ(select().tokens_left, 0);
  EXPECT_EQ(told(), "none till +10000");
  clock.advance(9'999);
  EXPECT_EQ(told(), "none till +1");
  clock.advance(1);
  EXPECT_EQ(select().tokens_left, 2);
  EXPECT_EQ(take(2), (Ids{id, id}));
  EXPECT_EQ(told(), "none till +59998");
}

TEST_F(SelectTest, refills_one_by_one_if_the_rule_says_so) {
  add(rule(3, 10, Refill::continuous));
  for (auto const left : {2, 1, 0}) EXPECT_EQ(select().tokens_left, left);
  EXPECT_EQ(told(), "none till +3334");
  clock.advance(3'333);
  EXPECT_EQ(told(), "none till +1");
  clock.advance(1);
  EXPECT_EQ(select().tokens_left, 0);
  clock.advance(3'333);  // 6667 ms since it was empty: two tokens in all
  EXPECT_EQ(select().tokens_left, 0);
  EXPECT_EQ(told(), "none till +3333");
  clock.advance(10'000);
  EXPECT_EQ(select().tokens_left, 2);
}

TEST_F(SelectTest, tells_the_earliest_moment_of_all) {
  add(rule(1, 300));
  add(rule(1, 100));
  add(rule(2, 200, Refill::continuous));
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(select().message);
  EXPECT_EQ(told(), "none till +100000");
}

TEST_F(SelectTest, a_new_message_jumps_the_queue) {
  auto const old = add(3, rule(100, 1));
  take(5);
  auto const fresh = add(rule(100, 1));
  EXPECT_EQ(take(1), Ids{fresh});
  EXPECT_EQ(sent().front(), fresh);
  take(3);
  EXPECT_EQ(take(1), Ids{fresh});  // from now on it has its place in the line
}

TEST_F(SelectTest, orders_those_that_were_sent_in_one_millisecond_or_while_the_clock_went_back) {
  add(5, rule(100, 1));
  Ids order;
  for (int i = 0; i < 5; ++i) order.push_back(select().message->id);
  clock.advance(-3'600'000);
  for (int round = 0; round < 2; ++round) {
    for (auto const id : order) EXPECT_EQ(select().message->id, id);
  }
}

TEST_F(SelectTest, deactivating_keeps_the_place_and_the_bucket) {
  auto const first = add(rule(1, 100));
  auto const second = add(rule(1, 100));
  clock.advance(1000);
  run(messages.change(second, {.active = false})).value();
  EXPECT_EQ(take(1), Ids{first});
  EXPECT_EQ(told(), "none till +99999");
  run(messages.change(first, {.active = false})).value();
  EXPECT_EQ(told(), "none");
  EXPECT_EQ(sent(), Ids{first});
  EXPECT_EQ(keys_of(), (std::set<std::string>{"", fmt::format(":{}:last_reset", first),
                                              fmt::format(":{}:tokens", first)}));
  run(messages.change(first, {.active = true})).value();
  EXPECT_EQ(told(), "none till +99999");
  run(messages.change(second, {.active = true})).value();
  EXPECT_EQ(take(1), Ids{second});  // it was never sent
  clock.advance(100'000);
  EXPECT_EQ(take(2), (Ids{first, second}));
}

TEST_F(SelectTest, a_deleted_message_leaves_nothing) {
  auto const ids = add(3, rule(1, 100));
  take(2);
  for (auto const id : ids) EXPECT_EQ(run(messages.remove(id)).value()->id, id);
  EXPECT_EQ(told(), "none");
  EXPECT_EQ(sent(), Ids{});
  EXPECT_EQ(keys_of(), std::set<std::string>{});
  EXPECT_EQ(run(messages.remove(ids[0])).error().code, errors::message_not_found);
}

TEST_F(SelectTest, a_message_for_somebody_else_is_new_there_and_gone_here) {
  auto const id = add(rule(1, 100));
  take(1);
  run(messages.change(id, {.target = user("bob")})).value();
  EXPECT_EQ(told("ada"), "none");
  EXPECT_EQ(sent("ada"), Ids{});
  EXPECT_EQ(told("bob"), fmt::to_string(id));
}

TEST_F(SelectTest, another_rule_counts_from_now_on) {
  struct Case {
    limiter::Rule rule;
    std::string then;
  };
  // After two of two tokens were used at once, 10 s ago.
  for (auto const& [changed, then] :
       {Case{rule(2, 100), "none till +90000"}, Case{rule(5, 100), "none till +90000"},
        Case{rule(1, 10), "ready"}, Case{rule(1, 11), "none till +1000"},
        Case{rule(1, 1'000'000'000), "none till +999999990000"},
        Case{rule(2, 20, Refill::continuous), "ready"},
        Case{rule(2, 30, Refill::continuous), "none till +5000"}}) {
    auto const name = fmt::format("u{}-{}-{}", changed.tokens, changed.seconds, int(changed.refill));
    auto const id = add(rule(2, 100), name);
    select(name);
    select(name);
    clock.advance(10'000);
    run(messages.change(id, {.tokens = changed.tokens, .seconds = changed.seconds, .refill = changed.refill}))
        .value();
    auto const now = told(name);
    EXPECT_EQ(now == fmt::to_string(id) ? "ready" : now, then) << name;
  }
}

TEST_F(SelectTest, a_bucket_for_which_a_new_rule_has_too_little_room_is_kept_until_its_interval_is_over) {
  auto const id = add(rule(5, 3600));
  take(2);
  run(messages.change(id, {.tokens = 3})).value();
  take(1);
  for (auto const& key : {IndexKeys(user()).tokens(id), IndexKeys(user()).last_reset(id)}) {
    EXPECT_GT(std::stoll(cli({"TTL", key})), 3000) << key;
  }
}

TEST_F(SelectTest, tokens_that_nobody_can_read_are_a_full_bucket) {
  auto const id = add(rule(3, 60));
  for (auto const* const text : {"x", "1e0", "0x2", "-5", ""}) {
    take(1);
    cli({"SET", IndexKeys(user()).tokens(id), text});
    EXPECT_EQ(select().tokens_left, 2) << text;
  }
  cli({"SET", IndexKeys(user()).tokens(id), "2.5"});  // left from a rule that was continuous
  EXPECT_EQ(select().tokens_left, 1);
  EXPECT_EQ(select().tokens_left, 0);
}

TEST_F(SelectTest, a_rule_that_is_changed_and_changed_back_gives_no_tokens) {
  auto const id = add(rule(10, 86'400));
  for (int i = 0; i < 9; ++i) select();
  clock.advance(1000);
  run(messages.change(id, {.tokens = 1})).value();
  clock.advance(1000);
  run(messages.change(id, {.tokens = 10})).value();
  EXPECT_EQ(select().tokens_left, 0);
  EXPECT_EQ(told(), "none till +86398000");
}

TEST_F(SelectTest, a_clock_that_was_wrong_by_a_day_makes_nobody_wait_for_a_day) {
  auto const id = add(rule(1, 60));
  clock.advance(day_ms);
  take(1);
  clock.advance(-day_ms);
  EXPECT_EQ(told(), "none till +60000");
  clock.advance(60'000);
  EXPECT_EQ(take(1), Ids{id});
}

TEST_F(SelectTest, a_message_in_the_line_that_nobody_knows_is_passed_over) {
  auto const id = add(rule(100, 1));
  IndexKeys const keys(user());
  cli({"ZADD", keys.line, "0", "998", "1", "999"});
  cli({"ZADD", keys.waiting, "1", "997"});
  for (int i = 0; i < 5; ++i) EXPECT_EQ(select().message->id, id);
  EXPECT_EQ(cli({"ZRANGE", keys.line, "0", "-1"}), fmt::to_string(id));
}

TEST_F(SelectTest, the_text_is_the_one_of_the_last_change) {
  auto const id = add(rule(100, 1));
  EXPECT_EQ(select().message->text, "hello");
  run(messages.change(id, {.text = "good bye"})).value();
  EXPECT_EQ(select().message->text, "good bye");
}

// More messages than one call may look at.
TEST_F(SelectTest, thousands_that_get_their_tokens_at_once_stand_in_line_as_before) {
  constexpr int count = 1'234;
  add(count, rule(1, 3600));
  auto const order = take(count);
  EXPECT_EQ(std::set(order.begin(), order.end()).size(), std::size_t(count));
  EXPECT_TRUE(told().starts_with("none till "));
  clock.advance(3'600'000);
  EXPECT_EQ(take(20), Ids(order.begin(), order.begin() + 20));
}

TEST_F(SelectTest, the_keys_are_those_that_are_documented) {
  auto const id = add(rule(3, 60));
  clock.advance(123);
  select();
  select();
  IndexKeys const keys(user());
  EXPECT_EQ(keys.history, "{" + sha256_hex("ada").substr(0, 32) + "}");
  EXPECT_EQ(cli({"ZRANGE", keys.history, "0", "-1"}), fmt::to_string(id));
  EXPECT_EQ(cli({"ZSCORE", keys.history, fmt::to_string(id)}).substr(0, 14), "1800000000.123");
  EXPECT_EQ(cli({"GET", keys.last_reset(id)}), "1800000000.123");
  EXPECT_EQ(cli({"GET", keys.tokens(id)}), "1");
  for (auto const& key : {keys.last_reset(id), keys.tokens(id)}) {
    auto const ttl = std::stoll(cli({"PTTL", key}));
    EXPECT_GT(ttl, 60'000);
    EXPECT_LE(ttl, 120'000);
  }
}

TEST_F(SelectTest, remembers_only_for_a_while_that_there_is_nothing_to_say) {
  told("nobody");
  auto const ttl = std::stoll(cli({"TTL", IndexKeys(user("nobody")).index}));
  EXPECT_GT(ttl, 0);
  add(rule(1, 60), "nobody");
  EXPECT_EQ(cli({"TTL", IndexKeys(user("nobody")).index}), "-1");
}

}  // namespace
}  // namespace larder::messages
