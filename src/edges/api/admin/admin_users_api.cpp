#include "base/log.hpp"
#include "edges/api/admin/admin_api.hpp"
#include "edges/api/admin/export_document.hpp"
#include "kit/events/privacy/forget_jobs.hpp"

namespace larder::api {

namespace {

using privacy::ForgetJob;

constexpr ErrorCode export_too_large{ErrorKind::conflict, "export_too_large"};
constexpr ErrorCode forget_not_found{ErrorKind::not_found, "forget_not_found"};
constexpr std::string_view user_says = "the id of the user, in any system";

struct TooLarge : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct OneUser {
  UserId id;
};

Schema<OneUser> user_path() { return Schema<OneUser>().path("id", kind::user_id, &OneUser::id, user_says); }

json::array texts(std::vector<std::string> const& all) {
  json::array array;
  for (auto const& text : all) array.emplace_back(text);
  return array;
}

json::object to_json(ForgetJob const& job) {
  return {{"pseudonym", job.pseudonym.str()},
          {"state", privacy::name_of(job.state)},
          {"done", texts(job.done)},
          {"not_covered", texts(job.uncovered)},
          {"requested_at", to_rfc3339(job.requested_at)},
          {"finished_at", job.finished_at ? json::value(to_rfc3339(*job.finished_at)) : json::value()}};
}

std::vector<Field> forget_fields() {
  return {required("pseudonym", type::text(), "what journals and events have in the place of the id"),
          required("state", type::choice({"running", "cleaning", "finished"}),
                   "running: the systems forget; cleaning: old bytes are removed from files; finished"),
          required("done", type::array(type::text()), "the systems that have forgotten the user"),
          required("not_covered", type::array(type::text()), "what stays although these systems are done"),
          required("requested_at", type::time, "when it was asked for"),
          required("finished_at", type::time.or_null(), "when everything was done")};
}

Task<void> export_all(AdminDesk& desk, UserId user, ExportDocument& document) {
  for (auto* const system : desk.systems) {
    document.begin_system(system->name());
    co_await system->export_user(
        desk.stores, user,
        [&document](std::string_view section, json::object const& object) { document.add(section, object); });
  }
  document.end({});
}

Answering get_export(AdminDesk& desk, OneUser one) {
  Response response;
  ExportDocument document(one.id, desk.clock.now(), [&response](std::string_view piece) {
    if (response.body.size() + piece.size() > limits::export_bytes_max) throw TooLarge("export too large");
    response.body += piece;
  });
  bool too_large = false;
  try {
    co_await export_all(desk, one.id, document);
  } catch (TooLarge const&) {
    too_large = true;
  }
  if (too_large) {
    co_return refuse(export_too_large,
                     "there is more than an answer can hold; `larder user export` has no limit");
  }
  co_return response;
}

Answering post_forget(AdminDesk& desk, OneUser one, Request const& request) {
  auto const job = co_await desk.sql.write([user = one.id, now = desk.clock.now()](sql::Session& session) {
    return privacy::request_forget(session, user, now);
  });
  log::info(
      "a user shall be forgotten",
      {{"pseudonym", job.pseudonym.str()}, {"by", request.caller->id}, {"request_id", request.request_id}});
  co_return json_response(to_json(job), 202);
}

Answering get_forget(AdminDesk& desk, OneUser one) {
  auto const job = co_await desk.sql.read(
      [user = one.id](sql::Session& session) { return privacy::find_forget_job(session, user); });
  if (!job) co_return refuse(forget_not_found, "nobody has asked to forget this user");
  co_return json_response(to_json(*job));
}

}  // namespace

std::span<Route const> admin_user_routes() {
  static Route const routes[] = {
      {Method::get,
       "/v1/admin/users/{id}/export",
       Scope::admin,
       handle(user_path(), &get_export),
       {.id = "export_user",
        .summary = "Everything that all systems have about a user",
        .description =
            "Reads the whole Discord cache and all messages, so it may take a while. An answer has at "
            "most 32 MiB.",
        .answer = {required("user_id", type::user_id, user_says),
                   required("exported_at", type::time, "when it was exported"),
                   required("systems", type::map(type::map(type::array(type::any))),
                            "for each system its sections, and for each section its objects"),
                   required("not_exported", type::array(type::text()), "what is missing; always empty here")},
        .answer_name = "UserExport",
        .refusals = {export_too_large}}},
      {Method::post,
       "/v1/admin/users/{id}/forget",
       Scope::admin,
       handle(user_path(), &post_forget),
       {.id = "forget_user",
        .summary = "Forgets a user in all systems, in the background",
        .description =
            "Journals and events keep a pseudonym, so that sums stay as they are. What the user does "
            "from now on belongs to somebody new. The job survives every crash; asking again while it "
            "runs answers the same job.",
        .status = 202,
        .answer = forget_fields(),
        .answer_name = "ForgetJob",
        .repeatable = true}},
      {Method::get,
       "/v1/admin/users/{id}/forget",
       Scope::admin,
       handle(user_path(), &get_forget),
       {.id = "get_forget",
        .summary = "How far the newest job is that forgets this user",
        .answer = forget_fields(),
        .answer_name = "ForgetJob",
        .refusals = {forget_not_found}}},
  };
  return routes;
}

}  // namespace larder::api
