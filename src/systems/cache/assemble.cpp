#include "systems/cache/assemble.hpp"

#include "base/json.hpp"
#include "systems/cache/assembler.hpp"
#include "systems/cache/snowflake.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace larder::cache {

std::string Assembler::user(Id id) {
  if (auto const stored = reads().text(keys().user(id))) {
    auto text = compact(*stored);
    if (text && is_object(*text)) return std::move(*text);
  }
  return fmt::format(R"({{"id":"{}"}})", id);
}

void Assembler::restore_user(RawObject& object, std::string_view field) {
  if (auto const id = id_in(object.find(field))) object.set(field, user(*id));
}

void Assembler::restore_users(RawObject& object, std::string_view field) {
  if (!is_array(object.find(field))) return;
  std::vector<std::string> users;
  for (auto const element : elements_of(object.find(field))) {
    auto const id = id_in(element);
    users.push_back(id ? user(*id) : std::string(element));
  }
  object.set(field, array_of({users.begin(), users.end()}));
}

// Each element of the list is an object that has a user.
void Assembler::restore_users_inside(RawObject& object, std::string_view list, std::string_view field) {
  if (!is_array(object.find(list))) return;
  std::vector<std::string> texts;
  for (auto const element : elements_of(object.find(list))) {
    auto inner = RawObject::parse(element);
    if (inner) restore_user(*inner, field);
    texts.push_back(inner ? inner->text() : std::string(element));
  }
  object.set(list, array_of({texts.begin(), texts.end()}));
}

// A deleted role is removed from the stored members later, so it may still be there.
void Assembler::leave_out_gone_roles(RawObject& member, Id guild) {
  auto const gone = reads().elements(keys().gone_roles(guild));
  if (gone.empty()) return;
  auto roles = elements_of(member.find("roles"));
  auto const left_out = std::erase_if(roles, [&](std::string_view role) {
    auto const id = id_in(role);
    return id && std::ranges::find(gone, *id) != gone.end();
  });
  if (left_out > 0) member.set("roles", array_of(roles));
}

std::optional<std::string> Assembler::member(Id guild, Id user, MemberForm form) {
  auto member = stored_.parse(reads().text(keys().member(guild, user)));
  // If they are asked for now, these need no round trip of their own.
  auto const whole_user = form == MemberForm::with_user ? this->user(user) : std::string();
  reads().elements(keys().gone_roles(guild));
  if (!member) return std::nullopt;
  leave_out_gone_roles(*member, guild);
  if (form == MemberForm::with_user) {
    member->set("user", whole_user);
  } else {
    member->erase("user");
  }
  return member->text();
}

void Assembler::restore_member(RawObject& object, std::string_view field, Id guild, MemberForm form) {
  auto const id = id_in(object.find(field));
  if (!id) return;
  auto text = is_snowflake(guild) ? member(guild, *id, form) : std::nullopt;
  if (text) {
    object.set(field, std::move(*text));
  } else {
    object.erase(field);
  }
}

// The specification keeps only the reason of a ban. Other programs may store a reason without the quotes of
// JSON.
std::optional<std::string> Assembler::ban(ObjectKey const& key, Form form) {
  auto const found = stored_.find(key);
  auto whole_user = form == Form::whole && is_valid(key) ? user(key.id) : std::string();
  if (!found) return std::nullopt;
  auto const json = compact(found->text);
  bool const is_reason = json && (is_null(*json) || is_string(*json));
  if (!is_reason && !is_utf8(found->text)) return std::nullopt;
  auto reason = is_reason ? *json : cache::quoted(found->text);
  if (form == Form::raw) return reason;
  RawObject ban;
  ban.set("reason", std::move(reason));
  ban.set("user", std::move(whole_user));
  return ban.text();
}

