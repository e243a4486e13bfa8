// Describes a JSON object, and reads it into a T. The object is a whole body, or an object inside a body.
#pragma once

#include "base/json.hpp"
#include "edges/http/field.hpp"

#include <functional>
#include <string>
#include <vector>

namespace larder::http {

// A `target` is a member of T, or a function that takes a T& and returns a reference into it. kinds.hpp lists
// the kinds. Fields are read in the order in which they are described.
template <class T>
class ObjectSchema {
 public:
  using Read = std::function<void(ObjectReader&, T&)>;

  template <class Kind, class Target>
  ObjectSchema required(std::string_view name, Kind const& kind, Target target,
                        std::string_view description) && {
    return std::move(*this).field(
        http::required(name, kind.type(), description),
        [=](ObjectReader& in, T& out) { std::invoke(target, out) = kind.required(in, name); });
  }
  // If the value is absent, its target stays as it is.
  template <class Kind, class Target>
  ObjectSchema optional(std::string_view name, Kind const& kind, Target target,
                        std::string_view description) && {
    return std::move(*this).field(http::optional(name, kind.type(), description),
                                  [=](ObjectReader& in, T& out) {
                                    if (auto value = kind.optional(in, name))
                                      std::invoke(target, out) = std::move(*value);
                                  });
  }
  // A field with its own way to read it.
  ObjectSchema field(Field field, Read read) && {
    fields_.push_back(std::move(field));
    reads_.push_back(std::move(read));
    return std::move(*this);
  }

  ObjectSchema and_all_of(ObjectSchema other) && {
    fields_.insert(fields_.end(), other.fields_.begin(), other.fields_.end());
    reads_.insert(reads_.end(), other.reads_.begin(), other.reads_.end());
    return std::move(*this);
  }

  std::vector<Field> const& fields() const { return fields_; }
  void read(ObjectReader& in, T& out) const {
    for (auto const& read : reads_) read(in, out);
  }
  // `path` is put before the names of the fields in problems: "entries[3]".
  Result<T> read(json::value const& value, std::string path) const {
    ObjectReader in(value, std::move(path));
    T out{};
    read(in, out);
    if (auto problem = in.finish()) return std::unexpected(std::move(*problem));
    return out;
  }

 private:
  std::vector<Field> fields_;
  std::vector<Read> reads_;
};

}  // namespace larder::http
