// The Redis keys of the ledger, from one format with the placeholders <uid>, <domain>, <score_type> and
// <bucket>.
#pragma once

#include "systems/ledger/ledger_types.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace larder::ledger {

inline constexpr int partition_count = 1024;

// A user's partition, 0 .. partition_count - 1. It decides the outbox and the flow table, so it must never
// change.
int partition_of(UserId const& uid);

class Keys {
 public:
  // The format must name <uid>, <domain> and <score_type> once each, as words between colons. On a cluster
  // its hash tag must be {<bucket>}, so that a partition's accounts, orders and outbox share one slot. An
  // empty format is the default of the mode. Throws SetupError.
  Keys(std::string_view format, bool cluster);

  // Format and mode, for people. Whoever has another one finds nothing of what is there.
  std::string layout() const;

  // What an account is in Redis. All but the balance exist only while there is something to keep in them.
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
  // Of a transfer from another slot: {to}:<from>/<order>:score_os, which no order of the user can be called.
  std::string arrival(UserId const& to, UserId const& from, OrderId const& order) const;
  static std::string counter(TypeId type, std::int64_t shard);  // <type>:<shard>:score_sn

  // The other way round: whose key it is, nothing if it is no such key of this format. Any of the four keys
  // of an account.
  std::optional<Account> account_of(std::string_view key) const;
  struct OrderKey {
    UserId uid;
    std::optional<UserId> from;  // of an arrival
    OrderId order;
  };
  std::optional<OrderKey> order_of(std::string_view key) const;
  // Whether it may be any key of a ledger, whatever the format.
  static bool is_ledger_key(std::string_view key);

  // What the users of one shard have in common: one shard per partition on a cluster, a few otherwise.
  struct OfShard {
    std::string outbox;      // stream of what has happened: {n}:score_outbox
    std::string schedule;    // due set of accounts that change by themselves: {n}:score_schedule
    std::string relay;       // due set of transfers to another slot: {n}:score_relay
    std::string open_holds;  // how many there are: {n}:score_holds
  };
  std::size_t shard_of(UserId const& uid) const;
  std::vector<OfShard> const& shards() const { return shards_; }
  std::vector<std::string> outboxes() const;

  // Users of one group may be touched by one script: those of a partition on a cluster, all otherwise.
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
  std::vector<Piece> user_format_;  // the words that do not depend on type and domain
  std::vector<OfShard> shards_;
  bool cluster_;
};

}  // namespace larder::ledger
