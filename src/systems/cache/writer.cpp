#include "systems/cache/writer.hpp"

#include "base/random.hpp"
#include "base/when_all.hpp"
#include "stores/redis/reply_reader.hpp"
#include "systems/cache/cache_scripts.hpp"

#include <deque>
#include <map>
#include <unordered_set>

namespace larder::cache {

namespace {

using scripts::Change;
using scripts::Check;
using Ttl = Workspace::Ttl;

// Changes that need no more than the first two are one call, so they happen completely or not at all. Larger
// changes are cut into calls that take about a millisecond of Redis' time each.
constexpr std::size_t one_call_words_max = 1600;
constexpr std::size_t one_call_bytes_max = 512 * 1024;
constexpr std::size_t call_words_max = 800;
constexpr std::size_t call_bytes_max = 256 * 1024;
constexpr std::size_t words_of_change = 2;  // a command costs as much as two more words
constexpr std::size_t words_of_check = 4;
constexpr std::size_t portion_words_max = 400;  // of one command
constexpr std::size_t portion_bytes_max = 128 * 1024;
constexpr std::chrono::minutes unfinished_ttl{10};  // of a list that nobody puts in its place

enum Step : std::uint8_t {
  new_jobs,
  users,
  before_objects,
  objects,
  after_objects,
  outer_indexes,
  outermost_indexes,
  ended_jobs,
  steps_end
};

// Commands on one slot that belong together.
struct Unit {
  Step step = new_jobs;
  int slot = 0;
  std::vector<Change> changes = {};
  std::size_t words = 0;
  std::size_t bytes = 0;

  void add(Change change) {
    words += change.keys.size() + change.words.size() + words_of_change;
    for (auto const word : change.words) bytes += word.size();
    for (auto const key : change.keys) bytes += key.size();
    changes.push_back(std::move(change));
  }
};

Step when_added(Role role) {
  return role == Role::list ? after_objects : role == Role::object ? objects : before_objects;
}
Step when_removed(Role role) {
  switch (role) {
    case Role::list: return before_objects;
    case Role::object: return objects;
    case Role::index: return after_objects;
    case Role::outer_index: return outer_indexes;
    case Role::outermost_index: return outermost_indexes;
  }
  std::unreachable();
}

// Turns the changes of a workspace into commands.
class Planner {
 public:
  Planner(CacheKeys const& keys, Workspace const& workspace, bool cluster) : keys_(keys), cluster_(cluster) {
    auto const& all = workspace.all_changes();
    for (auto const& [key, text] : all.texts) plan_text(key, text);
    flush_texts();
    for (auto const& [key, hash] : all.hashes) plan_hash(key, hash);
    for (auto const& [key, set] : all.sets) plan_set(key, set);
    for (auto const& [key, ranked] : all.ranked) plan_ranked(key, ranked);
    for (auto const& [due_set, job, pending] : all.required_jobs) {
      checks.push_back({.kind = pending ? "job" : "no_job", .key = due_set, .name = job});
    }
    for (auto const& [due_set, job, pending] : all.ended_jobs) {
      unit(ended_jobs, due_set).add({"ZREM", {due_set}, {job}});
    }
    for (auto const& [due_set, job, due] : all.new_jobs) {
      unit(new_jobs, due_set).add({"ZADD", {due_set}, {keep(std::to_string(due.value)), job}});
    }
    for (auto const& [question, answer] : workspace.known()) {
      if (answer.is_checked || changes_text(all, question)) plan_check(question, answer);
    }
    std::ranges::sort(units, {}, &Unit::step);
  }

  std::vector<Check> checks;
  std::vector<Unit> units;
  std::vector<Unit> before;  // builds large lists under other names

 private:
  Unit& unit(Step step, std::string_view key) {
    return units.emplace_back(Unit{.step = keys_.is_of_user(key) ? users : step, .slot = slot(key)});
  }
  int slot(std::string_view key) const { return cluster_ ? redis::slot_of(key) : 0; }
  std::string_view keep(std::string text) { return kept_.emplace_back(std::move(text)); }
  std::string_view ms(Ttl ttl) { return keep(std::to_string(ttl.count())); }

