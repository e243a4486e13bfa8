#include "tribes_workload/client.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace larder::tribes {

namespace {

// The answer or the refusal.
std::string text_of(Result<Answered> const& answered) {
  return answered ? answered->json : "refused: " + std::string(answered.error().code.name);
}

bool is_replayed(Result<Answered> const& answered) {
  return answered ? answered->replayed : answered.error().replayed;
}

}  // namespace

void Atlas::put(UserId const& user, Field field) {
  std::lock_guard const lock(mutex_);
  if (fields_.emplace(user, field).second) all_.push_back(field);
}

std::optional<Field> Atlas::of(UserId const& user) const {
  std::lock_guard const lock(mutex_);
  auto const found = fields_.find(user);
  return found == fields_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<Field> Atlas::neighbour(UserId const& user, Random& random) const {
  std::lock_guard const lock(mutex_);
  auto const home = fields_.find(user);
  if (home == fields_.end()) return std::nullopt;
  std::optional<Field> nearest;
  auto const distance = [&](Field field) {
    auto const dx = field.x - home->second.x;
    auto const dy = field.y - home->second.y;
    return dx * dx + dy * dy;
  };
  for (int i = 0; i < 8; ++i) {
    auto const drawn = all_[random.below(all_.size())];
    if (drawn == home->second) continue;
    if (!nearest || distance(drawn) < distance(*nearest)) nearest = drawn;
  }
  return nearest;
}

Task<void> Client::work(Tribes& tribes) {
  try {
    while (steps_ > 0) {
      if (pending_ && !pending_->key) lost_.push_back(*std::exchange(pending_, std::nullopt));
      if (pending_) ++repeated;
      if (!pending_ && last_ && random_.chance(1, 25)) {
        co_await ask_again(tribes);
      } else {
        if (!pending_) pending_ = next();
        co_await ask(tribes);
      }
      --steps_;
      ++game_.progress;
    }
  } catch (std::exception const& error) {
    ADD_FAILURE() << "client " << number_ << ": " << error.what();
  }
  busy = false;
}

std::vector<Request> Client::unknown() const {
  auto unknown = lost_;
  if (pending_) unknown.push_back(*pending_);
  return unknown;
}

Request Client::next() {
  auto const& players = game_.players;
  // Everybody fights for a few of the towns.
  auto const among = random_.chance(1, 5) ? std::min<std::size_t>(players.size(), 8) : players.size();
  Request request{.user = players[random_.below(among)]};
  if (game_.atlas.of(request.user) ? !random_.chance(1, 200) : random_.chance(1, 20)) {
    request.action = random_action(request.user);
  }
  if (random_.chance(1, 2)) {
    request.key =
        IdempotencyKey{.key = fmt::format("{}-{}", number_, ++keys_), .fingerprint = request.what()};
  }
  return request;
}

Action Client::random_action(UserId const& user) {
  auto const lot = LotId::at(random_.below(LotId::names.size()));
  auto const dice = random_.below(100);
  if (dice < 18) return Construct{.lot = lot, .building = Building(random_.below(building_names.size()))};
  if (dice < 26) return Upgrade{.lot = lot};
  if (dice < 29) return Raze{.lot = lot};
  if (dice < 50) {
    auto const education =
        random_.chance(1, 2) ? Education::thief : Education(random_.below(education_names.size()));
    return Train{.education = education, .amount = 1 + std::int64_t(random_.below(6))};
  }
  if (dice < 80) {
    auto field = game_.atlas.neighbour(user, random_);
    if (random_.chance(1, 30)) field = game_.atlas.of(user);
    if (!field || random_.chance(1, 30)) field = Field{.x = int(random_.below(110)), .y = 50};
    return Steal{.field = *field, .thieves = 1 + std::int64_t(random_.below(5))};
  }
  if (dice < 92) return Tap{.lot = lot};
  return Cancel{.queue = Queue(random_.below(queue_names.size())), .index = std::int64_t(random_.below(3))};
}

Task<Result<Answered>> Client::send(Tribes& tribes, Request request) {
  if (request.action) return tribes.act(game_.world, request.user, *request.action, request.key);
  return tribes.join(game_.world, request.user, request.user.str() + "-name", request.key);
}

Task<void> Client::ask(Tribes& tribes) {
  try {
    auto const answered = co_await send(tribes, *pending_);
    auto const request = *std::exchange(pending_, std::nullopt);
    if (answered) {
      learn(request, answered->json);
    } else {
      ++refusals[std::string(answered.error().code.name)];
    }
    if (request.key) last_ = Last{.request = request, .answer = text_of(answered)};
  } catch (StoreError const& error) {
    ++store_errors;
    if (!pending_->key && !error.outcome_unknown()) pending_.reset();
  }
}

// The same key gets the same answer, and nothing happens.
Task<void> Client::ask_again(Tribes& tribes) {
  try {
    auto request = last_->request;
    bool const other = random_.chance(1, 4);
    if (other) request.key->fingerprint = "another request";
    auto const answered = co_await send(tribes, request);
    auto const expected = other ? "refused: idempotency_conflict" : last_->answer;
    EXPECT_EQ(text_of(answered), expected) << request.key->key << ' ' << request.what();
    if (!other) EXPECT_TRUE(is_replayed(answered)) << request.key->key << ' ' << request.what();
  } catch (StoreError const&) {
    ++store_errors;
  }
}

void Client::learn(Request const& request, std::string const& answer) {
  auto const read = json::parse(answer).as_object();
  auto state = read.at("state").as_object();
  state.erase("timestamp");
  game_.atlas.put(request.user,
                  {.x = int(state.at("townX").as_int64()), .y = int(state.at("townY").as_int64())});
  accepted.push_back(
      {.request = request, .revision = read.at("revision").as_int64(), .state = json::serialize(state)});
}

}  // namespace larder::tribes
