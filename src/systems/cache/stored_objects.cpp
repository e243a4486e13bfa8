#include "systems/cache/stored_objects.hpp"

#include "systems/cache/snowflake.hpp"

namespace larder::cache {

std::optional<std::string_view> StoredObjects::text_at(Place place) {
  return place.field.empty() ? reads_.text(std::move(place.key))
                             : reads_.field(std::move(place.key), place.field);
}

bool StoredObjects::is_in_guild(std::string_view text, Id guild) {
  auto const object = parse(text);
  return object && id_in(object->find("guild_id")) == guild;
}

// Asks for all places at once, so that it takes one round trip, or two for the channel of a guild.
std::optional<StoredObjects::Found> StoredObjects::find_channel(ObjectKey const& key) {
  if (!is_valid(key)) return std::nullopt;
  auto const thread = key.parent == direct_messages ? std::nullopt : reads_.text(keys_.thread(key.id));
  if (!key.parent.empty()) {
    if (auto const text = reads_.field(keys_.channels(key.parent), key.id)) {
      return Found{ObjectKind::channel, *text};
    }
    if (thread && is_in_guild(*thread, key.parent)) return Found{ObjectKind::thread, *thread};
    return std::nullopt;
  }
  auto const direct = reads_.field(keys_.dm_channels(), key.id);
  auto const guild = reads_.text(keys_.guild_of(key.id));
  if (thread) return Found{ObjectKind::thread, *thread};
  if (direct) return Found{ObjectKind::channel, *direct};
  if (!guild || !is_snowflake(*guild)) return std::nullopt;
  auto const text = reads_.field(keys_.channels(*guild), key.id);
  return text ? std::optional(Found{ObjectKind::channel, *text}) : std::nullopt;
}

std::optional<StoredObjects::Found> StoredObjects::find(ObjectKey const& key) {
  if (key.kind == ObjectKind::channel) return find_channel(key);
  auto place = place_of(keys_, key);
  if (!place) return std::nullopt;
  auto const text = text_at(std::move(*place));
  if (!text) return std::nullopt;
  bool const may_be_elsewhere = info_of(key.kind).parent == KindInfo::Parent::optional && !key.parent.empty();
  if (may_be_elsewhere && !is_in_guild(*text, key.parent)) return std::nullopt;
  return Found{key.kind, *text};
}

std::optional<RawObject> StoredObjects::parse(std::optional<std::string_view> stored) {
  if (!stored) return std::nullopt;
  auto text = compact(*stored);
  return text ? RawObject::parse(texts_.emplace_back(std::move(*text))) : std::nullopt;
}

std::optional<RawObject> StoredObjects::get(ObjectKey const& key) {
  auto const found = find(key);
  return found ? parse(found->text) : std::nullopt;
}

}  // namespace larder::cache
