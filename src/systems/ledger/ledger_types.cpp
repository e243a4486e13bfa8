#include "systems/ledger/ledger_types.hpp"

#include "base/number.hpp"
#include "systems/ledger/order_record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace larder::ledger {

namespace {

std::int64_t parse_number(std::string_view word) {
  auto const number = parse_int(word);
  if (!number) throw std::runtime_error("not a number");
  return *number;
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
    if (auto const word = take_word(rest); word.name == name) return word.value;
  }
  return {};
}

std::int64_t Outcome::number(std::string_view name) const { return parse_number(word(name)); }

std::string FlowId::str() const { return fmt::format("{}-{}", ms, sequence); }

}  // namespace larder::ledger
