#include "systems/cache/resources.hpp"

#include "base/number.hpp"
#include "systems/cache/snowflake.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace larder::cache {

namespace {

constexpr std::array<std::string_view, resource_count> resource_names = {
    "applications",     "automod_rules",   "bans",         "channels",     "commands",
    "emojis",           "guilds",          "integrations", "interactions", "invites",
    "members",          "messages",        "presences",    "reactions",    "roles",
    "scheduled_events", "stage_instances", "stickers",     "templates",    "thread_members",
    "threads",          "users",           "voice_states", "webhooks",     "welcome_screens",
    "widgets"};

struct TimeUnit {
  char letter;
  std::int64_t seconds;
};
constexpr TimeUnit time_units[] = {{'d', 86'400}, {'h', 3'600}, {'m', 60}, {'s', 1}};
constexpr std::int64_t keep_s_max = 3650LL * 86'400;

}  // namespace

std::string_view resource_name(Resource resource) { return resource_names[std::size_t(resource)]; }

std::optional<Keep> parse_keep(std::string_view text) {
  if (text == "true" || text == "0") return Keep{};
  if (text == "false") return Keep{.kept = false};
  if (text.empty()) return std::nullopt;
  auto const* const unit = std::ranges::find(time_units, text.back(), &TimeUnit::letter);
  auto const count = parse_int(text.substr(0, text.size() - 1));
  if (unit == std::end(time_units) || !count || *count < 1 || *count > keep_s_max / unit->seconds) {
    return std::nullopt;
  }
  return Keep{.ttl = std::chrono::seconds(*count * unit->seconds)};
}

std::string to_text(Keep const& keep) {
  if (!keep.kept) return "false";
  if (keep.ttl.count() == 0) return "true";
  for (auto const& unit : time_units) {
    if (keep.ttl.count() % unit.seconds == 0) {
      return fmt::format("{}{}", keep.ttl.count() / unit.seconds, unit.letter);
    }
  }
  return {};
}

KeepRules::KeepRules() { (*this)[Resource::interactions].ttl = std::chrono::seconds(900); }

bool is_code(std::string_view text) {
  return !text.empty() && text.size() <= 64 && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
  });
}

bool is_emoji_name(std::string_view text) {
  return !text.empty() && text.size() <= 64 &&
         std::ranges::none_of(text, [](char c) { return c == ':' || (c >= 0 && c < 0x20) || c == 0x7f; });
}

}  // namespace larder::cache
