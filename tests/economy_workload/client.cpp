#include "client.hpp"

#include <fmt/ranges.h>

namespace larder::economy {

using Kind = Asked::Kind;

std::string player_name(std::uint64_t number) { return fmt::format("{}", 1000 + number); }

namespace {

std::string words_of(Roll const& roll) {
  return fmt::format("[{}: {}]", roll.seed, fmt::join(roll.values, " "));
}

// In the words of the model.
std::string words_of(Farmed const& farmed) {
  auto const& [gained, balance, drop, bite, blast, roll] = farmed;
  return fmt::format(
      "{} {} {} {} {} {}", gained, balance, drop ? fmt::format("{}/{}", drop->item, drop->stack) : "-",
      bite ? fmt::format("{}/{}/{}", bite->level, bite->damage, int(bite->necklace_used)) : "-",
      blast ? fmt::format("{}/{}", blast->owner, blast->damage) : "-", words_of(roll));
}
std::string words_of(Paid const& paid) { return fmt::format("{} {}", paid.balance, paid.to_balance); }
std::string words_of(Rewarded const& rewarded) {
  return fmt::format("{} {}", rewarded.reward, rewarded.balance);
}
std::string words_of(Gambled const& gambled) {
  return fmt::format("{} {} {}", gambled.change, gambled.balance, words_of(gambled.roll));
}
std::string words_of(Discombobulated const& done) {
  return fmt::format("{} {} {} {} {}", done.damage, done.balance, done.target_balance, done.locked_s,
                     words_of(done.roll));
}
std::string words_of(Traded const& traded) {
  return fmt::format("{} {} {}", traded.item, traded.left, traded.to_stack);
}
std::string words_of(Crafted const& crafted) {
  return fmt::format("{} {} {}", crafted.item, crafted.stack, crafted.balance);
}
std::string words_of(Used const& used) {
  auto words = fmt::format("{} {}", used.item, used.left);
  if (used.vampire_level) return words + fmt::format(" level {}", *used.vampire_level);
  if (used.effect) return words + fmt::format(" effect {} {}", used.effect->value, used.effect->seconds_left);
  words += " bombs";
  for (auto const& bomb : *used.bombs) words += fmt::format(" {}/{}", bomb.owner, bomb.seconds_left);
  return words;
}
std::string words_of(Planted const& planted) {
  return fmt::format("{} {} {}", planted.left, planted.due.value, words_of(planted.roll));
}
std::string words_of(Inspected const& seen) {
  auto words = fmt::to_string(seen.balance);
  for (auto const& [item, count] : seen.inventory) words += fmt::format(" {}={}", item, count);
  return words;
}
std::string words_of(Shot const& shot) {
  return fmt::format("{} {} {}{}", shot.hit ? "shot" : "survived", shot.lost, shot.balance,
                     shot.roll ? " " + words_of(*shot.roll) : "");
}

template <class T>
std::string words_of(Result<Done<T>> const& done) {
  if (!done) return fmt::format("{}{}", done.error().code.name, done.error().replayed ? " again" : "");
  return fmt::format("ok {}{}", words_of(done->what), done->replayed ? " again" : "");
}

}  // namespace

Task<void> Client::work(std::size_t moves) {
  for (std::size_t i = 0; i < moves; ++i) {
    auto asked = random_.chance(1, 20) && last_ && !last_->idempotency_key.empty() ? *last_ : next();
    auto const number = told_.size();
    told_.push_back({.asked = asked, .answer = {}});
    auto answer = co_await ask(asked, number);
    told_[number] = {.asked = asked, .answer = std::move(answer)};
    last_ = std::move(asked);
  }
}

std::string Client::random_item() {
  static constexpr std::string_view items[] = {
      ":sauropod:",      ":chopsticks:", ":cross:", ":bomb:",       ":herb:", ":reminder_ribbon:",
      ":athletic_shoe:", ":eggplant:",   ":bone:",  ":magic_wand:", ":gear:", ":satellite:",
      ":tooth:"};
  return std::string(items[random_.below(std::size(items))]);
}

Asked Client::next() {
  static constexpr std::pair<Kind, int> weights[] = {
      {Kind::farm, 40},          {Kind::pay, 8},     {Kind::claim, 4},          {Kind::gamble, 10},
      {Kind::discombobulate, 4}, {Kind::trade, 10},  {Kind::craft, 10},         {Kind::use, 8},
      {Kind::plant_bomb, 3},     {Kind::inspect, 2}, {Kind::start_roulette, 1}, {Kind::shoot, 3}};
  auto pick = int(random_.below(103));
  Asked asked{.player = random_player(), .other = random_player()};
  for (auto const& [kind, weight] : weights) {
    asked.kind = kind;
    if ((pick -= weight) < 0) break;
  }
  asked.amount = 1 + std::int64_t(random_.below(random_.chance(1, 4) ? 5000 : 50));
  asked.name = fmt::format("Player {}", random_.below(3));
  asked.item = random_item();
  if (asked.kind == Kind::claim) asked.item = random_.chance(1, 2) ? "daily" : "weekly";
  if (asked.kind == Kind::gamble && random_.chance(1, 10)) asked.amount = 0;
  if (asked.kind == Kind::trade) asked.amount = 1 + std::int64_t(random_.below(3));
  if (asked.kind == Kind::plant_bomb) asked.amount = std::int64_t(random_.below(3000));
  if (asked.kind == Kind::shoot) {
    asked.item = roulettes_.empty() ? "none" : roulettes_[random_.below(roulettes_.size())];
  }
  // The replayed answer of a start_roulette has the id of the first answer, which the model does not know.
  if (random_.chance(1, 10) && asked.kind != Kind::start_roulette)
    asked.idempotency_key = fmt::format("k{}", random_.next());
  return asked;
}

Task<std::string> Client::ask(Asked& asked, std::size_t number) {
  Move move{.realm = realm_,
            .player = UserId::from(asked.player).value(),
            .guild_id = UserId::from(fmt::to_string(number)).value()};
  if (!asked.idempotency_key.empty())
    move.idempotency_key = IdempotencyKey{.key = asked.idempotency_key, .fingerprint = "f"};
  auto const other = UserId::from(asked.other).value();
  auto const amount = Amount::from(asked.amount).value();
  switch (asked.kind) {
    case Kind::farm: co_return words_of(co_await economy_.farm(std::move(move), asked.name));
    case Kind::pay: co_return words_of(co_await economy_.pay(std::move(move), other, amount));
    case Kind::claim: co_return words_of(co_await economy_.claim(std::move(move), asked.item));
    case Kind::gamble:
      co_return words_of(co_await economy_.gamble(std::move(move),
                                                  asked.amount == 0 ? std::nullopt : std::optional(amount)));
    case Kind::discombobulate:
      co_return words_of(co_await economy_.discombobulate(std::move(move), other, amount));
    case Kind::trade:
      co_return words_of(co_await economy_.trade(std::move(move), other, asked.item, asked.amount));
    case Kind::craft: co_return words_of(co_await economy_.craft(std::move(move), asked.item));
    case Kind::use: {
      auto const target = asked.item == ":magic_wand:" ? std::optional(other) : std::nullopt;
      co_return words_of(co_await economy_.use(std::move(move), asked.item, target));
    }
    case Kind::plant_bomb: co_return words_of(co_await economy_.plant_bomb(std::move(move), asked.amount));
    case Kind::inspect: co_return words_of(co_await economy_.inspect(std::move(move), other));
    case Kind::start_roulette: {
      auto const id = (co_await economy_.start_roulette(std::move(move))).value().what;
      asked.item = id.str();
      roulettes_.push_back(id.str());
      co_return "ok";
    }
    case Kind::shoot:
      co_return words_of(co_await economy_.shoot(std::move(move), RouletteId::from(asked.item).value()));
  }
  co_return "";
}

}  // namespace larder::economy
