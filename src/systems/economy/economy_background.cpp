#include "systems/economy/economy_background.hpp"

#include "base/json.hpp"
#include "base/log.hpp"
#include "systems/economy/economy_rebuild.hpp"
#include "systems/economy/economy_scripts.hpp"
#include "systems/economy/realm_catalogue.hpp"
#include "systems/economy/realm_removal.hpp"

namespace larder::economy {

namespace {

constexpr auto look_for_realms = std::chrono::milliseconds(2000);
constexpr auto short_patience = std::chrono::milliseconds(20);
constexpr int rounds_per_list = 30;  // the list of all realms can be long
constexpr auto mark_every = std::chrono::milliseconds(20'000);
constexpr auto marks_last = std::chrono::milliseconds(60'000);  // well above mark_every

std::int64_t steady_ms() {
  auto const since = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(since).count();
}

}  // namespace

Background::Background(asio::io_context& io, redis::Redis& redis, sql::Database& sql, Clock const& clock,
                       BackgroundOptions const& options, Metrics& metrics)
    : io_(io),
      redis_(redis),
      clock_(clock),
      journal_(sql),
      shared_{.journal = journal_,
              .clock = clock,
              .metrics = metrics,
              .catalogue = options.catalogue,
              .on_new_realm =
                  [this](RealmPtr const& realm) { asio::post(io_, [this, realm] { attach(realm); }); },
              .wake_projector = [this](Realm const& realm) { wake(realm); },
              .on_closed_realm = [this](RealmId const&) { any_closed_ = true; },
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
           .creates = false,
           .keep = options.stream_events,
           .linger = options.gather,
           .to_feed =
               [this](std::string const& stream, events::Event const& event) {
                 auto const [realm, of] = owner_of(stream);
                 return to_feed(realm->id, of, event);
               },
           .looks_at = [this](std::size_t stream) { return streams_of_[stream]->is_looked_at; }},
          [this](sql::Session& session, std::string const& stream, std::span<events::Event const> events) {
            auto const [realm, of] = owner_of(stream);
            EconomyJournal::write_events(session, realm->id, of, events);
          },
          metrics),
      scheduler_(
          io, redis, clock,
          {.name = "economy_bombs",
           .sets = {},
           .looks_at = [this](std::size_t set) { return bombs_of_[set]->is_looked_at; }},
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
    auto const known = shared_.realms.find(id);
    if (!without_ours_->contains(id) && known && known->catalogue()) continue;
    try {
      if (co_await open_realm(id)) without_ours_->erase(id);
    } catch (std::exception const& error) {
      log::warn("a realm was not opened", {{"realm", id.str()}, {"why", error.what()}});
    }
  }
}

// Creates no realm: a name on the list may be all that is left of one. False: the next look must try again.
Task<bool> Background::open_realm(RealmId const& id) {
  RealmKeys const keys(id);
  if (co_await is_closed(redis_, keys)) {  // somebody may have died just after closing it
    co_await announce_closed(redis_, id);
    any_closed_ = true;
    co_return true;
  }
  // First, because the realm may be lost, or may have no outboxes yet.
  auto const opened = co_await economy_.open(id, IfMissing::leave);
  bool const missing = !opened && opened.error().code == errors::realm_not_found;
  if (!opened && !missing)
    log::warn("a realm was not opened", {{"realm", id.str()}, {"why", opened.error().detail}});
  if (opened && !without_ours_->contains(id)) co_return true;
  if (opened &&
      co_await load_catalogue(redis_, keys, shared_.catalogue, CatalogueSource::start, IfMissing::leave)) {
    co_return co_await is_catalogue_told(id);
  }
  if (opened || missing) co_await leave_out(id);
  co_return true;
}

// A realm without a catalogue. SQL knows no event of a realm that was deleted or never completed.
Task<void> Background::leave_out(RealmId const& id) {
  for (auto const of : {EconomyEvent::Of::points, EconomyEvent::Of::items}) {
    if (co_await journal_.newest(id, of) == "0-0") continue;
    log::warn("a realm was not opened",
              {{"realm", id.str()}, {"why", "it has events, but Redis has lost its catalogue"}});
    co_return;
  }
  co_await unregister_unborn(redis_, id);
}

// A missing balance is not zero, so refuse. If a store does not answer, the data may be intact.
Task<void> Background::refuse_lost_redis() {
  try {
    co_await refuse_if_lost();
  } catch (StoreError const& error) {
    log::warn("whether Redis has every realm could not be checked", {{"why", error.what()}});
  }
}

Task<void> Background::refuse_if_lost() {
  auto const lost = co_await lost_realms(redis_, journal_);
  if (!lost.empty()) {
    throw LostRedisError(
        fmt::format("SQL has events of {} (such as {}), but this Redis has nothing of it; if it is the right "
                    "one and its data is lost, run `larder rebuild` first",
                    lost.size() == 1 ? "a realm" : fmt::format("{} realms", lost.size()), lost[0].str()));
  }
  std::vector<std::string> outboxes;
  for (auto const& id : co_await possible_realms(redis_, journal_)) {
    RealmKeys const keys(id);
    if (co_await is_closed(redis_, keys)) continue;  // it is being deleted
    outboxes.insert(outboxes.end(), {keys.points(), keys.items()});
    co_await journal_.begin_positions(id);
  }
  co_await events::open_outboxes_or_refuse(redis_, journal_.database(), std::move(outboxes));
}

Task<events::UnsavedEvents> Background::save_events() {
  auto realms = co_await all_realms(redis_);
  std::ranges::move(co_await possible_realms(redis_, journal_), std::back_inserter(realms));
  for (auto const& id : realms) {
    if (co_await is_closed(redis_, RealmKeys(id))) continue;  // it is being deleted
    auto const [realm, fresh] = shared_.realms.add(id);
    if (fresh) attach(realm);
  }
  co_return co_await projector_.save();
}

// An earlier version of Larder did not tell which catalogue it has loaded. So this version does so at its
// start, once SQL shows that nobody has. False: SQL does not know all events yet.
Task<bool> Background::is_catalogue_told(RealmId const& id) {
  RealmKeys const keys(id);
  try {
    if (co_await journal_.catalogue(id)) co_return true;
    if (!co_await events::caught_up(redis_, keys.points(), short_patience)) co_return false;
    if (!co_await journal_.catalogue(id)) co_await tell_catalogue(redis_, keys);
    co_return true;
  } catch (StoreError const&) {
    co_return false;
  }
}

Task<void> Background::start() {
  try {
    co_await open_realms();
  } catch (std::exception const& error) {
    log::warn("the realms were not opened", {{"why", error.what()}});
  }
  started_ = true;
  projector_.start();
  scheduler_.start();
  tasks_.spawn(watch());
  tasks_.spawn(delete_realms());
}

Task<void> Background::stop() {
  started_ = false;
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
  streams_of_.insert(streams_of_.end(), {realm, realm});
  realm->points_stream = projector_.add(realm->keys.points());
  realm->items_stream = projector_.add(realm->keys.items());
  bombs_of_.push_back(realm);
  realm->bombs_set = scheduler_.add(realm->keys.bombs_schedule());
  LARDER_ASSERT(realm->bombs_set == bombs_of_.size() - 1);
  wake_projector(*realm);
}

void Background::wake_projector(Realm const& realm) {
  for (auto const* stream : {&realm.points_stream, &realm.items_stream}) {
    if (auto const place = stream->load(); place != Realm::nowhere) projector_.wake(place);
  }
}

// Any thread may call it.
void Background::wake(Realm const& realm) {
  wake_projector(realm);
  auto const now_ms = steady_ms();
  auto marked_ms = realm.marked_ms.load();
  if (!started_ || (marked_ms != 0 && now_ms - marked_ms < mark_every.count())) return;
  if (!realm.marked_ms.compare_exchange_strong(marked_ms, now_ms)) return;
  asio::post(io_, [this, realm = shared_.realms.find(realm.id)] {
    if (realm && !tasks_.stopping()) tasks_.spawn(mark(realm));
  });
}

// Tells the other servers that this realm may have events and bombs that only this server knows. A server
// that dies before it has told them leaves the rest to the round of all realms.
Task<void> Background::mark(RealmPtr realm) {
  auto const now = fmt::to_string(clock_.unchecked().value);
  try {
    co_await redis_.command(redis::Use::idempotent_write, busy_key, {"ZADD", busy_key, now, realm->id.str()});
  } catch (std::exception const& error) {
    realm->marked_ms = 0;
    log::debug("a realm was not marked as in use", {{"realm", realm->id.str()}, {"why", error.what()}});
  }
}

// Chooses the realms that the projector and the scheduler look at: those that some server uses, and one of
// the others, so that what nobody has marked is found at last.
Task<void> Background::look_at_used_realms() {
  auto const used =
      co_await redis_.command(redis::Use::read, busy_key, {"ZRANGE", busy_key, "0", "-1", "WITHSCORES"});
  for (auto const& realm : bombs_of_) realm->is_looked_at = false;
  if (!bombs_of_.empty()) bombs_of_[next_idle_++ % bombs_of_.size()]->is_looked_at = true;
  auto const now = std::chrono::steady_clock::now();
  std::map<std::string, Mark> marks;
  bool any_unknown = false;
  for (std::size_t i = 0; i + 1 < used.size(); i += 2) {
    std::string name(used.at(i).text());
    Mark mark{.mark = std::string(used.at(i + 1).text()), .seen = now};
    if (auto const known = marks_.find(name); known != marks_.end() && known->second.mark == mark.mark)
      mark.seen = known->second.seen;
    auto const id = RealmId::from(name);
    auto const realm = id ? shared_.realms.find(*id) : nullptr;
    if (realm) realm->is_looked_at = true;
    any_unknown = any_unknown || (id && !realm);
    if (id && now - mark.seen > marks_last) {
      co_await redis_.run(redis::Use::idempotent_write, scripts::rest_realm(*id, mark.mark));
    } else {
      marks[std::move(name)] = std::move(mark);
    }
  }
  marks_ = std::move(marks);
  if (any_unknown) co_await open_realms();
}

std::pair<RealmPtr, EconomyEvent::Of> Background::owner_of(std::string const& stream) const {
  std::lock_guard const lock(mutex_);
  return streams_.at(stream);
}

// A task of its own, because a realm can have millions of events.
Task<void> Background::delete_realms() {
  while (!tasks_.stopping()) {
    try {
      if (any_closed_) co_await delete_closed_realms();
    } catch (std::exception const& error) {
      log::warn("the closed realms were not deleted", {{"why", error.what()}});
    }
    co_await tasks_.sleep(look_for_realms);
  }
}

// Realms that another server has closed, but could not delete, are found with the list of all realms.
Task<void> Background::delete_closed_realms() {
  any_closed_ = false;
  for (auto const& id : co_await closed_realms(redis_)) {
    if (auto const realm = shared_.realms.find(id)) wake_projector(*realm);
    if (co_await delete_closed_realm(redis_, journal_, id, [this] { return tasks_.stopping(); })) {
      log::info("a realm was deleted", {{"realm", id.str()}});
      continue;
    }
    if (tasks_.stopping()) co_return;
    // Its last events must go to SQL, so the projector has to know the realm.
    any_closed_ = true;
    auto const [realm, fresh] = shared_.realms.add(id);
    if (fresh) shared_.on_new_realm(realm);
  }
}

Task<void> Background::watch() {
  bool told = false;
  for (int round = 0; !tasks_.stopping(); ++round) {
    try {
      bool const lists_all = round % rounds_per_list == 0;
      if (lists_all) any_closed_ = true;
      if (lists_all || !without_ours_ || !without_ours_->empty()) co_await open_realms();
      co_await look_at_used_realms();
      told = false;
    } catch (std::exception const& error) {
      if (!std::exchange(told, true)) log::warn("other realms were not looked for", {{"why", error.what()}});
    }
    co_await tasks_.sleep(look_for_realms);
  }
}

events::FeedEvent to_feed(RealmId const& realm, EconomyEvent::Of of, events::Event const& event) {
  auto const made = to_economy_event(of, event);
  if (of == EconomyEvent::Of::points && made.type == state_type) return {};
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
