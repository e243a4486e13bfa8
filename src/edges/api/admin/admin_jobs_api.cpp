// Due sets, and their dead members.
#include "base/log.hpp"
#include "base/number.hpp"
#include "base/when_all.hpp"
#include "edges/api/admin/admin_api.hpp"
#include "edges/http/uri.hpp"
#include "kit/schedule/due_set_views.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace larder::api {

namespace {

namespace job_errors {
constexpr ErrorCode due_set_not_found{ErrorKind::not_found, "due_set_not_found"};
constexpr ErrorCode dead_member_not_found{ErrorKind::not_found, "dead_member_not_found"};
constexpr ErrorCode member_must_stay{ErrorKind::conflict, "member_must_stay"};
}  // namespace job_errors

constexpr std::size_t set_chars_max = 128;
constexpr std::string_view set_says = "the name of the set, as GET /v1/admin/jobs shows it";
constexpr std::string_view member_says = "the dead member, percent-encoded";

// A due set with the name that operators use.
struct NamedSet {
  DueSets const* sets = nullptr;
  std::string place = {};
  std::string key = {};

  std::string name() const {
    return place.empty() ? std::string(sets->schedule) : fmt::format("{}:{}", sets->schedule, place);
  }
};

std::pair<std::string, std::string> split_name(std::string_view name) {
  auto const colon = std::min(name.find(':'), name.size());
  return {std::string(name.substr(0, colon)), std::string(name.substr(std::min(colon + 1, name.size())))};
}

Result<NamedSet> find_set(AdminDesk& desk, std::string_view name) {
  auto const [schedule, place] = split_name(name);
  for (auto const& sets : desk.operators.views->due_sets) {
    if (sets.schedule != schedule || place.empty() == bool(sets.places)) continue;
    auto key = sets.key(place);
    if (!key) continue;
    NamedSet found{.sets = &sets, .place = place, .key = std::move(*key)};
    if (found.name() == name) return found;
  }
  return refuse(job_errors::due_set_not_found,
                "there is no due set with this name; GET /v1/admin/jobs lists them");
}

// Up to `limit` sets after the one with this name, by schedule and place.
std::vector<NamedSet> sets_after(AdminDesk& desk, std::string_view name, std::int64_t limit) {
  auto const [after_schedule, after_place] = split_name(name);
  std::vector<DueSets const*> schedules;
  for (auto const& sets : desk.operators.views->due_sets) schedules.push_back(&sets);
  std::ranges::sort(schedules, {}, [](auto const* sets) { return sets->schedule; });
  std::vector<NamedSet> found;
  for (auto const* const sets : schedules) {
    bool const begun = sets->schedule == after_schedule;
    auto const room = std::size_t(limit) - found.size();
    if (sets->schedule < after_schedule || room == 0) continue;
    if (!sets->places && begun) continue;
    auto const places =
        sets->places ? sets->places(begun ? after_place : "", room) : std::vector{std::string()};
    for (auto const& place : places) {
      if (auto key = sets->key(place))
        found.push_back({.sets = sets, .place = place, .key = std::move(*key)});
    }
  }
  return found;
}

struct JobList {
  std::int64_t limit = limits::page_default;
  std::string after;
};

bool read_job_cursor(std::string const& cursor, JobList& list) {
  list.after = cursor;
  return !cursor.empty();
}

struct DeadList {
  std::string set;
  std::int64_t limit = limits::page_default;
  std::optional<schedule::DeadPlace> after;
};

std::string to_cursor(schedule::DeadPlace const& place) {
  return fmt::format(
      "{}-{:02x}", place.buried_at.value,
      fmt::join(std::span(reinterpret_cast<unsigned char const*>(place.begin.data()),  // NOLINT
                          place.begin.size()),
                ""));
}

// "<ms>-<bytes in hex>"
bool read_dead_cursor(std::string const& cursor, DeadList& list) {
  auto const dash = cursor.find('-');
  if (dash == std::string::npos) return false;
  auto const ms = parse_int(std::string_view(cursor).substr(0, dash));
  auto const bytes = std::string_view(cursor).substr(dash + 1);
  if (!ms || bytes.size() % 2 != 0) return false;
  schedule::DeadPlace place{.buried_at = {*ms}, .begin = {}};
  for (std::size_t i = 0; i < bytes.size(); i += 2) {
    unsigned byte = 0;
    auto const* const end = bytes.data() + i + 2;
    if (std::from_chars(bytes.data() + i, end, byte, 16).ptr != end) return false;
    place.begin.push_back(char(byte));
  }
  list.after = std::move(place);
  return true;
}

struct OneDead {
  std::string set;
  std::string member;
};

Schema<OneDead> dead_path() {
  return Schema<OneDead>()
      .path("set", kind::text(1, set_chars_max), &OneDead::set, set_says)
      .path("member", kind::text(1, limits::due_member_chars_max), &OneDead::member, member_says);
}

// Other programs may have written any bytes. Text that is no UTF-8 is shown encoded, and no path can name it.
json::value shown(std::string_view text) {
  return is_utf8(text) ? json::value(text) : json::value(percent_encode(text));
}

struct JobLine {
  NamedSet set;
  schedule::DueSetView view;
};

Task<JobLine> read_job(NamedSet set, TimeMs now) {
  auto const view = co_await schedule::view_due_set(set.sets->redis, set.key, now);
  co_return JobLine{.set = std::move(set), .view = view};
}

json::object to_json(JobLine const& line) {
  auto const& [set, view] = line;
  return {{"set", set.name()},
          {"schedule", set.sets->schedule},
          {"place", set.place.empty() ? json::value() : json::value(set.place)},
          {"what", set.sets->members},
          {"members", view.members},
          {"due", view.due},
          {"overdue_s", view.overdue_ms / 1000},
          {"dead", view.dead}};
}

Answering get_jobs(AdminDesk& desk, JobList list) {
  auto const now = desk.clock.unchecked();
  std::vector<Task<JobLine>> asked;
  for (auto& set : sets_after(desk, list.after, list.limit)) asked.push_back(read_job(std::move(set), now));
  auto const lines = co_await when_all(std::move(asked));
  co_return page_response(
      lines, list.limit, [](JobLine const& line) { return to_json(line); },
      [](JobLine const& line) { return line.set.name(); });
}

Answering get_dead(AdminDesk& desk, DeadList list) {
  CO_TRY(auto const set, find_set(desk, list.set));
  auto const page =
      co_await schedule::list_dead(set.sets->redis, set.key, std::move(list.after), list.limit - 1);
  json::array items;
  for (auto const& dead : page.members) {
    items.push_back(
        {{"member", shown(dead.member)}, {"died_at", to_rfc3339(dead.buried_at)}, {"why", shown(dead.why)}});
  }
  auto const next =
      page.more ? json::value(to_cursor(schedule::place_of(page.members.back()))) : json::value();
  co_return json_response({{"items", std::move(items)}, {"next_cursor", next}});
}

std::unexpected<Error> refuse_missing_member() {
  return refuse(job_errors::dead_member_not_found, "this member is not in the dead set");
}

void tell_log(std::string_view what, OneDead const& one, Request const& request) {
  log::info(what, {{"set", one.set},
                   {"member", one.member},
                   {"by", request.caller->id},
                   {"request_id", request.request_id}});
}

Answering post_requeue(AdminDesk& desk, OneDead one, Request const& request) {
  CO_TRY(auto const set, find_set(desk, one.set));
  auto const now = desk.clock.now();
  if (!co_await schedule::requeue(set.sets->redis, set.key, one.member, now))
    co_return refuse_missing_member();
  tell_log("dead member requeued", one, request);
  co_return no_content();
}

Answering delete_dead(AdminDesk& desk, OneDead one, Request const& request) {
  CO_TRY(auto const set, find_set(desk, one.set));
  if (!set.sets->must_stay.empty())
    co_return refuse(job_errors::member_must_stay, std::string(set.sets->must_stay));
  if (!co_await schedule::drop_dead(set.sets->redis, set.key, one.member)) co_return refuse_missing_member();
  tell_log("dead member dropped", one, request);
  co_return no_content();
}

std::vector<Field> job_fields() {
  return {
      required("set", type::text(), "its name in paths: the schedule and the place"),
      required("schedule", type::text(), "what is done, such as tribes_updates"),
      required("place", type::text().or_null(),
               "the world, the realm or the number of the shard; null: the schedule has one set"),
      required("what", type::text(), "what a member is"),
      required("members", type::amount, "those that wait for their time, are due, or are being worked on"),
      required("due", type::amount, "members that are due and that nobody has claimed"),
      required("overdue_s", type::amount, "for how long the oldest of them has been due"),
      required("dead", type::amount, "members that failed too often")};
}

}  // namespace