  void plan_text(std::string const& key, Workspace::Text const& text) {
    if (text.only_expire) {
      if (text.ttl.count() > 0) {
        unit(objects, key).add({"PEXPIRE", {key}, {ms(text.ttl)}});
      } else {
        unit(objects, key).add({"PERSIST", {key}});
      }
    } else if (!text.value) {
      add_to(deleted_, "UNLINK", key, {});
    } else if (text.ttl.count() > 0) {
      unit(objects, key).add({"SET", {key}, {*text.value, "PX", ms(text.ttl)}});
    } else {
      add_to(plain_, "MSET", key, *text.value);
    }
  }
  using Texts = std::map<std::pair<Step, int>, Unit>;  // by slot
  // Texts of one slot in one command.
  void add_to(Texts& by_slot, std::string_view command, std::string_view key,
              std::optional<std::string_view> value) {
    std::pair const place(keys_.is_of_user(key) ? users : objects, slot(key));
    auto& unit = by_slot.try_emplace(place, Unit{.step = place.first, .slot = place.second}).first->second;
    if (unit.changes.empty()) unit.changes.push_back({command, {}});
    unit.changes[0].keys.push_back(key);
    if (value) unit.changes[0].words.push_back(*value);
    unit.words += value ? 2 : 1;
    unit.bytes += key.size() + value.value_or("").size();
    if (unit.words < portion_words_max && unit.bytes < portion_bytes_max) return;
    units.push_back(std::move(unit));
    by_slot.erase(place);
  }
  void flush_texts() {
    for (auto* const each : {&plain_, &deleted_}) {
      for (auto& [place, unit] : *each) units.push_back(std::move(unit));
    }
  }

  void expire(Unit& unit, std::string_view key, Ttl ttl) {
    if (ttl.count() > 0) unit.add({"PEXPIRE", {key}, {ms(ttl)}});
  }

  void plan_hash(std::string const& key, Workspace::Hash const& hash) {
    Change set{"HSET", {key}};
    Change removed{"HDEL", {key}};
    for (auto const& [name, value] : hash.fields) {
      if (value) {
        set.words.push_back(name);
        set.words.push_back(*value);
      } else {
        removed.words.push_back(name);
      }
    }
    plan_collection(key, hash, set, removed, 2);
  }
  void plan_set(std::string const& key, Workspace::Set const& set) {
    Change added{"SADD", {key}};
    Change removed{"SREM", {key}};
    for (auto const& [member, there] : set.members) (there ? added : removed).words.push_back(member);
    plan_collection(key, set, added, removed, 1);
  }
  void plan_collection(std::string_view key, Workspace::CollectionState const& state, Change const& added,
                       Change const& removed, std::size_t element_words) {
    if (state.replaced) {
      replace(key, state, added, element_words);
      return;
    }
    for (auto& portion : portions(added, element_words)) {
      auto& unit = this->unit(when_added(state.role), key);
      unit.add(std::move(portion));
      expire(unit, key, state.ttl);
    }
    for (auto& portion : portions(removed, 1)) unit(when_removed(state.role), key).add(std::move(portion));
  }
  void replace(std::string_view key, Workspace::CollectionState const& state, Change const& added,
               std::size_t element_words) {
    if (added.words.empty()) {
      unit(when_removed(state.role), key).add({"UNLINK", {key}});
      return;
    }
    auto parts = portions(added, element_words);
    auto& last = unit(objects, key);
    if (parts.size() == 1) {
      last.add({"UNLINK", {key}});
      last.add(std::move(parts[0]));
    } else {
      auto const next = keep(CacheKeys::next(key, random_hex(8)));
      for (auto& part : parts) {
        part.keys[0] = next;
        auto& building = before.emplace_back(Unit{.slot = slot(key)});
        building.add(std::move(part));
        expire(building, next, unfinished_ttl);
      }
      checks.push_back({.kind = "exists", .key = next});
      last.add({"RENAME", {next, key}});
      if (state.ttl.count() == 0) last.add({"PERSIST", {key}});
    }
    expire(last, key, state.ttl);
  }
  // Splits a command with many words into several with fewer.
  static std::vector<Change> portions(Change const& change, std::size_t element_words) {
    std::vector<Change> parts;
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < change.words.size(); i += element_words) {
      if (parts.empty() || parts.back().words.size() >= portion_words_max || bytes >= portion_bytes_max) {
        parts.push_back({change.command, change.keys});
        bytes = 0;
      }
      for (std::size_t j = i; j < i + element_words; ++j) {
        parts.back().words.push_back(change.words[j]);
        bytes += change.words[j].size();
      }
    }
    return parts;
  }

