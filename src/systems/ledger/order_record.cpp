#include "systems/ledger/order_record.hpp"

#include "base/number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <stdexcept>

namespace larder::ledger {

namespace {

constexpr int record_words = 8;

// Removes the first word of the line, and the space after it, and returns the word.
std::string_view take(std::string_view& line) {
  auto const word = line.substr(0, line.find(' '));
  line.remove_prefix(std::min(word.size() + 1, line.size()));
  return word;
}

std::int64_t number(std::string_view word) {
  auto const number = parse_int(word);
  if (!number) throw std::runtime_error("not a number");
  return *number;
}

Amount amount(std::string_view word) { return Amount::from(number(word)).value(); }

template <class Enum>
std::optional<Enum> find_name(std::string_view word, std::span<std::string_view const> names) {
  auto const found = std::ranges::find(names, word);
  if (found == names.end()) return std::nullopt;
  return Enum(found - names.begin());
}

template <class Enum>
Enum named(std::string_view word, std::span<std::string_view const> names) {
  auto const found = find_name<Enum>(word, names);
  if (!found) throw std::runtime_error("unknown word");
  return *found;
}

// Whether the text has the form "name=value name=value".
bool is_detail(std::string_view text) {
  while (!text.empty()) {
    if (take_word(text).name.empty()) return false;
  }
  return true;
}

}  // namespace

Outcome parse_record(std::string_view record) {
  std::array<std::string_view, record_words> words;
  std::string_view rest = record;
  std::size_t count = 0;
  for (; count < words.size() && !rest.empty(); ++count) words[count] = take(rest);
  try {
    if (count != words.size() || record.ends_with(' ') || !is_detail(rest))
      throw std::runtime_error("not eight words");
    return {.status = named<Status>(words[0], status_names),
            .op = named<Op>(words[1], op_names),
            .type = number(words[2]),
            .domain = Domain::from(words[3]).value(),
            .amount = amount(words[4]),
            .old_balance = amount(words[5]),
            .balance = amount(words[6]),
            .at = {number(words[7])},
            .detail = std::string(rest)};
  } catch (std::exception const& error) {
    throw std::runtime_error(fmt::format("'{}' is not an order's record: {}", record, error.what()));
  }
}

bool is_record(std::string_view text) {
  try {
    parse_record(text);
    return true;
  } catch (std::runtime_error const&) {
    return false;
  }
}

std::optional<Outcome> read_original_record(std::string_view record) {
  std::array<std::int64_t, 5> numbers{};
  auto rest = record;
  for (auto& number : numbers) {
    auto const word = rest.substr(0, rest.find('_'));
    auto const parsed = parse_int(word);
    if (!parsed || *parsed < 0 || *parsed > limits::amount_max) return std::nullopt;
    number = *parsed;
    // Without this, a last word would count twice, and a sixth one not at all.
    bool const is_last = &number == &numbers.back();
    if ((word.size() == rest.size()) != is_last) return std::nullopt;
    rest.remove_prefix(std::min(word.size() + 1, rest.size()));
  }
  auto const [op, status, old, change, balance] = numbers;
  if (op < 1 || op > 3 || status < 1 || status > 2) return std::nullopt;
  return Outcome{.status = status == 1 ? Status::ok : Status::insufficient_balance,
                 .op = Op(op - 1),
                 .type = 0,
                 .domain = {},
                 .amount = Amount::from(change).value(),
                 .old_balance = Amount::from(old).value(),
                 .balance = Amount::from(balance).value(),
                 .at = {}};
}

std::string to_record(Outcome const& outcome) {
  return fmt::format("{} {} {} {} {} {} {} {}{}{}", name_of(outcome.status), name_of(outcome.op),
                     outcome.type, outcome.domain.str(), outcome.amount.value(), outcome.old_balance.value(),
                     outcome.balance.value(), outcome.at.value, outcome.detail.empty() ? "" : " ",
                     outcome.detail);
}

DetailWord take_word(std::string_view& detail) {
  auto const word = take(detail);
  auto const equals = word.find('=');
  if (equals == std::string_view::npos) return {.name = {}, .value = word};
  return {.name = word.substr(0, equals), .value = word.substr(equals + 1)};
}

std::optional<Status> status_of(std::string_view name) { return find_name<Status>(name, status_names); }

OutboxEntry parse_entry(std::string_view entry) {
  auto rest = entry;
  for (int i = 0; i < record_words; ++i) take(rest);
  auto const record = entry.substr(0, entry.size() - rest.size());  // and the space after it
  auto const uid = take(rest);
  auto const order_chars = rest.find(' ');
  if (order_chars == std::string_view::npos) throw std::runtime_error("not an outbox entry of the ledger");
  return {.outcome = parse_record(record.substr(0, record.size() - 1)),
          .uid = UserId::from(uid).value(),
          .order_id = rest.substr(0, order_chars),
          .remark = rest.substr(order_chars + 1)};
}

std::string_view op_name_of(std::string_view entry) {
  take(entry);  // the status
  return take(entry);
}

Intent parse_intent(std::string_view text) {
  try {
    auto rest = text;
    Intent intent{.amount = amount(take(rest)),
                  .to = UserId::from(take(rest)).value(),
                  .sent_at = {number(take(rest))},
                  .parts = std::string(take(rest)),
                  .remark = {}};
    intent.remark = rest;
    return intent;
  } catch (std::exception const& error) {
    throw std::runtime_error(fmt::format("'{}' is not a transfer under way: {}", text, error.what()));
  }
}

}  // namespace larder::ledger
