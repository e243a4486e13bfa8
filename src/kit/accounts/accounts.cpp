#include "kit/accounts/accounts.hpp"

#include "base/random.hpp"
#include "base/try.hpp"
#include "kit/accounts/player_ids.hpp"

namespace larder::accounts {

namespace {

constexpr std::size_t session_id_bytes = 12;

constexpr std::string_view wrong_password = "the password is wrong";

std::unexpected<Error> taken() { return refuse(errors::username_taken, "another player has this name"); }

}  // namespace

// If this server knows of ended sessions that Redis does not know, Redis is an older copy of itself. A
// session of the generation that Redis has would be over at once, and the next change of the account would
// not end it.
Task<SignedIn> Accounts::begin_session(Account account) {
  auto const oldest = shared_.revocations.oldest_generation(account.id.str());
  if (account.generation < oldest)
    account.generation = std::max(oldest, co_await store_.raise_generation(account.id, oldest));
  auto const whole_s = [](TimeMs time) { return TimeMs{time.value / 1000 * 1000}; };
  SessionClaims const claims{.player = account.id,
                             .session = {.id = random_hex(session_id_bytes),
                                         .generation = account.generation,
                                         .expires_at = whole_s(shared_.clock.now() + limits::session_ms)}};
  co_return SignedIn{.id = account.id,
                     .username = account.username,
                     .token = shared_.session_keys.sign(claims),
                     .expires_at = claims.session.expires_at};
}

Task<Result<void>> Accounts::check(std::string hash, std::string password, std::string_view refusal) {
  CO_TRY(auto const matches, co_await shared_.passwords.matches(std::move(hash), std::move(password)));
  if (matches) co_return Result<void>();
  co_return refuse(errors::wrong_credentials, std::string(refusal));
}

Task<Result<SignedIn>> Accounts::sign_up(PlayerName name, std::string password) {
  // Saves the work of hashing. The script decides.
  if (co_await store_.is_taken(name.key())) co_return taken();
  CO_TRY(auto hash, co_await shared_.passwords.hash(std::move(password)));
  auto const now = shared_.clock.now();
  Account const account{.id = new_player_id(now),
                        .username = name.text(),
                        .hashed_password = std::move(hash),
                        .created_at = now};
  if (auto added = co_await store_.add(account, name.key()); !added) {
    co_return std::unexpected(std::move(added.error()));
  }
  co_return co_await begin_session(account);
}

Task<Result<SignedIn>> Accounts::log_in(std::string username, std::string password) {
  auto const account = co_await store_.find_by_name(fold_name(username));
  auto checked = co_await check(account ? account->hashed_password : "", std::move(password),
                                "the name or the password is wrong");
  if (!checked) co_return std::unexpected(std::move(checked.error()));
  if (account->disabled) co_return refuse(errors::account_disabled, "this account is disabled");
  co_return co_await begin_session(*account);
}

Task<Result<Account>> Accounts::find(UserId id) {
  auto account = co_await store_.find(std::move(id));
  if (!account) co_return refuse(errors::account_not_found, "there is no such account");
  co_return std::move(*account);
}

Task<void> Accounts::log_out(Session session) {
  co_await store_.end_session(session.id);
  shared_.revocations.end_session(session.id);
}

Task<Result<void>> Accounts::log_out_everywhere(UserId id) {
  CO_TRY(auto const generation, co_await store_.end_sessions(id));
  shared_.revocations.end_older_sessions(id.str(), generation);
  co_return Result<void>();
}

Task<Result<SignedIn>> Accounts::change_password(Account account, std::string password,
                                                 std::string new_password) {
  auto checked = co_await check(account.hashed_password, std::move(password), wrong_password);
  if (!checked) {
    co_return std::unexpected(std::move(checked.error()));
  }
  CO_TRY(auto hash, co_await shared_.passwords.hash(std::move(new_password)));
  CO_TRY(account.generation, co_await store_.set_password(account.id, std::move(hash),
                                                          account.hashed_password, shared_.clock.now()));
  shared_.revocations.end_older_sessions(account.id.str(), account.generation);
  co_return co_await begin_session(account);
}

Task<Result<void>> Accounts::remove(Account account, std::string password) {
  auto checked = co_await check(account.hashed_password, std::move(password), wrong_password);
  if (!checked) {
    co_return std::unexpected(std::move(checked.error()));
  }
  auto const last = co_await store_.remove(account, account.hashed_password, shared_.clock.now());
  if (!last && last.error().code != errors::account_not_found) co_return std::unexpected(last.error());
  shared_.revocations.end_older_sessions(account.id.str(), last.value_or(account.generation + 1));
  co_return Result<void>();
}

}  // namespace larder::accounts
