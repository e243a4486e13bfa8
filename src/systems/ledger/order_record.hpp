// The lines of words that the ledger's scripts write: the record of a decided order, the outbox entry that
// repeats the record, and a transfer that is under way. Only these functions parse such lines.
#pragma once

#include "systems/ledger/ledger_types.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace larder::ledger {

// Reads the value of `...:score_os`: "status op type domain amount old balance at"; the detail may follow.
// For example "ok add 1 main 5 0 5 1700000000000 exp=1700000100000". Throws std::runtime_error if the text
// has another form.
Outcome parse_record(std::string_view record);
bool is_record(std::string_view text);
std::string to_record(Outcome const& outcome);

// Reads the record of the original service, "op_status_old_change_new": op is 1 (add), 2 (deduct) or 3
// (reset), status is 1 (ok) or 2 (insufficient balance). It has no type, domain and time, so the outcome has
// none either. Nothing if the text has another form.
std::optional<Outcome> read_original_record(std::string_view record);

// A word of a detail "name=value name=value". The name is empty if the word has no "=".
struct DetailWord {
  std::string_view name;
  std::string_view value;
};
// Removes the first word of the detail and returns it.
DetailWord take_word(std::string_view& detail);

std::optional<Status> status_of(std::string_view name);  // nothing if no status has this name

// The field `entry` of an outbox event: "record uid order remark". The remark may contain spaces.
struct OutboxEntry {
  Outcome outcome;  // without its detail, which is in the field `more`
  UserId uid;
  std::string_view order_id;
  std::string_view remark;
};
// Throws std::runtime_error if the text has another form.
OutboxEntry parse_entry(std::string_view entry);
std::string_view op_name_of(std::string_view entry);  // does not check the other words

// A transfer that is under way to another slot: the field `t:<order>` of `...:score_more`.
struct Intent {
  Amount amount;
  UserId to;
  TimeMs sent_at;
  std::string parts;
  std::string remark;
};
// Reads "amount to sent_at parts remark", as send_transfer.lua writes it. Throws std::runtime_error if the
// text has another form.
Intent parse_intent(std::string_view text);

}  // namespace larder::ledger
