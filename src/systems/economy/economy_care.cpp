// What operators do with players: adjust, import, export and delete them.
#include "base/number.hpp"
#include "base/try.hpp"
#include "stores/redis/reply_reader.hpp"
#include "systems/economy/answer.hpp"

#include <fmt/format.h>

#include <set>

namespace larder::economy {

namespace {

constexpr std::int64_t effect_s_max = 315'360'000;

std::optional<Error> problem_of_effects(Adjustment const& adjustment) {
  for (auto const& [name, effect] : adjustment.effects) {
    auto const kind = effect_named(name);
    if (!kind)
      return Error{.code = errors::unknown_effect, .detail = fmt::format("there is no effect {}", name)};
    auto const in_range = [&](std::string_view what, std::int64_t value, std::int64_t max) {
      if (value >= 1 && value <= max) return std::optional<Error>();
      auto field = fmt::format("effects.{}.{}", name, what);
      auto detail = fmt::format("{} must be 1 to {}", field, max);
      return std::optional(Error{
          .code = larder::errors::invalid_request, .detail = std::move(detail), .field = std::move(field)});
    };
    if (!effect) continue;
    if (auto problem = in_range("value", effect->value, largest_effect(*kind))) return problem;
    if (auto problem = in_range("seconds", effect->seconds, effect_s_max)) return problem;
  }
  return std::nullopt;
}

// The items of the catalogue that the names mean. Two names must not mean the same item.
Result<AdjustedItems> find_items(Catalogue const& catalogue,
                                 std::map<std::string, std::int64_t> const& named) {
  AdjustedItems items;
  std::set<Item const*> seen;
  for (auto const& [name, by] : named) {
    auto const* const item = catalogue.find_item(name);
    if (item == nullptr) return refuse(errors::unknown_item, fmt::format("there is no item {}", name));
    if (!seen.insert(item).second) return invalid("items", fmt::format("{} is named twice", item->id));
    items.emplace_back(item, by);
  }
  return items;
}

// What the script of an import cannot refuse, because it knows no catalogue.
Result<AdjustedItems> items_of(Catalogue const& catalogue, NewPlayer const& player) {
  if (auto problem = problem_of_player(player.id)) return invalid("id", "id " + *problem);
  TRY(auto items, find_items(catalogue, player.items));
  for (auto const& [item, count] : items) {
    if (count <= item->max_stack) continue;
    Error error{.code = errors::stack_full,
                .detail = fmt::format("nobody can own more than {} {}", item->max_stack, item->id)};
    return std::unexpected(std::move(error));
  }
  return items;
}

std::int64_t to_seconds(std::int64_t ms) { return ms <= 0 ? 0 : (ms + 999) / 1000; }

}  // namespace

// Reads only the answer, not the catalogue: in a replayed answer, there may have been other cooldowns.
PlayerView Economy::read_adjusted(Answer& answer, UserId player) {
  PlayerView view{.id = std::move(player), .balance = answer.number()};
  if (auto const rank = answer.text(); !rank.empty()) view.rank = parse_int(rank).value() + 1;
  view.vampire_level = answer.number();
  for (auto left = answer.number(); left > 0; --left) {
    std::string item(answer.text());
    view.inventory[std::move(item)] = answer.number();
  }
  for (auto const kind : all_effects) {
    auto const value = answer.text();
    auto const ms_left = answer.number();
    if (value.empty()) continue;
    view.effects.push_back(
        {.kind = kind, .value = parse_int(value).value(), .seconds_left = to_seconds(ms_left)});
  }
  for (auto left = answer.number(); left > 0; --left) {
    std::string name(answer.text());
    view.cooldowns[std::move(name)] = to_seconds(answer.number());
  }
  if (auto const name = answer.rest(); !name.empty()) view.name = name;
  return view;
}

Task<Result<Done<PlayerView>>> Economy::adjust(Move move, Adjustment adjustment) {
  if (auto problem = problem_of_player(move.player)) co_return invalid("id", std::move(*problem));
  if (adjustment.changes_nothing())
    co_return invalid("points", "points, items, name or effects are required");
  if (auto problem = problem_of_effects(adjustment)) co_return std::unexpected(std::move(*problem));
  auto answer = co_await run("adjust", move, [&](Turn const& turn) -> Result<redis::ScriptCall> {
    auto const items = find_items(turn.catalogue, adjustment.items);
    if (!items) return std::unexpected(items.error());
    return scripts::adjust(turn, adjustment, *items);
  });
  if (!answer) co_return std::unexpected(answer.error());
  auto view = read_adjusted(*answer, move.player);
  co_return Done<PlayerView>{std::move(view), answer->replayed()};
}

Task<Result<Done<Deleted>>> Economy::delete_player(Move move) {
  if (auto problem = problem_of_player(move.player)) co_return invalid("id", std::move(*problem));
  auto answer =
      co_await run("delete_player", move, [&](Turn const& turn) { return scripts::delete_player(turn); });
  if (!answer) co_return std::unexpected(answer.error());
  answer->end();
  co_return Done<Deleted>{{}, answer->replayed()};
}

Task<Result<std::vector<Result<Import>>>> Economy::import_players(RealmId realm,
                                                                  std::vector<NewPlayer> players) {
  LARDER_ASSERT(players.size() <= imported_at_once);
  std::vector<std::optional<Error>> problems;
  Move const move{.realm = std::move(realm), .player = UserId::from("0").value()};
  auto answer = co_await run("import", move, [&](Turn const& turn) -> Result<redis::ScriptCall> {
    problems.assign(players.size(), std::nullopt);
    std::vector<ImportedPlayer> good;
    for (std::size_t i = 0; i < players.size(); ++i) {
      auto items = items_of(turn.catalogue, players[i]);
      if (items) good.push_back({.player = &players[i], .items = std::move(*items)});
      if (!items) problems[i] = std::move(items.error());
    }
    return scripts::import_players(turn, good);
  });
  if (!answer) co_return std::unexpected(answer.error());
  std::vector<Result<Import>> outcomes;
  for (auto& problem : problems) {
    if (problem) {
      outcomes.emplace_back(std::unexpected(std::move(*problem)));
    } else if (auto const word = answer->text(); word == errors::player_exists.name) {
      outcomes.emplace_back(
          refuse(errors::player_exists, "the player has points, items or a name that no import gave"));
    } else {
      outcomes.emplace_back(word == "imported" ? Import::imported : Import::unchanged);
    }
  }
  answer->end();
  co_return outcomes;
}

Task<Result<PlayerExport>> Economy::export_player(RealmId id, UserId player) {
  CO_TRY(auto view, co_await this->player(id, player));
  PlayerExport exported{.player = std::move(view)};
  try {
    auto const reply = co_await redis_.run(redis::Use::read, scripts::read_marks(RealmKeys(id), player));
    redis::ReplyReader in(reply);
    if (auto const due = in.text(); !due.empty()) exported.bomb_due = TimeMs{parse_int(due).value_or(0)};
    exported.bomb_pending = in.integer() == 1;
    exported.imported = in.integer() == 1;
    in.end();
  } catch (redis::ReplyError const& error) {
    if (auto refusal = foreign_value_read(error)) co_return std::unexpected(std::move(*refusal));
    throw;
  }
  co_return exported;
}

}  // namespace larder::economy
