// Ids of different types, so that the compiler notices when two are mixed up. Each type says which characters
// it allows, so that no id can break out of the Redis key that contains it.
#pragma once

#include "base/limits.hpp"

#include <compare>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace larder {

// True if each character is an ASCII letter, a digit or one of `extra`.
constexpr bool all_in_charset(std::string_view text, std::string_view extra) {
  for (char c : text) {
    bool const alphanumeric = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (!alphanumeric && extra.find(c) == std::string_view::npos) return false;
  }
  return true;
}

// `Rules` has the constants chars_max and extra_chars. An id has 1 to chars_max characters.
template <class Rules>
class Id {
 public:
  Id() = default;
  static std::optional<Id> from(std::string_view text) {
    if (text.empty() || text.size() > Rules::chars_max) return std::nullopt;
    if (!all_in_charset(text, Rules::extra_chars)) return std::nullopt;
    Id id;
    id.text_ = text;
    return id;
  }
  static std::string expectation() {
    return "must be 1 to " + std::to_string(Rules::chars_max) + " characters of A-Z a-z 0-9 " +
           std::string(Rules::extra_chars);
  }
  static std::string pattern() {
    return "^[A-Za-z0-9" + std::string(Rules::extra_chars) + "]{1," + std::to_string(Rules::chars_max) + "}$";
  }
  std::string const& str() const { return text_; }
  friend auto operator<=>(Id const&, Id const&) = default;

 private:
  std::string text_;
};

// In extra_chars the hyphen comes last: pattern() puts them into a character class, where only a hyphen at
// the end is a literal.
struct UserIdRules {
  static constexpr std::size_t chars_max = limits::uid_chars_max;
  static constexpr std::string_view extra_chars = "_.@+|-";
};
struct DomainRules {
  static constexpr std::size_t chars_max = limits::domain_chars_max;
  static constexpr std::string_view extra_chars = "_:.-";
};
struct OrderIdRules {
  static constexpr std::size_t chars_max = limits::order_id_chars_max;
  static constexpr std::string_view extra_chars = "_:.-";
};

using UserId = Id<UserIdRules>;
using Domain = Id<DomainRules>;
using OrderId = Id<OrderIdRules>;

}  // namespace larder

template <class Rules>
struct std::hash<larder::Id<Rules>> {
  std::size_t operator()(larder::Id<Rules> const& id) const noexcept {
    return std::hash<std::string>{}(id.str());
  }
};
