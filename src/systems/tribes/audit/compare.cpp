#include "systems/tribes/audit/compare.hpp"

#include "base/number.hpp"
#include "systems/tribes/town.hpp"
#include "systems/tribes/town_document.hpp"
#include "systems/tribes/towns.hpp"

#include <fmt/format.h>

namespace larder::tribes {

namespace {

// How long a town may be claimed or postponed, and how far the clocks of servers may differ.
constexpr std::int64_t due_slack_ms = 600'000;
constexpr std::size_t shown_chars_max = 100;

bool is_revision(std::string_view text) { return parse_int(text).value_or(0) > 0; }

std::string shown(json::object const& document, std::string_view member) {
  auto const* const value = document.if_contains(member);
  auto text = value ? json::serialize(*value) : std::string("nothing");
  return text.size() <= shown_chars_max ? text : "other values";
}

Lines compare_documents(WorldInfo const& found, WorldInfo const& expected) {
  auto const here = json::parse(to_document(found)).as_object();
  auto const there = json::parse(to_document(expected)).as_object();
  Lines lines;
  auto const compare = [&](std::string_view member) {
    auto const* const one = here.if_contains(member);
    auto const* const other = there.if_contains(member);
    if (one && other && *one == *other) return;
    lines.push_back(fmt::format("its document says {} {}, its events make {}", member, shown(here, member),
                                shown(there, member)));
  };
  for (auto const& [member, value] : here) compare(member);
  for (auto const& [member, value] : there) {
    if (!here.contains(member)) compare(member);
  }
  return lines;
}

Lines compare_jobs(WorldFrame const& frame, WorldInfo const& info) {
  Lines lines;
  for (auto const& job : frame.jobs) {
    bool const sensible =
        job == "reschedule" || job == "settle" || (job == "judge" && !frame.goals.empty()) ||
        (job == "archive" && info.state == WorldState::won) || (job == "remove" && info.deleted);
    if (!sensible) lines.push_back(fmt::format("the job {} does not follow from its events", job));
  }
  for (auto const& job : frame.dead_jobs)
    lines.push_back(fmt::format("the job {} is dead; `larder tribes dead` says why", job));
  return lines;
}

class TownComparison {
 public:
  TownComparison(UserId const& user, TownFrame const& frame, Replay const& replay, TownMoment const& moment)
      : user_(user), frame_(frame), replay_(replay), moment_(moment) {}

  Lines run(std::optional<GameMs>& at) {
    auto const known = replay_.towns().find(user_);
    if (known == replay_.towns().end()) {
      differ(frame_.text.empty() ? "the names have its player, but no event has founded it"
                                 : "no event has founded it");
      return std::move(lines_);
    }
    compare_place(known->second);
    if (frame_.text.empty()) {
      differ("Redis does not have it; stop the servers and run `larder tribes rebuild`");
      return std::move(lines_);
    }
    auto const town = from_document(frame_.text, user_);
    if (!town) {
      differ(fmt::format("{}: {}", town.error().field, town.error().detail));
      return std::move(lines_);
    }
    at = town->at;
    compare_state(*town);
    compare_ranking(*town);
    compare_goal(*town);
    if (!town->ruin && replay_.info().is_running()) compare_due(*town);
    if (!town->ruin && moment_.owner_gone && replay_.info().state != WorldState::won)
      differ("its player's account was deleted, but it is no ruin");
    return std::move(lines_);
  }

 private:
  void differ(std::string_view what) { lines_.push_back(fmt::format("town of {}: {}", user_.str(), what)); }

  // The map and the names. A ruin may keep its name for a moment.
  void compare_place(Town const& town) {
    auto const name = replay_.names().find(user_);
    auto const field = citizen_text(town.field, "");
    auto const expected = citizen_text(town.field, name == replay_.names().end() ? "" : name->second);
    bool const named = frame_.name == expected || (town.ruin && frame_.name.starts_with(field + " "));
    if (!named) differ(fmt::format("the names say \"{}\", its events \"{}\"", frame_.name, expected));
    if (frame_.owner != user_.str()) {
      differ(frame_.owner.empty() ? fmt::format("it is not on the map at {}", field)
                                  : fmt::format("the map has {} on its field {}", frame_.owner, field));
    }
  }

