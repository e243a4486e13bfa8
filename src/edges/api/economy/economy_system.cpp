#include "edges/api/economy/economy_system.hpp"

#include "edges/api/economy/economy_api.hpp"
#include "edges/api/economy/economy_commands.hpp"
#include "edges/api/economy/economy_operator.hpp"
#include "systems/economy/economy_privacy.hpp"

namespace larder::api {

Settings EconomySystem::settings() {
  return {text_setting("economy.catalogue", catalogue_file_),
          number_setting("economy.stream_events", stream_events_, 1000, 100'000'000),
          flag_setting("economy.allow_seed", allow_seed_)};
}

economy::CataloguePtr EconomySystem::catalogue() const {
  return catalogue_file_.empty() ? economy::ajo_catalogue() : read_catalogue_file(catalogue_file_);
}

void EconomySystem::check(Config const&) const { catalogue(); }

std::vector<cli::Command> EconomySystem::commands() { return economy_commands(catalogue_file_); }

void EconomySystem::migrate(sql::Database& sql) { economy::EconomyJournal(sql).migrate_now(); }

Task<void> EconomySystem::load(Process const& process) {
  background_ = std::make_unique<economy::Background>(
      process.io, process.redis, process.sql, process.clock,
      economy::BackgroundOptions{.catalogue = catalogue(), .stream_events = stream_events_}, process.metrics);
  co_return;
}

Part EconomySystem::part(IoThread const& thread) {
  return Part(std::shared_ptr<EconomyPart>(new EconomyPart{
      .economy = economy::Economy(thread.redis, background_->shared()), .allow_seed = allow_seed_}));
}

std::vector<DueSets> EconomySystem::due_sets(IoThread const& thread, Part const& /*part*/) {
  return economy_due_sets(thread.redis, background_->shared());
}

SearchOf EconomySystem::search(IoThread const& /*thread*/, Part const& /*part*/) {
  return economy_search(background_->shared());
}

Api EconomySystem::api() const {
  return {
      .tables = {economy_routes(), economy_view_routes(), economy_player_routes(), economy_realm_routes(),
                 economy_care_routes()},
      .problem_members = {optional("balance", type::amount, "insufficient_balance: the present balance"),
                          optional("needs", type::map(type::amount),
                                   "insufficient_balance, not_enough_items: what the move needs, by item"),
                          optional("owned", type::amount,
                                   "not_enough_items, stack_full: how many the player owns"),
                          optional("max_stack", type::amount, "stack_full: how many a player can own"),
                          optional("item", type::text(), "stack_full, for a move with several items: which"),
                          optional("seconds_left", type::amount,
                                   "reward_not_ready, on_cooldown: seconds until the move is possible"),
                          optional("minimum", type::amount, "offer_too_low: the least offer")},
      .tags = {{"economy", "A game of points and items in any number of realms"}}};
}

Task<void> EconomySystem::export_user(UserStores const& at, UserId user, privacy::ExportTo to) {
  economy::EconomyJournal journal(at.sql);
  co_await economy::export_user(at.redis, journal, std::move(user), std::move(to));
}

Task<std::string> EconomySystem::forget_user(UserStores const& at, privacy::Subject subject) {
  economy::EconomyJournal journal(at.sql);
  co_await economy::forget_user(at.redis, journal, std::move(subject));
  co_return std::string();
}

std::vector<std::string_view> EconomySystem::event_types() const {
  return {"farm",          "bomb",     "vampire",         "payer",           "payee",
          "timely_reward", "gamble",   "discombobulator", "discombobulatee", "craft_fee",
          "inventory_fee", "ded",      "opening",         "item_earned",     "item_used",
          "item_crafted",  "trader",   "tradee",          "adjust",          "deleted",
          "sale",          "item_sold"};
}

}  // namespace larder::api
