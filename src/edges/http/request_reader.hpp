// Reads one request: its path and query, its JSON body, and anything else that a schema needs.
#pragma once

#include "edges/http/handler.hpp"
#include "edges/http/query.hpp"

#include <optional>

namespace larder::http {

// After a problem, reads continue with default values. finish() returns the first problem: problems of the
// path and the query come first, then problems of the body, then all others.
class RequestReader {
 public:
  enum class Body { none, optional, required };  // optional: a missing body counts as {}
  // `fields` are those of the body, for the refusal of a request without a body.
  RequestReader(Part const& part, Request const& request, Body body, std::span<Field const> fields = {});

  Request const& request() const { return request_; }
  template <class T>
  T& part() const {
    return part_.as<T>();
  }
  QueryReader& query() { return query_; }
  ObjectReader& body() { return *body_; }

  // Reports a problem that is in neither the path, the query nor the body.
  void other_problem(Error error) {
    if (!other_) other_ = std::move(error);
  }

  std::optional<Error> finish();

 private:
  Part const& part_;
  Request const& request_;
  QueryReader query_;
  Result<json::value> parsed_;
  std::optional<ObjectReader> body_;  // of an empty object if the body is not JSON
  std::optional<Error> other_;
};

}  // namespace larder::http
