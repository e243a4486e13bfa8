// What operators see of due sets.
#include "kit/schedule/due_set_views.hpp"

#include "kit/schedule/scheduler_test.hpp"

namespace larder::schedule {
namespace {

class DueSetViews : public SchedulerTest {
 protected:
  DueSetView view() { return test::run(larder->io, view_due_set(larder->redis, sets[0], clock.now())); }
  void bury(std::string const& member, std::int64_t after, std::string const& why = "broken") {
    server.cli({"ZADD", sets[0] + ":dead", std::to_string(start_time.value + after), member});
    server.cli({"HSET", sets[0] + ":dead:why", member, why});
  }
  // The members of all pages of this size.
  std::vector<std::string> pages(std::int64_t limit) {
    std::vector<std::string> members;
    for (std::optional<DeadPlace> after;;) {
      auto const page = test::run(larder->io, list_dead(larder->redis, sets[0], after, limit));
      for (auto const& dead : page.members) members.push_back(dead.member);
      if (!page.more) return members;
      EXPECT_GE(std::int64_t(page.members.size()), limit);
      after = place_of(page.members.back());
    }
  }
};

TEST_F(DueSetViews, tell_what_waits_what_is_late_and_what_is_dead) {
  auto const empty = view();
  EXPECT_EQ(empty.members + empty.due + empty.overdue_ms + empty.dead, 0);
  put(0, "early", -5000);
  put(0, "now", 0);
  put(0, "later", 1000);
  bury("gone", -1);
  auto const found = view();
  EXPECT_EQ(found.members, 3);
  EXPECT_EQ(found.due, 2);
  EXPECT_EQ(found.overdue_ms, 5000);
  EXPECT_EQ(found.dead, 1);
  server.cli({"ZREM", sets[0], "early", "now"});
  EXPECT_EQ(view().overdue_ms, 0) << "nothing is late before its time";
}

TEST_F(DueSetViews, pages_of_dead_members_have_everybody_once_even_in_one_millisecond) {
  std::vector<std::string> expected;
  std::string const beginning(DeadPlace::bytes_max, 'x');
  for (int i = 0; i < 250; ++i) {
    auto member = fmt::format("{}{:03}", i % 50 == 0 ? beginning : "", i);
    bury(member, i < 20 ? i : 1000);
    expected.push_back(std::move(member));
  }
  std::sort(expected.begin() + 20, expected.end());
  EXPECT_EQ(pages(500), expected);
  EXPECT_EQ(pages(7), expected);
  EXPECT_EQ(pages(1), expected);
}

TEST_F(DueSetViews, a_page_goes_on_after_a_member_that_was_requeued) {
  for (int i = 0; i < 4; ++i) bury(fmt::format("m{}", i), 5, fmt::format("why {}", i));
  auto const first = test::run(larder->io, list_dead(larder->redis, sets[0], {}, 2));
  ASSERT_EQ(first.members.size(), 2U);
  EXPECT_TRUE(first.more);
  EXPECT_TRUE(test::run(larder->io, requeue(larder->redis, sets[0], "m1", clock.now())));
  auto const rest = test::run(larder->io, list_dead(larder->redis, sets[0], place_of(first.members[1]), 2));
  ASSERT_EQ(rest.members.size(), 2U);
  EXPECT_FALSE(rest.more);
  EXPECT_EQ(rest.members[0].member + rest.members[1].member, "m2m3");
  EXPECT_EQ(rest.members[1].why, "why 3");
}

TEST_F(DueSetViews, a_dropped_member_is_gone_with_its_reason_but_keeps_a_new_due_time) {
  bury("gone", 1);
  put(0, "gone", 7000);
  EXPECT_TRUE(test::run(larder->io, drop_dead(larder->redis, sets[0], "gone")));
  EXPECT_FALSE(test::run(larder->io, drop_dead(larder->redis, sets[0], "gone")));
  EXPECT_EQ(server.cli({"EXISTS", sets[0] + ":dead", sets[0] + ":dead:why"}), "0");
  EXPECT_EQ(due_of("gone"), "7000");
}

TEST_F(DueSetViews, a_scheduler_counts_what_is_due_and_not_claimed) {
  larder->options.at_once = 1;
  larder->options.batch = 1;
  larder->before = [&](std::size_t, std::string const&) { return larder->wait_at_gate(); };
  put_many(0, 4);
  clock.advance(10);
  larder->start();
  EXPECT_TRUE(eventually(*larder, [&] {
    return larder->at_gate == 1 && larder->metrics.gauges("larder_schedule_due").at(0).second >= 2;
  }));
  larder->open_gate();
  EXPECT_TRUE(
      eventually(*larder, [&] { return larder->metrics.gauges("larder_schedule_due").at(0).second == 0; }));
  test::run(larder->io, larder->scheduler->stop());
}

}  // namespace
}  // namespace larder::schedule
