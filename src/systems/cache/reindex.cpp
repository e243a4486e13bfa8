// Rebuilds the indexes of the cache from its objects.
#include "systems/cache/collections.hpp"
#include "systems/cache/maintenance.hpp"
#include "systems/cache/snowflake.hpp"
#include "systems/cache/writer.hpp"

#include <ranges>

namespace larder::cache {

namespace {

// "drc:v1:members:1:2" -> {"members", "1", "2"}; nothing for our own keys.
std::vector<std::string_view> parts_of(CacheKeys const& keys, std::string_view key) {
  std::vector<std::string_view> parts;
  if (!key.starts_with(keys.root())) return parts;
  for (auto const part : std::views::split(key.substr(keys.root().size() + 1), ':')) {
    parts.emplace_back(part.begin(), part.end());
  }
  return parts;
}

// Adds the index entries for the objects of one portion of keys.
class Indexer {
 public:
  Indexer(Workspace& workspace, CacheSetup const& setup)
      : workspace_(workspace), keep_(setup.keep), keys_(setup.keys) {}

  void index(std::string const& key) {
    auto const parts = parts_of(keys_, key);
    if (parts.size() == 3 && is_snowflake(parts[1])) return index_of_two(parts[0], parts[1], parts[2]);
    if (parts.size() != 2) return;
    if (parts[0] == "guilds" && is_snowflake(parts[1])) workspace_.add(keys_.guilds(), parts[1], Role::list);
    if (parts[0] == "channels" && is_snowflake(parts[1])) index_channels(key, parts[1]);
    for (std::string_view const kind : {"threads", "invites", "webhooks", "stage-instances", "messages"}) {
      if (parts[0] == kind) index_object(kind, key, parts[1]);
    }
  }

 private:
  void index_channels(std::string const& hash, Id guild) {
    for (auto const& channel : workspace_.fields(hash)) {
      if (is_snowflake(channel)) {
        workspace_.set_text(keys_.guild_of(channel), std::string(guild), keep_[Resource::channels].ttl);
      }
    }
  }
  void index_of_two(std::string_view kind, Id first, std::string_view second) {
    if (kind == "reactions" && is_emoji_name(second)) {
      workspace_.add(keys_.reactions(first), second, Role::index);
      return;
    }
    if (!is_snowflake(second)) return;
    if (kind == "members") {
      workspace_.add(keys_.members(first), second, Role::index);
      workspace_.add(keys_.guilds_of(second), first, Role::index);
      if (keep_[Resource::users].ttl.count() == 0) workspace_.expire_text(keys_.user(second), {});
    } else if (kind == "presence") {
      workspace_.add(keys_.presences_of(first), second, Role::index);
    } else if (kind == "bans") {
      workspace_.add(keys_.bans_of(first), second, Role::index);
    }
  }

  void index_object(std::string_view kind, std::string const& key, std::string_view id) {
    auto const stored = workspace_.text(key);
    auto const text = stored ? compact(*stored) : Result<std::string>("");
    auto const object = text ? RawObject::parse(*text) : std::nullopt;
    if (!object) return;
    auto const guild = nested_id(*object, "guild_id", "guild");
    auto const channel = nested_id(*object, "channel_id", "channel");
    if (kind == "messages" && channel && is_snowflake(id)) {
      workspace_.rank(keys_.messages_of(*channel), id, time_of(id).value);
      if (guild) workspace_.add(keys_.talked_in(*guild), *channel, Role::outermost_index);
    }
    if (!guild) return;
    if (kind == "threads" && is_snowflake(id)) {
      auto const parent = id_in(object->find("parent_id")).value_or("0");
      workspace_.set_field(keys_.threads_of(*guild), id, std::string(parent), {}, Role::outermost_index);
    } else if (kind == "invites" && is_code(id)) {
      workspace_.set_field(keys_.invites_of(*guild), id, channel.value_or("0"), {}, Role::index);
    } else if (kind == "webhooks" && is_snowflake(id)) {
      auto const application = id_in(object->find("application_id")).value_or("0");
      workspace_.set_field(keys_.webhooks_of(*guild), id,
                           fmt::format("{}:{}", channel.value_or("0"), application), {}, Role::index);
    } else if (kind == "stage-instances" && is_snowflake(id)) {
      workspace_.add(keys_.stages_of(*guild), id, Role::index);
    }
  }

  // Other programs may store {"guild": {"id": ...}} where we store guild_id.
  static std::optional<std::string> nested_id(RawObject const& object, std::string_view name,
                                              std::string_view nested) {
    auto id = id_in(object.find(name));
    auto const inner = id ? std::nullopt : RawObject::parse(object.find(nested));
    if (inner) id = id_in(inner->find("id"));
    return id ? std::optional(std::string(*id)) : std::nullopt;
  }

