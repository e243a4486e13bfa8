// Connects a route with the object that does its work.
#pragma once

#include "edges/http/field.hpp"
#include "edges/http/http_types.hpp"

#include <functional>
#include <memory>
#include <typeinfo>

namespace larder::http {

// The object that the handlers of one system work with on one io thread, such as a ledger::Ledger. The part
// owns the object and knows its type.
class Part {
 public:
  Part() = default;  // for a system whose handlers need no object
  template <class T>
  explicit Part(std::shared_ptr<T> object) : object_(std::move(object)), type_(&typeid(T)) {}

  bool is(std::type_info const& type) const { return type_ && *type_ == type; }
  // Asserts that the part has this type.
  template <class T>
  T& as() const {
    LARDER_ASSERT(is(typeid(T)));
    return *static_cast<T*>(object_.get());
  }

 private:
  std::shared_ptr<void> object_;
  std::type_info const* type_ = nullptr;
};

// What the OpenAPI document says about a request.
struct Input {
  std::vector<Field> path = {};
  std::vector<Field> query = {};  // without limit and cursor
  std::vector<Field> body = {};
  bool list = false;  // takes limit and cursor, and answers {"items": [...], "next_cursor": ...}
};

using Answering = Task<Result<Response>>;

// Answers the requests of one route. Made from a function `Answering f(ledger::Ledger&, Request const&)`,
// from `Answering f(Request const&)` if it needs no object, or by handle() from a schema (schema.hpp). The
// request outlives the task. A refusal becomes a problem document, a StoreError becomes 503, and any other
// exception becomes 500.
class Handler {
 public:
  using Call = std::function<Answering(Part const&, Request const&)>;

  // `part` is the type of the object that `call` needs.
  Handler(Call call, Input input, std::type_info const& part)
      : call_(std::move(call)), input_(std::move(input)), part_(&part) {}
  // For a `call` that needs no object.
  Handler(Call call, Input input) : call_(std::move(call)), input_(std::move(input)) {}
  template <class T>
  Handler(Answering (*function)(T&, Request const&))  // NOLINT: reads well in a table
      : call_(
            [function](Part const& part, Request const& request) { return function(part.as<T>(), request); }),
        part_(&typeid(T)) {}
  Handler(Answering (*function)(Request const&))  // NOLINT: reads well in a table
      : call_([function](Part const&, Request const& request) { return function(request); }) {}

  Answering operator()(Part const& part, Request const& request) const { return call_(part, request); }
  Input const& input() const { return input_; }
  bool fits(Part const& part) const { return !part_ || part.is(*part_); }

 private:
  Call call_;
  Input input_;
  std::type_info const* part_ = nullptr;  // null: needs no object
};

}  // namespace larder::http
