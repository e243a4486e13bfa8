#include "kit/events/event.hpp"

#include <fmt/format.h>

#include <charconv>
#include <stdexcept>

namespace larder::events {

std::pair<std::int64_t, std::int64_t> parse_id(std::string_view id) {
  std::int64_t ms = 0;
  std::int64_t sequence = 0;
  auto const* const end = id.data() + id.size();
  auto const first = std::from_chars(id.data(), end, ms);
  if (first.ec == std::errc{} && first.ptr != end && *first.ptr == '-') {
    auto const second = std::from_chars(first.ptr + 1, end, sequence);
    if (second.ec == std::errc{} && second.ptr == end) return {ms, sequence};
  }
  throw std::runtime_error(fmt::format("{} is not a stream id", id));
}

Event parse_event(redis::ReplyView entry) {
  Event event{.id = std::string(entry.at(0).text()), .fields = {}};
  auto const fields = entry.at(1);
  event.fields.reserve(fields.size() / 2);
  for (std::size_t i = 0; i + 1 < fields.size(); i += 2) {
    event.fields.emplace_back(fields.at(i).text(), fields.at(i + 1).text());
  }
  return event;
}

std::string const& Event::field(std::string_view name) const {
  if (auto const* const value = find(name)) return *value;
  throw std::runtime_error(fmt::format("event {} has no field {}", id, name));
}

std::string const* Event::find(std::string_view name) const {
  for (auto const& [key, value] : fields) {
    if (key == name) return &value;
  }
  return nullptr;
}

std::string next_id(std::string_view id) {
  auto const [ms, sequence] = parse_id(id);
  return fmt::format("{}-{}", ms, sequence + 1);
}

TimeMs time_of(std::string_view id) { return {parse_id(id).first}; }

}  // namespace larder::events
