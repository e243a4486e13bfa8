// Compares docs/cache.md with the code.
#include "systems/cache/events.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <set>

namespace larder::cache {
namespace {

std::string page() {
  std::ifstream in(LARDER_SOURCE_DIR "/docs/cache.md");
  return {std::istreambuf_iterator<char>(in), {}};
}

// The part of the page from one text to the next.
std::string between(std::string const& text, std::string_view from, std::string_view to) {
  auto const begin = text.find(from);
  auto const end = text.find(to, begin);
  EXPECT_NE(begin, std::string::npos) << from;
  EXPECT_NE(end, std::string::npos) << to;
  return text.substr(begin, end - begin);
}

std::set<std::string> matches(std::string const& text, char const* pattern) {
  std::regex const regex(pattern);
  std::set<std::string> found;
  for (std::sregex_iterator it(text.begin(), text.end(), regex), end; it != end; ++it) found.insert((*it)[1]);
  return found;
}

std::set<std::string> events_of(EventKind kind) {
  std::set<std::string> names;
  for (auto const& event : all_events()) {
    if (event.kind == kind) names.emplace(event.name);
  }
  return names;
}

TEST(CacheDocs, has_a_row_for_each_event_that_is_applied) {
  auto const table = between(page(), "## What does each event do?", "These events change nothing");
  EXPECT_EQ(matches(table, "\n\\| ([A-Z_]{4,}) \\|"), events_of(EventKind::applied));
}

TEST(CacheDocs, names_each_event_that_is_ignored) {
  auto const text = between(page(), "These events change nothing", "Any other event");
  EXPECT_EQ(matches(text, "\\b([A-Z]+_?[A-Z_]{3,})\\b"), events_of(EventKind::ignored));
}

TEST(CacheDocs, names_each_resource) {
  auto const text = between(page(), "The resources are", "## Which Redis");
  std::set<std::string> names;
  for (std::size_t i = 0; i < resource_count; ++i) names.emplace(resource_name(Resource(i)));
  EXPECT_EQ(matches(text, "`([a-z_]+)`"), names);
}

}  // namespace
}  // namespace larder::cache
