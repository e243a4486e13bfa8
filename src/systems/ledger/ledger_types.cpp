#include "systems/ledger/ledger_types.hpp"

#include "base/number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <stdexcept>

namespace larder::ledger {

namespace {

std::int64_t parse_number(std::string_view word) {
  auto const number = parse_int(word);
  if (!number) throw std::runtime_error("not a number");
  return *number;
}

Amount amount(std::string_view word) { return Amount::from(parse_number(word)).value(); }

template <class Enum>
Enum named(std::string_view word, std::span<std::string_view const> names) {
  auto const found = std::ranges::find(names, word);
  if (found == names.end()) throw std::runtime_error("unknown word");
  return Enum(found - names.begin());
}

// Whether the text has the form "name=value name=value".
bool are_details(std::string_view text) {
  while (!text.empty()) {
    auto const word = text.substr(0, text.find(' '));
    auto const equals = word.find('=');
    if (equals == 0 || equals == std::string_view::npos) return false;
    text.remove_prefix(std::min(word.size() + 1, text.size()));
  }
  return true;
}

}  // namespace

Account parse_account(std::string_view words) {
  auto const first = words.find(' ');
  auto const second = words.find(' ', std::min(first, words.size() - 1) + 1);
  auto const uid = UserId::from(words.substr(0, first));
  if (second == std::string_view::npos || !uid)
    throw std::runtime_error(fmt::format("'{}' is no account", words));
  auto const domain = Domain::from(words.substr(second + 1));
  if (!domain) throw std::runtime_error(fmt::format("'{}' is no account", words));
  return {.type = parse_number(words.substr(first + 1, second - first - 1)), .domain = *domain, .uid = *uid};
}

std::string_view Outcome::word(std::string_view name) const {
  std::string_view rest = detail;
  while (!rest.empty()) {
    auto const space = std::min(rest.find(' '), rest.size());
    auto const word = rest.substr(0, space);
    if (word.size() > name.size() && word.starts_with(name) && word[name.size()] == '=') {
      return word.substr(name.size() + 1);
    }
    rest.remove_prefix(std::min(space + 1, rest.size()));
  }
  return {};
}

std::int64_t Outcome::number(std::string_view name) const { return parse_number(word(name)); }

Outcome parse_outcome(std::string_view record) {
  std::array<std::string_view, outcome_words> words;
  std::string_view rest = record;
  std::size_t count = 0;
  for (; count < words.size() && !rest.empty(); ++count) {
    auto const space = std::min(rest.find(' '), rest.size());
    words[count] = rest.substr(0, space);
    rest.remove_prefix(std::min(space + 1, rest.size()));
  }
  try {
    if (count != words.size() || record.ends_with(' ') || !are_details(rest))
      throw std::runtime_error("not eight words");
    return {.status = named<Status>(words[0], status_names),
            .op = named<Op>(words[1], op_names),
            .type = parse_number(words[2]),
            .domain = Domain::from(words[3]).value(),
            .amount = amount(words[4]),
            .old_balance = amount(words[5]),
            .balance = amount(words[6]),
            .at = {parse_number(words[7])},
            .detail = std::string(rest)};
  } catch (std::exception const& error) {
    throw std::runtime_error(fmt::format("'{}' is not an order's record: {}", record, error.what()));
  }
}

std::string to_record(Outcome const& outcome) {
  return fmt::format("{} {} {} {} {} {} {} {}{}{}", name_of(outcome.status), name_of(outcome.op),
                     outcome.type, outcome.domain.str(), outcome.amount.value(), outcome.old_balance.value(),
                     outcome.balance.value(), outcome.at.value, outcome.detail.empty() ? "" : " ",
                     outcome.detail);
}

std::string FlowId::str() const { return fmt::format("{}-{}", ms, sequence); }

}  // namespace larder::ledger
