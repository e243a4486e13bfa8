// Removes objects together with everything that belongs to them.
#pragma once

#include "systems/cache/objects.hpp"

namespace larder::cache {

// About how many keys are removed in one step. An event removes no more than one call of the script can. More
// takes several steps, which a job of the due set does one after the other.
inline constexpr std::size_t event_keys_max = 80;
inline constexpr std::size_t job_keys_max = 500;
// A job that meets other writers takes smaller steps, down to this.
inline constexpr std::size_t job_keys_min = 40;

// Writes removals into a workspace. Each function returns whether it has removed everything. If it has not,
// what is left is still in its index, so calling it again in a later step continues.
class Cascade {
 public:
  explicit Cascade(Objects& objects, std::size_t keys_max = event_keys_max)
      : objects_(objects), keys_max_(keys_max), room_(keys_max) {}

  // The message, its reactions and its votes. `channel` is where it was sent.
  void message(Id channel, Id id);
  // Also its members and its messages.
  bool thread(Id guild, Id id);
  // The channel with its threads, messages, invites, webhooks and stage instance. Without a guild: direct
  // messages.
  bool channel(std::optional<Id> guild, Id id);
  bool guild(Id id);
  // The member with its presence and voice state. A user without another guild becomes a stranger.
  void member(Id guild, Id user);
  void invite(Id guild, std::string_view code);
  void webhooks(Id guild, std::optional<Id> channel, std::optional<Id> application);
  void reactions(Id message);
  // Takes a deleted role out of these members.
  void role(Id guild, Id id, std::vector<std::string> const& users);

 private:
  bool messages_of(Id channel);
  bool has_room() const { return room_ > 0; }
  void use(std::size_t keys) { room_ -= std::min(room_, keys); }

  Objects& objects_;
  std::size_t keys_max_;
  std::size_t room_;
};

// The server that schedules a job does it at once. After this time, the background takes over what is left.
inline constexpr std::chrono::seconds job_takeover{10};

// A job in the due set of the cache: what a cascade still has to remove.
struct CascadeJob {
  enum class Kind : std::uint8_t { guild, channel, thread, role };
  Kind kind = Kind::guild;
  std::string guild;  // "@me": direct messages
  std::string id = {};

  // "guild:41771983423143937", "channel:41771983423143937:41771983423143938"
  std::string name() const;
  static std::optional<CascadeJob> parse(std::string_view name);
};

// One step of a job that removes something: not of Kind::role. Returns whether the job is done.
bool run_step(Cascade& cascade, CascadeJob const& job);

}  // namespace larder::cache
