// Follows the feed for the listeners of one io thread.
//
//   auto const listener = co_await reader->listen(position);
//   for (;;) {
//     if (auto const gap = listener->take_gap()) ...
//     if (auto const pack = co_await listener->next()) ...
//     else co_await listener->wait(15s);
//   }
#pragma once

#include "base/error.hpp"
#include "base/metrics.hpp"
#include "kit/events/feed.hpp"

#include <chrono>
#include <deque>
#include <memory>
#include <set>

namespace larder::events {

namespace errors {
inline constexpr ErrorCode too_many_listeners{ErrorKind::unavailable, "too_many_listeners"};
}  // namespace errors

using StreamId = std::pair<std::int64_t, std::int64_t>;  // milliseconds and sequence

// Behind an event of the feed: "<ms>-<sequence>.<line of the pack>".
struct FeedPosition {
  StreamId pack = {0, 0};
  std::size_t line = 0;
};
std::optional<FeedPosition> parse_position(std::string_view text);

// An entry of the feed, taken apart once for all listeners of a thread.
struct FeedPack {
  struct Item {
    std::size_t line = 0;
    FeedEvent event;
    std::string json;
  };
  StreamId id;
  std::size_t lines = 0;    // those that nobody here knows included
  std::vector<Item> items;  // item `line` has the position "<id>.<line>"
  std::string position_of(std::size_t line) const;
};

class FeedReader;

// Walks through the feed: from memory where the reader has it, from Redis where it lies further back. Reads
// at the pace of its owner, and holds no more than a few packs for it.
class FeedListener {
 public:
  explicit FeedListener(std::shared_ptr<FeedReader> reader);
  ~FeedListener();
  FeedListener(FeedListener const&) = delete;
  FeedListener& operator=(FeedListener const&) = delete;

  // The pack behind the last one, nullptr if there is none now. Throws StoreError; it may be asked again.
  Task<std::shared_ptr<FeedPack const>> next();
  // The position behind which events may be missing, because the feed no longer has them; tells it once,
  // before the first pack behind the gap.
  std::optional<std::string> take_gap() { return std::exchange(gap_, std::nullopt); }
  // Until there may be something new, wake() is called, or the time is over.
  Task<void> wait(std::chrono::milliseconds time);
  void wake();
  // Where a listener would resume to get what this one has not got yet.
  std::string const& position() const { return position_; }

 private:
  friend class FeedReader;
  using Pack = std::shared_ptr<FeedPack const>;

  Task<void> begin(std::optional<FeedPosition> after);
  Task<void> fetch();
  Task<void> begin_with_newest();
  void stand_behind(FeedPack const& pack);

  std::shared_ptr<FeedReader> reader_;
  StreamId pack_ = {0, 0};            // the last one it had
  std::optional<std::size_t> lines_;  // how many of it; none: all
  std::string position_ = "0-0.0";
  std::deque<Pack> fetched_;
  std::optional<std::string> gap_;
  bool news_ = false;
  Timer timer_;
};

// Polls the feed while it has listeners, and does nothing while it has none. All of its listeners share one
// poll and the packs it brings. One per io thread, which is the only one to use it.
class FeedReader : public std::enable_shared_from_this<FeedReader> {
 public:
  FeedReader(asio::io_context& io, redis::Redis& redis, Metrics& metrics);

  // Behind `after`, or from now on. Refused beyond limits::event_listeners_max. Throws StoreError.
  Task<Result<std::shared_ptr<FeedListener>>> listen(std::optional<FeedPosition> after);

 private:
  friend class FeedListener;
  using Pack = std::shared_ptr<FeedPack const>;

  bool has_all_behind(StreamId pack) const { return live_ && pack >= ring_after_; }
  Pack find_behind(StreamId pack) const;
  Task<std::vector<Pack>> range(std::string from, std::size_t count);
  Task<Pack> newest();
  Task<void> want();
  Task<void> poll();
  Task<void> catch_up();
  void keep(std::vector<Pack> const& packs);
  void wake_all();

  asio::io_context& io_;
  redis::Redis& redis_;
  std::set<FeedListener*> listeners_;
  bool polling_ = false;
  bool live_ = false;    // the ring is true
  StreamId ring_after_;  // the ring has every pack behind this one ...
  StreamId last_;        // ... up to this one
  std::deque<Pack> ring_;
  std::chrono::steady_clock::time_point polled_at_;
  std::chrono::steady_clock::time_point wanted_at_;
  prometheus::Gauge& listening_;  // of the whole process
};

}  // namespace larder::events