  void compare_state(Town const& town) {
    if (!is_revision(frame_.revision)) differ(fmt::format("its revision is \"{}\"", frame_.revision));
    for (auto const& type : {frame_.coins_type, frame_.pizzas_type}) {
      if (type != "hash" && type != "none") differ(fmt::format("its history is a {}", type));
    }
    auto const expected = replay_.town_at(user_, town.at);
    if (!expected) {
      differ(fmt::format("it is at {}, where its events cannot take it", town.at.value));
    } else if (*expected != town) {
      differ(
          fmt::format("Redis has {}, its events make {}", to_document(town, 0), to_document(*expected, 0)));
    }
  }

  void compare_ranking(Town const& town) {
    if (town.ruin) {
      if (!frame_.coins.empty()) differ("it is a ruin, but on the leaderboard");
    } else if (frame_.coins.empty()) {
      differ("it is not on the leaderboard");
    } else if (frame_.coins != fmt::to_string(town.coins())) {
      differ(fmt::format("it owns {} coins, but the leaderboard says {}", town.coins(), frame_.coins));
    }
  }

  void compare_goal(Town const& town) {
    auto const expected = replay_.goal_at(user_, town.at);
    auto const text = expected ? fmt::to_string(expected->value) : std::string();
    if (frame_.goal == text || (town.ruin && frame_.goal.empty())) return;
    differ(fmt::format("it has reached the goal at \"{}\", by its events at \"{}\"", frame_.goal, text));
  }

  void compare_due(Town const& town) {
    if (moment_.all_due) return;
    if (frame_.due.empty()) return differ("it is never updated");
    auto const write = Towns::to_write({.town = town}, replay_.info());
    auto const latest = std::max(write.due.value_or(moment_.now), moment_.now) + due_slack_ms;
    auto const due = parse_int(frame_.due);
    if (!due || *due > latest.value)
      differ(fmt::format("it is updated at {}, which is later than {}", frame_.due, latest.value));
  }

  UserId const& user_;
  TownFrame const& frame_;
  Replay const& replay_;
  TownMoment const& moment_;
  Lines lines_;
};

}  // namespace

std::string citizen_text(Field field, std::string_view name) {
  return name.empty() ? fmt::format("{},{}", field.x, field.y)
                      : fmt::format("{},{} {}", field.x, field.y, name);
}

Lines compare_frame(WorldFrame const& frame, Replay const& replay) {
  Lines lines;
  if (!replay.created()) return {"no event has created it"};
  auto const found = world_from_document(frame.text, 0);
  if (!found) {
    lines.push_back(
        fmt::format("its document is corrupt: {}: {}", found.error().field, found.error().detail));
  } else {
    lines = compare_documents(*found, replay.info());
  }
  if (!is_revision(frame.revision))
    lines.push_back(fmt::format("the revision of its document is \"{}\"", frame.revision));
  std::ranges::move(compare_jobs(frame, replay.info()), std::back_inserter(lines));
  for (auto const& user : frame.dead_towns)
    lines.push_back(fmt::format("town of {}: it is dead; `larder tribes dead` says why", user));
  for (auto const& user : frame.goals) {
    auto const id = UserId::from(user);
    if (!id || !replay.towns().contains(*id))
      lines.push_back(fmt::format("{} has reached the goal, but has no town", user));
  }
  return lines;
}

Lines compare_town(UserId const& user, TownFrame const& frame, Replay const& replay, TownMoment const& moment,
                   std::optional<GameMs>& at) {
  return TownComparison(user, frame, replay, moment).run(at);
}

}  // namespace larder::tribes
