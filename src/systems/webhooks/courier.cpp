#include "systems/webhooks/courier.hpp"

#include "base/log.hpp"
#include "base/number.hpp"
#include "base/when_all.hpp"
#include "kit/events/feed.hpp"
#include "systems/webhooks/delivery.hpp"
#include "systems/webhooks/webhook_rules.hpp"
#include "systems/webhooks/webhook_table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace larder::webhooks {

namespace {

using Steady = std::chrono::steady_clock;

// A run begins no request after this time. With the longest request, it ends before its lease does.
constexpr std::chrono::seconds run_time{3};
constexpr std::chrono::milliseconds request_time{limits::webhook_request_ms};
constexpr std::string_view lane_batch = "15";  // the index of the last one
constexpr std::size_t bury_batch = 200;

Task<std::vector<std::string>> oldest_of(redis::Redis& redis, std::string key, std::string last) {
  auto const found = co_await redis.command(redis::Use::read, key, {"ZRANGE", key, "0", last});
  std::vector<std::string> entries;
  for (std::size_t i = 0; i < found.size(); ++i) entries.emplace_back(found.at(i).text());
  co_return entries;
}

Task<std::int64_t> count_of(redis::Redis& redis, std::string key) {
  auto const size = co_await redis.command(redis::Use::read, key, {"ZCARD", key});
  co_return size.integer();
}

}  // namespace

// One handling of a lane.
struct Courier::Run {
  WebhookList::Pointer webhook;
  std::size_t lane = 0;
  std::string member;
  Steady::time_point begin = Steady::now();
  std::string trouble = {};  // as Redis has it
  std::vector<Ended> ended = {};
  std::vector<Delivery> dead = {};
  bool attempted = false;

  bool is_late() const { return attempted && Steady::now() - begin > run_time; }
};

Courier::Courier(asio::io_context& io, redis::Redis& redis, sql::Database& sql, Clock const& clock,
                 WebhookList& list, CourierOptions options, Metrics& metrics,
                 std::function<void(TimeMs)> on_due)
    : io_(io),
      redis_(redis),
      sql_(sql),
      clock_(clock),
      list_(list),
      options_(std::move(options)),
      on_due_(std::move(on_due)),
      delivered_(
          metrics.counter("larder_webhook_delivered_total", "Deliveries that a receiver has accepted")),
      failures_(metrics.counter("larder_webhook_failures_total", "Attempts to deliver that failed")),
      dead_(metrics.counter("larder_webhook_dead_total",
                            "Deliveries that were given up; they are listed and can be replayed")),
      seconds_(metrics.seconds("larder_webhook_seconds", "Time of an attempt to deliver")) {}

void Courier::stop() {
  stopping_ = true;
  for (auto& [member, link] : links_) link.cancel();
}

Task<void> Courier::handle(std::string member) {
  auto const colon = std::min(member.find(':'), member.size());
  auto const id = member.substr(0, colon);
  auto const word = std::string_view(member).substr(std::min(colon + 1, member.size()));
  // A change of the URL makes its lanes due, so the list must not be older than the change.
  auto const kept = co_await redis_.command(redis::Use::read, state_key, {"HGET", state_key, "revision"});
  std::string revision(kept.is_nil() ? std::string_view() : kept.text());
  if (!list_.is_as_of(revision)) co_await list_.read(std::move(revision));
  auto const webhook = co_await list_.find(id);
  if (!webhook) {
    // The server that deleted it died before Redis knew.
    co_await redis_.run(redis::Use::idempotent_write, scripts::webhooks_remove(id, clock_.now()));
    co_return;
  }
  if (word == over_word) co_return co_await bury_excess(webhook);
  auto const lane = parse_int<std::size_t>(word);
  if (!lane || *lane >= limits::webhook_lanes)
    throw std::runtime_error("a member that Larder has not written");
  Run run{.webhook = webhook, .lane = *lane, .member = member};
  std::exception_ptr failure;
  try {
    co_await deliver(run);
  } catch (...) {
    failure = std::current_exception();
  }
  links_.erase(member);
  if (failure) std::rethrow_exception(failure);
}

