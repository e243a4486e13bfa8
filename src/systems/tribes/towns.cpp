#include "systems/tribes/towns.hpp"

#include "base/number.hpp"
#include "base/when_all.hpp"
#include "kit/documents/documents.hpp"
#include "stores/redis/reply_reader.hpp"
#include "systems/tribes/town_document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace larder::tribes {

namespace {

// Encounters happen in the order of (moment, attacker). Two of one attacker at the same moment happen in the
// order of the attacker's queue, so whichever the town has first comes first.
bool comes_first(std::optional<Encounter> const& one, Encounter const& other) {
  if (!one || *one == other) return false;
  return one->at != other.at ? one->at < other.at : one->attacker <= other.attacker;
}

bool expects(Town const& target, Encounter const& encounter) {
  return std::ranges::find(target.arrivals, Arrival{.at = encounter.at, .attacker = encounter.attacker}) !=
         target.arrivals.end();
}

bool has_sent(Town const& attacker, Encounter const& encounter) {
  return std::ranges::any_of(attacker.travels, [&](Travel const& travel) {
    return !travel.returning && travel.arrival_at == encounter.at && travel.target == encounter.target;
  });
}

ReadTown parse_town(World const& world, UserId const& user, std::string_view text, std::int64_t revision) {
  auto town = from_document(text, user);
  if (!town) {
    throw CorruptDocument(
        fmt::format("{} is corrupt: {}: {}", world.keys.town(user), town.error().field, town.error().detail));
  }
  return {.town = std::move(*town), .revision = revision};
}

void add_points(UpdatesWrite::Update& update, HistoryEnd const& history, TimeMs now) {
  auto coins = series::add_point(history.coins, now, update.town.coins);
  auto pizzas = series::add_point(history.pizzas, now, update.town.pizzas);
  update.coins_block = coins ? std::move(*coins) : std::string();
  update.pizzas_block = pizzas ? std::move(*pizzas) : std::string();
}

void take_to(ReadTown& read, WorldInfo const& info, GameMs at) {
  if (read.town.at > at) return;
  auto const reached = advance(read.town, info, at);
  if (!read.goal_at) read.goal_at = reached;
}

}  // namespace

Task<WorldInfoPtr> read_world(redis::Redis& redis, WorldId const& id, WorldInfoPtr known) {
  auto const key = WorldKeys(id).world();
  documents::Documents documents(redis);
  auto const document = co_await documents.read(key);
  if (!document.text) {
    if (!known) co_return nullptr;
    auto gone = *known;
    gone.revision = document.revision;
    gone.state = WorldState::closed;
    gone.deleted = true;
    co_return std::make_shared<WorldInfo const>(std::move(gone));
  }
  auto info = world_from_document(*document.text, document.revision);
  if (!info) {
    throw CorruptDocument(fmt::format("{} is corrupt: {}: {}", key, info.error().field, info.error().detail));
  }
  co_return std::make_shared<WorldInfo const>(std::move(*info));
}

Task<void> Towns::refresh(World& world) {
  auto const known = world.info();
  if (auto fresh = co_await read_world(redis_, world.id, known)) world.put(std::move(fresh), known);
}

// MGET costs Redis less than the script, but shows a key of another type as missing.
Task<std::optional<ReadTowns>> Towns::read_plain(World& world, std::vector<UserId> const& users) {
  auto const info = world.info();
  std::vector<std::string> keys{documents::revision_key(world.keys.world())};
  for (auto const& user : users) {
    keys.push_back(world.keys.town(user));
    keys.push_back(documents::revision_key(keys.back()));
  }
  std::vector<std::string_view> words{"MGET"};
  words.insert(words.end(), keys.begin(), keys.end());
  auto const reply = co_await redis_.command(redis::Use::read, keys.front(), words);
  auto const value = [&](std::size_t i) {
    return reply.at(i).is_nil() ? std::string_view() : reply.at(i).text();
  };
  if (value(0) != fmt::to_string(info->revision)) co_return std::nullopt;
  ReadTowns read{.info = info};
  for (std::size_t i = 0; i < users.size(); ++i) {
    auto const text = value(1 + 2 * i);
    auto const revision = parse_int(value(2 + 2 * i));
    if (text.empty() || !revision) co_return std::nullopt;
    read.towns.push_back(parse_town(world, users[i], text, *revision));
  }
  co_return read;
}