  void plan_ranked(std::string const& key, Workspace::Ranked const& ranked) {
    Change added{"ZADD", {key}};
    Change removed{"ZREM", {key}};
    for (auto const& [member, score] : ranked.scores) {
      if (score) added.words.push_back(keep(std::to_string(*score)));
      (score ? added : removed).words.push_back(member);
    }
    for (auto& portion : portions(added, 2)) {
      unit(when_added(Role::outer_index), key).add(std::move(portion));
    }
    for (auto& portion : portions(removed, 1)) {
      unit(when_removed(Role::outer_index), key).add(std::move(portion));
    }
    if (ranked.drop_below) {
      auto const below = keep("(" + std::to_string(*ranked.drop_below));
      unit(when_removed(Role::outer_index), key).add({"ZREMRANGEBYSCORE", {key}, {"-inf", below}});
    }
  }

  static bool changes_text(Workspace::Changes const& all, Question const& question) {
    if (question.kind != Question::Kind::text) return false;
    auto const text = all.texts.find(question.key);
    return text != all.texts.end() && !text->second.only_expire;
  }
  void plan_check(Question const& question, Reads::Answer const& answer) {
    auto const value = answer.text ? std::string_view(*answer.text) : "";
    switch (question.kind) {
      case Question::Kind::text:
        checks.push_back({.kind = answer.text ? "text" : "no_text", .key = question.key, .value = value});
        break;
      case Question::Kind::field:
        checks.push_back({.kind = answer.text ? "field" : "no_field",
                          .key = question.key,
                          .name = question.member,
                          .value = value});
        break;
      case Question::Kind::has:
        checks.push_back(
            {.kind = answer.text ? "has" : "has_not", .key = question.key, .name = question.member});
        break;
      case Question::Kind::size:
        checks.push_back({.kind = "size", .key = question.key, .name = "SCARD", .value = value});
        break;
      case Question::Kind::elements:
        if (question.limit == 0) check_size(question.key, "SCARD", answer.list.size());
        break;
      case Question::Kind::fields: check_size(question.key, "HLEN", answer.list.size()); break;
      case Question::Kind::pairs: check_size(question.key, "HLEN", answer.list.size() / 2); break;
      case Question::Kind::oldest: break;  // for work in portions, which continues until nothing is left
    }
  }
  void check_size(std::string_view key, std::string_view command, std::size_t size) {
    checks.push_back({.kind = "size", .key = key, .name = command, .value = keep(std::to_string(size))});
  }

  CacheKeys const& keys_;
  bool cluster_;
  std::deque<std::string> kept_;
  Texts plain_;
  Texts deleted_;
};

// What one call of the script does.
struct Call {
  std::vector<Check const*> checks;
  std::vector<Change const*> changes;
  std::size_t words = 0;
  std::size_t bytes = 0;

