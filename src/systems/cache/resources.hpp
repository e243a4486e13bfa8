// The kinds of things that the cache keeps, and whether and for how long it keeps each.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace larder::cache {

enum class Resource : std::uint8_t {
  applications,
  automod_rules,
  bans,
  channels,
  commands,
  emojis,
  guilds,
  integrations,
  interactions,
  invites,
  members,
  messages,
  presences,
  reactions,
  roles,
  scheduled_events,
  stage_instances,
  stickers,
  templates,
  thread_members,
  threads,
  users,
  voice_states,
  webhooks,
  welcome_screens,
  widgets,
};
inline constexpr std::size_t resource_count = 26;

// As in the settings and the feed: "automod_rules".
std::string_view resource_name(Resource resource);

struct Keep {
  bool kept = true;
  std::chrono::seconds ttl{0};  // 0: for ever
};

// "true" or "0": for ever. "false": not at all. "90s", "15m", "24h" or "7d": for that long.
std::optional<Keep> parse_keep(std::string_view text);
std::string to_text(Keep const& keep);

// What is kept of each resource. By default everything is kept for ever, except interactions: 15 minutes.
class KeepRules {
 public:
  KeepRules();
  Keep& operator[](Resource resource) { return rules_[std::size_t(resource)]; }
  Keep const& operator[](Resource resource) const { return rules_[std::size_t(resource)]; }

 private:
  std::array<Keep, resource_count> rules_;
};

// A user who is in no guild that the cache knows is kept for this long.
inline constexpr std::chrono::hours stranger_ttl{24};

}  // namespace larder::cache
