#include "messages_workload/model.hpp"

#include <algorithm>

namespace larder::messages {

// The bucket of a known message keeps its tokens.
void Model::put(Message const& message) {
  auto const known = messages_.find(message.id);
  if (known == messages_.end()) {
    messages_[message.id] = {.message = message};
    return;
  }
  known->second.message = message;
}

std::int64_t Model::parts(Entry const& entry, TimeMs now) {
  auto const passed = now - entry.since;
  if (!entry.touched || passed >= period(entry)) return full(entry);
  if (entry.message.rule.refill == limiter::Refill::interval) return std::min(entry.parts, full(entry));
  return std::min(entry.parts + passed * entry.message.rule.tokens, full(entry));
}

Model::Choice Model::choice(TimeMs now) const {
  Choice choice;
  std::int64_t least = 0;
  for (auto const& [id, entry] : messages_) {
    if (!entry.message.active) continue;
    if (entry.sent == 0) choice.fresh.insert(std::to_string(id));
    if (entry.sent == 0 || parts(entry, now) < period(entry)) continue;
    if (choice.next == 0 || entry.sent < least) {
      choice.next = id;
      least = entry.sent;
    }
  }
  return choice;
}

std::int64_t Model::send(MessageId id, TimeMs now) {
  auto& entry = messages_.at(id);
  auto const had = parts(entry, now);
  bool const reset = had == full(entry) || entry.message.rule.refill == limiter::Refill::continuous;
  if (reset) entry.since = now;
  entry.parts = had - period(entry);
  entry.touched = true;
  entry.sent = ++sent_;
  return entry.parts / period(entry);
}

std::optional<TimeMs> Model::retry_at(TimeMs now) const {
  std::optional<TimeMs> first;
  for (auto const& [id, entry] : messages_) {
    if (!entry.message.active) continue;
    auto const missing = period(entry) - parts(entry, now);
    auto const tokens = entry.message.rule.tokens;
    auto const at = entry.message.rule.refill == limiter::Refill::interval
                        ? entry.since + period(entry)
                        : now + (missing + tokens - 1) / tokens;
    if (!first || at < *first) first = at;
  }
  return first;
}

std::int64_t Model::tokens(TimeMs now) const {
  std::int64_t sum = 0;
  for (auto const& [id, entry] : messages_) {
    if (entry.message.active) sum += parts(entry, now) / period(entry);
  }
  return sum;
}

std::vector<MessageId> Model::history() const {
  std::vector<std::pair<std::int64_t, MessageId>> sent;
  for (auto const& [id, entry] : messages_) {
    if (entry.sent > 0) sent.emplace_back(entry.sent, id);
  }
  std::ranges::sort(sent, std::greater());
  std::vector<MessageId> ids;
  for (auto const& [place, id] : sent) ids.push_back(id);
  return ids;
}

std::map<MessageId, Message> Model::all() const {
  std::map<MessageId, Message> all;
  for (auto const& [id, entry] : messages_) all[id] = entry.message;
  return all;
}

}  // namespace larder::messages
