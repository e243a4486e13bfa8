// The state of an account, read from Redis or calculated from its flows. Pure: a second
// implementation of what the scripts do.
#pragma once

#include "systems/ledger/ledger_types.hpp"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace larder::ledger {

// Pairs of expiry time and points, sorted by expiry. The time 0 means never, and comes last.
using Parts = std::vector<std::pair<std::int64_t, std::int64_t>>;
std::int64_t points_of(Parts const& parts);
Parts parse_parts(std::string_view text);  // "<expires>:<points>,...", as the scripts write it
std::string to_text(Parts const& parts);

// Times are Unix milliseconds; 0 means none.
struct AccountState {
  struct HeldPoints {
    std::int64_t expires = 0;
    Parts parts = {};
    friend bool operator==(HeldPoints const&, HeldPoints const&) = default;
  };
  struct SentPoints {
    std::string to;
    std::int64_t sent_at = 0;
    Parts parts = {};
    std::string remark = {};
    friend bool operator==(SentPoints const&, SentPoints const&) = default;
  };

  std::int64_t balance = 0;
  std::map<std::int64_t, std::int64_t> lots = {};                              // lots that count, by expiry
  std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> waiting = {};  // by effective time and expiry
  std::map<std::string, HeldPoints> holds = {};                                // by order
  std::map<std::string, SentPoints> sent = {};  // transfers under way, by order

  std::int64_t held() const;
  std::int64_t pending() const;
  std::int64_t waiting_points() const;
  bool is_plain() const { return lots.empty() && waiting.empty() && holds.empty() && sent.empty(); }
  // When the account next changes by itself.
  std::optional<TimeMs> next_due() const;
  friend bool operator==(AccountState const&, AccountState const&) = default;

  // Applies the flow. If the flow does not fit the state, this returns what is wrong, and the state takes the
  // flow's balance. The lots that count never exceed the balance.
  std::optional<std::string> apply(Flow const& flow);

 private:
  Parts take(std::int64_t points);
  void give(Parts const& parts);
  void capture(std::string const& order, std::int64_t points);
  void drop_lots_beyond_balance();
  void change(Flow const& flow);
};

// From and to the fields and values of `...:score_more`.
AccountState parse_more(std::int64_t balance, std::span<std::pair<std::string, std::string> const> fields);
std::vector<std::pair<std::string, std::string>> to_more(AccountState const& state);

}  // namespace larder::ledger
