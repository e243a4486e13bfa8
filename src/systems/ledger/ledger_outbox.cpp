#include "systems/ledger/ledger_outbox.hpp"

#include "base/json.hpp"
#include "systems/ledger/order_record.hpp"

#include <fmt/compile.h>
#include <fmt/format.h>

namespace larder::ledger {

namespace {

// Appends "to=bob state=pending" as "detail":{"to":"bob","state":"pending"}. The words need no escaping.
void append_detail(std::string& json, std::string_view words) {
  json += R"(,"detail":{)";
  for (bool first = true; !words.empty(); first = false) {
    auto const [name, value] = take_word(words);
    fmt::format_to(std::back_inserter(json), R"({}"{}":"{}")", first ? "" : ",", name, value);
  }
  json += '}';
}

}  // namespace

UserFlow flow_of(events::Event const& event) {
  auto [outcome, uid, order_id, remark] = parse_entry(event.field("entry"));
  auto const* const detail = event.find("more");
  if (detail) outcome.detail = *detail;
  auto const [ms, sequence] = events::parse_id(event.id);
  return {.uid = std::move(uid),
          .flow = {.id = {.ms = ms, .sequence = sequence},
                   .order_id = OrderId::from(order_id).value(),
                   .outcome = std::move(outcome),
                   .remark = std::string(remark)}};
}

// Runs for every entry, so it writes the JSON by hand. Only the remark may need escaping.
events::FeedEvent to_feed(std::string const& /*stream*/, events::Event const& event) {
  auto const [outcome, uid, order_id, remark] = parse_entry(event.field("entry"));
  events::FeedEvent told{.system = Scope::ledger,
                         .type = std::string(name_of(outcome.op)),
                         .user_id = uid.str(),
                         .at = outcome.at,
                         .data = {}};
  fmt::format_to(
      std::back_inserter(told.data),
      FMT_COMPILE(
          R"({{"id":"{}","order_id":"{}","op":"{}","status":"{}","type":{},"domain":"{}","amount":{},)"
          R"("old_balance":{},"change":{},"balance":{},"remark":)"),
      event.id, order_id, name_of(outcome.op), name_of(outcome.status), outcome.type, outcome.domain.str(),
      outcome.amount.value(), outcome.old_balance.value(), outcome.change(), outcome.balance.value());
  append_json_string(told.data, remark);
  if (auto const* const detail = event.find("more")) append_detail(told.data, *detail);
  told.data += '}';
  return told;
}

}  // namespace larder::ledger
