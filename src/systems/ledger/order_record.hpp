// The lines of words that the ledger's scripts write: the record of a decided order, the outbox entry that
// repeats it, and a transfer under way. Only these functions take such a line apart.
#pragma once

#include "systems/ledger/ledger_types.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace larder::ledger {

// The value of `...:score_os`: "status op type domain amount old balance at", and maybe the detail. For
// example "ok add 1 main 5 0 5 1700000000000 exp=1700000100000". Throws std::runtime_error if it is not one.
Outcome parse_record(std::string_view record);
std::string to_record(Outcome const& outcome);

// The first word of a detail "name=value name=value"; the detail then begins with the next word. The name is
// empty if the word has none.
struct DetailWord {
  std::string_view name;
  std::string_view value;
};
DetailWord take_word(std::string_view& detail);

std::optional<Status> status_of(std::string_view name);

// "record uid order remark", the field `entry` of an outbox event. The remark may contain spaces. Throws
// std::runtime_error if it is not one.
struct OutboxEntry {
  Outcome outcome;  // without its detail, which is the field `more`
  UserId uid;
  std::string_view order_id;
  std::string_view remark;
};
OutboxEntry parse_entry(std::string_view entry);
std::string_view op_name_of(std::string_view entry);  // without a look at the other words

// A transfer that is under way to another slot: "amount to sent_at parts remark", the field `t:<order>` of
// `...:score_more`. Throws std::runtime_error if it is not one.
struct Intent {
  Amount amount;
  UserId to;
  TimeMs sent_at;
  std::string parts;
  std::string remark;
};
Intent parse_intent(std::string_view text);

}  // namespace larder::ledger
