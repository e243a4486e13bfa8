// Lists the objects of a collection.
#include "base/json.hpp"
#include "base/try.hpp"
#include "systems/cache/assemble.hpp"
#include "systems/cache/cache.hpp"
#include "systems/cache/cache_cursor.hpp"
#include "systems/cache/collections.hpp"
#include "systems/cache/object_places.hpp"
#include "systems/cache/snowflake.hpp"
#include "systems/cache/stored_objects.hpp"
#include "systems/cache/writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace larder::cache {

namespace {

constexpr int scans_max = 20;                    // of one page, while it is not full
constexpr std::int64_t absent_ms_min = 60'000;   // after this, an id is taken out of its index
constexpr std::int64_t absent_ms_max = 600'000;  // after this, an earlier look proves nothing any more
constexpr std::size_t absent_ids_max = 1000;     // that a cache remembers
constexpr std::size_t dropped_max = 100;         // ids that one page takes out of an index
constexpr std::size_t ranked_spare = 16;         // messages of one millisecond, mostly

ObjectKey key_in(CollectionInfo const& info, Collection const& collection, std::string id) {
  return {.kind = info.kind, .parent = info.needs_guild ? collection.parent : "", .id = std::move(id)};
}

// Sorts the names, and leaves those that come after `last`.
std::vector<std::string> names_after(std::vector<std::string> names, std::string_view last) {
  std::ranges::sort(names, is_older);
  if (!last.empty()) {
    std::erase_if(names, [&](std::string const& name) { return !is_older(last, name); });
  }
  return names;
}

// Leaves the first `limit` names. Returns whether others were cut off.
bool cut_to(std::vector<std::string>& names, std::size_t limit) {
  if (names.size() <= limit) return false;
  names.resize(limit);
  return true;
}

// {"emoji":{"id":...,"name":...},"count":n}. The key names a custom emoji by its id; the message may know its
// name.
std::string reaction_item(RawObject const* message, std::string const& emoji, std::int64_t count) {
  if (!is_snowflake(emoji)) {
    return fmt::format(R"({{"emoji":{{"id":null,"name":{}}},"count":{}}})", cache::quoted(emoji), count);
  }
  std::string_view name = "null";
  for (auto const element : elements_of(message ? message->find("reactions") : "")) {
    auto const entry = RawObject::parse(element);
    auto const object = entry ? RawObject::parse(entry->find("emoji")) : std::nullopt;
    if (object && id_in(object->find("id")) == emoji && object->has("name")) name = object->find("name");
  }
  return fmt::format(R"({{"emoji":{{"id":"{}","name":{}}},"count":{}}})", emoji, name, count);
}

}  // namespace

Task<Result<ObjectPage>> Cache::list(Collection collection, PageQuery query, Form form) {
  if (collection.kind == CollectionKind::users_of_reaction && !is_emoji_name(collection.emoji)) {
    co_return invalid("emoji",
                      "emoji must be an id, or a name of 1 to 64 bytes without : and control characters");
  }
  if (!is_valid(collection)) co_return invalid("id", "id must be a snowflake: a 64-bit number as a string");
  query.limit = std::clamp<std::size_t>(query.limit, 1, limits::page_max);
  try {
    switch (info_of(shared_.setup.keys, collection).form) {
      case CollectionInfo::Form::hash:
      case CollectionInfo::Form::index: co_return co_await list_names(collection, query, form);
      case CollectionInfo::Form::set: co_return co_await list_set(collection, query, form);
      case CollectionInfo::Form::messages: co_return co_await list_messages(collection, query, form);
      case CollectionInfo::Form::reactions: break;
    }
    co_return co_await list_reactions(collection, query);
  } catch (redis::ReplyError const& error) {
    if (!is_of_another_type(error)) throw;
    co_return ObjectPage{};
  }
}

Task<std::vector<std::string>> Cache::objects_of(Collection const& collection,
                                                 std::vector<std::string> const& ids, Form form) {
  auto const info = info_of(shared_.setup.keys, collection);
  std::vector<ObjectKey> keys;
  for (auto const& id : ids) keys.push_back(key_in(info, collection, id));
  auto found = co_await lookup(keys, form);
  std::vector<std::string> objects;
  std::vector<ObjectKey> absent;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (found[i]) {
      objects.push_back(std::move(*found[i]));
    } else if (collection.kind == CollectionKind::users_of_reaction && is_snowflake(ids[i])) {
      objects.push_back(fmt::format(R"({{"id":"{}"}})", ids[i]));
    } else if (info.has_own_index) {
      absent.push_back(std::move(keys[i]));
    }
  }
  co_await drop_from_index(collection, std::move(absent));
  co_return objects;
}

// In a large write, an index gets an id before the object is written. So an id must have been without its
// object for a while. On a cluster, nothing can check the object and change the index in one step: there, ids
// stay until their guild or channel is removed.
Task<void> Cache::drop_from_index(Collection const& collection, std::vector<ObjectKey> absent) {
  if (absent.empty() || redis_.is_cluster()) co_return;
  auto const& keys = shared_.setup.keys;
  auto const info = info_of(keys, collection);
  auto const now = shared_.clock.now();
  if (absent_since_.size() > absent_ids_max) absent_since_.clear();
  std::erase_if(absent, [&](ObjectKey const& key) {
    auto& since = absent_since_.try_emplace(fmt::format("{} {}", info.key, key.id), now).first->second;
    if (now - since > absent_ms_max) since = now;
    return now - since < absent_ms_min;
  });
  if (absent.empty()) co_return;
  Workspace workspace(true);
  do {
    workspace.forget_changes();
    for (std::size_t i = 0; i < std::min(absent.size(), dropped_max); ++i) {
      auto const& id = absent[i].id;
      auto const place = place_of(keys, absent[i]);
      // An object that is cached, but unreadable or of another guild, is somebody else's business.
      if (place && workspace.text(place->key)) continue;
      if (leads_to_more(workspace, keys, info.kind, id)) continue;
      if (info.form == CollectionInfo::Form::index) {
        workspace.remove_field(info.key, id, Role::index);
      } else if (info.form == CollectionInfo::Form::messages) {
        workspace.unrank(info.key, id);
      } else {
        workspace.remove(info.key, id, Role::index);
      }
    }
  } while (co_await load(redis_, workspace));
  try {
    co_await write_changes(redis_, keys, workspace);
  } catch (StoreError const&) {  // the page is complete without this
  }
}

