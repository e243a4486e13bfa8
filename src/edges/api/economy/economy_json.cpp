#include "edges/api/economy/economy_json.hpp"

#include <fmt/format.h>

namespace larder::api {

namespace {

json::object use_json(economy::Use const& use) {
  json::object out{{"kind", economy::name_of(use.kind)}};
  switch (use.kind) {
    case economy::UseKind::lower_vampire: out["levels"] = use.levels; break;
    case economy::UseKind::effect:
      out["effect"] = economy::name_of(use.effect);
      out["by"] = use.by;
      out["seconds"] = use.seconds;
      out["stacks"] = use.stacks;
      out["on"] = use.on_target ? "target" : "self";
      break;
    case economy::UseKind::radar: out["count"] = use.count; break;
    default: break;
  }
  return out;
}

}  // namespace

json::object to_json(economy::Roll const& roll) {
  return {{"seed", roll.seed}, {"values", json::array(roll.values.begin(), roll.values.end())}};
}

json::object to_json(economy::Inventory const& inventory) {
  json::object out;
  for (auto const& [item, count] : inventory) out[item] = count;
  return out;
}

json::object to_json(economy::ActiveEffect const& effect) {
  return {{"name", economy::name_of(effect.kind)},
          {"value", effect.value},
          {"seconds_left", effect.seconds_left}};
}

json::object to_json(economy::PlayerView const& player) {
  json::array effects;
  for (auto const& effect : player.effects) effects.push_back(to_json(effect));
  json::object cooldowns;
  for (auto const& [name, seconds] : player.cooldowns) cooldowns[name] = seconds;
  return {{"id", player.id.str()},
          {"name", player.name ? json::value(*player.name) : json::value()},
          {"balance", player.balance},
          {"rank", player.rank ? json::value(*player.rank) : json::value()},
          {"inventory", to_json(player.inventory)},
          {"effects", std::move(effects)},
          {"cooldowns", std::move(cooldowns)},
          {"vampire_level", player.vampire_level}};
}

json::object to_json(economy::Standing const& standing) {
  return {{"rank", standing.rank},
          {"id", standing.id},
          {"name", standing.name ? json::value(*standing.name) : json::value()},
          {"balance", standing.balance}};
}

json::object to_json(economy::Item const& item, economy::Catalogue const& catalogue) {
  json::array costs;
  for (auto const& cost : item.craft) {
    costs.push_back(
        {{"item", cost.item}, {"amount", cost.amount}, {"points", cost.item == catalogue.currency}});
  }
  json::object out{{"id", item.id},
                   {"names", json::array(item.names.begin(), item.names.end())},
                   {"max_stack", item.max_stack},
                   {"tradable", item.tradable},
                   {"drop", item.drop},
                   {"craft", std::move(costs)},
                   {"use", use_json(item.use)}};
  if (item.sell > 0) out["sell"] = item.sell;
  return out;
}

json::object to_json(economy::EconomyEvent const& event) {
  json::object out{{"id", event.id()},         {"version", event.version},   {"type", event.type},
                   {"user_id", event.user_id}, {"guild_id", event.guild_id}, {"at", to_rfc3339({event.ms})}};
  if (event.of == economy::EconomyEvent::Of::points) {
    out["amount"] = event.amount;
  } else {
    out["item"] = event.item;
    out["quantity"] = event.amount;
  }
  if (!event.detail.empty()) {
    if (auto const detail = parse_json(event.detail); detail && detail->is_object()) {
      for (auto const& member : detail->get_object()) out.insert(member);
    }
  }
  return out;
}

std::string cursor_of(economy::EconomyEvent const& event) {
  return fmt::format("{}-{}-{}", event.ms, event.sequence,
                     event.of == economy::EconomyEvent::Of::points ? 'p' : 'i');
}

FieldType const roll_type =
    type::object(
        {required("seed", type::integer(0, 2'147'483'647), "the number from which everything was drawn"),
         required("values", type::array(type::integer()), "the numbers that were drawn, in order")})
        .named("Roll");
Field const roll_field = required("roll", roll_type, "the seed and what was drawn from it");
FieldType const inventory_type = type::map(type::amount);
FieldType const effect_type =
    type::object(
        {required("name", type::choice({"gain", "discombobulate", "vampire"}), "what the effect changes"),
         required("value", type::amount, "the strength of the effect"),
         required("seconds_left", type::amount, "seconds until the effect ends")})
        .named("Effect");
Field const balance_field = required("balance", type::amount, "the player's points afterwards");

std::vector<Field> player_fields() {
  return {required("id", type::user_id, "the player"),
          required("name", type::text().or_null(), "the display name; null before the first farm"),
          required("balance", type::amount, "points"),
          required("rank", type::integer(1).or_null(), "the rank on the leaderboard, from 1"),
          required("inventory", inventory_type, "how many the player owns, by item"),
          required("effects", type::array(effect_type), "the active effects"),
          required("cooldowns", type::map(type::amount),
                   "seconds until each move is possible again, by name; 0: now"),
          required("vampire_level", type::integer(1), "the level of the next vampire")};
}

std::vector<Field> event_fields() {
  return {required("id", type::text(), "the id, unique in its realm"),
          required("version", type::integer(0), "the version of the event's form"),
          required("type", type::text(), "what happened"),
          required("user_id", type::text(), "to whom it happened"),
          required("guild_id", type::text(), "where it happened; 0 if nowhere"),
          required("at", type::time, "when it happened"),
          optional("amount", type::integer(), "for a change of points: how many, below 0 if lost"),
          optional("item", type::text(), "for a change of items: the item; for points: what they paid for"),
          optional("quantity", type::integer(), "for a change of items: how many, below 0 if lost"),
          optional("payer_id", type::text(), "who paid"),
          optional("payee_id", type::text(), "who was paid"),
          optional("trader_id", type::text(), "who gave the items"),
          optional("tradee_id", type::text(), "who got the items"),
          optional("source_id", type::text(), "who attacked"),
          optional("target_id", type::text(), "who was the target"),
          optional("owner_id", type::text(), "who planted the bomb"),
          optional("reward", type::text(), "which reward"),
          optional("level", type::text(), "the level of the vampire"),
          optional("roulette_id", type::text(), "which roulette"),
          optional("reason", type::text(), "why an operator adjusted the player"),
          optional("crafted", type::text(), "the item that was crafted from it"),
          optional("trigger", type::text(), "what caused it: farm, vampire or bomb"),
          optional("trigger_id", type::text(), "the id of the event that caused it")};
}

}  // namespace larder::api
