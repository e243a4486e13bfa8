// The moves with items.
#include "larder_economy_scripts.hpp"
#include "systems/economy/answer.hpp"

#include <fmt/format.h>

namespace larder::economy {

namespace {

redis::Script const trade_script{lua::trade};
redis::Script const craft_script{lua::craft};
redis::Script const use_item_script{lua::use_item};
redis::Script const plant_bomb_script{lua::plant_bomb};
redis::Script const inspect_script{lua::inspect};

Error unknown_item(std::string_view name) {
  return {.code = errors::unknown_item, .detail = fmt::format("there is no item {}", name)};
}

Error not_usable(Item const& item) {
  auto const* const why = item.use.kind == UseKind::bomb    ? "is planted, with a timer"
                          : item.use.kind == UseKind::guard ? "is used up by a vampire"
                                                            : "has no use";
  return {.code = errors::not_usable, .detail = fmt::format("{} {}", item.id, why)};
}

std::optional<Error> problem_of_target(Item const& item, UserId const& player,
                                       std::optional<UserId> const& target) {
  auto const wrong = [](std::string detail) {
    return Error{.code = larder::errors::invalid_request, .detail = std::move(detail), .field = "target"};
  };
  if (!item.use.on_target) {
    if (target) return wrong(fmt::format("{} is used on oneself: leave the target out", item.id));
    return std::nullopt;
  }
  if (!target) return wrong(fmt::format("{} is used on another player: a target is needed", item.id));
  if (*target == player) {
    return Error{.code = errors::self_target, .detail = fmt::format("{} is used on another player", item.id)};
  }
  return std::nullopt;
}

EffectKind effect_named(std::string_view name) {
  for (auto const kind : {EffectKind::gain, EffectKind::discombobulate, EffectKind::vampire}) {
    if (name_of(kind) == name) return kind;
  }
  throw std::runtime_error(fmt::format("a script answered the effect {}", name));
}

}  // namespace

Task<Result<Done<Traded>>> Economy::trade(Move move, UserId to, std::string item, std::int64_t quantity) {
  if (quantity < 1) co_return invalid("quantity", "must be at least 1");
  if (to == move.player) co_return refuse(errors::self_target, "items cannot be traded with oneself");
  auto const answer =
      co_await run("trade", trade_script, move, [&](redis::ScriptCall& call, Context const& with) {
        auto const* const found = with.catalogue.find_item(item);
        if (found == nullptr) return std::optional(unknown_item(item));
        call.key(with.keys.inventory(move.player));
        call.key(with.keys.inventory(to));
        call.key(with.keys.item(found->id));
        call.arg(move.player.str());
        call.arg(to.str());
        call.arg(found->id);
        call.arg(quantity);
        call.arg(found->tradable);
        return std::optional<Error>();
      });
  if (!answer) co_return std::unexpected(answer.error());
  co_return Done<Traded>{
      {.item = std::string(answer->text(1)), .left = answer->number(2), .to_stack = answer->number(3)},
      answer->replayed};
}

Task<Result<Done<Crafted>>> Economy::craft(Move move, std::string item) {
  auto const answer =
      co_await run("craft", craft_script, move, [&](redis::ScriptCall& call, Context const& with) {
        auto const* const found = with.catalogue.find_item(item);
        if (found == nullptr) return std::optional(unknown_item(item));
        call.key(with.keys.inventory(move.player));
        call.key(with.keys.item(found->id));
        call.key(with.keys.craft(found->id));
        call.arg(move.player.str());
        call.arg(found->id);
        call.arg(with.catalogue.currency);
        return std::optional<Error>();
      });
  if (!answer) co_return std::unexpected(answer.error());
  co_return Done<Crafted>{
      {.item = std::string(answer->text(1)), .stack = answer->number(2), .balance = answer->number(3)},
      answer->replayed};
}

// From the answer alone: one that is given again may be of an item that is another by now.
Used Economy::read_used(Answer const& answer) {
  Used used{.item = std::string(answer.text(1)), .left = answer.number(2)};
  auto const kind = answer.text(3);
  if (kind == name_of(UseKind::effect)) {
    used.effect = ActiveEffect{
        .kind = effect_named(answer.text(4)), .value = answer.number(5), .seconds_left = answer.number(6)};
  } else if (kind == name_of(UseKind::radar)) {
    auto& bombs = used.bombs.emplace();
    for (std::size_t i = 4; i + 1 < answer.size(); i += 2) {
      bombs.push_back(
          {.owner = std::string(answer.text(i)), .seconds_left = (answer.number(i + 1) + 999) / 1000});
    }
  } else {
    used.vampire_level = answer.number(4);
  }
  return used;
}

Task<Result<Done<Used>>> Economy::use(Move move, std::string item, std::optional<UserId> target) {
  auto const answer =
      co_await run("use", use_item_script, move, [&](redis::ScriptCall& call, Context const& with) {
        auto const& [keys, catalogue, now] = with;
        auto const* const found = catalogue.find_item(item);
        if (found == nullptr) return std::optional(unknown_item(item));
        auto const& use = found->use;
        if (use.kind == UseKind::none || use.kind == UseKind::bomb || use.kind == UseKind::guard) {
          return std::optional(not_usable(*found));
        }
        if (auto problem = problem_of_target(*found, move.player, target)) return problem;
        call.key(keys.inventory(move.player));
        call.arg(move.player.str());
        call.arg(found->id);
        call.arg(std::string(name_of(use.kind)));
        call.arg(target ? target->str() : "");
        switch (use.kind) {
          case UseKind::lower_vampire:
            call.arg(use.levels);
            call.arg(catalogue.vampire.level_ttl_s);
            call.arg(catalogue.vampire.ttl_max_s);
            [[fallthrough]];
          case UseKind::clear_vampire: call.key(keys.vampire(move.player)); break;
          case UseKind::effect:
            call.key(keys.effect(target ? *target : move.player, use.effect));
            call.arg(std::string(name_of(use.effect)));
            call.arg(use.effect == EffectKind::gain ? catalogue.farm.gain : 0);
            call.arg(use.by);
            call.arg(use.seconds);
            call.arg(use.stacks);
            break;
          default:
            call.key(keys.bombs());
            call.arg(use.count);
            call.arg(now);
        }
        return std::optional<Error>();
      });
  if (!answer) co_return std::unexpected(answer.error());
  co_return Done<Used>{read_used(*answer), answer->replayed};
}

Task<Result<Done<Planted>>> Economy::plant_bomb(Move move, std::int64_t seconds) {
  auto const answer =
      co_await run("plant_bomb", plant_bomb_script, move, [&](redis::ScriptCall& call, Context const& with) {
        auto const& bomb = with.catalogue.bomb;
        auto const* const item = with.catalogue.find_use(UseKind::bomb);
        if (item == nullptr) return std::optional(unknown_item("bomb"));
        if (seconds < 0 || seconds > bomb.timer_max_s) {
          return std::optional(Error{.code = larder::errors::invalid_request,
                                     .detail = fmt::format("seconds must be 0 to {}", bomb.timer_max_s),
                                     .field = "seconds"});
        }
        call.key(with.keys.inventory(move.player));
        call.key(with.keys.bombs());
        call.key(with.keys.bombs_schedule());
        call.arg(move.player.str());
        call.arg(item->id);
        call.arg(seconds);
        call.arg(bomb.spread_s);
        call.arg(with.now);
        return std::optional<Error>();
      });
  if (!answer) co_return std::unexpected(answer.error());
  Planted const planted{.left = answer->number(1), .due = {answer->number(2)}, .roll = answer->roll(3)};
  if (auto const realm = shared_.realms.find(move.realm)) shared_.wake_schedule(*realm, planted.due);
  co_return Done<Planted>{planted, answer->replayed};
}

Task<Result<Done<Inspected>>> Economy::inspect(Move move, UserId target) {
  auto const answer =
      co_await run("inspect", inspect_script, move, [&](redis::ScriptCall& call, Context const& with) {
        call.key(with.keys.inventory(target));
        call.arg(move.player.str());
        call.arg(target.str());
        call.arg(with.catalogue.inspect_fee);
        call.arg(with.catalogue.currency);
        return std::optional<Error>();
      });
  if (!answer) co_return std::unexpected(answer.error());
  Inspected seen{.balance = answer->number(1)};
  for (std::size_t i = 2; i + 1 < answer->size(); i += 2) {
    seen.inventory[std::string(answer->text(i))] = answer->number(i + 1);
  }
  co_return Done<Inspected>{std::move(seen), answer->replayed};
}

}  // namespace larder::economy