Task<ReadTowns> Towns::read(World& world, std::vector<UserId> users,
                            std::optional<IdempotencyKey> const& key) {
  if (!key) {
    if (auto read = co_await read_plain(world, users)) co_return std::move(*read);
  }
  for (;;) {
    auto const info = world.info();
    auto const reply = co_await redis_.run(key ? redis::Use::idempotent_write : redis::Use::read,
                                           scripts::read_towns(world, users, key, info->started_at));
    redis::ReplyReader in(reply);
    auto const status = in.integer();
    // This comes first: if there is a new world with the same id, the kept answer is not of this world.
    if (in.integer() != info->revision) {
      co_await refresh(world);
      continue;
    }
    if (status == 1) co_return ReadTowns{.info = info, .kept = std::string(in.text())};
    if (status == 2) co_return ReadTowns{.info = info, .key_conflict = true};
    ReadTowns read{.info = info};
    for (auto const& user : users) {
      auto const text = in.text();
      auto const revision = in.integer();
      read.towns.push_back(text.empty() ? std::optional<ReadTown>()
                                        : parse_town(world, user, text, revision));
    }
    in.end();
    co_return read;
  }
}

Task<ReadTowns> Towns::read_ready(World& world, std::vector<UserId> users, std::optional<GameMs> at,
                                  std::optional<IdempotencyKey> key) {
  for (;;) {
    auto read = co_await this->read(world, users, key);
    if (read.is_kept()) co_return read;
    auto to = read.info->not_after_the_end(at.value_or(read.info->game_at(clock_.now())));
    for (auto const& each : read.towns) {
      if (each && !at) to = std::max(to, each->town.at);
    }
    std::optional<Encounter> first;
    for (auto const& each : read.towns) {
      auto const encounter = each ? next_encounter(each->town) : std::nullopt;
      if (encounter && encounter->at <= to && (!first || comes_first(encounter, *first))) first = encounter;
    }
    if (first) {
      co_await resolve(world, *first);
      continue;
    }
    for (auto& each : read.towns) {
      if (each) take_to(*each, *read.info, to);
    }
    co_return read;
  }
}

Task<ReadTowns> Towns::read_now(World& world, std::vector<UserId> users,
                                std::optional<IdempotencyKey> const& key) {
  return read_ready(world, std::move(users), std::nullopt, key);
}

Task<ReadTowns> Towns::read_at(World& world, std::vector<UserId> users, GameMs at) {
  return read_ready(world, std::move(users), at, std::nullopt);
}

Task<void> Towns::resolve(World& world, Encounter encounter) {
  std::vector<Encounter> open{std::move(encounter)};
  while (!open.empty()) {
    auto const next = open.back();
    auto read = co_await this->read(world, {next.attacker, next.target});
    if (!read.towns[0] || !read.towns[1]) {
      throw CorruptDocument(fmt::format("{} is missing, but a heist is on its way",
                                        world.keys.town(read.towns[0] ? next.target : next.attacker)));
    }
    // The world may have stopped since the caller looked at it.
    if (read.info->not_after_the_end(next.at) < next.at) co_return;
    auto const of_attacker = next_encounter(read.towns[0]->town);
    auto const of_target = next_encounter(read.towns[1]->town);
    if (comes_first(of_attacker, next)) {
      open.push_back(*of_attacker);
    } else if (comes_first(of_target, next)) {
      open.push_back(*of_target);
    } else if (of_attacker == next && of_target == next) {
      if (co_await resolve_now(world, read, next)) open.pop_back();
    } else if (has_sent(read.towns[0]->town, next) || expects(read.towns[1]->town, next)) {
      throw CorruptDocument(fmt::format("{} and {} disagree about a heist", world.keys.town(next.attacker),
                                        world.keys.town(next.target)));
    } else {
      open.pop_back();  // somebody else has resolved it
    }
  }
}