Task<void> Courier::deliver(Run& run) {
  auto const troubles = WebhookKeys(run.webhook->id).troubles;
  auto const lane = std::to_string(run.lane);
  auto const kept = co_await redis_.command(redis::Use::read, troubles, {"HGET", troubles, lane});
  if (!kept.is_nil()) run.trouble = kept.text();
  while (co_await deliver_some(run)) {}
}

// Returns whether to go on with the lane now.
Task<bool> Courier::deliver_some(Run& run) {
  auto const entries =
      co_await oldest_of(redis_, WebhookKeys(run.webhook->id).lanes[run.lane], std::string(lane_batch));
  for (auto const& entry : entries) {
    auto delivery = parse_waiting(entry);
    add_trouble(delivery, run.trouble);
    if (stopping_ || run.is_late()) {
      co_await settle(run, clock_.now(), run.trouble);
      co_return false;
    }
    co_await attempt(run, delivery);
    auto const now = clock_.now();
    if (delivery.state == Delivery::State::delivered) {
      delivery.finished_at = now;
      run.ended.push_back({.entry = entry, .number = delivery.number, .record = delivered_entry(delivery)});
      continue;
    }
    if (stopping_) continue;  // the attempt was cut off
    note_failure(run, delivery);
    if (is_over(delivery.queued_at, now)) {
      run.ended.push_back({.entry = entry, .number = delivery.number, .record = {}});
      run.dead.push_back(std::move(delivery));
      continue;
    }
    co_await settle(run, now + pause_ms_after(delivery.attempts), trouble_entry(delivery));
    co_return false;
  }
  // The lane stays ours, if this handler goes on.
  auto const due = stopping_ ? clock_.now() : clock_.now() + options_.lease.count();
  auto const left = co_await settle(run, due, run.trouble);
  co_return left > 0 && !stopping_;
}

Task<void> Courier::attempt(Run& run, Delivery& delivery) {
  Stopwatch const watch;
  auto const begin = Steady::now();
  run.attempted = true;
  ++delivery.attempts;
  delivery.status = 0;
  delivery.why.clear();
  auto const event = events::parse_line(delivery.line);
  if (!event) {
    delivery.why = "only a newer version of Larder can read this event";
    co_return;
  }
  auto link = links_.find(run.member);
  if (link == links_.end() || !link->second.is_open()) {
    delivery.why = co_await connect(run);
    if (!delivery.why.empty()) co_return;
    link = links_.find(run.member);
  }
  auto body = events::to_json(*event);
  HttpLink::Fields fields{{"Content-Type", "application/json"},
                          {"User-Agent", "larder"},
                          {"Larder-Webhook", run.webhook->id},
                          {"Larder-Delivery", std::to_string(delivery.number)},
                          {"Larder-Signature", signature(run.webhook->secret, clock_.unchecked(), body)}};
  auto const left = std::chrono::ceil<std::chrono::milliseconds>(begin + request_time - Steady::now());
  auto const answer = co_await link->second.post(std::move(fields), std::move(body),
                                                 std::max(left, std::chrono::milliseconds(1)));
  seconds_.Observe(watch.seconds());
  delivery.status = answer.status;
  delivery.why = answer.why;
  if (answer.is_success()) {
    delivery.state = Delivery::State::delivered;
    delivered_.Increment();
  } else if (answer.status != 0) {
    delivery.why = fmt::format("the receiver answered {}", answer.status);
  }
}

