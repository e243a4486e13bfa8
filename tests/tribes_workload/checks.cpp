// What must be true of every run.
#include "systems/tribes/audit/tribes_rebuild.hpp"
#include "systems/tribes/audit/tribes_verify.hpp"
#include "systems/tribes/town.hpp"
#include "systems/tribes/town_document.hpp"
#include "tribes_workload/workload.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace larder::tribes {

namespace {

constexpr std::size_t reports_max = 200;

// KEYS: world, jobs, updates; the towns    ARGV: the users of these towns
// Returns {text of the world, 1 if all towns are about to become due; for each town: text or '', due ms or
// ''}
constexpr std::string_view read_due_times = R"(
local world, jobs, updates = unpack(KEYS, 1, 3)
local reply = {redis.call('GET', world) or '', redis.call('ZSCORE', jobs, 'reschedule') and 1 or 0}
for i, user in ipairs(ARGV) do
  reply[1 + 2 * i] = redis.call('GET', KEYS[3 + i]) or ''
  reply[2 + 2 * i] = redis.call('ZSCORE', updates, user) or ''
end
return reply)";

// The moment at which something happens to the town, or at which its next regular update is due.
GameMs due_at_the_latest(Town const& town, WorldInfo const& info) {
  auto due = town.at + std::max(info.rules().updates.every_s, info.clock.speed) * 1'000;
  for (auto const& construction : town.constructions) due = std::min(due, construction.complete_at);
  for (auto const& training : town.trainings) due = std::min(due, training.complete_at);
  for (auto const& travel : town.travels) due = std::min(due, travel.arrival_at);
  for (auto const& arrival : town.arrivals) due = std::min(due, arrival.at);
  return due;
}

// The action of an event as Request::what() has it.
std::string what_of(TribesEvent const& event) {
  if (event.type == "joined") return "join";
  auto data = json::parse(event.data).as_object();
  data.erase("target");
  data.erase("seed");
  return json::serialize(to_json(parse_action(data).value()));
}

std::string line_of(HeistResult const& heist) {
  return fmt::format("{:>16} {} robs {}: {}", heist.encounter.at.value, heist.encounter.attacker.str(),
                     heist.encounter.target.str(), heist_event(heist).data);
}

std::string line_of(TribesEvent const& event) {
  auto const data = json::parse(event.data).as_object();
  return fmt::format("{:>16} {} robs {}: {}", event.at.value, event.user_id,
                     std::string_view(data.at("target").as_string()), event.data);
}

}  // namespace

void TribesWorkload::check_due() {
  // A town that a server has claimed, or that it tries again, is due when the lease or the pause is over.
  constexpr std::int64_t lease_ms = 60'000;
  ++due_checks;
  auto const count = game->players.size();
  std::vector<std::string> words{
      "EVAL",         std::string(read_due_times), fmt::to_string(3 + count), keys->world(), keys->jobs(),
      keys->updates()};
  for (auto const& player : game->players) words.push_back(keys->town(player));
  for (auto const& player : game->players) words.push_back(player.str());
  auto const reply = command(*redis, words);
  auto const info = world_from_document(reply.at(0).text(), 0).value();
  bool const all_due = reply.at(1).integer() == 1;
  for (std::size_t i = 0; i < count && info.is_running() && !all_due; ++i) {
    auto const& player = game->players[i];
    auto const text = reply.at(2 + 2 * i).text();
    if (text.empty()) continue;
    auto const town = from_document(text, player).value();
    if (town.ruin && town.travels.empty() && town.arrivals.empty()) continue;
    std::string const due(reply.at(3 + 2 * i).text());
    if (due.empty()) {
      ADD_FAILURE() << "the town of " << player.str() << " is not due";
      continue;
    }
    auto const expected = std::max(info.clock.real_at(due_at_the_latest(town, info)), clock.now() + lease_ms);
    EXPECT_LE(std::stod(due), double(expected.value)) << "the town of " << player.str() << " is due too late";
  }
  auto const dead = command(*redis, {"HGETALL", keys->updates() + ":dead:why"});
  for (std::size_t i = 0; i + 1 < dead.size(); i += 2) {
    ADD_FAILURE() << "the town of " << dead.at(i).text() << " is dead: " << dead.at(i + 1).text();
  }
}

