// The smallest possible system: notes that a user keeps under names. It shows what a new system has to write,
// and its test (test_notes.py) shows what the system gets in return.
#pragma once

#include "edges/api/system.hpp"

namespace larder::api {

// Thread-compatible: one per io thread.
class Notes {
 public:
  Notes(redis::Redis& redis, std::int64_t notes_max) : redis_(redis), notes_max_(notes_max) {}

  struct Note {
    std::string name;
    std::string text;
  };
  // Refuses a new name beyond the limit with too_many_notes.
  Task<Result<Note>> put(UserId uid, Note note);
  Task<Result<Note>> get(UserId uid, std::string name);
  // Up to `limit` notes after the name `after`, sorted by name.
  Task<std::vector<Note>> list(UserId uid, std::string after, std::int64_t limit);

 private:
  redis::Redis& redis_;
  std::int64_t notes_max_;
};

class NotesSystem final : public System {
 public:
  std::string_view name() const override { return "notes"; }
  Settings settings() override { return {number_setting("notes.notes_max", notes_max_, 1, 1000)}; }
  Api api() const override;
  Part part(IoThread const& thread) override {
    return Part(std::make_shared<Notes>(thread.redis, notes_max_));
  }

 private:
  std::int64_t notes_max_ = 100;
};

}  // namespace larder::api
