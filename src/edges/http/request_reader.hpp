// Reads one request: its path and query, its JSON body, and what else a schema looks at.
#pragma once

#include "edges/http/handler.hpp"
#include "edges/http/query.hpp"

#include <optional>

namespace larder::http {

// Every read goes on after a problem, with defaults; finish() tells the first problem. Those of the path and
// the query come first, then those of the body, then all others.
class RequestReader {
 public:
  enum class Body { none, optional, required };  // optional: no body counts as {}
  RequestReader(Part const& part, Request const& request, Body body);

  Request const& request() const { return request_; }
  template <class T>
  T& part() const {
    return part_.as<T>();
  }
  QueryReader& query() { return query_; }
  ObjectReader& body() { return *body_; }

  // A problem of neither path nor query nor body.
  void other_problem(Error error) {
    if (!other_) other_ = std::move(error);
  }

  std::optional<Error> finish();

 private:
  Part const& part_;
  Request const& request_;
  QueryReader query_;
  Result<json::value> parsed_;
  std::optional<ObjectReader> body_;  // of an empty object if the body is no JSON
  std::optional<Error> other_;
};

}  // namespace larder::http
