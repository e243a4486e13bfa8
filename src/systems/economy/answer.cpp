#include "systems/economy/answer.hpp"

#include "base/json.hpp"
#include "base/number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace larder::economy {

namespace {

constexpr std::array refusals = {
    errors::insufficient_balance, errors::balance_limit, errors::reward_not_ready,   errors::on_cooldown,
    errors::offer_too_low,        errors::not_tradable,  errors::not_craftable,      errors::not_usable,
    errors::not_enough_items,     errors::stack_full,    errors::roulette_not_found, errors::not_sellable,
    errors::player_not_found};

}  // namespace

Economy::Answer::Answer(std::string_view script, std::string_view text, bool replayed)
    : text_(text.begin(), text.end()),
      script_(script),
      rest_(std::string_view(text_.data(), text_.size())),
      replayed_(replayed) {
  status_ = this->text();
}

void Economy::Answer::fail(std::string_view why) const {
  throw std::runtime_error(fmt::format("{}: line {} of the answer {}", script_, line_, why));
}

std::string_view Economy::Answer::text() {
  ++line_;
  if (!rest_) fail("is missing");
  auto const end = rest_->find('\n');
  auto const line = rest_->substr(0, end);
  if (end == std::string_view::npos) {
    rest_.reset();
  } else {
    rest_->remove_prefix(end + 1);
  }
  return line;
}

std::string_view Economy::Answer::rest() {
  if (!rest_) fail("is followed by nothing");
  return *std::exchange(rest_, std::nullopt);
}

std::int64_t Economy::Answer::to_number(std::string_view text) const {
  auto const number = parse_int(text);
  if (!number) fail(fmt::format("has '{}' in place of a number", text));
  return *number;
}

std::int64_t Economy::Answer::number() { return to_number(text()); }

bool Economy::Answer::flag() {
  auto const line = text();
  if (line != "0" && line != "1") fail(fmt::format("has '{}' in place of 0 or 1", line));
  return line == "1";
}

Roll Economy::Answer::roll() {
  auto rest = text();
  auto const next = [&] {
    auto const word = rest.substr(0, rest.find(' '));
    rest.remove_prefix(std::min(word.size() + 1, rest.size()));
    return to_number(word);
  };
  Roll roll{.seed = std::uint32_t(next())};
  while (!rest.empty()) roll.values.push_back(next());
  return roll;
}

std::size_t Economy::Answer::left() const {
  return rest_ ? std::size_t(std::ranges::count(*rest_, '\n')) + 1 : 0;
}

void Economy::Answer::end() const {
  if (rest_) fail("should be the last");
}

// Reads pairs of item and amount. Returns them in one line, for people.
std::string Economy::Answer::read_needs(Error& error) {
  json::object costs;
  std::string listed;
  while (!at_end()) {
    auto const item = text();
    auto const amount = text();
    costs[item] = to_number(amount);
    listed += fmt::format("{}{} {}", listed.empty() ? "" : ", ", amount, item);
  }
  error.more["needs"] = std::move(costs);
  return listed;
}

Error Economy::Answer::refusal() {
  auto const code = std::ranges::find(refusals, status_, &ErrorCode::name);
  if (code == refusals.end()) fail(fmt::format("has the unknown status {}", status_));
  Error error{.code = *code, .detail = {}};
  auto const more = [&](std::string_view name) {
    auto const value = number();
    error.more[name] = value;
    return value;
  };
  if (*code == errors::insufficient_balance) {
    auto const balance = more("balance");
    error.detail = fmt::format("it needs {}; the balance is {}", read_needs(error), balance);
  } else if (*code == errors::not_enough_items && left() > 1) {
    error.detail = fmt::format("it needs {}, and not all of that is there", read_needs(error));
  } else if (*code == errors::not_enough_items) {
    error.detail = fmt::format("there are {} of them", more("owned"));
  } else if (*code == errors::balance_limit) {
    error.detail = "the balance would be more than it can be";
  } else if (*code == errors::reward_not_ready || *code == errors::on_cooldown) {
    auto const seconds = more("seconds_left");
    error.detail = seconds == 1 ? "1 second is left" : fmt::format("{} seconds are left", seconds);
  } else if (*code == errors::offer_too_low) {
    error.detail = fmt::format("the offer must be at least {}", more("minimum"));
  } else if (*code == errors::stack_full) {
    auto const owned = more("owned");
    auto const max_stack = more("max_stack");
    // Said by moves that can be about several items.
    if (!at_end()) error.more["item"] = text();
    error.detail = fmt::format("there are {} of at most {} already", owned, max_stack);
  } else if (*code == errors::not_tradable) {
    error.detail = "this item cannot be traded";
  } else if (*code == errors::not_craftable) {
    error.detail = "this item cannot be crafted";
  } else if (*code == errors::not_sellable) {
    error.detail = "the bank does not buy this item";
  } else if (*code == errors::player_not_found) {
    error.detail = "the realm has nothing of this player";
  } else if (*code == errors::not_usable) {
    error.detail = "it would have no effect now";
  } else {
    error.detail = "there is no such roulette, or it is over";
  }
  end();
  return error;
}

std::optional<Error> foreign_value(redis::ReplyError const& error) {
  constexpr std::string_view mark = "FOREIGN ";
  std::string_view what = error.what();
  auto const at = what.find(mark);
  if (at == std::string_view::npos) return std::nullopt;
  what.remove_prefix(at + mark.size());
  return Error{.code = errors::foreign_record,
               .detail = ForeignRecord(std::string(what.substr(0, what.find(' ')))).refusal().detail};
}

std::optional<Error> foreign_value_read(redis::ReplyError const& error) {
  if (auto refusal = foreign_value(error)) return refusal;
  if (std::string_view(error.what()).find("WRONGTYPE") == std::string_view::npos) return std::nullopt;
  return Error{.code = errors::foreign_record,
               .detail =
                   "a key of this realm has a value that Larder did not write; look for it, then "
                   "delete it or set it right"};
}

}  // namespace larder::economy
