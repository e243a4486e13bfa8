// One description of the content of a request. It fills a struct for the handler, and the OpenAPI document is
// made from it. So the documentation cannot differ from what is read.
//
//   struct NewNote {
//     UserId uid;
//     std::string text;
//     std::optional<TimeMs> until;
//   };
//   Schema<NewNote> new_note() {
//     return Schema<NewNote>()
//         .path("uid", kind::user_id, &NewNote::uid, "whose note it is")
//         .body(ObjectSchema<NewNote>()
//                   .required("text", kind::text(1, 200), &NewNote::text, "what to keep")
//                   .optional("until", kind::time, &NewNote::until, "when to forget it"));
//   }
//   Answering post_note(Notes& notes, NewNote note);
//   ... {Method::post, "/v1/notes/{uid}", Scope::messages, handle(new_note(), &post_note),
//        {.id = "post_note", ...}}
//
// Values are read in the order in which they are described.
#pragma once

#include "edges/http/kinds.hpp"
#include "edges/http/object_schema.hpp"
#include "edges/http/request_reader.hpp"

#include <functional>

namespace larder::http {

// What a missing body means to a route that reads a body.
enum class EmptyBody { is_wrong, is_empty_object };

// A `target` is a member of T, or a function that takes a T& and returns a reference into it.
template <class T>
class Schema {
 public:
  using Read = std::function<void(RequestReader&, T&)>;

  // The value of a `{name}` in the path.
  template <class Kind, class Target>
  Schema path(std::string_view name, Kind const& kind, Target target, std::string_view description) && {
    input_.path.push_back(http::required(name, kind.type(), description));
    return std::move(*this).also(
        [=](RequestReader& in, T& out) { std::invoke(target, out) = kind.path(in.query(), name); });
  }
  template <class Kind, class Target>
  Schema query(std::string_view name, Kind const& kind, Target target, std::string_view description) && {
    input_.query.push_back(http::required(name, kind.type(), description));
    return std::move(*this).also(
        [=](RequestReader& in, T& out) { std::invoke(target, out) = kind.required(in.query(), name); });
  }
  // If the value is absent, its target stays as it is.
  template <class Kind, class Target>
  Schema optional_query(std::string_view name, Kind const& kind, Target target,
                        std::string_view description) && {
    input_.query.push_back(http::optional(name, kind.type(), description));
    return std::move(*this).also([=](RequestReader& in, T& out) {
      if (auto value = kind.optional(in.query(), name)) std::invoke(target, out) = std::move(*value);
    });
  }
  // The body. A request without a body is refused, unless `empty` says that it counts as {}.
  Schema body(ObjectSchema<T> object, EmptyBody empty = EmptyBody::is_wrong) && {
    input_.body = object.fields();
    body_ = empty == EmptyBody::is_wrong ? RequestReader::Body::required : RequestReader::Body::optional;
    return std::move(*this).also(
        [object = std::move(object)](RequestReader& in, T& out) { object.read(in.body(), out); });
  }
  // A field of the body whose reader also needs the rest of the request.
  Schema body_field(Field field, Read read) && {
    input_.body.push_back(std::move(field));
    return std::move(*this).also(std::move(read));
  }
  // For a list. `limit` gets one more than the size of a page, so that the answer knows whether there is a
  // next page. `read_cursor` takes the text of a cursor and a T&, and returns whether the cursor is valid.
  template <class Limit, class ReadCursor>
  Schema page(Limit limit, ReadCursor read_cursor) && {
    input_.list = true;
    return std::move(*this).also([=](RequestReader& in, T& out) {
      auto const page = in.query().page();
      std::invoke(limit, out) = page.limit + 1;
      if (page.cursor && !read_cursor(*page.cursor, out)) {
        in.query().problem("cursor", "must be a next_cursor of an earlier answer");
      }
    });
  }
  // Anything else that has to be read or checked.
  Schema also(Read read) && {
    reads_.push_back(std::move(read));
    return std::move(*this);
  }
  Input const& input() const { return input_; }

  Result<T> read(Part const& part, Request const& request) const {
    RequestReader in(part, request, body_, input_.body);
    T out{};
    for (auto const& read : reads_) read(in, out);
    if (auto problem = in.finish()) return std::unexpected(std::move(*problem));
    return out;
  }

 private:
  Input input_;
  std::vector<Read> reads_;
  RequestReader::Body body_ = RequestReader::Body::none;
};

namespace detail {

inline Answering refused(Error error) { co_return std::unexpected(std::move(error)); }

}  // namespace detail

// Makes a handler that gets typed values. Requests that the schema refuses never reach `function`.
template <class P, class T>
Handler handle(Schema<T> schema, Answering (*function)(P&, T)) {
  auto input = schema.input();
  return {[schema = std::move(schema), function](Part const& part, Request const& request) {
            auto values = schema.read(part, request);
            if (!values) return detail::refused(std::move(values.error()));
            return function(part.as<P>(), std::move(*values));
          },
          std::move(input), typeid(P)};
}
// The same for a function that also gets the request itself.
template <class P, class T>
Handler handle(Schema<T> schema, Answering (*function)(P&, T, Request const&)) {
  auto input = schema.input();
  return {[schema = std::move(schema), function](Part const& part, Request const& request) {
            auto values = schema.read(part, request);
            if (!values) return detail::refused(std::move(values.error()));
            return function(part.as<P>(), std::move(*values), request);
          },
          std::move(input), typeid(P)};
}

}  // namespace larder::http