// Finds the addresses, checks them, and makes a link that connects to nothing else. Returns what is wrong.
Task<std::string> Courier::connect(Run& run) {
  auto const target = parse_target(run.webhook->url);
  if (!target) co_return target.error().detail;
  auto const found =
      co_await lookup_.find(target->host, std::chrono::milliseconds(limits::webhook_connect_ms));
  if (!found) co_return found.error();
  if (stopping_) co_return "the server stops";
  if (!options_.allow.allows(target->host, *found))
    co_return "the host has an address that is not allowed: see the setting webhooks.allow";
  links_.erase(run.member);
  links_.try_emplace(run.member, io_, *target, *found, options_.tls.get());
  co_return std::string();
}

Task<std::int64_t> Courier::settle(Run& run, TimeMs due, std::string trouble) {
  auto const& id = run.webhook->id;
  if (!run.dead.empty()) {
    auto const now = clock_.now();
    // SQL first: if this server dies in between, the delivery is in both, and is tried once more.
    co_await sql_.write(
        [id, dead = run.dead, now](sql::Session& session) { insert_dead(session, id, dead, now); });
  }
  auto const left = co_await redis_.run(redis::Use::idempotent_write,
                                        scripts::webhooks_settle(id, run.lane, due, trouble, run.ended));
  dead_.Increment(double(run.dead.size()));
  run.ended.clear();
  run.dead.clear();
  run.trouble = std::move(trouble);
  if (left.integer() > 0) on_due_(due);
  co_return left.integer();
}

void Courier::note_failure(Run const& run, Delivery const& delivery) {
  failures_.Increment();
  auto const level = delivery.attempts == 1 ? log::Level::warn : log::Level::debug;
  if (!log::enabled(level)) return;
  log::write(level, "a delivery to a webhook failed",
             {{"webhook", run.webhook->id},
              {"delivery", delivery.number},
              {"attempts", delivery.attempts},
              {"why", delivery.why}});
}

Task<void> Courier::bury_excess(WebhookList::Pointer webhook) {
  while (!stopping_ && co_await bury_oldest(webhook->id) > options_.waiting_max) {}
}

// Brings the oldest deliveries of a webhook to SQL, if too many wait. Returns how many still wait.
Task<std::int64_t> Courier::bury_oldest(std::string id) {
  WebhookKeys const keys(id);
  std::vector<Task<std::int64_t>> counts;
  std::vector<Task<std::vector<std::string>>> reads;
  for (auto const& lane : keys.lanes) {
    counts.push_back(count_of(redis_, lane));
    reads.push_back(oldest_of(redis_, lane, std::to_string(bury_batch - 1)));
  }
  std::int64_t waiting = 0;
  for (auto const count : co_await when_all(std::move(counts))) waiting += count;
  auto const found = co_await when_all(std::move(reads));
  std::vector<std::pair<std::size_t, std::string>> oldest;
  for (std::size_t lane = 0; lane < found.size(); ++lane) {
    for (auto const& entry : found[lane]) oldest.emplace_back(lane, entry);
  }
  std::ranges::sort(oldest, {}, [](auto const& each) { return parse_waiting(each.second).number; });
  auto const excess = std::size_t(std::max<std::int64_t>(0, waiting - options_.waiting_max));
  oldest.resize(std::min({oldest.size(), excess, bury_batch}));
  auto const now = clock_.now();
  std::vector<Delivery> dead;
  for (auto const& [lane, entry] : oldest) {
    dead.push_back(parse_waiting(entry));
    dead.back().why = fmt::format("more than {} deliveries waited", options_.waiting_max);
  }
  if (!dead.empty())
    co_await sql_.write([id, dead, now](sql::Session& session) { insert_dead(session, id, dead, now); });
  auto const left = co_await redis_.run(redis::Use::idempotent_write,
                                        scripts::webhooks_bury(id, now, options_.waiting_max, oldest));
  if (!dead.empty()) {
    dead_.Increment(double(dead.size()));
    log::warn("deliveries to a webhook are dead, because too many waited",
              {{"webhook", id}, {"deliveries", dead.size()}});
  }
  co_return left.integer();
}

}  // namespace larder::webhooks
