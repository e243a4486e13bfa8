#include "systems/economy/answer.hpp"

#include "base/json.hpp"
#include "base/number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace larder::economy {

namespace {

constexpr std::array refusals = {
    errors::insufficient_balance, errors::balance_limit, errors::reward_not_ready,  errors::on_cooldown,
    errors::offer_too_low,        errors::not_tradable,  errors::not_craftable,     errors::not_usable,
    errors::not_enough_items,     errors::stack_full,    errors::roulette_not_found};

std::int64_t to_number(std::string_view text) {
  auto const number = parse_int(text);
  if (!number) throw std::runtime_error(fmt::format("a script answered {} in place of a number", text));
  return *number;
}

}  // namespace

Economy::Answer::Answer(std::string_view text, bool replayed)
    : replayed(replayed), text_(text.begin(), text.end()) {
  lines_.reserve(16);
  std::string_view rest(text_.data(), text_.size());
  for (;;) {
    auto const end = rest.find('\n');
    lines_.push_back(rest.substr(0, end));
    if (end == std::string_view::npos) return;
    rest.remove_prefix(end + 1);
  }
}

std::string_view Economy::Answer::text(std::size_t line) const {
  return line < lines_.size() ? lines_[line] : std::string_view();
}

std::int64_t Economy::Answer::number(std::size_t line) const { return to_number(text(line)); }

Roll Economy::Answer::roll(std::size_t line) const {
  auto rest = text(line);
  auto const next = [&rest] {
    auto const word = rest.substr(0, rest.find(' '));
    rest.remove_prefix(std::min(word.size() + 1, rest.size()));
    return to_number(word);
  };
  Roll roll{.seed = std::uint32_t(next())};
  while (!rest.empty()) roll.values.push_back(next());
  return roll;
}

Error Economy::Answer::refusal() const {
  auto const code = std::ranges::find(refusals, text(0), &ErrorCode::name);
  if (code == refusals.end()) throw std::runtime_error(fmt::format("a script answered {}", text(0)));
  Error error{.code = *code, .detail = {}};
  auto const more = [&](std::string_view name, std::size_t line) { error.more[name] = number(line); };
  // Item, amount, ...
  auto const needs = [&](std::size_t line) {
    json::object costs;
    std::string listed;
    for (; line + 1 < size(); line += 2) {
      costs[text(line)] = number(line + 1);
      listed += fmt::format("{}{} {}", listed.empty() ? "" : ", ", text(line + 1), text(line));
    }
    error.more["needs"] = std::move(costs);
    return listed;
  };
  if (*code == errors::insufficient_balance) {
    more("balance", 1);
    error.detail = fmt::format("it needs {}; the balance is {}", needs(2), text(1));
  } else if (*code == errors::not_enough_items && size() > 2) {
    error.detail = fmt::format("it needs {}, and not all of that is there", needs(1));
  } else if (*code == errors::not_enough_items) {
    error.detail = fmt::format("there are {} of them", number(1));
    more("owned", 1);
  } else if (*code == errors::balance_limit) {
    error.detail = "the balance would be more than it can be";
  } else if (*code == errors::reward_not_ready || *code == errors::on_cooldown) {
    error.detail = fmt::format("{} seconds are left", number(1));
    more("seconds_left", 1);
  } else if (*code == errors::offer_too_low) {
    error.detail = fmt::format("the offer must be at least {}", number(1));
    more("minimum", 1);
  } else if (*code == errors::stack_full) {
    error.detail = fmt::format("there are {} of at most {} already", number(1), number(2));
    more("owned", 1);
    more("max_stack", 2);
  } else if (*code == errors::not_tradable) {
    error.detail = "this item cannot be traded";
  } else if (*code == errors::not_craftable) {
    error.detail = "this item cannot be crafted";
  } else if (*code == errors::not_usable) {
    error.detail = "it would have no effect now";
  } else {
    error.detail = "there is no such roulette, or it is over";
  }
  return error;
}

}  // namespace larder::economy
