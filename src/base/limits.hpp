// Every limit, defined once. A name says its unit: chars, bytes, days, ms (milliseconds), s (seconds).
#pragma once

#include <cstddef>
#include <cstdint>

namespace larder::limits {

inline constexpr std::int64_t amount_max = 9'007'199'254'740'991;  // 2^53 - 1: exact in JSON, Lua and doubles

inline constexpr std::size_t uid_chars_max = 64;
inline constexpr std::size_t domain_chars_max = 64;
inline constexpr std::size_t order_id_chars_max = 128;
inline constexpr std::size_t type_name_chars_max = 64;
inline constexpr std::size_t remark_chars_max = 256;
inline constexpr std::int64_t order_ttl_days_max = 3650;
inline constexpr std::size_t batch_entries_max = 1000;
inline constexpr std::int64_t lots_max = 1000;  // of an account; beyond it, new lots are merged by day

inline constexpr std::size_t realm_chars_max = 64;
inline constexpr std::int64_t refusals_kept_max =
    1000;  // for one player and one world, within refusals_kept_s
inline constexpr std::int64_t refusals_kept_s = 600;
inline constexpr std::int64_t reports_kept_ms = 30LL * 86'400'000;
inline constexpr std::int64_t watched_ms = 30'000;  // how long a town counts as watched
inline constexpr int socket_messages_per_s = 100;   // that the server reads from one WebSocket of a town
inline constexpr std::size_t world_chars_max = 64;
inline constexpr std::size_t world_eras_max = 100;  // changes of the rules of one world
inline constexpr std::size_t roulette_id_chars_max = 32;
inline constexpr std::size_t player_name_chars_max = 64;

inline constexpr std::size_t adjusted_items_max = 100;        // of one player in one request
inline constexpr std::size_t reason_chars_max = 256;          // why an operator adjusts a player
inline constexpr std::size_t imported_players_max = 100'000;  // in one request
inline constexpr std::size_t listed_failures_max = 1000;      // of an import, in its answer
inline constexpr std::int64_t exported_events_max = 1000;     // of a player, in one answer

inline constexpr std::size_t message_text_chars_max = 2000;  // code points, as Discord counts
inline constexpr std::size_t message_cache_bytes = 64 * 1024 * 1024;
inline constexpr std::int64_t bucket_tokens_max = 1'000'000'000;
inline constexpr std::int64_t bucket_seconds_max = 1'000'000'000;

inline constexpr std::size_t dispatches_max = 1000;    // events of Discord in one request
inline constexpr std::size_t raw_members_max = 1000;   // of one object inside such an event
inline constexpr std::size_t bulk_deletes_max = 1000;  // messages in one event; Discord allows 100
inline constexpr std::size_t sounds_max = 1000;        // of a soundboard
inline constexpr std::size_t cache_prefix_chars_max = 64;
inline constexpr std::size_t lookup_keys_max = 1000;  // objects of Discord in one request

inline constexpr std::int64_t page_default = 50;
inline constexpr std::int64_t page_max = 500;

inline constexpr std::int64_t search_hits_max = 20;       // of each kind, from each system
inline constexpr std::size_t search_chars_max = 128;      // of the text that is searched for
inline constexpr std::int64_t search_places_max = 100;    // worlds that a search looks into
inline constexpr std::size_t due_member_chars_max = 400;  // of a dead member in a path

inline constexpr std::size_t header_bytes_max = 8 * 1024;
inline constexpr std::size_t body_bytes_max = 1024 * 1024;           // unless a route says otherwise
inline constexpr std::size_t bulk_body_bytes_max = 8 * 1024 * 1024;  // for routes that take many items
inline constexpr std::size_t import_body_bytes_max = 16 * 1024 * 1024;
inline constexpr std::size_t sign_in_body_bytes_max = 4 * 1024;  // the longest name and password fit in it
inline constexpr std::size_t skipped_body_bytes_max =
    64 * 1024;  // of a refused request: a larger one ends its connection
inline constexpr std::int64_t bodies_mib_min =
    32;  // for all bodies in memory; a quarter of it, the share of a caller, must hold a bulk body
inline constexpr std::size_t export_bytes_max =
    32 * 1024 * 1024;  // of everything about a user, in one answer
inline constexpr std::size_t json_depth_max = 16;
inline constexpr std::size_t gateway_json_depth_max = 64;  // of the events of Discord's gateway
inline constexpr std::size_t idempotency_key_chars_max = 128;
inline constexpr int idempotency_running_ms =
    60'000;  // how long a key outlives a server that dies; renewed until then
inline constexpr std::size_t gzip_bytes_min = 1024;
inline constexpr std::size_t header_fields_max = 100;
inline constexpr std::size_t path_segments_max = 16;
inline constexpr std::size_t request_id_chars_max = 64;
inline constexpr std::size_t cursor_chars_max = 256;
inline constexpr std::size_t query_parameters_max = 100;
inline constexpr int send_buffer_bytes = 128 * 1024;  // what the kernel keeps for a client that does not read

inline constexpr std::size_t web_socket_message_bytes_max = 64 * 1024;  // from a client
inline constexpr std::size_t web_socket_queue_bytes_max = 256 * 1024;   // not read by one client yet
inline constexpr int web_socket_ping_ms = 30'000;  // a client that is silent for this long gets a ping
inline constexpr int web_socket_pong_ms = 20'000;  // time for the answer to a ping

inline constexpr int request_deadline_ms = 10'000;
inline constexpr int idle_ms = 60'000;
inline constexpr int write_deadline_ms = 10'000;
inline constexpr int linger_ms = 2'000;
inline constexpr int drain_ms = 10'000;
inline constexpr int shutdown_ms = 30'000;  // after this time the shutdown is forced
inline constexpr int ready_check_ms = 3'000;
inline constexpr std::size_t cpu_waiting_max = 64;  // calls that wait for a thread of the CPU pool

inline constexpr std::size_t key_name_chars_max = 64;
inline constexpr std::size_t key_realms_max = 100;      // that one service key may touch
inline constexpr std::size_t key_older_tokens_max = 4;  // of one service key, at the same time
inline constexpr std::int64_t key_overlap_s =
    86'400;  // how long an older token stays valid, unless said otherwise
inline constexpr std::int64_t key_overlap_s_max = 30LL * 86'400;

inline constexpr std::size_t username_chars_min = 3;  // of players' accounts, in code points
inline constexpr std::size_t username_chars_max = 32;
inline constexpr std::size_t name_key_chars_max = 128;  // of a folded name: a letter can become several
inline constexpr std::size_t password_chars_min = 8;
inline constexpr std::size_t password_chars_max = 256;
inline constexpr std::int64_t session_ms = 48LL * 3'600'000;
inline constexpr std::size_t session_token_chars_max = 1024;
inline constexpr std::int64_t revocations_kept_ms = session_ms + 3'600'000;  // clocks may differ by an hour
inline constexpr std::int64_t revocations_stale_ms = 5'000;  // without news for this long, trust no session
inline constexpr std::int64_t failed_logins_per_name_max = 10;
inline constexpr std::int64_t failed_logins_per_address_max = 100;
inline constexpr std::int64_t failed_logins_s = 600;
inline constexpr std::int64_t registrations_per_address_max = 300;
inline constexpr std::int64_t registrations_s = 3600;

inline constexpr int feed_packs_max = 10'000;           // each with up to feed_pack_events_max events
inline constexpr int feed_followed_packs_max = 40'000;  // if webhooks are behind
inline constexpr std::size_t feed_pack_events_max = 50;
inline constexpr int feed_wanted_s = 86'400;               // how long the feed outlives its last listener
inline constexpr std::size_t event_listeners_max = 1'000;  // per server
inline constexpr std::size_t event_listeners_per_key_max = 250;
inline constexpr std::size_t event_filter_values_max = 50;
inline constexpr std::size_t event_type_chars_max = 64;
inline constexpr int event_keep_alive_ms = 15'000;
inline constexpr int event_write_ms = 5'000;  // a listener that needs longer to read is disconnected

inline constexpr std::size_t webhooks_max = 100;
inline constexpr std::size_t webhook_url_chars_max = 2000;
inline constexpr std::size_t webhook_lanes = 8;  // deliveries of one webhook at the same time
inline constexpr int webhook_connect_ms = 5'000;
inline constexpr int webhook_request_ms = 10'000;  // includes the resolving and the connecting
inline constexpr std::size_t webhook_answer_bytes_max =
    64 * 1024;  // beyond it, the connection is not used again
inline constexpr std::int64_t webhook_retry_first_ms = 1'000;
inline constexpr std::int64_t webhook_retry_max_ms = 900'000;
inline constexpr std::int64_t webhook_dead_after_ms = 3LL * 86'400'000;
inline constexpr std::int64_t webhook_dead_kept_ms = 30LL * 86'400'000;
inline constexpr int webhook_delivered_kept = 1'000;  // of one webhook

}  // namespace larder::limits
