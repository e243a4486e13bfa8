#include "cache_workload/generator.hpp"

#include <fmt/format.h>

namespace larder::cache {

Generator::Object Generator::message(std::string const& id, std::string const& channel) {
  auto const author = guild_.empty() ? any_user() : any_member();
  Object message{{"id", id}, {"channel_id", channel}, {"content", some_text()}, {"tts", false}};
  message["timestamp"] = "2026-01-02T03:04:05.678000+00:00";
  message["embeds"] = json::array();
  message["mention_roles"] = json::array();
  if (chance(1, 12)) {
    auto const webhook = fresh_id();
    message["webhook_id"] = webhook;
    message["author"] = {{"id", webhook}, {"username", some_text()}, {"bot", true}};
    return message;
  }
  message["author"] = user(author);
  if (!guild_.empty() && chance(3, 4)) message["member"] = member(author, false);
  auto& mentions = message["mentions"].emplace_array();
  for (auto count = random_.below(3); count > 0; --count) {
    auto const id_of_user = any_user();
    auto mention = user(id_of_user);
    if (!guild_.empty() && chance(1, 2)) mention["member"] = member(id_of_user, false);
    mentions.emplace_back(mention);
  }
  return odd(std::move(message));
}

Generator::Object Generator::message_create() {
  auto const place = guild_.empty() ? pick(model_.hash("channels:@me")) : any_place();
  auto d = message(fresh_id(), place);
  if (!guild_.empty()) d["guild_id"] = guild_;
  if (chance(1, 8)) d["referenced_message"] = message(pick(model_.messages(place)), place);
  if (chance(1, 12)) d["referenced_message"] = nullptr;
  if (!guild_.empty() && chance(1, 15)) d["thread"] = thread(text_at(d, "id"), place);
  if (chance(1, 12)) {
    d["interaction_metadata"] = {
        {"id", fresh_id()}, {"type", 2}, {"user", user(any_user())}, {"target_user", user(any_user())}};
  }
  if (chance(1, 15)) {
    auto const who = guild_.empty() ? any_user() : any_member();
    Object old{{"id", fresh_id()}, {"type", 2}, {"name", "ping"}, {"user", user(who)}};
    if (!guild_.empty()) old["member"] = member(who, false);
    d["interaction"] = old;
  }
  if (chance(1, 6)) {
    Object poll{{"question", {{"text", some_text()}}}, {"allow_multiselect", true}};
    poll["answers"] = {{{"answer_id", 1}, {"poll_media", {{"text", "yes"}}}},
                       {{"answer_id", 2}, {"poll_media", {{"text", "no"}}}}};
    if (chance(1, 3)) {
      poll["results"] =
          json::parse(R"({"is_finalized":false,"answer_counts":[{"id":1,"count":7,"me_voted":false}]})");
    }
    d["poll"] = poll;
  }
  return d;
}

Generator::Object Generator::message_update() {
  auto const place = guild_.empty() ? pick(model_.hash("channels:@me")) : any_place();
  auto const id = pick(model_.messages(place));
  Object d{{"id", id}, {"channel_id", place}};
  if (chance(1, 2)) d = message(id, place);
  if (!guild_.empty()) d["guild_id"] = guild_;
  d["edited_timestamp"] = "2026-02-03T04:05:06+00:00";
  if (chance(1, 20)) {
    d["reactions"] =
        json::parse(R"([{"count":4,"count_details":{"burst":1,"normal":3},"me":false,"me_burst":false,
      "emoji":{"id":null,"name":"🔥"},"burst_colors":[]}])");
  }
  return d;
}

Generator::Object Generator::message_delete() {
  auto const place = guild_.empty() ? pick(model_.hash("channels:@me")) : any_place();
  return {{"channel_id", place}, {"id", pick(model_.messages(place))}};
}

Generator::Object Generator::message_delete_bulk() {
  auto const place = any_place();
  Model::Set ids;
  for (auto count = random_.below(5); count > 0; --count) ids.insert(pick(model_.messages(place)));
  return {{"channel_id", place}, {"ids", sorted_array(ids)}};
}

