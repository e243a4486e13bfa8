// What a service key may open.
#pragma once

#include "base/error.hpp"

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace larder {

enum class Scope { ledger, economy, tribes, messages, discord, admin };

inline constexpr std::array<std::string_view, 6> scope_names = {"ledger",   "economy", "tribes",
                                                                "messages", "discord", "admin"};

constexpr std::string_view to_string(Scope scope) { return scope_names[std::size_t(scope)]; }

class ScopeSet {
 public:
  constexpr ScopeSet() = default;
  constexpr ScopeSet(std::initializer_list<Scope> scopes) {
    for (Scope scope : scopes) add(scope);
  }
  // "ledger,economy": at least one, each known; the refusal names the field `scopes`.
  static Result<ScopeSet> parse(std::string_view list);
  // What the database says: a name that only a newer version knows opens nothing here.
  static ScopeSet parse_known(std::string_view list);

  constexpr void add(Scope scope) { bits_ |= 1u << unsigned(scope); }
  constexpr bool has(Scope scope) const { return (bits_ >> unsigned(scope) & 1u) != 0; }
  constexpr bool allows(Scope scope) const { return has(scope) || has(Scope::admin); }
  constexpr bool empty() const { return bits_ == 0; }
  // "ledger,economy"
  std::string text() const;
  friend bool operator==(ScopeSet const&, ScopeSet const&) = default;

 private:
  unsigned bits_ = 0;
};

}  // namespace larder
