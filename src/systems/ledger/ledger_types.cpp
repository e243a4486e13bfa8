#include "systems/ledger/ledger_types.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <span>
#include <stdexcept>

namespace larder::ledger {

namespace {

std::int64_t number(std::string_view word) {
  std::int64_t value = 0;
  auto const* const end = word.data() + word.size();
  auto const parsed = std::from_chars(word.data(), end, value);
  if (parsed.ec != std::errc{} || parsed.ptr != end) throw std::runtime_error("not a number");
  return value;
}

Amount amount(std::string_view word) { return Amount::from(number(word)).value(); }

template <class Enum>
Enum named(std::string_view word, std::span<std::string_view const> names) {
  auto const found = std::ranges::find(names, word);
  if (found == names.end()) throw std::runtime_error("unknown word");
  return Enum(found - names.begin());
}

}  // namespace

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
    if (count != words.size() || std::ranges::count(record, ' ') != outcome_words - 1)
      throw std::runtime_error("not eight words");
    return {.status = named<Status>(words[0], status_names),
            .op = named<Op>(words[1], op_names),
            .type = number(words[2]),
            .domain = Domain::from(words[3]).value(),
            .amount = amount(words[4]),
            .old_balance = amount(words[5]),
            .balance = amount(words[6]),
            .at = {number(words[7])}};
  } catch (std::exception const& error) {
    throw std::runtime_error(fmt::format("'{}' is not an order's record: {}", record, error.what()));
  }
}

}  // namespace larder::ledger
