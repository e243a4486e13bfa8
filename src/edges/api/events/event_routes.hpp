// GET /v1/events: the events of all systems, as server-sent events.
#pragma once

#include "base/shares.hpp"
#include "edges/api/system.hpp"
#include "kit/events/feed_reader.hpp"

#include <set>

namespace larder::api {

// One per io thread.
struct EventStreams {
  EventStreams(IoThread const& thread, std::set<std::string_view> const& event_types, Shares& listeners);

  std::shared_ptr<events::FeedReader> feed;
  accounts::Authenticator& authenticator;  // a stream ends when its token becomes invalid
  prometheus::Counter& sent;
  std::set<std::string_view> const& types;  // that a listener can ask for
  Shares& shares;                           // of the listeners, by key
};

class EventsSystem final : public System {
 public:
  std::string_view name() const override { return "events"; }
  Api api() const override;
  Part part(IoThread const& thread) override;
  // Nobody can take one event out of the feed, so the whole feed goes. Listeners that resume get a gap.
  Task<std::string> forget_user(UserStores const& at, privacy::Subject subject) override;

  // Listeners can ask for these types of events. Call it before the server listens.
  void know(std::vector<std::string_view> const& types) { types_.insert(types.begin(), types.end()); }

 private:
  std::set<std::string_view> types_;
  Shares shares_{limits::event_listeners_per_key_max};
};

}  // namespace larder::api
