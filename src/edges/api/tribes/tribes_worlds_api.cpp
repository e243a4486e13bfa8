// Worlds: list, create, change, delete.
#include "edges/api/tribes/rules_type.hpp"
#include "edges/api/tribes/tribes_api.hpp"
#include "edges/api/tribes/tribes_json.hpp"

namespace larder::api {

namespace {

struct OneWorld {
  tribes::WorldId world;
};
struct NewWorld {
  tribes::WorldId id;
  std::int64_t speed = 1;
  tribes::RulesPtr rules;
};
struct ChangedWorld {
  tribes::WorldId world;
  tribes::WorldChange change;
};
struct NoInput {};

// Either complete rules, or none.
template <class T>
void read_rules(ObjectReader& in, T& out) {
  auto const* const given = in.optional_value("rules");
  if (!given) return;
  auto rules = tribes::parse_rules(json::serialize(*given));
  if (rules) {
    out = std::make_shared<tribes::Rules const>(std::move(*rules));
    return;
  }
  auto problem = std::move(rules.error());
  problem.field = problem.field.empty() ? "rules" : "rules." + problem.field;
  in.inner_problem(std::move(problem));
}

Field rules_field(std::string_view says) { return optional("rules", rules_type(), says); }

Schema<OneWorld> world_path() {
  return Schema<OneWorld>().path("world", world_kind, &OneWorld::world, world_says);
}

Schema<NewWorld> new_world() {
  static kind::Plain<tribes::WorldId> const new_world_kind{
      type::text(1, limits::world_chars_max).such_as("sprint")};
  return Schema<NewWorld>().body(
      ObjectSchema<NewWorld>()
          .required("id", new_world_kind, &NewWorld::id, "the id of the new world")
          .optional("speed", kind::integer(1, tribes::speed_max), &NewWorld::speed,
                    "how many times it is faster than the original game; 1 if absent")
          .field(rules_field("the rules, as GET .../rules shows them; those of the server if absent"),
                 [](ObjectReader& in, NewWorld& out) { read_rules(in, out.rules); }));
}

Schema<ChangedWorld> changed_world() {
  static constexpr std::array<std::string_view, 2> states = {"running", "closed"};
  return Schema<ChangedWorld>()
      .path("world", world_kind, &ChangedWorld::world, world_says)
      .body(ObjectSchema<ChangedWorld>()
                .optional(
                    "speed", kind::integer(1, tribes::speed_max),
                    [](ChangedWorld& out) -> auto& { return out.change.speed; },
                    "time that has passed stays passed")
                .field(optional("state", type::choice({states.begin(), states.end()}),
                                "a closed world stands still until it runs again"),
                       [](ObjectReader& in, ChangedWorld& out) {
                         if (auto const state = in.optional_choice("state", states)) {
                           out.change.state =
                               *state == 0 ? tribes::WorldState::running : tribes::WorldState::closed;
                         }
                       })
                .field(rules_field("new rules, which count from now on"),
                       [](ObjectReader& in, ChangedWorld& out) { read_rules(in, out.change.rules); }));
}

// A player also learns where they have a town. So a page need not ask for a town that does not exist.
Task<json::object> shown_to(TribesPart& part, Request const& request, tribes::WorldLine const& line) {
  auto shown = to_json(line);
  auto const player = UserId::from(request.caller->player_id);
  if (!player) co_return shown;
  auto const world = co_await part.tribes.open(line.id);
  shown["joined"] = world && (co_await part.tribes.check_joined(**world, *player)).has_value();
  co_return shown;
}

Answering get_worlds(TribesPart& part, NoInput, Request const& request) {
  json::array items;
  for (auto const& line : co_await part.tribes.worlds())
    items.push_back(co_await shown_to(part, request, line));
  co_return json_response({{"items", std::move(items)}});
}

Answering get_world(TribesPart& part, OneWorld asked, Request const& request) {
  CO_TRY(auto const world, co_await part.tribes.open_fresh(std::move(asked.world)));
  auto const line = co_await part.tribes.line_of(*world);
  co_return json_response(co_await shown_to(part, request, line));
}

Answering post_world(TribesPart& part, NewWorld asked) {
  if (asked.id.str() == "." || asked.id.str() == "..") {
    co_return invalid("id", "must not be . or .., because paths with them are shortened");
  }
  auto rules = asked.rules ? asked.rules : part.shared.rules;
  CO_TRY(auto const made, co_await part.worlds.create(std::move(asked.id), asked.speed, std::move(rules)));
  co_return json_response(to_json(made), 201);
}

Answering patch_world(TribesPart& part, ChangedWorld asked) {
  CO_TRY(auto const changed, co_await part.worlds.change(std::move(asked.world), std::move(asked.change)));
  co_return json_response(to_json(changed));
}

Answering delete_world(TribesPart& part, OneWorld asked) {
  CO_TRY_DO(co_await part.worlds.remove(std::move(asked.world)));
  co_return no_content();
}

Answering get_rules(TribesPart& part, OneWorld asked) {
  CO_TRY(auto const world, co_await part.tribes.open_fresh(std::move(asked.world)));
  auto const info = world->info();
  co_return json_response({{"speed", info->clock.speed}, {"rules", to_json(info->rules())}});
}

}  // namespace

std::span<Route const> tribes_world_routes() {
  namespace errors = tribes::errors;
  static Route const routes[] = {
      {Method::get,
       "/v1/tribes/worlds",
       Access::player_or(Scope::tribes),
       handle(Schema<NoInput>(), &get_worlds),
       {.id = "list_worlds",
        .summary = "Lists the worlds",
        .answer = {required("items", type::array(type::object(world_fields()).named("World")),
                            "all worlds, by id")}}},
      {Method::post,
       "/v1/tribes/worlds",
       Scope::admin,
       handle(new_world(), &post_world),
       {.id = "create_world",
        .summary = "Creates a world",
        .status = 201,
        .answer = world_fields(),
        .answer_name = "World",
        .refusals = {errors::world_exists, errors::world_lost, errors::world_needs_name}}},
      {Method::get,
       "/v1/tribes/worlds/{world}",
       Access::player_or(Scope::tribes),
       handle(world_path(), &get_world),
       {.id = "get_world",
        .summary = "Shows a world",
        .answer = world_fields(),
        .answer_name = "World",
        .refusals = {errors::world_not_found, errors::world_needs_name}}},
      {Method::patch,
       "/v1/tribes/worlds/{world}",
       Scope::admin,
       handle(changed_world(), &patch_world),
       {.id = "change_world",
        .summary = "Changes the speed or the rules of a world, closes it, or lets it run again",
        .answer = world_fields(),
        .answer_name = "World",
        .refusals = {errors::world_not_found, errors::world_needs_name, errors::world_over}}},
      {Method::delete_,
       "/v1/tribes/worlds/{world}",
       Scope::admin,
       handle(world_path(), &delete_world),
       {.id = "delete_world",
        .summary = "Deletes a world with all its towns; its events stay in the journal",
        .status = 204,
        .refusals = {errors::world_not_found, errors::world_needs_name}}},
      {Method::get,
       "/v1/tribes/worlds/{world}/rules",
       Access::player_or(Scope::tribes),
       handle(world_path(), &get_rules),
       {.id = "get_rules",
        .summary = "Shows the rules in use: buildings, educations, costs, times and speed",
        .answer = {required("speed", type::integer(1, tribes::speed_max), "the speed of the world"),
                   required("rules", rules_type().named("TribesRules"),
                            "the rules, in the form of a rules file")},
        .answer_name = "WorldRules",
        .refusals = {errors::world_not_found, errors::world_needs_name}}},
  };
  return routes;
}

}  // namespace larder::api
