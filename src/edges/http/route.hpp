// One line per route: what it is, who may call it, what answers, and what the OpenAPI document says of it.
//
//   std::span<Route const> note_routes() {
//     static Route const routes[] = {
//         {Method::post, "/v1/notes/{uid}", Scope::messages, &post_note,
//          {.id = "post_note",
//           .summary = "Keeps a note",
//           .body = {required("text", type::text(1, 200), "what to keep"),
//                    optional("until", type::time, "forget it then")},
//           .status = 201,
//           .answer = {required("id", type::integer(1), "of the note")},
//           .refusals = {NoteErrc::too_many_notes}}},
//     };
//     return routes;
//   }
#pragma once

#include "base/limits.hpp"
#include "edges/http/handler.hpp"

#include <memory>
#include <span>

namespace larder::http {

// Who may call a route:
// - everyone: no token is needed
// - loopback: this machine only, unless the server is told otherwise
// - any_token: every valid token; the handler looks at its scopes
// - player: a player's own token, or a service key that says with `?player=` for whom it acts. The handler
// finds the
//   player in Request::player
// - a scope: a service key with that scope
class Access {
 public:
  enum class Kind { everyone, loopback, token, player, scope };
  static constexpr Scope bots_of_players = Scope::tribes;  // what a service key needs to act for a player

  constexpr Access(Scope scope) : kind_(Kind::scope), scope_(scope) {}  // NOLINT: reads well in a table
  static constexpr Access everyone() { return Access(Kind::everyone); }
  static constexpr Access loopback() { return Access(Kind::loopback); }
  static constexpr Access any_token() { return Access(Kind::token); }
  static constexpr Access player() { return Access(Kind::player); }

  constexpr Kind kind() const { return kind_; }
  constexpr Scope scope() const { return scope_; }
  constexpr bool needs_token() const { return kind_ == Kind::token || names_caller(); }
  // Whether the caller is known well enough to keep something for it, such as an Idempotency-Key.
  constexpr bool names_caller() const { return kind_ == Kind::player || kind_ == Kind::scope; }

 private:
  constexpr explicit Access(Kind kind) : kind_(kind) {}
  Kind kind_;
  Scope scope_ = Scope::admin;
};

struct Field;

// What a value may be. Made by the names in `type`.
struct FieldType {
  enum class Kind {
    text,
    amount,
    positive_amount,
    time,
    user_id,
    domain,
    order_id,
    integer,
    number,
    boolean,
    choice,
    object,
    map,
    array,
    one_of,
    any
  };
  Kind kind = Kind::any;
  std::int64_t min = 0;  // of an integer, the characters of a text, or the elements of an array
  std::int64_t max = 0;
  std::vector<std::string_view> choices = {};
  std::shared_ptr<std::vector<Field> const> members = {};  // of an object
  std::shared_ptr<FieldType const> element = {};           // of an array or a map
  std::vector<FieldType> options = {};                     // of a one_of
  bool nullable = false;

  // The same, or null.
  FieldType or_null() const;
};

struct Field {
  std::string_view name;
  FieldType type;
  std::string_view description;
  bool required = true;
};

inline FieldType FieldType::or_null() const {
  FieldType copy = *this;
  copy.nullable = true;
  return copy;
}

inline Field required(std::string_view name, FieldType type, std::string_view description) {
  return {name, std::move(type), description, true};
}
inline Field optional(std::string_view name, FieldType type, std::string_view description) {
  return {name, std::move(type), description, false};
}

namespace type {
inline FieldType const amount{.kind = FieldType::Kind::amount};
inline FieldType const positive_amount{.kind = FieldType::Kind::positive_amount};
inline FieldType const time{.kind = FieldType::Kind::time};
inline FieldType const user_id{.kind = FieldType::Kind::user_id};
inline FieldType const domain{.kind = FieldType::Kind::domain};
inline FieldType const order_id{.kind = FieldType::Kind::order_id};
inline FieldType const boolean{.kind = FieldType::Kind::boolean};
inline FieldType const number{.kind = FieldType::Kind::number};
inline FieldType const any{.kind = FieldType::Kind::any};

inline FieldType text(std::int64_t chars_min, std::int64_t chars_max) {
  return {.kind = FieldType::Kind::text, .min = chars_min, .max = chars_max};
}
inline FieldType text(std::int64_t chars_max) { return text(0, chars_max); }
inline FieldType text() { return text(0, 0); }  // of any length
inline FieldType integer(std::int64_t min = -limits::amount_max, std::int64_t max = limits::amount_max) {
  return {.kind = FieldType::Kind::integer, .min = min, .max = max};
}
inline FieldType choice(std::vector<std::string_view> choices) {
  return {.kind = FieldType::Kind::choice, .choices = std::move(choices)};
}
inline FieldType object(std::vector<Field> members) {
  return {.kind = FieldType::Kind::object,
          .members = std::make_shared<std::vector<Field> const>(std::move(members))};
}
// Any names, values of one type: {"apple": 3}.
inline FieldType map(FieldType value) {
  return {.kind = FieldType::Kind::map, .element = std::make_shared<FieldType const>(std::move(value))};
}
// With `min` to `max` elements; 0: any number.
inline FieldType array(FieldType element, std::int64_t min = 0, std::int64_t max = 0) {
  return {.kind = FieldType::Kind::array,
          .min = min,
          .max = max,
          .element = std::make_shared<FieldType const>(std::move(element))};
}
// Exactly one of these.
inline FieldType one_of(std::vector<FieldType> options) {
  return {.kind = FieldType::Kind::one_of, .options = std::move(options)};
}
}  // namespace type

struct RouteDoc {
  std::string_view id;       // operationId: unique, snake_case
  std::string_view summary;  // one line
  std::string_view description = {};
  std::vector<Field> path = {};   // only where the name does not tell: uid, domain, order_id are known
  std::vector<Field> query = {};  // of a list: without limit and cursor
  std::vector<Field> headers = {};
  std::vector<Field> body = {};
  std::optional<FieldType> body_type = {};              // instead of `body`, for a body that is not an object
  std::size_t body_bytes_max = limits::body_bytes_max;  // may be more, such as limits::bulk_body_bytes_max
  bool ndjson = false;  // the body may also be application/x-ndjson: see ndjson.hpp
  int status = 200;
  std::optional<int> other_status = {};  // of a success, too, with the same answer
  std::vector<Field> answer = {};        // of a list: the fields of one item
  std::optional<FieldType> answer_type = {};
  bool list = false;  // answers {"items": [...], "next_cursor": ...} and takes limit and cursor
  std::string_view media = "application/json";  // of the answer
  std::vector<ErrorCode> refusals = {};         // its own; those that any route may give are known
  bool retried_by_order = false;                // its order id makes a retry safe: no Idempotency-Key
  bool keeps_key = false;  // the handler keeps the answer for the Idempotency-Key itself, with what it does

  bool takes_body() const { return !body.empty() || body_type.has_value(); }
};

struct Route {
  Method method;
  std::string_view path;
  Access access;
  Handler handler;
  RouteDoc doc;
};

// What one system adds to the HTTP interface.
struct Api {
  std::vector<std::span<Route const>> tables;  // arrays that live as long as the program
  std::vector<Field> path_words = {};          // what a `{name}` in a path means, unless its route says so
  std::vector<Field> problem_members =
      {};  // what its refusals tell beyond the members that all problems have
};

}  // namespace larder::http
