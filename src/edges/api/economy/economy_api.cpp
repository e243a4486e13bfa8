#include "edges/api/economy/economy_api.hpp"

#include "edges/api/economy/move_requests.hpp"

namespace larder::api {

namespace {

using economy::Done;
using namespace moves;  // NOLINT: this file is about moves

Answering post_farm(EconomyPart& part, Asked<Named> asked) {
  co_return respond(co_await part.economy.farm(std::move(asked.move), std::move(asked.name)),
                    [](economy::Farmed const& farmed) {
                      json::object out{{"gained", farmed.gained}, {"balance", farmed.balance},
                                       {"drop", nullptr},         {"vampire", nullptr},
                                       {"bomb", nullptr},         {"roll", to_json(farmed.roll)}};
                      if (auto const& drop = farmed.drop) {
                        out["drop"] = json::object{{"item", drop->item}, {"stack", drop->stack}};
                      }
                      if (auto const& bite = farmed.vampire) {
                        out["vampire"] = json::object{{"level", bite->level},
                                                      {"damage", bite->damage},
                                                      {"necklace_used", bite->necklace_used}};
                      }
                      if (auto const& blast = farmed.bomb) {
                        out["bomb"] = json::object{{"owner", blast->owner}, {"damage", blast->damage}};
                      }
                      return out;
                    });
}

Answering post_pay(EconomyPart& part, Asked<Payment> asked) {
  co_return respond(co_await part.economy.pay(std::move(asked.move), std::move(asked.to), asked.amount),
                    [](economy::Paid const& paid) {
                      return json::object{{"balance", paid.balance}, {"to_balance", paid.to_balance}};
                    });
}

Answering post_reward(EconomyPart& part, Asked<Claim> asked) {
  co_return respond(co_await part.economy.claim(std::move(asked.move), std::move(asked.reward)),
                    [](economy::Rewarded const& rewarded) {
                      return json::object{{"reward", rewarded.reward}, {"balance", rewarded.balance}};
                    });
}

Answering post_gamble(EconomyPart& part, Asked<Stake> asked) {
  co_return respond(
      co_await part.economy.gamble(std::move(asked.move), asked.amount), [](economy::Gambled const& gambled) {
        return json::object{
            {"change", gambled.change}, {"balance", gambled.balance}, {"roll", to_json(gambled.roll)}};
      });
}

Answering post_discombobulate(EconomyPart& part, Asked<Offer> asked) {
  co_return respond(
      co_await part.economy.discombobulate(std::move(asked.move), std::move(asked.target), asked.amount),
      [](economy::Discombobulated const& done) {
        return json::object{{"damage", done.damage},
                            {"balance", done.balance},
                            {"target_balance", done.target_balance},
                            {"seconds_left", done.locked_s},
                            {"roll", to_json(done.roll)}};
      });
}

Answering post_trade(EconomyPart& part, Asked<Trade> asked) {
  co_return respond(co_await part.economy.trade(std::move(asked.move), std::move(asked.to),
                                                std::move(asked.item), asked.quantity),
                    [](economy::Traded const& traded) {
                      return json::object{
                          {"item", traded.item}, {"left", traded.left}, {"to_stack", traded.to_stack}};
                    });
}

Answering post_sale(EconomyPart& part, Asked<Sale> asked) {
  co_return respond(
      co_await part.economy.sell(std::move(asked.move), std::move(asked.item), asked.quantity),
      [](economy::Sold const& sold) {
        return json::object{
            {"item", sold.item}, {"left", sold.left}, {"gained", sold.gained}, {"balance", sold.balance}};
      });
}

Answering post_craft(EconomyPart& part, Asked<OneItem> asked) {
  co_return respond(co_await part.economy.craft(std::move(asked.move), std::move(asked.item)),
                    [](economy::Crafted const& crafted) {
                      return json::object{
                          {"item", crafted.item}, {"stack", crafted.stack}, {"balance", crafted.balance}};
                    });
}

Answering post_use(EconomyPart& part, Asked<Used> asked) {
  co_return respond(
      co_await part.economy.use(std::move(asked.move), std::move(asked.item), std::move(asked.target)),
      [](economy::Used const& used) {
        json::object out{{"item", used.item},
                         {"left", used.left},
                         {"vampire_level", nullptr},
                         {"effect", nullptr},
                         {"bombs", nullptr}};
        if (used.vampire_level) out["vampire_level"] = *used.vampire_level;
        if (used.effect) out["effect"] = to_json(*used.effect);
        if (used.bombs) {
          auto& bombs = out["bombs"].emplace_array();
          for (auto const& bomb : *used.bombs) {
            bombs.push_back({{"owner", bomb.owner}, {"seconds_left", bomb.seconds_left}});
          }
        }
        return out;
      });
}

Answering post_bomb(EconomyPart& part, Asked<Bomb> asked) {
  co_return respond(co_await part.economy.plant_bomb(std::move(asked.move), asked.seconds),
                    [](economy::Planted const& planted) {
                      return json::object{{"left", planted.left},
                                          {"due_at", to_rfc3339(planted.about)},
                                          {"within_s", planted.within_s},
                                          {"roll", nullptr}};
                    });
}

Answering post_inspect(EconomyPart& part, Asked<Target> asked) {
  co_return respond(co_await part.economy.inspect(std::move(asked.move), std::move(asked.target)),
                    [](economy::Inspected const& seen) {
                      return json::object{{"balance", seen.balance}, {"inventory", to_json(seen.inventory)}};
                    });
}

Answering post_roulette(EconomyPart& part, Asked<Nothing> asked) {
  co_return respond(
      co_await part.economy.start_roulette(std::move(asked.move)),
      [](economy::RouletteId const& id) { return json::object{{"id", id.str()}}; }, 201);
}

Answering post_shot(EconomyPart& part, Asked<InRoulette> asked) {
  co_return respond(co_await part.economy.shoot(std::move(asked.move), std::move(asked.roulette)),
                    [](economy::Shot const& shot) {
                      return json::object{
                          {"outcome", shot.hit ? "shot" : "survived"},
                          {"lost", shot.lost},
                          {"balance", shot.balance},
                          {"roll", shot.roll ? json::value(to_json(*shot.roll)) : json::value()}};
                    });
}

constexpr std::string_view getter_says = "who gets the points or items";

Field const moved_item_field = required("item", type::text(), "the item's id");

}  // namespace

std::span<Route const> economy_routes() {
  namespace errors = economy::errors;
  static Route const routes[] = {
      {Method::post,
       "/v1/economy/{realm}/players/{id}/farm",
       Scope::economy,
       handle(move_schema(Mover::in_path,
                          own<Named>().field(required("name", type::text(1, limits::player_name_chars_max),
                                                      "the player's display name"),
                                             read_name)),
              &post_farm),
       {.id = "farm",
        .summary = "Farms: the player gains points, may find an item and may meet a vampire; or a pending "
                   "bomb goes off",
        .answer = {required("gained", type::amount, "points that the player gained"), balance_field,
                   required("drop",
                            type::object({moved_item_field,
                                          required("stack", type::amount, "how many the player has now")})
                                .or_null(),
                            "the item that the player found"),
                   required("vampire",
                            type::object({required("level", type::amount, "the level of the vampire"),
                                          required("damage", type::amount, "points that the player lost"),
                                          required("necklace_used", type::boolean,
                                                   "whether an item was used up instead of points")})
                                .or_null(),
                            "the vampire that came"),
                   required("bomb",
                            type::object({required("owner", type::text(), "who planted the bomb"),
                                          required("damage", type::amount, "points that the player lost")})
                                .or_null(),
                            "the bomb that went off; then the player gains nothing"),
                   roll_field},
        .refusals = {errors::on_cooldown, errors::balance_limit, errors::realm_needs_name,
                     errors::foreign_record, errors::realm_closed},
        .keeps_key = true}},
      {Method::post,
       "/v1/economy/{realm}/players/{id}/pay",
       Scope::economy,
       handle(move_schema(Mover::in_path,
                          own<Payment>()
                              .required("to", player_kind, &Asked<Payment>::to, getter_says)
                              .required("amount", kind::positive_amount, &Asked<Payment>::amount, "points")),
              &post_pay),
       {.id = "pay",
        .summary = "Gives points to another player",
        .answer = {balance_field,
                   required("to_balance", type::amount, "the other player's points afterwards")},
        .refusals = {errors::self_target, errors::insufficient_balance, errors::balance_limit,
                     errors::realm_needs_name, errors::foreign_record, errors::realm_closed,
                     errors::realm_lost},
        .keeps_key = true}},
      {Method::post,
       "/v1/economy/{realm}/players/{id}/rewards/{reward}",
       Scope::economy,
       handle(move_schema<Claim>(Mover::in_path)
                  .path("reward", kind::text(1, 32), &Asked<Claim>::reward,
                        "the name of the reward in the catalogue, such as daily"),
              &post_reward),
       {.id = "claim_reward",
        .summary = "Claims a reward, which is possible once per interval",
        .answer = {required("reward", type::amount, "points"), balance_field},
        .refusals = {errors::reward_not_found, errors::reward_not_ready, errors::balance_limit,
                     errors::realm_needs_name, errors::foreign_record, errors::realm_closed,
                     errors::realm_lost},
        .keeps_key = true}},
      {Method::post,
       "/v1/economy/{realm}/players/{id}/gamble",
       Scope::economy,
       handle(move_schema(Mover::in_path,
                          own<Stake>().field(
                              required("amount", type::one_of({type::positive_amount, type::choice({"all"})}),
                                       "points, or \"all\" of them"),
                              read_stake)),
              &post_gamble),
       {.id = "gamble",
        .summary = "Gambles: the player wins a part of an amount, or loses the amount",
        .answer = {required("change", type::integer(), "points won; below 0 if lost"), balance_field,
                   roll_field},
        .refusals = {errors::insufficient_balance, errors::balance_limit, errors::realm_needs_name,
                     errors::foreign_record, errors::realm_closed, errors::realm_lost},
        .keeps_key = true}},
      {Method::post,
       "/v1/economy/{realm}/players/{id}/discombobulate",
       Scope::economy,
       handle(
           move_schema(Mover::in_path, own<Offer>()
                                           .required("target", player_kind, &Asked<Offer>::target,
                                                     "the player who is attacked")
                                           .required("amount", kind::positive_amount, &Asked<Offer>::amount,
                                                     "the offer, which the player loses")),
           &post_discombobulate),
       {.id = "discombobulate",
        .summary = "Burns points of another player, at the price of an offer",
        .answer = {required("damage", type::amount, "points that the target lost"), balance_field,
                   required("target_balance", type::amount, "the target's points afterwards"),
                   required("seconds_left", type::amount, "seconds until the player may attack again"),
                   roll_field},
        .refusals = {errors::self_target, errors::on_cooldown, errors::insufficient_balance,
                     errors::offer_too_low, errors::realm_needs_name, errors::foreign_record,
                     errors::realm_closed},
        .keeps_key = true}},
      {Method::post,
       "/v1/economy/{realm}/players/{id}/trade",
       Scope::economy,
       handle(move_schema(
                  Mover::in_path,
                  own<Trade>()
                      .required("to", player_kind, &Asked<Trade>::to, getter_says)
                      .required("item", item_kind, &Asked<Trade>::item, item_says)
                      .required("quantity", kind::quantity, &Asked<Trade>::quantity, "how many")),
              &post_trade),
       {.id = "trade",
        .summary = "Gives items to another player",
        .answer = {moved_item_field, required("left", type::amount, "how many the player has now"),
                   required("to_stack", type::amount, "how many the other player has now")},
        .refusals = {errors::self_target, errors::unknown_item, errors::not_tradable,
                     errors::not_enough_items, errors::stack_full, errors::realm_needs_name,
                     errors::foreign_record, errors::realm_closed, errors::realm_lost},
        .keeps_key = true}},
      {Method::post,
       "/v1/economy/{realm}/players/{id}/sell",
       Scope::economy,
       handle(move_schema(Mover::in_path,
                          own<Sale>()
                              .required("item", item_kind, &Asked<Sale>::item, item_says)
                              .required("quantity", kind::quantity, &Asked<Sale>::quantity, "how many")),
              &post_sale),
       {.id = "sell",
        .summary = "Sells items to the bank, if the catalogue says what it pays for them",
        .answer = {moved_item_field, required("left", type::amount, "how many the player has now"),
                   required("gained", type::amount, "points that the bank paid"), balance_field},
        .refusals = {errors::unknown_item, errors::not_sellable, errors::not_enough_items,
                     errors::balance_limit, errors::realm_needs_name, errors::foreign_record,
                     errors::realm_closed, errors::realm_lost},
        .keeps_key = true}},
      {Method::post,
       "/v1/economy/{realm}/players/{id}/craft",
       Scope::economy,
       handle(move_schema(Mover::in_path,
                          own<OneItem>().required("item", item_kind, &Asked<OneItem>::item, item_says)),
              &post_craft),
       {.id = "craft",
        .summary = "Makes an item out of points and other items",
        .answer = {moved_item_field, required("stack", type::amount, "how many the player has now"),
                   balance_field},
        .refusals = {errors::unknown_item, errors::not_craftable, errors::stack_full,
                     errors::insufficient_balance, errors::not_enough_items, errors::realm_needs_name,
                     errors::foreign_record, errors::realm_closed, errors::realm_lost},
        .keeps_key = true}},
      {Method::post,
       "/v1/economy/{realm}/players/{id}/use",
       Scope::economy,
       handle(move_schema(Mover::in_path, own<Used>()
                                              .required("item", item_kind, &Asked<Used>::item, item_says)
                                              .optional("target", player_kind, &Asked<Used>::target,
                                                        "the other player, if the item is used on one")),
              &post_use),
       {.id = "use_item",
        .summary = "Uses up an item",
        .answer = {moved_item_field, required("left", type::amount, "how many the player has now"),
                   required("vampire_level", type::amount.or_null(),
                            "the level of the next vampire, if the item changed it"),
                   required("effect", effect_type.or_null(), "the active effect, if the item has one"),
                   required("bombs",
                            type::array(type::object({required("owner", type::text(), "who planted the bomb"),
                                                      required("seconds_left", type::amount,
                                                               "seconds until the bomb is pending")}))
                                .or_null(),
                            "for a radar: the bombs that are due next")},
        .refusals = {errors::unknown_item, errors::not_usable, errors::self_target, errors::not_enough_items,
                     errors::realm_needs_name, errors::foreign_record, errors::realm_closed,
                     errors::realm_lost},
        .keeps_key = true}},
      {Method::post,
       "/v1/economy/{realm}/players/{id}/bomb",
       Scope::economy,
       handle(move_schema(Mover::in_path,
                          own<Bomb>().required("seconds", kind::integer(0), &Asked<Bomb>::seconds,
                                               "seconds until the bomb is pending, more or less")),
              &post_bomb),
       {.id = "plant_bomb",
        .summary = "Plants a bomb; once it is pending, it goes off on the player who farms next",
        .answer = {required("left", type::amount, "how many bombs the player has now"),
                   required("due_at", type::time, "when the bomb becomes pending, more or less"),
                   required("within_s", type::amount, "how many seconds earlier or later that may be"),
                   required("roll", roll_type.or_null(), "null: nobody may know the exact moment")},
        .refusals = {errors::unknown_item, errors::not_enough_items, errors::realm_needs_name,
                     errors::foreign_record, errors::realm_closed, errors::realm_lost},
        .keeps_key = true}},
      {Method::post,
       "/v1/economy/{realm}/players/{id}/inspect",
       Scope::economy,
       handle(
           move_schema(Mover::in_path, own<Target>().required("target", player_kind, &Asked<Target>::target,
                                                              "the player whose inventory is shown")),
           &post_inspect),
       {.id = "inspect",
        .summary = "Shows a player's inventory, for a fee",
        .answer = {balance_field, required("inventory", inventory_type, "the target's inventory")},
        .refusals = {errors::insufficient_balance, errors::realm_needs_name, errors::foreign_record,
                     errors::realm_closed},
        .keeps_key = true}},
      {Method::post,
       "/v1/economy/{realm}/roulettes",
       Scope::economy,
       handle(move_schema<Nothing>(Mover::nobody), &post_roulette),
       {.id = "start_roulette",
        .summary = "Loads a roulette",
        .status = 201,
        .answer = {required("id", type::text(), "the id of the roulette")},
        .refusals = {errors::realm_needs_name, errors::realm_closed, errors::realm_lost},
        .keeps_key = true}},
      {Method::post,
       "/v1/economy/{realm}/roulettes/{id}/shots",
       Scope::economy,
       handle(move_schema<InRoulette>(Mover::in_body)
                  .path("id", roulette_kind, &Asked<InRoulette>::roulette, "the id of the roulette"),
              &post_shot),
       {.id = "shoot",
        .summary = "Pulls the trigger of a roulette; the shot that hits takes all points",
        .answer = {required("outcome", type::choice({"survived", "shot"}), "what happened"),
                   required("lost", type::amount, "points that the player lost"), balance_field,
                   required("roll", roll_type.or_null(), "the roll of the roulette, once it is over")},
        .refusals = {errors::roulette_not_found, errors::realm_needs_name, errors::foreign_record,
                     errors::realm_closed},
        .keeps_key = true}},
  };
  return routes;
}

}  // namespace larder::api
