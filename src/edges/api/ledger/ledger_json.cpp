#include "edges/api/ledger/ledger_json.hpp"

#include "systems/ledger/ledger_rules.hpp"

#include <fmt/format.h>

namespace larder::api {

using ledger::AccountView;
using ledger::Flow;
using ledger::Outcome;
using ledger::ScoreType;
using ledger::Status;

namespace {

// The name and the kind of a detail's word in an answer.
enum class Kind { text, number, time };
struct Word {
  std::string_view name;
  std::string_view field;
  Kind kind;
  std::string_view description;
};
constexpr std::string_view state_word = "state";
constexpr Word words[] = {
    {"eff", "effective_at", Kind::time, "when the points begin to count"},
    {"exp", "expires_at", Kind::time, "when the points vanish, or when the hold ends"},
    {"to", "to", Kind::text, "who gets the points"},
    {"from", "from", Kind::text, "who gave the points"},
    {"to_balance", "to_balance", Kind::number, "the receiving balance after the points arrived"},
    {"to_type", "to_type", Kind::number, "the score type into which the points were exchanged"},
    {"from_type", "from_type", Kind::number, "the score type that was exchanged"},
    {"credited", "credited", Kind::number, "how many points the exchange gave"},
    {state_word, state_word, Kind::text,
     "the state of a hold (open, captured, released, expired) or of a transfer (pending, done, returned)"},
    {"captured", "captured", Kind::number, "how many points of the hold were captured"},
    {"return_of", "return_of", Kind::text, "the order of the transfer that could not arrive"},
    {"returned_by", "returned_by", Kind::text, "the order under which the points came back"},
    {"why", "why", Kind::text, "why the points could not arrive"},
};

void add_words(json::object& out, Outcome const& outcome) {
  for (auto const& [name, field, kind, description] : words) {
    auto const value = outcome.word(name);
    if (value.empty() || (kind == Kind::time && value == "0")) continue;
    switch (kind) {
      case Kind::text: out[field] = value; break;
      case Kind::number: out[field] = outcome.number(name); break;
      case Kind::time: out[field] = to_rfc3339({outcome.number(name)}); break;
    }
  }
}

std::vector<Field> word_fields() {
  std::vector<Field> fields;
  for (auto const& [name, field, kind, description] : words) {
    fields.push_back(optional(field,
                              kind == Kind::text     ? type::text()
                              : kind == Kind::number ? type::integer(0)
                                                     : type::time,
                              description));
  }
  return fields;
}

}  // namespace

json::value time_or_null(std::optional<TimeMs> time) {
  if (!time) return nullptr;
  return json::string(to_rfc3339(*time));
}

json::object to_json(ScoreType const& type) {
  return {{"id", type.id},
          {"name", type.name},
          {"starts_at", time_or_null(type.starts_at)},
          {"ends_at", time_or_null(type.ends_at)},
          {"order_ttl_days", type.order_ttl_days},
          {"order_age_days_max", type.order_age_days_max},
          {"remark", type.remark},
          {"created_at", to_rfc3339(type.created_at)}};
}

json::object to_json(OrderId const& order_id, Outcome const& outcome) {
  return {{"order_id", order_id.str()},
          {"op", ledger::name_of(outcome.op)},
          {"status", ledger::name_of(outcome.status)},
          {"old_balance", outcome.old_balance.value()},
          {"change", outcome.change()},
          {"balance", outcome.balance.value()}};
}

json::object to_json(Flow const& flow) {
  auto out = to_json(flow.order_id, flow.outcome);
  out["id"] = flow.id.str();
  out["type"] = flow.outcome.type;
  out["domain"] = flow.outcome.domain.str();
  out["amount"] = flow.outcome.amount.value();
  out["remark"] = flow.remark;
  out["at"] = to_rfc3339(flow.outcome.at);
  add_words(out, flow.outcome);
  out.erase(state_word);
  return out;
}

json::object order_json(OrderId const& order_id, Outcome const& outcome) {
  auto out = to_json(order_id, outcome);
  out["type"] = outcome.type;
  out["domain"] = outcome.domain.str();
  out["amount"] = outcome.amount.value();
  out["at"] = to_rfc3339(outcome.at);
  add_words(out, outcome);
  return out;
}

json::object to_json(AccountView const& view) {
  json::array lots;
  for (auto const& lot : view.lots) {
    lots.push_back({{"amount", lot.amount.value()},
                    {"effective_at", time_or_null(lot.effective_at)},
                    {"expires_at", time_or_null(lot.expires_at)}});
  }
  json::array holds;
  for (auto const& hold : view.holds) {
    holds.push_back({{"order_id", hold.order_id.str()},
                     {"amount", hold.amount.value()},
                     {"expires_at", time_or_null(hold.expires_at)}});
  }
  return {{"type", view.account.type},     {"domain", view.account.domain.str()},
          {"uid", view.account.uid.str()}, {"balance", view.balance.value()},
          {"held", view.held.value()},     {"pending", view.pending.value()},
          {"lots", std::move(lots)},       {"holds", std::move(holds)}};
}

json::object to_json(ledger::Rate const& rate) {
  return {{"from_type", rate.from},
          {"to_type", rate.to},
          {"numerator", rate.numerator},
          {"denominator", rate.denominator}};
}

Amount read_amount(ObjectReader& in, IntRule rule) {
  return Amount::from(in.required_int("amount", rule)).value();
}

Error refusal(OrderId const& order_id, Outcome const& outcome, bool replayed) {
  auto error = ledger::refusal_of(ledger::name_of(outcome.status));
  if (outcome.status == Status::insufficient_balance) {
    error.detail =
        fmt::format("the balance is {}, {} are needed", outcome.old_balance.value(), outcome.amount.value());
  }
  // In a problem document, `status` is the HTTP status. `code` has the status of the outcome.
  error.more = to_json(order_id, outcome);
  error.more.erase("status");
  error.more["replayed"] = replayed;
  add_words(error.more, outcome);
  return error;
}

std::vector<Field> const type_fields = {
    required("id", type::integer(1), "the numeric id, assigned by the server"),
    required("name", type::text(1, limits::type_name_chars_max), "the unique name"),
    required("starts_at", type::time.or_null(), "entries are refused before this time"),
    required("ends_at", type::time.or_null(), "from this time on, entries are refused and balances are gone"),
    required("order_ttl_days", type::integer(1, limits::order_ttl_days_max),
             "for how many days an order is remembered"),
    required("order_age_days_max", type::integer(1, limits::order_ttl_days_max),
             "how many days old an issued order may be when it is used"),
    required("remark", type::text(limits::remark_chars_max), "a note for people"),
    required("created_at", type::time, "when the type was created"),
};

namespace {

std::vector<std::string_view> const op_choices(std::begin(ledger::op_names), std::end(ledger::op_names));
std::vector<std::string_view> const status_choices(std::begin(ledger::status_names),
                                                   std::end(ledger::status_names));

}  // namespace

std::vector<Field> outcome_fields(std::vector<std::string_view> const& statuses,
                                  std::vector<Field> const& more) {
  std::vector<Field> fields = {
      required("order_id", type::order_id, "the order"),
      required("op", type::choice(op_choices), "the operation"),
      required("status", type::choice(statuses), "how the order was decided"),
      required("old_balance", type::amount, "the balance before"),
      required("change", type::integer(), "balance minus old_balance"),
      required("balance", type::amount, "the balance after"),
  };
  fields.insert(fields.end(), more.begin(), more.end());
  return fields;
}

std::vector<Field> flow_fields() {
  auto fields = outcome_fields(
      status_choices,
      {required("id", type::text(), "unique among the flows of the user; the id of the event, too"),
       type_field, domain_field, required("amount", type::amount, "the requested amount"),
       required("remark", type::text(limits::remark_chars_max), "the reason, as the request gave it"),
       required("at", type::time, "when the change happened")});
  std::ranges::move(word_fields(), std::back_inserter(fields));
  std::erase_if(fields, [](Field const& field) { return field.name == state_word; });
  return fields;
}

std::vector<Field> order_fields() {
  auto fields = outcome_fields(status_choices, {type_field, domain_field, uid_field,
                                                required("amount", type::amount, "the requested amount"),
                                                required("at", type::time, "when the order was decided")});
  std::ranges::move(word_fields(), std::back_inserter(fields));
  return fields;
}

Field const type_field =
    required("type", type::integer(1), "the id of the score type; a string of digits is accepted, too");
Field const domain_field =
    required("domain", type::domain, "a subdivision of the score type, such as a season");
Field const uid_field = required("uid", type::user_id, "the user");
Field const order_field = required("order_id", type::order_id, "an issued order id, or your own");
Field const remark_field =
    optional("remark", type::text(limits::remark_chars_max), "a reason, kept in the journal");
Field const replayed_field =
    required("replayed", type::boolean, "whether an earlier request decided this order");

std::vector<Field> const account_fields = {
    type_field,
    domain_field,
    uid_field,
    required("balance", type::amount, "what the user can spend now"),
    required("held", type::amount, "the points in open holds"),
    required("pending", type::amount, "points that were sent to another user and have not arrived yet"),
    required("lots",
             type::array(type::object({required("amount", type::positive_amount, "points"),
                                       required("effective_at", type::time.or_null(),
                                                "when the points begin to count; null: they already count"),
                                       required("expires_at", type::time.or_null(),
                                                "when the points vanish; null: never")})
                             .named("Lot")),
             "points that have not begun to count yet, or that expire"),
    required("holds",
             type::array(type::object({required("order_id", type::order_id, "the order of the hold"),
                                       required("amount", type::positive_amount, "points"),
                                       required("expires_at", type::time.or_null(),
                                                "when the hold ends by itself; null: never")})
                             .named("Hold")),
             "the open holds"),
};

std::vector<Field> const rate_fields = {
    required("from_type", type::integer(1), "the score type that a user gives"),
    required("to_type", type::integer(1), "the score type that a user gets"),
    required("numerator", type::integer(1), "points that a user gets"),
    required("denominator", type::integer(1), "for this many points given"),
};

}  // namespace larder::api
