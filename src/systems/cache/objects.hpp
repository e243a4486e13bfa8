// Takes Discord's objects apart. A nested object that has its own id goes to its own key, and its parent
// keeps only the id. docs/cache.md lists what is taken out of which object.
#pragma once

#include "base/error.hpp"
#include "base/time.hpp"
#include "systems/cache/cache_keys.hpp"
#include "systems/cache/raw_json.hpp"
#include "systems/cache/resources.hpp"
#include "systems/cache/workspace.hpp"

#include <bitset>

namespace larder::cache {

namespace errors {
inline constexpr ErrorCode invalid_dispatch{ErrorKind::invalid, "invalid_dispatch"};
}

struct CacheSetup {
  CacheKeys keys;
  KeepRules keep;
  std::bitset<resource_count> feed = {};  // the resources whose events go to the feed
};

// How an object is stored if the cache already has it.
enum class Put : std::uint8_t { replace, merge };

// An object without its nested objects.
struct Part {
  std::string_view id;
  RawObject object;
};

// Refuses a value that is not an object, with the name of the field.
Result<RawObject> object_in(std::string_view value, std::string_view field);
// The id that a member of an object has. Refuses anything else.
Result<Id> id_of(RawObject const& object, std::string_view name);
// The same for a member that may be missing or null.
Result<std::optional<Id>> optional_id_of(RawObject const& object, std::string_view name);

// The text of a stored object with the members of `newer`. If the stored text is no JSON object, it is lost.
std::string merge_into(std::optional<std::string_view> stored, RawObject const& newer);

// Writes objects into a workspace. The values are parts of a text that outlives the Objects.
//
// A function `take_x` writes what is nested in an x and returns the rest. A function `put_x` also writes the
// x itself. All of them refuse objects whose ids or nested objects are malformed.
class Objects {
 public:
  Objects(Workspace& workspace, CacheSetup const& setup, TimeMs now)
      : workspace_(workspace), setup_(setup), now_(now) {}

  // Returns the id of the user. Users are always merged.
  Result<Id> put_user(std::string_view value);
  // The same. `is_in_guild` says whether the user is in a guild, if the caller knows.
  Result<Id> put_user(std::string_view value, std::optional<bool> is_in_guild);
  // `user`: whose member it is, if the object does not say so.
  Result<Id> put_member(Id guild, std::string_view value, Put put, std::optional<Id> user = {});
  // A presence of somebody who is offline is removed.
  Result<Id> put_presence(Id guild, std::string_view value);
  Result<Id> put_voice_state(Id guild, std::string_view value);
  // Without a guild: a direct message.
  Result<Id> put_channel(std::optional<Id> guild, std::string_view value, Put put);
  Result<Id> put_thread(Id guild, std::string_view value, Put put);
  Result<Id> put_thread_member(Id guild, Id thread, std::string_view value, Put put,
                               std::optional<Id> user = {});
  Result<Id> put_message(std::string_view value, std::optional<Id> guild = {});
  Result<Id> put_stage_instance(Id guild, std::string_view value);
  Result<Id> put_application(std::string_view value);
  Result<std::string_view> put_invite(std::string_view value);
  Result<Id> put_webhook(std::string_view value);
  Result<Id> put_interaction(std::string_view value);

  Result<Part> take_voice_state(Id guild, std::string_view value);
  Result<Part> take_channel(std::optional<Id> guild, std::string_view value);
  // An object with an `id` and perhaps a user: an emoji, a sticker, a role, an integration, an event, a
  // template. `field` is the name of the member that is a user.
  Result<Part> take_simple(std::string_view value, std::string_view what, std::string_view field = {},
                           std::string_view id = "id");
  // Soundboard sounds stay inside their guild; only their users are taken out.
  Result<std::string> take_sounds(std::string_view array);

  // Writes one object of a hash, such as a role.
  void put_field(Resource resource, std::string hash, Part part, Put put);
  // Says in which channel a message is, so that the message and its reactions go together with the channel.
  void note_message(std::optional<Id> guild, Id channel, Id message);
  // Says in which guild a channel is, so that the channel is found without its guild.
  void note_channel(Id guild, Id channel);
  // Says that a user is a member of a guild.
  void join(Id guild, Id user);
  // Merges into an object that the cache has; does nothing if the cache does not have it.
  void merge_channel(std::optional<Id> guild, Id channel, RawObject const& newer);
  void merge_text(std::string const& key, RawObject const& newer, Resource resource);

  bool keeps(Resource resource) const { return setup_.keep[resource].kept; }
  Workspace::Ttl ttl(Resource resource) const { return setup_.keep[resource].ttl; }
  // How long a message may still be kept; nothing: it is too old. Messages are kept for a time after Discord
  // made them, not after they were stored.
  std::optional<Workspace::Ttl> ttl_of_message(Id message) const;
  CacheKeys const& keys() const { return setup_.keys; }
  Workspace& workspace() { return workspace_; }
  TimeMs now() const { return now_; }
  // The bot's own user, which READY names.
  std::optional<std::string> self();

 private:
  Result<void> take_out(RawObject& object, std::string_view field,
                        Result<Id> (Objects::*put)(std::string_view));
  Result<void> take_users(RawObject& object, std::string_view field);
  Result<void> take_interaction_users(RawObject& object, std::string_view field, std::optional<Id> guild);
  Result<void> take_resolved(RawObject& object, std::optional<Id> guild);

  Workspace& workspace_;
  CacheSetup const& setup_;
  TimeMs now_;
};

}  // namespace larder::cache
