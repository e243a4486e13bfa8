#include "systems/cache/event_rules.hpp"

#include <set>

namespace larder::cache::rules {

namespace {

CascadeJob channel_job(std::optional<Id> guild, Id channel) {
  return {.kind = CascadeJob::Kind::channel,
          .guild = std::string(guild.value_or("@me")),
          .id = std::string(channel)};
}

Result<void> put_channel(Happened const& happened, Put put) {
  TRY(auto const guild, optional_id_of(happened.d, "guild_id"));
  TRY_DO(happened.objects.put_channel(guild, happened.text, put));
  return {};
}

Result<void> put_thread(Happened const& happened, Put put) {
  TRY(auto const guild, id_of(happened.d, "guild_id"));
  TRY(auto thread, object_in(happened.text, "thread"));
  thread.erase("newly_created");
  auto const text = thread.text();
  TRY_DO(happened.objects.put_thread(guild, text, put));
  return {};
}

}  // namespace

Result<void> channel_create(Happened const& happened) { return put_channel(happened, Put::replace); }
Result<void> channel_update(Happened const& happened) { return put_channel(happened, Put::merge); }

Result<void> channel_delete(Happened const& happened) {
  TRY(auto const guild, optional_id_of(happened.d, "guild_id"));
  TRY(auto const channel, id_of(happened.d, "id"));
  Cascade cascade(happened.objects);
  happened.finish(cascade.channel(guild, channel), channel_job(guild, channel));
  return {};
}

// VOICE_CHANNEL_STATUS_UPDATE and the like: the event has the id of the channel and what changes.
Result<void> channel_merge(Happened const& happened) {
  TRY(auto const guild, id_of(happened.d, "guild_id"));
  TRY(auto const channel, id_of(happened.d, "id"));
  TRY(auto newer, object_in(happened.text, "channel"));
  newer.erase("id");
  newer.erase("guild_id");
  happened.objects.merge_channel(guild, channel, newer);
  return {};
}

Result<void> pins_update(Happened const& happened) {
  TRY(auto const guild, optional_id_of(happened.d, "guild_id"));
  TRY(auto const channel, id_of(happened.d, "channel_id"));
  if (!happened.d.has("last_pin_timestamp")) return {};
  RawObject newer;
  newer.set_view("last_pin_timestamp", happened.d.find("last_pin_timestamp"));
  happened.objects.merge_channel(guild, channel, newer);
  return {};
}

Result<void> thread_create(Happened const& happened) { return put_thread(happened, Put::replace); }
Result<void> thread_update(Happened const& happened) { return put_thread(happened, Put::merge); }

Result<void> thread_delete(Happened const& happened) {
  TRY(auto const guild, id_of(happened.d, "guild_id"));
  TRY(auto const thread, id_of(happened.d, "id"));
  Cascade cascade(happened.objects);
  happened.finish(cascade.thread(guild, thread),
                  {.kind = CascadeJob::Kind::thread, .guild = std::string(guild), .id = std::string(thread)});
  return {};
}

void drop_inactive_thread(Happened const& happened, Id guild, Id thread) {
  auto& workspace = happened.workspace();
  auto const& keys = happened.keys();
  std::string text;
  if (auto const object = stored_object(workspace.text_to_change(keys.thread(thread)), text)) {
    auto const metadata = RawObject::parse(object->find("thread_metadata"));
    if (metadata && is_true(metadata->find("archived"))) return;
  }
  workspace.remove_text(keys.thread(thread));
  workspace.replace_hash(keys.thread_members(thread), {}, {});
  workspace.remove_field(keys.threads_of(guild), thread, Role::outermost_index);
}

Result<void> thread_list_sync(Happened const& happened) {
  TRY(auto const guild, id_of(happened.d, "guild_id"));
  TRY(auto const parents, array_in(happened.d, "channel_ids"));
  TRY(auto const threads, array_in(happened.d, "threads"));
  TRY(auto const members, array_in(happened.d, "members"));
  std::set<std::string_view> named;
  for (auto const value : parents) {
    auto const id = id_in(value);
    if (!id) {
      return std::unexpected(Error{.code = errors::invalid_dispatch,
                                   .detail = "channel_ids must have snowflakes",
                                   .field = "channel_ids"});
    }
    named.insert(*id);
  }
  std::set<std::string, std::less<>> active;
  for (auto const value : threads) {
    TRY(auto const thread, happened.objects.put_thread(guild, value, Put::replace));
    active.emplace(thread);
  }
  auto const pairs = happened.workspace().pairs(happened.keys().threads_of(guild));
  for (std::size_t i = 0; i + 1 < pairs.size(); i += 2) {
    bool const asked = named.empty() || named.contains(pairs[i + 1]);
    if (asked && !active.contains(pairs[i])) drop_inactive_thread(happened, guild, pairs[i]);
  }
  for (auto const value : members) {
    TRY(auto const member, object_in(value, "members"));
    TRY(auto const thread, id_of(member, "id"));
    auto const own = happened.objects.self();
    if (!own && is_absent(member.find("user_id"))) continue;
    TRY_DO(happened.objects.put_thread_member(guild, thread, value, Put::merge, own));
  }
  return {};
}

Result<void> thread_member_update(Happened const& happened) {
  TRY(auto const guild, id_of(happened.d, "guild_id"));
  TRY(auto const thread, id_of(happened.d, "id"));
  auto const own = is_absent(happened.d.find("user_id")) ? happened.objects.self() : std::nullopt;
  if (!own && is_absent(happened.d.find("user_id"))) return {};
  TRY_DO(happened.objects.put_thread_member(guild, thread, happened.text, Put::merge, own));
  return {};
}

Result<void> thread_members_update(Happened const& happened) {
  TRY(auto const guild, id_of(happened.d, "guild_id"));
  TRY(auto const thread, id_of(happened.d, "id"));
  TRY(auto const added, array_in(happened.d, "added_members"));
  TRY(auto const removed, array_in(happened.d, "removed_member_ids"));
  for (auto const value : added) {
    TRY_DO(happened.objects.put_thread_member(guild, thread, value, Put::merge));
  }
  for (auto const value : removed) {
    auto const user = id_in(value);
    if (!user) {
      return std::unexpected(Error{.code = errors::invalid_dispatch,
                                   .detail = "removed_member_ids must have snowflakes",
                                   .field = "removed_member_ids"});
    }
    happened.workspace().remove_field(happened.keys().thread_members(thread), *user);
  }
  if (happened.d.has("member_count")) {
    RawObject newer;
    newer.set_view("member_count", happened.d.find("member_count"));
    happened.objects.merge_channel(guild, thread, newer);
  }
  return {};
}

Result<void> stage_put(Happened const& happened) {
  TRY(auto const guild, id_of(happened.d, "guild_id"));
  TRY_DO(happened.objects.put_stage_instance(guild, happened.text));
  return {};
}

Result<void> stage_delete(Happened const& happened) {
  TRY(auto const guild, id_of(happened.d, "guild_id"));
  TRY(auto const channel, id_of(happened.d, "channel_id"));
  happened.workspace().remove_text(happened.keys().stage_instance(channel));
  happened.workspace().remove(happened.keys().stages_of(guild), channel, Role::index);
  return {};
}

Result<void> invite_create(Happened const& happened) {
  TRY_DO(happened.objects.put_invite(happened.text));
  return {};
}

Result<void> invite_delete(Happened const& happened) {
  TRY(auto const guild, optional_id_of(happened.d, "guild_id"));
  auto const code = text_in(happened.d.find("code"));
  if (!code || !is_code(*code)) {
    return std::unexpected(Error{.code = errors::invalid_dispatch,
                                 .detail = "code must be 1 to 64 letters, digits and hyphens",
                                 .field = "code"});
  }
  happened.workspace().remove_text(happened.keys().invite(*code));
  if (guild) happened.workspace().remove_field(happened.keys().invites_of(*guild), *code, Role::index);
  return {};
}

Result<void> webhooks_update(Happened const& happened) {
  TRY(auto const guild, id_of(happened.d, "guild_id"));
  TRY(auto const channel, id_of(happened.d, "channel_id"));
  Cascade(happened.objects).webhooks(guild, channel, std::nullopt);
  return {};
}

}  // namespace larder::cache::rules