// Returns false if somebody else was faster.
Task<bool> Towns::resolve_now(World& world, ReadTowns& read, Encounter const& encounter) {
  auto& attacker = *read.towns[0];
  auto& target = *read.towns[1];
  for (auto* const each : {&attacker, &target}) take_to(*each, *read.info, encounter.at);
  auto const result =
      resolve_heist(attacker.town, target.town, read.info->rules_until(encounter.at), encounter);
  if (!result) throw CorruptDocument(result.error().detail);
  auto const now = clock_.now();
  TownsWrite write{.world = world,
                   .world_revision = read.info->revision,
                   .now = now,
                   .at = encounter.at,
                   .towns = {to_write(attacker, *read.info), to_write(target, *read.info)},
                   .event = heist_event(*result)};
  auto const from = attacker.town.field;
  auto const to = target.town.field;
  auto const at = read.info->clock.real_at(encounter.at);
  write.towns[0].report = report_of(*result, Side::attacker, from, to, at);
  write.towns[1].report = report_of(*result, Side::target, from, to, at);
  auto const committed = co_await commit(write, redis::Use::idempotent_write);
  if (committed.status == CommitStatus::world_changed) co_await refresh(world);
  co_return committed.done();
}

TownWrite Towns::to_write(ReadTown const& read, WorldInfo const& info) {
  auto const& town = read.town;
  auto const& rules = info.rules();
  auto const timestamp_s = info.clock.real_at(town.at).value / 1000;
  auto const gap_ms = 1000 * info.clock.speed;
  auto const due = [&](bool watched) { return info.clock.real_at(next_due(town, rules, watched, gap_ms)); };
  bool const waits = info.is_running() && (!town.ruin || next_encounter(town) || next_completion(town));
  return {.user = town.user,
          .revision = read.revision,
          .text = to_document(town, timestamp_s),
          .due = waits ? std::optional(due(false)) : std::nullopt,
          .due_watched = due(true),
          .coins = town.coins(),
          .pizzas = town.pizzas(),
          .ranked = !town.ruin,
          .goal_at = town.ruin ? std::nullopt : read.goal_at,
          .report = {}};
}

Committed Towns::to_committed(redis::Reply const& reply) {
  static constexpr CommitStatus statuses[] = {CommitStatus::done,         CommitStatus::replayed,
                                              CommitStatus::key_conflict, CommitStatus::world_changed,
                                              CommitStatus::town_changed, CommitStatus::no_room,
                                              CommitStatus::town_lost};
  redis::ReplyReader in(reply);
  Committed committed{.status = statuses[std::size_t(in.integer())]};
  if (committed.status == CommitStatus::replayed) committed.answer = in.text();
  committed.repeated = reply.repeated();
  while (committed.done() && !in.at_end()) committed.revisions.push_back(in.integer());
  in.end();
  return committed;
}

Task<Committed> Towns::commit(TownsWrite const& write, redis::Use use) {
  co_return to_committed(co_await redis_.run(use, scripts::commit_towns(write)));
}

Task<Committed> Towns::join(TownsWrite const& write, Place const& place, redis::Use use) {
  co_return to_committed(co_await redis_.run(use, scripts::join_world(write, place)));
}

Task<std::optional<ReadTowns>> Towns::read_due(World& world, std::vector<UserId> const& users) {
  auto const info = world.info();
  auto const block = series::points_block_name(clock_.now());
  auto const reply = co_await redis_.run(redis::Use::read, scripts::read_due_towns(world, users, block));
  redis::ReplyReader in(reply);
  if (in.integer() != info->revision) co_return std::nullopt;
  ReadTowns read{.info = info};
  for (auto const& user : users) {
    auto const text = in.text();
    auto const revision = in.integer();
    if (text.empty()) co_return std::nullopt;
    auto& town = read.towns.emplace_back(parse_town(world, user, text, revision));
    auto const end = [&] { return series::SeriesEnd{std::string(in.text()), std::string(in.text())}; };
    town->history = HistoryEnd{.name = block, .coins = end(), .pizzas = end()};
  }
  in.end();
  co_return read;
}

Task<std::vector<bool>> Towns::commit_updates(World& world, WorldInfo const& info,
                                              std::span<ReadTown const* const> towns) {
  UpdatesWrite write{.world = world, .world_revision = info.revision, .now = clock_.now(), .updates = {}};
  auto const block = series::points_block_name(write.now);
  for (auto const* const read : towns) {
    auto& update = write.updates.emplace_back(UpdatesWrite::Update{to_write(*read, info), read->town.at});
    if (read->history && read->history->name == block) add_points(update, *read->history, write.now);
  }
  auto const reply = co_await redis_.run(redis::Use::idempotent_write, scripts::update_towns(write));
  redis::ReplyReader in(reply);
  if (in.integer() != 0) {
    co_await refresh(world);
    co_return std::vector<bool>(towns.size());
  }
  std::vector<bool> written;
  while (!in.at_end()) written.push_back(in.flag());
  co_return written;
}

