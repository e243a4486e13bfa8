#include "kit/accounts/account_store.hpp"

#include "base/number.hpp"
#include "kit/accounts/accounts_scripts.hpp"
#include "kit/accounts/player_ids.hpp"

namespace larder::accounts {

namespace {

constexpr std::int64_t no_account = 0;
constexpr std::int64_t other_hash = -1;

Result<std::int64_t> generation_of(std::int64_t answer) {
  if (answer == no_account) return refuse(errors::account_not_found, "there is no such account");
  if (answer == other_hash) return refuse(errors::wrong_credentials, "the password has just been changed");
  return answer;
}

// Nothing if the key does not exist. Other programs may have written a hash with fewer fields.
std::optional<Account> read_account(redis::Reply const& reply) {
  auto const text = [&](std::size_t index) { return reply.at(index).optional_text().value_or(""); };
  auto const number = [&](std::size_t index) { return parse_int(text(index)).value_or(0); };
  auto const id = UserId::from(text(0));
  if (!id) return std::nullopt;
  return Account{.id = *id,
                 .username = text(1),
                 .hashed_password = text(2),
                 .generation = number(3),
                 .disabled = text(4) == "1",
                 .created_at = {number(5)}};
}

}  // namespace

Task<std::optional<Account>> AccountStore::find(UserId id) {
  auto const key = keys_.user(id);
  auto const reply = co_await redis_.command(
      redis::Use::read, key,
      {"HMGET", key, "id", "username", "hashed_password", "generation", "disabled", "created_at"});
  co_return read_account(reply);
}

Task<std::optional<Account>> AccountStore::find_by_name(std::string name_key) {
  auto const key = keys_.username(name_key);
  auto const reply = co_await redis_.command(redis::Use::read, key, {"GET", key});
  static UserId const nobody = UserId::from("nobody").value();
  co_return co_await find(UserId::from(reply.optional_text().value_or("")).value_or(nobody));
}

Task<bool> AccountStore::has(Account account) {
  auto const found = co_await find(account.id);
  if (!found || found->id != account.id || found->generation < account.generation) co_return false;
  auto const owner = co_await find_by_name(fold_name(account.username));
  co_return owner && owner->id == account.id;
}

Task<bool> AccountStore::is_taken(std::string name_key) {
  auto const key = keys_.username(name_key);
  auto const reply = co_await redis_.command(redis::Use::read, key, {"EXISTS", key});
  co_return reply.integer() == 1;
}

Task<redis::Reply> AccountStore::change(redis::ScriptCall call) {
  auto reply = co_await redis_.run(redis::Use::idempotent_write, std::move(call));
  if (on_event_) on_event_();
  co_return reply;
}

Task<Result<void>> AccountStore::add(Account account, std::string name_key) {
  auto const reply = co_await change(scripts::register_account(keys_, account, name_key));
  if (reply.integer() == 1) co_return Result<void>();
  co_return refuse(errors::username_taken, "another player has this name");
}

Task<Result<std::int64_t>> AccountStore::set_password(UserId id, std::string hash, std::string expected,
                                                      TimeMs now) {
  auto const reply = co_await change(scripts::set_password(keys_, id, hash, expected, now));
  co_return generation_of(reply.integer());
}

Task<Result<std::int64_t>> AccountStore::set_disabled(UserId id, bool disabled, TimeMs now) {
  auto const reply = co_await change(scripts::set_disabled(keys_, id, disabled, now));
  co_return generation_of(reply.integer());
}

Task<Result<std::int64_t>> AccountStore::end_sessions(UserId id) {
  auto const reply = co_await redis_.run(redis::Use::idempotent_write, scripts::end_sessions(keys_, id));
  co_return generation_of(reply.integer());
}

Task<void> AccountStore::end_session(std::string session_id) {
  co_await redis_.run(redis::Use::idempotent_write, scripts::revoke_session(session_id));
}

Task<void> AccountStore::schedule_deletion(UserId id, TimeMs now) {
  auto const key = AccountKeys::deletions();
  co_await redis_.command(redis::Use::idempotent_write, key,
                          {"ZADD", key, fmt::to_string(now.value), id.str()});
}

Task<std::int64_t> AccountStore::raise_generation(UserId id, std::int64_t at_least) {
  auto const reply =
      co_await redis_.run(redis::Use::idempotent_write, scripts::raise_generation(keys_, id, at_least));
  co_return reply.integer();
}

Task<Result<std::int64_t>> AccountStore::remove(Account account, std::string expected, TimeMs now) {
  auto const reply = co_await change(scripts::delete_account(keys_, account, expected, now));
  if (reply.integer() == no_account && reply.repeated()) co_return account.generation + 1;
  co_return generation_of(reply.integer());
}

}  // namespace larder::accounts
