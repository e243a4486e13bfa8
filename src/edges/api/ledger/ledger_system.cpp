#include "edges/api/ledger/ledger_system.hpp"

#include "edges/api/ledger/ledger_api.hpp"
#include "edges/api/ledger/ledger_commands.hpp"
#include "edges/api/ledger/ledger_operator.hpp"
#include "systems/ledger/ledger_privacy.hpp"

namespace larder::api {

Settings LedgerSystem::settings() {
  return {text_setting("ledger.key_format", values_.key_format),
          number_setting("ledger.order_shards", values_.order_shards, 1, 1000),
          number_setting("ledger.flow_tables", values_.flow_tables, 1, 1000)};
}

void LedgerSystem::check(Config const& config) const {
  ledger::Keys(values_.key_format, redis::parse_url(config.redis.url).cluster);
}

std::vector<cli::Command> LedgerSystem::commands() { return ledger_commands(values_); }

void LedgerSystem::migrate(sql::Database& sql) { ledger::Journal(sql, values_.flow_tables).migrate_now(); }

Task<void> LedgerSystem::load(Process const& process) {
  // Each clock may be off by this much, so two may differ by twice as much.
  auto const margin_ms = 2 * process.config.server.clock_off_max_s * 1000;
  background_ =
      std::make_unique<ledger::Background>(process.io, process.redis, process.sql, process.clock,
                                           ledger::BackgroundOptions{.key_format = values_.key_format,
                                                                     .cluster = process.redis.is_cluster(),
                                                                     .order_shards = values_.order_shards,
                                                                     .flow_tables = values_.flow_tables,
                                                                     .clock_margin_ms = margin_ms},
                                           process.metrics);
  co_await background_->load_types();
}

Part LedgerSystem::part(IoThread const& thread) {
  return Part(std::make_shared<ledger::Ledger>(thread.redis, background_->shared()));
}

std::vector<DueSets> LedgerSystem::due_sets(IoThread const& thread, Part const& /*part*/) {
  return ledger_due_sets(thread.redis, background_->shared());
}

SearchOf LedgerSystem::search(IoThread const& /*thread*/, Part const& /*part*/) {
  return ledger_search(background_->shared());
}

Api LedgerSystem::api() const {
  return {.tables = {ledger_routes(), ledger_moves_routes(), ledger_views_routes()},
          .path_words = {required("uid", type::user_id, "the user"),
                         required("domain", type::domain, "the domain"),
                         required("order_id", type::order_id, "the order")},
          .problem_members =
              {optional("balance", type::amount, "insufficient_balance: the present balance"),
               optional("fields", type::array(type::text()),
                        "order_conflict: the fields that differ from the first request"),
               optional("index", type::amount, "batch_refused: the index of the refused entry, from 0"),
               optional("order_id", type::text(), "the order; batch_refused: the order of the refused entry"),
               optional("reason", type::text(), "batch_refused: the code of the entry's refusal"),
               optional("key", type::text(), "foreign_record: the key whose value Larder did not write"),
               optional("original",
                        type::object({required("op", type::text(), "add, deduct or reset"),
                                      required("status", type::text(), "ok or insufficient_balance"),
                                      required("amount", type::amount, "the requested amount"),
                                      required("old_balance", type::amount, "the balance before"),
                                      required("balance", type::amount, "the balance after")}),
                        "foreign_record: how the original service decided the order"),
               optional("state", type::text(),
                        "hold_closed: how the hold ended; for a transfer: returned, if the points came back"),
               optional("returned_by", type::text(),
                        "for a transfer: the order under which the points came back"),
               optional("id", type::integer(1), "type_exists: the id of the type that has this name")},
          .tags = {{"ledger", "Points of many types: every change is an order that counts once"}}};
}

Task<void> LedgerSystem::export_user(UserStores const& at, UserId user, privacy::ExportTo to) {
  ledger::Journal journal(at.sql, values_.flow_tables);
  ledger::Keys const keys(values_.key_format, at.redis.is_cluster());
  co_await ledger::export_user({at.redis, journal, keys, at.clock}, std::move(user), std::move(to));
}

Task<std::string> LedgerSystem::forget_user(UserStores const& at, privacy::Subject subject) {
  ledger::Journal journal(at.sql, values_.flow_tables);
  ledger::Keys const keys(values_.key_format, at.redis.is_cluster());
  co_await ledger::forget_user({at.redis, journal, keys, at.clock}, std::move(subject));
  co_return std::string();
}

std::vector<std::string_view> LedgerSystem::event_types() const {
  return {std::begin(ledger::op_names), std::end(ledger::op_names)};
}

}  // namespace larder::api