void TribesWorkload::check_verify() {
  TribesJournal journal(sql);
  auto const found =
      test::run(io, verify(*redis, journal, {game->world},
                           {.difference = [](std::string const& line) { ADD_FAILURE() << line; },
                            .now = [this] { return clock.now(); }}));
  EXPECT_EQ(found.differences, 0);
}

WorldInfo TribesWorkload::world_info() {
  return world_from_document(command(*redis, {"GET", keys->world()}).text(), 0).value();
}

std::vector<Town> TribesWorkload::stored(redis::Redis& from) {
  std::vector<std::string> words{"MGET"};
  for (auto const& player : game->players) words.push_back(keys->town(player));
  auto const texts = command(from, words);
  std::vector<Town> towns;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (texts.at(i).is_nil()) continue;
    auto town = from_document(texts.at(i).text(), game->players[i]);
    if (!town) {
      ADD_FAILURE() << game->players[i].str() << ": " << town.error().field << ": " << town.error().detail;
    } else {
      towns.push_back(std::move(*town));
    }
  }
  return towns;
}

// Time goes on until the world is won, if anybody can win it. Then everybody looks at their town once more,
// since nobody updates the towns of a world that was won.
void TribesWorkload::await_the_end() {
  auto const running =
      servers[0]->begin(servers[0]->worlds.change(game->world, {.state = WorldState::running})).get();
  EXPECT_TRUE(running || running.error().code == errors::world_over) << running.error().detail;
  for (int i = 0; i < 100 && !is_won(); ++i) {
    clock.advance(3'600'000);
    wake();
    std::this_thread::sleep_for(20ms);
  }
  for (auto const& player : game->players) {
    servers[0]->begin(servers[0]->tribes.state(game->world, player)).get();
  }
}

std::string TribesWorkload::behind(GameMs at) {
  if (number({"ZCARD", keys->jobs()}) > 0) return "a job is not done";
  auto const now = clock.now();
  if (number({"ZCOUNT", keys->updates(), "-inf", fmt::to_string(now.value)}) > 0) return "a town is due";
  auto const here = world_info().game_at(now);
  bool const won = is_won();
  for (auto const& town : stored(*redis)) {
    if (!town.ruin && town.at < at && !won) return fmt::format("{} is at {}", town.user.str(), town.at.value);
    auto const encounter = next_encounter(town);
    if (encounter && encounter->at <= here) {
      return fmt::format("{} has an encounter at {}", town.user.str(), encounter->at.value);
    }
  }
  // Last: a worker that had claimed a town may have met an encounter since the first of these looks.
  if (number({"XLEN", keys->outbox()}) > 0) return "the journal does not have all events";
  return {};
}

