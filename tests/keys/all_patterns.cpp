#include "all_patterns.hpp"

#include "base/hash.hpp"
#include "edges/http/idempotency.hpp"
#include "edges/http/rate_limit.hpp"
#include "kit/accounts/account_keys.hpp"
#include "kit/accounts/player_ids.hpp"
#include "kit/documents/documents.hpp"
#include "kit/events/events_scripts.hpp"
#include "kit/events/feed.hpp"
#include "kit/presence/clock_watch.hpp"
#include "kit/presence/presence.hpp"
#include "kit/schedule/due_set.hpp"
#include "systems/cache/cache_keys.hpp"
#include "systems/economy/realm_removal.hpp"
#include "systems/ledger/ledger_keys.hpp"
#include "systems/messages/index_keys.hpp"
#include "systems/tribes/world.hpp"
#include "systems/webhooks/webhooks_scripts.hpp"

#include <algorithm>
#include <iterator>

namespace larder::keys {

namespace {

constexpr std::string_view hex = "0-9a-f";
constexpr std::string_view digits = "0-9";
constexpr std::size_t digits_max = 19;

template <class SomeId>
SomeId id(std::string_view text) {
  return SomeId::from(text).value();
}

void add_outbox(KeyPatterns& patterns, std::string const& stream, std::string const& about) {
  events::OutboxKeys const keys(stream);
  patterns.add(keys.stream, "stream", about);
  patterns.add(keys.lease, "string", "which projector works on that stream");
  patterns.add(keys.projected, "string", "the last event of that stream that SQL has");
  patterns.add(keys.dead, "stream", "events of that stream that SQL refuses");
  patterns.add(keys.retry, "stream", "dead events that a server shall try again");
  patterns.add(keys.lost, "stream", "events that were written after Redis had lost data");
}

void add_due_set(KeyPatterns& patterns, std::string const& due, std::string const& about) {
  schedule::DueSetKeys const keys(due);
  patterns.add(keys.due, "sorted set", about);
  patterns.add(keys.failures, "hash", "failed attempts of the members of that due set");
  patterns.add(keys.dead, "sorted set", "its dead members");
  patterns.add(keys.reasons, "hash", "why they are dead");
}

void add_bucket(KeyPatterns& patterns, std::string const& name, std::string const& about) {
  patterns.add(name + ":last_reset", "string", about + ": epoch seconds of the last reset");
  patterns.add(name + ":tokens", "string", about + ": the tokens at that time");
}

std::vector<KeyPattern> server_patterns() {
  auto const hashed = key_hash("text");
  KeyPatterns patterns("server", {{"SERVER", {"server", hex, 16}},
                                  {"CALLER", {"caller", "0-9a-v", 32}},
                                  {"OPERATION", {"operation", "a-z0-9_", 64}},
                                  {hashed, {"hash", hex, key_hash_chars}}});
  patterns.add(presence::closed_key, "string", "set while a rebuild needs this Redis alone");
  patterns.add(std::string(presence::server_prefix) + "SERVER", "string",
               "a server that works on this Redis");
  patterns.add(presence::clocks_key, "hash", "by how much the clock of each server is ahead");
  patterns.add(events::feed_key, "stream", "the feed");
  patterns.add(events::feed_seen_key, "hash", "the last event of each outbox that the feed has");
  patterns.add(events::feed_wanted_key, "string", "set while somebody listens to the feed");
  patterns.add(events::feed_followed_key, "string", "how far the feed was followed for webhooks");
  patterns.add(http::idempotency_redis_key({.key = "text", .fingerprint = {}}), "string",
               "the answer to a request with an idempotency key");
  add_bucket(patterns, http::RateLimit::bucket_name("CALLER", "OPERATION"), "the rate limit of a caller");
  return patterns.take();
}

std::vector<KeyPattern> accounts_patterns(Mode mode) {
  auto const user = id<UserId>("USER_ID");
  auto const hashed = key_hash("text");
  accounts::AccountKeys const keys(mode == Mode::cluster);
  // A folded name has at most 128 characters of up to four bytes.
  KeyPatterns patterns("accounts", {{user.str(), {"user_id", "0-9a-v", accounts::player_id_chars}},
                                    {"NAME", {"name", "a-z0-9_\x80-\xff-", 4 * limits::name_key_chars_max}},
                                    {hashed, {"hash", hex, key_hash_chars}}});
  patterns.add(keys.user(user), "hash", "an account");
  patterns.add(keys.username("NAME"), "string", "the account that has this name");
  add_outbox(patterns, accounts::AccountKeys::outbox(), "what happened to accounts");
  patterns.add(accounts::AccountKeys::revoked(), "stream", "sessions that have ended");
  add_due_set(patterns, accounts::AccountKeys::deletions(), "the due set of deleted accounts");
  add_bucket(patterns, accounts::AccountKeys::logins_of_name("text"), "failed logins of a name");
  add_bucket(patterns, accounts::AccountKeys::logins_of_address("text"), "failed logins from an address");
  add_bucket(patterns, accounts::AccountKeys::registrations("text"), "registrations from an address");
  return patterns.take();
}

std::vector<KeyPattern> ledger_patterns(Mode mode) {
  ledger::Keys const keys("", mode == Mode::cluster);
  ledger::Account const account{.type = 7'777'777, .domain = id<Domain>("DOMAIN"), .uid = id<UserId>("UID")};
  auto const order = id<OrderId>("ORDER");
  auto const sender = id<UserId>("SENDER");
  // Shards and partitions are numbers; no other part of a sample contains these digits.
  auto const partition = std::to_string(ledger::partition_of(account.uid));
  auto const shard = std::to_string(keys.shards().size() - 1);
  KeyPatterns patterns("ledger", {{"7777777", {"score_type", digits, digits_max}},
                                  {"8888", {"counter", digits, digits_max}},
                                  KeyPatterns::sample("domain", account.domain),
                                  KeyPatterns::sample("sender", sender),
                                  KeyPatterns::sample("uid", account.uid),
                                  KeyPatterns::sample("order", order),
                                  {partition, {"partition", digits, 4}},
                                  {shard, {mode == Mode::cluster ? "partition" : "shard", digits, 4}}});
  auto const of = keys.account(account);
  patterns.add(of.balance, "string", "the balance of an account");
  patterns.add(of.more, "hash", "holds, transfers under way and lots that are not effective yet");
  patterns.add(of.expiring, "sorted set", "lots that expire");
  patterns.add(of.due, "sorted set", "when the account changes by itself");
  patterns.add(keys.order(account.uid, order), "string", "an order that was decided");
  patterns.add(keys.arrival(account.uid, sender, order), "string", "an arrival from another slot");
  patterns.add(ledger::Keys::counter(account.type, 8888), "string", "the last issued order number");
  patterns.add(ledger::Keys::counter_hours(account.type, 8888), "hash",
               "the first order number of each hour");
  auto const& of_shard = keys.shards().back();
  add_outbox(patterns, of_shard.outbox, "an outbox");
  add_due_set(patterns, of_shard.schedule, "the due set of accounts that change by themselves");
  add_due_set(patterns, of_shard.relay, "the due set of transfers between slots");
  patterns.add(of_shard.open_holds, "hash", "how many holds are open, by type");
  patterns.add(of_shard.revision(account.type), "string", "which end of a type the keys of the shard have");
  add_due_set(patterns, std::string(ledger::Keys::types_due), "the due set of types that have work to do");
  return patterns.take();
}

std::vector<KeyPattern> realm_patterns(economy::RealmId const& realm) {
  auto const player = id<UserId>("PLAYER");
  auto const roulette = id<economy::RouletteId>("ROULETTE");
  auto const hashed = key_hash("text");
  // An item's id may have any character but spaces and control characters.
  KeyPatterns patterns("economy", {KeyPatterns::sample("realm", id<economy::RealmId>("REALM")),
                                   KeyPatterns::sample("player", player),
                                   KeyPatterns::sample("roulette", roulette),
                                   {"ITEM", {"item", "!-~\x80-\xff", 256}},
                                   {"REWARD", {"reward", "a-z0-9-", 32}},
                                   {hashed, {"hash", hex, key_hash_chars}}});
  economy::RealmKeys const keys(realm);
  add_outbox(patterns, keys.points(), "what happened to points");
  add_outbox(patterns, keys.items(), "what happened to items");
  patterns.add(keys.leaderboard(), "sorted set", "all balances");
  patterns.add(keys.drop_rate(), "list", "items that can be found");
  patterns.add(keys.item("ITEM"), "hash", "an item of the catalogue");
  patterns.add(keys.craft("ITEM"), "list", "what it costs to craft an item");
  patterns.add(keys.catalogue(), "string", "the version of the catalogue");
  patterns.add(keys.catalogue_data(), "string", "the catalogue");
  patterns.add(keys.catalogue_source(), "string", "who gave the catalogue: a start or a command");
  patterns.add(keys.bomb(), "string", "who planted the pending bomb");
  patterns.add(keys.bomb_due(), "string", "when the last pending bomb was due");
  patterns.add(keys.bombs(), "sorted set", "planted bombs by the time they are due");
  add_due_set(patterns, keys.bombs_schedule(), "the due set of planted bombs");
  patterns.add(keys.roulette(roulette), "hash", "a roulette");
  patterns.add(keys.idempotency_key({.key = "text", .fingerprint = {}}), "string",
               "the answer to a move with an idempotency key");
  patterns.add(keys.name(player), "string", "a player's name");
  patterns.add(keys.inventory(player), "hash", "a player's items");
  patterns.add(keys.vampire(player), "string", "the level of a player's next vampire");
  patterns.add(keys.discombobulate_lock(player), "string", "a player who was discombobulated");
  for (auto const kind :
       {economy::EffectKind::gain, economy::EffectKind::discombobulate, economy::EffectKind::vampire}) {
    patterns.add(keys.effect(player, kind), "string", "an effect on a player");
  }
  patterns.add(keys.reward(player, "REWARD"), "string", "a reward that a player has had");
  patterns.add(keys.farm_lock(player), "string", "a player who has farmed, if the game has a cooldown");
  patterns.add(keys.imported(), "set", "players who were imported");
  return patterns.take();
}

std::vector<KeyPattern> economy_patterns() {
  KeyPatterns patterns("economy", {});
  patterns.add(economy::realms_key, "set", "all realms");
  patterns.add(economy::closing_key, "set", "realms that are being deleted");
  patterns.add(economy::busy_key, "sorted set", "realms that were used within the last minute");
  return patterns.take();
}

std::vector<KeyPattern> messages_patterns() {
  auto const user = id<UserId>("user");
  messages::IndexKeys const keys(user);
  KeyPatterns patterns("messages", {{key_hash("user"), {"user_hash", hex, key_hash_chars}},
                                    {"7777777", {"message", digits, digits_max}}});
  patterns.add(messages::caught_up_key, "string", "up to which version all indexes are up to date");
  patterns.add(keys.history, "sorted set", "when each message was last sent");
  patterns.add(keys.line, "sorted set", "active messages that may be sent");
  patterns.add(keys.waiting, "sorted set", "active messages without a token");
  patterns.add(keys.index, "hash", "the rules of active messages");
  patterns.add(keys.last_reset(7'777'777), "string",
               "the bucket of a message: epoch seconds of the last reset");
  patterns.add(keys.tokens(7'777'777), "string", "the bucket of a message: the tokens at that time");
  return patterns.take();
}

std::vector<KeyPattern> webhooks_patterns() {
  KeyPatterns patterns("webhooks", {{"WEBHOOK", {"event_webhook", hex, 12}}, {"0", {"lane", digits, 1}}});
  webhooks::WebhookKeys const keys("WEBHOOK");
  patterns.add(webhooks::state_key, "hash",
               "the revision of the webhooks and the number of the last delivery");
  patterns.add(webhooks::lease_key, "string", "which server follows the feed for webhooks");
  add_due_set(patterns, std::string(webhooks::due_key), "the due set of lanes of webhooks");
  patterns.add(keys.lanes[0], "sorted set", "deliveries that wait in a lane of a webhook");
  patterns.add(keys.delivered, "sorted set", "the newest deliveries that were made");
  patterns.add(keys.troubles, "hash", "why the first delivery of each lane waits");
  return patterns.take();
}

std::vector<KeyPattern> world_patterns(tribes::WorldId const& world) {
  auto const user = id<UserId>("USER");
  auto const hashed = key_hash("0:text");  // the start of the world, and the key
  KeyPatterns patterns("tribes", {KeyPatterns::sample("world", id<tribes::WorldId>("WORLD")),
                                  {"USER", {"account", "0-9a-v", 20}},
                                  {"7777777", {"x", digits, 7}},
                                  {"8888888", {"y", digits, 7}},
                                  {hashed, {"hash", hex, key_hash_chars}}});
  tribes::WorldKeys const keys(world);
  auto const add_document = [&](std::string const& key, std::string const& about) {
    patterns.add(key, "string", about);
    patterns.add(documents::revision_key(key), "string", "its revision");
  };
  add_document(keys.world(), "the world: its state, clock and rules");
  add_document(keys.town(user), "the town of a user, as in the original game");
  patterns.add(keys.coins(user), "hash", "how the coins of a town changed");
  patterns.add(keys.pizzas(user), "hash", "how the pizzas of a town changed");
  patterns.add(keys.reports(user), "stream", "the reports of a user");
  patterns.add(keys.read_reports(user), "set", "which of them the user has read");
  add_due_set(patterns, keys.updates(), "the due set of all towns");
  add_due_set(patterns, keys.jobs(), "the due set of jobs of the world");
  patterns.add(keys.leaderboard(), "sorted set", "the coins of all users");
  add_outbox(patterns, keys.outbox(), "what happened in the world");
  patterns.add(keys.names(), "hash", "where each user lives, and the user's name");
  patterns.add(keys.watched(), "sorted set", "until when somebody watches a town");
  patterns.add(keys.goals(), "sorted set", "who owned the coins of the goal, and when");
  patterns.add(keys.reached(), "string", "game ms that no town is past");
  patterns.add(keys.open_zone(), "string", "which zone gets the next town");
  patterns.add(keys.zone(7'777'777, 8'888'888), "hash", "the towns of a zone, by field");
  patterns.add(keys.idempotency_key({.key = "text", .fingerprint = {}}, {}), "string",
               "the answer to an action with an idempotency key");
  patterns.add(keys.refusals(user), "string", "how many refusals are kept for a user");
  return patterns.take();
}

std::vector<KeyPattern> tribes_patterns() {
  KeyPatterns patterns("tribes", {});
  patterns.add(tribes::worlds_key, "set", "all worlds");
  return patterns.take();
}

// The keys of the DRC specification.
void add_drc_keys(KeyPatterns& patterns, cache::CacheKeys const& keys) {
  patterns.add(keys.application("APP"), "string", "an application");
  patterns.add(keys.automod_rules("GUILD"), "hash", "the auto moderation rules of a guild");
  patterns.add(keys.ban("GUILD", "USER"), "string", "the reason of a ban");
  patterns.add(keys.channels("GUILD"), "hash", "the channels of a guild");
  patterns.add(keys.dm_channels(), "hash", "the channels of direct messages");
  patterns.add(keys.commands("APP"), "hash", "the commands of an application");
  patterns.add(keys.emojis("GUILD"), "hash", "the emojis of a guild");
  patterns.add(keys.guilds(), "set", "all guilds");
  patterns.add(keys.guild("GUILD"), "string", "a guild");
  patterns.add(keys.integrations("GUILD"), "hash", "the integrations of a guild");
  patterns.add(keys.interaction("INTERACTION"), "string", "an interaction");
  patterns.add(keys.invite("CODE"), "string", "an invite");
  patterns.add(keys.members("GUILD"), "set", "the users who are members of a guild");
  patterns.add(keys.member("GUILD", "USER"), "string", "a member");
  patterns.add(keys.message("MESSAGE"), "string", "a message");
  patterns.add(keys.presence("GUILD", "USER"), "string", "the presence of a member");
  patterns.add(keys.reactions("MESSAGE"), "set", "the emojis of the reactions to a message");
  patterns.add(keys.reaction("MESSAGE", "EMOJI"), "set", "the users who have reacted with an emoji");
  patterns.add(keys.roles("GUILD"), "hash", "the roles of a guild");
  patterns.add(keys.scheduled_events("GUILD"), "hash", "the scheduled events of a guild");
  patterns.add(keys.stage_instance("CHANNEL"), "string", "the stage instance of a channel");
  patterns.add(keys.stickers("GUILD"), "hash", "the stickers of a guild");
  patterns.add(keys.templates("GUILD"), "hash", "the templates of a guild");
  patterns.add(keys.thread("CHANNEL"), "string", "a thread");
  patterns.add(keys.thread_members("CHANNEL"), "hash", "the members of a thread");
  patterns.add(keys.user("USER"), "string", "a user");
  patterns.add(keys.voice_states("GUILD"), "hash", "the voice states of a guild");
  patterns.add(keys.webhook("WEBHOOK"), "string", "a webhook");
  patterns.add(keys.welcome_screen("GUILD"), "string", "the welcome screen of a guild");
  patterns.add(keys.widget("GUILD"), "string", "the widget of a guild");
}

std::vector<KeyPattern> cache_patterns() {
  std::vector<KeyPatterns::Sample> samples{{"CODE", {"code", "A-Za-z0-9-", 64}},
                                           {"EMOJI", {"emoji", " -9;-~\x80-\xff", 64}},
                                           {"ANSWER", {"answer", digits, 20}},
                                           {"TOKEN", {"token", hex, 16}}};
  for (auto const& [sample, name] : {std::pair("APP", "application"),
                                     {"GUILD", "guild"},
                                     {"USER", "member"},
                                     {"CHANNEL", "channel"},
                                     {"MESSAGE", "discord_message"},

                                     {"INTERACTION", "interaction"},
                                     {"WEBHOOK", "webhook"},
                                     {"EVENT", "event"}}) {
    samples.push_back({sample, {name, digits, 20}});
  }
  KeyPatterns patterns("cache", std::move(samples));
  cache::CacheKeys const keys("drc", "v1");
  add_drc_keys(patterns, keys);
  patterns.add(keys.presences_of("GUILD"), "set", "the members of a guild with a presence");
  patterns.add(keys.bans_of("GUILD"), "set", "the users who are banned from a guild");
  patterns.add(keys.threads_of("GUILD"), "hash", "the threads of a guild, with their channels");
  patterns.add(keys.invites_of("GUILD"), "hash", "the invites of a guild, with their channels");
  patterns.add(keys.webhooks_of("GUILD"), "hash",
               "the webhooks of a guild, with their channels and applications");
  patterns.add(keys.stages_of("GUILD"), "set", "the channels of a guild with a stage instance");
  patterns.add(keys.talked_in("GUILD"), "set", "the channels of a guild with messages");
  patterns.add(keys.guilds_of("USER"), "set", "the guilds of a user");
  patterns.add(keys.messages_of("CHANNEL"), "sorted set", "the messages of a channel, by time");
  patterns.add(keys.guild_of("CHANNEL"), "string", "the guild of a channel");
  patterns.add(keys.votes("MESSAGE", "ANSWER"), "set", "the users who have voted for an answer");
  patterns.add(keys.voted("MESSAGE"), "set", "the answers with votes");
  patterns.add(keys.interested("GUILD", "EVENT"), "set", "the users who are interested in a scheduled event");
  patterns.add(keys.gone_roles("GUILD"), "set", "deleted roles that some members still have");
  patterns.add(keys.self(), "string", "the bot's own user");
  add_due_set(patterns, keys.jobs(), "the due set of what must still be removed");
  patterns.add(keys.shards(), "hash", "the newest sequence number of each shard, and when it came");
  patterns.add(keys.counts(), "hash", "how many events have come, by name");
  for (auto const& hash :
       {keys.channels("GUILD"), keys.roles("GUILD"), keys.emojis("GUILD"), keys.stickers("GUILD"),
        keys.voice_states("GUILD"), keys.scheduled_events("GUILD")}) {
    patterns.add(cache::CacheKeys::next(hash, "TOKEN"), "hash", "such a list while it is being replaced");
  }
  return patterns.take();
}

}  // namespace

std::vector<KeyPattern> all_patterns(Mode mode) {
  std::vector<KeyPattern> all;
  auto const append = [&](std::vector<KeyPattern> more) { std::ranges::move(more, std::back_inserter(all)); };
  append(server_patterns());
  append(accounts_patterns(mode));
  append(ledger_patterns(mode));
  if (mode == Mode::one_redis) append(realm_patterns(id<economy::RealmId>(economy::default_realm)));
  append(realm_patterns(id<economy::RealmId>("REALM")));
  append(economy_patterns());
  append(messages_patterns());
  if (mode == Mode::one_redis) append(world_patterns(id<tribes::WorldId>(tribes::default_world)));
  append(world_patterns(id<tribes::WorldId>("WORLD")));
  append(tribes_patterns());
  append(cache_patterns());
  append(webhooks_patterns());
  return all;
}

}  // namespace larder::keys
