// The changes that one batch of events makes, before they are written. A Workspace answers questions as if
// its own changes were in Redis already, so each event of a batch sees what the events before it have done.
//
// Nothing is written until write_changes() (writer.hpp) writes everything in one step. That step first checks
// that all answers on which the changes rest are still true.
#pragma once

#include "systems/cache/reads.hpp"

#include <chrono>
#include <functional>
#include <unordered_map>

namespace larder::cache {

// What a collection is to its readers. On a cluster, a change is written in several steps. A list gets its
// elements after the objects are written, and loses them before, so everything in a list exists. An index
// gets its elements before the objects are written, and loses them afterwards, so everything that exists is
// in an index. What an outer index leads to has an index of its own, which is emptied first. So a writer that
// begins again after a conflict or a crash finds everything that is left.
enum class Role : std::uint8_t { list, object, index, outer_index, outermost_index };

class Workspace : public Reads {
 public:
  using Ttl = std::chrono::milliseconds;  // 0: for ever

  // `in_one_step`: whether the changes are written in one step. On a cluster they are not: then a crash may
  // have left an object without its place in a list.
  explicit Workspace(bool in_one_step = true) : in_one_step_(in_one_step) {}
  bool in_one_step() const { return in_one_step_; }

  // The answers, with the changes of this workspace. A view is valid until the next change of its key.
  std::optional<std::string_view> text(std::string key) override;
  std::optional<std::string_view> text_to_change(std::string key) override;
  std::optional<std::string_view> field(std::string hash, std::string_view name) override;
  bool has(std::string set, std::string_view member) override;
  bool any(std::string set) override;
  std::int64_t size(std::string const& set);
  List elements(std::string set, std::size_t limit = 0) override;
  List fields(std::string hash) override;
  List pairs(std::string hash) override;
  List oldest(std::string sorted_set, std::size_t limit) override;

  // The changes.
  void set_text(std::string key, std::string text, Ttl ttl);
  void expire_text(std::string key,
                   Ttl ttl);  // a missing text stays missing; a ttl of 0 makes it stay for ever
  void remove_text(std::string key);
  void set_field(std::string hash, std::string_view name, std::string value, Ttl ttl,
                 Role role = Role::object);
  void remove_field(std::string hash, std::string_view name, Role role = Role::object);
  // The hash has exactly these names and values. An empty hash does not exist.
  void replace_hash(std::string hash, std::vector<std::pair<std::string, std::string>> pairs, Ttl ttl,
                    Role role = Role::object);
  void add(std::string set, std::string_view member, Role role, Ttl ttl = {});
  void remove(std::string set, std::string_view member, Role role);
  // Empties a set of objects.
  void clear(std::string set);
  // A sorted set, which is an outer index. Members with a score below `drop_below` are dropped.
  void rank(std::string sorted_set, std::string_view member, std::int64_t score,
            std::optional<std::int64_t> drop_below = {});
  void unrank(std::string sorted_set, std::string_view member);
  // The first of all changes.
  void schedule(std::string due_set, std::string_view job, TimeMs due);
  // The last of all changes.
  void end_job(std::string due_set, std::string_view job);
  // The changes may be written only if the due set has this job, or does not have it.
  void require_job(std::string due_set, std::string_view job);
  void require_no_job(std::string due_set, std::string_view job);

  // An event of a batch begins. Its changes can be taken back until the next one begins.
  void begin_event();
  void take_back_event();

  std::size_t changes() const { return cost_.changes; }
  // An upper bound of the words that the script needs for the changes and for the checks of what they change.
  std::size_t words() const { return cost_.words; }
  std::size_t bytes() const { return cost_.bytes; }

  struct Text {
    std::optional<std::string> value;  // nothing: deleted
    Ttl ttl{0};
    bool only_expire = false;  // `value` does not count
  };
  struct CollectionState {
    bool replaced = false;  // Redis keeps nothing else
    Ttl ttl{0};
    Role role = Role::object;
  };
  struct Hash : CollectionState {
    using State = CollectionState;
    std::unordered_map<std::string, std::optional<std::string>> fields;  // nothing: removed
  };
  struct Set : CollectionState {
    using State = CollectionState;
    std::unordered_map<std::string, bool> members;  // false: removed
  };
  struct RankedState {
    std::optional<std::int64_t> drop_below;
  };
  struct Ranked : RankedState {
    using State = RankedState;
    std::unordered_map<std::string, std::optional<std::int64_t>> scores;  // nothing: removed
  };
  struct JobState {
    std::string due_set;
    std::string job;
    bool pending = false;
    bool operator==(JobState const&) const = default;
  };
  struct NewJob {
    std::string due_set;
    std::string job;
    TimeMs due;
  };
  struct Changes {
    std::unordered_map<std::string, Text> texts;
    std::unordered_map<std::string, Hash> hashes;
    std::unordered_map<std::string, Set> sets;
    std::unordered_map<std::string, Ranked> ranked;
    std::vector<NewJob> new_jobs;
    std::vector<JobState> required_jobs;
    std::vector<JobState> ended_jobs;  // `pending` does not count
  };
  Changes const& all_changes() const { return all_; }
  // Forgets the changes, but not the answers.
  void forget_changes();

 private:
  // Changes one place. If the event is taken back, the place gets its old content.
  template <class Value>
  void change(std::unordered_map<std::string, Value>& map, std::string key, Value value);
  // The same for a collection, but only its state is restored: its elements are changed one by one.
  template <class Collection>
  Collection& collection(std::unordered_map<std::string, Collection>& map, std::string key);
  void require(JobState state);
  void count(std::size_t words, std::size_t bytes);

  bool in_one_step_;
  Changes all_;
  std::vector<std::move_only_function<void()>> undo_;  // what take_back_event() does, last one first
  struct Cost {
    std::size_t changes = 0;
    std::size_t words = 0;
    std::size_t bytes = 0;
  };
  Cost cost_;
  Cost event_began_;  // the cost at that time
};

}  // namespace larder::cache
