#include "systems/cache/event_rules.hpp"

#include <algorithm>

namespace larder::cache::rules {

namespace {

// The newest message of a channel or thread never moves back, and a thread counts only messages that are
// newer.
void note_newest(Happened const& happened, std::optional<Id> guild, Id channel, Id message) {
  auto& workspace = happened.workspace();
  auto const& keys = happened.keys();
  auto const hash = guild ? keys.channels(*guild) : keys.dm_channels();
  auto const is_newer = [&](RawObject const& object) {
    auto const last = id_in(object.find("last_message_id"));
    return !last || is_older(*last, message);
  };
  std::string text;
  auto const id = fmt::format("\"{}\"", message);
  auto const stored = workspace.field(hash, channel);
  // Most messages are in channels, so a thread is asked for only if there is no channel.
  if (!workspace.complete()) return;
  if (auto object = stored_object(stored, text)) {
    if (!is_newer(*object)) return;
    object->set("last_message_id", id);
    auto const ttl = happened.objects.ttl(Resource::channels);
    workspace.set_field(hash, channel, object->text(), ttl);
    // The hash gets its full time to live again, and so must the key that leads to it.
    if (guild && ttl.count() > 0) workspace.expire_text(keys.guild_of(channel), ttl);
  } else if (auto thread = stored_object(workspace.text(keys.thread(channel)), text)) {
    if (!is_newer(*thread)) return;
    thread->set("last_message_id", id);
    if (int_in(thread->find("message_count"))) add_to(*thread, "message_count", 1);
    workspace.set_text(keys.thread(channel), thread->text(), happened.objects.ttl(Resource::threads));
  }
}

struct Reaction {
  Id message;
  std::string emoji;  // as a key names it
};

Result<Reaction> reaction_in(RawObject const& d) {
  TRY(auto const message, id_of(d, "message_id"));
  TRY(auto const emoji, object_in(d.find("emoji"), "emoji"));
  TRY(auto const id, optional_id_of(emoji, "id"));
  if (id) return Reaction{message, std::string(*id)};
  auto const name = text_in(emoji.find("name"));
  if (!name || !is_emoji_name(*name)) {
    return std::unexpected(Error{.code = errors::invalid_dispatch,
                                 .detail = "emoji must have an id, or a name of 1 to 64 bytes without : and "
                                           "control characters",
                                 .field = "emoji"});
  }
  return Reaction{message, *name};
}

// Whether an entry of a message's `reactions` is about this emoji.
bool is_about(RawObject const& entry, std::string_view emoji) {
  auto const object = RawObject::parse(entry.find("emoji"));
  if (!object) return false;
  auto const id = id_in(object->find("id"));
  return id ? *id == emoji : text_in(object->find("name")) == emoji;
}

// Changes the message, if the cache has it.
void change_message(Happened const& happened, Id message, std::function<void(RawObject&)> const& change) {
  auto const key = happened.keys().message(message);
  std::string text;
  auto object = stored_object(happened.workspace().text(key), text);
  auto const ttl = happened.objects.ttl_of_message(message);
  if (!object || !ttl) return;
  change(*object);
  happened.workspace().set_text(key, object->text(), *ttl);
}

std::string first_reaction(std::string_view emoji_value, bool by_self, bool burst) {
  return fmt::format(
      R"({{"count":1,"count_details":{{"burst":{},"normal":{}}},"me":{},"me_burst":{},"emoji":{},"burst_colors":[]}})",
      burst ? 1 : 0, burst ? 0 : 1, by_self && !burst, by_self && burst, emoji_value);
}

// Counts, in the message's own list, a reaction that was added or removed.
void count_reaction(Happened const& happened, Reaction const& reaction, std::int64_t change) {
  bool const by_self = id_in(happened.d.find("user_id")) == happened.objects.self();
  bool const burst = is_true(happened.d.find("burst"));
  change_message(happened, reaction.message, [&](RawObject& message) {
    std::vector<std::string> entries;
    bool found = false;
    for (auto const value : elements_of(message.find("reactions"))) {
      auto entry = RawObject::parse(value);
      if (!entry || !is_about(*entry, reaction.emoji)) {
        entries.emplace_back(value);
        continue;
      }
      found = true;
      add_to(*entry, "count", change);
      if (auto details = RawObject::parse(entry->find("count_details"))) {
        add_to(*details, burst ? "burst" : "normal", change);
        entry->set("count_details", details->text());
      }
      if (by_self) entry->set(burst ? "me_burst" : "me", change > 0 ? "true" : "false");
      if (int_in(entry->find("count")) != 0) entries.push_back(entry->text());
    }
    if (!found && change > 0) {
      entries.push_back(first_reaction(happened.d.find("emoji"), by_self, burst));
    }
    message.set("reactions", array_of({entries.begin(), entries.end()}));
  });
}

// Reactions are kept as long as their message.
std::optional<Workspace::Ttl> ttl_of_reaction(Objects const& objects, Id message) {
  auto const of_message = objects.ttl_of_message(message);
  auto const own = objects.ttl(Resource::reactions);
  if (!of_message || own.count() == 0) return of_message;
  return of_message->count() == 0 ? own : std::min(own, *of_message);
}

Result<void> vote(Happened const& happened, bool votes) {
  auto const& d = happened.d;
  auto& workspace = happened.workspace();
  TRY(auto const message, id_of(d, "message_id"));
  TRY(auto const user, id_of(d, "user_id"));
  auto const answer = int_in(d.find("answer_id"));
  if (!answer || *answer < 0) {
    return std::unexpected(Error{.code = errors::invalid_dispatch,
                                 .detail = "answer_id must be a whole number",
                                 .field = "answer_id"});
  }
  auto const ttl = happened.objects.ttl_of_message(message);
  if (!happened.objects.keeps(Resource::messages) || !ttl) return {};
  auto const name = std::to_string(*answer);
  auto const set = happened.keys().votes(message, name);
  if (!workspace.text(happened.keys().message(message)) || workspace.has(set, user) == votes) return {};
  if (votes) {
    workspace.add(happened.keys().voted(message), name, Role::index, *ttl);
    workspace.add(set, user, Role::object, *ttl);
  } else {
    workspace.remove(set, user, Role::object);
  }
  bool const by_self = happened.objects.self() == user;
  change_message(happened, message, [&](RawObject& object) {
    auto poll = RawObject::parse(object.find("poll"));
    if (!poll) return;
    auto results = RawObject::parse(poll->find("results"));
    if (!results) results = RawObject::parse(R"({"is_finalized":false,"answer_counts":[]})");
    std::vector<std::string> counts;
    bool found = false;
    for (auto const value : elements_of(results->find("answer_counts"))) {
      auto count = RawObject::parse(value);
      if (count && int_in(count->find("id")) == answer) {
        found = true;
        add_to(*count, "count", votes ? 1 : -1);
        if (by_self) count->set("me_voted", votes ? "true" : "false");
      }
      counts.push_back(count ? count->text() : std::string(value));
    }
    if (!found && votes) {
      counts.push_back(fmt::format(R"({{"id":{},"count":1,"me_voted":{}}})", *answer, by_self));
    }
    results->set("answer_counts", array_of({counts.begin(), counts.end()}));
    poll->set("results", results->text());
    object.set("poll", poll->text());
  });
  return {};
}

}  // namespace

Result<void> message_put(Happened const& happened) {
  TRY(auto const guild, optional_id_of(happened.d, "guild_id"));
  TRY(auto const channel, id_of(happened.d, "channel_id"));
  TRY(auto const message, happened.objects.put_message(happened.text));
  note_newest(happened, guild, channel, message);
  return {};
}

Result<void> message_delete(Happened const& happened) {
  TRY(auto const channel, id_of(happened.d, "channel_id"));
  TRY(auto const message, id_of(happened.d, "id"));
  Cascade(happened.objects).message(channel, message);
  return {};
}

Result<void> message_delete_bulk(Happened const& happened) {
  TRY(auto const channel, id_of(happened.d, "channel_id"));
  TRY(auto const ids, array_in(happened.d, "ids"));
  if (ids.size() > limits::bulk_deletes_max) {
    return std::unexpected(
        Error{.code = errors::invalid_dispatch,
              .detail = fmt::format("ids may have at most {} ids", limits::bulk_deletes_max),
              .field = "ids"});
  }
  Cascade cascade(happened.objects);
  for (auto const value : ids) {
    auto const message = id_in(value);
    if (!message) {
      return std::unexpected(
          Error{.code = errors::invalid_dispatch, .detail = "ids must have snowflakes", .field = "ids"});
    }
    cascade.message(channel, *message);
  }
  return {};
}

Result<void> reaction_add(Happened const& happened) {
  auto& objects = happened.objects;
  auto& workspace = happened.workspace();
  TRY(auto const reaction, reaction_in(happened.d));
  TRY(auto const user, id_of(happened.d, "user_id"));
  TRY(auto const guild, optional_id_of(happened.d, "guild_id"));
  TRY(auto const channel, optional_id_of(happened.d, "channel_id"));
  if (guild && is_object(happened.d.find("member"))) {
    TRY_DO(objects.put_member(*guild, happened.d.find("member"), Put::merge, user));
  }
  auto const ttl = ttl_of_reaction(objects, reaction.message);
  auto const set = happened.keys().reaction(reaction.message, reaction.emoji);
  if (!objects.keeps(Resource::reactions) || !ttl || workspace.has(set, user)) return {};
  workspace.add(happened.keys().reactions(reaction.message), reaction.emoji, Role::index, *ttl);
  workspace.add(set, user, Role::object, *ttl);
  // The message may be unknown. Its reactions are removed with the channel anyway.
  if (channel && !workspace.text(happened.keys().message(reaction.message))) {
    objects.note_message(guild, *channel, reaction.message);
  }
  count_reaction(happened, reaction, 1);
  return {};
}

Result<void> reaction_remove(Happened const& happened) {
  auto& workspace = happened.workspace();
  TRY(auto const reaction, reaction_in(happened.d));
  TRY(auto const user, id_of(happened.d, "user_id"));
  auto const set = happened.keys().reaction(reaction.message, reaction.emoji);
  if (!workspace.has(set, user)) return {};
  workspace.remove(set, user, Role::object);
  if (workspace.size(set) == 0) {
    workspace.remove(happened.keys().reactions(reaction.message), reaction.emoji, Role::index);
  }
  count_reaction(happened, reaction, -1);
  return {};
}

Result<void> reaction_remove_all(Happened const& happened) {
  TRY(auto const message, id_of(happened.d, "message_id"));
  Cascade(happened.objects).reactions(message);
  change_message(happened, message, [](RawObject& object) {
    if (object.has("reactions")) object.set("reactions", "[]");
  });
  return {};
}

Result<void> reaction_remove_emoji(Happened const& happened) {
  TRY(auto const reaction, reaction_in(happened.d));
  auto& workspace = happened.workspace();
  workspace.clear(happened.keys().reaction(reaction.message, reaction.emoji));
  workspace.remove(happened.keys().reactions(reaction.message), reaction.emoji, Role::index);
  change_message(happened, reaction.message, [&](RawObject& message) {
    if (!message.has("reactions")) return;
    auto entries = elements_of(message.find("reactions"));
    std::erase_if(entries, [&](std::string_view value) {
      auto const entry = RawObject::parse(value);
      return entry && is_about(*entry, reaction.emoji);
    });
    message.set("reactions", array_of(entries));
  });
  return {};
}

Result<void> poll_vote_add(Happened const& happened) { return vote(happened, true); }
Result<void> poll_vote_remove(Happened const& happened) { return vote(happened, false); }

Result<void> interaction_create(Happened const& happened) {
  TRY_DO(happened.objects.put_interaction(happened.text));
  return {};
}

}  // namespace larder::cache::rules
