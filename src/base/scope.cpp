#include "base/scope.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace larder {

namespace {

// Calls `each` for every name of a comma-separated list: with its scope, or with nothing for an unknown name.
template <class F>
void for_each_name(std::string_view list, F each) {
  for (;;) {
    auto const comma = list.find(',');
    auto const found = std::ranges::find(scope_names, list.substr(0, comma));
    each(found == scope_names.end() ? std::nullopt : std::optional(Scope(found - scope_names.begin())));
    if (comma == std::string_view::npos) return;
    list.remove_prefix(comma + 1);
  }
}

}  // namespace

Result<ScopeSet> ScopeSet::parse(std::string_view list) {
  ScopeSet scopes;
  bool unknown = false;
  for_each_name(list, [&](std::optional<Scope> scope) {
    if (scope) {
      scopes.add(*scope);
    } else {
      unknown = true;
    }
  });
  if (unknown) {
    return invalid("scopes", fmt::format("scopes must be one or more of {}, separated by commas",
                                         fmt::join(scope_names, ", ")));
  }
  return scopes;
}

ScopeSet ScopeSet::parse_known(std::string_view list) {
  ScopeSet scopes;
  for_each_name(list, [&](std::optional<Scope> scope) {
    if (scope) scopes.add(*scope);
  });
  return scopes;
}

std::string ScopeSet::text() const {
  std::string out;
  for (std::size_t i = 0; i < scope_names.size(); ++i) {
    if (!contains(Scope(i))) continue;
    if (!out.empty()) out.push_back(',');
    out += scope_names[i];
  }
  return out;
}

}  // namespace larder
