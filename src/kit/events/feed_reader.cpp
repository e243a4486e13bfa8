#include "kit/events/feed_reader.hpp"

#include "base/limits.hpp"
#include "base/log.hpp"
#include "kit/events/events_scripts.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace larder::events {

namespace {

using Steady = std::chrono::steady_clock;

constexpr std::chrono::milliseconds poll_every{50};
constexpr std::size_t packs_per_poll = 100;
constexpr std::size_t packs_per_fetch = 8;  // for each listener that lags behind
constexpr std::size_t ring_packs_max = 256;
// In so short a time, the feed cannot lose packs that a reader at its end has not seen.
constexpr std::chrono::seconds ring_true_for{1};
constexpr std::chrono::seconds want_every{60};
constexpr StreamId before_all{0, 0};

std::string text_of(StreamId id) { return fmt::format("{}-{}", id.first, id.second); }

std::shared_ptr<FeedPack const> parse_pack(redis::ReplyView entry) {
  auto pack = std::make_shared<FeedPack>();
  pack->id = parse_id(entry.at(0).text());
  for (auto rest = entry.at(1).at(1).text(); !rest.empty(); ++pack->lines) {
    auto const end = std::min(rest.find('\n'), rest.size());
    if (auto event = parse_line(rest.substr(0, end))) {
      FeedPack::Item item{.line = pack->lines,
                          .event = {},
                          .json = to_json(*event),
                          .realm = std::string(realm_of(*event)),
                          .guild = std::string(guild_of(*event))};
      event->data.clear();
      item.event = std::move(*event);
      pack->items.push_back(std::move(item));
    }
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return pack;
}

std::shared_ptr<FeedPack const> without_first(FeedPack const& pack, std::size_t lines) {
  auto rest = std::make_shared<FeedPack>(pack);
  std::erase_if(rest->items, [&](FeedPack::Item const& item) { return item.line < lines; });
  return rest;
}

template <class Number>
bool take_number(std::string_view& text, Number& number) {
  if (text.empty() || text.front() < '0' || text.front() > '9') return false;
  auto const [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  text.remove_prefix(std::size_t(end - text.data()));
  return code == std::errc{};
}

bool take_sign(std::string_view& text, char sign) {
  if (!text.starts_with(sign)) return false;
  text.remove_prefix(1);
  return true;
}

}  // namespace

std::optional<FeedPosition> parse_position(std::string_view text) {
  FeedPosition position;
  bool const whole = take_number(text, position.pack.first) && take_sign(text, '-') &&
                     take_number(text, position.pack.second) && take_sign(text, '.') &&
                     take_number(text, position.line) && text.empty();
  return whole ? std::optional(position) : std::nullopt;
}

std::string FeedPack::position_of(std::size_t line) const {
  return fmt::format("{}-{}.{}", id.first, id.second, line);
}

FeedListener::FeedListener(std::shared_ptr<FeedReader> reader)
    : reader_(std::move(reader)), timer_(reader_->io_) {
  reader_->listeners_.insert(this);
  reader_->listening_.Increment();
}

FeedListener::~FeedListener() {
  reader_->listeners_.erase(this);
  reader_->listening_.Decrement();
}

Task<void> FeedListener::begin(std::optional<FeedPosition> after) {
  if (!after) co_return co_await begin_with_newest();
  pack_ = after->pack;
  lines_ = after->line + 1;
  position_ = fmt::format("{}.{}", text_of(pack_), after->line);
  co_await fetch();
}

Task<void> FeedListener::begin_with_newest() {
  auto const newest = co_await reader_->newest();
  pack_ = before_all;
  lines_.reset();
  position_ = "0-0.0";
  if (newest) stand_behind(*newest);
}

void FeedListener::stand_behind(FeedPack const& pack) {
  pack_ = pack.id;
  lines_.reset();
  position_ = pack.position_of(std::max<std::size_t>(pack.lines, 1) - 1);
}

Task<std::shared_ptr<FeedPack const>> FeedListener::next() {
  news_ = false;
  if (fetched_.empty()) {
    if (!lines_ && reader_->has_all_behind(pack_)) {
      auto pack = reader_->find_behind(pack_);
      if (pack) stand_behind(*pack);
      co_return pack;
    }
    co_await fetch();
    if (fetched_.empty()) co_return nullptr;
  }
  auto pack = std::move(fetched_.front());
  fetched_.pop_front();
  stand_behind(*pack);
  co_return pack;
}

// Reads the listener's last pack again: if that pack is gone, packs after it may be gone, too.
Task<void> FeedListener::fetch() {
  auto packs = co_await reader_->range(text_of(pack_), packs_per_fetch + 1);
  if (!packs.empty() && packs.front()->id == pack_) {
    auto const& own = packs.front();
    bool const rest = lines_ && *lines_ < own->lines;
    if (rest) {
      packs.front() = without_first(*own, *lines_);
    } else {
      stand_behind(*own);
      packs.erase(packs.begin());
    }
  } else {
    auto const from = position_;
    if (packs.empty()) co_await begin_with_newest();  // the listener was past the end of the feed
    gap_ = from;
  }
  fetched_.assign(packs.begin(), packs.end());
}

Task<void> FeedListener::wait(std::chrono::milliseconds time) {
  if (std::exchange(news_, false)) co_return;
  co_await sleep_on(timer_, time);
}

void FeedListener::wake() {
  news_ = true;
  timer_.cancel();
}

FeedReader::FeedReader(asio::io_context& io, redis::Redis& redis, Metrics& metrics)
    : io_(io),
      redis_(redis),
      listening_(metrics.gauge("larder_event_listeners", "Clients that listen to /v1/events")) {}

Task<Result<std::shared_ptr<FeedListener>>> FeedReader::listen(std::optional<FeedPosition> after) {
  // Two threads may both admit the last listener. One listener too many is not worth a lock.
  if (listening_.Value() >= double(limits::event_listeners_max)) {
    Error error{.code = errors::too_many_listeners, .detail = "as many listen already as may"};
    error.more["retry_after_s"] = 5;
    co_return std::unexpected(std::move(error));
  }
  auto const listener = std::make_shared<FeedListener>(shared_from_this());
  co_await want();  // before begin() looks for the end: from here on, every event is appended
  co_await listener->begin(after);
  if (!std::exchange(polling_, true)) asio::co_spawn(io_, poll(), asio::detached);
  co_return listener;
}

Task<std::vector<FeedReader::Pack>> FeedReader::range(std::string from, std::size_t count) {
  auto const most = std::to_string(count);
  auto const entries =
      co_await redis_.command(redis::Use::read, feed_key, {"XRANGE", feed_key, from, "+", "COUNT", most});
  std::vector<Pack> packs;
  packs.reserve(entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i) packs.push_back(parse_pack(entries.at(i)));
  co_return packs;
}

Task<FeedReader::Pack> FeedReader::newest() {
  auto const entries =
      co_await redis_.command(redis::Use::read, feed_key, {"XREVRANGE", feed_key, "+", "-", "COUNT", "1"});
  if (entries.size() == 0) co_return nullptr;
  co_return parse_pack(entries.at(0));
}

Task<void> FeedReader::want() {
  co_await redis_.run(redis::Use::idempotent_write, scripts::feed_want());
  wanted_at_ = Steady::now();
}

FeedReader::Pack FeedReader::find_behind(StreamId pack) const {
  auto const found = std::ranges::upper_bound(ring_, pack, {}, [](Pack const& p) { return p->id; });
  return found == ring_.end() ? nullptr : *found;
}

Task<void> FeedReader::poll() {
  auto const self = shared_from_this();
  for (bool told = false; !listeners_.empty();) {
    try {
      co_await catch_up();
      told = false;
    } catch (std::exception const& error) {
      if (!std::exchange(told, true)) log::warn("the feed cannot be read", {{"why", error.what()}});
    }
    co_await sleep_for(poll_every);
  }
  ring_.clear();
  live_ = false;
  polling_ = false;
}

Task<void> FeedReader::catch_up() {
  if (Steady::now() - wanted_at_ > want_every) co_await want();
  // Redis was unavailable, or this process stood still, so packs may be missing.
  if (Steady::now() - polled_at_ > ring_true_for) live_ = false;
  if (!live_) {
    // Each listener finds out by itself where it stands.
    ring_.clear();
    auto const end = co_await newest();
    ring_after_ = last_ = end ? end->id : before_all;
    polled_at_ = Steady::now();
    live_ = true;
    wake_all();
  }
  for (bool more = true; more;) {
    auto const packs = co_await range(next_id(text_of(last_)), packs_per_poll);
    polled_at_ = Steady::now();
    more = packs.size() == packs_per_poll;
    if (packs.empty()) co_return;
    // An empty pack means that the feed was dropped and began anew: events before this pack may be missing.
    live_ = std::ranges::none_of(packs, [](Pack const& pack) { return pack->lines == 0; });
    if (!live_) co_return;
    keep(packs);
    wake_all();
  }
}

void FeedReader::keep(std::vector<Pack> const& packs) {
  ring_.insert(ring_.end(), packs.begin(), packs.end());
  last_ = packs.back()->id;
  while (ring_.size() > ring_packs_max) {
    ring_after_ = ring_.front()->id;
    ring_.pop_front();
  }
}

void FeedReader::wake_all() {
  for (auto* const listener : listeners_) listener->wake();
}

}  // namespace larder::events
