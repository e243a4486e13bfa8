#include "base/number.hpp"
#include "base/try.hpp"
#include "systems/cache/cache_errors.hpp"
#include "systems/cache/permissions.hpp"
#include "systems/cache/snowflake.hpp"
#include "systems/cache/stored_objects.hpp"

#include <algorithm>

namespace larder::cache {

namespace {

// A 64-bit number, which Discord writes as a string.
std::uint64_t bits_in(std::string_view value) {
  auto const text = is_string(value) ? value.substr(1, value.size() - 2) : value;
  return parse_int<std::uint64_t>(text).value_or(0);
}

std::vector<Overwrite> overwrites_of(RawObject const& channel) {
  std::vector<Overwrite> overwrites;
  for (auto const element : elements_of(channel.find("permission_overwrites"))) {
    auto const object = RawObject::parse(element);
    auto const id = object ? id_in(object->find("id")) : std::nullopt;
    if (!id) continue;
    auto const type = object->find("type");
    overwrites.push_back({.id = std::string(*id),
                          .of_member = type == "1" || type == "\"member\"",
                          .allow = bits_in(object->find("allow")),
                          .deny = bits_in(object->find("deny"))});
  }
  return overwrites;
}

std::unexpected<Error> lacks(std::string_view what) {
  return refuse(errors::not_cached, fmt::format("{} is not cached", what));
}

Result<ChannelInput> collect_channel(StoredObjects& stored, std::string const& guild, std::string const& id) {
  auto const found = stored.find({.kind = ObjectKind::channel, .parent = guild, .id = id});
  auto const channel = found ? stored.parse(found->text) : std::nullopt;
  if (!channel) return lacks("the channel");
  ChannelInput input{.type = int(int_in(channel->find("type")).value_or(0)),
                     .is_thread = found->kind == ObjectKind::thread};
  if (!input.is_thread) {
    input.overwrites = overwrites_of(*channel);
    return input;
  }
  auto const parent_id = id_in(channel->find("parent_id"));
  auto const parent = parent_id
                          ? stored.parse(stored.reads().field(stored.keys().channels(guild), *parent_id))
                          : std::nullopt;
  if (!parent) return lacks("the parent of the thread");
  input.overwrites = overwrites_of(*parent);
  return input;
}

}  // namespace

Result<PermissionInput> collect_permissions(Reads& reads, CacheKeys const& keys, std::string const& guild,
                                            std::string const& user,
                                            std::optional<std::string> const& channel, TimeMs now) {
  if (!is_snowflake(guild)) return lacks("the guild");
  StoredObjects stored(reads, keys);
  // Asks for everything before the first refusal, so that this takes few round trips.
  auto const guild_object = stored.get({.kind = ObjectKind::guild, .id = guild});
  auto const member = stored.get({.kind = ObjectKind::member, .parent = guild, .id = user});
  auto const everyone = stored.get({.kind = ObjectKind::role, .parent = guild, .id = guild});
  auto const gone = reads.elements(keys.gone_roles(guild));
  auto channel_input = channel ? collect_channel(stored, guild, *channel) : Result<ChannelInput>();
  PermissionInput input{.guild = guild, .user = user};
  for (auto const element : elements_of(member ? member->find("roles") : "")) {
    auto const id = id_in(element);
    if (!id || std::ranges::find(gone, *id) != gone.end() || *id == guild) continue;
    auto const role = stored.parse(reads.field(keys.roles(guild), *id));
    if (role) input.roles.push_back({std::string(*id), bits_in(role->find("permissions"))});
  }
  if (!guild_object) return lacks("the guild");
  if (!member) return lacks("the member");
  if (!everyone) return lacks("the role @everyone");
  if (channel) {
    TRY(input.channel, std::move(channel_input));
  }
  input.everyone = bits_in(everyone->find("permissions"));
  input.is_owner = id_in(guild_object->find("owner_id")) == user;
  auto const until = text_in(member->find("communication_disabled_until"));
  auto const until_time = until ? parse_rfc3339(*until) : std::nullopt;
  input.is_timed_out = until_time && *until_time > now;
  return input;
}

}  // namespace larder::cache
