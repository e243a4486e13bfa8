// Channels, threads, stages, invites and webhooks: a function for each row of the table of events.
#include "cache_workload/model.hpp"

namespace larder::cache {

void Model::channel_create(Object const& d) { channel(text_at(d, "guild_id"), d, Keep::replace); }
void Model::channel_update(Object const& d) { channel(text_at(d, "guild_id"), d, Keep::merge); }
void Model::channel_delete(Object const& d) { drop_channel(text_at(d, "guild_id"), text_at(d, "id")); }

void Model::channel_merge(Object const& d) {
  auto newer = d;
  newer.erase("id");
  newer.erase("guild_id");
  merge_channel(text_at(d, "guild_id"), text_at(d, "id"), newer);
}

void Model::pins_update(Object const& d) {
  if (!d.contains("last_pin_timestamp")) return;
  merge_channel(text_at(d, "guild_id"), text_at(d, "channel_id"),
                {{"last_pin_timestamp", d.at("last_pin_timestamp")}});
}

void Model::thread_create(Object const& d) { thread(text_at(d, "guild_id"), d, Keep::replace); }
void Model::thread_update(Object const& d) { thread(text_at(d, "guild_id"), d, Keep::merge); }
void Model::thread_delete(Object const& d) { drop_thread(text_at(d, "guild_id"), text_at(d, "id")); }

// Threads of the named channels that are not in the list are not active any more.
void Model::thread_list_sync(Object const& d) {
  auto const guild = text_at(d, "guild_id");
  Set named;
  for (auto const& each : array_at(d, "channel_ids")) named.insert(std::string(each.as_string()));
  Set active;
  for (auto const& each : array_at(d, "threads")) {
    thread(guild, each.as_object(), Keep::replace);
    active.insert(text_at(each.as_object(), "id"));
  }
  for (auto const& [id, parent] : Hash(hashes_["{guilds:" + guild + "}:threads"])) {
    bool const asked = named.empty() || named.contains(std::string(parent.as_string()));
    if (asked && !active.contains(id)) drop_inactive(guild, id);
  }
  for (auto const& each : array_at(d, "members")) {
    auto member = each.as_object();
    if (text_at(member, "user_id").empty()) member["user_id"] = self_;
    thread_member(guild, text_at(member, "id"), member);
  }
}

void Model::thread_member_update(Object const& d) {
  auto member = d;
  if (text_at(member, "user_id").empty()) member["user_id"] = self_;
  thread_member(text_at(d, "guild_id"), text_at(d, "id"), member);
}

void Model::thread_members_update(Object const& d) {
  auto const guild = text_at(d, "guild_id");
  auto const id = text_at(d, "id");
  for (auto const& each : array_at(d, "added_members")) thread_member(guild, id, each.as_object());
  for (auto const& each : array_at(d, "removed_member_ids")) {
    hashes_["thread-members:" + id].erase(std::string(each.as_string()));
  }
  if (d.contains("member_count")) merge_channel(guild, id, {{"member_count", d.at("member_count")}});
}

void Model::stage_put(Object const& d) { stage(text_at(d, "guild_id"), d); }
void Model::stage_delete(Object const& d) { drop_stage(text_at(d, "guild_id"), text_at(d, "channel_id")); }

void Model::invite_create(Object const& d) {
  auto invite = d;
  auto const code = text_at(d, "code");
  take_user(invite, "inviter");
  take_user(invite, "target_user");
  auto const* const max_age = d.if_contains("max_age");
  if (max_age && max_age->as_int64() > 0) {
    expiring_.insert("invites:" + code);
  } else {
    expiring_.erase("invites:" + code);
  }
  texts_["invites:" + code] = invite;
  hashes_["{guilds:" + text_at(d, "guild_id") + "}:invites"][code] = d.at("channel_id");
}
void Model::invite_delete(Object const& d) {
  texts_.erase("invites:" + text_at(d, "code"));
  hashes_["{guilds:" + text_at(d, "guild_id") + "}:invites"].erase(text_at(d, "code"));
}

void Model::webhooks_update(Object const& d) {
  drop_webhooks(text_at(d, "guild_id"), text_at(d, "channel_id"), "");
}

}  // namespace larder::cache
