#include "edges/api/tribes/tribes_json.hpp"

namespace larder::api {

using tribes::building_names;
using tribes::education_names;
using tribes::Fame;
using tribes::LotId;
using tribes::MapTown;
using tribes::Ranked;
using tribes::Report;
using tribes::speed_max;
using tribes::world_state_names;
using tribes::WorldLine;

namespace {

json::value name_or_null(std::string_view name) { return name.empty() ? json::value() : json::value(name); }

FieldType const count_type = type::integer(0);
FieldType const lot_type = type::choice({LotId::names.begin(), LotId::names.end()});
FieldType const name_type = type::text().or_null();

FieldType queue_type(std::vector<Field> fields) { return type::array(type::object(std::move(fields))); }

FieldType one_action(std::string_view name, std::vector<Field> fields) {
  fields.insert(fields.begin(), required("type", type::choice({name}), "what to do"));
  return type::strict_object(std::move(fields));
}

}  // namespace

json::object to_json(WorldLine const& line) {
  auto const& info = *line.info;
  return {{"id", line.id.str()},
          {"state", world_state_names[std::size_t(info.state)]},
          {"speed", info.clock.speed},
          {"players", line.players},
          {"started_at", to_rfc3339(info.started_at)},
          {"clock", {{"at", to_rfc3339(info.clock.base_real)}, {"game_ms", info.clock.base_game.value}}},
          {"winner", info.winner ? json::value(info.winner->str()) : json::value()},
          {"winner_name", name_or_null(line.winner_name)}};
}

std::vector<Field> world_fields() {
  return {
      required("id", type::text(), "the world"),
      required("state", type::choice({world_state_names.begin(), world_state_names.end()}),
               "a world that was won or closed stands still"),
      required("speed", type::integer(1, speed_max), "how many times it is faster than the original game"),
      required("players", count_type, "how many towns it has, ruins included"),
      required("started_at", type::time, "when it was created"),
      required("clock",
               type::object({required("at", type::time, "a moment"),
                             required("game_ms", count_type, "the game time at that moment")}),
               "game time goes on from there at the world's speed, and stands still unless it is running"),
      required("winner", type::user_id.or_null(), "the player who won it"),
      required("winner_name", name_type, "the winner's name; null if the account was deleted"),
      optional("joined", type::boolean, "whether the player who asks has a town there; only for players")};
}

json::object to_json(Ranked const& ranked) {
  return {
      {"rank", ranked.rank},   {"user_id", ranked.user.str()}, {"username", name_or_null(ranked.username)},
      {"coins", ranked.coins}, {"x", ranked.field.x},          {"y", ranked.field.y}};
}

std::vector<Field> ranked_fields() {
  return {required("rank", type::integer(1), "the rank, from 1"),
          required("user_id", type::user_id, "the player"),
          required("username", name_type, "the player's name; null if the account was deleted"),
          required("coins", count_type, "coins at the last update of the town"),
          required("x", count_type, "where the town is"),
          required("y", count_type, "where the town is")};
}

json::object to_json(MapTown const& town) {
  return {{"x", town.field.x},
          {"y", town.field.y},
          {"user_id", town.user.str()},
          {"username", name_or_null(town.username)}};
}

std::vector<Field> map_fields() {
  return {required("x", count_type, "where the town is"), required("y", count_type, "where the town is"),
          required("user_id", type::user_id, "the player"),
          required("username", name_type, "the player's name; null for a ruin")};
}

json::object to_json(Fame const& fame) {
  return {{"world", fame.world.str()},
          {"started_at", to_rfc3339(fame.started_at)},
          {"won_at", to_rfc3339(fame.won_at)},
          {"user_id", fame.user_id.str()},
          {"username", name_or_null(fame.username)},
          {"coins", fame.coins},
          {"players", fame.players}};
}

std::vector<Field> fame_fields() {
  return {required("world", type::text(), "the world"),
          required("started_at", type::time, "when the world was created"),
          required("won_at", type::time, "when the winner reached the goal"),
          required("user_id", type::user_id, "the winner"),
          required("username", name_type, "the winner's name"),
          required("coins", count_type, "the winner's coins when the world stopped"),
          required("players", count_type, "how many towns the world had")};
}

json::object to_json(series::Summary const& point) {
  return {{"at", to_rfc3339(point.at)}, {"avg", point.average()}, {"min", point.min},
          {"max", point.max},           {"last", point.last},     {"count", point.count}};
}

std::vector<Field> point_fields() {
  return {required("at", type::time, "when this stretch of time begins"),
          required("avg", type::number, "the average of its updates"),
          required("min", count_type, "the least value"),
          required("max", count_type, "the greatest value"),
          required("last", count_type, "the last value"),
          required("count", type::integer(1), "how many updates there were")};
}

json::object to_json(Report const& report, std::string_view other_name) {
  auto const& data = report.data;
  auto const at = data.at("at").as_int64();
  return {{"id", report.id},
          {"at", to_rfc3339({at})},
          {"read", report.read},
          {"side", data.at("side")},
          {"other", {{"user_id", data.at("other")}, {"username", name_or_null(other_name)}}},
          {"from", {{"x", data.at("fromX")}, {"y", data.at("fromY")}}},
          {"to", {{"x", data.at("toX")}, {"y", data.at("toY")}}},
          {"thieves", data.at("thieves")},
          {"caught", data.at("caught")},
          {"guards", data.at("guards")},
          {"loot", data.at("loot")},
          {"seed", data.at("seed")}};
}

std::vector<Field> report_fields() {
  auto const place =
      type::object({required("x", count_type, "the field"), required("y", count_type, "the field")});
  return {required("id", type::text(), "the report"),
          required("at", type::time, "when the thieves arrived"),
          required("read", type::boolean, "whether the player has read it"),
          required("side", type::choice({"attacker", "target"}), "the side of the player"),
          required("other",
                   type::object({required("user_id", type::user_id, "the player"),
                                 required("username", name_type, "the name; null for a ruin")}),
                   "the player of the other side"),
          required("from", place, "the town of the thieves"),
          required("to", place, "the town that they robbed"),
          required("thieves", count_type, "how many arrived"),
          required("caught", count_type, "how many of them were caught"),
          required("guards", count_type, "how many guards were at home"),
          required("loot", count_type, "coins that were stolen"),
          required("seed", type::text(), "the seed from which each thief's luck was drawn")};
}

FieldType state_type() {
  auto const number = type::integer();
  auto const building = type::integer(0, 3);
  return type::object(
             {required("resources",
                       type::object({required("coins", count_type, "whole coins"),
                                     required("pizzas", count_type, "whole pizzas")}),
                       "what the town has"),
              required(
                  "lots",
                  type::map(type::object(
                      {required("building", building, "kitchen 0, shop 1, house 2, school 3"),
                       required("level", type::integer(1), "from 1"),
                       optional(
                           "tappedAt", number,
                           "the last tap, in Unix ms, as if the speed had always been the present one")})),
                  "the buildings, by lot"),
              required("population",
                       type::object({required("uneducated", count_type, "mice at home"),
                                     required("chefs", count_type, "mice at home"),
                                     required("salesmice", count_type, "mice at home"),
                                     required("guards", count_type, "mice at home"),
                                     required("thieves", count_type, "mice at home")}),
                       "the mice at home"),
              required("timestamp", number, "Unix seconds"),
              required("trainingQueue",
                       queue_type({required("completeAt", number, "Unix ms"),
                                   required("education", type::integer(0, 3),
                                            "chef 0, salesmouse 1, guard 2, thief 3"),
                                   required("amount", count_type, "how many mice")}),
                       "mice in training"),
              required("constructionQueue",
                       queue_type({required("completeAt", number, "Unix ms"),
                                   required("lotId", lot_type, "the lot"),
                                   required("building", building, "kitchen 0, shop 1, house 2, school 3"),
                                   required("level", type::integer(1), "the level that it will have"),
                                   required("razing", type::boolean, "whether it is torn down")}),
                       "what is being built, one after the other"),
              required("townX", count_type, "where the town is"),
              required("townY", count_type, "where the town is"),
              required("travelQueue",
                       queue_type({required("arrivalAt", number, "Unix ms"),
                                   required("destinationX", count_type, "the target"),
                                   required("destinationY", count_type, "the target"),
                                   required("returning", type::boolean, "whether they are on the way home"),
                                   required("thieves", count_type, "how many thieves"),
                                   required("coins", count_type, "their loot")}),
                       "thieves on their way")})
      .named("Town");
}

FieldType action_type() {
  auto const lot = required("lot", lot_type, "the lot");
  auto const amount = type::positive_amount;
  auto const coordinate = type::integer(0, tribes::coordinate_max);
  return type::one_of(
      {one_action("construct",
                  {lot, required("building", type::choice({building_names.begin(), building_names.end()}),
                                 "what to build")}),
       one_action("upgrade", {lot}), one_action("raze", {lot}), one_action("tap", {lot}),
       one_action("train",
                  {required("education", type::choice({education_names.begin(), education_names.end()}),
                            "what the mice learn"),
                   required("amount", amount, "how many mice")}),
       one_action("steal", {required("x", coordinate, "the field of the target"),
                            required("y", coordinate, "the field of the target"),
                            required("thieves", amount, "how many thieves go")}),
       one_action("cancel",
                  {required("queue", type::choice({tribes::queue_names.begin(), tribes::queue_names.end()}),
                            "the queue; a travel cannot be cancelled"),
                   required("index", count_type, "the element, from 0")})});
}

}  // namespace larder::api
