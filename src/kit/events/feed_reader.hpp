// Follows the feed for the listeners of one io thread.
//
//   auto const listener = co_await reader->listen(position);
//   for (;;) {
//     auto const pack = co_await listener->next();
//     if (auto const gap = listener->take_gap()) ...  // events before `pack` may be missing
//     if (pack) ...
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

// The place after an event of the feed, in text "<ms>-<sequence>.<line in the pack>".
struct FeedPosition {
  StreamId pack = {0, 0};
  std::size_t line = 0;
};
std::optional<FeedPosition> parse_position(std::string_view text);

// An entry of the feed. A thread parses it once for all its listeners.
struct FeedPack {
  struct Item {
    std::size_t line = 0;
    FeedEvent event;
    std::string json;
    std::string realm;  // of the economy; empty: none
    std::string guild;  // empty: none
  };
  StreamId id;
  std::size_t lines = 0;    // including lines that this version cannot read
  std::vector<Item> items;  // item `line` has the position "<id>.<line>"
  std::string position_of(std::size_t line) const;
};

class FeedReader;

// Walks through the feed: takes packs from the reader's memory if the reader has them, and older packs from
// Redis. Reads at the pace of its owner, and holds only a few packs. Use it on the reader's io thread only.
class FeedListener {
 public:
  explicit FeedListener(std::shared_ptr<FeedReader> reader);
  ~FeedListener();
  FeedListener(FeedListener const&) = delete;
  FeedListener& operator=(FeedListener const&) = delete;

  // The next pack, or nullptr if there is none yet. Throws StoreError; the caller may then call it again.
  Task<std::shared_ptr<FeedPack const>> next();
  // The position after which events may be missing, because the feed no longer has them. Returns each gap
  // once. Ask after next(), before the events of its pack: the gap is before that pack.
  std::optional<std::string> take_gap() { return std::exchange(gap_, std::nullopt); }
  // Returns when there may be a new pack, when wake() is called, or when the time is over.
  Task<void> wait(std::chrono::milliseconds time);
  void wake();
  // A listener that resumes after this position gets what this one has not got yet.
  std::string const& position() const { return position_; }

 private:
  friend class FeedReader;
  using Pack = std::shared_ptr<FeedPack const>;

  Task<void> begin(std::optional<FeedPosition> after);
  Task<void> fetch();
  Task<void> begin_with_newest();
  void stand_behind(FeedPack const& pack);

  std::shared_ptr<FeedReader> reader_;
  StreamId pack_ = {0, 0};            // the last pack that it had
  std::optional<std::size_t> lines_;  // how many of its lines; none: all
  std::string position_ = "0-0.0";
  std::deque<Pack> fetched_;
  std::optional<std::string> gap_;
  bool news_ = false;
  Timer timer_;
};

// Polls the feed while it has listeners, and does nothing while it has none. All listeners share one poll and
// its packs. Thread-compatible: each io thread has its own reader and is the only thread that uses it.
class FeedReader : public std::enable_shared_from_this<FeedReader> {
 public:
  FeedReader(asio::io_context& io, redis::Redis& redis, Metrics& metrics);

  // A listener that starts after the position `after`, or with the next new event. Refusal:
  // too_many_listeners, if the server has limits::event_listeners_max already. Throws StoreError.
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
  bool live_ = false;    // the ring can be trusted
  StreamId ring_after_;  // the ring has every pack after this one ...
  StreamId last_;        // ... up to this one
  std::deque<Pack> ring_;
  std::chrono::steady_clock::time_point polled_at_;
  std::chrono::steady_clock::time_point wanted_at_;
  prometheus::Gauge& listening_;  // of all threads of the server
};

}  // namespace larder::events
