#include "kit/events/dead_events.hpp"
#include "kit/events/outbox_positions.hpp"
#include "kit/events/privacy/mentions.hpp"
#include "kit/events/projector.hpp"
#include "systems/ledger/account_reader.hpp"
#include "systems/ledger/forgotten_flows.hpp"
#include "systems/ledger/ledger_outbox.hpp"
#include "systems/ledger/ledger_privacy.hpp"

namespace larder::ledger {

namespace {

constexpr int exported_at_once = 1000;
constexpr auto export_patience = std::chrono::seconds(2);

json::value time_or_null(std::int64_t ms) { return ms == 0 ? json::value() : json::value(to_rfc3339({ms})); }

json::array parts_json(Parts const& parts) {
  json::array all;
  for (auto const& [expires, points] : parts)
    all.push_back(json::object{{"points", points}, {"expires_at", time_or_null(expires)}});
  return all;
}

json::object account_json(Account const& account, AccountState const& state) {
  json::array holds;
  for (auto const& [order, hold] : state.holds) {
    holds.push_back(json::object{
        {"order_id", order}, {"amount", points_of(hold.parts)}, {"expires_at", time_or_null(hold.expires)}});
  }
  json::array transfers;
  for (auto const& [order, sent] : state.sent) {
    transfers.push_back(json::object{{"order_id", order},
                                     {"to", sent.to},
                                     {"amount", points_of(sent.parts)},
                                     {"sent_at", to_rfc3339({sent.sent_at})},
                                     {"remark", sent.remark}});
  }
  json::array waiting;
  for (auto const& [times, points] : state.waiting) {
    waiting.push_back(json::object{{"points", points},
                                   {"effective_at", to_rfc3339({times.first})},
                                   {"expires_at", time_or_null(times.second)}});
  }
  return {{"type", account.type},
          {"domain", account.domain.str()},
          {"balance", state.balance},
          {"lots", parts_json({state.lots.begin(), state.lots.end()})},
          {"waiting", std::move(waiting)},
          {"holds", std::move(holds)},
          {"transfers", std::move(transfers)}};
}

json::object flow_json(Flow const& flow) {
  auto const& outcome = flow.outcome;
  return {{"id", flow.id.str()},
          {"order_id", flow.order_id.str()},
          {"op", name_of(outcome.op)},
          {"status", name_of(outcome.status)},
          {"type", outcome.type},
          {"domain", outcome.domain.str()},
          {"amount", outcome.amount.value()},
          {"old_balance", outcome.old_balance.value()},
          {"balance", outcome.balance.value()},
          {"detail", outcome.detail},
          {"remark", flow.remark},
          {"at", to_rfc3339(outcome.at)}};
}

Task<void> export_set_aside(PrivacyStores stores, UserId user, privacy::ExportTo to) {
  // Events are dead because something is wrong with them, so perhaps they cannot be read.
  auto const take = [&](events::Event const& event) {
    try {
      auto const [uid, flow] = flow_of(event);
      if (uid == user) to("set_aside", flow_json(flow));
    } catch (std::exception const&) {
      auto const* const entry = event.find("entry");
      if (entry && privacy::names(*entry, user.str())) to("set_aside", {{"id", event.id}, {"entry", *entry}});
    }
  };
  events::OutboxKeys const keys(stores.keys.shards()[stores.keys.shard_of(user)].outbox);
  std::vector<std::string> const streams{keys.dead, keys.retry};
  for (auto const& stream : streams) {
    co_await events::each_dead(stores.redis, stream,
                               [&](events::DeadEvent const& dead) { take(dead.event); });
  }
  co_await events::each_lost(stores.redis, keys.stream, [&](events::Event const& event) { take(event); });
}

}  // namespace

Task<void> export_user(PrivacyStores stores, UserId user, privacy::ExportTo to) {
  co_await events::caught_up(stores.redis, stores.keys.shards()[stores.keys.shard_of(user)].outbox,
                             export_patience);
  for (auto const& account : co_await accounts_with_flows(stores.journal, user)) {
    auto const stored = co_await read_account(stores.redis, stores.keys, account);
    to("accounts", account_json(account, stored.state));
  }
  std::optional<UserFlow> last;
  for (;;) {
    auto const page = co_await stores.journal.page_of(user, last, exported_at_once);
    for (auto const& each : page) to("flows", flow_json(each.flow));
    if (page.empty()) break;
    last = page.back();
  }
  co_await export_set_aside(stores, user, to);
}

}  // namespace larder::ledger
