// What an account is, whether Redis says so or its flows do. Pure: the journal's own idea of what the scripts
// do.
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

// Points by the time at which they expire, those first that expire first; 0 is never and comes last.
using Parts = std::vector<std::pair<std::int64_t, std::int64_t>>;
std::int64_t points_of(Parts const& parts);
Parts parse_parts(std::string_view text);  // "<expires>:<points>,...", as the scripts write it
std::string to_text(Parts const& parts);

// Times are in ms, 0: none.
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
  std::map<std::int64_t, std::int64_t> lots = {};                              // that count, by expiry
  std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> waiting = {};  // by effective time and expiry
  std::map<std::string, HeldPoints> holds = {};                                // by order
  std::map<std::string, SentPoints> sent = {};                                 // under way, by order

  std::int64_t held() const;
  std::int64_t pending() const;
  std::int64_t waiting_points() const;
  bool is_plain() const { return lots.empty() && waiting.empty() && holds.empty() && sent.empty(); }
  // When it changes next by itself.
  std::optional<TimeMs> next_due() const;
  friend bool operator==(AccountState const&, AccountState const&) = default;

  // Does what the flow says. What is wrong with it, if it does not fit to what was before; the balance is the
  // flow's then, and the lots that count are never more than that.
  std::optional<std::string> apply(Flow const& flow);

 private:
  Parts take(std::int64_t points);
  void give(Parts const& parts);
  void drop_lots_beyond_balance();
  void change(Flow const& flow);
};

// Fields and values of `...:score_more`.
AccountState parse_more(std::int64_t balance, std::span<std::pair<std::string, std::string> const> fields);
std::vector<std::pair<std::string, std::string>> to_more(AccountState const& state);

}  // namespace larder::ledger