std::span<Route const> admin_job_routes() {
  static Route const routes[] = {
      {Method::get,
       "/v1/admin/jobs",
       Scope::admin,
       handle(Schema<JobList>().page(&JobList::limit, read_job_cursor), &get_jobs),
       {.id = "list_jobs",
        .summary = "Lists the due sets of all systems, by schedule and place",
        .answer = job_fields(),
        .answer_name = "DueSet"}},
      {Method::get,
       "/v1/admin/jobs/{set}/dead",
       Scope::admin,
       handle(Schema<DeadList>()
                  .path("set", kind::text(1, set_chars_max), &DeadList::set, set_says)
                  .page(&DeadList::limit, read_dead_cursor),
              &get_dead),
       {.id = "list_dead_members",
        .summary = "Lists the dead members of a due set with the reasons, longest dead first",
        .answer = {required("member", type::text(), "the member"),
                   required("died_at", type::time, "when it had failed too often"),
                   required("why", type::text(), "the last failure")},
        .answer_name = "DeadMember",
        .refusals = {job_errors::due_set_not_found}}},
      {Method::post,
       "/v1/admin/jobs/{set}/dead/{member}/requeue",
       Scope::admin,
       handle(dead_path(), &post_requeue),
       {.id = "requeue_dead_member",
        .summary = "Lets a dead member be tried again, with all its attempts",
        .status = 204,
        .refusals = {job_errors::due_set_not_found, job_errors::dead_member_not_found}}},
      {Method::delete_,
       "/v1/admin/jobs/{set}/dead/{member}",
       Scope::admin,
       handle(dead_path(), &delete_dead),
       {.id = "drop_dead_member",
        .summary = "Forgets a dead member for good: nobody does its work",
        .status = 204,
        .refusals = {job_errors::due_set_not_found, job_errors::dead_member_not_found,
                     job_errors::member_must_stay}}},
  };
  return routes;
}

}  // namespace larder::api
