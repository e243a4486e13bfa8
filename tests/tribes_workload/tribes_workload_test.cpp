#include "tribes_workload/workload.hpp"

#include <cstdlib>

namespace larder::tribes {
namespace {

bool is_long() { return std::getenv("LARDER_LONG") != nullptr; }

redis::Options at(std::string const& url, int replicas_min = 0) {
  return {.url = redis::parse_url(url), .timeout = 10'000ms, .replicas_min = replicas_min, .tls_ca = {}};
}

// Rules with which everybody has thieves soon, and they are never far from their next victim.
Rules rules_for_thieves() {
  auto rules = *pizza_rules();
  rules.goal_coins = 1'000'000'000'000;
  rules.start_coins = 30'000;
  for (auto& education : rules.educations) {
    education.cost = education.cost / 1'000;
    education.seconds = 20;
  }
  rules.heists.travel_ms_per_field = 20'011;
  rules.heists.loot_per_thief = 700;
  rules.queues.travels_max = 30;
  rules.queues.arrivals_max = 20;
  return rules;
}

// Many numbers are others.
Rules changed(Rules rules) {
  for (auto& building : rules.buildings) {
    for (auto& level : building.levels) {
      level.cost = level.cost * 3 / 4;
      level.seconds = level.seconds / 2 + 1;
      level.capacity = level.capacity * 5 / 4;
    }
  }
  for (auto& education : rules.educations) education.seconds += 7;
  rules.production.chef_rate += 3;
  rules.production.rush_demand_rate += 1;
  rules.taps.every_s /= 2;
  // Many thieves arrive at the same moment, and there are not enough coins for all of them.
  rules.heists.travel_ms_per_field = 3;
  rules.heists.loot_per_thief += 5'000;
  rules.heists.thief_strength += 1;
  return rules;
}

RulesPtr share(Rules rules) { return std::make_shared<Rules const>(std::move(rules)); }

test::RedisServer::Options const unwatched{.check_keys = false};  // too many commands

TEST_F(TribesWorkload, every_town_is_what_the_model_computes) {
  test::RedisServer const server(unwatched);
  auto const rules = rules_for_thieves();
  run({.redis = at(server.url()),
       .rules = share(rules),
       .other_rules = share(changed(rules)),
       .players = is_long() ? 300u : 150u,
       .steps = is_long() ? 800u : 50u,
       .rounds = is_long() ? 8u : 2u,
       .kills = is_long() ? 100u : 6u});
}

TEST_F(TribesWorkload, with_the_shipped_rules) {
  test::RedisServer const server(unwatched);
  auto rules = *pizza_rules();
  rules.goal_coins = 1'000'000'000'000;
  run({.redis = at(server.url()),
       .rules = share(rules),
       .other_rules = share(changed(rules)),
       .players = is_long() ? 300u : 60u,
       .steps = is_long() ? 800u : 20u,
       .rounds = is_long() ? 8u : 1u,
       .kills = is_long() ? 100u : 2u});
}

TEST_F(TribesWorkload, the_first_to_own_the_goal_wins) {
  test::RedisServer const server(unwatched);
  auto rules = rules_for_thieves();
  rules.goal_coins = 34'000;
  rules.taps.coins = 400;
  run({.redis = at(server.url()),
       .rules = share(rules),
       .other_rules = share(changed(rules)),
       .players = is_long() ? 60u : 12u,
       .steps = is_long() ? 100u : 20u,
       .rounds = 1,
       .kills = is_long() ? 10u : 2u,
       .to_the_end = true});
}

TEST_F(TribesWorkload, on_a_cluster) {
  test::RedisCluster const cluster({.check_keys = false});
  auto const rules = rules_for_thieves();
  run({.redis = at(cluster.url(), 1),
       .rules = share(rules),
       .other_rules = share(changed(rules)),
       .players = is_long() ? 300u : 60u,
       .steps = is_long() ? 800u : 20u,
       .rounds = is_long() ? 8u : 1u,
       .kills = is_long() ? 100u : 2u});
}

}  // namespace
}  // namespace larder::tribes
