#include "app/key_commands.hpp"

#include "base/number.hpp"
#include "base/settings.hpp"
#include "kit/accounts/service_key_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>

namespace larder {

namespace {

template <class T>
T value_or_fail(Result<T> result) {
  if (!result) throw SetupError(result.error().detail);
  return std::move(*result);
}

TimeMs time_or_fail(std::string_view option, std::string const& text) {
  auto const time = parse_rfc3339(text);
  if (!time) throw SetupError(fmt::format("{} must be a time such as 2026-12-31T00:00:00Z", option));
  return *time;
}

// Only the token goes to stdout, so that it can be written to a file.
void print_token(cli::Context& context, accounts::NewServiceKey const& made, std::string_view what) {
  fmt::print("{}\n", made.token);
  fmt::print(stderr, "{} key {} in {}; its token is not shown again\n", what, made.key.id,
             redact_url(context.config().sql_url()));
}

int create_key(cli::Context& context) {
  accounts::KeyTerms terms{.name = context.value("--name"),
                           .scopes = value_or_fail(ScopeSet::parse(context.value("--scope"))),
                           .realms = accounts::parse_realms(context.value("--realm")),
                           .read_only = !context.value("--read-only").empty()};
  if (auto const text = context.value("--expires"); !text.empty())
    terms.expires_at = time_or_fail("--expires", text);
  auto const made = value_or_fail(context.sql().write_now([&](sql::Session& session) {
    return accounts::create_service_key(session, terms, SystemClock{}.now());
  }));
  print_token(context, made, "created");
  return 0;
}

std::string limits_of(accounts::KeyTerms const& terms) {
  std::vector<std::string> words;
  if (terms.read_only) words.emplace_back("read-only");
  if (!terms.realms.empty()) words.push_back(fmt::format("realms:{}", fmt::join(terms.realms, ",")));
  return words.empty() ? "-" : fmt::format("{}", fmt::join(words, ";"));
}

std::string time_or_dash(std::optional<TimeMs> time) { return time ? to_rfc3339(*time) : "-"; }

int list_keys(cli::Context& context) {
  auto const keys = context.sql().read_now(accounts::list_service_keys);
  constexpr std::string_view row = "{:<18} {:<24} {:<32} {:<20} {:<24} {:<24} {:<24} {}\n";
  fmt::print(row, "ID", "NAME", "SCOPES", "LIMITS", "CREATED", "LAST USED", "EXPIRES", "REVOKED");
  for (auto const& key : keys) {
    fmt::print(row, key.id, key.terms.name, key.terms.scopes.text(), limits_of(key.terms),
               to_rfc3339(key.created_at), time_or_dash(key.last_used_at), time_or_dash(key.terms.expires_at),
               time_or_dash(key.revoked_at));
  }
  return 0;
}

int revoke_key(cli::Context& context) {
  auto const revoked = value_or_fail(context.sql().write_now([&](sql::Session& session) {
    return accounts::revoke_service_key(session, context.value("id"), SystemClock{}.now());
  }));
  fmt::print("key {} ({}) is revoked\n", revoked.id, revoked.terms.name);
  return 0;
}

int rotate_key(cli::Context& context) {
  auto overlap_s = limits::key_overlap_s;
  if (auto const text = context.value("--overlap"); !text.empty()) {
    auto const given = parse_int(text);
    if (!given || *given < 0 || *given > limits::key_overlap_s_max) {
      throw SetupError(
          fmt::format("--overlap must be a whole number of seconds from 0 to {}", limits::key_overlap_s_max));
    }
    overlap_s = *given;
  }
  auto const now = SystemClock{}.now();
  auto const made = value_or_fail(context.sql().write_now([&](sql::Session& session) {
    return accounts::rotate_service_key(session, context.value("id"), overlap_s, now);
  }));
  print_token(context, made, "rotated");
  if (auto const until = made.key.older_until(now)) {
    fmt::print(stderr, "the older token goes on until {}\n", to_rfc3339(*until));
  } else {
    fmt::print(stderr, "the older token does not open it any more\n");
  }
  return 0;
}

}  // namespace

std::vector<cli::Command> key_commands() {
  cli::Option const id{.name = "id", .help = "the id that `larder key list` shows", .required = true};
  return {
      {.name = "key",
       .summary = "Creates, lists, rotates and revokes service keys, the tokens of bots and back ends",
       .example = "larder key create --name bot --scope ledger"},
      {.name = "key create",
       .summary = "Creates a service key and prints its token, which is shown only once",
       .example = "larder key create --name bot --scope ledger,economy > bot.key",
       .options = {{.name = "--name", .help = "who uses the key", .required = true},
                   {.name = "--scope",
                    .help = fmt::format("its scopes, separated by commas: {}", fmt::join(scope_names, ", ")),
                    .required = true},
                   {.name = "--realm",
                    .help = "the only realms of the economy that it may touch; the scope must be economy"},
                   {.name = "--read-only", .help = "it may send only GET and HEAD", .flag = true},
                   {.name = "--expires", .help = "when it ends by itself, such as 2026-12-31T00:00:00Z"}},
       .run = create_key},
      {.name = "key list",
       .summary = "Lists the service keys without their tokens; LAST USED may be a minute old",
       .example = "larder key list --data /var/lib/larder",
       .run = list_keys},
      {.name = "key revoke",
       .summary = "Revokes a service key; within ten seconds every server refuses its tokens",
       .example = "larder key revoke 3f9c2a71b0de",
       .options = {id},
       .run = revoke_key},
      {.name = "key rotate",
       .summary = "Makes a new token for a service key and prints it; the older one goes on for a while",
       .example = "larder key rotate 3f9c2a71b0de --overlap 3600 > bot.key",
       .options = {id,
                   {.name = "--overlap",
                    .help = fmt::format("for how many seconds the older token goes on, 0 to {} (default: {})",
                                        limits::key_overlap_s_max, limits::key_overlap_s)}},
       .run = rotate_key}};
}

}  // namespace larder
