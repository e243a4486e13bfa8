// The Redis keys of the ledger. A format with the placeholders <uid>, <domain>, <score_type> and <bucket>
// says how they look. <bucket> stands for the user's partition.
#pragma once

#include "systems/ledger/ledger_types.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace larder::ledger {

inline constexpr int partition_count = 1024;

// A user's partition, 0 to partition_count - 1. It decides the outbox and the flow
// table, so it must never change.
int partition_of(UserId const& uid);

class Keys {
 public:
  // The format must contain <uid>, <domain> and <score_type> once each, as words between colons. On a
  // cluster, its hash tag must be {<bucket>}, so that the accounts, orders and outbox of a partition share a
  // slot. An empty format means the default, for one Redis or for a cluster. Throws SetupError.
  Keys(std::string_view format, bool cluster);

  // Format and mode as text. A server with another layout would not find the existing keys.
  std::string layout() const;

  // The keys of an account. Except for the balance, a key exists only while it has content.
  struct OfAccount {
    std::string balance;   // ...:score
    std::string more;      // ...:score_more
    std::string expiring;  // ...:score_expiring
    std::string due;       // ...:score_due
  };
  OfAccount account(Account const& account) const;
  std::string balance(Account const& account) const;
  static std::string more(std::string const& balance_key) { return balance_key + "_more"; }
  std::string order(UserId const& uid, OrderId const& order) const;  // {uid}:<order>:score_os
  // For a transfer from another slot: {to}:<from>/<order>:score_os. No order of the user can have this key.
  std::string arrival(UserId const& to, UserId const& from, OrderId const& order) const;
  static std::string counter(TypeId type, std::int64_t shard);        // <type>:<shard>:score_sn
  static std::string counter_hours(TypeId type, std::int64_t shard);  // <type>:<shard>:score_sn_hours

  // The account to which a key belongs, for any of its four keys; nothing if the key is not an
  // account key of this format.
  std::optional<Account> account_of(std::string_view key) const;
  struct OrderKey {
    UserId uid;
    std::optional<UserId> from;  // only of an arrival
    OrderId order;
  };
  std::optional<OrderKey> order_of(std::string_view key) const;
  // Whether this could be a key of a ledger with any format.
  static bool is_ledger_key(std::string_view key);

  // What the users of one shard share. On a cluster each partition is a shard;
  // otherwise there are a few shards.
  struct OfShard {
    std::string tag;         // the hash tag of the shard's keys: {n}
    std::string outbox;      // stream of events: {n}:score_outbox
    std::string schedule;    // due set of accounts that change by themselves: {n}:score_schedule
    std::string relay;       // due set of transfers to another slot: {n}:score_relay
    std::string open_holds;  // number of open holds by type: {n}:score_open_holds
    // The revision of a type's end that the keys of the shard have: {n}:<type>:score_revision. The key exists
    // only if the end of the type was ever changed.
    std::string revision(TypeId type) const;
  };
  std::size_t shard_of(UserId const& uid) const;
  std::vector<OfShard> const& shards() const { return shards_; }
  std::vector<std::string> outboxes() const;
  // Due set of types that have work to do, because they have a new end or are over.
  static constexpr std::string_view types_due = "{ledger}:score_types";

  // One script can touch all users of one slot group: on a cluster the users of a
  // partition, otherwise all users.
  std::size_t slot_group_of(UserId const& uid) const;
  bool same_slot(UserId const& a, UserId const& b) const { return slot_group_of(a) == slot_group_of(b); }

 private:
  enum class Part { literal, uid, domain, score_type, partition };
  struct Piece {
    Part part;
    std::string text;  // of a literal
  };
  static std::vector<Piece> parse(std::string_view format);
  struct Found;
  static bool read(std::string_view& key, Piece const& piece, Found& found, bool from_behind);
  static void append(std::string& out, std::vector<Piece> const& pieces, UserId const& uid,
                     Account const* account);

  std::string format_;
  std::vector<Piece> account_format_;
  std::vector<Piece> user_format_;  // the words that do not depend on type or domain
  std::vector<OfShard> shards_;
  bool cluster_;
};

}  // namespace larder::ledger
