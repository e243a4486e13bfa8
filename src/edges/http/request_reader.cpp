#include "edges/http/request_reader.hpp"

namespace larder::http {

namespace {

json::value const& empty_object() {
  static json::value const empty = json::object();
  return empty;
}

Result<json::value> parse_body(Request const& request, RequestReader::Body body) {
  if (body == RequestReader::Body::none) return json::value();
  if (body == RequestReader::Body::optional && request.body.empty()) return empty_object();
  return parse_json(request.body);
}

}  // namespace

RequestReader::RequestReader(Part const& part, Request const& request, Body body)
    : part_(part), request_(request), query_(request), parsed_(parse_body(request, body)) {
  if (body != Body::none) body_.emplace(parsed_ ? *parsed_ : empty_object());
}

std::optional<Error> RequestReader::finish() {
  if (auto problem = query_.finish()) return problem;
  if (!parsed_) return std::move(parsed_.error());
  if (body_) {
    if (auto problem = body_->finish()) return problem;
  }
  return std::move(other_);
}

}  // namespace larder::http
