// One line per route: its method and path, who may call it, its handler, and its text in the OpenAPI
// document.
//
//   std::span<Route const> note_routes() {
//     static Route const routes[] = {
//         {Method::post, "/v1/notes/{uid}", Scope::messages, handle(new_note(), &post_note),
//          {.id = "post_note",
//           .summary = "Keeps a note",
//           .status = 201,
//           .answer = {required("id", type::integer(1), "of the note")},
//           .refusals = {errors::too_many_notes}}},
//     };
//     return routes;
//   }
//
// A schema (schema.hpp) describes the content of the request.
#pragma once

#include "edges/http/field.hpp"
#include "edges/http/handler.hpp"

#include <optional>
#include <span>

namespace larder::http {

// Only routes with this `{name}` in the path are open to service keys that are limited to some realms.
inline constexpr std::string_view realm_parameter = "realm";

// Who may call a route:
// - everyone: no token is needed
// - loopback: only this machine, unless the setting metrics_public opens these routes
// - any_token: every valid token; the handler checks the scopes
// - player: a player's own token, or a service key that says with `?player=` for whom it acts. The handler
//   finds the player in Request::player
// - player_or a scope: any player's token, or a service key with that scope
// - a scope: a service key with that scope
class Access {
 public:
  enum class Kind { everyone, loopback, token, player, player_or_scope, scope };
  static constexpr Scope bots_of_players = Scope::tribes;  // a service key needs it to act for a player

  constexpr Access(Scope scope) : kind_(Kind::scope), scope_(scope) {}  // NOLINT: reads well in a table
  static constexpr Access everyone() { return Access(Kind::everyone); }
  static constexpr Access loopback() { return Access(Kind::loopback); }
  static constexpr Access any_token() { return Access(Kind::token); }
  static constexpr Access player() { return Access(Kind::player); }
  static constexpr Access player_or(Scope scope) { return {Kind::player_or_scope, scope}; }

  constexpr Kind kind() const { return kind_; }
  constexpr Scope scope() const { return scope_; }
  constexpr bool needs_token() const { return kind_ == Kind::token || names_caller(); }
  // Whether the caller is known well enough to store something for it, such as an Idempotency-Key.
  constexpr bool names_caller() const {
    return kind_ == Kind::player || kind_ == Kind::player_or_scope || kind_ == Kind::scope;
  }

 private:
  constexpr explicit Access(Kind kind) : kind_(kind) {}
  constexpr Access(Kind kind, Scope scope) : kind_(kind), scope_(scope) {}
  Kind kind_;
  Scope scope_ = Scope::admin;
};

struct RouteDoc {
  std::string_view id;       // operationId: unique, snake_case
  std::string_view summary;  // one line
  std::string_view description = {};
  std::vector<Field> headers = {};
  std::optional<FieldType> body_type = {};  // for a body that is not an object, without a schema
  std::size_t body_bytes_max = limits::body_bytes_max;
  bool ndjson = false;  // the body may also be application/x-ndjson: see ndjson.hpp
  int status = 200;
  std::optional<int> other_status = {};  // another status of a success, with the same answer
  std::vector<Field> answer = {};        // of a list: the fields of one item
  std::string_view answer_name = {};     // the name of that object in the OpenAPI document
  std::optional<FieldType> answer_type = {};
  std::string_view media = "application/json";  // of the answer
  std::vector<ErrorCode> refusals = {};         // of this route; refusals of all routes are added
  bool retried_by_order = false;  // the order id makes a retry safe, so there is no Idempotency-Key
  bool repeatable = false;        // a repetition changes nothing, so there is no Idempotency-Key
  bool keeps_key = false;         // the handler stores the answer for the Idempotency-Key itself
  bool has_secrets =
      false;  // in the request or the answer: nothing is stored, so there is no Idempotency-Key
};

struct Route {
  Method method;
  std::string_view path;
  Access access;
  Handler handler;
  RouteDoc doc;

  // What the request contains, according to the schema of the handler.
  Input const& input() const { return handler.input(); }
  bool takes_body() const { return !input().body.empty() || doc.body_type.has_value(); }
};

// A group of routes in the OpenAPI document: those whose path begins with /v1/<name>.
struct Tag {
  std::string_view name;
  std::string_view description;
};

// What one system adds to the HTTP interface.
struct Api {
  std::vector<std::span<Route const>> tables;  // arrays that live as long as the program
  std::vector<Field> path_words = {};  // meaning of a `{name}` in a path, unless the route describes it
  // Members that the system's problems have beyond those of all problems.
  std::vector<Field> problem_members = {};
  std::vector<Tag> tags = {};
};

}  // namespace larder::http
