// Reads query and path parameters strictly. It works like ObjectReader.
//
//   QueryReader in(request);
//   auto const uid = in.path<UserId>("uid");
//   auto const from = in.optional<TimeMs>("from");
//   auto const page = in.page();
//   if (auto problem = in.finish()) return std::unexpected(std::move(*problem));
#pragma once

#include "base/json.hpp"
#include "edges/http/http_types.hpp"

namespace larder::http {

// On a route with Access::player, this parameter says for whom a service key acts.
inline constexpr std::string_view player_parameter = "player";

struct Page {
  std::int64_t limit = limits::page_default;
  std::optional<std::string> cursor;
};

// After the first problem, reads continue with default values. finish() returns the first problem; an unknown
// or repeated parameter is also a problem.
class QueryReader {
 public:
  explicit QueryReader(Request const& request);

  template <class T>
  T required(std::string_view name) {
    T out{};
    if (auto const* text = find_required(name)) convert(name, *text, out);
    return out;
  }
  template <class T>
  std::optional<T> optional(std::string_view name) {
    auto const* text = find(name);
    if (!text) return std::nullopt;
    T out{};
    convert(name, *text, out);
    return out;
  }
  std::string required_text(std::string_view name, TextRule rule);
  std::optional<std::string> optional_text(std::string_view name, TextRule rule);
  std::int64_t required_int(std::string_view name, IntRule rule);
  std::optional<std::int64_t> optional_int(std::string_view name, IntRule rule);
  // One of `choices`, as its index.
  std::optional<std::size_t> optional_choice(std::string_view name,
                                             std::span<std::string_view const> choices);
  // False if absent; true if the value is empty, as in a bare `?name`.
  bool flag(std::string_view name);
  // limit and cursor
  Page page();

  // The value of a `{name}` in the route.
  template <class T>
  T path(std::string_view name) {
    T out{};
    convert(name, request_.parameter(name), out);
    return out;
  }
  std::string path_text(std::string_view name, TextRule rule);
  std::int64_t path_int(std::string_view name, IntRule rule);
  std::size_t path_choice(std::string_view name, std::span<std::string_view const> choices);

  // Reports a problem, for rules that concern several parameters.
  void problem(std::string_view name, std::string detail);
  std::optional<Error> finish();

 private:
  struct Parameter {
    std::string name;
    std::string value;
    bool known = false;
  };
  void refuse_repeated_names();
  std::string const* find(std::string_view name);
  std::string const* find_required(std::string_view name);
  void convert(std::string_view name, std::string_view text, Amount& out);
  void convert(std::string_view name, std::string_view text, TimeMs& out);
  void convert(std::string_view name, std::string_view text, bool& out);
  template <class Rules>
  void convert(std::string_view name, std::string_view text, Id<Rules>& out) {
    auto id = Id<Rules>::from(text);
    if (!id) return problem(name, Id<Rules>::expectation());
    if constexpr (std::same_as<Id<Rules>, UserId>) {
      if (request_.user.empty()) request_.user = id->str();
    }
    out = std::move(*id);
  }
  std::string checked_text(std::string_view name, std::string_view text, TextRule rule);
  std::int64_t checked_int(std::string_view name, std::string_view text, IntRule rule);
  std::size_t checked_choice(std::string_view name, std::string_view text,
                             std::span<std::string_view const> choices);

  Request const& request_;
  std::vector<Parameter> parameters_;
  std::optional<Error> problem_;
};

}  // namespace larder::http