Task<std::vector<std::exception_ptr>> Towns::update(World& world, std::vector<UserId> users) {
  std::vector<std::exception_ptr> failures(users.size());
  auto const rest = co_await update_together(world, users);
  std::vector<Task<std::exception_ptr>> alone;
  for (auto const i : rest) alone.push_back(update_alone(world, users[i]));
  auto const ended = co_await when_all(std::move(alone));
  for (std::size_t i = 0; i < rest.size(); ++i) failures[rest[i]] = ended[i];
  co_return failures;
}

// If anything is out of the ordinary, each town is updated alone, and that update finds out what it is.
Task<std::vector<std::size_t>> Towns::update_together(World& world, std::vector<UserId> const& users) {
  std::vector<std::size_t> all(users.size());
  std::iota(all.begin(), all.end(), std::size_t(0));
  std::vector<std::size_t> rest;
  try {
    auto read = co_await read_due(world, users);
    if (!read || !read->info->is_running()) co_return all;
    std::vector<std::size_t> older;
    std::vector<ReadTown const*> towns;
    auto const now = read->info->game_at(clock_.now());
    for (auto const i : all) {
      auto& town = *read->towns[i];
      auto const to = std::max(now, town.town.at);
      auto const encounter = next_encounter(town.town);
      if (encounter && encounter->at <= to) {
        rest.push_back(i);
        continue;
      }
      take_to(town, *read->info, to);
      older.push_back(i);
      towns.push_back(&town);
    }
    if (towns.empty()) co_return rest;
    auto const written = co_await commit_updates(world, *read->info, towns);
    for (std::size_t i = 0; i < older.size(); ++i) {
      if (!written[i]) rest.push_back(older[i]);
    }
  } catch (StoreError const&) {
    throw;
  } catch (std::exception const&) {
    co_return all;
  }
  co_return rest;
}

Task<std::exception_ptr> Towns::update_alone(World& world, UserId user) try {
  for (;;) {
    auto const read = co_await read_now(world, {user});
    auto const& town = read.towns[0];
    if (!town || !read.info->is_running()) {
      // If the world was opened meanwhile, the town stays due.
      auto const revision = town ? std::optional(town->revision) : std::nullopt;
      co_await redis_.run(redis::Use::idempotent_write,
                          scripts::end_updates(world, user, read.info->revision, revision));
      co_return nullptr;
    }
    if (co_await commit_update(world, read)) co_return nullptr;
  }
} catch (...) {
  co_return std::current_exception();
}

// Writes a town that has only advanced. Returns false if the town or the world has changed.
Task<bool> Towns::commit_update(World& world, ReadTowns const& read) {
  auto const* const town = &*read.towns[0];
  co_return (co_await commit_updates(world, *read.info, std::span(&town, 1))).at(0);
}

Task<void> Towns::update_to(World& world, UserId user, GameMs at) {
  for (;;) {
    auto const before = co_await this->read(world, {user});
    if (!before.towns[0] || before.towns[0]->town.at >= at) co_return;
    auto const read = co_await read_at(world, {user}, at);
    if (!read.towns[0] || co_await commit_update(world, read)) co_return;
  }
}

std::string report_of(HeistResult const& result, Side side, Field from, Field to, TimeMs at) {
  bool const attacked = side == Side::attacker;
  auto const& other = attacked ? result.encounter.target : result.encounter.attacker;
  return json::serialize(json::object{{"side", attacked ? "attacker" : "target"},
                                      {"other", other.str()},
                                      {"at", at.value},
                                      {"fromX", from.x},
                                      {"fromY", from.y},
                                      {"toX", to.x},
                                      {"toY", to.y},
                                      {"thieves", result.thieves},
                                      {"caught", result.caught},
                                      {"guards", result.guards},
                                      {"loot", result.loot},
                                      {"seed", fmt::to_string(result.seed.value)}});
}

NewEvent heist_event(HeistResult const& result) {
  return {.type = "heist",
          .user_id = result.encounter.attacker.str(),
          .at = result.encounter.at,
          .data = json::serialize(json::object{{"target", result.encounter.target.str()},
                                               {"thieves", result.thieves},
                                               {"caught", result.caught},
                                               {"guards", result.guards},
                                               {"loot", result.loot},
                                               {"seed", fmt::to_string(result.seed.value)}})};
}

}  // namespace larder::tribes
