// The work of assemble().
#pragma once

#include "systems/cache/stored_objects.hpp"

namespace larder::cache {

class Assembler {
 public:
  Assembler(Reads& reads, CacheKeys const& keys) : stored_(reads, keys) {}

  std::optional<std::string> object(ObjectKey const& key, Form form);

 private:
  enum class Depth : std::uint8_t { outer, referenced };

  // Replace the ids in an object by what they stand for.
  void restore(ObjectKind kind, ObjectKey const& key, RawObject& object);
  void restore_application(RawObject& application);
  void restore_guild(Id guild, RawObject& object);
  void restore_thread_member(Id thread, RawObject& member);
  void restore_user(RawObject& object, std::string_view field);
  void restore_users(RawObject& object, std::string_view field);
  void restore_users_inside(RawObject& object, std::string_view list, std::string_view field);
  // assemble_messages.cpp
  void restore_message(RawObject& message, std::string guild, Depth depth);
  void restore_interaction(RawObject& interaction);
  void restore_interaction_users(RawObject& object, std::string_view field, Id guild);
  void restore_resolved(RawObject& object, Id guild);
  std::optional<std::string> resolved_object(std::string_view kind, Id guild, Id id);

  enum class MemberForm : std::uint8_t { with_user, without_user };
  void restore_member(RawObject& object, std::string_view field, Id guild, MemberForm form);
  std::optional<std::string> member(Id guild, Id user, MemberForm form);
  void leave_out_gone_roles(RawObject& member, Id guild);
  std::string user(Id id);
  std::optional<std::string> message(Id id, Id guild, Depth depth);
  std::optional<std::string> channel(Id guild, Id id);
  std::string guild_of_message(RawObject const& message, std::string guild);
  std::optional<std::string> ban(ObjectKey const& key, Form form);
  std::string sorted_list(std::string hash, std::string_view user_field);

  Reads& reads() { return stored_.reads(); }
  CacheKeys const& keys() const { return stored_.keys(); }

  StoredObjects stored_;
};

}  // namespace larder::cache