  bool has_room_for(Unit const& unit) const {
    return changes.empty() || (words + unit.words <= call_words_max && bytes + unit.bytes <= call_bytes_max);
  }
  void add(Unit const& unit) {
    for (auto const& change : unit.changes) changes.push_back(&change);
    words += unit.words;
    bytes += unit.bytes;
  }
  void add(Check const& check) {
    checks.push_back(&check);
    words += words_of_check;
    bytes += check.value.size();
  }
};

Task<Written> run(redis::Redis& redis, Call call) {
  auto const reply =
      co_await redis.run(redis::Use::idempotent_write, scripts::write_changes(call.checks, call.changes));
  auto const failed = reply.integer();
  if (failed == 0) co_return Written::done;
  if (failed < 0) co_return Written::conflict;
  std::erase_if(call.checks,
                [](Check const* check) { return check->kind == "text" || check->kind == "no_text"; });
  auto const kind = call.checks[std::size_t(failed - 1)]->kind;
  co_return kind == "no_job" ? Written::job_pending : kind == "job" ? Written::job_ended : Written::conflict;
}

Task<Written> run_one_after_the_other(redis::Redis& redis, std::vector<Call> calls) {
  for (auto& call : calls) {
    auto const written = co_await run(redis, std::move(call));
    if (written != Written::done) co_return written;
  }
  co_return Written::done;
}

bool is_about_job(Check const& check) { return check.kind == "job" || check.kind == "no_job"; }

// The calls on one Redis. If there are several, each of them checks the jobs and what it changes, and the
// first one checks the rest.
std::vector<Call> pack(Planner const& plan) {
  std::vector<Call> calls(1);
  for (auto const& unit : plan.units) calls[0].add(unit);
  for (auto const& check : plan.checks) calls[0].add(check);
  if (calls[0].words <= one_call_words_max && calls[0].bytes <= one_call_bytes_max) return calls;
  calls = std::vector<Call>(1);
  std::unordered_multimap<std::string_view, Check const*> open;
  for (auto const& check : plan.checks) {
    if (!is_about_job(check)) open.emplace(check.key, &check);
  }
  for (auto const& unit : plan.units) {
    if (!calls.back().has_room_for(unit)) calls.emplace_back();
    calls.back().add(unit);
    for (auto const& change : unit.changes) {
      for (auto const key : change.keys) {
        auto const [first, last] = open.equal_range(key);
        for (auto at = first; at != last; ++at) calls.back().add(*at->second);
        open.erase(first, last);
      }
    }
  }
  for (auto const& [key, check] : open) calls.front().add(*check);
  for (auto const& check : plan.checks) {
    if (!is_about_job(check)) continue;
    for (auto& call : calls) call.add(check);
  }
  return calls;
}

// The calls of one step on a cluster: those of one slot run one after the other, those of different slots at
// the same time.
Task<Written> run_step(redis::Redis& redis, std::map<int, std::vector<Call>> by_slot) {
  std::vector<Task<Written>> tasks;
  for (auto& [slot, calls] : by_slot) tasks.push_back(run_one_after_the_other(redis, std::move(calls)));
  auto worst = Written::done;
  for (auto const written : co_await when_all(std::move(tasks))) worst = std::max(worst, written);
  co_return worst;
}

// Asks whether all of this is true, and changes nothing.
Task<Written> ask(redis::Redis& redis, std::vector<Check const*> const& checks) {
  std::map<int, std::vector<Call>> asking;
  for (auto const* const check : checks) {
    auto& of_slot = asking[redis::slot_of(check->key)];
    if (of_slot.empty()) of_slot.emplace_back();
    of_slot.front().checks.push_back(check);
  }
  co_return co_await run_step(redis, std::move(asking));
}

Task<Written> write_to_cluster(redis::Redis& redis, Planner const& plan) {
  // Whether the changes rest on something true is asked first. Then each step that writes to a slot asks
  // again, in the same call, about the keys of that slot that no earlier step has changed. A job that the
  // changes belong to is asked for before each step.
  std::vector<Check const*> checks;
  std::vector<Check const*> job_checks;
  for (auto const& check : plan.checks) {
    checks.push_back(&check);
    if (check.kind == "job") job_checks.push_back(&check);
  }
  if (auto const written = co_await ask(redis, checks); written != Written::done) co_return written;
  std::unordered_set<std::string_view> changed;
  for (int step = new_jobs; step < steps_end; ++step) {
    std::map<int, std::vector<Call>> calls;
    for (auto const& unit : plan.units) {
      if (unit.step != step) continue;
      auto& of_slot = calls[unit.slot];
      if (of_slot.empty() || !of_slot.back().has_room_for(unit)) of_slot.emplace_back();
      of_slot.back().add(unit);
    }
    if (calls.empty()) continue;
    if (auto const written = co_await ask(redis, job_checks); written != Written::done) co_return written;
    for (auto const& check : plan.checks) {
      auto const found = calls.find(redis::slot_of(check.key));
      if (found != calls.end() && !changed.contains(check.key))
        found->second.front().checks.push_back(&check);
    }
    for (auto const& unit : plan.units) {
      if (unit.step != step) continue;
      for (auto const& change : unit.changes) changed.insert(change.keys.begin(), change.keys.end());
    }
    auto const written = co_await run_step(redis, std::move(calls));
    if (written != Written::done) co_return written;
  }
  co_return Written::done;
}

}  // namespace

Task<Written> write_changes(redis::Redis& redis, CacheKeys const& keys, Workspace const& workspace) {
  Planner const plan(keys, workspace, redis.is_cluster());
  if (plan.units.empty()) co_return Written::done;
  for (auto const& unit : plan.before) {
    Call call;
    call.add(unit);
    co_await run(redis, std::move(call));
  }
  if (redis.is_cluster()) co_return co_await write_to_cluster(redis, plan);
  co_return co_await run_one_after_the_other(redis, pack(plan));
}

}  // namespace larder::cache
