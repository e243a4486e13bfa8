// The Redis keys of the ledger, from one format with the placeholders <uid>, <domain>, <score_type> and
// <bucket>.
#pragma once

#include "systems/ledger/ledger_types.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace larder::ledger {

inline constexpr int bucket_count = 1024;

// A user's bucket, 0 .. bucket_count - 1. It decides the outbox and the flow table, so it must never change.
int bucket_of(UserId const& uid);

class Keys {
 public:
  // The format must name <uid>, <domain> and <score_type> once each, as words between colons. On a cluster
  // its hash tag must be {<bucket>}, so that a bucket's accounts, orders and outbox share one slot. An empty
  // format is the default of the mode. Throws SetupError.
  Keys(std::string_view format, bool cluster);

  std::string balance(Account const& account) const;                 // ...:score
  std::string order(UserId const& uid, OrderId const& order) const;  // {uid}:<order>:score_os
  static std::string counter(TypeId type, std::int64_t shard);       // <type>:<shard>:score_sn

  // Outbox streams: one per bucket on a cluster, a few otherwise.
  std::size_t outbox_of(UserId const& uid) const;
  std::vector<std::string> const& outboxes() const { return outboxes_; }

 private:
  enum class Part { literal, uid, domain, score_type, bucket };
  struct Piece {
    Part part;
    std::string text;  // of a literal
  };
  static std::vector<Piece> parse(std::string_view format);
  static void append(std::string& out, std::vector<Piece> const& pieces, UserId const& uid,
                     Account const* account);

  std::vector<Piece> account_format_;
  std::vector<Piece> user_format_;  // the words that do not depend on type and domain
  std::vector<std::string> outboxes_;
};

}  // namespace larder::ledger
