#include "kit/accounts/revocations.hpp"

#include "base/error.hpp"
#include "base/limits.hpp"
#include "base/number.hpp"

#include <mutex>

namespace larder::accounts {

namespace {

constexpr std::size_t entries_per_read = 1000;

std::string_view field(redis::ReplyView fields, std::string_view name) {
  for (std::size_t i = 0; i + 1 < fields.size(); i += 2) {
    if (fields.at(i).text() == name) return fields.at(i + 1).text();
  }
  return {};
}

}  // namespace

bool Revocations::has_ended(std::string_view player, Session const& session) const {
  std::shared_lock const lock(mutex_);
  if (sessions_.contains(session.id)) return true;
  auto const found = players_.find(std::string(player));
  return found != players_.end() && session.generation < found->second.oldest;
}

std::int64_t Revocations::oldest_generation(std::string_view player) const {
  std::shared_lock const lock(mutex_);
  auto const found = players_.find(std::string(player));
  return found == players_.end() ? 0 : found->second.oldest;
}

void Revocations::check_fresh() const {
  auto const age = clock_.unchecked().value - fresh_at_.load();
  // If the clock was set back, the age is unknown until the next poll.
  if (age >= 0 && age <= limits::revocations_stale_ms) return;
  throw StoreError("Redis does not answer, so it is unknown which sessions have ended", false);
}

void Revocations::end_session(std::string const& id) {
  auto const until = clock_.unchecked() + limits::revocations_kept_ms;
  std::lock_guard const lock(mutex_);
  if (sessions_.emplace(id, until).second) notes_.push_back({.until = until, .session = id, .player = {}});
}

void Revocations::end_older_sessions(std::string const& player, std::int64_t generation) {
  auto const until = clock_.unchecked() + limits::revocations_kept_ms;
  std::lock_guard const lock(mutex_);
  auto& known = players_[player];
  if (known.oldest >= generation) return;
  known = {.oldest = generation, .until = until};
  notes_.push_back({.until = until, .session = {}, .player = player});
}

// Notes are made in the order of their times, so the expired ones are in front.
void Revocations::forget_expired() {
  auto const now = clock_.unchecked();
  std::lock_guard const lock(mutex_);
  for (; !notes_.empty() && notes_.front().until < now; notes_.pop_front()) {
    auto const& note = notes_.front();
    sessions_.erase(note.session);
    auto const player = players_.find(note.player);
    if (player != players_.end() && player->second.until == note.until) players_.erase(player);
  }
}

void Revocations::read_entry(redis::ReplyView entry) {
  auto const fields = entry.at(1);
  if (auto const session = field(fields, "session"); !session.empty()) end_session(std::string(session));
  auto const generation = parse_int(field(fields, "generation"));
  if (auto const player = field(fields, "user"); !player.empty() && generation) {
    end_older_sessions(std::string(player), *generation);
  }
}

Task<void> Revocations::poll(redis::Redis& redis) {
  auto const began = clock_.unchecked();
  auto const key = AccountKeys::revoked();
  auto const count = fmt::to_string(entries_per_read);
  for (;;) {
    // The read begins with the entry that was last in the previous read. If that entry is missing, it was
    // trimmed because of its age, or the stream has lost something. In both cases, read everything.
    auto const first = last_.empty() ? std::string("-") : last_;
    auto const entries =
        co_await redis.command(redis::Use::read, key, {"XRANGE", key, first, "+", "COUNT", count});
    bool const continues = entries.size() > 0 && entries.at(0).at(0).text() == last_;
    if (!last_.empty() && !continues) {
      last_.clear();
      continue;
    }
    for (std::size_t i = 0; i < entries.size(); ++i) read_entry(entries.at(i));
    if (entries.size() > 0) last_ = entries.at(entries.size() - 1).at(0).text();
    if (entries.size() < entries_per_read) break;
  }
  forget_expired();
  fresh_at_ = began.value;
}

}  // namespace larder::accounts
