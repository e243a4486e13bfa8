// Where Redis has an object.
#pragma once

#include "base/error.hpp"
#include "systems/cache/cache_keys.hpp"
#include "systems/cache/cache_types.hpp"

#include <optional>
#include <span>

namespace larder::cache {

struct Place {
  std::string key;
  std::string field = {};  // empty: the key is a string, not a hash
};

// What identifies an object of a kind.
struct KindInfo {
  enum class Parent : std::uint8_t { none, optional, required };
  enum class IdForm : std::uint8_t { none, snowflake, code };
  ObjectKind kind;
  std::string_view name;  // in lookups: "member"
  Resource resource;
  Parent parent;
  IdForm id = IdForm::snowflake;
};

KindInfo const& info_of(ObjectKind kind);
// Every kind, in the order of the enumeration.
std::span<KindInfo const> all_kinds();
inline std::string_view kind_name(ObjectKind kind) { return info_of(kind).name; }
inline Resource resource_of(ObjectKind kind) { return info_of(kind).resource; }

// The guild of direct messages.
inline constexpr std::string_view direct_messages = "@me";

// Whether the key has all ids that its kind needs, and they are well-formed.
bool is_valid(ObjectKey const& key);
// Nothing if the ids of the key are malformed. A channel without a guild may be anywhere: of such a channel,
// this is the place among the channels with direct messages.
std::optional<Place> place_of(CacheKeys const& keys, ObjectKey const& key);

// The key that a lookup names: {"member", guild, user}, {"user", id}, {"channel", id}, {"widget", guild}.
Result<ObjectKey> read_object_key(std::span<std::string_view const> words);

}  // namespace larder::cache
