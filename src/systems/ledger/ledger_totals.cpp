#include "systems/ledger/ledger_totals.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace larder::ledger {

namespace {

constexpr std::int64_t mark_id = 1;

std::string write_points(Points points) { return fmt::format("{}", points); }

Points read_points(std::string_view text) {
  bool const negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  Points points = 0;
  for (char const digit : text) {
    if (digit < '0' || digit > '9')
      throw std::runtime_error(fmt::format("'{}' is not a sum of points", text));
    points = points * 10 + (digit - '0');
  }
  return negative ? -points : points;
}

bool makes_waiting_lot(Outcome const& outcome) {
  return outcome.op == Op::add && !outcome.word("eff").empty() && outcome.number("eff") > outcome.at.value;
}

Sums read_sums(sql::Row const& row) {
  return {.outstanding = read_points(row.text(1)),
          .held = read_points(row.text(2)),
          .pending = read_points(row.text(3)),
          .waiting = read_points(row.text(4))};
}

}  // namespace

Sums& Sums::operator+=(Sums const& other) {
  outstanding += other.outstanding;
  held += other.held;
  pending += other.pending;
  waiting += other.waiting;
  return *this;
}

Sums change_of(Outcome const& outcome) {
  Sums sums{.outstanding = outcome.change()};
  if (outcome.status != Status::ok) return sums;
  Points const amount = outcome.amount.value();
  switch (outcome.op) {
    case Op::hold: sums.held = amount; break;
    case Op::capture:
    case Op::release: sums.held = -amount; break;
    case Op::transfer_out:
      if (outcome.word("state") == "pending") sums.pending = amount;
      break;
    case Op::transfer_done:
    case Op::transfer_return: sums.pending = -amount; break;
    case Op::add:
      if (makes_waiting_lot(outcome)) sums.waiting = amount;
      break;
    case Op::mature: sums.waiting = -amount; break;
    default: break;
  }
  return sums;
}

CountMark read_count_mark(sql::Session& session) {
  auto const rows = session.query("SELECT counted_ms, epoch FROM ledger_total_mark WHERE id = ?", {mark_id});
  if (rows.empty()) return {};
  return {.counted_ms = rows[0].int64(0), .epoch = rows[0].int64(1)};
}

Totals read_totals(sql::Session& session) {
  Totals totals;
  // If the mark moves meanwhile, the sums may be newer than it says, so ask again.
  for (;;) {
    auto const mark = read_count_mark(session);
    totals.by_type.clear();
    for (auto const& row :
         session.query("SELECT type_id, outstanding, held, pending, waiting FROM ledger_total"))
      totals.by_type.emplace(row.int64(0), read_sums(row));
    totals.mark = mark;
    if (read_count_mark(session) == mark) return totals;
  }
}

bool add_totals(sql::Session& session, CountMark const& mark, std::int64_t counted_ms, TypeSums const& sums) {
  sql::Values const first{mark_id, std::int64_t(0), std::int64_t(0)};
  session.bulk_insert("ledger_total_mark", {"id", "counted_ms", "epoch"}, {&first, 1},
                      sql::OnConflict::ignore);
  auto const moved = session.execute(
      "UPDATE ledger_total_mark SET counted_ms = ? WHERE id = ? AND counted_ms = ? AND epoch = ?",
      {counted_ms, mark_id, mark.counted_ms, mark.epoch});
  if (moved == 0) return false;
  for (auto const& [type, change] : sums) {
    auto const known = session.query(
        "SELECT type_id, outstanding, held, pending, waiting FROM ledger_total WHERE type_id = ?", {type});
    auto sum = change;
    if (!known.empty()) sum += read_sums(known[0]);
    session.execute("DELETE FROM ledger_total WHERE type_id = ?", {type});
    session.execute(
        "INSERT INTO ledger_total (type_id, outstanding, held, pending, waiting) VALUES (?, ?, ?, ?, ?)",
        {type, write_points(sum.outstanding), write_points(sum.held), write_points(sum.pending),
         write_points(sum.waiting)});
  }
  return true;
}

void forget_totals(sql::Session& session) {
  session.execute("UPDATE ledger_total_mark SET counted_ms = 0, epoch = epoch + 1 WHERE id = ?", {mark_id});
  session.execute("DELETE FROM ledger_total");
}

}  // namespace larder::ledger
