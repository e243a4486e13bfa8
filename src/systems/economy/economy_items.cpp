// The moves with items.
#include "systems/economy/answer.hpp"

#include <fmt/format.h>

namespace larder::economy {

namespace {

std::unexpected<Error> unknown_item(std::string_view name) {
  return refuse(errors::unknown_item, fmt::format("there is no item {}", name));
}

std::unexpected<Error> not_usable(Item const& item) {
  auto const* const why = item.use.kind == UseKind::bomb    ? "is planted, with a timer"
                          : item.use.kind == UseKind::guard ? "is used up by a vampire"
                                                            : "has no use";
  return refuse(errors::not_usable, fmt::format("{} {}", item.id, why));
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

}  // namespace

Task<Result<Done<Traded>>> Economy::trade(Move move, UserId to, std::string item, std::int64_t quantity) {
  if (quantity < 1) co_return invalid("quantity", "must be at least 1");
  if (to == move.player) co_return refuse(errors::self_target, "items cannot be traded with oneself");
  auto answer = co_await run("trade", move, [&](Turn const& turn) -> Result<redis::ScriptCall> {
    auto const* const found = turn.catalogue.find_item(item);
    if (found == nullptr) return unknown_item(item);
    return scripts::trade(turn, to, *found, quantity);
  });
  if (!answer) co_return std::unexpected(answer.error());
  Traded traded{.item = std::string(answer->text()), .left = answer->number(), .to_stack = answer->number()};
  answer->end();
  co_return Done<Traded>{std::move(traded), answer->replayed()};
}

Task<Result<Done<Sold>>> Economy::sell(Move move, std::string item, std::int64_t quantity) {
  if (quantity < 1) co_return invalid("quantity", "must be at least 1");
  auto answer = co_await run("sell", move, [&](Turn const& turn) -> Result<redis::ScriptCall> {
    auto const* const found = turn.catalogue.find_item(item);
    if (found == nullptr) return unknown_item(item);
    return scripts::sell(turn, *found, quantity);
  });
  if (!answer) co_return std::unexpected(answer.error());
  Sold sold{.item = std::string(answer->text()),
            .left = answer->number(),
            .gained = answer->number(),
            .balance = answer->number()};
  answer->end();
  co_return Done<Sold>{std::move(sold), answer->replayed()};
}

Task<Result<Done<Crafted>>> Economy::craft(Move move, std::string item) {
  auto answer = co_await run("craft", move, [&](Turn const& turn) -> Result<redis::ScriptCall> {
    auto const* const found = turn.catalogue.find_item(item);
    if (found == nullptr) return unknown_item(item);
    return scripts::craft(turn, *found);
  });
  if (!answer) co_return std::unexpected(answer.error());
  Crafted crafted{
      .item = std::string(answer->text()), .stack = answer->number(), .balance = answer->number()};
  answer->end();
  co_return Done<Crafted>{std::move(crafted), answer->replayed()};
}

// Reads only the answer, not the catalogue: in a replayed answer, the item may have had another use.
Used Economy::read_used(Answer& answer) {
  Used used{.item = std::string(answer.text()), .left = answer.number()};
  auto const kind = answer.text();
  if (kind == name_of(UseKind::effect)) {
    used.effect = ActiveEffect{.kind = effect_named(answer.text()).value(),
                               .value = answer.number(),
                               .seconds_left = answer.number()};
  } else if (kind == name_of(UseKind::radar)) {
    auto& bombs = used.bombs.emplace();
    while (!answer.at_end()) {
      bombs.push_back({.owner = std::string(answer.text()), .seconds_left = (answer.number() + 999) / 1000});
    }
  } else {
    used.vampire_level = answer.number();
  }
  answer.end();
  return used;
}

Task<Result<Done<Used>>> Economy::use(Move move, std::string item, std::optional<UserId> target) {
  auto answer = co_await run("use", move, [&](Turn const& turn) -> Result<redis::ScriptCall> {
    auto const* const found = turn.catalogue.find_item(item);
    if (found == nullptr) return unknown_item(item);
    auto const kind = found->use.kind;
    if (kind == UseKind::none || kind == UseKind::bomb || kind == UseKind::guard) return not_usable(*found);
    if (auto problem = problem_of_target(*found, move.player, target))
      return std::unexpected(std::move(*problem));
    return scripts::use_item(turn, *found, target);
  });
  if (!answer) co_return std::unexpected(answer.error());
  auto used = read_used(*answer);
  co_return Done<Used>{std::move(used), answer->replayed()};
}

Task<Result<Done<Planted>>> Economy::plant_bomb(Move move, std::int64_t seconds) {
  auto answer = co_await run("plant_bomb", move, [&](Turn const& turn) -> Result<redis::ScriptCall> {
    auto const timer_max_s = turn.catalogue.bomb.timer_max_s;
    auto const* const item = turn.catalogue.find_use(UseKind::bomb);
    if (item == nullptr) return unknown_item("bomb");
    if (seconds < 0 || seconds > timer_max_s) {
      return std::unexpected(Error{.code = larder::errors::invalid_request,
                                   .detail = fmt::format("seconds must be 0 to {}", timer_max_s),
                                   .field = "seconds"});
    }
    return scripts::plant_bomb(turn, *item, seconds);
  });
  if (!answer) co_return std::unexpected(answer.error());
  Planted planted{.left = answer->number(), .due = {answer->number()}, .roll = answer->roll()};
  planted.about = planted.due;
  if (!answer->at_end()) {  // an answer that a key has kept since before Larder hid the moment ends here
    planted.about = {answer->number()};
    planted.within_s = answer->number();
  }
  answer->end();
  if (auto const realm = shared_.realms.find(move.realm)) shared_.wake_schedule(*realm, planted.due);
  co_return Done<Planted>{std::move(planted), answer->replayed()};
}

Task<Result<Done<Inspected>>> Economy::inspect(Move move, UserId target) {
  auto answer =
      co_await run("inspect", move, [&](Turn const& turn) { return scripts::inspect(turn, target); });
  if (!answer) co_return std::unexpected(answer.error());
  Inspected seen{.balance = answer->number()};
  while (!answer->at_end()) {
    std::string item(answer->text());
    seen.inventory[std::move(item)] = answer->number();
  }
  co_return Done<Inspected>{std::move(seen), answer->replayed()};
}

}  // namespace larder::economy
