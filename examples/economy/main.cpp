// Two players farm, one of them claims a reward and pays the other, and a move that comes again is made once.
//   economy_example [DIRECTORY]
#include <cstdio>
#include <exception>
#include <larder/economy.hpp>

using namespace larder;

namespace {

// The id of what caused the move makes a repetition harmless, also after a crash. The fingerprint says which
// move it is.
economy::Move move(std::string_view player, std::string key, std::string what) {
  return {.realm = economy::RealmId::from("main").value(),
          .player = UserId::from(player).value(),
          .idempotency_key = IdempotencyKey{.key = std::move(key), .fingerprint = std::move(what)},
          .seed = 1};  // so that this program prints the same every time; leave it out in a game
}

// Runs on the economy's thread. Coroutines that run concurrently share round trips to Redis.
Task<void> play(economy::Economy& game) {
  auto const farmed = (co_await game.farm(move("alice", "message-1", "farm"), "Alice")).value();
  std::printf("alice farmed %lld\n", static_cast<long long>(farmed.what.gained));
  auto const again = (co_await game.farm(move("alice", "message-1", "farm"), "Alice")).value();
  std::printf("again: replayed %d, balance %lld\n", again.replayed,
              static_cast<long long>(again.what.balance));
  (co_await game.farm(move("bob", "message-2", "farm"), "Bob")).value();

  auto const reward = (co_await game.claim(move("alice", "message-3", "daily"), "daily")).value();
  std::printf("reward: %lld\n", static_cast<long long>(reward.what.reward));
  auto const bob = UserId::from("bob").value();
  (co_await game.pay(move("alice", "message-4", "pay bob 3"), bob, Amount::from(3).value())).value();

  auto const refused =
      co_await game.pay(move("alice", "message-5", "pay bob 1000"), bob, Amount::from(1000).value());
  std::printf("too dear: %s\n", std::string(refused.error().code.name).c_str());

  auto const realm = economy::RealmId::from("main").value();
  auto const standings = (co_await game.leaderboard(realm, 10, std::nullopt)).value();
  for (auto const& standing : standings) {
    std::printf("%lld. %s %lld\n", static_cast<long long>(standing.rank), standing.name.value_or("?").c_str(),
                static_cast<long long>(standing.balance));
  }
  for (auto const& event : (co_await game.events(realm, {.user = bob})).value()) {
    std::printf("  bob: %s %+lld\n", event.type.c_str(), static_cast<long long>(event.amount));
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    economy::EmbeddedEconomy game({.data = argc > 1 ? argv[1] : "data"});
    game.run(play(game.economy()));
    return 0;
  } catch (std::exception const& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
