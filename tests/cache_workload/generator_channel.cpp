#include "cache_workload/generator.hpp"

#include <fmt/format.h>

namespace larder::cache {

Generator::Object Generator::channel(std::string const& id) {
  Object channel{{"id", id}, {"type", chance(1, 3) ? 2 : 0}, {"name", some_text()}, {"nsfw", false}};
  channel["permission_overwrites"] = json::array();
  if (chance(1, 3))
    channel["last_message_id"] = chance(1, 2) ? json::value(nullptr) : json::value(fresh_id());
  if (chance(1, 3)) channel["topic"] = nullptr;
  return odd(std::move(channel));
}

Generator::Object Generator::thread(std::string const& id, std::string const& parent) {
  Object thread{{"id", id}, {"type", 11}, {"name", some_text()}, {"parent_id", parent}};
  thread["thread_metadata"] = {{"archived", chance(1, 3)}, {"auto_archive_duration", 1440}};
  thread["message_count"] = std::int64_t(random_.below(5));
  thread["member_count"] = std::int64_t(random_.below(5));
  if (chance(1, 2)) thread["owner_id"] = any_user();
  if (chance(1, 2)) thread["last_message_id"] = nullptr;
  if (chance(1, 2)) {
    Object member{{"join_timestamp", "2024-05-06T07:08:09+00:00"}, {"flags", 1}};
    if (chance(1, 2)) member["user_id"] = user_id(0);
    if (chance(1, 2)) member["id"] = id;
    thread["member"] = odd(member);
  }
  return odd(std::move(thread));
}

Generator::Object Generator::channel_put() {
  bool const create = chance(1, 2);
  auto d = channel(create ? fresh_id() : any_channel());
  d["t"] = create ? "CHANNEL_CREATE" : "CHANNEL_UPDATE";
  return d;
}
Generator::Object Generator::channel_delete() { return channel(any_channel()); }

Generator::Object Generator::pins_update() {
  Object d{{"channel_id", guild_.empty() ? pick(model_.hash("channels:@me")) : any_place()}};
  if (chance(4, 5))
    d["last_pin_timestamp"] = chance(1, 4) ? json::value(nullptr) : "2026-01-02T03:04:05+00:00";
  return d;
}
Generator::Object Generator::voice_channel_status() {
  return {{"id", any_channel()}, {"status", some_text()}};
}
Generator::Object Generator::voice_channel_start() {
  return {{"id", any_channel()}, {"voice_start_time", 1'790'000'123}};
}

Generator::Object Generator::thread_put() {
  bool const create = chance(1, 2);
  auto d = thread(create ? fresh_id() : any_thread(), any_channel());
  if (create && chance(1, 2)) d["newly_created"] = true;
  if (!create && chance(1, 4)) d.erase("parent_id");
  d["t"] = create ? "THREAD_CREATE" : "THREAD_UPDATE";
  return d;
}
Generator::Object Generator::thread_delete() {
  return {{"id", any_thread()}, {"parent_id", any_channel()}, {"type", 11}};
}

Generator::Object Generator::thread_list_sync() {
  Object d;
  Model::Set parents;
  if (chance(2, 3)) {
    for (auto count = 1 + random_.below(3); count > 0; --count) parents.insert(any_channel());
  }
  if (!parents.empty() || chance(1, 2)) d["channel_ids"] = sorted_array(parents);
  json::array threads;
  json::array members;
  for (auto const& [id, parent] : model_.hash("{guilds:" + guild_ + "}:threads")) {
    std::string const where(parent.as_string());
    if ((!parents.empty() && !parents.contains(where)) || where == "0" || chance(1, 3)) continue;
    threads.emplace_back(thread(id, where));
    if (chance(1, 2))
      members.push_back({{"id", id}, {"join_timestamp", "2024-05-06T07:08:09+00:00"}, {"flags", 0}});
  }
  d["threads"] = std::move(threads);
  d["members"] = std::move(members);
  return d;
}

Generator::Object Generator::thread_member_update() {
  return {{"id", any_thread()}, {"user_id", user_id(0)}, {"flags", 3}, {"muted", chance(1, 2)}};
}

Generator::Object Generator::thread_members_update() {
  auto const id = any_thread();
  Object d{{"id", id}, {"member_count", std::int64_t(random_.below(50))}};
  auto& added = d["added_members"].emplace_array();
  for (auto count = random_.below(3); count > 0; --count) {
    auto const user = any_member();
    Object member{{"id", id}, {"user_id", user}, {"flags", 0}};
    if (chance(1, 2)) member["member"] = this->member(user, true);
    if (chance(1, 3)) member["presence"] = chance(1, 3) ? json::value(nullptr) : json::value(presence(user));
    added.emplace_back(odd(member));
  }
  if (chance(1, 2))
    d["removed_member_ids"].emplace_array().emplace_back(pick(model_.hash("thread-members:" + id)));
  return d;
}

Generator::Object Generator::stage_put() {
  bool const create = chance(1, 2);
  return {{"t", create ? "STAGE_INSTANCE_CREATE" : "STAGE_INSTANCE_UPDATE"},
          {"id", fresh_id()},
          {"channel_id", create ? any_channel() : pick(model_.set("{guilds:" + guild_ + "}:stages"))},
          {"topic", some_text()}};
}
Generator::Object Generator::stage_delete() {
  return {{"id", fresh_id()}, {"channel_id", pick(model_.set("{guilds:" + guild_ + "}:stages"))}};
}

Generator::Object Generator::invite_create() {
  Object d{{"code", fmt::format("Code-{}", fresh_id())}, {"channel_id", any_channel()}, {"uses", 0}};
  d["max_age"] = chance(1, 2) ? 0 : 86'400;
  d["created_at"] = "2026-01-02T03:04:05+00:00";
  if (chance(2, 3)) d["inviter"] = user(any_user());
  if (chance(1, 4)) d["target_user"] = user(any_user());
  return d;
}
Generator::Object Generator::invite_delete() {
  return {{"code", pick(model_.hash("{guilds:" + guild_ + "}:invites"))}, {"channel_id", any_channel()}};
}

Generator::Object Generator::webhooks_update() { return {{"channel_id", any_channel()}}; }

Generator::Object Generator::webhook() {
  guild_ = *std::next(joined_.begin(), std::int64_t(random_.below(joined_.size())));
  Object webhook{{"id", fresh_id()},
                 {"type", 1},
                 {"guild_id", guild_},
                 {"channel_id", any_channel()},
                 {"name", some_text()}};
  webhook["application_id"] = chance(1, 2) ? json::value(user_id(random_.below(3))) : json::value(nullptr);
  if (chance(1, 2)) webhook["user"] = user(any_user());
  return webhook;
}

}  // namespace larder::cache