  Workspace& workspace_;
  KeepRules const& keep_;
  CacheKeys const& keys_;
};

// Removes the entries of one of our index keys whose objects do not exist.
class Sweeper {
 public:
  Sweeper(Workspace& workspace, CacheKeys const& keys) : workspace_(workspace), keys_(keys) {}
  std::int64_t removed = 0;

  void sweep(std::string const& key) {
    // {drc:v1:guilds:1}:presences
    auto const end = key.rfind("}:");
    if (!key.starts_with('{') || end == std::string::npos) return;
    auto const parts = parts_of(keys_, std::string_view(key).substr(1, end - 1));
    auto const what = std::string_view(key).substr(end + 2);
    if (parts.size() != 2 || !is_snowflake(parts[1])) return;
    auto const id = parts[1];
    if (parts[0] == "guilds") sweep_guild(key, what, id);
    if (parts[0] == "users" && what == "guilds") {
      sweep_set(key, [&](Id guild) { return keys_.member(guild, id); });
    }
    if (parts[0] == "channels" && what == "messages") {
      for (auto const& message : workspace_.oldest(key, portion)) {
        if (is_missing(keys_.message(message), ObjectKind::message, message)) workspace_.unrank(key, message);
      }
    }
  }

 private:
  static constexpr std::size_t portion = 1000;

  void sweep_guild(std::string const& key, std::string_view what, Id guild) {
    if (what == "presences") sweep_set(key, [&](Id user) { return keys_.presence(guild, user); });
    if (what == "bans") sweep_set(key, [&](Id user) { return keys_.ban(guild, user); });
    if (what == "stages") sweep_set(key, [&](Id channel) { return keys_.stage_instance(channel); });
    if (what == "threads") sweep_hash(key, ObjectKind::thread, [&](Id id) { return keys_.thread(id); });
    if (what == "invites") sweep_hash(key, ObjectKind::invite, [&](Id code) { return keys_.invite(code); });
    if (what == "webhooks") sweep_hash(key, ObjectKind::webhook, [&](Id id) { return keys_.webhook(id); });
  }
  template <class KeyOf>
  void sweep_set(std::string const& set, KeyOf key_of) {
    for (auto const& element : workspace_.elements(set, std::size_t(-1))) {  // all, but others may change it
      if (is_missing(key_of(element), ObjectKind::member, element))
        workspace_.remove(set, element, Role::index);
    }
  }
  template <class KeyOf>
  void sweep_hash(std::string const& hash, ObjectKind kind, KeyOf key_of) {
    for (auto const& name : workspace_.fields(hash)) {
      if (is_missing(key_of(name), kind, name)) workspace_.remove_field(hash, name, Role::index);
    }
  }
  // When an entry is removed, only the absence of its object is checked again. Objects that exist are not:
  // there may be very many of them.
  bool is_missing(std::string const& key, ObjectKind kind, Id id) {
    bool const missing = !workspace_.text_to_change(key) && workspace_.complete() && !workspace_.text(key) &&
                         !leads_to_more(workspace_, keys_, kind, id) && workspace_.complete();
    removed += missing;
    return missing;
  }

  Workspace& workspace_;
  CacheKeys const& keys_;
};

constexpr std::size_t keys_together = 200;

}  // namespace

Task<Reindexed> reindex_cache(redis::Redis& redis, CacheSetup const& setup, Progress const& progress) {
  Reindexed done;
  auto const& keys = setup.keys;
  auto const work = [&](std::vector<std::string> found, bool sweeping) -> Task<void> {
    for (std::size_t begin = 0; begin < found.size(); begin += keys_together) {
      std::span const some(found.begin() + std::ptrdiff_t(begin),
                           found.begin() + std::ptrdiff_t(std::min(begin + keys_together, found.size())));
      for (auto written = Written::conflict; written != Written::done;) {
        Workspace workspace(!redis.is_cluster());
        std::int64_t removed = 0;
        do {
          workspace.forget_changes();
          Indexer indexer(workspace, setup);
          Sweeper sweeper(workspace, keys);
          for (auto const& key : some) sweeping ? sweeper.sweep(key) : indexer.index(key);
          removed = sweeper.removed;
        } while (co_await load(redis, workspace));
        written = co_await write_changes(redis, keys, workspace);
        if (written != Written::done) continue;
        (sweeping ? done.removed : done.added) += sweeping ? removed : std::int64_t(workspace.changes());
      }
    }
    done.keys += std::int64_t(found.size());
    if (progress) progress(done.keys);
  };
  co_await redis.scan(keys.root() + ":*",
                      [&](std::vector<std::string> found) { return work(std::move(found), false); });
  co_await redis.scan("{" + keys.root() + ":*",
                      [&](std::vector<std::string> found) { return work(std::move(found), true); });
  co_return done;
}

}  // namespace larder::cache
