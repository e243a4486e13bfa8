#include "edges/http/request_reader.hpp"

#include <fmt/format.h>

namespace larder::http {

namespace {

json::value const& empty_object() {
  static json::value const empty = json::object();
  return empty;
}

Error missing_body(std::span<Field const> fields) {
  std::string names;
  for (auto const& field : fields) {
    if (field.required) names += fmt::format("{}{}", names.empty() ? " with " : ", ", field.name);
  }
  return {.code = errors::invalid_request, .detail = fmt::format("a JSON body{} is required", names)};
}

Result<json::value> parse_body(Request const& request, RequestReader::Body body,
                               std::span<Field const> fields) {
  if (body == RequestReader::Body::none) return json::value();
  if (body == RequestReader::Body::optional && request.body.empty()) return empty_object();
  if (request.body.empty()) return std::unexpected(missing_body(fields));
  return parse_json(request.body);
}

// A user in the path or in the query was noted before, and wins.
void note_user_of_body(Request const& request, json::value const& body) {
  static constexpr std::string_view members[] = {"uid", "from", "user_id", "player", "target_id"};
  auto const* const object = body.if_object();
  if (!object || !request.user.empty()) return;
  for (auto const member : members) {
    auto const* const value = object->if_contains(member);
    if (!value || !value->is_string() || !UserId::from(std::string_view(value->get_string()))) continue;
    request.user = std::string_view(value->get_string());
    return;
  }
}

}  // namespace

RequestReader::RequestReader(Part const& part, Request const& request, Body body,
                             std::span<Field const> fields)
    : part_(part), request_(request), query_(request), parsed_(parse_body(request, body, fields)) {
  if (body != Body::none) body_.emplace(parsed_ ? *parsed_ : empty_object());
}

std::optional<Error> RequestReader::finish() {
  if (parsed_) note_user_of_body(request_, *parsed_);
  if (auto problem = query_.finish()) return problem;
  if (!parsed_) return std::move(parsed_.error());
  if (body_) {
    if (auto problem = body_->finish()) return problem;
  }
  return std::move(other_);
}

}  // namespace larder::http
