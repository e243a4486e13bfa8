// How a route reaches the object that does its work.
#pragma once

#include "edges/http/http_types.hpp"

#include <memory>
#include <typeinfo>

namespace larder::http {

// The object that the handlers of one system work with on one io thread, such as a ledger::Ledger. The part
// owns the object and remembers its type.
class Part {
 public:
  Part() = default;  // for a system whose handlers need no object
  template <class T>
  explicit Part(std::shared_ptr<T> object) : object_(std::move(object)), type_(&typeid(T)) {}

  // Asking for another type than the part has is a bug.
  template <class T>
  T& as() const {
    LARDER_ASSERT(type_ && *type_ == typeid(T));
    return *static_cast<T*>(object_.get());
  }

 private:
  std::shared_ptr<void> object_;
  std::type_info const* type_ = nullptr;
};

using Answering = Task<Result<Response>>;

// A function that answers the requests of one route: `Answering f(ledger::Ledger&, Request const&)`, or
// `Answering f(Request const&)` if it needs no object. The request outlives the task. A refusal becomes a
// problem document, a StoreError becomes 503, and any other exception becomes 500.
class Handler {
 public:
  template <class T>
  Handler(Answering (*function)(T&, Request const&))  // NOLINT: reads well in a table
      : function_(reinterpret_cast<Erased>(function)),
        call_([](Erased erased, Part const& part, Request const& request) {
          return reinterpret_cast<Answering (*)(T&, Request const&)>(erased)(part.as<T>(), request);
        }) {}
  Handler(Answering (*function)(Request const&))  // NOLINT: reads well in a table
      : function_(reinterpret_cast<Erased>(function)),
        call_([](Erased erased, Part const&, Request const& request) {
          return reinterpret_cast<Answering (*)(Request const&)>(erased)(request);
        }) {}

  Answering operator()(Part const& part, Request const& request) const {
    return call_(function_, part, request);
  }

 private:
  using Erased = void (*)();
  Erased function_;
  Answering (*call_)(Erased, Part const&, Request const&);
};

}  // namespace larder::http
