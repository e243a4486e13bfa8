#include "systems/cache/cache_privacy.hpp"

#include "base/json.hpp"
#include "kit/events/privacy/mentions.hpp"
#include "kit/events/privacy/traces.hpp"
#include "systems/cache/snowflake.hpp"

#include <ranges>

namespace larder::cache {

namespace {

constexpr std::string_view nobody = "0";
constexpr int attempts_max = 10;  // to change a value that others change at the same time

// What a user's traces in a value are replaced with. A nested user keeps nothing but the id.
void drop_user(json::value& value, std::string const& id) {
  if (auto* const text = value.if_string()) {
    std::string changed(*text);
    if (privacy::replace_name(changed, id, nobody)) *text = changed;
  } else if (auto* const array = value.if_array()) {
    for (auto& element : *array) drop_user(element, id);
  } else if (auto* const object = value.if_object()) {
    auto const* const own = object->if_contains("id");
    if (own && own->is_string() && std::string_view(own->as_string()) == id) {
      object->clear();
      (*object)["id"] = nobody;
    }
    for (auto& member : *object) drop_user(member.value(), id);
  }
}

std::string without_user(std::string const& text, std::string const& id) {
  auto parsed = parse_json(text, {}, {.depth_max = limits::gateway_json_depth_max});
  if (parsed) {
    drop_user(*parsed, id);
    auto changed = json::serialize(*parsed);
    if (!privacy::names(changed, id)) return changed;
  }
  auto changed = text;
  privacy::replace_name(changed, id, nobody);
  return changed;
}

// "{drc:v1:users:1}:guilds" -> whether "1" is one of its parts.
bool is_key_of(std::string_view key, std::string_view id) { return privacy::names(key, id); }

struct Found {
  std::string key;
  std::string type;
  std::optional<std::string> text = {};                          // of a string that names the user
  bool is_element = false;                                       // of a set or a sorted set
  std::vector<std::pair<std::string, std::string>> fields = {};  // of a hash
};

class UserSearch {
 public:
  UserSearch(redis::Redis& redis, CacheKeys const& keys, std::string id)
      : redis_(redis), keys_(keys), id_(std::move(id)) {}

  Task<void> each(std::function<Task<void>(Found)> found) {
    auto const& root = keys_.root();
    std::vector<std::string> const patterns{root + ":*", "{" + root + ":*", "{" + root + "}:*"};
    for (auto const& pattern : patterns) {
      co_await redis_.scan(pattern, [&](std::vector<std::string> keys) -> Task<void> {
        for (auto& key : keys) {
          auto what = co_await look(std::move(key));
          if (what) co_await found(std::move(*what));
        }
      });
    }
  }

  // Nothing if the key does not exist, or neither belongs to the user nor names the user.
  Task<std::optional<Found>> look(std::string key) {
    Found found{.key = key,
                .type = std::string((co_await redis_.command(redis::Use::read, key, {"TYPE", key})).text())};
    bool const own = is_key_of(key, id_);
    if (found.type == "string") {
      found.text = (co_await redis_.command(redis::Use::read, key, {"GET", key})).optional_text();
      if (!found.text || !(own || privacy::names(*found.text, id_))) co_return std::nullopt;
      co_return found;
    }
    if (found.type == "set") {
      auto const is = co_await redis_.command(redis::Use::read, key, {"SISMEMBER", key, id_});
      found.is_element = is.integer() == 1;
    } else if (found.type == "zset") {
      found.is_element = !(co_await redis_.command(redis::Use::read, key, {"ZSCORE", key, id_})).is_nil();
    } else if (found.type == "hash") {
      co_await look_into_hash(found);
    } else {
      co_return std::nullopt;
    }
    if (!own && !found.is_element && found.fields.empty()) co_return std::nullopt;
    co_return found;
  }

 private:
  Task<void> look_into_hash(Found& found) {
    std::string cursor = "0";
    do {
      auto const reply =
          co_await redis_.command(redis::Use::read, found.key, {"HSCAN", found.key, cursor, "COUNT", "200"});
      cursor = reply.at(0).text();
      for (std::size_t i = 0; i + 1 < reply.at(1).size(); i += 2) {
        auto const field = reply.at(1).at(i).text();
        auto const value = reply.at(1).at(i + 1).text();
        if (field == id_ || privacy::names(value, id_)) found.fields.emplace_back(field, value);
      }
    } while (cursor != "0");
  }