Generator::Object Generator::reaction() {
  auto const place = guild_.empty() ? pick(model_.hash("channels:@me")) : any_place();
  bool const add = chance(2, 3);
  auto const who = chance(1, 10) ? user_id(0) : user_id(1 + random_.below(12));
  Object d{{"t", add ? "MESSAGE_REACTION_ADD" : "MESSAGE_REACTION_REMOVE"},
           {"channel_id", place},
           {"message_id", pick(model_.messages(place))},
           {"user_id", who},
           {"emoji", emoji()},
           {"burst", std::stoull(who) % 4 == 0}};
  if (add && !guild_.empty() && chance(1, 2)) d["member"] = member(who, true);
  return d;
}

Generator::Object Generator::reaction_remove_all() {
  auto const place = any_place();
  return {{"channel_id", place}, {"message_id", pick(model_.messages(place))}};
}

Generator::Object Generator::reaction_remove_emoji() {
  auto d = reaction_remove_all();
  d["emoji"] = emoji();
  return d;
}

Generator::Object Generator::vote() {
  auto d = reaction_remove_all();
  d["t"] = chance(2, 3) ? "MESSAGE_POLL_VOTE_ADD" : "MESSAGE_POLL_VOTE_REMOVE";
  d["user_id"] = chance(1, 5) ? user_id(0) : user_id(1 + random_.below(6));
  d["answer_id"] = std::int64_t(1 + random_.below(3));
  return d;
}

Generator::Object Generator::resolved() {
  auto const who = any_user();
  Object users{{who, user(who)}};
  users[who].as_object()["id"] = who;
  Object resolved{{"users", users}};
  if (!guild_.empty()) {
    auto partial = member(who, false);
    partial["permissions"] = "2248473465835073";
    resolved["members"] = {{who, partial}};
    auto const role_id = pick(model_.hash("roles:" + guild_));
    if (chance(1, 2)) resolved["roles"] = {{role_id, role(role_id)}};
    auto const channel_id = any_channel();
    auto const thread_id = any_thread();
    Object channels{
        {channel_id, {{"id", channel_id}, {"type", 0}, {"name", some_text()}, {"permissions", "8"}}}};
    if (chance(1, 3)) channels[thread_id] = {{"id", thread_id}, {"type", 11}, {"parent_id", channel_id}};
    resolved["channels"] = channels;
  }
  auto const place = guild_.empty() ? pick(model_.hash("channels:@me")) : any_place();
  auto const id = pick(model_.messages(place));
  if (chance(1, 3)) resolved["messages"] = {{id, message(id, place)}};
  return resolved;
}

Generator::Object Generator::interaction() {
  auto const who = any_user();
  auto const place = guild_.empty() ? pick(model_.hash("channels:@me")) : any_channel();
  Object d{
      {"id", fresh_id()}, {"application_id", user_id(0)}, {"type", 2}, {"token", "a secret"}, {"version", 1}};
  d["channel_id"] = place;
  d["app_permissions"] = "18446744073709551615";
  if (guild_.empty()) {
    d["user"] = user(who);
  } else {
    auto whole = member(who, true);
    whole["permissions"] = "2248473465835073";
    d["member"] = whole;
    d["guild_id"] = guild_;
    d["channel"] = {{"id", place}, {"type", 0}, {"permissions", "2048"}};
  }
  d["data"] = {{"id", fresh_id()}, {"name", "give"}, {"options", json::array()}};
  if (chance(1, 2)) d["data"].as_object()["resolved"] = resolved();
  if (chance(1, 4)) d["message"] = message(pick(model_.messages(place)), place);
  return d;
}

// Only this shard says this about the bot.
Generator::Object Generator::user_update() {
  return {{"id", user_id(0)}, {"username", "user0"}, {"banner", some_text()}};
}

}  // namespace larder::cache
