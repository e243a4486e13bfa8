#include "edges/api/accounts/accounts_api.hpp"

#include "edges/http/credentials.hpp"
#include "edges/http/problem.hpp"
#include "edges/http/rate_limit.hpp"
#include "kit/accounts/origin.hpp"

#include <fmt/format.h>

namespace larder::api {

namespace {

using accounts::PlayerName;
using accounts::SignedIn;

constexpr auto name_kind = kind::text(limits::username_chars_min, limits::username_chars_max);
constexpr auto new_password_kind = kind::text(limits::password_chars_min, limits::password_chars_max);
constexpr auto password_kind = kind::text(1, limits::password_chars_max);

constexpr std::string_view cookie_says =
    "true: also sets the token as the cookie larder_session, for web pages of this server";

// For a route that takes no values: even so, unknown parameters are refused.
struct Nothing {};

struct NameAndPassword {
  std::string username;
  std::string password;
  bool cookie = false;
};

Schema<NameAndPassword> sign_in_schema(kind::Text password, std::string_view name_says,
                                       std::string_view password_says) {
  return Schema<NameAndPassword>()
      .optional_query("cookie", kind::boolean, &NameAndPassword::cookie, cookie_says)
      .body(ObjectSchema<NameAndPassword>()
                .required("username", name_kind, &NameAndPassword::username, name_says)
                .required("password", password, &NameAndPassword::password, password_says));
}

struct PasswordChange {
  std::string password;
  std::string new_password;
};

Schema<PasswordChange> password_change_schema() {
  return Schema<PasswordChange>().body(
      ObjectSchema<PasswordChange>()
          .required("password", password_kind, &PasswordChange::password, "the present password")
          .required("new_password", new_password_kind, &PasswordChange::new_password, "the new password"));
}

struct Proof {
  std::string password;
};

Schema<Proof> proof_schema() {
  return Schema<Proof>().body(
      ObjectSchema<Proof>().required("password", password_kind, &Proof::password, "the present password"));
}

std::string cookie_text(Request const& request, std::string_view token, std::int64_t max_age_s) {
  return fmt::format("{}={}; Path=/; Max-Age={}; HttpOnly; SameSite=Strict{}", accounts::session_cookie,
                     token, max_age_s, is_local(request) ? "" : "; Secure");
}

bool has_cookie(Request const& request) {
  return !accounts::cookie_value(request.header("cookie"), accounts::session_cookie).empty();
}

// A page of another site must not make a browser keep the cookie of an account that the site has chosen.
Result<void> check_origin(Request const& request, bool sets_cookie) {
  if (sets_cookie && accounts::compare_origin(request.header("origin"), request.header("host")) ==
                         accounts::Origin::foreign) {
    return refuse(errors::forbidden, "a page of another origin may not get the cookie");
  }
  return {};
}

Response signed_in(Request const& request, SignedIn const& who, int status, bool cookie) {
  auto response = json_response({{"user_id", who.id.str()},
                                 {"username", who.username},
                                 {"token", who.token},
                                 {"expires_at", to_rfc3339(who.expires_at)}},
                                status);
  if (cookie) {
    response.headers.emplace_back("Set-Cookie", cookie_text(request, who.token, limits::session_ms / 1000));
  }
  return response;
}

// The session is over, so its cookie is of no use.
Response signed_out(Request const& request) {
  auto response = no_content();
  if (has_cookie(request)) response.headers.emplace_back("Set-Cookie", cookie_text(request, "", 0));
  return response;
}

UserId player_of(Request const& request) { return UserId::from(request.player).value(); }

Answering post_register(AccountsDesk& desk, NameAndPassword in, Request const& request) {
  CO_TRY(auto const name, PlayerName::parse(in.username));
  if (auto checked = accounts::check_password(in.password, name, "password"); !checked)
    co_return std::unexpected(std::move(checked.error()));
  if (auto checked = check_origin(request, in.cookie); !checked)
    co_return std::unexpected(std::move(checked.error()));
  CO_TRY(auto attempt, co_await desk.attempts.to_register(sender_of(request, desk.behind_proxy)));
  auto const made = co_await desk.accounts.sign_up(name, std::move(in.password));
  if (made) co_return signed_in(request, *made, 201, in.cookie);
  // A taken name counts as an attempt: otherwise this route would quickly reveal which names exist.
  if (made.error().code == errors::server_busy) co_await desk.attempts.forgive(std::move(attempt));
  co_return std::unexpected(made.error());
}

// Only a wrong name or password counts as a failure.
template <class T>
Task<void> settle(AccountsDesk& desk, Attempt attempt, Result<T> const& outcome) {
  if (outcome || outcome.error().code != errors::wrong_credentials) {
    co_await desk.attempts.forgive(std::move(attempt));
  }
}

Answering post_login(AccountsDesk& desk, NameAndPassword in, Request const& request) {
  if (auto checked = check_origin(request, in.cookie); !checked)
    co_return std::unexpected(std::move(checked.error()));
  CO_TRY(auto attempt, co_await desk.attempts.to_log_in(accounts::fold_name(in.username),
                                                        sender_of(request, desk.behind_proxy)));
  auto const outcome = co_await desk.accounts.log_in(std::move(in.username), std::move(in.password));
  co_await settle(desk, std::move(attempt), outcome);
  if (!outcome) co_return std::unexpected(outcome.error());
  co_return signed_in(request, *outcome, 200, in.cookie);
}

Answering post_logout(AccountsDesk& desk, Nothing, Request const& request) {
  if (!request.caller->session) {
    co_return refuse(errors::forbidden,
                     "a service key has no session; logout-everywhere ends those of a player");
  }
  co_await desk.accounts.log_out(*request.caller->session);
  co_return signed_out(request);
}

Answering post_logout_everywhere(AccountsDesk& desk, Nothing, Request const& request) {
  if (auto ended = co_await desk.accounts.log_out_everywhere(player_of(request)); !ended)
    co_return std::unexpected(std::move(ended.error()));
  co_return signed_out(request);
}

json::object user_json(accounts::Account const& account) {
  return {{"user_id", account.id.str()}, {"username", account.username}};
}

// An invalid token counts as no token. Only an outage or a foreign origin is refused.
Answering get_session(AccountsDesk& desk, Nothing, Request const& request) {
  auto const credentials = credentials_of(request);
  auto const nobody = [] { return json_response({{"user", nullptr}}); };
  if (!desk.tokens.recognises(credentials)) co_return nobody();
  auto const caller = co_await desk.tokens.authenticate(credentials);
  if (!caller && caller.error().code == errors::unauthorized) co_return nobody();
  if (!caller) co_return std::unexpected(caller.error());
  auto const account = co_await desk.accounts.find(UserId::from(caller->player_id).value());
  if (!account) co_return nobody();
  co_return json_response({{"user", user_json(*account)}});
}

Answering get_me(AccountsDesk& desk, Nothing, Request const& request) {
  CO_TRY(auto const account, co_await desk.accounts.find(player_of(request)));
  auto user = user_json(account);
  user["created_at"] = to_rfc3339(account.created_at);
  co_return json_response(user);
}

// A stolen token must not allow more guesses than the login does.
Task<Result<Attempt>> count_guess(AccountsDesk& desk, accounts::Account const& account,
                                  Request const& request) {
  return desk.attempts.to_log_in(accounts::fold_name(account.username),
                                 sender_of(request, desk.behind_proxy));
}

Answering patch_me(AccountsDesk& desk, PasswordChange in, Request const& request) {
  CO_TRY(auto const account, co_await desk.accounts.find(player_of(request)));
  CO_TRY(auto const name, PlayerName::parse(account.username));
  if (auto checked = accounts::check_password(in.new_password, name, "new_password"); !checked)
    co_return std::unexpected(std::move(checked.error()));
  CO_TRY(auto attempt, co_await count_guess(desk, account, request));
  auto const outcome =
      co_await desk.accounts.change_password(account, std::move(in.password), std::move(in.new_password));
  co_await settle(desk, std::move(attempt), outcome);
  if (!outcome) co_return std::unexpected(outcome.error());
  co_return signed_in(request, *outcome, 200, has_cookie(request));
}

Answering delete_me(AccountsDesk& desk, Proof in, Request const& request) {
  CO_TRY(auto const account, co_await desk.accounts.find(player_of(request)));
  CO_TRY(auto attempt, co_await count_guess(desk, account, request));
  auto const outcome = co_await desk.accounts.remove(account, std::move(in.password));
  co_await settle(desk, std::move(attempt), outcome);
  if (!outcome) co_return std::unexpected(outcome.error());
  co_return signed_out(request);
}

std::vector<Field> user_fields() {
  return {required("user_id", type::user_id, "the player's id, which never changes"),
          required("username", type::text(), "the name as the player wrote it")};
}

std::vector<Field> signed_in_fields() {
  auto fields = user_fields();
  fields.push_back(required("token", type::text(), "the player token: send it as Authorization: Bearer"));
  fields.push_back(required("expires_at", type::time, "when the session ends by itself"));
  return fields;
}

std::vector<Field> me_fields() {
  auto fields = user_fields();
  fields.push_back(required("created_at", type::time, "when the player registered"));
  return fields;
}

}  // namespace

std::span<Route const> accounts_routes() {
  static Route const routes[] = {
      {Method::post,
       "/v1/auth/register",
       Access::everyone(),
       handle(sign_in_schema(new_password_kind,
                             "letters, digits, _ and -, all of one script; compared without regard to case",
                             "must not contain the name"),
              &post_register),
       {.id = "register",
        .summary = "Creates a player's account and begins a session",
        .description = "An address may register 300 times in an hour. If the answer was lost, log in: the "
                       "account exists if the login succeeds.",
        .body_bytes_max = limits::sign_in_body_bytes_max,
        .status = 201,
        .answer = signed_in_fields(),
        .answer_name = "Session",
        .refusals = {errors::username_taken, errors::forbidden, errors::rate_limited, errors::server_busy,
                     errors::store_unavailable},
        .has_secrets = true}},
      {Method::post,
       "/v1/auth/login",
       Access::everyone(),
       handle(sign_in_schema(password_kind, "the name; case does not matter", "the password"), &post_login),
       {.id = "login",
        .summary = "Begins a session of 48 hours",
        .description = "An unknown name and a wrong password get the same answer. In 10 minutes, 10 attempts "
                       "may fail for a name and 100 from an address.",
        .body_bytes_max = limits::sign_in_body_bytes_max,
        .answer = signed_in_fields(),
        .answer_name = "Session",
        .refusals = {errors::wrong_credentials, errors::account_disabled, errors::forbidden,
                     errors::rate_limited, errors::server_busy, errors::store_unavailable},
        .has_secrets = true}},
      {Method::post,
       "/v1/auth/logout",
       Access::player(),
       handle(Schema<Nothing>(), &post_logout),
       {.id = "logout",
        .summary = "Ends the session of the token; every server refuses the token within a second",
        .status = 204,
        .has_secrets = true}},
      {Method::post,
       "/v1/auth/logout-everywhere",
       Access::player(),
       handle(Schema<Nothing>(), &post_logout_everywhere),
       {.id = "logout_everywhere",
        .summary = "Ends every session of the account",
        .status = 204,
        .refusals = {errors::account_not_found},
        .has_secrets = true}},
      {Method::get,
       "/v1/auth/session",
       Access::everyone(),
       handle(Schema<Nothing>(), &get_session),
       {.id = "get_session",
        .summary = "Tells a web page who is logged in",
        .description = "Without a valid player token, the user is null.",
        .answer = {required("user", type::object(user_fields()).named("User").or_null(),
                            "null: nobody is logged in")},
        .refusals = {errors::forbidden, errors::store_unavailable}}},
      {Method::get,
       "/v1/auth/me",
       Access::player(),
       handle(Schema<Nothing>(), &get_me),
       {.id = "get_me",
        .summary = "Shows the player's account",
        .answer = me_fields(),
        .answer_name = "PlayerAccount",
        .refusals = {errors::account_not_found}}},
      {Method::patch,
       "/v1/auth/me",
       Access::player(),
       handle(password_change_schema(), &patch_me),
       {.id = "change_password",
        .summary = "Changes the password, ends every session, and begins a new one",
        .description = "If the answer was lost, log in with the new password.",
        .answer = signed_in_fields(),
        .answer_name = "Session",
        .refusals = {errors::wrong_credentials, errors::account_not_found, errors::rate_limited,
                     errors::server_busy},
        .has_secrets = true}},
      {Method::delete_,
       "/v1/auth/me",
       Access::player(),
       handle(proof_schema(), &delete_me),
       {.id = "delete_account",
        .summary = "Deletes the account; the player's towns become ruins",
        .description =
            "The name is free again at once, and every session ends. In SQL, events of the tribes, "
            "standings and the hall of fame keep the name.",
        .status = 204,
        .refusals = {errors::wrong_credentials, errors::account_not_found, errors::rate_limited,
                     errors::server_busy},
        .has_secrets = true}},
  };
  return routes;
}

}  // namespace larder::api
