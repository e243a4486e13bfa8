#include "systems/webhooks/feed_follower.hpp"

#include "base/log.hpp"
#include "base/random.hpp"
#include "base/when_all.hpp"
#include "kit/events/feed.hpp"
#include "systems/webhooks/webhook_rules.hpp"

#include <fmt/format.h>

namespace larder::webhooks {

namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds poll_pause{50};
constexpr std::chrono::milliseconds idle_pause{1000};
constexpr std::chrono::seconds read_again_after{30};  // in case a server died after it had changed SQL
constexpr std::chrono::seconds count_again_after{2};
constexpr std::size_t packs_at_once = 40;
constexpr std::size_t deliveries_at_once = 2000;
constexpr std::string_view before_all_packs = "0-0";

Task<std::int64_t> size_of(redis::Redis& redis, std::string key) {
  auto const size = co_await redis.command(redis::Use::read, key, {"ZCARD", key});
  co_return size.integer();
}

}  // namespace

FeedFollower::FeedFollower(redis::Redis& redis, WebhookList& list, Clock const& clock,
                           std::int64_t waiting_max, Metrics& metrics, std::function<void()> on_queued,
                           std::chrono::milliseconds lease)
    : redis_(redis),
      list_(list),
      clock_(clock),
      waiting_max_(waiting_max),
      on_queued_(std::move(on_queued)),
      lease_(lease),
      owner_(random_hex(8)),
      queued_(metrics.counter("larder_webhook_queued_total", "Deliveries that were queued for webhooks")),
      gaps_(metrics.counter("larder_webhook_gaps_total",
                            "How often the feed had lost events before they were queued for webhooks")),
      waiting_(metrics.gauge("larder_webhook_waiting",
                             "Deliveries that wait, on the server that follows the feed")) {}

Task<std::chrono::milliseconds> FeedFollower::round() {
  auto const looked =
      co_await redis_.run(redis::Use::idempotent_write, scripts::webhooks_look(owner_, lease_));
  revision_ = looked.at(0).text();
  std::string const place(looked.at(1).text());
  bool const leads = looked.at(2).integer() == 1;
  if (!list_.is_as_of(revision_) || SteadyClock::now() - read_at_ > read_again_after) {
    co_await list_.read(revision_);
    read_at_ = SteadyClock::now();
  }
  if (place.empty() && !list_.all().empty()) {
    // Redis was emptied, or the server that made the first webhook died before it could follow the feed.
    co_await redis_.run(redis::Use::idempotent_write, scripts::webhooks_change(clock_.now(), true, {}));
    co_return poll_pause;
  }
  if (!leads) {
    waiting_.Set(0);
    co_return idle_pause;
  }
  if (list_.is_as_of(revision_) && list_.all().empty()) {
    co_await redis_.run(redis::Use::idempotent_write, scripts::webhooks_unfollow(revision_));
    co_return idle_pause;
  }
  bool const more = co_await follow(place);
  if (SteadyClock::now() - counted_at_ > count_again_after) co_await count_waiting();
  co_return more ? std::chrono::milliseconds(0) : poll_pause;
}

// Returns whether the feed has more.
Task<bool> FeedFollower::follow(std::string place) {
  auto const most = std::to_string(packs_at_once + 1);
  auto const entries = co_await redis_.command(redis::Use::read, events::feed_key,
                                               {"XRANGE", events::feed_key, place, "+", "COUNT", most});
  // The list may have been read by somebody else meanwhile, and be older again.
  if (!list_.is_as_of(revision_)) co_return true;
  auto const now = clock_.now();
  auto const packs = gather(place, entries, now);
  if (packs.after == place) co_return false;
  std::vector<std::string> ids;
  for (auto const& webhook : list_.all()) ids.push_back(webhook->id);
  auto const done = co_await redis_.run(
      redis::Use::idempotent_write,
      scripts::webhooks_enqueue(revision_, place, packs.after, now, waiting_max_,
                                packs.queued.empty() ? std::vector<std::string>() : ids, packs.queued));
  if (done.integer() == 1 && !packs.queued.empty()) {
    queued_.Increment(double(packs.queued.size()));
    on_queued_();
  }
  co_return packs.more;
}

// The pack at the place shows that the feed has lost nothing since then.
FeedFollower::Packs FeedFollower::gather(std::string_view place, redis::Reply const& entries,
                                         TimeMs now) const {
  Packs packs{.after = std::string(place)};
  bool const whole = place == before_all_packs || (entries.size() > 0 && entries.at(0).at(0).text() == place);
  if (!whole) {
    log::error("webhooks miss events: the feed has lost some", {{"after", place}});
    gaps_.Increment();
    add_gap(packs, place, now);
    packs.after = before_all_packs;
  }
  std::size_t const first = whole && place != before_all_packs ? 1 : 0;
  packs.more = entries.size() > packs_at_once;
  for (auto i = first; i < entries.size(); ++i) {
    if (packs.queued.size() >= deliveries_at_once) {
      packs.more = true;
      break;
    }
    packs.after = entries.at(i).at(0).text();
    for (auto rest = entries.at(i).at(1).at(1).text(); !rest.empty();) {
      auto const end = std::min(rest.find('\n'), rest.size());
      add_line(packs, rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  return packs;
}

void FeedFollower::add_line(Packs& packs, std::string_view line) const {
  auto const event = events::parse_line(line);
  if (!event) return;  // only a newer version can read it
  auto const& webhooks = list_.all();
  for (std::size_t i = 0; i < webhooks.size(); ++i) {
    if (lets_through(webhooks[i]->filter, *event))
      packs.queued.push_back({.webhook = i, .lane = lane_of(*event), .line = std::string(line)});
  }
}

// Every webhook learns of the gap, whatever it asked for.
void FeedFollower::add_gap(Packs& packs, std::string_view place, TimeMs now) const {
  events::FeedEvent const gap{.system = Scope::admin,
                              .type = "gap",
                              .user_id = {},
                              .at = now,
                              .data = fmt::format(R"({{"after":"{}"}})", place)};
  for (std::size_t i = 0; i < list_.all().size(); ++i)
    packs.queued.push_back({.webhook = i, .lane = lane_of(gap), .line = events::to_line(gap)});
}

Task<void> FeedFollower::count_waiting() {
  std::vector<Task<std::int64_t>> sizes;
  for (auto const& webhook : list_.all()) {
    for (auto const& lane : WebhookKeys(webhook->id).lanes) sizes.push_back(size_of(redis_, lane));
  }
  double sum = 0;
  for (auto const size : co_await when_all(std::move(sizes))) sum += double(size);
  waiting_.Set(sum);
  counted_at_ = SteadyClock::now();
}

}  // namespace larder::webhooks