Task<Result<ObjectPage>> Cache::list_names(Collection const& collection, PageQuery const& query, Form form) {
  CO_TRY(auto const last, read_cursor_after(query.cursor));
  auto const info = info_of(shared_.setup.keys, collection);
  Reads reads;
  reads.fields(info.key);
  co_await load(redis_, reads);
  auto names = names_after(reads.fields(info.key), last.value_or(""));
  bool const more = cut_to(names, query.limit);
  ObjectPage page{.items = co_await objects_of(collection, names, form), .next_cursor = {}};
  if (more) page.next_cursor = cursor_after(names.back());
  co_return page;
}

// A portion may have more ids than the page has room for. Then the next page scans the same portion again.
Task<Result<ObjectPage>> Cache::list_set(Collection const& collection, PageQuery const& query, Form form) {
  CO_TRY(auto cursor, ScanCursor::read(query.cursor));
  auto const info = info_of(shared_.setup.keys, collection);
  auto const count = std::to_string(query.limit);
  ObjectPage page;
  std::vector<std::string> ids;
  std::set<std::string> seen;  // a scan may give an id twice
  for (int scans = 0; scans < scans_max; ++scans) {
    auto const position = std::to_string(cursor.position);
    auto const reply =
        co_await redis_.command(redis::Use::read, info.key, {"SSCAN", info.key, position, "COUNT", count});
    std::vector<std::string> portion;
    for (std::size_t i = 0; i < reply.at(1).size(); ++i) portion.emplace_back(reply.at(1).at(i).text());
    portion = names_after(std::move(portion), cursor.last);
    std::erase_if(portion,
                  [&](std::string const& id) { return !is_snowflake(id) || !seen.insert(id).second; });
    bool const more = cut_to(portion, query.limit - ids.size());
    if (!portion.empty()) cursor.last = portion.back();
    std::ranges::move(portion, std::back_inserter(ids));
    auto const next = parse_int<std::uint64_t>(reply.at(0).text()).value_or(0);
    if (!more) cursor = {.position = next};
    if (more || next == 0 || ids.size() == query.limit) {
      if (more || next != 0) page.next_cursor = cursor.text();
      break;
    }
    if (scans + 1 == scans_max) page.next_cursor = cursor.text();
  }
  page.items = co_await objects_of(collection, ids, form);
  co_return page;
}

// Messages of one millisecond have the same score, and Redis orders them by their ids.
Task<Result<ObjectPage>> Cache::list_messages(Collection const& collection, PageQuery const& query,
                                              Form form) {
  CO_TRY(auto const last, read_cursor_after(query.cursor));
  if (last && !is_snowflake(*last))
    co_return invalid("cursor", "cursor must come from an earlier page of this list");
  auto const info = info_of(shared_.setup.keys, collection);
  auto const from = last ? std::to_string(time_of(*last).value) : "+inf";
  auto const count = std::to_string(query.limit + ranked_spare);
  std::vector<std::string> ids;
  bool end = false;
  for (std::size_t offset = 0; !end && ids.size() <= query.limit;) {
    auto const skipped = std::to_string(offset);
    auto const reply = co_await redis_.command(
        redis::Use::read, info.key, {"ZREVRANGEBYSCORE", info.key, from, "-inf", "LIMIT", skipped, count});
    for (std::size_t i = 0; i < reply.size(); ++i) {
      std::string id(reply.at(i).text());
      if (is_snowflake(id) && (!last || is_older(id, *last))) ids.push_back(std::move(id));
    }
    offset += reply.size();
    end = reply.size() < query.limit + ranked_spare;
  }
  bool const more = cut_to(ids, query.limit);
  ObjectPage page{.items = co_await objects_of(collection, ids, form), .next_cursor = {}};
  if (more) page.next_cursor = cursor_after(ids.back());
  co_return page;
}

Task<Result<ObjectPage>> Cache::list_reactions(Collection const& collection, PageQuery const& query) {
  CO_TRY(auto const last, read_cursor_after(query.cursor));
  auto const& keys = shared_.setup.keys;
  Reads reads;
  ObjectPage page;
  do {
    page = {};
    StoredObjects stored(reads, keys);
    auto const message = stored.get({.kind = ObjectKind::message, .id = collection.parent});
    auto emojis = names_after(reads.elements(keys.reactions(collection.parent)), last.value_or(""));
    std::erase_if(emojis, [](std::string const& emoji) { return !is_emoji_name(emoji) || !is_utf8(emoji); });
    bool const more = cut_to(emojis, query.limit);
    for (auto const& emoji : emojis) {
      auto const count = reads.size(keys.reaction(collection.parent, emoji));
      if (count > 0) page.items.push_back(reaction_item(message ? &*message : nullptr, emoji, count));
    }
    if (more) page.next_cursor = cursor_after(emojis.back());
  } while (co_await load(redis_, reads));
  co_return page;
}

}  // namespace larder::cache