  redis::Redis& redis_;
  CacheKeys const& keys_;
  std::string id_;
};

class UserRemoval {
 public:
  UserRemoval(redis::Redis& redis, CacheSetup const& setup, Clock const& clock, std::string id)
      : redis_(redis),
        setup_(setup),
        shared_{.setup = setup, .clock = clock, .counts = counts_},
        cache_(redis, shared_),
        search_(redis, setup.keys, id),
        id_(std::move(id)) {}

  Task<void> run() {
    co_await search_.each([this](Found found) { return remove_message(std::move(found)); });
    co_await search_.each([this](Found found) { return remove(std::move(found)); });
  }

 private:
  // A message goes as if Discord had said so, together with its reactions, votes and index entries.
  Task<void> remove_message(Found found) {
    auto const begin = setup_.keys.message("");
    if (!found.text || !found.key.starts_with(begin)) co_return;
    auto const object = RawObject::parse(*found.text);
    if (!object || id_in(object->find("author")) != id_) co_return;
    json::object d{{"id", found.key.substr(begin.size())}};
    for (std::string_view const name : {"channel_id", "guild_id"}) {
      if (auto const value = id_in(object->find(name))) d[name] = *value;
    }
    auto const dispatch = json::serialize(json::object{{"t", "MESSAGE_DELETE"}, {"d", std::move(d)}});
    std::string_view const one = dispatch;
    co_await cache_.apply({&one, 1});
  }

  Task<void> remove(Found found) {
    for (int attempt = 0; attempt < attempts_max; ++attempt) {
      if (co_await try_to_remove(found)) co_return;
      auto again = co_await search_.look(found.key);
      if (!again) co_return;
      found = std::move(*again);
    }
    throw StoreError("an object of the cache that names the user is changed all the time", false);
  }

  // Returns false if others have changed the value meanwhile.
  Task<bool> try_to_remove(Found found) {
    auto const& key = found.key;
    bool const is_interaction = key.starts_with(setup_.keys.interaction(""));
    bool const is_message = found.text && key.starts_with(setup_.keys.message(""));
    bool const own_message = is_message && author_of(*found.text) == id_;
    if (is_key_of(key, id_) || is_interaction || own_message || key == setup_.keys.self()) {
      co_await redis_.command(redis::Use::idempotent_write, key, {"UNLINK", key});
      co_return true;
    }
    if (found.text)
      co_return co_await privacy::replace_text(redis_, key, *found.text, without_user(*found.text, id_));
    if (found.is_element) {
      std::string_view const command = found.type == "set" ? "SREM" : "ZREM";
      co_await redis_.command(redis::Use::idempotent_write, key, {command, key, id_});
    }
    bool done = true;
    for (auto const& [field, value] : found.fields) {
      if (field == id_) {
        co_await redis_.command(redis::Use::idempotent_write, key, {"HDEL", key, field});
      } else {
        done = co_await privacy::replace_field(redis_, key, field, value, without_user(value, id_)) && done;
      }
    }
    co_return done;
  }

  static std::string author_of(std::string const& text) {
    auto const object = RawObject::parse(text);
    auto const author = object ? id_in(object->find("author")) : std::nullopt;
    return author ? std::string(*author) : std::string();
  }

  redis::Redis& redis_;
  CacheSetup const& setup_;
  EventCounts counts_;
  CacheShared shared_;
  Cache cache_;
  UserSearch search_;
  std::string id_;
};

}  // namespace

Task<void> export_user(redis::Redis& redis, CacheSetup setup, UserId user, privacy::ExportTo to) {
  if (!is_snowflake(user.str()) || !privacy::is_telling(user)) co_return;
  UserSearch search(redis, setup.keys, user.str());
  co_await search.each([&](Found found) -> Task<void> {
    json::object object{{"key", found.key}};
    if (found.text) object["value"] = *found.text;
    if (found.is_element) object["has_user"] = true;
    json::object fields;
    for (auto const& [field, value] : found.fields) fields[field] = value;
    if (!fields.empty()) object["fields"] = std::move(fields);
    to("keys", std::move(object));
    co_return;
  });
}

Task<std::string> forget_user(redis::Redis& redis, CacheSetup setup, Clock const& clock, UserId user) {
  if (!is_snowflake(user.str())) co_return std::string();
  if (!privacy::is_telling(user)) {
    auto const key = setup.keys.user(user.str());
    auto const known = co_await redis.command(redis::Use::read, key, {"EXISTS", key});
    co_return known.integer() == 0 ? std::string()
                                   : "an id this short cannot be told from other numbers, so the objects of "
                                     "the user stay in the cache";
  }
  UserRemoval removal(redis, setup, clock, user.str());
  co_await removal.run();
  co_return std::string();
}

}  // namespace larder::cache
