// A cache with its own Redis. The clock stands still until a test moves it.
#pragma once

#include "base/try.hpp"
#include "support/redis_servers.hpp"
#include "support/run.hpp"
#include "systems/cache/cache.hpp"
#include "systems/cache/object_places.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace larder::cache {

class CacheTest : public testing::Test {
 protected:
  using Texts = std::vector<std::string>;

  template <class T>
  T run(Task<T> task) {
    return test::run(io, std::move(task));
  }
  std::string cli(std::vector<std::string> const& command) { return server.cli(command); }

  ApplyReport apply_all(std::vector<std::pair<std::string_view, std::string>> const& events,
                        ApplyOptions options = {}) {
    Texts texts;
    for (auto const& [name, d] : events) texts.push_back(fmt::format(R"({{"t":"{}","d":{}}})", name, d));
    std::vector<std::string_view> const views(texts.begin(), texts.end());
    auto report = run(cache.apply(views, options)).value();
    for (auto const& failed : report.failed) ADD_FAILURE() << failed.index << ": " << failed.detail;
    return report;
  }
  // Applies one event. Returns the objects that it found.
  Texts apply(std::string_view name, std::string const& d) {
    Texts before;
    for (auto& found : apply_all({{name, d}}, {.before = true}).before)
      before.push_back(std::move(found.object));
    return before;
  }
  std::string get(std::vector<std::string_view> const& words, Form form = Form::whole) {
    return run(cache.get(read_object_key(words).value(), form)).value_or("not cached");
  }
  ObjectPage page(CollectionKind kind, std::string parent, PageQuery query = {}, std::string emoji = {}) {
    return run(cache.list({.kind = kind, .parent = std::move(parent), .emoji = std::move(emoji)}, query))
        .value();
  }
  // Everything, page by page.
  Texts list(CollectionKind kind, std::string const& parent, std::size_t limit = 50,
             std::string const& emoji = {}) {
    Texts all;
    PageQuery query{.limit = limit};
    for (;;) {
      auto const found = page(kind, parent, query, emoji);
      EXPECT_LE(found.items.size(), limit);
      all.insert(all.end(), found.items.begin(), found.items.end());
      if (!found.next_cursor) return all;
      query.cursor = *found.next_cursor;
    }
  }
  // The value of one member of each object.
  static Texts each(Texts const& objects, std::string_view name) {
    Texts values;
    for (auto const& text : objects) values.emplace_back(RawObject::parse(text).value().find(name));
    return values;
  }
  std::string put(std::vector<std::string_view> const& words, std::string_view text) {
    auto const done = run(cache.put(read_object_key(words).value(), text));
    return done ? "ok" : fmt::format("{} {}", done.error().code.name, done.error().field);
  }
  std::string remove(std::vector<std::string_view> const& words) {
    auto const done = run(cache.remove(read_object_key(words).value()));
    return done ? (*done ? "removed" : "not there") : std::string(done.error().code.name);
  }

  test::RedisServer server;
  asio::io_context io{1};
  TestClock clock{{1'800'000'000'000}};
  Metrics metrics;
  redis::Redis redis{io, {.url = redis::parse_url(server.url())}, metrics};
  EventCounts counts;
  CacheShared shared{.setup = {.keys = CacheKeys("drc", "v1"), .keep = {}}, .clock = clock, .counts = counts};
  Cache cache{redis, shared};
};

inline constexpr std::string_view ada = R"({"id":"100","username":"ada","flags":18446744073709551615})";
inline constexpr std::string_view bob = R"({"id":"101","username":"bob"})";

}  // namespace larder::cache
