// A realm: its keys, its catalogue, and its places at the projector and the scheduler.
#pragma once

#include "systems/economy/economy_types.hpp"

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace larder::economy {

// In the default realm, the keys of the original ajo bot. In any other realm, each
// key begins with "{realm}:".
class RealmKeys {
 public:
  explicit RealmKeys(RealmId const& realm);

  std::string points() const { return prefix_ + "ajobus"; }
  std::string items() const { return prefix_ + "ajobus-inventory"; }
  std::string leaderboard() const { return prefix_ + "lb"; }
  std::string drop_rate() const { return prefix_ + "drop-rate"; }
  std::string item(std::string_view item) const { return prefix_ + "items:" + std::string(item); }
  std::string craft(std::string_view item) const { return prefix_ + "craft:" + std::string(item); }
  std::string catalogue() const { return prefix_ + "catalogue"; }  // its version
  std::string catalogue_data() const { return prefix_ + "catalogue-data"; }
  std::string catalogue_source() const { return prefix_ + "catalogue-source"; }
  std::string bomb() const { return prefix_ + "bomb"; }          // who planted the pending bomb
  std::string bomb_due() const { return prefix_ + "bomb-due"; }  // when the last pending bomb was due
  std::string bombs() const { return prefix_ + "bombs"; }        // planted bombs by due time
  std::string bombs_schedule() const { return prefix_ + "bombs-schedule"; }
  std::string roulette(RouletteId const& id) const { return prefix_ + "roulette:" + id.str(); }
  std::string idempotency_key(IdempotencyKey const& of) const;

  std::string name(UserId const& player) const { return prefix_ + player.str(); }
  std::string inventory(UserId const& player) const { return of(player, "inventory"); }
  std::string vampire(UserId const& player) const { return of(player, "vampire"); }
  std::string effect(UserId const& player, EffectKind kind) const;
  std::string discombobulate_lock(UserId const& player) const { return of(player, "discombobulate"); }
  std::string farm_lock(UserId const& player) const { return of(player, "farm_lock"); }
  std::string reward(UserId const& player, std::string_view reward) const { return of(player, reward); }
  std::string imported() const { return prefix_ + "ajobus:imported"; }  // players who were imported

  // Matches the inventories of all players; `*` stands for the player's id.
  std::string inventory_pattern() const;
  // The owner of an inventory key; nothing if no player can have that id.
  std::optional<UserId> owner_of_inventory(std::string_view key) const;
  std::string const& prefix() const { return prefix_; }

 private:
  std::string of(UserId const& player, std::string_view what) const;

  std::string prefix_;
};

// What a player can have to wait for: its name in answers, and its key.
struct Cooldown {
  std::string name;
  std::string key;
};
inline constexpr std::string_view discombobulate_cooldown = "discombobulate";
std::vector<Cooldown> cooldowns_of(RealmKeys const& keys, Catalogue const& catalogue, UserId const& player);

// What to do about a realm that does not exist.
enum class IfMissing { create, leave };

inline constexpr std::string_view default_realm = "default";
inline constexpr std::string_view realms_key = "{larder}:economy:realms";  // a set of all realms
// The version of the catalogue of a realm that is being deleted. No real catalogue has this version, so the
// script of every move stops.
inline constexpr std::string_view closed_version = "closed";
// The realms that some server has used within the last minute or so, each with the time of its last mark.
// Only these can have events that a dead server has left.
inline constexpr std::string_view busy_key = "{larder}:economy:busy";

// Thread-safe.
class Realm {
 public:
  explicit Realm(RealmId id) : id(std::move(id)), keys(this->id) {}

  CataloguePtr catalogue() const { return catalogue_.load(); }
  void put(CataloguePtr catalogue) { catalogue_.store(std::move(catalogue)); }

  RealmId const id;
  RealmKeys const keys;
  // The indices of this realm at the projector and the scheduler; `nowhere` until they know the realm.
  static constexpr std::size_t nowhere = std::size_t(-1);
  std::atomic<std::size_t> points_stream = nowhere;
  std::atomic<std::size_t> items_stream = nowhere;
  std::atomic<std::size_t> bombs_set = nowhere;
  // When this process marked the realm as in use, in ms of the steady clock.
  mutable std::atomic<std::int64_t> marked_ms = 0;
  // Whether another server may have left work here. Only the background thread uses it.
  bool is_looked_at = true;

 private:
  std::atomic<CataloguePtr> catalogue_;
};

using RealmPtr = std::shared_ptr<Realm>;

// The realms that this process knows. Thread-safe. A realm is never removed.
class RealmBook {
 public:
  RealmPtr find(RealmId const& id) const;  // null if the realm is unknown
  // The realm, and whether this call added it.
  std::pair<RealmPtr, bool> add(RealmId const& id);
  std::vector<RealmPtr> all() const;

 private:
  mutable std::mutex mutex_;
  std::map<std::string, RealmPtr, std::less<>> realms_;
};

}  // namespace larder::economy
