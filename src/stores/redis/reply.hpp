// One answer of Redis (RESP2).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

struct redisReply;

namespace larder::redis {

// Redis refused a command unexpectedly (wrong type, script error): a bug, or a key that
// another program wrote.
class ReplyError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A view of one value, valid as long as its Reply. An accessor throws ReplyError if the value is
// of another kind.
class ReplyView {
 public:
  explicit ReplyView(redisReply const* reply) : reply_(reply) {}

  bool is_nil() const;
  bool is_error() const;
  bool is_array() const;
  bool is_text() const;           // a string or a status
  std::string_view text() const;  // a string, a status or an error
  std::int64_t integer() const;   // an integer, or a string that is one
  std::size_t size() const;       // of an array; nil counts as an empty one
  ReplyView at(std::size_t index) const;
  std::optional<std::string> optional_text() const;
  std::string_view kind() const;  // for people: "an integer"

 private:
  redisReply const* reply_;
};

class Reply {
 public:
  Reply() = default;
  explicit Reply(redisReply* owned) : owned_(owned) {}

  ReplyView view() const { return ReplyView(owned_.get()); }
  bool is_nil() const { return view().is_nil(); }
  bool is_error() const { return view().is_error(); }
  std::string_view text() const { return view().text(); }
  std::int64_t integer() const { return view().integer(); }
  std::size_t size() const { return view().size(); }
  ReplyView at(std::size_t index) const { return view().at(index); }
  std::optional<std::string> optional_text() const { return view().optional_text(); }

  // True if an earlier attempt of the same command may have taken effect. This answer may then show the
  // effect of that attempt.
  bool repeated() const { return repeated_; }
  void set_repeated(bool repeated) { repeated_ = repeated; }

  // The script that gave this answer; empty for a command.
  std::string_view script() const { return script_; }
  void set_script(std::string_view name) { script_ = name; }

 private:
  struct Free {
    void operator()(redisReply* reply) const noexcept;
  };
  std::unique_ptr<redisReply, Free> owned_;
  std::string_view script_;
  bool repeated_ = false;
};

}  // namespace larder::redis
