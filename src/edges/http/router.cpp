#include "edges/http/router.hpp"

#include "edges/http/uri.hpp"

#include <fmt/format.h>

#include <array>
#include <map>

namespace larder::http {

namespace {

// The segments of one path, decoded where necessary.
class Segments {
 public:
  enum class Outcome { good, malformed, too_many };

  Outcome split(std::string_view path) {
    if (!path.starts_with('/')) return Outcome::malformed;
    path.remove_prefix(1);
    for (;;) {
      if (size_ == limits::path_segments_max) return Outcome::too_many;
      auto const slash = std::min(path.find('/'), path.size());
      if (!add(path.substr(0, slash))) return Outcome::malformed;
      if (slash == path.size()) return Outcome::good;
      path.remove_prefix(slash + 1);
    }
  }
  std::size_t size() const { return size_; }
  std::string_view operator[](std::size_t i) const { return views_[i]; }
  // The segments from `at` to the end, joined by slashes.
  std::string tail(std::size_t at) const { return fmt::format("{}", fmt::join(all().subspan(at), "/")); }

 private:
  std::span<std::string_view const> all() const { return {views_.data(), size_}; }

  bool add(std::string_view raw) {
    bool const plain = std::ranges::all_of(raw, [](char c) { return c > 0x20 && c < 0x7F && c != '%'; });
    if (plain) {
      views_[size_++] = raw;
      return true;
    }
    auto decoded = percent_decode(raw);
    if (!decoded) return false;
    decoded_[size_] = std::move(*decoded);
    views_[size_] = decoded_[size_];
    ++size_;
    return true;
  }

  std::array<std::string_view, limits::path_segments_max> views_;
  std::array<std::string, limits::path_segments_max> decoded_;
  std::size_t size_ = 0;
};

constexpr std::size_t method_count = std::size_t(Method::options);

}  // namespace

struct Router::Node {
  std::map<std::string, std::unique_ptr<Node>, std::less<>> literals;
  std::unique_ptr<Node> parameter;
  std::unique_ptr<Node> tail;
  std::array<RouteEntry const*, method_count> by_method = {};
  std::string allow;  // empty: no route ends here

  // The node of a whole path. Tries the literal first, then the parameter, then the tail.
  Node const* find(Segments const& segments, std::size_t at,
                   std::array<std::size_t, limits::path_segments_max>& captured, std::size_t captures) const {
    if (at == segments.size()) return allow.empty() ? nullptr : this;
    if (auto const literal = literals.find(segments[at]); literal != literals.end()) {
      if (auto const* node = literal->second->find(segments, at + 1, captured, captures)) return node;
    }
    if (parameter && !segments[at].empty()) {
      captured[captures] = at;
      if (auto const* node = parameter->find(segments, at + 1, captured, captures + 1)) return node;
    }
    bool const nothing_left = at + 1 == segments.size() && segments[at].empty();
    if (!tail || nothing_left) return nullptr;
    captured[captures] = at;
    return tail.get();
  }

  void renew_allow() {
    allow.clear();
    for (std::size_t i = 0; i < method_count; ++i) {
      bool const answered =
          by_method[i] || (Method(i) == Method::head && by_method[std::size_t(Method::get)]);
      if (answered) allow += fmt::format("{}{}", allow.empty() ? "" : ", ", method_name(Method(i)));
    }
  }
};

Router::Router(std::vector<Api> const& systems) : root_(std::make_unique<Node>()) {
  for (std::size_t system = 0; system < systems.size(); ++system) {
    for (auto const& table : systems[system].tables) {
      for (auto const& route : table) add(route, system);
    }
  }
}

Router::~Router() = default;

void Router::add(Route const& route, std::size_t system) {
  auto const wrong = [&](std::string_view why) {
    return SetupError(fmt::format("route {} {} {}", method_name(route.method), route.path, why));
  };
  if (std::size_t(route.method) >= method_count) throw wrong("has a method that no route can have");
  Segments segments;
  if (segments.split(route.path) != Segments::Outcome::good) throw wrong("is not a path");

  auto entry =
      std::make_unique<RouteEntry>(RouteEntry{.route = &route, .system = system, .index = entries_.size()});
  Node* node = root_.get();
  for (std::size_t i = 0; i < segments.size(); ++i) {
    auto const segment = segments[i];
    if (segment.starts_with('{') && segment.ends_with("...}")) {
      if (i + 1 < segments.size()) throw wrong("goes on behind its {name...}");
      entry->parameter_names.push_back(segment.substr(1, segment.size() - 5));
      entry->has_tail = true;
      if (!node->tail) node->tail = std::make_unique<Node>();
      node = node->tail.get();
    } else if (segment.starts_with('{') && segment.ends_with('}')) {
      entry->parameter_names.push_back(segment.substr(1, segment.size() - 2));
      if (!node->parameter) node->parameter = std::make_unique<Node>();
      node = node->parameter.get();
    } else {
      if (segment.empty() && segments.size() > 1) throw wrong("has an empty segment");
      auto& child = node->literals[std::string(segment)];
      if (!child) child = std::make_unique<Node>();
      node = child.get();
    }
  }
  for (auto const& field : route.input().path) {
    if (std::ranges::find(entry->parameter_names, field.name) == entry->parameter_names.end())
      throw wrong(fmt::format("has no {{{}}}, but its schema reads it", field.name));
  }
  auto& place = node->by_method[std::size_t(route.method)];
  if (place) throw wrong("exists twice");
  place = entry.get();
  node->renew_allow();
  body_bytes_least_ = std::min(body_bytes_least_, route.doc.body_bytes_max);
  entries_.push_back(std::move(entry));
}

void Router::check_parts(std::vector<Part> const& parts) const {
  for (auto const& entry : entries_) {
    auto const& route = *entry->route;
    if (entry->system < parts.size() && route.handler.fits(parts[entry->system])) continue;
    throw SetupError(fmt::format("route {} {} works with an object that its system does not have",
                                 method_name(route.method), route.path));
  }
}

RouteMatch Router::match(Method method, std::string_view path, std::vector<PathParameter>& parameters) const {
  using Outcome = RouteMatch::Outcome;
  parameters.clear();
  Segments segments;
  switch (segments.split(path)) {
    case Segments::Outcome::malformed: return {.outcome = Outcome::malformed};
    case Segments::Outcome::too_many: return {.outcome = Outcome::not_found};
    case Segments::Outcome::good: break;
  }
  std::array<std::size_t, limits::path_segments_max> captured = {};
  auto const* node = root_->find(segments, 0, captured, 0);
  if (!node) return {.outcome = Outcome::not_found};

  auto const at = std::size_t(method);
  auto const* entry = at < method_count ? node->by_method[at] : nullptr;
  if (!entry && method == Method::head) entry = node->by_method[std::size_t(Method::get)];
  if (!entry) return {.outcome = Outcome::method_not_allowed, .allow = node->allow};

  auto const count = entry->parameter_names.size();
  for (std::size_t i = 0; i < count; ++i) {
    bool const is_tail = entry->has_tail && i + 1 == count;
    parameters.push_back(
        {.name = entry->parameter_names[i],
         .value = is_tail ? segments.tail(captured[i]) : std::string(segments[captured[i]])});
  }
  return {.outcome = Outcome::found, .entry = entry, .allow = node->allow};
}

}  // namespace larder::http
