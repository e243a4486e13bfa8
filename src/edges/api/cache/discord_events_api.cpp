// POST of events.
#include "edges/api/cache/cache_api.hpp"
#include "edges/api/cache/dispatches.hpp"
#include "edges/http/ndjson.hpp"

#include <fmt/format.h>

namespace larder::api {

namespace {

struct AskedApply {
  bool before = false;
};

void append_failure(std::string& out, cache::ApplyReport::Failure const& failure) {
  fmt::format_to(std::back_inserter(out), R"({{"index":{},"code":"{}","detail":)", failure.index,
                 failure.code);
  append_json_string(out, failure.detail);
  if (!failure.field.empty()) {
    out += R"(,"field":)";
    append_json_string(out, failure.field);
  }
  out += '}';
}

template <class Elements, class Append>
void append_array(std::string& out, Elements const& elements, Append append) {
  out += '[';
  for (bool first = true; auto const& element : elements) {
    if (!std::exchange(first, false)) out += ',';
    append(out, element);
  }
  out += ']';
}

Response report_response(cache::ApplyReport const& report, bool with_before) {
  Response response;
  auto& out = response.body;
  fmt::format_to(std::back_inserter(out), R"({{"applied":{},"ignored":{},"unknown":{{)", report.applied,
                 report.ignored);
  for (bool first = true; auto const& [name, count] : report.unknown) {
    if (!std::exchange(first, false)) out += ',';
    append_json_string(out, name);
    fmt::format_to(std::back_inserter(out), ":{}", count);
  }
  out += R"(},"failed":)";
  append_array(out, report.failed, append_failure);
  if (with_before) {
    out += R"(,"before":)";
    append_array(out, report.before, [](std::string& text, cache::ApplyReport::Before const& before) {
      fmt::format_to(std::back_inserter(text), R"({{"index":{},"object":{}}})", before.index, before.object);
    });
    if (report.before_is_cut) out += R"(,"before_is_cut":true)";
  }
  out += '}';
  return response;
}

Answering post_events(CachePart& part, AskedApply asked, Request const& request) {
  CO_TRY(auto const dispatches,
         split_dispatches(request.body, is_ndjson(request) ? BodyForm::lines : BodyForm::json));
  CO_TRY(auto const report, co_await part.cache.apply(dispatches, {.before = asked.before}));
  co_return report_response(report, asked.before);
}

FieldType dispatch_type() {
  return type::object({required("t", type::text(), "the name of the event"),
                       required("d", type::map(type::any), "its data"),
                       optional("s", type::integer(0).or_null(), "its sequence number"),
                       optional("shard", type::integer(0).or_null(), "the shard that got it")});
}

std::vector<Field> report_fields() {
  return {required("applied", type::integer(0), "how many events were applied"),
          required("ignored", type::integer(0), "how many events change no object"),
          required("unknown", type::map(type::integer(1)),
                   "how many events had a name that Larder does not "
                   "know, by name"),
          required("failed",
                   type::array(
                       type::object({required("index", type::integer(0), "its index in the request, from 0"),
                                     required("code", type::text(), "the name of the refusal"),
                                     required("detail", type::text(), "one sentence for a person"),
                                     optional("field", type::text(), "the field that was refused")})),
                   "the events that are malformed"),
          optional(
              "before",
              type::array(type::object({required("index", type::integer(0), "the index of the event, from 0"),
                                        required("object", type::map(type::any),
                                                 "the object before the event, in the form of Discord's "
                                                 "API")})),
              "with ?before=true: what updates and deletes have found"),
          optional("before_is_cut", type::boolean,
                   "the objects of `before` had more than 8 MiB; the last ones are left out")};
}

}  // namespace

std::span<Route const> discord_event_routes() {
  static Route const routes[] = {
      {Method::post,
       "/v1/discord/events",
       Scope::discord,
       handle(Schema<AskedApply>().optional_query(
                  "before", kind::flag, &AskedApply::before,
                  "also answers the objects that updates and deletes have found"),
              &post_events),
       {.id = "post_discord_events",
        .summary = "Applies events of Discord's gateway to the cache, in their order",
        .description =
            "The body is one dispatch, or an array of up to 1000, or one dispatch per line. A malformed "
            "dispatch "
            "fails alone. Applying events again gives the same result, so a request may simply be repeated.",
        .body_type = type::one_of({dispatch_type(), type::array(dispatch_type(), 0, limits::dispatches_max)}),
        .body_bytes_max = limits::bulk_body_bytes_max,
        .ndjson = true,
        .answer = report_fields(),
        .answer_name = "AppliedEvents",
        .refusals = {errors::invalid_request, cache::errors::cache_full},
        .repeatable = true}},
  };
  return routes;
}

}  // namespace larder::api
