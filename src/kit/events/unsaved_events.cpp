#include "kit/events/unsaved_events.hpp"

#include "base/error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

namespace larder::events {

namespace {

// The first of them, and how many others there are.
std::string some_of(std::vector<std::string> const& outboxes) {
  auto const others = outboxes.size() - 1;
  if (others == 0) return outboxes[0];
  return fmt::format("{} and {} other{}", outboxes[0], others, others == 1 ? "" : "s");
}

void append(std::vector<std::string>& all, std::vector<std::string> more) {
  std::ranges::move(more, std::back_inserter(all));
}

}  // namespace

void UnsavedEvents::add(UnsavedEvents more) {
  append(waiting, std::move(more.waiting));
  append(stranded, std::move(more.stranded));
  append(dead, std::move(more.dead));
}

std::string refusal_after_saving(std::string_view why, UnsavedEvents const& unsaved) {
  if (unsaved == UnsavedEvents{}) {
    return fmt::format("{} (the events that waited in it are in SQL now)", why);
  }
  std::vector<std::string> left;
  if (!unsaved.waiting.empty()) {
    left.push_back(
        fmt::format("events wait in {} and could not be brought to SQL: repair what the log names, and start "
                    "the server again",
                    some_of(unsaved.waiting)));
  }
  if (!unsaved.stranded.empty()) {
    left.push_back(
        fmt::format("events that no server can bring to SQL are in {}: run `larder outbox lost`, and keep "
                    "what it prints",
                    some_of(unsaved.stranded)));
  }
  if (!unsaved.dead.empty()) {
    left.push_back(
        fmt::format("SQL has refused events of {}: `larder outbox dead list` shows them, and they vanish if "
                    "you empty Redis",
                    some_of(unsaved.dead)));
  }
  return fmt::format("{}. But do not empty it yet: {}", why, fmt::join(left, "; "));
}

Task<void> start_or_save(Task<void> start, Task<UnsavedEvents> save) {
  std::string why;
  try {
    co_await std::move(start);
  } catch (LostRedisError const& error) {
    why = error.what();
  }
  if (why.empty()) co_return;
  throw LostRedisError(refusal_after_saving(why, co_await std::move(save)));
}

}  // namespace larder::events
