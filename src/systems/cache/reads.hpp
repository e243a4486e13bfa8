// What Redis has, as far as somebody has asked for it.
//
// The rules of the cache are functions that do no I/O. They ask a Reads, which answers at once. If it does
// not know the answer yet, it says that there is nothing and writes down the question. The caller then loads
// all open questions in one round trip and calls the function again:
//
//   do {
//     object = assemble_member(reads, guild, user);
//   } while (co_await load(redis, reads));         // false: no question was open
//
// So a function may ask for whatever it finds in an earlier answer, and still needs few round trips.
#pragma once

#include "base/task.hpp"
#include "stores/redis/redis.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace larder::cache {

// A question about one key.
struct Question {
  enum class Kind : std::uint8_t {
    text,      // GET
    field,     // HGET, of `member`
    has,       // SISMEMBER, of `member`
    size,      // SCARD
    elements,  // of a set, in no order; at most `limit`, or all if that is 0
    fields,    // the names in a hash
    pairs,     // names and values of a hash, alternating
    oldest,    // of a sorted set, lowest score first; at most `limit`
  };
  Kind kind = Kind::text;
  std::string key;
  std::string member = {};
  std::size_t limit = 0;
  friend bool operator==(Question const&, Question const&) = default;
};
struct QuestionHash {
  std::size_t operator()(Question const& question) const noexcept;
};

// A view that an answer returns is valid until clear() is called. The answer of a function with a limit may
// have a few elements more.
class Reads {
 public:
  using List = std::vector<std::string>;

  virtual ~Reads() = default;

  virtual std::optional<std::string_view> text(std::string key);
  // The same for a caller that changes this text or nothing: if the text is not changed, no change rests on
  // the answer.
  virtual std::optional<std::string_view> text_to_change(std::string key);
  virtual std::optional<std::string_view> field(std::string hash, std::string_view name);
  virtual bool has(std::string set, std::string_view member);
  virtual bool any(std::string set);  // whether the set has a member
  std::int64_t size(std::string set);
  virtual List elements(std::string set, std::size_t limit = 0);
  virtual List fields(std::string hash);
  virtual List pairs(std::string hash);
  virtual List oldest(std::string sorted_set, std::size_t limit);

  // Whether every answer so far was a real one.
  bool complete() const { return open_.empty(); }
  // How often an answer was missing so far. If a function does not change this number, its result is final.
  std::size_t missed() const { return missed_; }
  std::vector<Question> take_open();

  struct Answer {
    std::optional<std::string> text;  // of text and field; of has, "1" or nothing; of size, a number
    List list;                        // of the other kinds
    bool is_checked = false;          // whether a change rests on it
  };
  void learn(Question question, Answer answer);
  std::unordered_map<Question, Answer, QuestionHash> const& known() const { return known_; }
  void clear();

 private:
  Answer const& ask(Question question, bool is_checked = true);

  std::unordered_map<Question, Answer, QuestionHash> known_;
  std::unordered_set<Question, QuestionHash> open_;
  std::size_t missed_ = 0;
};

// Whether Redis has something else under that key, which only another program can have written.
bool is_of_another_type(redis::ReplyError const& error);

// Loads the open questions, in one round trip if no collection is large. Returns false if there were none. A
// key of another type has nothing: only another program can have written it. Throws StoreError.
Task<bool> load(redis::Redis& redis, Reads& reads);

}  // namespace larder::cache