// Until everything has happened that is due. After a minute, the leases of dead servers are over.
void TribesWorkload::catch_up() {
  if (!is_won()) {
    auto const running = servers[0]
                             ->begin(servers[0]->worlds.change(
                                 game->world, {.speed = workload_speed, .state = WorldState::running}))
                             .get();
    ASSERT_TRUE(running) << running.error().detail;
  }
  std::string what;
  for (int attempt = 0; attempt < 6; ++attempt) {
    auto const at = world_info().game_at(clock.now());
    clock.advance(61'000);
    wake();
    if (test::eventually(
            [&] {
              what = behind(at);
              return what.empty();
            },
            10s)) {
      return;
    }
  }
  FAIL() << "the servers do not catch up: " << what;
}

std::vector<TribesEvent> TribesWorkload::journal_events() {
  constexpr std::int64_t page = 5'000;
  TribesJournal journal(sql);
  std::vector<TribesEvent> events;
  for (std::string after = "0-0";; after = events.back().id()) {
    auto const more = test::run(io, journal.events(game->world, after, page));
    events.insert(events.end(), more.begin(), more.end());
    if (std::ssize(more) < page) return events;
  }
}

void TribesWorkload::check(bool last) {
  ASSERT_NO_FATAL_FAILURE(catch_up());
  check_due();
  auto const events = journal_events();
  auto const answers = check_answers(events);
  Model model(events, [&](TribesEvent const& event, Town const& town, WorldClock const& world_clock) {
    auto const answer = answers.find(event.id());
    if (answer == answers.end() || HasFailure()) return;
    auto expected = view(town, world_clock, {});
    expected.erase("timestamp");
    EXPECT_EQ(answer->second->state, json::serialize(expected))
        << event.user_id << " was told this after " << event.data << " at " << event.at.value;
  });
  model.finish(clock.now());
  for (auto const& problem : model.problems()) ADD_FAILURE() << "the model: " << problem;
  EXPECT_EQ(model.crowned(), model.winner());
  check_towns(model, *redis);
  check_heists(model, events);
  check_reports(events);
  check_boards();
  check_verify();
  if (!last) return;
  for (auto& server : servers) server->begin(server->stop()).get();
  check_rebuilt(model);
  print_summary(model, events.size());
}

void TribesWorkload::check_towns(Model const& model, redis::Redis& in) {
  auto const towns = stored(in);
  EXPECT_EQ(towns.size(), model.towns().size());
  int differences = 0;
  for (auto const& town : towns) {
    auto const now = model.to_now(town);
    auto const expected = model.towns().find(town.user);
    std::string problem;
    if (expected == model.towns().end()) {
      problem = "nobody has founded it";
    } else if (!now) {
      problem = "it has an encounter that is due";
    } else {
      problem = first_difference(expected->second, *now);
    }
    if (problem.empty()) continue;
    ADD_FAILURE() << "town of " << town.user.str() << ", the model and Redis: " << problem;
    if (++differences == 3) return;
  }
}

// Sorted by the revisions in their answers, the requests of a player that were accepted have the order of
// their events. Only requests whose outcome is unknown can have further events.
std::map<std::string, Accepted const*> TribesWorkload::check_answers(std::vector<TribesEvent> const& events) {
  std::map<UserId, std::map<std::int64_t, Accepted const*>> accepted;
  std::map<UserId, std::multiset<std::string>> unknown;
  for (auto const& client : clients) {
    for (auto const& each : client->accepted) {
      bool const fresh = accepted[each.request.user].emplace(each.revision, &each).second;
      EXPECT_TRUE(fresh) << each.request.user.str() << " got two answers with revision " << each.revision;
    }
    for (auto const& request : client->unknown()) unknown[request.user].insert(request.what());
  }
  auto const maybe = unknown;
  std::map<std::string, Accepted const*> answers;
  for (auto const& event : events) {
    if (event.type != "joined" && event.type != "action") continue;
    auto const user = UserId::from(event.user_id).value();
    auto const what = what_of(event);
    auto& told = accepted[user];
    if (!told.empty() && told.begin()->second->request.what() == what) {
      auto const is_sure = !maybe.contains(user) || !maybe.at(user).contains(what);
      if (is_sure) answers[event.id()] = told.begin()->second;
      told.erase(told.begin());
    } else if (auto const found = unknown[user].find(what); found != unknown[user].end()) {
      unknown[user].erase(found);
    } else {
      ADD_FAILURE() << "nobody was told of " << event.id() << ": " << what << " of " << event.user_id;
    }
  }
  for (auto const& [user, told] : accepted) {
    for (auto const& [revision, each] : told) {
      ADD_FAILURE() << "not in the journal: " << each->request.what() << " of " << user.str() << ", revision "
                    << revision;
    }
  }
  return answers;
}

void TribesWorkload::check_heists(Model const& model, std::vector<TribesEvent> const& events) {
  std::multiset<std::string> expected;
  std::multiset<std::string> found;
  for (auto const& heist : model.heists()) expected.insert(line_of(heist));
  for (auto const& event : events) {
    if (event.type == "heist") found.insert(line_of(event));
  }
  if (found == expected) return;
  auto const [one, other] = std::ranges::mismatch(expected, found);
  ADD_FAILURE() << "the first heist that differs: the model has " << (one == expected.end() ? "none" : *one)
                << ", and the journal has " << (other == found.end() ? "none" : *other);
}

void TribesWorkload::check_reports(std::vector<TribesEvent> const& events) {
  std::map<UserId, std::vector<std::string>> expected;
  for (auto const& event : events) {
    if (event.type != "heist") continue;
    auto const target = UserId::from(json::parse(event.data).at("target").as_string()).value();
    auto const attacker = UserId::from(event.user_id).value();
    auto data = json::parse(event.data).as_object();
    auto const line = [&](std::string_view side, UserId const& other) {
      return fmt::format("{} {} {} {} {} {} {}", side, other.str(), data.at("thieves").as_int64(),
                         data.at("caught").as_int64(), data.at("guards").as_int64(),
                         data.at("loot").as_int64(), std::string_view(data.at("seed").as_string()));
    };
    expected[attacker].push_back(line("attacker", target));
    expected[target].push_back(line("target", attacker));
  }
  std::set<UserId> ruins;
  for (auto const& town : stored(*redis)) {
    if (town.ruin) ruins.insert(town.user);
  }
  for (auto const& player : game->players) {
    auto const& all = expected[player];
    auto const kept = std::min(reports_max, all.size());
    std::vector<std::string> const newest(all.end() - std::ptrdiff_t(kept), all.end());
    auto const reply = command(*redis, {"XRANGE", keys->reports(player), "-", "+"});
    std::vector<std::string> found;
    for (std::size_t i = 0; i < reply.size(); ++i) {
      auto const data = json::parse(reply.at(i).at(1).at(1).text()).as_object();
      found.push_back(fmt::format("{} {} {} {} {} {} {}", std::string_view(data.at("side").as_string()),
                                  std::string_view(data.at("other").as_string()),
                                  data.at("thieves").as_int64(), data.at("caught").as_int64(),
                                  data.at("guards").as_int64(), data.at("loot").as_int64(),
                                  std::string_view(data.at("seed").as_string())));
    }
    if (ruins.contains(player)) {  // it has only reports of what came afterwards
      EXPECT_TRUE(newest.size() >= found.size() && std::equal(found.rbegin(), found.rend(), newest.rbegin()))
          << "reports of " << player.str();
      continue;
    }
    EXPECT_EQ(found, newest) << "reports of " << player.str();
  }
}

// The leaderboard has what the towns have.
void TribesWorkload::check_boards() {
  std::map<std::string, std::int64_t> expected;
  for (auto const& town : stored(*redis)) {
    if (!town.ruin) expected[town.user.str()] = town.coins();
  }
  auto const reply = command(*redis, {"ZRANGE", keys->leaderboard(), "0", "-1", "WITHSCORES"});
  std::map<std::string, std::int64_t> found;
  for (std::size_t i = 0; i + 1 < reply.size(); i += 2) {
    found[std::string(reply.at(i).text())] = std::int64_t(std::stod(std::string(reply.at(i + 1).text())));
  }
  EXPECT_EQ(found, expected);
}

void TribesWorkload::check_rebuilt(Model const& model) {
  test::RedisServer const server({.check_keys = false});
  redis::Redis empty(io, {.url = redis::parse_url(server.url()), .timeout = 10'000ms, .tls_ca = {}}, metrics);
  TribesJournal journal(sql);
  auto const report = test::run(io, rebuild(empty, journal, clock, {.problem = [](std::string const& line) {
                                              ADD_FAILURE() << "rebuild: " << line;
                                            }}));
  EXPECT_EQ(report.problems, 0);
  check_towns(model, empty);
}

void TribesWorkload::print_summary(Model const& model, std::size_t events) {
  std::map<std::string, std::int64_t> sums;
  std::map<std::string, std::int64_t> refusals;
  for (auto const& client : clients) {
    sums["accepted"] += std::ssize(client->accepted);
    sums["repeated"] += client->repeated;
    sums["unknown"] += std::ssize(client->unknown());
    sums["store errors"] += client->store_errors;
    for (auto const& [name, count] : client->refusals) refusals[name] += count;
  }
  auto const won = model.winner() ? model.winner()->str() + " has won, " : "";
  fmt::print("{} requests: {}\nrefused: {}\nchanges: {}\n", game->progress.load(), sums, refusals,
             oper->changes);
  fmt::print("{} events, {} heists, {} servers killed, {} looks at the due set, winner: {}\n", events,
             model.heists().size(), killed, due_checks, model.winner() ? model.winner()->str() : "nobody");
}

}  // namespace larder::tribes
