// What a member may do: Discord's documented calculation, and how the cache gets what it needs for that.
#pragma once

#include "base/error.hpp"
#include "base/time.hpp"
#include "systems/cache/cache_keys.hpp"
#include "systems/cache/cache_types.hpp"
#include "systems/cache/reads.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace larder::cache {

namespace permission {
constexpr std::uint64_t bit(int number) { return std::uint64_t(1) << number; }
inline constexpr std::uint64_t administrator = bit(3);
inline constexpr std::uint64_t view_channel = bit(10);
inline constexpr std::uint64_t send_messages = bit(11);
inline constexpr std::uint64_t send_tts_messages = bit(12);
inline constexpr std::uint64_t embed_links = bit(14);
inline constexpr std::uint64_t attach_files = bit(15);
inline constexpr std::uint64_t read_message_history = bit(16);
inline constexpr std::uint64_t mention_everyone = bit(17);
inline constexpr std::uint64_t connect = bit(20);
inline constexpr std::uint64_t send_messages_in_threads = bit(38);
}  // namespace permission

// Discord's name of a bit: "VIEW_CHANNEL". A bit without a name is "BIT_<number>".
std::string permission_name(int bit);
// The names of all bits that are set, lowest first.
std::vector<std::string> permission_names(std::uint64_t permissions);
// Every bit that has a name.
std::uint64_t all_permissions();

struct Overwrite {
  std::string id;  // of a role, or of a member
  bool of_member = false;
  std::uint64_t allow = 0;
  std::uint64_t deny = 0;
};

struct ChannelInput {
  int type = 0;
  bool is_thread = false;
  std::vector<Overwrite> overwrites = {};  // of a thread: those of its parent
};

struct PermissionInput {
  std::string guild;  // also the id of the role @everyone
  std::string user;
  bool is_owner = false;
  bool is_timed_out = false;
  std::uint64_t everyone = 0;  // what the role @everyone may do
  struct Role {
    std::string id;
    std::uint64_t permissions = 0;
  };
  std::vector<Role> roles = {};  // of the member, without @everyone
  std::optional<ChannelInput> channel = {};
};

Permissions calculate(PermissionInput const& input);

// Collects what the calculation needs. Refuses with `not_cached` what is not cached, and names it. The result
// counts only when the Reads is complete.
Result<PermissionInput> collect_permissions(Reads& reads, CacheKeys const& keys, std::string const& guild,
                                            std::string const& user,
                                            std::optional<std::string> const& channel, TimeMs now);

}  // namespace larder::cache
