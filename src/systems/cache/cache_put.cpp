// Stores and removes objects that no event of the gateway carries.
#include "base/try.hpp"
#include "systems/cache/cache.hpp"
#include "systems/cache/object_places.hpp"
#include "systems/cache/snowflake.hpp"
#include "systems/cache/writer.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace larder::cache {

namespace {

constexpr ObjectKind writable_kinds[] = {ObjectKind::application, ObjectKind::ban,
                                         ObjectKind::command,     ObjectKind::guild_template,
                                         ObjectKind::webhook,     ObjectKind::welcome_screen,
                                         ObjectKind::widget};

Result<Place> writable_place(CacheKeys const& keys, ObjectKey const& key) {
  if (std::ranges::find(writable_kinds, key.kind) == std::end(writable_kinds)) {
    return refuse(
        errors::not_writable,
        fmt::format("a {} comes from the gateway, so only an event can change it", kind_name(key.kind)));
  }
  auto place = place_of(keys, key);
  if (!place) return invalid("id", fmt::format("an id of this {} is malformed", kind_name(key.kind)));
  return std::move(*place);
}

// The object must not contradict its key. If it lacks the id, it gets it.
Result<void> agree(RawObject& object, std::string_view name, std::string const& id) {
  auto const value = object.find(name);
  if (is_absent(value)) {
    object.set(name, fmt::format("\"{}\"", id));
  } else if (text_in(value) != id) {
    return invalid(std::string(name), fmt::format("{} must be {}, as in the path", name, id));
  }
  return {};
}

Result<void> put_ban(Objects& objects, ObjectKey const& key, RawObject const& ban) {
  for (auto const& member : ban.members()) {
    if (member.name != "reason" && member.name != "user") {
      return invalid(std::string(member.name), "a ban has only a reason and a user");
    }
  }
  auto const reason = ban.find("reason");
  if (!is_absent(reason) && !is_string(reason)) return invalid("reason", "reason must be a text or null");
  if (!is_absent(ban.find("user"))) {
    TRY(auto user, object_in(ban.find("user"), "user"));
    TRY_DO(agree(user, "id", key.id));
    auto const text = user.text();
    TRY_DO(objects.put_user(text));
  }
  auto& workspace = objects.workspace();
  workspace.set_text(objects.keys().ban(key.parent, key.id), is_absent(reason) ? "null" : std::string(reason),
                     objects.ttl(Resource::bans));
  workspace.add(objects.keys().bans_of(key.parent), key.id, Role::index);
  return {};
}

Result<void> put_template(Objects& objects, ObjectKey const& key, RawObject object) {
  TRY_DO(agree(object, "code", key.id));
  TRY_DO(agree(object, "source_guild_id", key.parent));
  if (is_object(object.find("creator"))) {
    TRY(auto const creator, objects.put_user(object.find("creator")));
    object.set("creator", fmt::format("\"{}\"", creator));
  }
  objects.put_field(Resource::templates, objects.keys().templates(key.parent),
                    Part{.id = key.id, .object = std::move(object)}, Put::replace);
  return {};
}

Result<void> put_simple(Objects& objects, ObjectKey const& key, Place const& place, RawObject object) {
  auto const resource = resource_of(key.kind);
  if (key.kind == ObjectKind::command) {
    TRY_DO(agree(object, "id", key.id));
    TRY_DO(agree(object, "application_id", key.parent));
    objects.put_field(resource, place.key, Part{.id = key.id, .object = std::move(object)}, Put::replace);
    return {};
  }
  if (key.kind == ObjectKind::widget && object.has("id")) TRY_DO(agree(object, "id", key.parent));
  objects.workspace().set_text(place.key, object.text(), objects.ttl(resource));
  return {};
}

Result<void> put_object(Objects& objects, ObjectKey const& key, Place const& place, std::string_view text) {
  TRY(auto object, object_in(text, kind_name(key.kind)));
  switch (key.kind) {
    case ObjectKind::ban: return put_ban(objects, key, object);
    case ObjectKind::guild_template: return put_template(objects, key, std::move(object));
    case ObjectKind::application: {
      TRY_DO(agree(object, "id", key.id));
      objects.workspace().remove_text(place.key);  // what READY said is replaced, not merged
      auto const whole = object.text();
      TRY_DO(objects.put_application(whole));
      return {};
    }
    case ObjectKind::webhook: {
      TRY_DO(agree(object, "id", key.id));
      if (!key.parent.empty()) TRY_DO(agree(object, "guild_id", key.parent));
      auto const whole = object.text();
      TRY_DO(objects.put_webhook(whole));
      return {};
    }
    default: return put_simple(objects, key, place, std::move(object));
  }
}

// While a guild is being removed, writers wait.
void wait_for_removal(Objects& objects, ObjectKey const& key) {
  bool const of_guild = !key.parent.empty() && key.kind != ObjectKind::command;
  if (!of_guild) return;
  objects.workspace().require_no_job(objects.keys().jobs(),
                                     CascadeJob{.kind = CascadeJob::Kind::guild, .guild = key.parent}.name());
}

// Returns whether the object was there.
bool remove_object(Objects& objects, ObjectKey const& key, Place const& place) {
  auto& workspace = objects.workspace();
  if (!place.field.empty()) {
    bool const found = workspace.field(place.key, place.field).has_value();
    if (found) workspace.remove_field(place.key, place.field);
    return found;
  }
  auto const stored = workspace.text(place.key);
  if (!stored) return false;
  auto const text = compact(*stored);
  auto const object = text ? RawObject::parse(*text) : std::nullopt;
  auto const guild = object ? id_in(object->find("guild_id")) : std::nullopt;
  if (key.kind == ObjectKind::webhook) {
    if (!key.parent.empty() && guild != key.parent) return false;
    if (guild) workspace.remove_field(objects.keys().webhooks_of(*guild), key.id, Role::index);
  }
  if (key.kind == ObjectKind::ban) workspace.remove(objects.keys().bans_of(key.parent), key.id, Role::index);
  workspace.remove_text(place.key);
  return true;
}

}  // namespace

