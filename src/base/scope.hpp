// What a service key may do: one scope per system, and `admin` for the server itself. `admin` includes
// all other scopes.
#pragma once

#include "base/error.hpp"

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace larder {

enum class Scope : std::uint8_t { ledger, economy, tribes, messages, discord, admin };

inline constexpr std::array<std::string_view, 6> scope_names = {"ledger",   "economy", "tribes",
                                                                "messages", "discord", "admin"};

constexpr std::string_view scope_name(Scope scope) { return scope_names[std::size_t(scope)]; }

class ScopeSet {
 public:
  constexpr ScopeSet() = default;
  constexpr ScopeSet(std::initializer_list<Scope> scopes) {
    for (Scope scope : scopes) add(scope);
  }
  // Parses "ledger,economy": at least one name, and all names are known. A refusal names the field `scopes`.
  static Result<ScopeSet> parse(std::string_view list);
  // Parses a list from the database. Ignores names that only a newer version knows: they grant nothing.
  static ScopeSet parse_known(std::string_view list);

  constexpr void add(Scope scope) { bits_ = std::uint8_t(bits_ | (1U << unsigned(scope))); }
  constexpr bool contains(Scope scope) const { return (bits_ >> unsigned(scope) & 1U) != 0; }
  constexpr bool empty() const { return bits_ == 0; }
  // Also true if the set has `admin`.
  constexpr bool allows(Scope scope) const { return contains(scope) || contains(Scope::admin); }
  // "ledger,economy"
  std::string text() const;
  friend bool operator==(ScopeSet const&, ScopeSet const&) = default;

 private:
  std::uint8_t bits_ = 0;
};

}  // namespace larder
