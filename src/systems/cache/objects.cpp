#include "systems/cache/objects.hpp"

#include "base/try.hpp"
#include "systems/cache/snowflake.hpp"

#include <fmt/format.h>

namespace larder::cache {

namespace {

std::unexpected<Error> malformed(std::string_view field, std::string_view detail) {
  return std::unexpected(Error{.code = errors::invalid_dispatch,
                               .detail = fmt::format("{} {}", field, detail),
                               .field = std::string(field)});
}

constexpr std::string_view must_be_id = "must be a snowflake: a 64-bit number as a string";

std::string quoted_id(Id id) { return fmt::format("\"{}\"", id); }

bool is_thread(RawObject const& channel) {
  auto const type = int_in(channel.find("type"));
  return type && *type >= 10 && *type <= 12;
}

}  // namespace

Result<RawObject> object_in(std::string_view value, std::string_view field) {
  auto object = RawObject::parse(value);
  if (!object) return malformed(field, "must be an object that has each name once");
  return std::move(*object);
}

Result<Id> id_of(RawObject const& object, std::string_view name) {
  auto const id = id_in(object.find(name));
  if (!id) return malformed(name, must_be_id);
  return *id;
}

Result<std::optional<Id>> optional_id_of(RawObject const& object, std::string_view name) {
  if (is_absent(object.find(name))) return std::nullopt;
  TRY(auto const id, id_of(object, name));
  return id;
}

std::optional<std::string> Objects::self() {
  auto const id = workspace_.text(keys().self());
  return id ? std::optional(std::string(*id)) : std::nullopt;
}

std::optional<Workspace::Ttl> Objects::ttl_of_message(Id message) const {
  auto const ttl = this->ttl(Resource::messages);
  if (ttl.count() == 0) return ttl;
  Workspace::Ttl const left{time_of(message).value + ttl.count() - now_.value};
  return left.count() > 0 ? std::optional(std::min(left, ttl)) : std::nullopt;
}

std::string merge_into(std::optional<std::string_view> stored, RawObject const& newer) {
  auto const text = stored ? compact(*stored) : Result<std::string>("");
  auto object = text ? RawObject::parse(*text) : std::nullopt;
  if (!object) return newer.text();
  object->merge(newer);
  return object->text();
}

void Objects::merge_text(std::string const& key, RawObject const& newer, Resource resource) {
  auto const stored = workspace_.text_to_change(key);
  auto text = merge_into(stored, newer);
  if (stored == text && ttl(resource).count() == 0) return;
  workspace_.set_text(key, std::move(text), ttl(resource));
}

void Objects::put_field(Resource resource, std::string hash, Part part, Put put) {
  if (!keeps(resource)) return;
  auto text =
      put == Put::merge ? merge_into(workspace_.field(hash, part.id), part.object) : part.object.text();
  workspace_.set_field(std::move(hash), part.id, std::move(text), ttl(resource));
}

Result<void> Objects::take_out(RawObject& object, std::string_view field,
                               Result<Id> (Objects::*put)(std::string_view)) {
  if (!is_object(object.find(field))) return {};
  TRY(auto const id, (this->*put)(object.find(field)));
  object.set(field, quoted_id(id));
  return {};
}

Result<void> Objects::take_users(RawObject& object, std::string_view field) {
  if (!is_array(object.find(field))) return {};
  std::vector<std::string> ids;
  for (auto const element : elements_of(object.find(field))) {
    if (!is_object(element)) {
      ids.emplace_back(element);
      continue;
    }
    TRY(auto const id, put_user(element));
    ids.push_back(quoted_id(id));
  }
  object.set(field, array_of({ids.begin(), ids.end()}));
  return {};
}

Result<Id> Objects::put_user(std::string_view value) { return put_user(value, std::nullopt); }

Result<Id> Objects::put_user(std::string_view value, std::optional<bool> is_in_guild) {
  TRY(auto const user, object_in(value, "user"));
  TRY(auto const id, id_of(user, "id"));
  if (!keeps(Resource::users) || user.members().size() == 1) return id;
  auto const key = keys().user(id);
  bool const known = is_in_guild ? *is_in_guild : workspace_.any(keys().guilds_of(id));
  auto const stored = workspace_.text_to_change(key);
  auto text = merge_into(stored, user);
  auto const ttl = this->ttl(Resource::users);
  if (known && stored == text && ttl.count() == 0) return id;
  auto const stranger = std::chrono::duration_cast<Workspace::Ttl>(stranger_ttl);
  workspace_.set_text(key, std::move(text),
                      known             ? ttl
                      : ttl.count() > 0 ? std::min(ttl, stranger)
                                        : stranger);
  return id;
}

void Objects::join(Id guild, Id user) {
  if (!keeps(Resource::members)) return;
  // An index, not a list: put_member() and cascades rely on finding every existing member there.
  workspace_.add(keys().members(guild), user, Role::index, ttl(Resource::members));
  // A user who was a stranger until now stays.
  if (ttl(Resource::users).count() == 0) workspace_.expire_text(keys().user(user), {});
  workspace_.add(keys().guilds_of(user), guild, Role::index);
}

Result<Id> Objects::put_member(Id guild, std::string_view value, Put put, std::optional<Id> user) {
  TRY(auto member, object_in(value, "member"));
  if (!user || is_object(member.find("user"))) {
    TRY(auto const nested, object_in(member.find("user"), "user"));
    TRY(user, id_of(nested, "id"));
  }
  // A user with a member has joined, unless a crash came in between. If keys expire, joining renews them.
  auto const key = keys().member(guild, *user);
  bool const expires = ttl(Resource::members).count() > 0 || ttl(Resource::users).count() > 0;
  if (put == Put::replace || expires || !workspace_.in_one_step() || !keeps(Resource::members) ||
      !workspace_.text_to_change(key)) {
    join(guild, *user);
  }
  if (is_object(member.find("user"))) {
    TRY_DO(put_user(member.find("user"), keeps(Resource::members) ? std::optional(true) : std::nullopt));
  }
  member.set("user", quoted_id(*user));
  member.erase("guild_id");
  if (!keeps(Resource::members)) return *user;
  if (put == Put::merge) {
    merge_text(key, member, Resource::members);
  } else {
    workspace_.set_text(key, member.text(), ttl(Resource::members));
  }
  return *user;
}

Result<Id> Objects::put_presence(Id guild, std::string_view value) {
  TRY(auto presence, object_in(value, "presence"));
  TRY(auto const user, object_in(presence.find("user"), "user"));
  TRY(auto const id, id_of(user, "id"));
  TRY_DO(put_user(presence.find("user")));
  if (!keeps(Resource::presences)) return id;
  if (text_in(presence.find("status")) == "offline") {
    workspace_.remove_text(keys().presence(guild, id));
    workspace_.remove(keys().presences_of(guild), id, Role::index);
    return id;
  }
  presence.set("user", quoted_id(id));
  presence.set("guild_id", quoted_id(guild));
  workspace_.set_text(keys().presence(guild, id), presence.text(), ttl(Resource::presences));
  workspace_.add(keys().presences_of(guild), id, Role::index);
  return id;
}

Result<Part> Objects::take_voice_state(Id guild, std::string_view value) {
  TRY(auto state, object_in(value, "voice_state"));
  TRY(auto const user, id_of(state, "user_id"));
  if (is_object(state.find("member"))) {
    TRY_DO(put_member(guild, state.find("member"), Put::merge, user));
    state.set("member", quoted_id(user));
  }
  state.set("guild_id", quoted_id(guild));
  return Part{user, std::move(state)};
}

Result<Id> Objects::put_voice_state(Id guild, std::string_view value) {
  TRY(auto state, take_voice_state(guild, value));
  auto const user = state.id;
  TRY(auto const channel, optional_id_of(state.object, "channel_id"));
  if (channel) {
    put_field(Resource::voice_states, keys().voice_states(guild), std::move(state), Put::replace);
  } else if (keeps(Resource::voice_states)) {
    workspace_.remove_field(keys().voice_states(guild), user);
  }
  return user;
}

Result<Part> Objects::take_channel(std::optional<Id> guild, std::string_view value) {
  TRY(auto channel, object_in(value, "channel"));
  TRY(auto const id, id_of(channel, "id"));
  TRY_DO(take_users(channel, "recipients"));
  if (guild) channel.set("guild_id", quoted_id(*guild));
  return Part{id, std::move(channel)};
}

Result<Id> Objects::put_channel(std::optional<Id> guild, std::string_view value, Put put) {
  TRY(auto channel, take_channel(guild, value));
  if (guild && is_thread(channel.object)) return put_thread(*guild, value, put);
  auto const id = channel.id;
  if (guild) note_channel(*guild, id);
  put_field(Resource::channels, guild ? keys().channels(*guild) : keys().dm_channels(), std::move(channel),
            put);
  return id;
}

void Objects::note_channel(Id guild, Id channel) {
  if (!keeps(Resource::channels)) return;
  workspace_.set_text(keys().guild_of(channel), std::string(guild), ttl(Resource::channels));
}

Result<Id> Objects::put_thread(Id guild, std::string_view value, Put put) {
  TRY(auto thread, object_in(value, "thread"));
  TRY(auto const id, id_of(thread, "id"));
  TRY(auto const parent, optional_id_of(thread, "parent_id"));
  if (is_object(thread.find("member"))) {
    // The bot's own member often lacks the user. If READY has not named the bot yet, the member is skipped.
    TRY(auto const member, object_in(thread.find("member"), "member"));
    auto const own = is_absent(member.find("user_id")) ? self() : std::nullopt;
    if (own || !is_absent(member.find("user_id"))) {
      TRY_DO(put_thread_member(guild, id, thread.find("member"), Put::merge, own));
    }
  }
  thread.erase("member");
  thread.set("guild_id", quoted_id(guild));
  if (!keeps(Resource::threads)) return id;
  if (put == Put::merge) {
    merge_text(keys().thread(id), thread, Resource::threads);
  } else {
    workspace_.set_text(keys().thread(id), thread.text(), ttl(Resource::threads));
  }
  // A part of a thread may lack its parent.
  auto const known = parent ? std::string(*parent)
                            : std::string(workspace_.field(keys().threads_of(guild), id).value_or("0"));
  workspace_.set_field(keys().threads_of(guild), id, known, {}, Role::outermost_index);
  return id;
}

Result<Id> Objects::put_thread_member(Id guild, Id thread, std::string_view value, Put put,
                                      std::optional<Id> user) {
  TRY(auto member, object_in(value, "thread_member"));
  if (!is_absent(member.find("user_id"))) {
    TRY(user, id_of(member, "user_id"));
  }
  if (!user) return malformed("user_id", must_be_id);
  std::string const id(*user);
  if (is_object(member.find("member"))) {
    TRY_DO(put_member(guild, member.find("member"), Put::merge, id));
    member.set("member", quoted_id(id));
  }
  if (is_object(member.find("presence"))) TRY_DO(put_presence(guild, member.find("presence")));
  member.erase("presence");
  member.erase("guild_id");
  member.set("id", quoted_id(thread));
  member.set("user_id", quoted_id(id));
  auto const hash = keys().thread_members(thread);
  if (keeps(Resource::thread_members)) {
    auto text = put == Put::merge ? merge_into(workspace_.field(hash, id), member) : member.text();
    workspace_.set_field(hash, id, std::move(text), ttl(Resource::thread_members));
    // The thread may be unknown. Its members are removed with the guild anyway.
    auto const threads = keys().threads_of(guild);
    if (!workspace_.field(threads, thread))
      workspace_.set_field(threads, thread, "0", {}, Role::outermost_index);
  }
  return thread;
}

Result<void> Objects::take_interaction_users(RawObject& object, std::string_view field,
                                             std::optional<Id> guild) {
  if (!is_object(object.find(field))) return {};
  TRY(auto inner, object_in(object.find(field), field));
  std::optional<Id> user;
  if (is_object(inner.find("user"))) {
    TRY(user, put_user(inner.find("user")));
    inner.set("user", quoted_id(*user));
  }
  if (is_object(inner.find("member")) && guild && user) {
    TRY_DO(put_member(*guild, inner.find("member"), Put::merge, user));
    inner.set("member", quoted_id(*user));
  }
  TRY_DO(take_out(inner, "target_user", &Objects::put_user));
  TRY_DO(take_interaction_users(inner, "triggering_interaction_metadata", guild));
  object.set(field, inner.text());
  return {};
}

Result<Id> Objects::put_message(std::string_view value, std::optional<Id> guild) {
  TRY(auto message, object_in(value, "message"));
  TRY(auto const id, id_of(message, "id"));
  TRY(auto const channel, id_of(message, "channel_id"));
  if (!is_absent(message.find("guild_id"))) {
    TRY(guild, id_of(message, "guild_id"));
  }
  std::optional<Id> author;
  bool const by_webhook = !is_absent(message.find("webhook_id"));
  if (is_object(message.find("author")) && !by_webhook) {
    TRY(auto const user, object_in(message.find("author"), "author"));
    TRY(author, id_of(user, "id"));
    auto const value_of_author = message.find("author");
    std::optional<bool> is_in_guild;
    if (is_object(message.find("member")) && guild) {
      TRY_DO(put_member(*guild, message.find("member"), Put::merge, author));
      message.set("member", quoted_id(*author));
      if (keeps(Resource::members)) is_in_guild = true;
    }
    TRY_DO(put_user(value_of_author, is_in_guild));
    message.set("author", quoted_id(*author));
  }
  if (is_array(message.find("mentions"))) {
    std::vector<std::string> ids;
    for (auto const element : elements_of(message.find("mentions"))) {
      TRY(auto mention, object_in(element, "mentions"));
      TRY(auto const mentioned, id_of(mention, "id"));
      if (is_object(mention.find("member")) && guild) {
        TRY_DO(put_member(*guild, mention.find("member"), Put::merge, mentioned));
      }
      mention.erase("member");
      auto const text = mention.text();
      TRY_DO(put_user(text));
      ids.push_back(quoted_id(mentioned));
    }
    message.set("mentions", array_of({ids.begin(), ids.end()}));
  }
  if (is_object(message.find("referenced_message"))) {
    TRY(auto const referenced, put_message(message.find("referenced_message"), guild));
    message.set("referenced_message", quoted_id(referenced));
  }
  if (is_object(message.find("thread")) && guild) {
    TRY(auto const thread, put_thread(*guild, message.find("thread"), Put::merge));
    message.set("thread", quoted_id(thread));
  }
  TRY_DO(take_interaction_users(message, "interaction", guild));
  TRY_DO(take_interaction_users(message, "interaction_metadata", guild));
  TRY_DO(take_resolved(message, guild));
  auto const ttl = ttl_of_message(id);
  if (!keeps(Resource::messages) || !ttl) return id;
  auto const key = keys().message(id);
  workspace_.set_text(key, merge_into(workspace_.text(key), message), *ttl);
  note_message(guild, channel, id);
  return id;
}

// The index of messages drops those that have expired.
void Objects::note_message(std::optional<Id> guild, Id channel, Id message) {
  auto const ttl = this->ttl(Resource::messages);
  auto const oldest = ttl.count() > 0 ? std::optional(now_.value - ttl.count()) : std::nullopt;
  workspace_.rank(keys().messages_of(channel), message, time_of(message).value, oldest);
  if (guild) workspace_.add(keys().talked_in(*guild), channel, Role::outermost_index);
}

Result<Id> Objects::put_stage_instance(Id guild, std::string_view value) {
  TRY(auto stage, object_in(value, "stage_instance"));
  TRY(auto const channel, id_of(stage, "channel_id"));
  stage.set("guild_id", quoted_id(guild));
  if (!keeps(Resource::stage_instances)) return channel;
  workspace_.set_text(keys().stage_instance(channel), stage.text(), ttl(Resource::stage_instances));
  workspace_.add(keys().stages_of(guild), channel, Role::index);
  return channel;
}

Result<Part> Objects::take_simple(std::string_view value, std::string_view what, std::string_view field,
                                  std::string_view id_name) {
  TRY(auto object, object_in(value, what));
  TRY(auto const id, id_of(object, id_name));
  if (!field.empty()) TRY_DO(take_out(object, field, &Objects::put_user));
  return Part{id, std::move(object)};
}

Result<std::string> Objects::take_sounds(std::string_view array) {
  std::vector<std::string> sounds;
  for (auto const element : elements_of(array)) {
    TRY(auto const sound, take_simple(element, "sound", "user", "sound_id"));
    sounds.push_back(sound.object.text());
  }
  return array_of({sounds.begin(), sounds.end()});
}

void Objects::merge_channel(std::optional<Id> guild, Id channel, RawObject const& newer) {
  auto const hash = guild ? keys().channels(*guild) : keys().dm_channels();
  if (auto const stored = workspace_.field(hash, channel)) {
    workspace_.set_field(hash, channel, merge_into(stored, newer), ttl(Resource::channels));
  } else if (auto const thread = workspace_.text(keys().thread(channel))) {
    workspace_.set_text(keys().thread(channel), merge_into(thread, newer), ttl(Resource::threads));
  }
}

}  // namespace larder::cache
