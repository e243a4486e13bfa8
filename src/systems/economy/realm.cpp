#include "systems/economy/realm.hpp"

#include "base/hash.hpp"
#include "systems/economy/reserved_words.hpp"

#include <algorithm>

namespace larder::economy {

namespace {

constexpr std::string_view name_of_key(EffectKind kind) {
  switch (kind) {
    case EffectKind::gain: return "gain";
    case EffectKind::discombobulate: return "discombobulate-buff";
    case EffectKind::vampire: return "vampire-curse";
  }
  return {};
}

}  // namespace

std::optional<std::string> problem_of_player(UserId const& id) {
  bool const is_word = std::ranges::find(reserved_players, id.str()) != std::end(reserved_players);
  // All words of the ledger begin with score_. Other ids with this beginning are also refused, so that the
  // ledger can add words.
  if (!is_word && !id.str().starts_with("score_")) return std::nullopt;
  return "is a word that Larder uses itself";
}

std::string RealmKeys::idempotency_key(IdempotencyKey const& of) const {
  return prefix_ + "once:" + key_hash(of.key);
}

RealmKeys::RealmKeys(RealmId const& realm)
    : prefix_(realm.str() == default_realm ? "" : "{" + realm.str() + "}:") {}

std::string RealmKeys::of(UserId const& player, std::string_view what) const {
  std::string key;
  key.reserve(prefix_.size() + player.str().size() + 1 + what.size());
  return key.append(prefix_).append(player.str()).append(":").append(what);
}

std::string RealmKeys::effect(UserId const& player, EffectKind kind) const {
  return of(player, name_of_key(kind));
}

std::string RealmKeys::inventory_pattern() const { return prefix_ + "*:inventory"; }

std::optional<UserId> RealmKeys::owner_of_inventory(std::string_view key) const {
  constexpr std::string_view end = ":inventory";
  return UserId::from(key.substr(prefix_.size(), key.size() - prefix_.size() - end.size()));
}

std::vector<Cooldown> cooldowns_of(RealmKeys const& keys, Catalogue const& catalogue, UserId const& player) {
  std::vector<Cooldown> cooldowns{
      {.name = std::string(discombobulate_cooldown), .key = keys.discombobulate_lock(player)}};
  for (auto const& reward : catalogue.rewards)
    cooldowns.push_back({.name = reward.name, .key = keys.reward(player, reward.name)});
  if (catalogue.farm.cooldown_s > 0)
    cooldowns.push_back({.name = std::string(farm_cooldown), .key = keys.farm_lock(player)});
  return cooldowns;
}

RealmPtr RealmBook::find(RealmId const& id) const {
  std::lock_guard const lock(mutex_);
  auto const found = realms_.find(id.str());
  return found == realms_.end() ? nullptr : found->second;
}

std::pair<RealmPtr, bool> RealmBook::add(RealmId const& id) {
  std::lock_guard const lock(mutex_);
  auto& realm = realms_[id.str()];
  bool const fresh = !realm;
  if (fresh) realm = std::make_shared<Realm>(id);
  return {realm, fresh};
}

std::vector<RealmPtr> RealmBook::all() const {
  std::lock_guard const lock(mutex_);
  std::vector<RealmPtr> realms;
  realms.reserve(realms_.size());
  for (auto const& [name, realm] : realms_) realms.push_back(realm);
  return realms;
}

}  // namespace larder::economy
