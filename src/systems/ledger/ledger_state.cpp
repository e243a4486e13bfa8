#include "systems/ledger/ledger_state.hpp"

#include "base/number.hpp"
#include "systems/ledger/order_record.hpp"

#include <fmt/format.h>

#include <numeric>

namespace larder::ledger {

namespace {

std::int64_t number(std::string_view text) {
  auto const parsed = parse_int(text);
  if (!parsed) throw std::runtime_error(fmt::format("'{}' is not a number", text));
  return *parsed;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> pieces;
  for (std::size_t start = 0; start <= text.size();) {
    auto const end = std::min(text.find(separator, start), text.size());
    pieces.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return pieces;
}

// Removes the entry with this name from the map and returns it. Throws if there is none.
template <class Value>
Value extract(std::map<std::string, Value>& map, std::string const& name, std::string_view what) {
  auto node = map.extract(name);
  if (node.empty()) throw std::runtime_error(fmt::format("there is no {} {}", what, name));
  return std::move(node.mapped());
}

}  // namespace

std::int64_t points_of(Parts const& parts) {
  return std::accumulate(parts.begin(), parts.end(), std::int64_t(0),
                         [](std::int64_t sum, auto const& part) { return sum + part.second; });
}

Parts parse_parts(std::string_view text) {
  Parts parts;
  for (auto const piece : split(text, ',')) {
    auto const colon = std::min(piece.find(':'), piece.size());
    parts.emplace_back(number(piece.substr(0, colon)),
                       number(piece.substr(std::min(colon + 1, piece.size()))));
  }
  return parts;
}

std::string to_text(Parts const& parts) {
  std::string text;
  for (auto const& [expires, points] : parts) {
    text += fmt::format("{}{}:{}", text.empty() ? "" : ",", expires, points);
  }
  return text;
}

std::int64_t AccountState::held() const {
  std::int64_t sum = 0;
  for (auto const& [order, hold] : holds) sum += points_of(hold.parts);
  return sum;
}

std::int64_t AccountState::pending() const {
  std::int64_t sum = 0;
  for (auto const& [order, transfer] : sent) sum += points_of(transfer.parts);
  return sum;
}

std::int64_t AccountState::waiting_points() const {
  std::int64_t sum = 0;
  for (auto const& [times, points] : waiting) sum += points;
  return sum;
}

std::optional<TimeMs> AccountState::next_due() const {
  std::optional<TimeMs> next;
  auto const consider = [&](std::int64_t ms) {
    if (ms != 0 && (!next || ms < next->value)) next = TimeMs{ms};
  };
  if (!lots.empty()) consider(lots.begin()->first);
  if (!waiting.empty()) consider(waiting.begin()->first.first);
  for (auto const& [order, hold] : holds) consider(hold.expires);
  return next;
}

Parts AccountState::take(std::int64_t points) {
  if (points > balance)
    throw std::runtime_error(fmt::format("{} points of {} cannot be taken", points, balance));
  balance -= points;
  Parts parts;
  while (points > 0 && !lots.empty()) {
    auto const lot = lots.begin();
    auto const part = std::min(points, lot->second);
    parts.emplace_back(lot->first, part);
    points -= part;
    lot->second -= part;
    if (lot->second == 0) lots.erase(lot);
  }
  if (points > 0) parts.emplace_back(0, points);
  return parts;
}

void AccountState::give(Parts const& parts) {
  for (auto const& [expires, points] : parts) {
    balance += points;
    if (expires != 0) lots[expires] += points;
  }
}

// Drops the lots that expire first, as if they had been spent.
void AccountState::drop_lots_beyond_balance() {
  auto beyond = -balance;
  for (auto const& [expires, points] : lots) beyond += points;
  while (beyond > 0) {
    auto const lot = lots.begin();
    auto const part = std::min(beyond, lot->second);
    beyond -= part;
    lot->second -= part;
    if (lot->second == 0) lots.erase(lot);
  }
}

void AccountState::capture(std::string const& order, std::int64_t points) {
  auto hold = extract(holds, order, "hold");
  for (auto& [expires, part] : hold.parts) {
    auto const captured = std::min(points, part);
    part -= captured;
    points -= captured;
  }
  std::erase_if(hold.parts, [](auto const& part) { return part.second == 0; });
  // The rest comes back with a separate flow, a release.
  if (!hold.parts.empty()) holds[order] = std::move(hold);
}

void AccountState::change(Flow const& flow) {
  auto const& outcome = flow.outcome;
  auto const amount = outcome.amount.value();
  auto const time = [&](std::string_view name) {
    return outcome.word(name).empty() ? 0 : outcome.number(name);
  };
  auto const& order = flow.order_id.str();
  // An account with very many lots merges new lots by day. Then the flow says which lots the points joined.
  auto const lot = [&](std::int64_t expires) { return time("lot") == 0 ? expires : time("lot"); };
  auto const returned = [&](Parts parts) {
    return outcome.word("parts").empty() ? std::move(parts) : parse_parts(outcome.word("parts"));
  };
  switch (outcome.op) {
    case Op::add:
      if (time("eff") > outcome.at.value) {
        waiting[{time("eff"), time("exp")}] += amount;
      } else {
        give({{lot(time("exp")), amount}});
      }
      break;
    case Op::opening: give({{0, amount}}); break;
    case Op::forgotten: break;
    case Op::deduct:
    case Op::exchange_out: take(amount); break;
    case Op::reset:
      lots.clear();
      balance = amount;
      break;
    case Op::transfer_out: {
      auto parts = take(amount);
      if (outcome.word("state") == "pending") {
        sent[order] = {.to = std::string(outcome.word("to")),
                       .sent_at = outcome.at.value,
                       .parts = std::move(parts),
                       .remark = flow.remark};
      }
      break;
    }
    case Op::transfer_in:
    case Op::exchange_in: give(parse_parts(outcome.word("parts"))); break;
    case Op::transfer_done: extract(sent, order, "transfer"); break;
    case Op::transfer_return:
      give(returned(extract(sent, std::string(outcome.word("return_of")), "transfer").parts));
      break;
    case Op::hold: holds[order] = {.expires = time("exp"), .parts = take(amount)}; break;
    case Op::capture: capture(order, amount); break;
    case Op::release: give(returned(extract(holds, order, "hold").parts)); break;
    case Op::mature: {
      auto const words = split(order, ':');  // mature:<effective>:<expires>
      auto const expires = number(words.at(2));
      if (waiting.erase({number(words.at(1)), expires}) == 0) throw std::runtime_error("no such lot waits");
      give({{lot(expires), amount}});
      break;
    }
    case Op::expire: {
      auto const words = split(order, ':');  // expire:<expires>
      auto const expired = lots.extract(number(words.at(1)));
      if (expired.empty()) throw std::runtime_error("there is no such lot");
      balance -= amount;
      if (amount > expired.mapped()) drop_lots_beyond_balance();
      break;
    }
  }
}

std::optional<std::string> AccountState::apply(Flow const& flow) {
  auto const& outcome = flow.outcome;
  std::optional<std::string> wrong;
  if (outcome.old_balance.value() != balance) {
    wrong = fmt::format("it begins with {}, the flows before it end with {}", outcome.old_balance.value(),
                        balance);
    balance = outcome.old_balance.value();
    drop_lots_beyond_balance();
  }
  if (outcome.status == Status::ok) {
    try {
      change(flow);
    } catch (std::exception const& error) {
      wrong = error.what();
    }
  }
  if (balance != outcome.balance.value()) {
    if (!wrong) {
      wrong = fmt::format("it ends with {}, by its words it should be {}", outcome.balance.value(), balance);
    }
    balance = outcome.balance.value();
  }
  // A flow that fits leaves enough balance for the lots. To add up all lots after each flow would take
  // quadratic time.
  if (wrong) drop_lots_beyond_balance();
  return wrong;
}

AccountState parse_more(std::int64_t balance, std::span<std::pair<std::string, std::string> const> fields) {
  AccountState state{.balance = balance};
  for (auto const& [name, value] : fields) {
    auto const kind = std::string_view(name).substr(0, 2);
    auto const rest = name.substr(std::min<std::size_t>(2, name.size()));
    if (kind == "l:") {
      state.lots[number(rest)] = number(value);
    } else if (kind == "w:") {
      auto const times = split(rest, ':');
      state.waiting[{number(times.at(0)), number(times.at(1))}] = number(value);
    } else if (kind == "h:") {
      auto const words = split(value, ' ');  // amount expires parts
      state.holds[rest] = {.expires = number(words.at(1)), .parts = parse_parts(words.at(2))};
    } else if (kind == "t:") {
      auto intent = parse_intent(value);
      state.sent[rest] = {.to = intent.to.str(),
                          .sent_at = intent.sent_at.value,
                          .parts = parse_parts(intent.parts),
                          .remark = std::move(intent.remark)};
    }
  }
  return state;
}

std::vector<std::pair<std::string, std::string>> to_more(AccountState const& state) {
  std::vector<std::pair<std::string, std::string>> fields;
  for (auto const& [expires, points] : state.lots) {
    fields.emplace_back(fmt::format("l:{}", expires), fmt::to_string(points));
  }
  for (auto const& [times, points] : state.waiting) {
    fields.emplace_back(fmt::format("w:{}:{}", times.first, times.second), fmt::to_string(points));
  }
  for (auto const& [order, hold] : state.holds) {
    fields.emplace_back("h:" + order,
                        fmt::format("{} {} {}", points_of(hold.parts), hold.expires, to_text(hold.parts)));
  }
  for (auto const& [order, sent] : state.sent) {
    fields.emplace_back("t:" + order, fmt::format("{} {} {} {} {}", points_of(sent.parts), sent.to,
                                                  sent.sent_at, to_text(sent.parts), sent.remark));
  }
  for (auto const& [name, points] :
       {std::pair{"held", state.held()}, {"pending", state.pending()}, {"waiting", state.waiting_points()}}) {
    if (points > 0) fields.emplace_back(name, fmt::to_string(points));
  }
  return fields;
}

}  // namespace larder::ledger
