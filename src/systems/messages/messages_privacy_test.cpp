// Exports and forgets users of messages.
#include "systems/messages/messages_privacy.hpp"

#include "kit/events/privacy/search_test.hpp"
#include "systems/messages/messages_test.hpp"

namespace larder::messages {
namespace {

class MessagesPrivacyTest : public MessagesTest {
 protected:
  static constexpr std::string_view forgotten_id = "80351110224678912";

  void write(std::string_view author, std::string_view target, std::string text) {
    run(messages.create(
            {.text = std::move(text), .author = user(author), .target = user(target), .rule = rule(3, 60)}))
        .value();
  }
  void live() {
    write("bob", forgotten_id, "secret to");
    write(forgotten_id, "bob", "secret from");
    write("bob", "ann", "kept");
    for (auto const target : {forgotten_id, std::string_view("bob"), std::string_view("ann")}) select(target);
  }
  void forget() { run(forget_user(redis, sql, clock, user(forgotten_id))); }
};

TEST_F(MessagesPrivacyTest, afterwards_nothing_of_the_user_is_left) {
  live();
  forget();
  auto const all = privacy::redis_text(server) + privacy::sql_text(sql);
  EXPECT_EQ(privacy::lines_with(all, forgotten_id), "");
  EXPECT_EQ(privacy::lines_with(all, "secret"), "");
  EXPECT_EQ(privacy::lines_with(all, IndexKeys(user(forgotten_id)).history), "");
  EXPECT_EQ(told("bob"), "none");
  EXPECT_TRUE(select("ann").message);
  forget();
}

TEST_F(MessagesPrivacyTest, the_texts_in_memory_can_be_dropped) {
  live();
  auto& cache = background.shared().cache;
  EXPECT_GT(cache.bytes(), 0U);
  cache.clear();
  EXPECT_EQ(cache.bytes(), 0U);
  EXPECT_TRUE(select("ann").message);
}

TEST_F(MessagesPrivacyTest, an_export_has_texts_and_history) {
  live();
  std::map<std::string, int> sections;
  run(export_user(redis, sql, clock, user(forgotten_id),
                  [&](std::string_view section, json::object const&) { ++sections[std::string(section)]; }));
  EXPECT_EQ(sections, (std::map<std::string, int>{{"messages", 2}, {"history", 1}}));
}

}  // namespace
}  // namespace larder::messages
