#include "systems/cache/workspace.hpp"

#include <algorithm>

namespace larder::cache {

namespace {

// Applies the changes of a hash or a set to the names that Redis has. `is_there` says whether the name of a
// change exists after it.
template <class Changes, class IsThere>
Reads::List with_changes(Reads::List stored, Changes const& changes, IsThere is_there) {
  std::erase_if(stored, [&](std::string const& name) { return changes.contains(name); });
  for (auto const& [name, change] : changes) {
    if (is_there(change)) stored.push_back(name);
  }
  return stored;
}

}  // namespace

std::optional<std::string_view> Workspace::text(std::string key) {
  auto const found = all_.texts.find(key);
  if (found == all_.texts.end() || found->second.only_expire) return Reads::text(std::move(key));
  return found->second.value;
}

std::optional<std::string_view> Workspace::text_to_change(std::string key) {
  auto const found = all_.texts.find(key);
  if (found == all_.texts.end() || found->second.only_expire) return Reads::text_to_change(std::move(key));
  return found->second.value;
}

std::optional<std::string_view> Workspace::field(std::string hash, std::string_view name) {
  auto const found = all_.hashes.find(hash);
  if (found != all_.hashes.end()) {
    auto const& fields = found->second.fields;
    if (auto const changed = fields.find(std::string(name)); changed != fields.end()) return changed->second;
    if (found->second.replaced) return std::nullopt;
  }
  return Reads::field(std::move(hash), name);
}

bool Workspace::has(std::string set, std::string_view member) {
  auto const found = all_.sets.find(set);
  if (found != all_.sets.end()) {
    auto const& members = found->second.members;
    if (auto const changed = members.find(std::string(member)); changed != members.end()) {
      return changed->second;
    }
    if (found->second.replaced) return false;
  }
  return Reads::has(std::move(set), member);
}

bool Workspace::any(std::string set) {
  auto const found = all_.sets.find(set);
  if (found == all_.sets.end()) return Reads::any(std::move(set));
  auto const is_added = [](auto const& member) { return member.second; };
  return std::ranges::any_of(found->second.members, is_added) || size(set) > 0;
}

std::int64_t Workspace::size(std::string const& set) {
  auto const found = all_.sets.find(set);
  if (found == all_.sets.end()) return Reads::size(set);
  bool const replaced = found->second.replaced;
  auto size = replaced ? 0 : Reads::size(set);
  for (auto const& [member, there] : found->second.members) {
    size += std::int64_t(there) - std::int64_t(!replaced && Reads::has(set, member));
  }
  return size;
}

Reads::List Workspace::elements(std::string set, std::size_t limit) {
  auto const found = all_.sets.find(set);
  if (found == all_.sets.end()) return Reads::elements(std::move(set), limit);
  // Our changes may remove some of these elements. A caller that gets fewer than `limit` must have got all of
  // them.
  auto const ask_for = limit == 0 ? 0 : limit + found->second.members.size();
  auto stored = found->second.replaced ? List() : Reads::elements(std::move(set), ask_for);
  return with_changes(std::move(stored), found->second.members, [](bool there) { return there; });
}

Reads::List Workspace::fields(std::string hash) {
  auto const found = all_.hashes.find(hash);
  if (found == all_.hashes.end()) return Reads::fields(std::move(hash));
  auto stored = found->second.replaced ? List() : Reads::fields(std::move(hash));
  return with_changes(std::move(stored), found->second.fields,
                      [](auto const& value) { return value.has_value(); });
}

Reads::List Workspace::pairs(std::string hash) {
  auto const found = all_.hashes.find(hash);
  if (found == all_.hashes.end()) return Reads::pairs(std::move(hash));
  auto const& changes = found->second.fields;
  List pairs;
  auto const stored = found->second.replaced ? List() : Reads::pairs(std::move(hash));
  for (std::size_t i = 0; i + 1 < stored.size(); i += 2) {
    if (changes.contains(stored[i])) continue;
    pairs.push_back(stored[i]);
    pairs.push_back(stored[i + 1]);
  }
  for (auto const& [name, value] : changes) {
    if (!value) continue;
    pairs.push_back(name);
    pairs.push_back(*value);
  }
  return pairs;
}

Reads::List Workspace::oldest(std::string sorted_set, std::size_t limit) {
  auto const found = all_.ranked.find(sorted_set);
  if (found == all_.ranked.end()) return Reads::oldest(std::move(sorted_set), limit);
  auto const& scores = found->second.scores;
  return with_changes(Reads::oldest(std::move(sorted_set), limit + scores.size()), scores,
                      [](auto const& score) { return score.has_value(); });
}

// The elements of these maps stay where they are, so that a change that is taken back finds them by their
// address.
template <class Value>
void Workspace::change(std::unordered_map<std::string, Value>& map, std::string key, Value value) {
  auto const [found, is_new] = map.try_emplace(std::move(key));
  auto* const element = &*found;
  if (is_new) {
    undo_.emplace_back([&map, element] { map.erase(map.find(element->first)); });
  } else {
    undo_.emplace_back(
        [element, old = std::move(found->second)] mutable { element->second = std::move(old); });
  }
  found->second = std::move(value);
}

template <class Collection>
Collection& Workspace::collection(std::unordered_map<std::string, Collection>& map, std::string key) {
  using State = Collection::State;
  auto const [found, is_new] = map.try_emplace(std::move(key));
  auto* const element = &*found;
  if (is_new) {
    undo_.emplace_back([&map, element] { map.erase(map.find(element->first)); });
  } else {
    undo_.emplace_back([element, old = State(found->second)] { static_cast<State&>(element->second) = old; });
  }
  return found->second;
}

void Workspace::count(std::size_t words, std::size_t bytes) {
  ++cost_.changes;
  cost_.words += words;
  cost_.bytes += bytes;
}

void Workspace::set_text(std::string key, std::string text, Ttl ttl) {
  count(ttl.count() > 0 ? 10 : 6, key.size() + text.size());
  change(all_.texts, std::move(key), {.value = std::move(text), .ttl = ttl});
}

void Workspace::expire_text(std::string key, Ttl ttl) {
  auto const found = all_.texts.find(key);
  if (found != all_.texts.end() && !found->second.value && !found->second.only_expire) return;  // removed
  count(4, key.size());
  auto text = found == all_.texts.end() ? Text{.value = {}, .only_expire = true} : found->second;
  text.ttl = ttl;
  change(all_.texts, std::move(key), std::move(text));
}

void Workspace::remove_text(std::string key) {
  count(5, key.size());
  change(all_.texts, std::move(key), {});
}

void Workspace::set_field(std::string hash, std::string_view name, std::string value, Ttl ttl, Role role) {
  count(ttl.count() > 0 ? 13 : 9, name.size() + value.size());
  auto& place = collection(all_.hashes, std::move(hash));
  place.ttl = ttl;
  place.role = role;
  change(place.fields, std::string(name), std::optional(std::move(value)));
}

void Workspace::remove_field(std::string hash, std::string_view name, Role role) {
  count(8, name.size());
  auto& place = collection(all_.hashes, std::move(hash));
  place.role = role;
  change(place.fields, std::string(name), std::optional<std::string>());
}

void Workspace::replace_hash(std::string hash, std::vector<std::pair<std::string, std::string>> pairs,
                             Ttl ttl, Role role) {
  Hash replaced{{.replaced = true, .ttl = ttl, .role = role}, {}};
  for (auto& [name, value] : pairs) {
    count(2, name.size() + value.size());
    replaced.fields.insert_or_assign(std::move(name), std::move(value));
  }
  count(11, hash.size());
  change(all_.hashes, std::move(hash), std::move(replaced));
}

void Workspace::add(std::string set, std::string_view member, Role role, Ttl ttl) {
  count(ttl.count() > 0 ? 12 : 8, member.size());
  auto& place = collection(all_.sets, std::move(set));
  place.role = role;
  place.ttl = ttl;
  change(place.members, std::string(member), true);
}

void Workspace::remove(std::string set, std::string_view member, Role role) {
  count(8, member.size());
  auto& place = collection(all_.sets, std::move(set));
  place.role = role;
  change(place.members, std::string(member), false);
}

void Workspace::clear(std::string set) {
  count(3, set.size());
  change(all_.sets, std::move(set), {{.replaced = true}, {}});
}

void Workspace::rank(std::string sorted_set, std::string_view member, std::int64_t score,
                     std::optional<std::int64_t> drop_below) {
  count(drop_below ? 10 : 5, member.size());
  auto& place = collection(all_.ranked, std::move(sorted_set));
  place.drop_below = std::max(place.drop_below, drop_below);
  change(place.scores, std::string(member), std::optional(score));
}

void Workspace::unrank(std::string sorted_set, std::string_view member) {
  count(4, member.size());
  auto& place = collection(all_.ranked, std::move(sorted_set));
  change(place.scores, std::string(member), std::optional<std::int64_t>());
}

void Workspace::schedule(std::string due_set, std::string_view job, TimeMs due) {
  undo_.emplace_back([this] { all_.new_jobs.pop_back(); });
  all_.new_jobs.push_back({.due_set = std::move(due_set), .job = std::string(job), .due = due});
}

void Workspace::end_job(std::string due_set, std::string_view job) {
  undo_.emplace_back([this] { all_.ended_jobs.pop_back(); });
  all_.ended_jobs.push_back({.due_set = std::move(due_set), .job = std::string(job)});
}

void Workspace::require_job(std::string due_set, std::string_view job) {
  require({.due_set = std::move(due_set), .job = std::string(job), .pending = true});
}

void Workspace::require_no_job(std::string due_set, std::string_view job) {
  require({.due_set = std::move(due_set), .job = std::string(job), .pending = false});
}

void Workspace::require(JobState state) {
  if (std::ranges::find(all_.required_jobs, state) != all_.required_jobs.end()) return;
  undo_.emplace_back([this] { all_.required_jobs.pop_back(); });
  all_.required_jobs.push_back(std::move(state));
}

void Workspace::begin_event() {
  undo_.clear();
  event_began_ = cost_;
}

void Workspace::take_back_event() {
  while (!undo_.empty()) {
    undo_.back()();
    undo_.pop_back();
  }
  cost_ = event_began_;
}

void Workspace::forget_changes() {
  all_ = {};
  undo_.clear();
  cost_ = {};
}

}  // namespace larder::cache
