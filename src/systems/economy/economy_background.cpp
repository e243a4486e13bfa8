#include "systems/economy/economy_background.hpp"

#include "base/json.hpp"
#include "base/log.hpp"
#include "systems/economy/realm_catalogue.hpp"

namespace larder::economy {

namespace {

constexpr auto look_for_realms = std::chrono::milliseconds(2000);

}  // namespace

Background::Background(asio::io_context& io, redis::Redis& redis, sql::Database& sql, Clock const& clock,
                       BackgroundOptions const& options, Metrics& metrics)
    : io_(io),
      redis_(redis),
      journal_(sql),
      shared_{.journal = journal_,
              .clock = clock,
              .metrics = metrics,
              .catalogue = options.catalogue,
              .on_new_realm =
                  [this](RealmPtr const& realm) { asio::post(io_, [this, realm] { attach(realm); }); },
              .wake_projector =
                  [this](Realm const& realm) {
                    for (auto const* stream : {&realm.points_stream, &realm.items_stream}) {
                      if (auto const place = stream->load(); place != Realm::nowhere) projector_.wake(place);
                    }
                  },
              .wake_schedule =
                  [this](Realm const& realm, TimeMs due) {
                    if (auto const place = realm.bombs_set.load(); place != Realm::nowhere) {
                      scheduler_.wake(place, due);
                    }
                  }},
      economy_(redis, shared_),
      projector_(
          io, redis, sql, clock,
          {.name = "economy",
           .streams = {},
           .keep = options.stream_events,
           .linger = options.gather,
           .to_feed =
               [this](std::string const& stream, events::Event const& event) {
                 auto const [realm, of] = owner_of(stream);
                 return to_feed(realm->id, of, event);
               }},
          [this](sql::Session& session, std::string const& stream, std::span<events::Event const> events) {
            auto const [realm, of] = owner_of(stream);
            EconomyJournal::write_events(session, realm->id, of, events);
          },
          metrics),
      scheduler_(
          io, redis, clock, {.name = "economy_bombs", .sets = {}},
          [this](std::size_t set, std::string const& member, TimeMs) {
            return economy_.arm_bomb(bombs_of_[set], UserId::from(member).value());
          },
          metrics),
      tasks_(io) {}

// The realms that exist at the first look get the catalogue of this start, once. If that fails, the next look
// tries again. Realms that appear later keep the catalogue of the server that created them. This server opens
// them, too: if the other server dies, it projects their events and makes their bombs pending.
Task<void> Background::open_realms() {
  auto const realms = co_await all_realms(redis_);
  if (!without_ours_) without_ours_.emplace(realms.begin(), realms.end());
  for (auto const& id : realms) {
    bool const without_ours = without_ours_->contains(id);
    if (!without_ours && shared_.realms.find(id)) continue;
    try {
      if (without_ours) {
        co_await load_catalogue(redis_, RealmKeys(id), shared_.catalogue, CatalogueSource::start);
      }
      auto const opened = co_await economy_.open(id);
      if (!opened) log::warn("a realm was not opened", {{"realm", id.str()}, {"why", opened.error().detail}});
      without_ours_->erase(id);
    } catch (std::exception const& error) {
      log::warn("a realm was not opened", {{"realm", id.str()}, {"why", error.what()}});
    }
  }
}

// A realm that SQL knows and Redis does not would begin anew with its next move.
Task<void> Background::refuse_lost_realms() {
  std::vector<std::string> outboxes;
  for (auto const& id : co_await journal_.realms()) {
    RealmKeys const keys(id);
    outboxes.insert(outboxes.end(), {keys.points(), keys.items()});
    co_await journal_.begin_positions(id);
  }
  co_await events::open_outboxes_or_refuse(redis_, journal_.database(), std::move(outboxes));
}

Task<void> Background::start() {
  try {
    co_await refuse_lost_realms();
    co_await open_realms();
  } catch (SetupError const&) {
    throw;
  } catch (std::exception const& error) {
    log::warn("the realms were not opened", {{"why", error.what()}});
  }
  projector_.start();
  scheduler_.start();
  tasks_.spawn(watch());
}

Task<void> Background::stop() {
  tasks_.ask_to_stop();
  co_await scheduler_.stop();
  co_await projector_.stop();
  co_await tasks_.stop();
}

// Runs on the background thread. Each realm comes here once, from the Economy that opened it first.
void Background::attach(RealmPtr const& realm) {
  {
    std::lock_guard const lock(mutex_);
    streams_[realm->keys.points()] = {realm, EconomyEvent::Of::points};
    streams_[realm->keys.items()] = {realm, EconomyEvent::Of::items};
  }
  realm->points_stream = projector_.add(realm->keys.points());
  realm->items_stream = projector_.add(realm->keys.items());
  bombs_of_.push_back(realm);
  realm->bombs_set = scheduler_.add(realm->keys.bombs_schedule());
  LARDER_ASSERT(realm->bombs_set == bombs_of_.size() - 1);
  shared_.wake_projector(*realm);
}

std::pair<RealmPtr, EconomyEvent::Of> Background::owner_of(std::string const& stream) const {
  std::lock_guard const lock(mutex_);
  return streams_.at(stream);
}

Task<void> Background::watch() {
  while (!tasks_.stopping()) {
    try {
      co_await open_realms();
    } catch (std::exception const& error) {
      log::warn("other realms were not looked for", {{"why", error.what()}});
    }
    co_await tasks_.sleep(look_for_realms);
  }
}

events::FeedEvent to_feed(RealmId const& realm, EconomyEvent::Of of, events::Event const& event) {
  auto const made = to_economy_event(of, event);
  events::FeedEvent told{
      .system = Scope::economy, .type = made.type, .user_id = made.user_id, .at = {made.ms}, .data = {}};
  told.data = R"({"id":)";
  append_json_string(told.data, made.id());
  told.data += R"(,"realm":)";
  append_json_string(told.data, realm.str());
  told.data += R"(,"guild_id":)";
  append_json_string(told.data, made.guild_id);
  if (of == EconomyEvent::Of::items) {
    told.data += R"(,"item":)";
    append_json_string(told.data, made.item);
    told.data += fmt::format(R"(,"quantity":{})", made.amount);
  } else {
    told.data += fmt::format(R"(,"amount":{})", made.amount);
  }
  if (!made.detail.empty()) told.data += R"(,"detail":)" + made.detail;
  told.data += '}';
  return told;
}

}  // namespace larder::economy
