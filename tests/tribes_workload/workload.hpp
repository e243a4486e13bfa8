// Many clients play in one world while the clock moves, servers die and operators change the world. Whatever
// happens, every town becomes what the model says, is always due, and can be rebuilt from the journal.
// LARDER_SEED repeats a run; LARDER_WORKLOAD sets the number of requests per client.
#pragma once

#include "support/redis_servers.hpp"
#include "support/run.hpp"
#include "support/temp_dir.hpp"
#include "tribes_workload/client.hpp"
#include "tribes_workload/model.hpp"
#include "tribes_workload/operator.hpp"
#include "tribes_workload/server.hpp"

#include <gtest/gtest.h>

#include <array>

namespace larder::tribes {

using namespace std::chrono_literals;

inline constexpr std::int64_t workload_speed = 500;

class TribesWorkload : public testing::Test {
 protected:
  struct Options {
    redis::Options redis;
    RulesPtr rules;
    RulesPtr other_rules;
    std::uint64_t players = 300;
    std::uint64_t clients = 64;
    std::uint64_t steps = 0;  // of each client
    std::uint64_t rounds = 2;
    std::uint64_t kills = 4;
    std::int64_t heists_min = 0;
  };

  void run(Options options);

  TestClock clock{{1'767'225'600'000}};
  Metrics metrics;
  test::TempDir dir;

 private:
  void set_up(Options const& options);
  void play(Options const& options, bool day_of_outage);
  std::int64_t random_step_ms();
  void kill(std::vector<std::size_t> const& victims, std::int64_t outage_ms = 0);
  void start(std::size_t server);  // and the clients whose server it is
  bool anybody_plays() const;
  void wake();

  // Every town that is no ruin is due, unless the world is closed or all towns are about to become due.
  void check_due();
  void check_verify();
  // After a round. The clock stands still, and nobody plays.
  void check(bool last);
  void catch_up();
  std::string behind(GameMs at);  // what is not done yet; empty: nothing
  std::vector<Town> stored(redis::Redis& from);
  std::vector<TribesEvent> journal_events();
  void check_towns(Model const& model, redis::Redis& in);
  // Checks that the journal has what the clients were told, and returns their answers by the ids of the
  // events.
  std::map<std::string, Accepted const*> check_answers(std::vector<TribesEvent> const& events);
  void check_heists(Model const& model, std::vector<TribesEvent> const& events);
  void check_reports(std::vector<TribesEvent> const& events);
  void check_boards();
  void check_rebuilt(Model const& model);
  void print_summary(Model const& model, std::size_t events);

  WorldInfo world_info();
  redis::Reply command(redis::Redis& to, std::vector<std::string> words);
  std::int64_t number(std::vector<std::string> words) { return command(*redis, std::move(words)).integer(); }

  Seed seed;
  Random random{{}};
  asio::io_context io;  // of the checks
  sql::Database sql{"sqlite:" + dir.file("test.db"), 2, metrics};
  std::optional<redis::Options> redis_options;
  std::optional<redis::Redis> redis;
  std::optional<Game> game;
  std::optional<WorldKeys> keys;
  std::vector<std::unique_ptr<Client>> clients;
  std::unique_ptr<Operator> oper;
  std::size_t oper_at = 0;  // the server where the operator works
  std::int64_t killed = 0;
  std::int64_t due_checks = 0;
  std::array<std::unique_ptr<Server>, 2> servers;  // the last member: its threads use the others
};

}  // namespace larder::tribes
