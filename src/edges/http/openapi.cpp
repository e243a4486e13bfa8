#include "edges/http/openapi.hpp"

#include "base/ids.hpp"
#include "edges/http/bodies.hpp"
#include "edges/http/idempotency.hpp"
#include "edges/http/json_schema.hpp"
#include "edges/http/problem.hpp"
#include "edges/http/query.hpp"
#include "edges/http/rate_limit.hpp"
#include "edges/http/web_socket.hpp"

#include <fmt/format.h>

#include <map>
#include <ranges>

namespace larder::http {

namespace {

// An answer may get new members later; a body that is read by a schema must not have unknown members.
json::object body_schema(Route const& route) {
  if (route.doc.body_type) return schema_of(*route.doc.body_type);
  auto schema = object_schema(route.input().body);
  make_strict(schema);
  return schema;
}

std::string access_text(Access access) {
  switch (access.kind()) {
    case Access::Kind::everyone: return "no token";
    case Access::Kind::loopback: return "no token, but only from this machine, unless metrics_public is set";
    case Access::Kind::token: return "any token";
    case Access::Kind::player:
      return fmt::format("a player token, or a service key with the scope {} and ?player=<user id>",
                         scope_name(Access::bots_of_players));
    case Access::Kind::player_or_scope:
      return fmt::format("a player token, or a service key with the scope {}", scope_name(access.scope()));
    case Access::Kind::scope:
      return fmt::format("a service key with the scope {}", scope_name(access.scope()));
  }
  return {};
}

json::object answer_schema(Route const& route) {
  auto const& doc = route.doc;
  auto const item = doc.answer_type ? *doc.answer_type : type::object(doc.answer).named(doc.answer_name);
  if (!route.input().list) return schema_of(item);
  return schema_of(type::object({required("items", type::array(item), "the items of this page"),
                                 required("next_cursor", type::text().or_null(),
                                          "the cursor of the next page; null: this is the last page")}));
}

json::object content(std::string_view media, json::object schema) {
  return {{media, json::object{{"schema", std::move(schema)}}}};
}

json::object parameter(std::string_view in, Field const& field) {
  return {{"name", field.name},
          {"in", in},
          {"required", field.required},
          {"description", field.description},
          {"schema", schema_of(field.type)}};
}

std::vector<std::string_view> path_names(std::string_view path) {
  std::vector<std::string_view> names;
  for (auto open = path.find('{'); open != std::string_view::npos; open = path.find('{', open + 1)) {
    names.push_back(path.substr(open + 1, path.find_first_of(".}", open) - open - 1));
  }
  return names;
}

// OpenAPI has no notation for `{name...}`.
std::string template_of(std::string_view path) {
  std::string text(path);
  if (text.ends_with("...}")) text.erase(text.size() - 4, 3);
  return text;
}

json::array parameters(Api const& system, Route const& route) {
  json::array all;
  for (auto const name : path_names(route.path))
    all.push_back(parameter("path", path_field(system, route, name)));
  for (auto const& field : route.input().query) all.push_back(parameter("query", field));
  if (route.input().list) {
    all.push_back(parameter("query", optional("limit", type::integer(1, limits::page_max),
                                              "how many items at most; 50 if absent")));
    all.push_back(parameter("query", optional("cursor", type::text(1, limits::cursor_chars_max),
                                              "next_cursor of the page before this one")));
  }
  if (route.access.kind() == Access::Kind::player) {
    all.push_back(parameter("query", optional(player_parameter, type::user_id,
                                              "a service key names the player for whom it acts")));
  }
  for (auto const& field : route.doc.headers) all.push_back(parameter("header", field));
  if (takes_idempotency_key(route)) {
    all.push_back(
        parameter("header", optional(idempotency_header, type::text(1, limits::idempotency_key_chars_max),
                                     "for 24 hours, the same key with the same request gets the same answer, "
                                     "and nothing happens twice")));
  }
  return all;
}

// The route's own refusals, and the refusals that follow from its input and access.
std::map<int, std::vector<std::string_view>> refusals(Route const& route) {
  std::map<int, std::vector<std::string_view>> by_status;
  auto const add = [&](ErrorCode code) {
    auto& codes = by_status[status_of(code.kind)];
    if (std::ranges::find(codes, code.name) == codes.end()) codes.push_back(code.name);
  };
  bool const reads = route.takes_body() || route.access.kind() == Access::Kind::player ||
                     route.input().list || !route.input().query.empty() || !route.doc.headers.empty() ||
                     route.path.find('{') != std::string_view::npos;
  if (reads) add(errors::invalid_request);
  add(errors::too_many_connections);
  if (route.access.needs_token()) {
    add(errors::unauthorized);
    add(errors::clock_off);
    add(errors::store_unavailable);
  }
  if (route.access.kind() != Access::Kind::everyone) add(errors::forbidden);
  if (is_rate_limited(route)) add(errors::rate_limited);
  if (route.takes_body()) {
    add(errors::body_too_large);
    add(errors::unsupported_media_type);
    add(errors::server_busy);
  }
  if (takes_idempotency_key(route)) {
    // If the script that does the work also stores the key, a request cannot meet a key
    // that is still in progress.
    if (!route.doc.keeps_key) add(errors::in_progress);
    add(errors::idempotency_conflict);
  }
  if (route.doc.status == 101) {
    for (auto const& code : {errors::invalid_request, errors::forbidden, errors::upgrade_required}) add(code);
  }
  for (auto const& code : route.doc.refusals) add(code);
  add(errors::internal_error);
  return by_status;
}

json::object header_reference(std::string_view name) {
  return {{"$ref", fmt::format("#/components/headers/{}", name)}};
}

constexpr std::string_view replayed_name = "Idempotency-Replayed";

json::object rate_headers() {
  return {{"Retry-After", header_reference("Retry-After")},
          {rate_policy_header, header_reference(rate_policy_header)},
          {rate_limit_header, header_reference(rate_limit_header)}};
}

// Two systems may use one name for different things.
json::object either(json::object one, json::object other) {
  auto const take_description = [](json::object& schema) {
    auto text = json::value_to<std::string>(schema.at("description"));
    schema.erase("description");
    return text;
  };
  auto text = take_description(one);
  if (auto const other_text = take_description(other); other_text != text) text += "; " + other_text;
  json::object both = one == other ? std::move(one) : json::object{{"anyOf", json::array{one, other}}};
  both["description"] = text;
  return both;
}

// The members that any problem may have. `names` are those that a system cannot use for something else.
struct ProblemMembers {
  json::object schema;
  std::vector<std::string> names;
};

ProblemMembers problem_members(std::vector<Api> const& systems) {
  std::vector<Field> const fields{
      required("type", type::text(), "always about:blank"),
      required("title", type::text(), "the name of the status"),
      required("status", type::integer(400, 599), "the HTTP status"),
      required("detail", type::text(), "one sentence for a person"),
      required("code", type::text(), "the stable name of the refusal, for programs"),
      optional("field", type::text(), "the field that was refused"),
      required("request_id", type::text(), "the id of this request in the server's log"),
      optional("retry_after_s", type::integer(0), "seconds to wait; also in the header Retry-After"),
      optional("outcome_unknown", type::boolean,
               "store_unavailable, clock_off: whether the request may have taken effect"),
  };
  ProblemMembers problem{.schema = object_schema(fields), .names = {}};
  auto& properties = problem.schema.at("properties").as_object();
  for (auto const& system : systems) {
    for (auto const& member : system.problem_members) {
      auto schema = object_schema({member}).at("properties").at(member.name).as_object();
      auto const [found, is_new] = properties.emplace(member.name, schema);
      if (!is_new) found->value() = either(found->value().as_object(), std::move(schema));
    }
  }
  for (auto const& property : properties) problem.names.emplace_back(property.key());
  return problem;
}

json::object replayed_header() { return {{replayed_name, header_reference(replayed_name)}}; }

json::object responses(Route const& route, ProblemMembers const& problem) {
  json::object all;
  auto const add_success = [&](int status) {
    json::object good{{"description", title_of(status)}};
    if (status != 204 && status != 101) {
      bool const is_json = route.doc.media == "application/json";
      good["content"] = content(route.doc.media, is_json ? answer_schema(route) : schema_of(type::text()));
    }
    if (takes_idempotency_key(route)) good["headers"] = replayed_header();
    all[fmt::to_string(status)] = std::move(good);
  };
  add_success(route.doc.status);
  if (route.doc.other_status) add_success(*route.doc.other_status);
  for (auto const& [status, codes] : refusals(route)) {
    json::object members;
    if (status == status_of(ErrorKind::conflict) && route.doc.retried_by_order) {
      // A remembered refusal has the fields of the request and of a successful answer. Members that every
      // problem may have keep their usual meaning.
      for (auto const* const fields : {&route.input().body, &route.doc.answer}) {
        for (auto& member : object_schema(*fields).at("properties").as_object()) members.insert(member);
      }
      for (auto const& name : problem.names) members.erase(name);
    }
    members["code"] = {{"enum", json::array(codes.begin(), codes.end())}};
    json::object schema{{"allOf", json::array{reference("Problem")}}, {"properties", std::move(members)}};
    json::object refusal{{"description", fmt::format("{}: {}", title_of(status), fmt::join(codes, ", "))},
                         {"content", content("application/problem+json", std::move(schema))}};
    if (status == status_of(errors::rate_limited.kind)) {
      refusal["headers"] = is_rate_limited(route)
                               ? rate_headers()
                               : json::object{{"Retry-After", header_reference("Retry-After")}};
    }
    if (status == status_of(ErrorKind::conflict) && takes_idempotency_key(route)) {
      refusal["headers"] = replayed_header();
      if (!route.doc.keeps_key)
        refusal["headers"].get_object().emplace("Retry-After", header_reference("Retry-After"));
    }
    all[fmt::to_string(status)] = std::move(refusal);
  }
  return all;
}

// "/v1/ledger/entries" -> "ledger"
std::string tag_of(std::string_view path) {
  if (!path.starts_with("/v1/")) return "operation";
  path.remove_prefix(4);
  return std::string(path.substr(0, path.find('/')));
}

json::object operation(Api const& system, Route const& route, ProblemMembers const& problem) {
  json::object out{{"operationId", route.doc.id},
                   {"summary", route.doc.summary},
                   {"tags", json::array{json::string(tag_of(route.path))}}};
  out["description"] = fmt::format("{}{}Needs {}.", route.doc.description,
                                   route.doc.description.empty() ? "" : " ", access_text(route.access));
  if (auto all = parameters(system, route); !all.empty()) out["parameters"] = std::move(all);
  if (route.takes_body()) {
    bool const needed = route.method == Method::patch || route.doc.body_type ||
                        std::ranges::any_of(route.input().body, &Field::required);
    json::object body{{"required", needed}, {"content", content("application/json", body_schema(route))}};
    if (route.doc.ndjson) {
      body["content"].get_object()["application/x-ndjson"] = {
          {"schema", {{"type", "string"}, {"description", "the elements of the array, one per line"}}}};
    }
    if (route.doc.body_bytes_max != limits::body_bytes_max) {
      body["description"] = fmt::format("up to {}", size_text(route.doc.body_bytes_max));
    }
    out["requestBody"] = std::move(body);
  }
  out["responses"] = responses(route, problem);
  out["x-access"] = access_text(route.access);
  if (route.access.needs_token()) {
    out["security"] = json::array{json::object{{"bearer", json::array{}}}};
  } else {
    out["security"] = json::array{};
  }
  return out;
}

template <class IdType>
json::object id_schema(std::string_view description) {
  return {{"type", "string"}, {"pattern", IdType::pattern()}, {"description", description}};
}

json::object amount_schema(std::int64_t min) {
  return {{"type", "integer"}, {"minimum", min}, {"maximum", limits::amount_max}};
}

json::object schemas(ProblemMembers const& problem) {
  return {
      {"UserId", id_schema<UserId>("a user")},
      {"Domain", id_schema<Domain>("a subdivision of a score type, such as a season or a guild")},
      {"OrderId", id_schema<OrderId>("an order of a user: the same id is the same order")},
      {"Amount", amount_schema(0)},
      {"PositiveAmount", amount_schema(1)},
      {"Time",
       {{"type", "string"},
        {"format", "date-time"},
        {"description", "RFC 3339; answers use UTC with milliseconds"},
        {"examples", {"2026-01-31T12:00:00.000Z"}}}},
      {"Problem", problem.schema},
  };
}

json::array tags(std::vector<Api> const& systems) {
  json::array all;
  for (auto const& system : systems) {
    for (auto const& [name, description] : system.tags) {
      all.push_back({{"name", name}, {"description", description}});
    }
  }
  return all;
}

json::object headers() {
  auto const header = [](std::string_view description, std::string_view example) {
    return json::object{{"description", description}, {"schema", {{"type", "string"}}}, {"example", example}};
  };
  return {{"Retry-After", header("seconds to wait; also in retry_after_s of the body", "1")},
          {replayed_name,
           header("true: this is the answer to an earlier request with the same Idempotency-Key", "true")},
          {rate_policy_header, header("how many requests (q) a caller may make to a route in how many "
                                      "seconds (w); on every answer, if server.rate_tokens is set",
                                      R"("requests";q=100;w=60)")},
          {rate_limit_header,
           header("how many requests are left (r), and in how many seconds all requests are available again "
                  "(t); if this request was refused, t is the time until the next one",
                  R"("requests";r=0;t=1)")}};
}

}  // namespace

Field path_field(Api const& system, Route const& route, std::string_view name) {
  auto const own = std::ranges::find(route.input().path, name, &Field::name);
  if (own != route.input().path.end()) return *own;
  auto const word = std::ranges::find(system.path_words, name, &Field::name);
  if (word != system.path_words.end()) return *word;
  return required(name, type::text(), name);
}

json::object make_openapi(std::vector<Api> const& systems, ApiInfo const& info) {
  auto const problem = problem_members(systems);
  json::object paths;
  for (auto const& system : systems) {
    for (auto const& route : system.tables | std::views::join) {
      auto& path = paths[template_of(route.path)];
      if (!path.is_object()) path.emplace_object();
      std::string method(method_name(route.method));
      std::ranges::transform(method, method.begin(), [](char c) { return char(c - 'A' + 'a'); });
      path.get_object()[method] = operation(system, route, problem);
    }
  }
  auto components = schemas(problem);
  json::value named = std::move(paths);
  move_named(named, components);
  return {{"openapi", "3.1.0"},
          {"info",
           {{"title", info.title},
            {"version", info.version},
            {"description", info.description},
            {"contact", {{"name", info.title}}},
            {"license",
             {{"name", "Apache License 2.0"}, {"url", "https://www.apache.org/licenses/LICENSE-2.0"}}}}},
          {"servers", json::array{{{"url", "/"}, {"description", "the server that sent this document"}}}},
          {"tags", tags(systems)},
          {"paths", std::move(named)},
          {"components",
           {{"schemas", std::move(components)},
            {"headers", headers()},
            {"securitySchemes",
             {{"bearer",
               {{"type", "http"},
                {"scheme", "bearer"},
                {"description", "either a service key or a player token"}}}}}}}};
}

}  // namespace larder::http
