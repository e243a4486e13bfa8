#include "systems/cache/event_rules.hpp"

namespace larder::cache::rules {

namespace {

void count_member(Happened const& happened, Id guild, std::int64_t change) {
  change_guild(happened, guild, [&](RawObject& object) {
    if (int_in(object.find("member_count"))) add_to(object, "member_count", change);
  });
}

// On a cluster, the member and the count in the guild are written in the same step, but the index is not. So
// the member decides. A member that has expired is still in the index.
bool is_counted(Happened const& happened, Id guild, Id user) {
  auto const& keys = happened.keys();
  if (happened.workspace().text(keys.member(guild, user))) return true;
  bool const expires = happened.objects.ttl(Resource::members).count() > 0;
  return expires && happened.workspace().has(keys.members(guild), user);
}

Result<Id> user_of(RawObject const& d) {
  TRY(auto const user, object_in(d.find("user"), "user"));
  return id_of(user, "id");
}

}  // namespace

// The event may come for somebody who is already a member: then the count stays.
Result<void> member_add(Happened const& happened) {
  TRY(auto const guild, id_of(happened.d, "guild_id"));
  TRY(auto const user, user_of(happened.d));
  if (!is_counted(happened, guild, user)) count_member(happened, guild, 1);
  TRY_DO(happened.objects.put_member(guild, happened.text, Put::replace));
  return {};
}

Result<void> member_update(Happened const& happened) {
  TRY(auto const guild, id_of(happened.d, "guild_id"));
  TRY_DO(happened.objects.put_member(guild, happened.text, Put::merge));
  return {};
}

Result<void> member_remove(Happened const& happened) {
  TRY(auto const guild, id_of(happened.d, "guild_id"));
  TRY(auto const user, user_of(happened.d));
  TRY_DO(happened.objects.put_user(happened.d.find("user")));
  bool const known = !happened.objects.keeps(Resource::members) || is_counted(happened, guild, user);
  if (known) count_member(happened, guild, -1);
  Cascade(happened.objects).member(guild, user);
  return {};
}

Result<void> members_chunk(Happened const& happened) {
  TRY(auto const guild, id_of(happened.d, "guild_id"));
  TRY(auto const members, array_in(happened.d, "members"));
  TRY(auto const presences, array_in(happened.d, "presences"));
  for (auto const value : members) TRY_DO(happened.objects.put_member(guild, value, Put::replace));
  for (auto const value : presences) TRY_DO(happened.objects.put_presence(guild, value));
  return {};
}

// The event does not carry the reason. If somebody has put the reason into the cache, it stays.
Result<void> ban_add(Happened const& happened) {
  TRY(auto const guild, id_of(happened.d, "guild_id"));
  TRY(auto const user, happened.objects.put_user(happened.d.find("user")));
  if (!happened.objects.keeps(Resource::bans)) return {};
  auto const key = happened.keys().ban(guild, user);
  std::string reason(happened.workspace().text(key).value_or("null"));
  happened.workspace().set_text(key, std::move(reason), happened.objects.ttl(Resource::bans));
  happened.workspace().add(happened.keys().bans_of(guild), user, Role::index);
  return {};
}

Result<void> ban_remove(Happened const& happened) {
  TRY(auto const guild, id_of(happened.d, "guild_id"));
  TRY(auto const user, happened.objects.put_user(happened.d.find("user")));
  happened.workspace().remove_text(happened.keys().ban(guild, user));
  happened.workspace().remove(happened.keys().bans_of(guild), user, Role::index);
  return {};
}

Result<void> presence_update(Happened const& happened) {
  TRY(auto const guild, id_of(happened.d, "guild_id"));
  TRY_DO(happened.objects.put_presence(guild, happened.text));
  return {};
}

// Without a guild, it is a call among friends, which bots do not have.
Result<void> voice_state_update(Happened const& happened) {
  TRY(auto const guild, optional_id_of(happened.d, "guild_id"));
  if (guild) TRY_DO(happened.objects.put_voice_state(*guild, happened.text));
  return {};
}

Result<void> user_update(Happened const& happened) {
  TRY_DO(happened.objects.put_user(happened.text));
  return {};
}

}  // namespace larder::cache::rules
