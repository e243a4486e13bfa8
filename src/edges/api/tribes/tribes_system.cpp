#include "edges/api/tribes/tribes_system.hpp"

#include "edges/api/tribes/tribes_api.hpp"
#include "edges/api/tribes/tribes_commands.hpp"
#include "edges/api/tribes/tribes_operator.hpp"
#include "systems/tribes/tribes_privacy.hpp"

namespace larder::api {

Settings TribesSystem::settings() { return {text_setting("tribes.rules", rules_file_)}; }

tribes::RulesPtr TribesSystem::rules() const {
  return rules_file_.empty() ? tribes::pizza_rules() : read_rules_file(rules_file_);
}

void TribesSystem::check(Config const&) const { rules(); }

std::vector<cli::Command> TribesSystem::commands() { return tribes_commands(); }

void TribesSystem::migrate(sql::Database& sql) { tribes::TribesJournal(sql).migrate_now(); }

Task<void> TribesSystem::load(Process const& process) {
  background_ =
      std::make_unique<tribes::Background>(process.io, process.redis, process.sql, process.clock,
                                           tribes::BackgroundOptions{.rules = rules()}, process.metrics);
  co_return;
}

Part TribesSystem::part(IoThread const& thread) {
  return Part(std::make_shared<TribesPart>(thread, background_->shared()));
}

std::vector<DueSets> TribesSystem::due_sets(IoThread const& thread, Part const& part) {
  return tribes_due_sets(thread.redis, part.as<TribesPart>());
}

SearchOf TribesSystem::search(IoThread const& /*thread*/, Part const& part) {
  return tribes_search(part.as<TribesPart>());
}

Api TribesSystem::api() const {
  return {
      .tables = {tribes_world_routes(), tribes_town_routes(), tribes_view_routes(), tribes_player_routes()},
      .problem_members = {optional("needs", type::amount, "not_enough_coins: the whole price"),
                          optional("seconds_left", type::amount,
                                   "tapped_too_soon: seconds until the next tap is possible")},
      .tags = {{"tribes", "A game of towns in any number of worlds"}}};
}

Task<void> TribesSystem::export_user(UserStores const& at, UserId user, privacy::ExportTo to) {
  co_await tribes::export_user(at.redis, at.sql, std::move(user), std::move(to));
}

Task<std::string> TribesSystem::forget_user(UserStores const& at, privacy::Subject subject) {
  bool const played = co_await tribes::forget_user(at.redis, at.sql, std::move(subject.user));
  co_return played ? "the id that was drawn for the account stays in ruins and in the events of its worlds"
                   : "";
}

std::vector<std::string_view> TribesSystem::event_types() const {
  return {"created", "changed", "won", "deleted", "joined", "action", "heist", "ruined"};
}

}  // namespace larder::api
