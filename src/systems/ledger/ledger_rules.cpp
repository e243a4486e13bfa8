#include "systems/ledger/ledger_rules.hpp"

#include "base/json.hpp"

#include <fmt/format.h>

namespace larder::ledger {

namespace {

// Other servers use the old value for a while, and clocks differ.
constexpr std::int64_t raise_known_ms = 10 * 60 * 1000;

std::string milliseconds(std::optional<TimeMs> time) { return time ? fmt::format("{}", time->value) : ""; }

Error wrong(std::string_view field, std::string detail) {
  return {.code = larder::errors::invalid_request, .detail = std::move(detail), .field = std::string(field)};
}

std::optional<Error> problem_of_text(std::string_view field, std::string_view text, std::size_t chars_min,
                                     std::size_t chars_max) {
  if (text.empty() && chars_min == 0) return std::nullopt;
  // SQL servers cannot store a NUL in a text.
  if (!is_utf8(text) || text.find('\0') != std::string_view::npos)
    return wrong(field, fmt::format("{} must be UTF-8 without the NUL character", field));
  auto const chars = count_chars(text);
  if (chars >= chars_min && chars <= chars_max) return std::nullopt;
  return wrong(field, fmt::format("{} must have {} to {} characters", field, chars_min, chars_max));
}

std::optional<Error> problem_of_number(std::string_view field, std::int64_t number, std::int64_t max) {
  if (number >= 1 && number <= max) return std::nullopt;
  return wrong(field, fmt::format("{} must be from 1 to {}", field, max));
}

}  // namespace

std::string Terms::detail() const {
  std::string text;
  for (auto const& [field, name, value] : words) {
    if (!value.empty()) text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value);
  }
  return text;
}

Terms terms_of(Entry const& entry) {
  Terms terms{
      .op = entry.op, .type = entry.account.type, .domain = entry.account.domain, .amount = entry.amount};
  if (entry.op == Op::add) {
    terms.words = {{"effective_at", "eff", milliseconds(entry.effective_at)},
                   {"expires_at", "exp", milliseconds(entry.expires_at)}};
  }
  return terms;
}

Terms terms_of(Transfer const& transfer) {
  return {.op = Op::transfer_out,
          .type = transfer.type,
          .domain = transfer.domain,
          .amount = transfer.amount,
          .words = {{"to", "to", transfer.to.str()}}};
}

Terms terms_of(Exchange const& exchange) {
  return {.op = Op::exchange_out,
          .type = exchange.from_type,
          .domain = exchange.domain,
          .amount = exchange.amount,
          .words = {{"to_type", "to_type", fmt::format("{}", exchange.to_type)}},
          .type_field = "from_type"};
}

Terms terms_of(Hold const& hold) {
  return {.op = Op::hold,
          .type = hold.account.type,
          .domain = hold.account.domain,
          .amount = hold.amount,
          .words = {{"expires_at", "exp", fmt::format("{}", hold.expires_at.value_or(TimeMs{}).value)}}};
}

std::vector<std::string_view> conflicting_fields(Terms const& terms, Outcome const& first) {
  std::vector<std::string_view> fields;
  if (terms.op != first.op) fields.emplace_back("op");
  if (terms.type != first.type) fields.push_back(terms.type_field);
  if (terms.domain != first.domain) fields.emplace_back("domain");
  if (terms.amount != first.amount) fields.emplace_back("amount");
  if (terms.op == first.op) {
    for (auto const& [field, name, value] : terms.words) {
      if (first.word(name) != value) fields.push_back(field);
    }
  }
  return fields;
}

void tell_expiry(Outcome& outcome, TimeMs now) {
  if (outcome.op != Op::hold || outcome.word("state") != "open") return;
  auto const expires = outcome.number("exp");
  if (expires == 0 || expires > now.value) return;
  outcome.detail = fmt::format("exp={} state=expired captured=0", expires);
}

std::optional<Error> problem_of_amount(Amount amount, std::string_view to_do) {
  if (amount != Amount{}) return std::nullopt;
  return wrong("amount", fmt::format("amount must be at least 1 to {}", to_do));
}

std::optional<Error> problem_of_remark(std::string_view remark) {
  return problem_of_text("remark", remark, 0, limits::remark_chars_max);
}

std::optional<Error> problem_of_entry(Entry const& entry) {
  if (std::size_t(entry.op) >= entry_op_names.size()) {
    return wrong("op", fmt::format("op must be one of {}", fmt::join(entry_op_names, ", ")));
  }
  if (entry.op != Op::reset) {
    if (auto problem = problem_of_amount(entry.amount, name_of(entry.op))) return problem;
  }
  if (entry.op != Op::add && entry.makes_lot()) {
    return wrong(entry.effective_at ? "effective_at" : "expires_at", "only an add makes a lot with times");
  }
  if (entry.effective_at && entry.expires_at && *entry.expires_at <= *entry.effective_at) {
    return wrong("expires_at", "expires_at must be after effective_at");
  }
  return problem_of_remark(entry.remark);
}

