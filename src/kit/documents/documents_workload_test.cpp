// Many clients change the same documents at once. Redis has every change that was reported as
// committed, and no other.
#include "base/random.hpp"
#include "kit/documents/documents_test.hpp"

#include <boost/asio/co_spawn.hpp>

#include <map>
#include <set>

namespace larder::documents {
namespace {

class DocumentsWorkload : public DocumentsTest {
 protected:
  static constexpr int clients = 32;
  static constexpr int rounds = 150;
  static constexpr std::size_t document_count = 5;

  static std::string key_of(std::size_t number) { return fmt::format("{{t}}:{}", number); }

  // The keys of one to three documents, in any order.
  static std::vector<std::string> some_keys(Random& random) {
    std::vector<std::string> all;
    for (std::size_t i = 0; i < document_count; ++i) all.push_back(key_of(i));
    std::vector<std::string> some;
    for (auto left = 1 + random.below(3); left > 0; --left) {
      auto const at = all.begin() + std::ptrdiff_t(random.below(all.size()));
      some.push_back(*at);
      all.erase(at);
    }
    return some;
  }

  Task<void> work(redis::Redis& client, int who, Random random) {
    Documents mine(client);
    for (int round = 0; round < rounds; ++round) {
      auto const keys = some_keys(random);
      auto const seen = co_await mine.read(keys);
      std::vector<Change> changes;
      for (std::size_t i = 0; i < keys.size(); ++i) {
        Change change{.key = keys[i], .revision = seen[i].revision, .text = {}};
        if (!seen[i].text && random.chance(1, 2)) change.revision.reset();
        if (!random.chance(1, 8)) change.text = fmt::format("[{},{}]", who, round);
        changes.push_back(std::move(change));
      }
      auto const done = co_await mine.commit(changes);
      for (std::size_t i = 0; i < keys.size(); ++i) {
        if (!done) continue;
        auto const made = history[keys[i]].emplace(done.revisions[i], changes[i].text).second;
        EXPECT_TRUE(made) << keys[i] << " had revision " << done.revisions[i] << " twice";
        if (changes[i].revision) EXPECT_EQ(done.revisions[i], *changes[i].revision + 1);
      }
      (done ? committed : refused) += 1;
    }
    --running;
  }

  std::map<std::string, std::map<std::int64_t, std::optional<std::string>>> history;
  int running = clients;
  int committed = 0;
  int refused = 0;
};

TEST_F(DocumentsWorkload, every_commit_that_was_told_is_there_once) {
  auto const seed = random_seed();
  SCOPED_TRACE(fmt::format("seed {}", seed.value));
  Random random(seed);
  std::vector<std::unique_ptr<redis::Redis>> connections;
  for (int i = 0; i < 4; ++i) {
    connections.push_back(std::make_unique<redis::Redis>(
        io, redis::Options{.url = redis::parse_url(server.url()), .tls_ca = {}}, metrics));
  }
  for (int i = 0; i < clients; ++i) {
    asio::co_spawn(io, work(*connections[std::size_t(i) % connections.size()], i, Random({random.next()})),
                   [](std::exception_ptr failure) {
                     if (failure) std::rethrow_exception(failure);
                   });
  }
  ASSERT_TRUE(test::eventually(io, [&] { return running == 0; }));
  EXPECT_GT(committed, 0);
  EXPECT_GT(refused, 0);
  for (auto const& [key, revisions] : history) {
    // No revision is missing, and the last one is what Redis has.
    EXPECT_EQ(revisions.begin()->first, 1) << key;
    EXPECT_EQ(revisions.rbegin()->first, std::int64_t(revisions.size())) << key;
    EXPECT_EQ(read(key), (Document{revisions.rbegin()->second, revisions.rbegin()->first})) << key;
  }
}

}  // namespace
}  // namespace larder::documents
