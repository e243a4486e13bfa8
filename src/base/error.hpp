// Things go wrong in three ways: a refusal is a value (Result), broken infrastructure is an exception
// (StoreError), and a bug is a failed LARDER_ASSERT.
#pragma once

#include <boost/json.hpp>

#include <expected>
#include <stdexcept>
#include <string>
#include <string_view>

namespace larder {

// What a refusal means to the caller. edges/http maps each kind to one HTTP status.
enum class ErrorKind {
  invalid,          // malformed, unknown or out-of-range input
  unauthenticated,  // no valid token
  forbidden,        // the token is valid but lacks the scope
  not_found,
  method,         // the path exists, but not with this method
  conflict,       // a rule says no
  too_large,      // body over the limit
  unsupported,    // unsupported media type
  upgrade,        // the path needs another protocol
  unprocessable,  // a well-formed request that contradicts an earlier one
  rate_limited,
  unavailable,  // a store is unavailable, or the server has too much to do
  internal,
};

// The kind of a refusal and its stable snake_case name. Each rule has one code. Modules declare their
// codes as constants.
struct ErrorCode {
  ErrorKind kind;
  std::string_view name;
  friend bool operator==(ErrorCode const&, ErrorCode const&) = default;
};

namespace errors {
inline constexpr ErrorCode invalid_request{ErrorKind::invalid, "invalid_request"};
inline constexpr ErrorCode unauthorized{ErrorKind::unauthenticated, "unauthorized"};
inline constexpr ErrorCode forbidden{ErrorKind::forbidden, "forbidden"};
inline constexpr ErrorCode server_busy{ErrorKind::unavailable, "server_busy"};
inline constexpr ErrorCode foreign_record{ErrorKind::conflict, "foreign_record"};
}  // namespace errors

struct Error {
  ErrorCode code;
  std::string detail;             // one sentence for a person
  std::string field = {};         // path of the offending input; may be empty
  boost::json::object more = {};  // further members of the answer
  bool replayed = false;          // repeats the answer to an earlier request with the same Idempotency-Key
  bool kept = false;              // a script has stored it for the Idempotency-Key
};

template <class T>
using Result = std::expected<T, Error>;

inline std::unexpected<Error> refuse(ErrorCode code, std::string detail) {
  return std::unexpected(Error{.code = code, .detail = std::move(detail)});
}
inline std::unexpected<Error> invalid(std::string field, std::string detail) {
  return std::unexpected(
      Error{.code = errors::invalid_request, .detail = std::move(detail), .field = std::move(field)});
}

// A store failed. If outcome_unknown() is true, the request may have taken effect, so only an idempotent
// request may be repeated.
class StoreError : public std::runtime_error {
 public:
  StoreError(std::string const& what, bool outcome_unknown, std::string store = {})
      : std::runtime_error(what), outcome_unknown_(outcome_unknown), store_(std::move(store)) {}
  bool outcome_unknown() const noexcept { return outcome_unknown_; }
  // Which store it was. Failures of one store belong to one outage, whatever their words. Empty: SQL, or work
  // that has not been done yet.
  std::string const& store() const noexcept { return store_; }

 private:
  bool outcome_unknown_;
  std::string store_;
};

// A store will not answer until a person has repaired something: the password is wrong, the database or its
// directory is missing, or a permission is. Waiting does not help.
class UnusableError : public StoreError {
 public:
  explicit UnusableError(std::string const& what, std::string store = {})
      : StoreError(what, false, std::move(store)) {}
};

// Redis has lost data, or an outbox was removed because of that. Until a person has repaired Redis, nothing
// is written, and what could be read would be wrong. The request has changed nothing.
class LostError : public StoreError {
 public:
  explicit LostError(std::string const& what) : StoreError(what, false, "what Redis has lost") {}
};

// The clock of this server cannot be trusted, so nothing that depends on the time was done.
class ClockError : public StoreError {
 public:
  explicit ClockError(std::string const& what) : StoreError(what, false, "the clock") {}
};

// A key of Redis has a value that Larder did not write and cannot read. Nothing was changed. A request that
// meets it is refused with foreign_record.
class ForeignRecord : public std::runtime_error {
 public:
  explicit ForeignRecord(std::string key);
  std::string const& key() const noexcept { return key_; }
  Error refusal() const;

 private:
  std::string key_;
};

// The set-up is wrong: configuration, data directory or a missing program. The message is one line that says
// what is wrong or what to do.
class SetupError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A server cannot start, because Redis lacks what SQL has. The repair begins with an empty Redis, so the
// events that wait in this one must be brought to SQL first.
class LostRedisError : public SetupError {
 public:
  using SetupError::SetupError;
};

[[noreturn]] void assertion_failed(char const* expression, char const* file, int line);

}  // namespace larder

// Also active in release builds: a server in an unforeseen state must not keep writing.
#define LARDER_ASSERT(expression) \
  ((expression) ? void(0) : ::larder::assertion_failed(#expression, __FILE__, __LINE__))