std::optional<Error> problem_of_rate(Rate const& rate) {
  if (auto problem = problem_of_number("numerator", rate.numerator, limits::amount_max)) return problem;
  return problem_of_number("denominator", rate.denominator, limits::amount_max);
}

std::optional<Error> problem_of_inactive_type(ScoreType const& type, TimeMs now) {
  if (type.starts_at && now < *type.starts_at) {
    return Error{.code = errors::type_not_active,
                 .detail = fmt::format("type {} starts at {}", type.id, to_rfc3339(*type.starts_at))};
  }
  if (type.ends_at && now >= *type.ends_at) {
    return Error{.code = errors::type_not_active,
                 .detail = fmt::format("type {} ended at {}", type.id, to_rfc3339(*type.ends_at))};
  }
  return std::nullopt;
}

std::optional<Error> problem_of_expiry(std::optional<TimeMs> expires_at, TimeMs now) {
  if (!expires_at || *expires_at > now) return std::nullopt;
  return wrong("expires_at", fmt::format("expires_at is over: it is {} now", to_rfc3339(now)));
}

std::optional<Error> problem_of_past_time(TimeMs time, TimeMs now) {
  if (time <= now) return std::nullopt;
  return wrong("time", fmt::format("time must not be in the future: it is {} now", to_rfc3339(now)));
}

namespace {

bool ends_in_time(ScoreType const& type) {
  return !type.starts_at || !type.ends_at || *type.starts_at < *type.ends_at;
}

}  // namespace

std::optional<Error> problem_of_type(ScoreType const& type) {
  if (auto problem = problem_of_text("name", type.name, 1, limits::type_name_chars_max)) return problem;
  if (auto problem = problem_of_number("order_ttl_days", type.order_ttl_days, limits::order_ttl_days_max))
    return problem;
  if (auto problem =
          problem_of_number("order_age_days_max", type.order_age_days_max, limits::order_ttl_days_max))
    return problem;
  if (auto problem = problem_of_remark(type.remark)) return problem;
  if (ends_in_time(type)) return std::nullopt;
  return wrong("ends_at", "ends_at must be after starts_at");
}

Result<ScoreType> changed(ScoreType type, TypeChange const& change, TimeMs now) {
  auto const old_end = type.ends_at;
  if (change.name) type.name = *change.name;
  if (change.starts_at || change.clears_starts_at) type.starts_at = change.starts_at;
  if (change.ends_at || change.clears_ends_at) type.ends_at = change.ends_at;
  if (change.order_ttl_days && *change.order_ttl_days > type.order_ttl_days) {
    type.order_ttl_days_before = days_surely_remembered(type, TimeMs{});
    type.order_ttl_raised_at = now + raise_known_ms;
  }
  if (change.order_ttl_days) type.order_ttl_days = *change.order_ttl_days;
  if (change.order_age_days_max) type.order_age_days_max = *change.order_age_days_max;
  if (change.remark) type.remark = *change.remark;
  if (auto problem = problem_of_type(type)) return std::unexpected(std::move(*problem));
  // Nothing that happened before now can be undone.
  bool const is_over = old_end && *old_end <= now;
  if (change.ends_at && *change.ends_at <= now) type.ends_at = is_over ? old_end : now;
  if (auto problem = problem_of_type(type)) return std::unexpected(std::move(*problem));
  if (is_over && type.ends_at != old_end && *old_end + reopened_within_ms <= now) {
    return refuse(errors::type_over,
                  fmt::format("type {} ended at {}: its points are gone", type.id, to_rfc3339(*old_end)));
  }
  return type;
}

Error refusal_of(std::string_view why) {
  static std::pair<ErrorCode, std::string_view> const refusals[] = {
      {errors::insufficient_balance, "the balance is too small"},
      {errors::balance_limit, "the balance would grow too large"},
      {errors::type_not_active, "the type is not active"},
      {errors::order_conflict, "its order was first used for something else"},
      {larder::errors::foreign_record, "the key of its order has a value that Larder did not write"},
      {errors::transfer_withdrawn, "an operator has withdrawn the transfer"}};
  for (auto const& [code, detail] : refusals) {
    if (code.name == why) return {.code = code, .detail = std::string(detail)};
  }
  throw std::runtime_error(fmt::format("a script refused with '{}'", why));
}

TimeMs keys_expire_at(ScoreType const& type) { return type.ends_at ? *type.ends_at + day_ms : TimeMs{}; }

std::int64_t days_surely_remembered(ScoreType const& type, TimeMs decided_at) {
  if (!type.order_ttl_raised_at || decided_at >= *type.order_ttl_raised_at) return type.order_ttl_days;
  return std::min(type.order_ttl_days, type.order_ttl_days_before.value_or(type.order_ttl_days));
}

std::optional<Amount> exchanged(Amount amount, Rate const& rate) {
  auto const points = __extension__ static_cast<__int128>(amount.value()) * rate.numerator / rate.denominator;
  if (points > limits::amount_max) return std::nullopt;
  return Amount::from(std::int64_t(points));
}

}  // namespace larder::ledger