Task<Result<void>> Cache::change(std::function<Result<void>(Objects&)> plan) {
  for (int conflicts = 0; conflicts < conflicts_max; ++conflicts) {
    Workspace workspace(!redis_.is_cluster());
    Objects objects(workspace, shared_.setup, shared_.clock.now());
    Result<void> planned;
    do {
      workspace.forget_changes();
      planned = plan(objects);
    } while (co_await load(redis_, workspace));
    if (!planned) co_return planned;
    auto const written = co_await write_changes(redis_, shared_.setup.keys, workspace);
    if (written == Written::done) co_return planned;
    if (written == Written::job_pending) co_await run_required_jobs(workspace);
  }
  throw StoreError("other writers keep changing the same objects", false);
}

Task<Result<void>> Cache::put(ObjectKey key, std::string_view text) {
  CO_TRY(auto const place, writable_place(shared_.setup.keys, key));
  if (!shared_.setup.keep[resource_of(key.kind)].kept) {
    co_return refuse(errors::not_kept,
                     fmt::format("cache.keep.{} is false", resource_name(resource_of(key.kind))));
  }
  if (text.size() > limits::body_bytes_max) {
    co_return invalid("", fmt::format("an object may have at most {} bytes", limits::body_bytes_max));
  }
  CO_TRY(auto const compacted, compact(text));
  try {
    auto written = co_await change([&](Objects& objects) {
      wait_for_removal(objects, key);
      return put_object(objects, key, place, compacted);
    });
    // Here, a malformed object is not a malformed event.
    if (!written && written.error().code == errors::invalid_dispatch) {
      written.error().code = larder::errors::invalid_request;
    }
    co_return written;
  } catch (StoreError const& error) {
    if (!is_out_of_memory(error)) throw;
    co_return refuse(errors::cache_full,
                     "the Redis of the cache has no memory left: raise cache.redis.memory_mb, or keep less");
  }
}

Task<Result<bool>> Cache::remove(ObjectKey key) {
  CO_TRY(auto const place, writable_place(shared_.setup.keys, key));
  bool found = false;
  CO_TRY_DO(co_await change([&](Objects& objects) -> Result<void> {
    found = remove_object(objects, key, place);
    return {};
  }));
  co_return found;
}

}  // namespace larder::cache
