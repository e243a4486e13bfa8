// Everything that the cache has in Redis, as one value that tests can compare.
#pragma once

#include "base/json.hpp"
#include "base/when_all.hpp"
#include "stores/redis/redis.hpp"

#include <fmt/format.h>

#include <map>
#include <set>
#include <string>

namespace larder::cache {

// From the name of a key to its content. Without "drc:v1:", a name ends in " hash", " set" or " zset" if the
// key does not have a text, and in " ttl" if the key expires: "guilds set", "users:5 ttl", "{users:5}:guilds
// set". A text is the JSON that it is. A hash is an object, a set is a sorted array, and a sorted set is an
// object of scores. The values in our own hashes are no JSON: they are strings.
using Snapshot = std::map<std::string, json::value>;

inline std::string short_name(std::string_view key) {
  bool const own = key.starts_with('{');
  auto const rest = key.substr(own ? 1 : 0);
  constexpr std::string_view root = "drc:v1:";
  return fmt::format("{}{}", own ? "{" : "", rest.starts_with(root) ? rest.substr(root.size()) : rest);
}

// A text that is no JSON shows up as a string that says so.
inline json::value json_of(std::string_view text) {
  boost::system::error_code code;
  json::parse_options options;
  options.max_depth = 100;
  auto value = json::parse(text, code, {}, options);
  return code ? json::value(fmt::format("not JSON: {}", text)) : value;
}

inline json::array sorted_array(std::set<std::string> const& elements) {
  json::array array;
  for (auto const& element : elements) array.emplace_back(element);
  return array;
}

inline json::value content_of(std::string_view type, std::string_view key, redis::Reply const& reply) {
  if (type == "string") return json_of(reply.text());
  std::set<std::string> elements;
  json::object pairs;
  for (std::size_t i = 0; i < reply.size(); i += type == "set" ? 1 : 2) {
    auto const name = reply.at(i).text();
    if (type == "set") {
      elements.emplace(name);
      continue;
    }
    auto const value = reply.at(i + 1).text();
    bool const plain = type == "hash" && key.starts_with('{');
    pairs[name] = plain ? json::value(value) : json_of(value);
  }
  return type == "set" ? json::value(sorted_array(elements)) : json::value(std::move(pairs));
}

inline Task<std::pair<std::string, json::value>> read_key(redis::Redis& redis, std::string key) {
  using redis::Use;
  auto const type = std::string((co_await redis.command(Use::read, key, {"TYPE", key})).text());
  auto const ttl = (co_await redis.command(Use::read, key, {"PTTL", key})).integer();
  redis::Reply reply;
  if (type == "string") reply = co_await redis.command(Use::read, key, {"GET", key});
  if (type == "hash") reply = co_await redis.command(Use::read, key, {"HGETALL", key});
  if (type == "set") reply = co_await redis.command(Use::read, key, {"SMEMBERS", key});
  if (type == "zset")
    reply = co_await redis.command(Use::read, key, {"ZRANGE", key, "0", "-1", "WITHSCORES"});
  auto const name = short_name(key) + (type == "string" ? "" : " " + type) + (ttl >= 0 ? " ttl" : "");
  co_return std::pair(name, content_of(type, key, reply));
}

inline Task<Snapshot> take_snapshot(redis::Redis& redis) {
  Snapshot all;
  co_await redis.scan("*", [&](std::vector<std::string> keys) -> Task<void> {
    std::vector<Task<std::pair<std::string, json::value>>> tasks;
    for (auto& key : keys) tasks.push_back(read_key(redis, std::move(key)));
    for (auto& [name, content] : co_await when_all(std::move(tasks))) all[name] = std::move(content);
  });
  co_return all;
}

// Of two objects, only what differs.
inline void reduce(json::value& one, json::value& other) {
  if (!one.is_object() || !other.is_object()) return;
  std::vector<std::string> same;
  for (auto& [name, value] : one.get_object()) {
    auto* const there = other.get_object().if_contains(name);
    if (there && *there == value) same.emplace_back(name);
    if (there && *there != value) reduce(value, *there);
  }
  for (auto const& name : same) {
    one.get_object().erase(name);
    other.get_object().erase(name);
  }
}

// What differs, one line for each key, and at most 20 lines. Empty if nothing does.
inline std::string differences(Snapshot const& expected, Snapshot const& found) {
  std::string out;
  int lines = 0;
  auto const line = [&](std::string_view name, std::string_view what, json::value const& content) {
    if (++lines <= 20) out += fmt::format("{} {}: {:.600}\n", what, name, json::serialize(content));
  };
  for (auto const& [name, content] : expected) {
    auto const other = found.find(name);
    if (other == found.end()) {
      line(name, "missing", content);
    } else if (other->second != content) {
      auto one = content;
      auto two = other->second;
      reduce(one, two);
      line(name, "expected", one);
      line(name, "   found", two);
    }
  }
  for (auto const& [name, content] : found) {
    if (!expected.contains(name)) line(name, "unexpected", content);
  }
  if (lines > 20) out += fmt::format("... and {} lines more\n", lines - 20);
  return out;
}

}  // namespace larder::cache
