// One call of a script: the script, its keys and its arguments, in the order in which they are added.
//
//   return redis::ScriptCall(lua::give_up_index).keys(keys.index).args(mark);
//
// Each script has one function that makes its calls. These functions are in the `x_scripts.hpp` of the
// script's module.
#pragma once

#include "base/amount.hpp"
#include "base/ids.hpp"
#include "base/time.hpp"
#include "stores/redis/script.hpp"

#include <fmt/format.h>

#include <concepts>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace larder::redis {

class ScriptCall {
 public:
  // The Script must outlive the call.
  explicit ScriptCall(Script const& script) : script_(&script) {
    text_.reserve(512);  // room for most calls, which then allocate only three times
    keys_.reserve(16);
    args_.reserve(24);
  }

  template <class Self, class... Keys>
  Self&& keys(this Self&& self, Keys const&... keys) {
    (self.add(self.keys_, std::string_view(keys)), ...);
    return std::forward<Self>(self);
  }
  // Takes texts, ids, whole numbers, amounts, times and flags. A flag is sent as "1" or "0".
  template <class Self, class... Args>
  Self&& args(this Self&& self, Args const&... args) {
    (self.add(self.args_, args), ...);
    return std::forward<Self>(self);
  }

  Script const& script() const { return *script_; }
  std::size_t key_count() const { return keys_.size(); }
  // Appends the keys, then the arguments. The views are valid until the next word is added or the
  // call is destroyed.
  void append_words(std::vector<std::string_view>& words) const {
    words.reserve(words.size() + keys_.size() + args_.size());
    for (auto const* const list : {&keys_, &args_}) {
      for (auto const& [begin, end] : *list)
        words.push_back(std::string_view(text_).substr(begin, end - begin));
    }
  }

 private:
  struct Word {
    std::size_t begin = 0;
    std::size_t end = 0;
  };

  void add(std::vector<Word>& list, std::string_view word) {
    auto const begin = text_.size();
    text_.append(word);
    list.push_back({begin, text_.size()});
  }
  void add(std::vector<Word>& list, std::integral auto number) {
    fmt::format_int const digits(number);
    add(list, std::string_view(digits.data(), digits.size()));
  }
  void add(std::vector<Word>& list, bool yes) { add(list, std::string_view(yes ? "1" : "0")); }
  void add(std::vector<Word>& list, char const* word) { add(list, std::string_view(word)); }
  void add(std::vector<Word>& list, TimeMs time) { add(list, time.value); }
  void add(std::vector<Word>& list, Amount amount) { add(list, amount.value()); }
  template <class Rules>
  void add(std::vector<Word>& list, Id<Rules> const& id) {
    add(list, std::string_view(id.str()));
  }

  Script const* script_;
  std::string text_;  // of all words
  std::vector<Word> keys_;
  std::vector<Word> args_;
};

}  // namespace larder::redis