std::string Assembler::sorted_list(std::string hash, std::string_view user_field) {
  auto const pairs = reads().pairs(std::move(hash));
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i + 1 < pairs.size(); i += 2) order.push_back(i);
  std::ranges::sort(order, is_older, [&](std::size_t i) -> std::string_view { return pairs[i]; });
  std::vector<std::string> texts;
  for (auto const i : order) {
    auto object = stored_.parse(pairs[i + 1]);
    if (!object) continue;
    restore_user(*object, user_field);
    texts.push_back(object->text());
  }
  return array_of({texts.begin(), texts.end()});
}

void Assembler::restore_guild(Id guild, RawObject& object) {
  auto roles = sorted_list(keys().roles(guild), "user");
  auto emojis = sorted_list(keys().emojis(guild), "user");
  auto stickers = sorted_list(keys().stickers(guild), "user");
  restore_users_inside(object, "soundboard_sounds", "user");
  // For a guild that was never available, only its id is known.
  if (is_true(object.find("unavailable")) && !object.has("name")) return;
  object.set("roles", std::move(roles));
  object.set("emojis", std::move(emojis));
  object.set("stickers", std::move(stickers));
}

void Assembler::restore_application(RawObject& application) {
  restore_user(application, "owner");
  restore_user(application, "bot");
  auto team = RawObject::parse(application.find("team"));
  if (!team) return;
  restore_users_inside(*team, "members", "user");
  application.set("team", team->text());
}

void Assembler::restore_thread_member(Id thread, RawObject& member) {
  if (!id_in(member.find("member"))) return;
  auto const object = stored_.parse(reads().text(keys().thread(thread)));
  auto const guild = object ? id_in(object->find("guild_id")) : std::nullopt;
  restore_member(member, "member", guild.value_or(""), MemberForm::with_user);
}

void Assembler::restore(ObjectKind kind, ObjectKey const& key, RawObject& object) {
  switch (kind) {
    case ObjectKind::application: restore_application(object); break;
    case ObjectKind::channel:
    case ObjectKind::thread: restore_users(object, "recipients"); break;
    case ObjectKind::emoji:
    case ObjectKind::integration:
    case ObjectKind::sticker:
    case ObjectKind::webhook: restore_user(object, "user"); break;
    case ObjectKind::guild: restore_guild(key.id, object); break;
    case ObjectKind::guild_template:
    case ObjectKind::scheduled_event: restore_user(object, "creator"); break;
    case ObjectKind::interaction: restore_interaction(object); break;
    case ObjectKind::invite:
      restore_user(object, "inviter");
      restore_user(object, "target_user");
      break;
    case ObjectKind::message: restore_message(object, {}, Depth::outer); break;
    case ObjectKind::presence:
      if (auto const id = id_in(object.find("user")))
        object.set("user", fmt::format(R"({{"id":"{}"}})", *id));
      break;
    case ObjectKind::thread_member: restore_thread_member(key.parent, object); break;
    case ObjectKind::voice_state: restore_member(object, "member", key.parent, MemberForm::with_user); break;
    case ObjectKind::member:  // by member()
    case ObjectKind::ban:     // by ban()
    case ObjectKind::automod_rule:
    case ObjectKind::command:
    case ObjectKind::role:
    case ObjectKind::stage_instance:
    case ObjectKind::user:
    case ObjectKind::welcome_screen:
    case ObjectKind::widget: break;  // nothing is nested in them
  }
}

std::optional<std::string> Assembler::object(ObjectKey const& key, Form form) {
  if (key.kind == ObjectKind::ban) return ban(key, form);
  if (key.kind == ObjectKind::member && form == Form::whole) {
    return is_valid(key) ? member(key.parent, key.id, MemberForm::with_user) : std::nullopt;
  }
  auto const found = stored_.find(key);
  if (!found) return std::nullopt;
  auto object = stored_.parse(found->text);
  if (!object) return std::nullopt;
  if (form == Form::whole) restore(found->kind, key, *object);
  return object->text();
}

std::optional<std::string> assemble(Reads& reads, CacheKeys const& keys, ObjectKey const& key, Form form) {
  return Assembler(reads, keys).object(key, form);
}

}  // namespace larder::cache
